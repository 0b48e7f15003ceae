"""Usage (rule 7): one API call is many lines, in many files, and is counted once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.model.usage.tokens import (
    Tokens,
    UsageSnapshot,
    count_calls_once,
    read_snapshots,
    sum_by_message,
    sum_usage,
)
from bough.sample import ABSENT, SampleSession, session
from bough.sample.builder.agents import AgentSteps
from tests.unit.model.opened import lines_of, opened

SPENT = {
    "input_tokens": 10,
    "output_tokens": 200,
    "cache_creation_input_tokens": 300,
    "cache_read_input_tokens": 4_000,
}


def lines(builder: SampleSession, *, agent: bool = False) -> list[UsageSnapshot]:
    return list(read_snapshots(lines_of(builder.bytes())[0], agent=agent))


def sum_of(*books: SampleSession) -> Tokens:
    return sum_usage(
        count_calls_once([line for builder in books for line in lines(builder)])
    ).tokens


def snapshot(
    message: str | None = "m",
    request: str | None = "r",
    output: int = 1,
    rank: int = 2,
    speed: str | None = None,
) -> UsageSnapshot:
    return UsageSnapshot(message, request, "model", None, Tokens(0, output), speed, rank, None, 0)


# 1. one API call, many lines


def test_the_lines_of_one_message_are_one_call() -> None:
    builder = session().user("a").assistant("one", "two", "three", usage=SPENT)

    assert len(lines(builder)) == 3
    assert sum_of(builder) == Tokens(10, 200, 300, 4_000)


def test_the_largest_snapshot_wins_where_output_grows() -> None:
    found = count_calls_once([snapshot(output=2), snapshot(output=90), snapshot(output=40)])

    assert [line.tokens.output_tokens for line in found] == [90]


# 2. the key


def test_a_message_under_two_requests_is_two_calls() -> None:
    assert len(count_calls_once([snapshot(request="r1"), snapshot(request="r2")])) == 2


def test_a_line_without_a_message_id_is_never_merged() -> None:
    assert len(count_calls_once([snapshot(message=None), snapshot(message=None)])) == 2


def test_the_main_conversation_beats_a_sidechain_even_where_that_has_more() -> None:
    main, side = snapshot(output=5, rank=2), snapshot(output=9, rank=1)

    for order in ([main, side], [side, main]):
        assert count_calls_once(order) == [main]


def test_of_equal_snapshots_the_one_that_tells_the_speed_wins() -> None:
    plain, fast = snapshot(), snapshot(speed="fast")

    for order in ([plain, fast], [fast, plain]):
        assert count_calls_once(order) == [fast]


def test_a_sidechain_that_replays_a_message_under_a_new_request_is_the_same_call() -> None:
    main, side = snapshot(request="r1", rank=2), snapshot(request="r2", rank=1)

    assert count_calls_once([main, side]) == [main]
    assert count_calls_once([side, main]) == [main]


def test_a_sidechain_does_not_melt_two_calls_of_the_main_conversation_into_one() -> None:
    side, one, two = (
        snapshot(request="r2", rank=1),
        snapshot(request="r1"),
        snapshot(request="r2", output=7),
    )

    assert count_calls_once([side, one, two]) == [one, two]


# 3. over all files


def test_calls_copied_into_another_file_are_counted_once() -> None:
    first = session("first", version="1.0.40").user("a").assistant("b", usage=SPENT)
    second = first.resume_in_new_file(seed="second").user("c").assistant("d", usage=SPENT)

    assert sum_of(first, second).output_tokens == 400
    assert sum_of(second).output_tokens == 400


def test_a_fork_and_its_origin_share_their_calls() -> None:
    origin = session().user("a").assistant("b", usage=SPENT)
    fork = origin.fork().user("c").assistant("d", usage=SPENT)

    assert sum_of(origin, fork).output_tokens == 400


# 4. sidechains count


@pytest.mark.parametrize("version", ["2.0.14", "2.0.60", "2.1.250"])
def test_the_agents_of_a_session_are_counted_with_it_once(version: str) -> None:
    builder = session(version=version).user("a")
    builder.agent("Explore", "look", spoken=True, work=say_with_usage)
    own = sum_of(builder) if version != "2.0.14" else None

    usage = opened(builder).usage

    assert usage.calls == 2
    if own is not None:
        assert usage.tokens == own + Tokens(10, 200, 300, 4_000)


def test_each_model_has_its_own_sum() -> None:
    builder = session().user("a").assistant("b", usage=SPENT)
    builder.agent("Explore", "look", model="claude-haiku-4-5", answer="c")

    assert set(opened(builder).usage.by_model) == {"claude-opus-4-6", "claude-haiku-4-5"}


# 5. no request id


def test_without_a_request_id_the_message_id_alone_is_the_key() -> None:
    builder = session().user("a").assistant("one", "two", usage=SPENT, requestId=ABSENT)

    assert sum_of(builder).output_tokens == 200


def test_a_line_without_a_request_id_belongs_to_its_message() -> None:
    assert count_calls_once([snapshot(request=None), snapshot(output=3)]) == [snapshot(output=3)]


# 6. what is no call


@pytest.mark.parametrize(
    "fields",
    [
        {"model": "<synthetic>"},
        {"model": ""},
        {"id": ""},
        {"sessionId": ""},
        {"version": "nightly"},
        {"usage": None},
    ],
)
def test_what_no_api_call_left_behind_is_skipped(fields: dict[str, object]) -> None:
    assert sum_of(answered(fields)) == Tokens()


def answered(fields: dict[str, object]) -> SampleSession:
    """Write an answer whose message, or record, has these fields."""
    inner = {k: v for k, v in fields.items() if k in ("model", "id", "usage")}
    message = {"id": "m", "model": "claude", "content": [], "usage": SPENT} | inner
    outer = {k: v for k, v in fields.items() if k not in inner}
    return session().user("a").node("assistant", name=None, message=message).amend(2, **outer)


def test_a_call_without_a_model_counts_and_no_model_is_listed() -> None:
    session_ = opened(answered({"model": None}))

    assert session_.usage.by_model == {"unknown": Tokens(10, 200, 300, 4_000)}
    assert session_.models == []


def test_made_up_messages_name_no_model() -> None:
    builder = session().user("a").synthetic_answer().api_error().assistant("b")

    assert opened(builder).models == ["claude-opus-4-6"]


# 8. copies in progress records


def test_a_message_found_only_in_a_progress_record_is_counted() -> None:
    builder = session(version="2.1.50").user("a")
    builder.agent("Explore", "look", echoed=True, spoken=True, work=say_with_usage)
    builder.agent_files.clear()

    assert opened(builder).usage.calls == 2


def say_with_usage(child: AgentSteps) -> object:
    return child.assistant("c", usage=SPENT)


def test_the_larger_of_an_agents_line_and_its_copy_counts_where_the_agents_line_stands() -> None:
    copy, own = snapshot(request=None, output=900, rank=0), snapshot(output=5, rank=1)

    for order in ([copy, own], [own, copy]):
        (call,) = count_calls_once(order)
        assert (call.tokens.output_tokens, call.rank, call.request_id) == (900, 1, "r")


def test_a_smaller_copy_changes_nothing() -> None:
    copy, own = snapshot(request=None, output=5, rank=0), snapshot(output=900, rank=1)

    for order in ([copy, own], [own, copy]):
        assert count_calls_once(order) == [own]


def test_a_copy_never_beats_a_line_of_the_main_conversation() -> None:
    copy, main = snapshot(request=None, output=900, rank=0), snapshot(output=5, rank=2)

    for order in ([copy, main], [main, copy]):
        assert count_calls_once(order) == [main]


def test_a_copy_with_a_block_nobody_knows_is_counted_all_the_same() -> None:
    message = {"id": "m", "model": "c", "content": [{"type": "hologram"}], "usage": SPENT}
    builder = (
        session(version="2.1.50")
        .user("a")
        .progress(
            "agent_progress",
            {"agentId": "a1", "message": {"type": "assistant", "message": message}},
        )
    )

    assert sum_of(builder).output_tokens == 200


# the counts of one line


def usage_of(**counts: object) -> Tokens:
    return sum_of(answered({"usage": counts}))


def test_cache_writes_are_the_sum_of_their_kinds_where_these_are_told() -> None:
    kinds = {"ephemeral_5m_input_tokens": 30, "ephemeral_1h_input_tokens": 70}

    tokens = usage_of(cache_creation_input_tokens=5, cache_creation=kinds)

    assert (tokens.cache_creation_tokens, tokens.cache_creation_1h_tokens) == (100, 70)


def test_cache_writes_are_the_plain_number_where_no_kinds_are_told() -> None:
    assert usage_of(cache_creation_input_tokens=5).cache_creation_tokens == 5
    assert usage_of(cache_creation_input_tokens=5, cache_creation={}).cache_creation_tokens == 5
    assert usage_of(cache_creation_input_tokens=5, cache_creation=None).cache_creation_tokens == 5


def test_a_split_of_zeros_does_not_delete_the_cache_writes() -> None:
    zeros = {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0}

    tokens = usage_of(cache_creation_input_tokens=5, cache_creation=zeros)

    assert (tokens.cache_creation_tokens, tokens.cache_creation_1h_tokens) == (5, 0)


def test_cache_writes_that_the_split_does_not_explain_live_five_minutes() -> None:
    part = {"ephemeral_5m_input_tokens": 10, "ephemeral_1h_input_tokens": 70}

    tokens = usage_of(cache_creation_input_tokens=100, cache_creation=part)

    assert (tokens.cache_creation_tokens, tokens.cache_creation_1h_tokens) == (100, 70)


def test_iterations_are_not_added() -> None:
    again = [{"input_tokens": 10, "output_tokens": 20, "type": "message"}]

    assert usage_of(input_tokens=10, output_tokens=20, iterations=again) == Tokens(10, 20)


def test_counts_may_be_missing_or_null() -> None:
    assert usage_of(input_tokens=None, output_tokens=3) == Tokens(0, 3)


def test_searches_by_the_api_are_counted() -> None:
    assert usage_of(server_tool_use={"web_search_requests": 2}).web_searches == 2


def test_tokens_of_each_message_are_told() -> None:
    builder = session().user("a").assistant("b", usage=SPENT).user("c").assistant("d", usage=SPENT)

    found = sum_by_message(lines(builder))

    assert [tokens.output_tokens for tokens in found.values()] == [200, 200]


# laws

some_lines = st.lists(
    st.builds(
        snapshot,
        message=st.sampled_from(["m1", "m2", None]),
        request=st.sampled_from(["r1", None]),
        output=st.integers(0, 5),
        rank=st.sampled_from([0, 1, 2]),
    ),
    max_size=12,
)


@given(some_lines, st.randoms())
def test_the_order_of_the_files_changes_no_sum(found: list[UsageSnapshot], random: object) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)  # type: ignore[attr-defined]

    assert sum_usage(count_calls_once(shuffled)).tokens == sum_usage(count_calls_once(found)).tokens


@given(some_lines)
def test_what_is_counted_twice_is_counted_the_same(found: list[UsageSnapshot]) -> None:
    once = count_calls_once(line for line in found if line.message_id)

    assert count_calls_once([*once, *once]) == once
