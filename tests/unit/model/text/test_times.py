"""Times: ISO-8601 in UTC, or nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.model.text.times import find_time_range, parse_moment, to_utc
from bough.records.record import Record
from bough.sample import session
from tests.unit.model.opened import lines_of


@pytest.mark.parametrize(
    ("written", "time"),
    [
        ("2026-01-05T09:00:00.123Z", "2026-01-05T09:00:00.123Z"),
        ("2026-01-05T09:00:00Z", "2026-01-05T09:00:00.000Z"),
        ("2026-01-05T09:00:00.123456+02:00", "2026-01-05T07:00:00.123Z"),
        ("2026-01-05T09:00:00", "2026-01-05T09:00:00.000Z"),
        ("0001-01-01T00:00:00+14:00", None),
        ("2026-02-31T09:00:00.000Z", None),
        ("soon", None),
        ("", None),
        (None, None),
    ],
)
def test_a_time_is_given_in_utc_with_milliseconds(written: str | None, time: str | None) -> None:
    assert to_utc(written) == time


@given(st.text(max_size=30))
def test_any_text_is_a_time_or_none(text: str) -> None:
    found = to_utc(text)

    assert found is None or to_utc(found) == found


@given(st.one_of(st.datetimes().map(str), st.datetimes(timezones=st.timezones()).map(str)))
def test_a_moment_is_the_time_in_utc(text: str) -> None:
    moment, written = parse_moment(text), to_utc(text)

    assert (moment is None) == (written is None)
    assert moment is None or moment == parse_moment(written)


def test_the_oldest_and_the_newest_are_found_whatever_stands_between() -> None:
    builder = session().user("a").assistant("b").user("c").amend(2, timestamp="zzz")

    found = find_time_range(lines_of(builder.bytes())[0])

    assert found == (builder.record_of(1)["timestamp"], builder.record_of(3)["timestamp"])
    assert find_time_range([]) == (None, None)


ODD_TIMES = (
    "2026-01-05T09:00:00.000Z",
    "2026-01-05T11:00:00.500+02:00",
    "2026-01-06",
    "1999-12-31T23:59:59.999Z",
    "2026-02-31T09:00:00.000Z",
    "9999-01-01T00:00:00.000Z",
    "soon",
    None,
)


@given(st.lists(st.sampled_from(ODD_TIMES), max_size=6))
def test_the_outermost_of_all_times_are_found_however_they_are_written(
    written: list[str | None],
) -> None:
    times = [time for text in written if (time := to_utc(text)) is not None]

    found = find_time_range([Record(timestamp=text) for text in written])

    assert found == ((min(times), max(times)) if times else (None, None))


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-05T09:00:00.000Z".translate({ord(d): 0x966 + int(d) for d in "0123456789"}),
        "99999-01-01T00:00:00.000Z",
        "0001-01-01T00:00:00.000Z",
        "2100-01-01",
    ],
)
def test_what_is_no_time_of_this_century_is_no_time(text: str) -> None:
    assert to_utc(text) is None
    assert parse_moment(text) is None
