"""Lineage (rule 7): copies made by resume, fork, /branch and --fork-session are recognised."""

from datetime import UTC, datetime
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from bough.model.tree.lineage import LineageFacts, Origin, find_origins, read_lineage_facts
from bough.sample import SampleSession, session
from tests.unit.model.opened import lines_of

LATER = datetime(2026, 2, 1, tzinfo=UTC)


def facts(builder: SampleSession) -> LineageFacts:
    return read_lineage_facts(builder.session_id, lines_of(builder.bytes())[0])


def tied(*books: SampleSession) -> dict[str, tuple[str, int, str]]:
    """Name each session's origin by seed."""
    names = {builder.session_id: builder.facts.seed for builder in books}
    found = find_origins([facts(builder) for builder in books])
    return {names[s]: (names.get(o.session, o.session), o.shared, o.how) for s, o in found.items()}


def talk(seed: str, **words: str) -> SampleSession:
    return session(seed, **words).user("a").tool("Bash", {}, "x").assistant("b")  # type: ignore[arg-type]


def renewed(builder: SampleSession, seed: str) -> SampleSession:
    """Resume as 1.0.51 does: new uuids, one new time, and only message ids the same."""
    copy = builder.resume_in_new_file(seed=seed, moment=LATER)
    fresh = {uuid: copy.mint("uuid") for uuid in copy.nodes}
    for record in copy.records():
        record["uuid"] = fresh[str(record["uuid"])]
        record["parentUuid"] = fresh.get(str(record["parentUuid"]))
    copy.cursor = fresh[str(copy.cursor)]
    return copy


def test_sessions_that_share_nothing_have_no_origin() -> None:
    assert tied(talk("one"), talk("two")) == {}


def test_a_branch_says_what_it_was_forked_from() -> None:
    origin = talk("origin")
    fork = origin.fork(seed="fork", title="Another way").user("c")

    assert tied(origin, fork) == {"fork": ("origin", 4, "fork")}


def test_a_branch_of_a_session_that_is_gone_still_says_so() -> None:
    origin = talk("origin")
    fork = origin.fork(seed="fork")

    assert tied(fork) == {"fork": (origin.session_id, 0, "fork")}


def test_what_a_branch_says_wins_over_what_it_shares() -> None:
    origin = talk("origin")
    fork = origin.fork(seed="fork").user("c").assistant("d")
    second = fork.fork(seed="second").user("e")
    for record in second.records()[:4]:
        record["forkedFrom"] = {"sessionId": origin.session_id}

    assert tied(origin, fork, second)["second"] == ("origin", 4, "fork")


def test_a_resumed_session_with_the_same_uuids_is_a_copy() -> None:
    first = talk("first", version="1.0.40")
    second = first.resume_in_new_file(seed="second", moment=LATER).user("c")

    assert tied(second, first) == {"second": ("first", 4, "copy")}


def test_a_resumed_session_with_new_uuids_is_known_by_its_message_ids() -> None:
    first = talk("first", version="1.0.51")
    second = renewed(first, "second").user("c").assistant("d")

    assert tied(second, first) == {"second": ("first", 2, "copy")}


def test_a_session_resumed_again_and_again_comes_from_the_last_one() -> None:
    first = talk("first", version="1.0.51")
    second = renewed(first, "second").user("c").assistant("d")
    third = renewed(second, "third").user("e").assistant("f")
    for record in third.records():
        record["timestamp"] = "2026-03-01T00:00:00.000Z"

    assert tied(third, first, second) == {
        "second": ("first", 2, "copy"),
        "third": ("second", 3, "copy"),
    }


def test_two_copies_of_one_session_both_come_from_it() -> None:
    first = talk("first", version="1.0.40")
    second = first.resume_in_new_file(seed="second", moment=LATER).user("c").assistant("d")
    third = first.resume_in_new_file(seed="third", moment=datetime(2026, 3, 1, tzinfo=UTC)).user(
        "e"
    )

    assert tied(third, second, first) == {
        "second": ("first", 4, "copy"),
        "third": ("first", 4, "copy"),
    }


def test_of_two_files_that_begin_alike_the_one_whose_own_lines_are_older_was_first() -> None:
    origin = talk("origin").queue("enqueue", "x").user("c").assistant("d")
    copy = origin.fork_session(seed="copy").wait(hours=1).queue("enqueue", "y").user("e")
    origin.wait(hours=2).user("the origin goes on later")

    assert tied(copy, origin) == {"copy": ("origin", 6, "copy")}


def test_a_copy_without_lines_of_its_own_queue_is_known_by_its_first_own_record() -> None:
    origin = talk("origin")
    copy = origin.fork_session(seed="copy").wait(hours=1).user("e").assistant("f")

    assert tied(copy, origin) == {"copy": ("origin", 4, "copy")}


def test_a_copy_whose_records_still_name_their_origin_is_the_copy() -> None:
    origin = talk("origin")
    copy = origin.fork_session(seed="copy").user("e")
    copy.records()[1]["sessionId"] = origin.session_id
    origin.wait(hours=1).user("the origin goes on later")

    assert tied(copy, origin) == {"copy": ("origin", 4, "copy")}


def test_records_without_any_time_are_tied_all_the_same() -> None:
    origin = talk("origin")
    copy = origin.fork_session(seed="copy").user("c")
    for record in (*origin.records(), *copy.records()):
        record.pop("timestamp", None)

    (found,) = find_origins([facts(origin), facts(copy)]).values()

    assert found.shared == 4


def test_a_fork_that_names_itself_has_no_origin() -> None:
    builder = talk("one")
    for record in builder.records():
        record["forkedFrom"] = {"sessionId": builder.session_id}

    assert tied(builder) == {}


def test_a_forked_from_of_another_shape_is_ignored() -> None:
    builder = talk("one")
    for record in builder.records():
        record["forkedFrom"] = "somewhere"

    assert tied(builder) == {}


@given(st.integers())
def test_the_order_of_the_files_changes_no_origin(seed: int) -> None:
    first = talk("first", version="1.0.40")
    second = first.resume_in_new_file(seed="second", moment=LATER).user("c").assistant("d")
    third = second.fork(seed="third").user("e")
    books = [first, second, third, talk("other")]
    expected = find_origins([facts(builder) for builder in books])
    Random(seed).shuffle(books)

    assert find_origins([facts(builder) for builder in books]) == expected
    assert expected[third.session_id] == Origin(second.session_id, 6, "fork")
