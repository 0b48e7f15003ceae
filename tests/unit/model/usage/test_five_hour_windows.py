from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.model.usage.five_hour_windows import (
    WINDOW_LENGTH,
    BurnRate,
    PricedCall,
    UsageWindow,
    WindowProjection,
    measure_burn_rate,
    project_window,
    split_into_windows,
)

DAY = datetime(2026, 11, 15, tzinfo=UTC)


def at(clock: str, day: int = 0) -> datetime:
    hours, minutes, seconds = (*map(int, clock.split(":")), 0)[:3]
    return DAY + timedelta(days=day, hours=hours, minutes=minutes, seconds=seconds)


def spans(found: list[UsageWindow]) -> list[tuple[datetime, datetime, int]]:
    return [(block.start, block.end, block.calls) for block in found]


def test_no_calls_make_no_blocks() -> None:
    assert split_into_windows([]) == []


def test_a_block_begins_at_the_hour_of_its_first_call_and_lasts_five() -> None:
    found = split_into_windows([PricedCall(at("10:20")), PricedCall(at("14:59"))])

    assert spans(found) == [(at("10:00"), at("15:00"), 2)]


def test_the_hour_is_that_of_utc() -> None:
    half_past = PricedCall(datetime.fromisoformat("2026-11-15T10:20:00+05:30"))

    assert split_into_windows([half_past])[0].start == at("04:00")


def test_a_call_at_the_very_end_belongs_to_the_block() -> None:
    found = split_into_windows(
        [PricedCall(at("10:20")), PricedCall(at("15:00")), PricedCall(at("15:00:01"))]
    )

    assert spans(found) == [(at("10:00"), at("15:00"), 2), (at("15:00"), at("20:00"), 1)]


def test_five_silent_hours_are_a_gap() -> None:
    found = split_into_windows([PricedCall(at("10:20")), PricedCall(at("22:30"))])

    assert spans(found) == [
        (at("10:00"), at("15:00"), 1),
        (at("15:20"), at("22:30"), 0),
        (at("22:00"), at("03:00", day=1), 1),
    ]
    assert [block.is_gap for block in found] == [False, True, False]


def test_five_hours_of_silence_to_the_second_are_no_gap() -> None:
    found = split_into_windows([PricedCall(at("10:20")), PricedCall(at("15:20"))])

    assert [block.is_gap for block in found] == [False, False]


def test_a_block_sums_its_calls() -> None:
    calls = [
        PricedCall(at("10:20"), 1, 2, 3, 4, 50, "opus"),
        PricedCall(at("10:40"), 10, 20, 30, 40, 500, "haiku"),
        PricedCall(at("10:50"), model="opus"),
    ]

    (block,) = split_into_windows(calls)

    assert (block.input, block.output, block.cache_write, block.cache_read) == (11, 22, 33, 44)
    assert (block.tokens, block.cost, block.models) == (110, 550, ("opus", "haiku"))
    assert (block.first, block.last) == (at("10:20"), at("10:50"))


@pytest.mark.parametrize(
    ("now", "active"),
    [("10:41", True), ("14:59:59", True), ("15:00", False), ("16:00", False)],
)
def test_a_block_is_active_until_its_end(now: str, active: bool) -> None:
    (block,) = split_into_windows([PricedCall(at("10:20")), PricedCall(at("10:40"))])

    assert block.is_active(at(now)) is active


def test_a_gap_is_never_active() -> None:
    gap = split_into_windows([PricedCall(at("10:20")), PricedCall(at("22:30"))])[1]

    assert not gap.is_active(at("16:00"))


def test_burn_is_measured_between_the_first_and_the_last_call() -> None:
    (block,) = split_into_windows(
        [PricedCall(at("10:20"), 100, 200, 300, 400, 60), PricedCall(at("10:40"), 20, 80)]
    )

    assert measure_burn_rate(block) == BurnRate(1100 / 20, 400 / 20, 180)


@pytest.mark.parametrize("calls", [[PricedCall(at("10:20"))], [PricedCall(at("10:20"))] * 2])
def test_a_single_moment_has_no_speed(calls: list[PricedCall]) -> None:
    (block,) = split_into_windows(calls)

    assert measure_burn_rate(block) is None
    assert project_window(block, at("10:30")) is None


def test_a_projection_goes_on_at_the_same_speed_to_the_end() -> None:
    (block,) = split_into_windows(
        [PricedCall(at("10:20"), 500, cost=60), PricedCall(at("10:40"), 500)]
    )

    assert project_window(block, at("11:00")) == WindowProjection(
        240, 1000 + 50 * 240, 60 + 3 * 240
    )


def test_a_block_that_is_over_has_no_projection() -> None:
    (block,) = split_into_windows([PricedCall(at("10:20"), 500), PricedCall(at("10:40"), 500)])

    assert project_window(block, at("15:00")) is None


moments = st.integers(0, 10_000).map(lambda minutes: DAY + timedelta(minutes=minutes))


@given(st.lists(st.builds(PricedCall, moments, st.integers(0, 9)), max_size=40))
def test_every_call_is_in_one_block_whatever_the_order(calls: list[PricedCall]) -> None:
    shuffled = sorted(calls, key=lambda call: (call.input, call.at))

    found = split_into_windows(calls)

    assert sum(block.calls for block in found) == len(calls)
    assert sum(block.tokens for block in found) == sum(call.input for call in calls)
    assert split_into_windows(shuffled) == found
    for block in found:
        if block.first and block.last:
            assert block.start <= block.first <= block.last <= block.start + WINDOW_LENGTH
