"""A real client asks bough over MCP, and sends Claude what bough answered."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bough.mcp.quote_fences import NOTE
from tests.client.conftest import Verdict
from tests.client.laboratory import SKIP, Client
from tests.client.server import MEMORY, SEARCH, TOPIC

pytestmark = pytest.mark.client

SAID = f"We keep the {TOPIC} in the cellar"


@pytest.fixture(scope="module")
def config(client: Client) -> Path:
    """Let the client say something once, index it, and write how it finds the server."""
    client.talk(SAID)
    place = Path(client.lab.dir)
    options = ["--claude-dir", str(client.lab.cfg), "--index", str(place / "index.sqlite")]
    subprocess.run([sys.executable, "-m", "bough", "index", *options], check=True)
    server = {"command": sys.executable, "args": ["-m", "bough", "mcp", *options]}
    file = place / "mcp.json"
    file.write_text(json.dumps({"mcpServers": {"bough": server}}))
    return file


def results_of(body: dict[str, Any]) -> list[str]:
    """List what tools gave back, as the client sends it."""
    found = []
    for message in body["messages"]:
        content = message["content"]
        for block in content if isinstance(content, list) else []:
            if block["type"] == "tool_result":
                given = block.get("content") or ""
                parts = [{"text": given}] if isinstance(given, str) else given
                found.append("".join(part.get("text", "") for part in parts))
    return found


def test_what_bough_answers_is_sent_on(client: Client, config: Path, verdict: Verdict) -> None:
    done = client.lab.claude("-p", MEMORY, "--mcp-config", config, SKIP, timeout=180)

    assert done.main, f"{done.rc} {done.err[:300]} {done.out[:300]}"
    # Some clients only name it, and load what it takes later; some let Claude wait for servers.
    assert SEARCH in json.dumps(done.main[-1])
    *_, answer = results_of(done.main[-1])
    assert answer.startswith(NOTE)
    assert SAID in answer
    document = json.loads(answer.partition("\n")[2])
    # The question itself is in the session that is being written, and may be found too.
    assert any(client.newest().stem not in hit["place"] for hit in document["hits"])
    verdict("bough mcp: tools/call", "answer sent on")
