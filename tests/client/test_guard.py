"""The guard with real clients: what is over budget stops with a sentence, nothing else does."""

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bough.library import apply, change_budgets, guard_status, install_guard, uninstall_guard
from bough.status_line.number_cache import find_cache_path
from tests.client.conftest import Verdict
from tests.client.laboratory import Client, lab, submit

pytestmark = pytest.mark.client
SETTINGS = '{"permissions": {"allow": ["Bash"]}}\n'
STOPPED = "Stopped by bough guard: today cost"
SAYS_NO_REASON = ("2.0.30",)
"""Clients that end the turn, and do not say at the terminal why; those before and after do."""


@pytest.fixture
def settings(client: Client, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Let bough keep its data where the client's own hooks will look; give the settings file."""
    data = Path(client.lab.home) / ".local" / "share"
    monkeypatch.setenv("XDG_DATA_HOME", str(data))
    monkeypatch.setenv("PATH", os.defpath)
    path = Path(client.lab.cfg) / "settings.json"
    path.write_text(SETTINGS)
    yield path
    path.unlink(missing_ok=True)


def count_requests(client: Client) -> int:
    """Let Claude call a tool; count how often it is asked: twice where the turn goes on."""
    result = client.lab.claude("-p", "USE_BASH", timeout=180)
    assert result.main, f"the client sent nothing: {result.rc} {result.err[:300]}"
    return len(result.main)


def show_stop(client: Client) -> str:
    """Let Claude call a tool at a terminal; give what stands there when it is over."""
    tui = lab().Tui(client.lab)
    try:
        assert tui.wait(r"\u276f|>", 60), tui.screen()
        time.sleep(3)
        submit(tui, client.lab.log, "USE_BASH")
        tui.wait(STOPPED[:20], 30)
        screen: str = tui.screen()
    finally:
        tui.close()
    return screen


def test_a_turn_ends_with_a_sentence_where_the_day_is_over_budget(
    client: Client, verdict: Verdict, settings: Path
) -> None:
    change_budgets(day=1_000)
    apply(install_guard(client.lab.cfg))
    guard_status(client.lab.cfg)
    within = count_requests(client)
    change_budgets(day=0.000_001)
    assert guard_status(client.lab.cfg).is_day_over
    over, shown = count_requests(client), show_stop(client)
    cache = Path(find_cache_path(str(client.lab.cfg)) or "")
    numbers = json.loads(cache.read_text())
    # Somebody else counts already, and takes long.
    cache.with_suffix(".lock").touch()
    cache.write_text(json.dumps({**numbers, "at": time.time() - 660}))
    stale = count_requests(client)
    cache.write_text("{")
    unreadable = count_requests(client)
    apply(uninstall_guard(client.lab.cfg))

    assert (within, over) == (2, 1)
    assert (STOPPED in " ".join(shown.split())) is (client.version not in SAYS_NO_REASON)
    assert (stale, unreadable) == (2, 2)
    # 2.1.50 adds a setting of its own when it is used at a terminal.
    left = json.loads(settings.read_text())
    assert (left["permissions"], "hooks" in left) == ({"allow": ["Bash"]}, False)
    verdict("guard: a turn ends with a sentence where a budget is used up", "yes")
