"""Which message a record goes to.

All lines of the model and the results of its calls run together until somebody
else speaks. A line of the client's own joins the message it stands in, except for a
compaction and a command, which are messages themselves. Whether a record starts a message
depends on nothing but the kind of the message before it, so messages can be counted without
being built.

What begins a turn is decided here too, and nowhere else: a message that a person sent. Words
of Claude after a compaction, another answer to the same prompt, notices and prompts that say
nothing begin none.
"""

from collections.abc import Callable, Container, Iterable

from msgspec import Struct

from bough.model.interpret.message_kinds import PERSON_KINDS, SYNTHETIC, MessageKind
from bough.model.interpret.notes import Note, note_of
from bough.model.interpret.user_records import (
    UserRecordKind,
    classify_text_beside_result,
    classify_user_record,
    label_prompt,
)
from bough.records.blocks import Text, ToolResult
from bough.records.decode import message_of
from bough.records.record import BadLine, Record
from bough.records.types import Assistant, Attachment, QueueOperation, System, Unknown, User

TranscriptItem = Record | BadLine

_NOTHING: frozenset[MessageKind] = frozenset()
_ASSISTANT = frozenset({MessageKind.ASSISTANT})
_ONLY_RESULTS = frozenset({ToolResult})
_ANY = frozenset(MessageKind) - {MessageKind.BAD_LINE}


class MessageRule(Struct, frozen=True, gc=False):
    """Where a record goes: to the last message if its kind is among `joins`, else to a new one.

    `user_kind` is what a user record is, `note` how a line of the client's own is shown.
    """

    kind: MessageKind
    joins: frozenset[MessageKind] = _NOTHING
    user_kind: UserRecordKind | None = None
    note: Note | None = None

    @property
    def begins_turn(self) -> bool:
        """Tell whether a record with this rule begins a turn."""
        return self.kind in PERSON_KINDS


_RULES = {
    meaning: MessageRule(kind, joins, meaning)
    for meaning, kind, joins in (
        (UserRecordKind.PROMPT, MessageKind.PROMPT, _NOTHING),
        (UserRecordKind.COMMAND, MessageKind.COMMAND, _NOTHING),
        (UserRecordKind.SHELL, MessageKind.SHELL, _NOTHING),
        (UserRecordKind.RESULT, MessageKind.ASSISTANT, _ASSISTANT),
        (UserRecordKind.COMMAND_OUTPUT, MessageKind.NOTICE, frozenset({MessageKind.COMMAND})),
        (UserRecordKind.SHELL_OUTPUT, MessageKind.NOTICE, frozenset({MessageKind.SHELL})),
        (UserRecordKind.INTERRUPT, MessageKind.NOTICE, _NOTHING),
        (UserRecordKind.NOTICE, MessageKind.NOTICE, _NOTHING),
        (UserRecordKind.SUMMARY, MessageKind.COMPACTION, frozenset({MessageKind.COMPACTION})),
        (UserRecordKind.HOOK, MessageKind.HOOK, _NOTHING),
        (UserRecordKind.META, MessageKind.META, _NOTHING),
    )
}
_BAD_LINE = MessageRule(MessageKind.BAD_LINE)
_ANSWER = MessageRule(MessageKind.ASSISTANT, _ASSISTANT)
_ERROR = MessageRule(MessageKind.ERROR)
_SYNTHETIC_ANSWER = MessageRule(MessageKind.NOTICE)


def rule_for(item: TranscriptItem) -> MessageRule | None:
    """Tell where a record goes; None where there is nothing of it to show."""
    match item:
        case Assistant():
            return _rule_for_answer(item)
        case User():
            return _rule_for_user(item)
        case System() | Attachment() | QueueOperation() | Unknown():
            return _rule_for_note(note_of(item))
        case BadLine():
            return None if item.blank else _BAD_LINE
        case _:
            return None


def turn_rule_for(item: TranscriptItem) -> MessageRule | None:
    """Give the rule of a record that begins a turn; None for all other records."""
    match item:
        case User() | QueueOperation():
            rule = rule_for(item)
        case System(subtype="local_command"):
            rule = rule_for(item)
        case Attachment() if b"queued_command" in item.raw:
            rule = rule_for(item)
        case _:
            return None
    return rule if rule is not None and rule.begins_turn else None


def list_turn_openers(items: Iterable[TranscriptItem]) -> list[Record]:
    """List the records that begin a turn, in their order: as many as `count_messages` counts."""
    return [
        item for item in items if not isinstance(item, BadLine) and turn_rule_for(item) is not None
    ]


def label_turn_opener(record: Record) -> str:
    """Give the words by which a turn is named: those that were sent."""
    rule = turn_rule_for(record)
    if rule is not None and rule.note is not None:
        return rule.note.text
    return label_prompt(record) if isinstance(record, User) else ""


def is_queued_prompt(record: Record) -> bool:
    """Tell whether a record is a prompt that was sent while Claude worked."""
    rule = turn_rule_for(record) if not isinstance(record, User) else None
    return rule is not None and rule.kind is MessageKind.QUEUED


def has_only_results(record: User) -> bool:
    """Tell whether a record holds results and nothing else; such a one ends no message."""
    return _ONLY_RESULTS.issuperset(map(type, message_of(record).blocks))


def list_answered_calls(item: TranscriptItem) -> list[str]:
    """List the calls whose results a record holds."""
    if not isinstance(item, User):
        return []
    return [b.tool_use_id for b in message_of(item).blocks if isinstance(b, ToolResult)]


class MessageCounts(Struct, frozen=True, gc=False):
    """The messages and turns counted so far, and what the next record needs to know of them.

    `is_early` says that a result came before its call, `last` is the kind of the last message.
    """

    messages: int = 0
    turns: int = 0
    is_early: bool = False
    last: MessageKind | None = None

    @property
    def totals(self) -> tuple[int, int]:
        """Give the messages and the turns."""
        return self.messages or int(self.is_early), self.turns


NO_MESSAGES = MessageCounts()


def count_messages(
    items: Iterable[TranscriptItem],
    called: Callable[[], Container[str]],
    before: MessageCounts = NO_MESSAGES,
) -> MessageCounts:
    """Count the messages that `build_messages` would make, and the turns they begin.

    `called` gives the calls that are known; `before` is what was counted on the way here.
    """
    count, turns, early, last = before.messages, before.turns, before.is_early, before.last
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
        turns += place.begins_turn
    return MessageCounts(count, turns, early, last)


def _rule_for_answer(record: Assistant) -> MessageRule:
    if message_of(record).model != SYNTHETIC:
        return _ANSWER
    return _ERROR if record.is_api_error_message else _SYNTHETIC_ANSWER


def _rule_for_user(record: User) -> MessageRule:
    meaning = classify_user_record(record)
    if meaning is not UserRecordKind.RESULT or has_only_results(record):
        return _RULES[meaning]
    texts = (b.text for b in message_of(record).blocks if isinstance(b, Text))
    text = next((text for text in texts if text.strip()), "")
    if record.is_meta or not text:
        return _RULES[UserRecordKind.META]
    return _RULES[classify_text_beside_result(text)]


def _rule_for_note(note: Note | None) -> MessageRule | None:
    if note is None:
        return None
    if not note.ends_message:
        return MessageRule(note.kind, _ANY, note=note)
    return MessageRule(note.kind, frozenset({note.joins}) if note.joins else _NOTHING, note=note)
