"""Where a conversation goes over into another day, and how the times of an outline are written."""

from datetime import UTC, date, datetime

from bough.model.outline.day_lines import find_day_starts, format_by_day
from bough.model.text.formats import format_day_line

TODAY = date(2026, 11, 15)
FIRST, LATER, NEXT = "2025-07-01T20:05:00Z", "2025-07-01T21:00:00Z", "2025-07-02T09:00:00Z"


def test_a_line_stands_where_a_day_begins() -> None:
    found = find_day_starts([None, FIRST, LATER, NEXT, LATER], TODAY, UTC)

    assert found == {1: date(2025, 7, 1), 3: date(2025, 7, 2)}


def test_what_was_all_said_today_needs_no_line() -> None:
    assert find_day_starts(["2026-11-15T08:00:00Z"], TODAY, UTC) == {}


def test_one_day_of_the_past_is_named() -> None:
    assert find_day_starts([FIRST, LATER], TODAY, UTC) == {0: date(2025, 7, 1)}


def test_a_document_of_one_day_needs_no_line() -> None:
    assert find_day_starts([FIRST, LATER], None, UTC) == {}


def test_the_year_is_named_where_it_is_not_this_one() -> None:
    assert format_day_line(date(2025, 3, 4), TODAY) == "Tuesday 4 March 2025"
    assert format_day_line(date(2026, 3, 4), TODAY) == "Wednesday 4 March"
    assert format_day_line(date(2026, 3, 4), None) == "Wednesday 4 March 2026"


def test_an_outline_has_the_date_at_the_first_prompt_of_a_day() -> None:
    now = datetime(2026, 11, 15, tzinfo=UTC)

    found = format_by_day([FIRST, LATER, NEXT, None], now, UTC)

    assert found == ["2025-07-01", "21:00", "2025-07-02", "-"]
