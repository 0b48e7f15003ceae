"""Where one line of talk stands after each kind of record."""

import pytest

from bough.model.live.turn_progress import Phase, TurnProgress
from bough.sample import SampleSession, session
from tests.unit.model.readings import read


def course_of(builder: SampleSession) -> TurnProgress:
    course = TurnProgress()
    for record in read(builder):
        course.add(record)
    return course


def asked(version: str = "2.1.250") -> SampleSession:
    return session("s", version=version).user("Make it resumable")


def test_nothing_was_said() -> None:
    assert TurnProgress().phase is Phase.NOTHING


def test_a_prompt_is_asked() -> None:
    assert course_of(asked()).phase is Phase.ASKED


def test_thinking_is_kept_as_the_last_thought() -> None:
    course = course_of(asked().thinking("First this,\nthen that."))

    assert course.phase is Phase.THINKING
    assert course.thought == "First this, then that."


def test_thinking_without_words_leaves_the_thought_before() -> None:
    course = course_of(asked().thinking("A thought").assistant("So.").user("Go on").thinking(""))

    assert course.thought == "A thought"


def test_a_call_is_open_until_its_result_comes() -> None:
    builder = asked().tool("Bash", {"command": "make ship"}, None)

    course = course_of(builder)

    assert course.phase is Phase.CALLED
    assert [(call.name, call.about) for call in course.calls.values()] == [("Bash", "make ship")]


def test_an_open_call_keeps_the_newest_line_it_has_shown() -> None:
    builder = asked("2.1.50").tool("Bash", {"command": "pytest -q"}, None)
    (call,) = course_of(builder).calls

    course = course_of(
        builder.bash_progress(call, "collected 3", "2 passed").bash_progress("x", "no")
    )

    (shown,) = course.calls.values()
    assert (shown.words, shown.output) == ("Bash pytest -q", "2 passed")
    assert course.phase is Phase.CALLED


def test_a_result_closes_its_call() -> None:
    course = course_of(asked().tool("Bash", {"command": "make"}, "ok"))

    assert course.phase is Phase.ANSWERED
    assert course.calls == {}


def test_words_that_end_the_turn_are_the_end() -> None:
    assert course_of(asked().assistant("Done.")).phase is Phase.DONE


def test_words_without_a_stop_reason_may_go_on() -> None:
    assert course_of(asked("2.0.76").assistant("Done.", stop_reason=None)).phase is Phase.SPEAKING


def test_an_interrupt_stops_it_and_closes_what_was_open() -> None:
    builder = asked().tool("Bash", {"command": "sleep 9"}, None).interrupt(in_tool=True)

    course = course_of(builder)

    assert course.phase is Phase.STOPPED
    assert course.calls == {}


def test_an_error_of_the_api_fails_it_and_says_why() -> None:
    course = course_of(asked().api_error("API Error: 529 Overloaded"))

    assert course.phase is Phase.FAILED
    assert course.trouble == "API Error: 529 Overloaded"


def test_the_next_prompt_forgets_the_error() -> None:
    course = course_of(asked().api_error().user("Again"))

    assert (course.phase, course.trouble) == (Phase.ASKED, None)


def test_a_made_up_answer_ends_it() -> None:
    assert course_of(asked().synthetic_answer()).phase is Phase.DONE


@pytest.mark.parametrize("step", ["turn_duration", "stop_hook_summary"])
def test_what_the_client_notes_at_the_end_of_a_turn_ends_it(step: str) -> None:
    builder = asked("2.1.50").assistant("Done.", stop_reason=None)
    builder.node("system", subtype=step, durationMs=10)

    assert course_of(builder).phase is Phase.DONE


def test_a_note_after_an_error_does_not_hide_it() -> None:
    builder = asked().api_error()
    builder.node("system", subtype="turn_duration", durationMs=10)

    assert course_of(builder).phase is Phase.FAILED


def test_what_a_command_printed_ends_it() -> None:
    builder = asked().assistant("Done.").user_record("<command-name>/cost</command-name>")

    running = course_of(builder).phase
    over = course_of(builder.user_record("<local-command-stdout>$1</local-command-stdout>")).phase

    assert (running, over) == (Phase.ASKED, Phase.DONE)


def test_a_notice_of_a_background_task_sets_claude_to_work() -> None:
    builder = (
        asked().assistant("Done.").user_record("<task-notification>agent done</task-notification>")
    )

    assert course_of(builder).phase is Phase.ASKED


def test_the_time_is_the_newest_whatever_the_order() -> None:
    builder = asked()
    builder.node("system", subtype="informational", timestamp="2030-01-01T00:00:00.000Z")
    builder.node("system", subtype="informational", timestamp="2029-01-01T00:00:00.000Z")

    assert course_of(builder).at == "2030-01-01T00:00:00.000Z"
