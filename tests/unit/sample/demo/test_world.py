from datetime import UTC, datetime

from bough.sample.demo.world import DemoCalendar

AFTERNOON = datetime(2026, 11, 15, 16, 0, tzinfo=UTC)
MORNING = datetime(2026, 11, 15, 9, 0, tzinfo=UTC)


def test_the_story_is_todays_when_it_is_over() -> None:
    assert DemoCalendar(AFTERNOON).today("13:02") == datetime(2026, 11, 15, 13, 2, tzinfo=UTC)


def test_the_story_is_yesterdays_in_the_morning() -> None:
    assert DemoCalendar(MORNING).today("13:02") == datetime(2026, 11, 14, 13, 2, tzinfo=UTC)


def test_a_weekday_is_the_last_one_and_never_the_day_itself() -> None:
    sunday = DemoCalendar(AFTERNOON)

    assert sunday.last_weekday(1, "16:20") == datetime(2026, 11, 10, 16, 20, tzinfo=UTC)
    assert sunday.last_weekday(6, "16:20") == datetime(2026, 11, 8, 16, 20, tzinfo=UTC)


def test_a_moment_without_a_zone_is_local() -> None:
    assert DemoCalendar(datetime(2026, 11, 15, 16)).now.tzinfo is not None  # noqa: DTZ001
