"""What records tell about hooks, in the shapes that real clients were seen to write."""

import pytest

from bough.model.interpret.hooks import (
    HookRun,
    find_blocking_hook,
    read_hook_runs,
    read_stop_hook_feedback,
)
from bough.sample import session
from bough.sample.builder.session import SampleSession
from tests.unit.model.readings import read


def told(made: SampleSession) -> list[HookRun]:
    return [run for record in read(made) for run in read_hook_runs(record)]


def test_a_progress_record_says_that_a_hook_started_and_not_how_it_ended() -> None:
    made = session(version="2.1.50").hook("PreToolUse", "guard.py", tool="Bash")

    (run,) = told(made)

    assert (run.event, run.command, run.outcome, run.duration_ms) == (
        "PreToolUse",
        "guard.py",
        "unknown",
        None,
    )
    assert run.call is not None


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [("success", "ok"), ("non_blocking_error", "failed"), ("blocking_error", "blocked")],
)
def test_an_attachment_tells_the_outcome(outcome: str, expected: str) -> None:
    made = session().hook("PostToolUse", "lint.sh", tool="Edit", outcome=outcome)

    (run,) = told(made)

    assert (run.command, run.outcome) == ("lint.sh", expected)


def test_a_hook_that_was_cancelled_failed() -> None:
    body = {"hookEvent": "PreToolUse", "command": "sleep 5", "durationMs": 1014, "timedOut": True}

    (run,) = told(session().attachment("hook_cancelled", body))

    assert (run.outcome, run.duration_ms) == ("failed", 1014)


def test_a_hook_that_answers_that_claude_must_not_go_on_blocks() -> None:
    body = {"hookEvent": "Stop", "command": "gate", "stdout": '{"continue": false}\n'}

    (run,) = told(session().attachment("hook_success", body))

    assert run.outcome == "blocked"


def test_added_context_is_a_run_only_where_nothing_else_tells_of_it() -> None:
    alone = {"hookEvent": "PostToolUse", "hookName": "PostToolUse:Edit", "toolUseID": "toolu_1"}
    beside = {"hookEvent": "SessionStart", "hookName": "SessionStart", "toolUseID": "SessionStart"}
    made = session().attachment("hook_additional_context", alone)
    made.attachment("hook_additional_context", beside)

    (run,) = told(made)

    assert (run.command, run.outcome) == ("PostToolUse:Edit", "ok")


def test_a_summary_lists_every_hook_with_its_duration() -> None:
    runs = told(session().stop_hooks("lint.sh", "test.sh"))

    assert [(run.event, run.command, run.outcome, run.duration_ms) for run in runs] == [
        ("Stop", "lint.sh", "ok", 412),
        ("Stop", "test.sh", "ok", 412),
    ]


def test_an_error_of_a_summary_belongs_to_the_command_it_names() -> None:
    runs = told(session().stop_hooks("lint.sh", "test.sh", errors=["[test.sh]: 2 failed"]))

    assert [run.outcome for run in runs] == ["ok", "blocked"]


def test_an_error_without_a_command_is_nobodys_unless_there_is_only_one() -> None:
    error = "Failed with non-blocking status code: no"

    one = told(session().stop_hooks("lint.sh", errors=[error]))
    two = told(session().stop_hooks("lint.sh", "test.sh", errors=[error]))
    both = told(session().stop_hooks("lint.sh", "test.sh", errors=[error, error]))

    assert [run.outcome for run in one] == ["failed"]
    assert [run.outcome for run in two] == ["unknown", "unknown"]
    assert [run.outcome for run in both] == ["failed", "failed"]


def test_who_prevented_the_continuation_is_known_only_of_one_hook() -> None:
    one = told(session().stop_hooks("gate", prevented=True))
    two = told(session().stop_hooks("gate", "lint.sh", prevented=True))

    assert [run.outcome for run in one] == ["blocked"]
    assert [run.outcome for run in two] == ["unknown", "unknown"]


@pytest.mark.parametrize(("outcome", "expected"), [("success", "ok"), ("error", "failed")])
def test_old_clients_tell_it_in_words(outcome: str, expected: str) -> None:
    made = session(version="2.0.14").hook("PostToolUse", "a [b] c", tool="Bash", outcome=outcome)

    (run,) = told(made)

    assert (run.event, run.command, run.outcome) == ("PostToolUse", "a [b] c", expected)


def test_a_prompt_that_a_hook_did_not_let_through_is_told_in_a_notice() -> None:
    words = "UserPromptSubmit operation blocked by hook:\n[check.sh]: no secrets\n\nOriginal prompt"

    (run,) = told(session().informational(words))

    assert (run.event, run.command, run.outcome) == ("UserPromptSubmit", "check.sh", "blocked")


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("PreToolUse:Write hook error: [guard.py --all]: not there\n", "guard.py --all"),
        ("Write operation blocked by hook:\n- [guard.py]: not there\n", "guard.py"),
        ("PreToolUse:Bash hook error: not by JSON", "PreToolUse:Bash"),
    ],
)
def test_the_error_of_a_forbidden_call_names_the_hook(text: str, command: str) -> None:
    run = find_blocking_hook("toolu_1", text)

    assert run == HookRun("toolu_1", "PreToolUse", command, "blocked", None, "result")


def test_an_error_of_the_tool_itself_is_no_hook() -> None:
    assert find_blocking_hook("toolu_1", "Exit code 1\nhook error: none") is None


def test_feedback_names_each_hook_that_kept_claude_from_stopping() -> None:
    runs = read_stop_hook_feedback(
        "Stop hook feedback:\n[lint.sh]: 3 errors\n- [test.sh]: 1 failed\n"
    )

    assert [(run.command, run.outcome) for run in runs] == [
        ("lint.sh", "blocked"),
        ("test.sh", "blocked"),
    ]


def test_other_records_tell_of_no_hook() -> None:
    assert told(session().user("hello").assistant("hi").informational("a note").retry()) == []
