"""A fork costs what it spent itself; what it copied is said beside it and is in no sum."""

import pytest
from msgspec import Raw

from bough.model.outline.branch_path import PathCosts
from bough.model.outline.session_outline import outline_of
from bough.model.outline.turn_summary import format_usage_cost
from bough.model.usage.across_files import FileUsage, ReportedUsage, count_once, flatten_snapshot
from bough.model.usage.copied_calls import find_copied_calls
from bough.model.usage.costs import UsageTotal
from bough.model.usage.running_total import RunningCost
from bough.model.usage.tokens import find_origin, read_snapshots
from bough.sample import SampleSession, session
from bough.sample.data.blocks import Json
from tests.unit.model.opened import lines_of, opened


def spent(output: int) -> Json:
    return {"input_tokens": 0, "output_tokens": output}


ORIGIN = session().user("a").assistant("b", usage=spent(84_000))
FORK = ORIGIN.fork().user("c").assistant("d", usage=spent(16_000))
"""At $25 a million: $2.10 in the origin, $0.40 more in the fork."""


def usage_of(builder: SampleSession) -> FileUsage:
    lines = read_snapshots(lines_of(builder.bytes())[0])
    return FileUsage(
        f"{builder.session_id}.jsonl", "-p", builder.session_id, list(map(flatten_snapshot, lines))
    )


def is_own_and_copied(used: UsageTotal) -> bool:
    return [used.usd, used.copied.usd] == pytest.approx([0.4, 2.1])


def test_a_fork_by_itself_tells_what_it_spent_from_what_it_copied() -> None:
    fork = opened(FORK)

    assert is_own_and_copied(fork.cost(agents=True))
    assert is_own_and_copied(fork.conversation().cost(agents=True))
    assert is_own_and_copied(outline_of(fork).cost)
    assert is_own_and_copied(PathCosts(outline_of(fork)).sum_to_tip(fork.conversation().tip))


def test_a_fork_counts_no_tokens_and_no_calls_that_it_copied() -> None:
    used = opened(FORK).cost(agents=True)

    assert (used.calls, used.output_tokens) == (1, 16_000)


def test_the_cost_of_a_fork_is_said_beside_what_it_copied() -> None:
    turns = outline_of(opened(FORK)).cost

    assert format_usage_cost(turns) == "$0.40, and $2.10 copied"
    assert format_usage_cost(opened(ORIGIN.fork(seed="untouched")).cost(agents=True)) == (
        "$2.10 copied"
    )


def test_a_fork_that_is_watched_costs_the_same() -> None:
    running = RunningCost()
    for line in read_snapshots(lines_of(FORK.bytes())[0]):
        running.add(line)

    assert is_own_and_copied(running.total)
    assert running.total.calls == 1


def test_over_all_files_a_copied_call_is_counted_in_its_origin_and_copied_in_the_fork() -> None:
    usages = [usage_of(FORK), usage_of(ORIGIN)]
    counted = count_once(usages)

    copies = find_copied_calls(usages, counted)

    assert [(usage.session, line.output_tokens) for usage, line in copies] == [
        (FORK.session_id, 84_000)
    ]
    assert sum(line.output_tokens for _, line in counted) == 100_000


def test_copies_whose_origin_is_gone_are_copies_all_the_same() -> None:
    usages = [usage_of(FORK)]

    copies = find_copied_calls(usages, count_once(usages))

    assert [line.output_tokens for _, line in copies] == [84_000]


def test_copies_that_name_no_origin_are_found_by_the_other_file() -> None:
    silent = ORIGIN.fork_session().user("c").assistant("d", usage=spent(16_000))
    usages = [usage_of(ORIGIN), usage_of(silent)]

    copies = find_copied_calls(usages, count_once(usages))

    assert [(usage.session, line.output_tokens) for usage, line in copies] == [
        (silent.session_id, 84_000)
    ]


def test_sessions_that_share_nothing_copied_nothing() -> None:
    other = session("other").user("a").assistant("b", usage=spent(5))
    usages = [usage_of(ORIGIN), usage_of(other)]

    assert find_copied_calls(usages, count_once(usages)) == []


def test_a_line_without_a_message_that_names_an_origin_is_a_copy() -> None:
    line = ReportedUsage(0, None, None, "claude-opus-4-6", None, output_tokens=7, origin="other")
    usages = [FileUsage("a.jsonl", "-p", "a", [line])]

    ((_, copy),) = find_copied_calls(usages, count_once(usages))

    assert (copy.output_tokens, copy.origin) == (7, None)


@pytest.mark.parametrize(
    ("written", "origin"),
    [
        (b'{"sessionId":"other","messageUuid":"m"}', "other"),
        (b'{"sessionId":"own"}', None),
        (b'{"messageUuid":"m"}', None),
        (b'"other"', None),
        (b"", None),
    ],
)
def test_a_copy_names_another_session(written: bytes, origin: str | None) -> None:
    assert find_origin(Raw(written), "own") == origin
