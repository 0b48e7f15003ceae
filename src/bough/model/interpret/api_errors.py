"""Troubles: answers that did not come, tries that were repeated, interruptions, refusals.

The clients have named their errors since 2.0.74, and call many of them "unknown"; before,
only the text of a made-up answer tells. The reason given here is the same word for the
same cause in every version.
"""

import re
from typing import Any

from msgspec import Struct

from bough.model.interpret.notes import extract_text, find_error_message
from bough.records.blocks import Text
from bough.records.decode import decode_plain, message_of
from bough.records.record import Record
from bough.records.types import Assistant, System

ERROR, RETRY, INTERRUPTED = "error", "retry", "interrupted"
_LONGEST = 200
_UNKNOWN = "unknown"

_BY_STATUS = {
    400: "invalid_request",
    401: "authentication_failed",
    402: "billing_error",
    403: "authentication_failed",
    404: "not_found",
    413: "too_large",
    429: "rate_limit",
    529: "overloaded",
}
_BY_TYPE = {
    "invalid_request_error": "invalid_request",
    "authentication_error": "authentication_failed",
    "permission_error": "authentication_failed",
    "billing_error": "billing_error",
    "not_found_error": "not_found",
    "request_too_large": "too_large",
    "rate_limit_error": "rate_limit",
    "overloaded_error": "overloaded",
    "api_error": "server_error",
    "timeout_error": "timeout",
}
_STATUS = re.compile(r"API Error: (\d{3})\b")
_BEFORE_JSON = re.compile(r"API Error: \d{3} (?=\{)")
_TYPE = re.compile(r'"type":\s*"(\w+)"')
_BY_WORDS = (
    (re.compile(r"limit reached|hit your .*limit|usage limit", re.IGNORECASE), "rate_limit"),
    (re.compile(r"invalid api key|not logged in|/login", re.IGNORECASE), "authentication_failed"),
    (re.compile(r"credit balance", re.IGNORECASE), "billing_error"),
    (re.compile(r"timed out|timeout", re.IGNORECASE), "timeout"),
    (re.compile(r"connection error|econnre|fetch failed", re.IGNORECASE), "connection"),
    (re.compile(r"prompt is too long", re.IGNORECASE), "too_large"),
    (re.compile(r"unable to respond to this request", re.IGNORECASE), "refusal"),
)
_REFUSED = re.compile(
    r"The user doesn't want to |User (?:rejected|declined|wants to clarify)"
    r"|The agent proposed a plan that was rejected|(?:Exit code \d+\n)?\[Request interrupted"
    r"|Claude requested permissions to |Permission to use |Exit plan mode\?$"
    r"|\w+(?::\S+)? hook error: |\w+ operation blocked by hook:"
)


class AnswerFailure(Struct, frozen=True):
    """One thing that went wrong: what it was, why, and the client's words for it."""

    kind: str
    reason: str
    detail: str | None = None


def find_failure(record: Record) -> AnswerFailure | None:
    """Tell what went wrong, where a record says that the API did not answer."""
    # Fast path: an answer, 0.05 us instead of 0.5; nearly all that are asked about are answers.
    if type(record) is Assistant and not record.is_api_error_message:
        return None
    match record:
        case Assistant(is_api_error_message=True):
            text = " ".join(b.text for b in message_of(record).blocks if isinstance(b, Text))
            status = decode_plain(record.api_error_status_json)
            return AnswerFailure(
                ERROR,
                _choose_reason(decode_plain(record.error_json), status, text),
                text[:_LONGEST] or None,
            )
        case System(subtype="api_error"):
            error = decode_plain(record.error_json) or decode_plain(record.cause_json)
            text = extract_text(record.content_json)
            return AnswerFailure(RETRY, *_read_retry(error, text))
        case _:
            return None


def phrase_api_error(text: str) -> str:
    """Give what the API said by its words, where the client wrote all of its JSON."""
    found = _BEFORE_JSON.search(text)
    if found is None:
        return text
    start, end = found.end(), text.rfind("}") + 1
    said = find_error_message(decode_plain(text[start:end].encode("utf-8", "replace")))
    return f"{text[:start]}{said}{text[end:]}" if said else text


def describe_interruption(text: str) -> AnswerFailure:
    """Tell what a person interrupted: a running tool, or Claude's answer."""
    return AnswerFailure(INTERRUPTED, "tool" if "for tool use" in text else "answer")


def is_refusal(text: str) -> bool:
    """Tell whether a failed result says that the call was not allowed, or stopped by hand."""
    return _REFUSED.match(text) is not None


def _choose_reason(named: Any, status: Any, text: str) -> str:
    """Choose the word for an error: the exactest of its status, its name and its text."""
    if not isinstance(status, int):
        found = _STATUS.search(text)
        status = int(found[1]) if found else 0
    if status == 529:
        return _BY_STATUS[status]
    if isinstance(named, str) and named and named != _UNKNOWN:
        return named
    by_type = (_BY_TYPE[name] for name in _TYPE.findall(text) if name in _BY_TYPE)
    by_words = (reason for words, reason in _BY_WORDS if words.search(text))
    return next(by_type, None) or _reason_of_status(status) or next(by_words, _UNKNOWN)


def _reason_of_status(status: int) -> str | None:
    return _BY_STATUS.get(status) or ("server_error" if 500 <= status <= 599 else None)


def _read_retry(error: Any, text: str) -> tuple[str, str | None]:
    """Find the reason for another try in an error of any of its many shapes."""
    status, code, message = 0, "", text
    named: str | None = None
    while isinstance(error, dict):
        if isinstance(error.get("status"), int):
            status = error["status"]
        named = _BY_TYPE.get(_text_or_empty(error.get("type")), named)
        code = code or _text_or_empty(error.get("code"))
        message = (
            message
            or _text_or_empty(error.get("message"))
            or _text_or_empty(error.get("formatted"))
        )
        error = error.get("error") or error.get("cause")
    detail = message or code or (f"status {status}" if status else None)
    reason = _reason_of_status(status) or _choose_reason(named, status, message)
    if reason == _UNKNOWN and code:
        reason = "connection"
    return reason, detail[:_LONGEST] if detail else None


def _text_or_empty(value: Any) -> str:
    return value if isinstance(value, str) else ""
