"""What a session cost so far: the same as when it is at rest."""

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from bough.model.usage.cost_allocator import price_call
from bough.model.usage.costs import NO_USAGE, UsageTotal
from bough.model.usage.running_total import REMEMBERED, RunningCost
from bough.model.usage.tokens import Tokens, UsageSnapshot, count_calls_once


def line(
    message: str | None, output: int, *, rank: int = 2, model: str = "claude-opus-5"
) -> UsageSnapshot:
    return UsageSnapshot(
        message, "req", model, None, Tokens(output_tokens=output), None, rank, "u", 0
    )


def total(lines: Iterable[UsageSnapshot]) -> UsageTotal:
    used = sum((price_call(one) for one in count_calls_once(lines)), NO_USAGE)
    return UsageTotal(used.calls, cost=used.cost)


def test_the_largest_line_of_a_call_counts() -> None:
    tally = RunningCost()

    for output in (1, 30, 30, 8):
        tally.add(line("m", output))

    assert tally.total == total([line("m", 30)])


def test_a_line_of_the_main_conversation_beats_a_larger_copy() -> None:
    tally = RunningCost()

    tally.add(line("m", 50, rank=0))
    tally.add(line("m", 20, rank=2))

    assert tally.total == total([line("m", 20)])


def test_a_model_without_a_price_makes_the_sum_incomplete() -> None:
    tally = RunningCost()

    tally.add(line("b", 10, model="nobody-knows-1"))
    alone = tally.total
    tally.add(line("a", 10))
    beside = tally.total

    assert (alone.usd, alone.cost.is_complete) == (None, False)
    assert (beside.cost.picodollars > 0, beside.cost.is_complete) == (True, False)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 9), st.integers(0, 2)), max_size=30))
def test_counting_line_by_line_equals_counting_at_once(calls: list[tuple[int, int, int]]) -> None:
    lines = [line(f"m{number}", output, rank=rank) for number, output, rank in calls]
    tally = RunningCost()

    for one in lines:
        tally.add(one)

    assert tally.total == total(lines)


def test_only_so_many_calls_are_remembered() -> None:
    tally = RunningCost()

    for number in range(20_000):
        tally.add(line(f"m{number}", 1))

    assert tally.total.calls == 20_000
    assert len(tally._recent_calls) + len(tally._older_calls) <= 2 * REMEMBERED


def test_all_are_remembered_where_that_is_asked_for() -> None:
    tally = RunningCost(remembered=1_000)
    for number in range(900):
        tally.add(line(f"m{number}", 1))

    tally.add(line("m0", 1))

    assert tally.total.calls == 900
