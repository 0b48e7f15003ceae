"""Limits of a subscription, as the client said them: what holds, until when, and how old it is."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bough.query.usage.client_limits import list_client_limits
from bough.status_line.client_status import ClientStatus
from bough.status_line.limit_log import find_log_path, log_limits
from bough.terminal.reports.usage_tables import UsageCanvas, describe_limit

NOW = 1_794_830_000.0
MOMENT = datetime.fromtimestamp(NOW, UTC)


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def said(
    used: float, resets: float | None = NOW + 3_600, week: float | None = None
) -> ClientStatus:
    five = {"used_percentage": used, "resets_at": resets}
    seven = {"used_percentage": week, "resets_at": NOW + 3 * 86_400}
    return ClientStatus({"rate_limits": {"five_hour": five, "seven_day": seven}})


def test_nothing_is_known_where_no_status_line_was_told() -> None:
    assert list_client_limits(MOMENT) == []


def test_the_last_word_holds_with_the_time_at_which_it_was_heard_last() -> None:
    for used, at in ((37, 900), (38.2, 600), (38.2, 200)):
        log_limits(said(used, week=91), NOW - at)
    five, seven = list_client_limits(MOMENT)
    page = UsageCanvas(MOMENT, UTC)

    assert (five.name, five.used_percentage, five.resets_at, five.heard_at) == (
        "five_hour",
        38.2,
        "2026-11-16T12:53:20.000Z",
        "2026-11-16T11:50:00.000Z",
    )
    assert describe_limit(five, page) == "5 h 38% used, until 12:53, heard 3 min ago"
    assert describe_limit(seven, page) == "7 d 91% used, until 19 Nov, heard 3 min ago"


def test_what_was_said_of_a_window_that_is_over_does_not_count() -> None:
    log_limits(said(38, NOW - 1, week=12), NOW - 60)

    assert [one.name for one in list_client_limits(MOMENT)] == ["seven_day"]


def test_what_was_said_before_the_file_was_full_still_holds() -> None:
    log_limits(said(38), NOW)
    path = Path(find_log_path() or "")
    path.rename(path.with_name("limits.jsonl.1"))

    assert [one.used_percentage for one in list_client_limits(MOMENT)] == [38]


@pytest.mark.parametrize("line", ["", "{", "[1]\n", '{"five_hour": 3}\n', "[" * 390])
def test_what_cannot_be_read_is_not_known(line: str) -> None:
    path = Path(find_log_path() or "")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(line)

    assert list_client_limits(MOMENT) == []
