from datetime import UTC, datetime

import pytest

from bough.timetravel.environment import find_newest, format_time, make_later_time, parse_time


def test_a_time_is_written_as_the_clients_write_it() -> None:
    assert (
        format_time(datetime(2026, 1, 2, 3, 4, 5, 678_901, tzinfo=UTC))
        == "2026-01-02T03:04:05.678Z"
    )


@pytest.mark.parametrize("text", [None, "", "yesterday", "2026-13-01T00:00:00Z"])
def test_what_is_no_time_is_nothing(text: str | None) -> None:
    assert parse_time(text) is None


def test_now_is_taken_where_it_is_the_latest() -> None:
    assert make_later_time(["2026-01-01T00:00:00.000Z"], "2026-01-02T00:00:00.000Z") == (
        "2026-01-02T00:00:00.000Z"
    )


def test_a_clock_that_is_behind_gives_a_millisecond_more() -> None:
    times = ["2026-01-01T00:00:00.000Z", "2026-01-03T00:00:00.999Z", None, "odd"]

    assert make_later_time(times, "2026-01-02T00:00:00.000Z") == "2026-01-03T00:00:01.000Z"


def test_times_without_a_zone_are_utc() -> None:
    assert find_newest(["2026-01-01T00:00:00"]) == datetime(2026, 1, 1, tzinfo=UTC)


def test_where_no_time_is_known_one_is_made_up() -> None:
    assert make_later_time([]).startswith("1970")


@pytest.mark.parametrize(
    ("latest", "later"),
    [
        ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
        ("9999-12-31T23:59:59.000-14:00", "1970-01-01T00:00:00.000Z"),
        ("0001-01-01T00:00:00.000+14:00", "1970-01-01T00:00:00.000Z"),
        ("0001-01-01T00:00:00.000Z", "0001-01-01T00:00:00.001Z"),
    ],
)
def test_the_ends_of_the_calendar_are_no_error(latest: str, later: str) -> None:
    assert make_later_time([latest]) == later
