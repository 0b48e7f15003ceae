"""Slides: what is revealed of a conversation, one after the other."""

from bough.model.conversation.steps import StepRun
from bough.model.outline.slides import SlideList, list_slides
from bough.sample import SampleSession, session
from tests.unit.model.opened import opened
from tests.unit.model.outline.test_pieces import branched, pieces_of


def slides_of(builder: SampleSession) -> SlideList:
    return list_slides(pieces_of(opened(builder)))


def kinds(found: SlideList) -> list[str]:
    return [slide.kind for slide in found.slides]


def test_a_prompt_is_one_slide_and_an_answer_one_for_each_part() -> None:
    builder = session().user("Go").thinking("Hm.").assistant("I look. " * 20)
    builder.tool("Bash", {"command": "ls"}, "a").tool("Bash", {"command": "pwd"}, "/")
    builder.agent("Explore", "look", answer="Found.").assistant("Done.")

    found = slides_of(builder)

    assert kinds(found) == ["prompt", "thought", "answer", "steps", "agent", "answer"]
    assert [slide.is_first for slide in found.slides] == [True, True, False, False, False, False]
    assert [slide.is_last for slide in found.slides] == [True, False, False, False, False, True]
    assert len({slide.key for slide in found.slides}) == 6


def test_a_thought_between_steps_is_revealed_by_itself() -> None:
    builder = session().user("Go").thinking("First.").tool("Bash", {"command": "ls"}, "a")
    builder.assistant("A line.").tool("Bash", {"command": "ls"}, "a").thinking("Then.")
    builder.tool("Bash", {"command": "ls"}, "a").assistant("Done.")

    found = slides_of(builder)

    assert kinds(found) == ["prompt", "thought", "steps", "thought", "steps", "answer"]
    runs = [part for slide in found.slides for part in slide.parts if isinstance(part, StepRun)]
    rows = [len(run.rows) for run in runs]
    assert rows == [3, 1]


def test_turns_are_counted_and_named_by_what_was_asked() -> None:
    builder = session().user("Go").assistant("Done.").compact("Summary: fine.")
    builder.user("On\nwith it").assistant("Yes.")

    found = slides_of(builder)

    assert kinds(found) == ["prompt", "answer", "compaction", "prompt", "answer"]
    assert [slide.turn for slide in found.slides] == [0, 0, 1, 2, 2]
    assert found.turns == ["Go", "Compaction", "On"]


def test_the_last_slide_of_a_turn_says_what_the_turn_took() -> None:
    found = slides_of(session().user("Go").tool("Bash", {"command": "ls"}, "a").assistant("Done."))

    ended = [slide.ended_turn is not None for slide in found.slides]
    assert ended == [False, False, True]
    assert [message.text for message in found.slides[-1].answers] == ["Done."]


def test_notes_come_with_the_slide_before_and_side_branches_are_left_out() -> None:
    builder = session().user("Go").assistant("Done.").malformed_line().user("On").assistant("Y.")

    noted = slides_of(builder)
    parted = slides_of(branched())

    assert "note" not in kinds(noted)
    assert kinds(parted) == ["prompt", "answer", "prompt", "answer"]


def test_a_message_is_found_by_any_of_its_records() -> None:
    built = opened(session().user("Go").thinking("Hm.").assistant("Done.").user("On"))
    found = list_slides(pieces_of(built))
    answer = next(slide.piece.message for slide in found.slides if slide.kind == "answer")

    assert answer is not None
    assert {found.find_message(uuid) for uuid in answer.uuids} == {1}
    assert found.find_message("nowhere") is None


def test_a_conversation_without_words_has_no_slides() -> None:
    assert list_slides([]).slides == []
