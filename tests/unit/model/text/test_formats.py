"""Numbers, money and times as people read them."""

from datetime import UTC, datetime, timedelta
from time import process_time
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.model.text import formats as numbers
from bough.model.text.formats import (
    TimeFormat,
    format_moment,
    format_recent_moment,
    format_recent_moments,
    shorten_apart,
)

PARIS = ZoneInfo("Europe/Paris")
NOW = datetime(2026, 11, 15, 15, 10, tzinfo=PARIS)  # a Sunday


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (64, "64"),
        (1_204, "1,204"),
        (9_999, "9,999"),
        (10_000, "10.0k"),
        (12_940, "12.9k"),
        (210_400, "210.4k"),
        (999_949, "999.9k"),
        (999_950, "1.00M"),
        (1_900_000, "1.90M"),
        (38_100_000, "38.1M"),
        (412_000_000, "412M"),
        (1_250_000_000, "1.25B"),
    ],
)
def test_a_count_is_full_under_ten_thousand_and_short_above(number: int, text: str) -> None:
    assert numbers.format_count(number) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (950, "950"),
        (1_000, "1.0k"),
        (2_100, "2.1k"),
        (9_949, "9.9k"),
        (9_950, "10k"),
        (62_000, "62k"),
        (168_400, "168k"),
        (999_499, "999k"),
        (999_500, "1.00M"),
        (1_900_000, "1.90M"),
    ],
)
def test_tokens_are_short_from_a_thousand(number: int, text: str) -> None:
    assert numbers.format_tokens(number) == text


@given(st.integers(min_value=0, max_value=10**12))
def test_a_short_number_is_never_longer_than_seven_signs(number: int) -> None:
    assert len(numbers.format_count(number)) <= 7
    assert len(numbers.format_tokens(number)) <= 6


@pytest.mark.parametrize(
    ("usd", "text"),
    [
        (0.72, "$0.72"),
        (112.4, "$112.40"),
        (999.99, "$999.99"),
        (999.996, "$1,000"),
        (1_234.56, "$1,235"),
        (0.004, "<$0.01"),
        (0.0099, "<$0.01"),
        (0.01, "$0.01"),
        (0, "$0.00"),
        (None, "no price"),
    ],
)
def test_a_cost_has_cents_under_a_thousand(usd: float | None, text: str) -> None:
    assert numbers.format_cost(usd) == text


def test_a_cost_of_nothing_is_a_dash_in_a_table() -> None:
    assert numbers.format_cost(0, in_table=True) == "-"


def test_a_cost_that_is_partly_unknown_says_so() -> None:
    assert numbers.format_cost(8.41, partly_unknown=True) == "$8.41 +?"
    assert numbers.format_cost(0, partly_unknown=True, in_table=True) == "no price"


@pytest.mark.parametrize(
    ("part", "text"),
    [(0, "0%"), (0.004, "<1%"), (0.31, "31%"), (0.995, ">99%"), (1, "100%"), (0.99, "99%")],
)
def test_a_share_is_whole_percent_and_hides_no_rest(part: float, text: str) -> None:
    assert numbers.format_percent(part) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0 B"),
        (512, "512 B"),
        (4_100, "4.1 kB"),
        (9_960, "10 kB"),
        (999_499, "999 kB"),
        (999_500, "1.0 MB"),
        (1_100_000, "1.1 MB"),
        (41_000_000, "41 MB"),
        (2_500_000_000, "2.5 GB"),
        (1_500_000_000_000, "1.5 TB"),
    ],
)
def test_a_size_has_one_decimal_under_ten(number: int, text: str) -> None:
    assert numbers.format_size(number) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (None, "-"),
        (-1, "-"),
        (0, "0 ms"),
        (0.038, "38 ms"),
        (0.2, "0.2 s"),
        (4.2, "4.2 s"),
        (9.96, "10 s"),
        (59.4, "59 s"),
        (59.6, "1 min"),
        (112, "1 min 52 s"),
        (3_599.7, "1 h"),
        (8_040, "2 h 14 min"),
        (86_399, "1 d"),
        (273_600, "3 d 4 h"),
    ],
)
def test_a_duration_has_two_units_at_most(seconds: float | None, text: str) -> None:
    assert numbers.format_duration(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "now"), (59, "now"), (250, "4 min"), (7_300, "2 h"), (270_000, "3 d")]
)
def test_what_ticks_has_one_unit(seconds: float, text: str) -> None:
    assert numbers.format_age(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(14, "0:14"), (723, "12:03"), (3_723, "1:02:03"), (5_223_600, "60 d 11 h")],
)
def test_a_running_clock_counts_seconds(seconds: float, text: str) -> None:
    assert numbers.format_elapsed(seconds) == text


def test_an_edit_has_a_plus_and_a_true_minus() -> None:
    assert numbers.format_changes(5, 2) == "+5 \N{MINUS SIGN}2"


def test_one_step_is_not_one_steps() -> None:
    assert [numbers.format_steps(1), numbers.format_steps(31)] == ["1 step", "31 steps"]
    assert numbers.format_plural(2, "branch", "branches") == "2 branches"


@pytest.mark.parametrize(
    ("at", "text"),
    [
        (datetime(2026, 11, 15, 14, 38, tzinfo=PARIS), "14:38"),
        (datetime(2026, 11, 15, 0, 0, tzinfo=PARIS), "00:00"),
        (datetime(2026, 11, 14, 23, 59, tzinfo=PARIS), "Sat 23:59"),
        (datetime(2026, 11, 9, 16, 20, tzinfo=PARIS), "Mon 16:20"),
        (datetime(2026, 11, 8, 16, 20, tzinfo=PARIS), "8 Nov"),
        (datetime(2026, 1, 1, 0, 0, tzinfo=PARIS), "1 Jan"),
        (datetime(2025, 11, 9, 16, 20, tzinfo=PARIS), "2025-11-09"),
        (datetime(2026, 11, 16, 9, 0, tzinfo=PARIS), "16 Nov"),
        (None, "-"),
    ],
)
def test_a_moment_is_shown_by_its_distance(at: datetime | None, text: str) -> None:
    assert format_moment(at, NOW, PARIS) == text


def test_a_moment_is_shown_in_the_zone_asked_for() -> None:
    late = datetime(2026, 11, 14, 23, 30, tzinfo=UTC)

    assert format_moment(late, NOW, PARIS) == "00:30"
    assert format_moment(late, NOW, ZoneInfo("America/New_York")) == "Sat 18:30"


def test_a_moment_in_summer_has_the_hour_of_its_summer() -> None:
    summer = datetime(2026, 7, 1, 22, 30, tzinfo=UTC)

    assert format_moment(summer, NOW, PARIS) == "2 Jul"
    assert format_moment(summer, summer + timedelta(hours=1), PARIS) == "00:30"


@pytest.mark.parametrize(
    ("before", "text"), [(0, "now"), (59, "now"), (-30, "now"), (60, "15:09"), (3_600, "14:10")]
)
def test_a_list_says_now_for_a_minute(before: int, text: str) -> None:
    assert format_recent_moment(NOW - timedelta(seconds=before), NOW, PARIS) == text


def test_the_moments_of_a_list_are_written_as_each_is() -> None:
    words = TimeFormat(zone=PARIS)
    ago = (-120, -60, -59, 0, 59, 60, 3_600, 86_400, 7 * 86_400, 400 * 86_400)
    moments = [None, *(NOW - timedelta(seconds=seconds) for seconds in ago)]

    assert format_recent_moments(moments, NOW, words) == [
        format_recent_moment(at, NOW, None, words) for at in moments
    ]


def test_the_words_of_another_locale_are_used() -> None:
    french = TimeFormat(
        weekdays=("lun.", "mar.", "mer.", "jeu.", "ven.", "sam.", "dim."),
        months=("janv.", "févr.", *["mars"] * 8, "nov.", "déc."),
        twelve_hours=True,
    )

    assert (
        format_moment(datetime(2026, 11, 10, 16, 20, tzinfo=PARIS), NOW, PARIS, french)
        == "mar. 4:20 PM"
    )
    assert (
        format_moment(datetime(2026, 11, 8, 16, 20, tzinfo=PARIS), NOW, PARIS, french) == "8 nov."
    )


def test_midnight_and_noon_are_twelve() -> None:
    words = TimeFormat(twelve_hours=True)

    assert format_moment(NOW.replace(hour=0), NOW, PARIS, words) == "12:10 AM"
    assert format_moment(NOW.replace(hour=12), NOW, PARIS, words) == "12:10 PM"


@pytest.mark.parametrize(
    ("paths", "shown"),
    [
        ([], []),
        (["src/a.py", "src/b.py"], ["a.py", "b.py"]),
        (
            ["app/users/page.tsx", "app/teams/page.tsx", "a.css"],
            ["users/page.tsx", "teams/page.tsx", "a.css"],
        ),
        (["a/x/page.tsx", "b/x/page.tsx"], ["a/x/page.tsx", "b/x/page.tsx"]),
        (["page.tsx", "app/page.tsx"], ["page.tsx", "app/page.tsx"]),
        (["C:\\app\\a\\x.ts", "C:\\app\\b\\x.ts"], ["a/x.ts", "b/x.ts"]),
        (["same", "same"], ["same", "same"]),
    ],
)
def test_namesakes_are_told_apart_by_their_folders(paths: list[str], shown: list[str]) -> None:
    assert shorten_apart(paths) == shown


def test_paths_without_end_are_told_apart_at_once() -> None:
    ends = "a/" * 50_000
    started = process_time()

    one, other = shorten_apart([f"x/{ends}f", f"y/{ends}f"])

    assert one == other == f"{'a/' * 99}f"
    assert process_time() - started < 1
