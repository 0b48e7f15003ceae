"""Hooks with real clients: what was denied stays denied, and each event arrives.

Old clients throw their whole settings away when these name an event they do not know; the only
proof that they do not is what they offer to Claude before and after.
"""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from bough.library import apply, install_hooks, uninstall_hooks
from tests.client.conftest import Verdict
from tests.client.laboratory import SKIP, Block, Client

pytestmark = pytest.mark.client


def offered(client: Client, prompt: str) -> set[str]:
    """Name the tools that a client offers to Claude."""
    result = client.lab.claude("-p", prompt, SKIP, timeout=180)
    assert result.main, f"the client sent nothing: {result.rc} {result.err[:300]}"
    return {tool["name"] for tool in result.main[0]["tools"]}


def test_what_is_denied_stays_denied_with_hooks(
    client: Client, verdict: Verdict, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", os.defpath)
    settings = Path(client.lab.cfg) / "settings.json"
    settings.unlink(missing_ok=True)
    free = offered(client, "hello without settings")
    settings.write_text(json.dumps({"permissions": {"deny": ["Bash"]}}))
    before, plain = offered(client, "hello with settings"), settings.read_text()
    apply(install_hooks(client.lab.cfg))
    after = offered(client, "hello with hooks")
    events = Path(client.lab.home) / ".local" / "share" / "bough" / "hook-events"
    told = {json.loads(file.read_text())["event"] for file in events.glob("*.json")}
    apply(uninstall_hooks(client.lab.cfg))

    assert "Bash" in free
    assert "Bash" not in before
    assert after == before
    # Hooks are not waited for: a client that ends with its answer may cut off the later ones.
    assert told & {"SessionStart", "UserPromptSubmit"}
    assert settings.read_text() == plain
    verdict("hooks installed: what is denied stays denied", "yes")


PROMPTS = ("turn1 hello", "turn2 USE_BASH", "turn3 USE_READ", "turn4 bye")
_VARYING = re.compile(
    r"toolu_fake\w+|msg_fake\w+|req_fake\w+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    r"|\d{4}-\d\d-\d\dT[\d:.]+Z|\b\d+\b"
)
_OF_HOOKS = ("hook", "Continue from where you left off.", "No response requested.")


def lead(version: str, *, hooks: bool) -> tuple[list[list[Block]], list[Block]]:
    """Lead a conversation with or without our hooks; give all requests, and the transcript."""
    with Client(version, "hooked" if hooks else "plain") as client:
        client.lab.claude("-p", "so that its version is seen", SKIP)
        if hooks:
            apply(install_hooks(client.lab.cfg))
        requests = [client.say(PROMPTS[0])]
        file = client.newest()
        requests += [client.say(prompt, "--resume", file.stem) for prompt in PROMPTS[1:]]
        lines = [json.loads(line) for line in client.newest().read_text().splitlines()]
        place = str(client.lab.dir)
    kept = [one for one in lines if one["type"] in ("user", "assistant", "attachment", "system")]
    records = [(str(one["type"]), json.dumps(_content_of(one), sort_keys=True)) for one in kept]
    folded = [[(role, _fold(text, place)) for role, text in request] for request in requests]
    return folded, [(kind, _fold(text, place)) for kind, text in records]


def _content_of(record: dict[str, Any]) -> object:
    if record["type"] == "attachment":
        return record["attachment"]
    message = record.get("message") or {}
    return message.get("content") or [record.get("subtype"), record.get("content")]


def _fold(text: str, place: str) -> str:
    """Fold what is of one run alone: ids, times, numbers and the folder it was made in."""
    name = re.sub(r"[^A-Za-z0-9]", "-", place)
    return _VARYING.sub("#", text.replace(place, "PLACE").replace(name, "PLACE"))


def _drop_hooks(blocks: list[Block]) -> list[Block]:
    """Leave out what a client itself writes about hooks, and the pair that two of them add."""
    return [block for block in blocks if not any(words in block[1] for words in _OF_HOOKS)]


def test_a_conversation_is_the_same_with_hooks(
    client: Client, verdict: Verdict, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", os.defpath)
    plain_requests, plain = lead(client.version, hooks=False)
    requests, hooked = lead(client.version, hooks=True)

    assert len(plain_requests[-1]) > len(PROMPTS)
    assert [_drop_hooks(one) for one in requests] == [_drop_hooks(one) for one in plain_requests]
    assert _drop_hooks(hooked) == _drop_hooks(plain)
    exact = requests == plain_requests and hooked == plain
    outcome = "equal" if exact else "equal but for hooks"
    verdict("with and without hooks: requests and transcript", outcome)
