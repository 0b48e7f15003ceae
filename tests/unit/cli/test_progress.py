"""Progress on stderr: nothing of what is over at once, and nothing after the end."""

import pytest

from bough.cli import output
from bough.cli.progress import count_progress


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    lines: list[str] = []
    monkeypatch.setattr(output, "show_status", lines.append)
    return lines


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr("bough.cli.progress.time.monotonic", lambda: now[0])
    return now


@pytest.mark.usefixtures("clock")
def test_nothing_is_shown_of_what_is_over_at_once(shown: list[str]) -> None:
    with count_progress("Looked at", "sessions") as show:
        show(3, 10)

    assert shown == []


def test_what_takes_longer_is_counted_and_wiped_away(shown: list[str], clock: list[float]) -> None:
    with count_progress("Looked at", "sessions") as show:
        clock[0] += 1
        show(1_300, 2_000)
        show(1_301, 2_000)
    show(1_302, 2_000)

    assert shown == ["Looked at 1,300 of 2,000 sessions", ""]
