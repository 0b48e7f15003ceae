"""Facts about turns: how long thoughts took, how full the context was, where words are."""

from bough.model.conversation.branch_path import (
    conversation_through,
    dropped_by,
    exchanges_of,
    route,
    seam_opening,
    seam_text,
    why_left,
)
from bough.model.conversation.content import Words, block_text
from bough.model.conversation.exchange_summary import foot_words
from bough.model.conversation.note_labels import is_interrupt, note_words, skill_of
from bough.model.conversation.outline import Parting, Seam, overview
from bough.model.conversation.turn_facts import Thoughts, context_of, thought_seconds, turns_by_item
from bough.model.tools.calls import Result, ToolBlock
from bough.sample import session
from tests.unit.model.opened import opened


def test_a_thought_lasts_from_what_was_written_before_it() -> None:
    book = session().user("Go").wait(12).thinking("Hm.", name="T").assistant("Done.")
    conversation = opened(book).conversation()

    (seconds,) = Thoughts(conversation).of(conversation.turns[1])

    assert seconds is not None
    assert seconds >= 12
    assert thought_seconds(conversation) == {book.uuid("T"): [seconds]}


def test_several_thoughts_of_a_turn_are_measured_in_order() -> None:
    book = session().user("Go").thinking("a").tool("Bash", {}, "x").wait(30).thinking("b")
    conversation = opened(book).conversation()

    first, second = Thoughts(conversation).of(conversation.turns[1])

    assert first is not None
    assert second is not None
    assert first < 30 <= second


def test_every_turn_belongs_to_what_was_asked_before_it() -> None:
    book = session().user("One", name="A").assistant("1").user("Two", name="B").assistant("2")
    opened_session = opened(book)
    conversation = opened_session.conversation()
    items = route(overview(opened_session), conversation.tip)

    found = turns_by_item([conversation], items)

    assert [turn.kind for turn in found[book.uuid("A")]] == ["prompt", "assistant"]
    assert [turn.kind for turn in found[book.uuid("B")]] == ["prompt", "assistant"]


def test_the_foot_names_steps_time_context_words_and_cost() -> None:
    opened_session = opened(session().user("Go").tool("Bash", {}, "x").assistant("ok"))
    (branch,) = overview(opened_session).branches
    (exchange,) = exchanges_of(branch.items)
    answer = opened_session.conversation().turns[1]

    groups = foot_words(exchange, [answer], context_of(opened_session, answer))

    assert groups[0] == ["1 step"]
    assert any("of context" in word for group in groups for word in group)
    assert foot_words(exchange, [], None) == []


def test_a_seam_says_who_compacted_and_what_it_took() -> None:
    seam = Seam("u", None, "manual", 168_000, 22_000, 6, 84)

    assert seam_opening(seam) == "Compacted by you"
    assert seam_text(seam, ">") == "Compacted, 168k > 22k tokens, 6 messages kept, 84 dropped"


def test_what_a_seam_dropped_is_what_was_asked_since_the_one_before() -> None:
    book = session().user("One").assistant("1").compact().user("Two").assistant("2")
    opened_session = opened(book.compact().user("Three").assistant("3"))
    items = route(overview(opened_session), opened_session.conversation().tip)
    first, second = [item for item in items if isinstance(item, Seam)]

    assert [one.text for one in dropped_by(first, items)] == ["One"]
    assert [one.text for one in dropped_by(second, items)] == ["Two"]


def test_a_left_branch_says_why_and_when() -> None:
    book = session().user("Go").assistant("Which?", name="Q").user("This").assistant("x")
    book.at("Q").user("That", name="R").assistant("y")
    opened_session = opened(book)
    (branch,) = overview(opened_session).branches
    left = next(item.branches[0] for item in branch.items if isinstance(item, Parting))

    why, at = why_left(left)

    assert why == "rewound"
    assert at is not None
    assert why_left(branch) == ("active", None)


def test_any_message_names_the_conversation_that_goes_on_through_it() -> None:
    book = session().user("Go", name="G").assistant("Which?", name="Q").user("This", name="L")
    book.assistant("x").at("Q").user("That").assistant("y")
    opened_session = opened(book)

    assert conversation_through(opened_session, book.uuid("G")).active
    assert not conversation_through(opened_session, book.uuid("L")).active
    assert conversation_through(opened_session, None).active


def test_quiet_blocks_say_what_they_are() -> None:
    skill = Words("note", "Base directory for this skill: /x/.claude/skills/review\n\nRead it.")
    caveat = Words("note", "<local-command-caveat>Caveat: mind this</local-command-caveat>")
    stop = Words("text", "[Request interrupted by user]")

    assert note_words(skill, "meta") == "Instructions of /review: Read it."
    assert skill_of(skill) == "review"
    assert note_words(caveat, "meta") == "Note: Caveat: mind this"
    assert note_words(stop, "notice") == "Interrupted by you"
    assert is_interrupt(stop)
    assert note_words(Words("hook", "lint: success"), "hook") == "Hook lint: success"


def test_all_words_of_a_call_can_be_searched() -> None:
    block = ToolBlock(
        id="t", name="X", input={"a": ["deep", {"b": 7}], "c": None}, result=Result(text="came")
    )

    assert block_text(block).split() == ["X", "deep", "7", "came"]
