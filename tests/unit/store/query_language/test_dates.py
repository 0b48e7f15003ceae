from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.store.query_language import parse_moment

PRAGUE = ZoneInfo("Europe/Prague")
# A Sunday, and in Prague already 00:30 of the Monday.
NOW = datetime(2026, 11, 15, 23, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("written", "begins"),
    [
        ("2026-11-01", "2026-11-01T00:00"),
        ("2026-1-5", "2026-01-05T00:00"),
        ("2026-11", "2026-11-01T00:00"),
        ("2026", "2026-01-01T00:00"),
        ("2026-11-01 14:30", "2026-11-01T14:30"),
        ("2026-11-01T14:30:15.25", "2026-11-01T14:30:15.25"),
        ("14:05", "2026-11-15T14:05"),
        ("now", "2026-11-15T23:30"),
        ("today", "2026-11-15T00:00"),
        ("Yesterday", "2026-11-14T00:00"),
        ("sunday", "2026-11-15T00:00"),
        ("monday", "2026-11-09T00:00"),
        ("saturday", "2026-11-14T00:00"),
        ("this week", "2026-11-09T00:00"),
        ("last week", "2026-11-02T00:00"),
        ("last-week", "2026-11-02T00:00"),
        ("this month", "2026-11-01T00:00"),
        ("last month", "2026-10-01T00:00"),
        ("this year", "2026-01-01T00:00"),
        ("last year", "2025-01-01T00:00"),
        ("10m", "2026-11-15T23:20"),
        ("2h", "2026-11-15T21:30"),
        ("3d", "2026-11-12T23:30"),
        ("1w", "2026-11-08T23:30"),
    ],
)
def test_a_date_is_the_moment_it_begins(written: str, begins: str) -> None:
    expected = datetime.fromisoformat(begins).replace(tzinfo=UTC)

    assert parse_moment(written, NOW, UTC) == expected


@pytest.mark.parametrize(
    ("written", "begins"),
    [
        ("today", "2026-11-15T23:00"),
        ("yesterday", "2026-11-14T23:00"),
        ("monday", "2026-11-15T23:00"),
        ("2026-07-01", "2026-06-30T22:00"),
        ("2026-07-01T00:00Z", "2026-07-01T00:00"),
        ("2026-07-01T00:00+05:00", "2026-06-30T19:00"),
    ],
)
def test_days_begin_where_the_reader_lives(written: str, begins: str) -> None:
    expected = datetime.fromisoformat(begins).replace(tzinfo=UTC)

    assert parse_moment(written, NOW, PRAGUE) == expected


def test_a_day_with_a_clock_change_begins_at_its_own_midnight() -> None:
    after_the_change = datetime(2026, 10, 26, 12, tzinfo=PRAGUE)

    start = parse_moment("yesterday", after_the_change, PRAGUE)

    assert start == datetime(2026, 10, 24, 22, tzinfo=UTC)
    assert parse_moment("today", after_the_change, PRAGUE) == start + timedelta(hours=25)


@pytest.mark.parametrize(
    "written",
    ["", "soon", "2026-02-31", "2026-13", "25:00", "0000-01-01", "3x", "999999999w", "last", "٣d"],
)
def test_what_is_no_date_is_none(written: str) -> None:
    assert parse_moment(written, NOW, UTC) is None


@given(st.text())
def test_no_text_makes_reading_a_date_fail(written: str) -> None:
    found = parse_moment(written, NOW, PRAGUE)

    assert found is None or found.tzinfo is UTC
