"""Facts about messages: how long thoughts took, how full the context was, where words are."""

from datetime import timedelta

from bough.model.conversation.content import TextBlock, collect_block_text
from bough.model.conversation.note_labels import is_interrupt, label_note, skill_of
from bough.model.interpret.message_kinds import BlockType
from bough.model.outline.branch_path import (
    describe_compaction,
    describe_trigger,
    explain_why_left,
    find_conversation_through,
    find_dropped_turns,
    path_to_tip,
)
from bough.model.outline.message_facts import (
    MessageFacts,
    ThoughtDurations,
    group_messages_by_item,
    measure_message_context,
)
from bough.model.outline.session_outline import BranchOff, Compaction, outline_of
from bough.model.outline.turn_summary import summarize_turn
from bough.model.text.times import parse_moment
from bough.model.tools.calls import CallResult, ToolBlock
from bough.sample import session
from tests.unit.model.opened import opened


def test_a_thought_lasts_from_what_was_written_before_it() -> None:
    builder = session().user("Go").wait(12).thinking("Hm.").assistant("Done.")
    conversation = opened(builder).conversation()

    (seconds,) = ThoughtDurations(conversation).measure(conversation.messages[1])

    assert seconds is not None
    assert seconds >= 12


def test_several_thoughts_of_a_message_are_measured_in_order() -> None:
    builder = session().user("Go").thinking("a").tool("Bash", {}, "x").wait(30).thinking("b")
    conversation = opened(builder).conversation()

    first, second = ThoughtDurations(conversation).measure(conversation.messages[1])

    assert first is not None
    assert second is not None
    assert first < 30 <= second


def test_every_message_belongs_to_what_was_asked_before_it() -> None:
    builder = session().user("One", name="A").assistant("1").user("Two", name="B").assistant("2")
    opened_session = opened(builder)
    conversation = opened_session.conversation()
    items = path_to_tip(outline_of(opened_session), conversation.tip)

    found = group_messages_by_item([conversation], items)

    assert [message.kind for message in found[builder.uuid("A")]] == ["prompt", "assistant"]
    assert [message.kind for message in found[builder.uuid("B")]] == ["prompt", "assistant"]


def test_the_foot_names_steps_time_context_words_and_cost() -> None:
    opened_session = opened(session().user("Go").tool("Bash", {}, "x").assistant("ok"))
    (turn,) = outline_of(opened_session).all_turns
    answer = opened_session.conversation().messages[1]

    groups = summarize_turn(turn, [answer], measure_message_context(opened_session, answer))

    assert groups[0] == ["1 step"]
    assert any("of context" in word for group in groups for word in group)
    assert summarize_turn(turn, [], None) == []


def test_a_seam_says_who_compacted_and_what_it_took() -> None:
    compaction = Compaction("u", None, "manual", 168_000, 22_000, 6, 84)

    assert describe_trigger(compaction) == "Compacted by you"
    assert (
        describe_compaction(compaction, ">")
        == "Compacted, 168k > 22k tokens, 6 messages kept, 84 dropped"
    )


def test_what_a_seam_dropped_is_what_was_asked_since_the_one_before() -> None:
    builder = session().user("One").assistant("1").compact().user("Two").assistant("2")
    opened_session = opened(builder.compact().user("Three").assistant("3"))
    items = path_to_tip(outline_of(opened_session), opened_session.conversation().tip)
    first, second = [item for item in items if isinstance(item, Compaction)]

    assert [one.text for one in find_dropped_turns(first, items)] == ["One"]
    assert [one.text for one in find_dropped_turns(second, items)] == ["Two"]


def test_a_left_branch_says_why_and_when() -> None:
    builder = session().user("Go").assistant("Which?", name="Q").user("This").assistant("x")
    builder.at("Q").user("That", name="R").assistant("y")
    opened_session = opened(builder)
    (branch,) = outline_of(opened_session).branches
    left = next(item.branches[0] for item in branch.items if isinstance(item, BranchOff))

    why, at = explain_why_left(left)

    assert why == "rewound"
    assert at is not None
    assert explain_why_left(branch) == ("active", None)


def test_any_message_names_the_conversation_that_goes_on_through_it() -> None:
    builder = session().user("Go", name="G").assistant("Which?", name="Q").user("This", name="L")
    builder.assistant("x").at("Q").user("That").assistant("y")
    opened_session = opened(builder)

    assert find_conversation_through(opened_session, builder.uuid("G")).active
    assert not find_conversation_through(opened_session, builder.uuid("L")).active
    assert find_conversation_through(opened_session, None).active


def test_quiet_blocks_say_what_they_are() -> None:
    skill = TextBlock(
        BlockType.NOTE, "Base directory for this skill: /x/.claude/skills/review\n\nRead it."
    )
    caveat = TextBlock(
        BlockType.NOTE, "<local-command-caveat>Caveat: mind this</local-command-caveat>"
    )
    stop = TextBlock(BlockType.TEXT, "[Request interrupted by user]")

    assert label_note(skill, "meta") == "Instructions of /review: Read it."
    assert skill_of(skill) == "review"
    assert label_note(caveat, "meta") == "Note: Caveat: mind this"
    assert label_note(stop, "notice") == "Interrupted by you"
    assert is_interrupt(stop)
    assert label_note(TextBlock(BlockType.HOOK, "lint: success"), "hook") == "Hook lint: success"


def test_all_words_of_a_call_can_be_searched() -> None:
    block = ToolBlock(
        id="t", name="X", input={"a": ["deep", {"b": 7}], "c": None}, result=CallResult(text="came")
    )

    assert collect_block_text(block).split() == ["X", "deep", "7", "came"]


def test_a_call_without_a_result_runs_only_while_claude_works() -> None:
    builder = session().user("Go").tool("Bash", {"command": "pytest -q"}, None)
    one = opened(builder)
    facts = MessageFacts(one, outline_of(one), [one.conversation()])
    (call,) = [b for b in one.conversation().messages[-1].blocks if isinstance(b, ToolBlock)]
    begun = parse_moment(call.timestamp)
    assert begun is not None

    at_rest = facts.describe_open_call(call)
    facts.live_at = begun + timedelta(seconds=74)

    assert at_rest == "no result"
    assert facts.describe_open_call(call) == "running 1:14"
