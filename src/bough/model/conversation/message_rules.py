"""Which message a record goes to.

All lines of the model and the results of its calls run together until somebody
else speaks. A line of the client's own joins the message it stands in, except for a
compaction and a command, which are messages themselves. Whether a record starts a message
depends on nothing but the kind of the message before it, so messages can be counted without
being told.
"""

from collections.abc import Callable, Container, Iterable

from msgspec import Struct

from bough.model.interpret.notes import Note, note_of
from bough.model.interpret.user_records import (
    UserRecordKind,
    classify_text_beside_result,
    classify_user_record,
)
from bough.records.blocks import Text, ToolResult
from bough.records.decode import message_of
from bough.records.record import BadLine, Record
from bough.records.types import Assistant, Attachment, QueueOperation, System, Unknown, User

TranscriptItem = Record | BadLine

SYNTHETIC = "<synthetic>"
"""The model of messages that the client itself wrote."""

KINDS = (
    "prompt",
    "assistant",
    "command",
    "shell",
    "notice",
    "compaction",
    "queued",
    "hook",
    "error",
    "bad_line",
    "meta",
)
_PERSON_KINDS = frozenset({"prompt", "command", "shell", "queued"})
_NOTHING: frozenset[str] = frozenset()
_ASSISTANT = frozenset({"assistant"})
_ONLY_RESULTS = frozenset({ToolResult})
_ANY = frozenset(KINDS) - {"bad_line"}


class MessageRule(Struct, frozen=True, gc=False):
    """Where a record goes: to the last message if its kind is among `joins`, else to a new one.

    `classify_user_record` is what a user record is, `note` how a line of the client's own is shown.
    """

    kind: str
    joins: frozenset[str] = _NOTHING
    user_kind: UserRecordKind | None = None
    note: Note | None = None


_RULES = {
    meaning: MessageRule(kind, joins, meaning)
    for meaning, kind, joins in (
        (UserRecordKind.PROMPT, "prompt", _NOTHING),
        (UserRecordKind.COMMAND, "command", _NOTHING),
        (UserRecordKind.SHELL, "shell", _NOTHING),
        (UserRecordKind.RESULT, "assistant", _ASSISTANT),
        (UserRecordKind.COMMAND_OUTPUT, "notice", frozenset({"command"})),
        (UserRecordKind.SHELL_OUTPUT, "notice", frozenset({"shell"})),
        (UserRecordKind.INTERRUPT, "notice", _NOTHING),
        (UserRecordKind.NOTICE, "notice", _NOTHING),
        (UserRecordKind.SUMMARY, "compaction", frozenset({"compaction"})),
        (UserRecordKind.HOOK, "hook", _NOTHING),
        (UserRecordKind.META, "meta", _NOTHING),
    )
}
_BAD_LINE = MessageRule("bad_line")
_ANSWER = MessageRule("assistant", _ASSISTANT)
_ERROR = MessageRule("error")
_SYNTHETIC_ANSWER = MessageRule("notice")


def rule_for(item: TranscriptItem) -> MessageRule | None:
    """Tell where a record goes; None where there is nothing of it to show."""
    match item:
        case BadLine():
            return None if item.blank else _BAD_LINE
        case Assistant():
            return _rule_for_answer(item)
        case User():
            return _rule_for_user(item)
        case System() | Attachment() | QueueOperation() | Unknown():
            return _rule_for_note(note_of(item))
        case _:
            return None


def has_only_results(record: User) -> bool:
    """Tell whether a record holds results and nothing else; such a one ends no message."""
    return _ONLY_RESULTS.issuperset(map(type, message_of(record).blocks))


def list_answered_calls(item: TranscriptItem) -> list[str]:
    """List the calls whose results a record holds."""
    if not isinstance(item, User):
        return []
    return [b.tool_use_id for b in message_of(item).blocks if isinstance(b, ToolResult)]


def count_messages(
    items: Iterable[TranscriptItem], called: Callable[[], Container[str]]
) -> tuple[int, int]:
    """Count the messages that `build_messages` would make, and those of them that a person began.

    `called` gives the calls that are known.
    """
    count, prompts, last, early = 0, 0, "", False
    for item in items:
        place = rule_for(item)
        if place is None or last in place.joins:
            continue
        if place.user_kind is UserRecordKind.RESULT and any(
            c in called() for c in list_answered_calls(item)
        ):
            early = True  # its place is beside its call, wherever that stands
            continue
        count += 1
        last = place.kind
        prompts += last in _PERSON_KINDS
    return count or int(early), prompts


def _rule_for_answer(record: Assistant) -> MessageRule:
    if message_of(record).model != SYNTHETIC:
        return _ANSWER
    return _ERROR if record.is_api_error_message else _SYNTHETIC_ANSWER


def _rule_for_user(record: User) -> MessageRule:
    meaning = classify_user_record(record)
    if meaning is not UserRecordKind.RESULT or has_only_results(record):
        return _RULES[meaning]
    text = next((b.text for b in message_of(record).blocks if isinstance(b, Text)), "")
    return (
        _RULES[UserRecordKind.META] if record.is_meta else _RULES[classify_text_beside_result(text)]
    )


def _rule_for_note(note: Note | None) -> MessageRule | None:
    if note is None:
        return None
    if not note.ends_message:
        return MessageRule(note.kind, _ANY, note=note)
    return MessageRule(note.kind, frozenset({note.joins}) if note.joins else _NOTHING, note=note)
