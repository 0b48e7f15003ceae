"""Hooks with real clients: what was denied stays denied, and each event arrives.

Old clients throw their whole settings away when these name an event they do not know; the only
proof that they do not is what they offer to Claude before and after.
"""

import json
import os
from pathlib import Path

import pytest

from bough.library import apply, install_hooks, uninstall_hooks
from tests.client.conftest import Verdict
from tests.client.laboratory import SKIP, Client

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
    # Hooks are not waited for: a client that ends with its answer may cut off its last one.
    assert "UserPromptSubmit" in told
    assert settings.read_text() == plain
    verdict("hooks installed: what is denied stays denied", "yes")
