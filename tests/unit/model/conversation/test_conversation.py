"""A conversation holds everything said on the way to its tip, once and in order."""

import pytest

from bough.files.lines import split_lines
from bough.model.conversation.conversation import Conversation
from bough.model.session import Session as Reading
from bough.records.decode import decode_lines
from bough.records.record import BadLine, Record
from bough.records.types import Attachment, QueueOperation, System, User
from bough.sample import SampleCall, SampleSession, session

LS = SampleCall(tool="Bash", given={"command": "ls"}, result="a.py")


def reading(builder: SampleSession) -> Reading:
    found: list[Record] = []
    bad: list[BadLine] = []
    for item in decode_lines(split_lines([builder.bytes()])):
        if isinstance(item, BadLine):
            bad.append(item)
        else:
            found.append(item)
    return Reading(builder.session_id, found, bad)


def conversations(builder: SampleSession) -> dict[str, Conversation]:
    """Read the conversations of a file, by the name of their tip."""
    return {builder.name_of(c.tip or ""): c for c in reading(builder).conversations}


def nodes(builder: SampleSession, conversation: Conversation) -> list[str]:
    return [builder.name_of(node.uuid or "") for node in conversation.nodes]


def asked() -> SampleSession:
    return session().user("p1", name="p1").assistant("a1", name="a1")


# -- what is in it --------------------------------------------------------------------------------


def test_a_conversation_runs_from_the_start_to_its_tip() -> None:
    builder = asked().user("p2", name="p2").assistant("a2", name="a2")
    builder.at("a1").user("p3", name="p3")

    found = conversations(builder)

    assert nodes(builder, found["a2"]) == ["p1", "a1", "p2", "a2"]
    assert nodes(builder, found["p3"]) == ["p1", "a1", "p3"]


def test_results_beside_the_way_are_in_it() -> None:
    builder = session().user("p1").tools(LS, LS, LS).assistant("a1", name="a1")

    (found,) = reading(builder).conversations

    assert len(found.nodes) == len(builder.nodes)


def test_notes_stand_where_they_were_written() -> None:
    builder = session().user("p1", name="p1").attachment("date", name="n1")
    builder.assistant("a1", name="a1").turn_duration(name="n2").user("p2", name="p2")

    (found,) = reading(builder).conversations

    assert nodes(builder, found) == ["p1", "n1", "a1", "n2", "p2"]


def test_the_order_is_that_of_the_file_whatever_the_times() -> None:
    """Three lines in a hundred go back in time; sorting by time scrambles results."""
    builder = (
        session().user("p1", name="p1").attachment("date", name="n1").assistant("a1", name="a1")
    )
    builder.amend("n1", timestamp="2020-01-01T00:00:00.000Z")
    builder.amend("a1", timestamp="2019-01-01T00:00:00.000Z")

    (found,) = reading(builder).conversations

    assert nodes(builder, found) == ["p1", "n1", "a1"]


def test_records_with_another_sessions_id_belong_to_the_file_they_are_in() -> None:
    builder = (
        session().user("p1", name="p1").change(session_id="another").assistant("a1", name="a1")
    )

    (found,) = reading(builder).conversations

    assert nodes(builder, found) == ["p1", "a1"]


def test_a_repeated_line_is_shown_once_as_it_was_last() -> None:
    builder = asked().again("p1", message={"role": "user", "content": "anew"})

    found = conversations(builder)["a1"]

    assert [message.text for message in found.messages] == ["anew", "a1"]


def test_a_replayed_stretch_is_shown_once() -> None:
    builder = asked().at(None).replay("p1", "a1").user("p2", name="p2")

    (found,) = reading(builder).conversations

    assert [message.text for message in found.messages] == ["p1", "a1", "p2"]


def test_a_conversation_goes_through_compactions() -> None:
    builder = (
        asked().compact(name="s1").user("p2", name="p2").compact(name="s2").user("p3", name="p3")
    )

    (found,) = reading(builder).conversations

    assert nodes(builder, found) == [
        *("p1", "a1", "s1.boundary", "s1", "p2", "s2.boundary", "s2", "p3"),
    ]


def test_a_compaction_at_the_end_is_shown_after_the_tip() -> None:
    builder = asked().compact(name="compaction")

    (found,) = reading(builder).conversations

    assert builder.name_of(found.tip or "") == "a1"
    assert nodes(builder, found) == ["p1", "a1", "compaction.boundary", "compaction"]


def test_a_compaction_that_nobody_spoke_after_is_shown_where_it_stands() -> None:
    builder = asked().user("p2").assistant("a2", name="a2").at("a1").compact(name="compaction")

    found = conversations(builder)

    assert nodes(builder, found["a1"]) == ["p1", "a1", "compaction.boundary", "compaction"]
    assert nodes(builder, found["a2"])[:4] == ["p1", "a1", "compaction.boundary", "compaction"]


def test_a_conversation_to_a_node_on_the_way_leaves_out_a_later_compaction() -> None:
    builder = asked().compact(name="compaction").user("p2", name="p2")

    found = reading(builder).conversation(builder.uuid("a1"))

    assert nodes(builder, found) == ["p1", "a1"]


def test_a_conversation_to_a_summary_shows_it_once() -> None:
    builder = asked().compact(name="compaction")

    found = reading(builder).conversation(builder.uuid("compaction"))

    assert nodes(builder, found) == ["p1", "a1", "compaction.boundary", "compaction"]


def test_a_file_without_talk_gives_its_notes() -> None:
    builder = (
        session().informational("hello", name="n1").malformed_line().attachment("file", name="n2")
    )

    found = reading(builder).conversation()

    assert [type(item) for item in found.items] == [System, BadLine, Attachment]


# -- lines outside the tree -----------------------------------------------------------------------


def test_a_bad_line_is_shown_where_it_stands() -> None:
    builder = session().user("p1").malformed_line().assistant("a1")

    (found,) = reading(builder).conversations

    assert [type(item).__name__ for item in found.items] == ["User", "BadLine", "Assistant"]


def test_a_bad_line_before_everything_is_shown_with_the_first_prompt() -> None:
    builder = session().malformed_line().user("p1")

    (found,) = reading(builder).conversations

    assert [type(item) for item in found.items] == [BadLine, User]


def test_a_bad_line_is_shown_on_one_branch_only() -> None:
    builder = asked().user("p2", name="p2").at("a1").user("p3", name="p3").malformed_line()

    found = conversations(builder)

    assert [len(found[tip].items) for tip in ("p2", "p3")] == [3, 4]


def queued(builder: SampleSession) -> int:
    """Count the queued texts that are shown on their own."""
    return sum(
        isinstance(item, QueueOperation) for c in reading(builder).conversations for item in c.items
    )


def test_a_prompt_that_was_only_ever_queued_is_shown() -> None:
    assert queued(asked().queue("enqueue", "and then?").queue("remove")) == 1


@pytest.mark.parametrize("shown", ["attachment", "prompt"])
def test_a_queued_prompt_that_was_sent_is_shown_once(shown: str) -> None:
    assert queued(asked().queued("and then?", shown=shown)) == 0


def test_a_prompt_queued_twice_is_shown_once() -> None:
    assert queued(asked().queue("enqueue", "x").queue("enqueue", "x ")) == 1


@pytest.mark.parametrize("as_system", [False, True])
def test_a_queued_command_that_ran_is_shown_once(*, as_system: bool) -> None:
    builder = asked().queue("enqueue", "/compact now").queue("dequeue")
    builder.command("/compact", "now", as_system=as_system)

    assert queued(builder) == 0


def test_a_queue_without_words_is_not_shown() -> None:
    assert queued(asked().queue("enqueue").queue("enqueue", "  ").queue("dequeue")) == 0


# -- what is known of it --------------------------------------------------------------------------


def test_a_conversation_is_titled_by_the_words_that_part_it_from_others() -> None:
    builder = session().user("Fix the import", name="p1").assistant("Done.", name="a1")
    builder.user("Now the tests", name="p2").at("a1").user("No, the docs", name="p3")

    found = conversations(builder)

    assert (found["p2"].title, found["p3"].title) == ("Now the tests", "No, the docs")


def test_a_conversation_that_parts_nowhere_is_titled_by_its_first_words() -> None:
    (found,) = reading(session().user("Fix the import").assistant("Done.")).conversations

    assert found.title == "Fix the import"
    assert found.branch_point is None


def test_a_conversation_knows_where_it_parted_last() -> None:
    builder = asked().user("p2", name="p2").at("a1").user("p3", name="p3")

    point = conversations(builder)["p3"].branch_point

    assert point is not None
    assert point.uuid == builder.uuid("a1")


def test_a_first_prompt_said_anew_parts_at_the_start() -> None:
    builder = session().hook("SessionStart", "greet").name_step("hook").user("p1", name="p1")
    builder.at("hook").user("p2", name="p2")

    found = conversations(builder)

    assert (found["p1"].title, found["p2"].title) == ("p1", "p2")
    assert all(c.branch_point is not None for c in found.values())


def test_one_conversation_is_active() -> None:
    builder = asked().user("p2", name="p2").at("a1").user("p3", name="p3").last_prompt("x", "p2")

    assert [tip for tip, c in conversations(builder).items() if c.active] == ["p2"]


def test_the_active_tip_is_listed_even_when_messages_follow_it() -> None:
    builder = asked().user("p2", name="p2").assistant("a2", name="a2")
    builder.at("a1").user("p3", name="p3").last_prompt("x", "p2")

    found = conversations(builder)

    assert list(found) == ["p2", "a2", "p3"]
    assert nodes(builder, found["p2"]) == ["p1", "a1", "p2"]


def test_a_conversation_begins_and_ends_with_its_own_times() -> None:
    builder = asked().user("p2", name="p2").wait(hours=5).at("a1").user("p3", name="p3")

    found = conversations(builder)["p2"]

    assert found.started_at == "2026-01-05T09:00:00.000Z"
    assert found.ended_at == "2026-01-05T09:00:02.000Z"
