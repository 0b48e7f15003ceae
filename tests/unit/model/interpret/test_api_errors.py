"""Why an answer did not come, in the same words for every client."""

from time import process_time
from typing import Any

import pytest

from bough.model.interpret.api_errors import (
    AnswerFailure,
    describe_interruption,
    find_failure,
    is_refusal,
    phrase_api_error,
)
from bough.sample import session
from bough.sample.builder.session import SampleSession
from bough.sample.data.records import ABSENT
from tests.unit.model.readings import read

OVERLOADED = 'API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"no"}}'


def told(made: SampleSession) -> list[AnswerFailure]:
    return [found for record in read(made) if (found := find_failure(record)) is not None]


@pytest.mark.parametrize(
    ("words", "fields", "reason"),
    [
        (OVERLOADED, {"error": ABSENT}, "overloaded"),
        (OVERLOADED, {"error": "unknown"}, "overloaded"),
        ("API Error: 529 no", {"error": "server_error", "apiErrorStatus": 529}, "overloaded"),
        ("API Error: 503 no", {"error": "unknown", "apiErrorStatus": 503}, "server_error"),
        ("API Error: 400 no", {"error": "unknown", "apiErrorStatus": 400}, "invalid_request"),
        ("You've hit your session limit", {"error": "rate_limit"}, "rate_limit"),
        ("Session limit reached ∙ resets 11pm", {"error": ABSENT}, "rate_limit"),
        ("Invalid API key · Please run /login", {"error": ABSENT}, "authentication_failed"),
        ("Request timed out", {"error": ABSENT}, "timeout"),
        ("Something new", {"error": ABSENT}, "unknown"),
    ],
)
def test_an_error_has_one_reason_in_every_version(
    words: str, fields: dict[str, Any], reason: str
) -> None:
    (found,) = told(session().user("hi").api_error(words, **fields))

    assert (found.kind, found.reason, found.detail) == ("error", reason, words)


def test_a_long_text_is_kept_in_part() -> None:
    (found,) = told(session().api_error("API Error: " + "x" * 1000))

    assert found.detail is not None
    assert len(found.detail) == 200


def test_a_made_up_answer_that_is_no_error_is_no_trouble() -> None:
    assert told(session().user("hi").synthetic_answer()) == []


@pytest.mark.parametrize(
    ("error", "reason", "detail"),
    [
        ({"status": 524}, "server_error", "status 524"),
        ({"status": 429, "error": {"message": "slow down"}}, "rate_limit", "slow down"),
        ({"cause": {"code": "ECONNRESET", "errno": 0}}, "connection", "ECONNRESET"),
        ({"error": {"error": {"type": "overloaded_error"}}}, "overloaded", None),
        ({}, "unknown", None),
        ("odd", "unknown", None),
    ],
)
def test_a_retry_finds_its_reason_in_an_error_of_any_shape(
    error: object, reason: str, detail: str | None
) -> None:
    (found,) = told(session().system("api_error", error=error, retryAttempt=1))

    assert found == AnswerFailure("retry", reason, detail)


OVERLOADED = '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (f"API Error: 529 {OVERLOADED}", "API Error: 529 Overloaded"),
        (f"API Error: 401 {OVERLOADED} · Run /login", "API Error: 401 Overloaded · Run /login"),
        ('API Error: 500 {"detail":"odd"}', 'API Error: 500 {"detail":"odd"}'),
        ("API Error: 400 {torn", "API Error: 400 {torn"),
        ("API Error: Overloaded", "API Error: Overloaded"),
    ],
)
def test_an_error_is_told_by_the_words_in_its_json(written: str, said: str) -> None:
    assert phrase_api_error(written) == said


def test_beginnings_of_errors_without_end_are_read_at_once() -> None:
    written = "API Error: 500 {" * 60_000
    started = process_time()

    assert phrase_api_error(written) == written

    assert process_time() - started < 1


def test_an_interruption_is_of_a_tool_or_of_the_answer() -> None:
    assert describe_interruption("[Request interrupted by user for tool use]").reason == "tool"
    assert describe_interruption("[Request interrupted by user]").reason == "answer"


@pytest.mark.parametrize(
    "text",
    [
        "The user doesn't want to proceed with this tool use. The tool use was rejected",
        "The user doesn't want to take this action right now.",
        "[Request interrupted by user for tool use]",
        "Exit code 137\n[Request interrupted by user for tool use]",
        "Claude requested permissions to use Bash, but you haven't granted it yet.",
        "Permission to use Bash with command rm has been denied.",
        "PreToolUse:Write hook error: [guard.py]: no",
        "Write operation blocked by hook:\n- [guard.py]: no",
    ],
)
def test_what_was_not_allowed_was_refused(text: str) -> None:
    assert is_refusal(text)


@pytest.mark.parametrize(
    "text", ["Exit code 1\nThe user doesn't want to", "permission denied", "File does not exist."]
)
def test_what_went_wrong_by_itself_was_not_refused(text: str) -> None:
    assert not is_refusal(text)
