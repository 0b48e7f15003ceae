import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.errors import Misuse
from bough.query.usage.calendar import UNDATED, Calendar, DateRange, find_weekday, parse_date_range
from bough.query.usage.time_zones import LocalZone, find_zone

PRAGUE = ZoneInfo("Europe/Prague")
SUNDAY = datetime(2026, 11, 15, 14, 38, tzinfo=UTC)


class TestDays:
    @pytest.mark.parametrize(
        ("zone", "day"),
        [("UTC", "2026-11-14"), ("Europe/Prague", "2026-11-15"), ("Asia/Kolkata", "2026-11-15")],
    )
    def test_a_day_begins_where_the_reader_lives(self, zone: str, day: str) -> None:
        assert Calendar(find_zone(zone)).day("2026-11-14T23:30:00.000Z") == day

    def test_an_hour_may_lie_in_two_days(self) -> None:
        calendar = Calendar(find_zone("Asia/Kolkata"))

        days = [calendar.day(f"2026-11-14T18:{m}:00.000Z") for m in ("29", "30", "10", "59")]

        assert days == ["2026-11-14", "2026-11-15", "2026-11-14", "2026-11-15"]

    def test_summer_time_moves_midnight(self) -> None:
        calendar = Calendar(PRAGUE)

        assert calendar.day("2026-07-01T22:30:00.000Z") == "2026-07-02"
        assert calendar.day("2026-01-01T22:30:00.000Z") == "2026-01-01"

    @pytest.mark.parametrize(
        ("week_start", "week"),
        [("monday", "2026-11-09"), ("sunday", "2026-11-15"), ("saturday", "2026-11-14")],
    )
    def test_a_week_goes_by_its_first_day(self, week_start: str, week: str) -> None:
        assert Calendar(UTC, week_start).week("2026-11-15T12:00:00.000Z") == week

    def test_a_month_goes_by_its_number(self) -> None:
        assert Calendar(UTC).month("2026-11-15T12:00:00.000Z") == "2026-11"

    @pytest.mark.parametrize("odd", [None, "2026-19-39T29:00:00.000Z", "0001-01-01T00:00:00.000Z"])
    def test_what_has_no_day_says_so(self, odd: str | None) -> None:
        calendar = Calendar(ZoneInfo("America/New_York"))

        assert (calendar.day(odd), calendar.week(odd), calendar.month(odd)) == (UNDATED,) * 3

    @given(
        st.datetimes(datetime(2000, 1, 1), datetime(2040, 1, 1)),  # noqa: DTZ001 - see below
        st.sampled_from(["UTC", "Europe/Prague", "Asia/Kathmandu", "America/St_Johns"]),
        st.integers(0, 59),
    )
    def test_the_day_is_that_of_the_zone_whatever_was_asked_before(
        self, at: datetime, zone: str, minute: int
    ) -> None:
        calendar = Calendar(find_zone(zone))
        calendar.day(_text(at.replace(minute=minute)))

        expected = at.replace(tzinfo=UTC).astimezone(find_zone(zone)).date().isoformat()

        assert calendar.day(_text(at)) == expected
        assert calendar.month(_text(at)) == expected[:7]


def _text(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds") + "Z"


class TestStretches:
    @pytest.mark.parametrize(
        ("words", "since"),
        [
            ("2026-11-01", "2026-10-31T23:00:00.000Z"),
            ("today", "2026-11-14T23:00:00.000Z"),
            ("3d", "2026-11-11T23:00:00.000Z"),
            ("2h", "2026-11-15T12:38:00.000Z"),
            ("2026-11", "2026-10-31T23:00:00.000Z"),
            ("last-week", "2026-11-01T23:00:00.000Z"),
        ],
    )
    def test_since_begins_where_the_word_does(self, words: str, since: str) -> None:
        assert parse_date_range(words, None, SUNDAY, PRAGUE) == DateRange(since)

    @pytest.mark.parametrize(
        ("words", "until"),
        [
            ("2026-11-01", "2026-11-01T23:00:00.000Z"),
            ("yesterday", "2026-11-14T23:00:00.000Z"),
            ("monday", "2026-11-09T23:00:00.000Z"),
            ("3d", "2026-11-12T23:00:00.000Z"),
            ("2h", "2026-11-15T12:38:00.000Z"),
            ("2026-11-01 12:00", "2026-11-01T11:00:00.000Z"),
            ("2026-10", "2026-10-31T23:00:00.000Z"),
            ("2025-12", "2025-12-31T23:00:00.000Z"),
            ("last month", "2026-10-31T23:00:00.000Z"),
            ("last-week", "2026-11-08T23:00:00.000Z"),
            ("2025", "2025-12-31T23:00:00.000Z"),
            ("this-year", "2026-12-31T23:00:00.000Z"),
        ],
    )
    def test_until_has_all_of_the_word_in_it(self, words: str, until: str) -> None:
        assert parse_date_range(None, words, SUNDAY, PRAGUE) == DateRange(None, until)

    @pytest.mark.parametrize("name", ["since", "until"])
    def test_a_word_that_is_no_time_is_named(self, name: str) -> None:
        words = {"since": None, "until": None, name: "soon"}

        with pytest.raises(Misuse, match=f"--{name} takes a time .* not soon"):
            parse_date_range(words["since"], words["until"], SUNDAY, UTC)

    def test_a_stretch_ends_before_its_end(self) -> None:
        day = DateRange("2026-11-15T00:00:00.000Z", "2026-11-16T00:00:00.000Z")

        assert day.contains("2026-11-15T00:00:00.000Z")
        assert day.contains("2026-11-15T23:59:59.999Z")
        assert not day.contains("2026-11-16T00:00:00.000Z")
        assert not day.contains("2026-11-14T23:59:59.999Z")

    def test_what_has_no_time_is_only_in_all_of_it(self) -> None:
        assert DateRange().contains(None)
        assert not DateRange(until="2026-11-16T00:00:00.000Z").contains(None)


class TestZones:
    def test_an_unknown_zone_is_named(self) -> None:
        with pytest.raises(Misuse, match="No time zone is called Europe/Nowhere"):
            find_zone("Europe/Nowhere")

    @pytest.mark.parametrize("name", ["../etc/passwd", "", "\0"])
    def test_what_is_no_name_at_all_is_misuse_too(self, name: str) -> None:
        with pytest.raises(Misuse):
            find_zone(name)

    @pytest.mark.parametrize("name", ["utc", "UTC", "Z"])
    def test_utc_needs_no_data(self, name: str) -> None:
        assert find_zone(name) is UTC

    @pytest.fixture
    def in_prague(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        if not hasattr(time, "tzset"):
            pytest.skip("this system cannot be told where it is")
        monkeypatch.setenv("TZ", "Europe/Prague")
        time.tzset()
        yield
        monkeypatch.undo()
        time.tzset()

    @pytest.mark.usefixtures("in_prague")
    def test_the_machines_zone_knows_the_summer_time_of_each_day(self) -> None:
        summer, winter = datetime(2026, 7, 1, 12, tzinfo=UTC), datetime(2026, 1, 1, 12, tzinfo=UTC)

        for name in (None, "local"):
            zone = find_zone(name)
            assert summer.astimezone(zone).hour == 14
            assert winter.astimezone(zone).hour == 13
            assert datetime(2026, 7, 1, tzinfo=zone).utcoffset() == timedelta(hours=2)

    @pytest.mark.usefixtures("in_prague")
    def test_the_machines_zone_is_that_of_its_name(self) -> None:
        for hour in range(0, 24 * 365, 5):
            at = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=hour)
            here, there = at.astimezone(LocalZone()), at.astimezone(PRAGUE)
            assert here.replace(tzinfo=None) == there.replace(tzinfo=None)


@pytest.mark.parametrize(("written", "day"), [("Sunday", "sunday"), ("mon", "monday")])
def test_a_weekday_may_be_shortened(written: str, day: str) -> None:
    assert find_weekday(written) == day


@pytest.mark.parametrize("written", ["", "s", "someday"])
def test_a_word_that_is_no_weekday_is_named(written: str) -> None:
    with pytest.raises(Misuse, match="No weekday is called"):
        find_weekday(written)
