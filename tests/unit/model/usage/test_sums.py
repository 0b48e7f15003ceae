"""Sums by quarter of an hour: whatever is asked of them, they answer as the calls would."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.model.outline.step_lists import read_branch_steps
from bough.model.usage.across_files import FileUsage, ReportedUsage
from bough.model.usage.five_hour_windows import PricedCall, UsageWindow, split_into_windows
from bough.model.usage.price_list import PRICES, apply_overrides
from bough.model.usage.published_prices import PUBLISHED
from bough.model.usage.sums import (
    UsageSum,
    begin_of,
    can_price_sums,
    is_aligned,
    quarter_of,
    sum_lines,
)
from bough.query.usage.calendar import Calendar
from bough.query.usage.totals import sum_by_key
from bough.store.usage_protocol import SUMS_FORM

BOOK = FileUsage("a.jsonl", "-home", "a", ())
START = datetime(2026, 3, 28, 20, tzinfo=UTC)
ZONES = [ZoneInfo(name) for name in ("UTC", "Asia/Kathmandu", "Australia/Lord_Howe", "Europe/Rome")]


def written(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


moments = st.one_of(
    st.integers(0, 3 * 24 * 3_600_000).map(lambda ms: written(START + timedelta(milliseconds=ms))),
    st.integers(0, 3 * 96).map(lambda quarters: written(START + timedelta(minutes=15 * quarters))),
    st.sampled_from([None, "1969-07-20T20:17:40.000Z"]),
)
counts = st.one_of(st.integers(0, 1_000), st.integers(0, 600_000))


@st.composite
def calls(draw: st.DrawFn) -> ReportedUsage:
    hour, short = draw(counts), draw(counts)
    return ReportedUsage(
        draw(st.integers(0, 10_000)),
        "m",
        "r",
        draw(st.sampled_from(["claude-sonnet-4-5", "claude-haiku-5-5", "nobody-1"])),
        draw(moments),
        draw(counts),
        draw(counts),
        hour + short,
        draw(counts),
        hour,
        draw(st.integers(0, 2)),
        draw(st.sampled_from([None, "standard", "fast"])),
        draw(st.sampled_from([0, 1, 2])),
    )


def added_up(lines: list[ReportedUsage]) -> list[UsageSum]:
    rows = sum_lines(lines, lambda offset: offset // 5_000)
    return [UsageSum(row[3], row[4], begin_of(str(row[0])), *row[5:]) for row in rows]  # type: ignore[arg-type]


many = st.lists(calls(), max_size=30, unique_by=lambda line: line.offset)


@given(many, st.sampled_from(ZONES))
def test_days_of_any_zone_cost_what_their_calls_cost(
    lines: list[ReportedUsage], zone: ZoneInfo
) -> None:
    calendar = Calendar(zone)
    one_by_one = sum_by_key(
        [(BOOK, line) for line in lines], lambda _, line: calendar.day(line.timestamp), PRICES
    )
    together = sum_by_key(
        [(BOOK, line) for line in added_up(lines)],
        lambda _, line: calendar.day(line.timestamp),
        PRICES,
    )

    assert together == one_by_one


@given(many)
def test_branches_cost_what_their_calls_cost(lines: list[ReportedUsage]) -> None:
    one_by_one = sum_by_key(
        [(BOOK, line) for line in lines], lambda _, line: line.offset // 5_000, PRICES
    )
    together = sum_by_key(
        [(BOOK, line) for line in added_up(lines)], lambda _, line: line.offset // 5_000, PRICES
    )

    assert together == one_by_one


@given(many)
def test_windows_are_cut_as_the_calls_would_cut_them(lines: list[ReportedUsage]) -> None:
    def cut(found: list[PricedCall]) -> list[tuple[object, ...]]:
        return [described(window) for window in split_into_windows(found)]

    def described(window: UsageWindow) -> tuple[object, ...]:
        return (window.start, window.end, window.first, window.last, window.calls, window.tokens)

    dated = [line for line in lines if line.timestamp is not None]
    one_by_one = [
        PricedCall(datetime.fromisoformat(line.timestamp or ""), line.total) for line in dated
    ]
    together = [
        PricedCall(
            datetime.fromisoformat(one.first_at),
            one.total,
            calls=one.calls,
            last=datetime.fromisoformat(one.last_at or ""),
        )
        for one in added_up(lines)
        if one.first_at is not None
    ]

    assert cut(together) == cut(one_by_one)


@given(many, moments.filter(lambda at: at is not None and is_aligned(at)))
def test_a_stretch_that_begins_with_a_quarter_cuts_no_sum_in_two(
    lines: list[ReportedUsage], since: str
) -> None:
    for one in added_up(lines):
        inside = [at >= since for at in (one.first_at, one.last_at) if at is not None]
        assert len(set(inside)) < 2
        if one.first_at is not None:
            assert (quarter_of(one.first_at) >= since[:16]) == inside[0]


@pytest.mark.parametrize(
    ("moment", "quarter"),
    [
        (None, ""),
        ("2026-11-15T14:38:07.001Z", "2026-11-15T14:30"),
        ("2026-11-15T14:59:59.999Z", "2026-11-15T14:45"),
        ("2026-11-15T14:30:00.000Z", "2026-11-15T14:30:00.000Z"),
        ("1926-11-15T14:38:07.001Z", "1926-11-15T14:38:07.001Z"),
    ],
)
def test_a_moment_lies_in_the_quarter_that_has_begun(moment: str | None, quarter: str) -> None:
    assert quarter_of(moment) == quarter


def test_a_line_stands_on_the_step_that_began_last() -> None:
    steps = read_branch_steps("[[10,50,90],[0,1,0],[-1,0],[0,1]]")

    assert [steps.step_at(offset) for offset in (0, 10, 49, 50, 90, 900)] == [0, 0, 0, 1, 0, 0]
    assert read_branch_steps(None).step_at(77) == 0


def test_the_limits_of_published_prices_are_those_that_sums_were_made_with() -> None:
    """Where this fails, raise SUMS_FORM in store/usage_protocol.py: old sums keep others apart."""
    limits = {name: price.tier.above for name, price in PUBLISHED.items() if price.tier}

    assert (SUMS_FORM, limits) == (
        "2",
        {
            "claude-sonnet-4-20250514": 200_000,
            "claude-sonnet-4-5": 200_000,
            "claude-sonnet-4-5-20250929": 200_000,
            "claude-haiku-5-5": 100_000,
        },
    )


@pytest.mark.parametrize(
    ("given", "usable"),
    [
        ({}, True),
        ({"claude-sonnet-4-5": {"input": 1.0}}, True),
        ({"claude-sonnet-4-5": {"above_300k": {"input": 1.0, "output": 2.0}}}, True),
        ({"claude-sonnet-4-5": {"above_150k": {"input": 1.0, "output": 2.0}}}, False),
        ({"claude-opus-4-6": {"above_200k": {"input": 1.0, "output": 2.0}}}, True),
    ],
)
def test_a_price_of_yours_may_ask_for_calls_that_sums_do_not_keep_apart(
    given: dict[str, dict[str, object]], usable: bool
) -> None:
    assert can_price_sums("claude-sonnet-4-5", apply_overrides(given)) is usable


def test_a_limit_where_nothing_is_published_wants_the_calls() -> None:
    prices = apply_overrides({"claude-opus-4-6": {"above_200k": {"input": 1.0, "output": 2.0}}})

    assert not can_price_sums("claude-opus-4-6", prices)
    assert can_price_sums("nobody-1", prices)
