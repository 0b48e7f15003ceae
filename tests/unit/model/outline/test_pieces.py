"""The one list of pieces that every face paints."""

from bough.model.outline.branch_path import path_to_tip
from bough.model.outline.message_facts import MessageFacts, group_messages_by_item
from bough.model.outline.pieces import (
    Piece,
    PieceKind,
    keep_talk,
    list_message_pieces,
    list_pieces,
)
from bough.model.outline.session_outline import Compaction, outline_of
from bough.model.session import Session
from bough.model.tools.calls import ToolBlock
from bough.sample import SampleSession, session
from tests.unit.model.opened import opened


def pieces_of(one: Session, *, unfold: bool = False) -> list[Piece]:
    main = one.conversation()
    items = path_to_tip(outline_of(one), main.tip)
    others = [other for other in one.conversations if other.tip != main.tip]
    messages = group_messages_by_item([main, *others], items)
    return list_pieces(items, messages, main.messages, unfold=unfold)


def branched() -> SampleSession:
    builder = session().user("Go").assistant("Which?", name="Q").user("This").assistant("x")
    return builder.at("Q").user("That", name="R").assistant("y")


def test_a_turn_ends_behind_its_messages_and_knows_its_answers() -> None:
    pieces = pieces_of(opened(session().user("Go").assistant("Done.").user("On").assistant("Yes.")))

    assert [piece.kind for piece in pieces] == ["prompt", "answer", "turn-end"] * 2
    assert [message.text for message in pieces[-1].messages] == ["Yes."]
    assert {piece.within for piece in pieces[:2]} == {pieces[2].item}


def test_the_talk_is_what_was_asked_and_answered() -> None:
    builder = session().user("Go").thinking("Hm.").tool("Bash", {"command": "ls"}, "a")
    builder.assistant("A line between.").tool("Bash", {"command": "ls"}, "a").assistant("Done.")
    builder.user("And now?").tool("Bash", {"command": "ls"}, "a")

    talk = keep_talk(pieces_of(opened(builder)))

    assert [piece.kind for piece in talk] == ["prompt", "answer", "turn-end", "prompt", "turn-end"]
    assert [piece.message.text for piece in talk if piece.message] == ["Go", "Done.", "And now?"]


def test_every_piece_has_a_key_of_its_own() -> None:
    keys = [piece.key for piece in pieces_of(opened(branched().compact().user("On")), unfold=True)]

    assert len(set(keys)) == len(keys)


def test_a_side_branch_is_one_piece_until_it_is_unfolded() -> None:
    one = opened(branched())
    folded = [(piece.kind, piece.depth) for piece in pieces_of(one)]
    unfolded = [(piece.kind, piece.depth) for piece in pieces_of(one, unfold=True)]
    at = folded.index((PieceKind.SIDE_BRANCH, 0))

    inside = unfolded[at + 1 : at + 1 + len(unfolded) - len(folded)]
    assert inside == [("prompt", 1), ("answer", 1), ("turn-end", 1)]
    assert unfolded[: at + 1] == folded[: at + 1]


def test_a_compaction_is_one_piece_with_its_summary() -> None:
    pieces = pieces_of(opened(session().user("Go").assistant("1").compact().user("On")))
    (compaction,) = (piece for piece in pieces if piece.kind is PieceKind.COMPACTION)

    assert isinstance(compaction.item, Compaction)
    assert compaction.message in compaction.messages


def test_messages_without_an_outline_are_listed_all_the_same() -> None:
    messages = opened(session().user("Go").assistant("Done.")).conversation().messages

    assert list_pieces([], {}, messages) == list_message_pieces(messages)
    assert [piece.message for piece in list_message_pieces(messages)] == messages


def test_facts_measure_calls_and_thoughts_by_their_place() -> None:
    builder = session().user("Go").wait(12).thinking("Hm.").tool("Bash", {"command": "x"}, "y")
    one = opened(builder)
    conversation = one.conversation()
    facts = MessageFacts(one, outline_of(one), [conversation])
    answer = conversation.messages[1]
    (call,) = (block for block in answer.blocks if isinstance(block, ToolBlock))

    ((place, seconds),) = facts.thought_durations(answer).items()

    assert answer.blocks[place].type == "thinking"
    assert seconds is not None
    assert seconds >= 12
    assert facts.view_call(call).seconds is not None
    assert facts.asker == "You"
