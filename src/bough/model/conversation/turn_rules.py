"""Which turn a record goes to.

Lines of the model's messages and the results of its calls run together until somebody
else speaks. A line of the client's own joins the turn it stands in, except for a
compaction and a command, which are turns themselves. Whether a record starts a turn
depends on nothing but the kind of the turn before it, so turns can be counted without
being told.
"""

from collections.abc import Callable, Container, Iterable

from msgspec import Struct

from bough.model.interpret.notes import Note, note_of
from bough.model.interpret.user_records import Said, said, said_beside
from bough.records.blocks import Text, ToolResult
from bough.records.decode import message_of
from bough.records.record import BadLine, Record
from bough.records.types import Assistant, Attachment, QueueOperation, System, Unknown, User

Item = Record | BadLine

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
_BY_A_PERSON = frozenset({"prompt", "command", "shell", "queued"})
_NOTHING: frozenset[str] = frozenset()
_ASSISTANT = frozenset({"assistant"})
_ONLY_RESULTS = frozenset({ToolResult})
_ANY = frozenset(KINDS) - {"bad_line"}


class Place(Struct, frozen=True, gc=False):
    """Where a record goes: to the last turn if its kind is among `joins`, else to a new one.

    `said` is what a user record is, `note` how a line of the client's own is shown.
    """

    kind: str
    joins: frozenset[str] = _NOTHING
    said: Said | None = None
    note: Note | None = None


_PLACES = {
    meaning: Place(kind, joins, meaning)
    for meaning, kind, joins in (
        (Said.PROMPT, "prompt", _NOTHING),
        (Said.COMMAND, "command", _NOTHING),
        (Said.SHELL, "shell", _NOTHING),
        (Said.RESULT, "assistant", _ASSISTANT),
        (Said.COMMAND_OUTPUT, "notice", frozenset({"command"})),
        (Said.SHELL_OUTPUT, "notice", frozenset({"shell"})),
        (Said.INTERRUPT, "notice", _NOTHING),
        (Said.NOTICE, "notice", _NOTHING),
        (Said.SUMMARY, "compaction", frozenset({"compaction"})),
        (Said.HOOK, "hook", _NOTHING),
        (Said.META, "meta", _NOTHING),
    )
}
_BAD_LINE = Place("bad_line")
_ANSWER = Place("assistant", _ASSISTANT)
_ERROR = Place("error")
_MADE_UP = Place("notice")


def place_of(item: Item) -> Place | None:
    """Tell where a record goes; None where there is nothing of it to show."""
    match item:
        case BadLine():
            return None if item.blank else _BAD_LINE
        case Assistant():
            return _place_of_answer(item)
        case User():
            return _place_of_user(item)
        case System() | Attachment() | QueueOperation() | Unknown():
            return _place_of_note(note_of(item))
        case _:
            return None


def only_results(record: User) -> bool:
    """Tell whether a record holds results and nothing else; such a one ends no turn."""
    return _ONLY_RESULTS.issuperset(map(type, message_of(record).blocks))


def answered(item: Item) -> list[str]:
    """List the calls whose results a record holds."""
    if not isinstance(item, User):
        return []
    return [b.tool_use_id for b in message_of(item).blocks if isinstance(b, ToolResult)]


def count_turns(items: Iterable[Item], called: Callable[[], Container[str]]) -> tuple[int, int]:
    """Count the turns that `tell` would make, and those of them that a person began.

    `called` gives the calls that are known.
    """
    count, prompts, last, early = 0, 0, "", False
    for item in items:
        place = place_of(item)
        if place is None or last in place.joins:
            continue
        if place.said is Said.RESULT and any(c in called() for c in answered(item)):
            early = True  # its place is beside its call, wherever that stands
            continue
        count += 1
        last = place.kind
        prompts += last in _BY_A_PERSON
    return count or int(early), prompts


def _place_of_answer(record: Assistant) -> Place:
    if message_of(record).model != SYNTHETIC:
        return _ANSWER
    return _ERROR if record.is_api_error_message else _MADE_UP


def _place_of_user(record: User) -> Place:
    meaning = said(record)
    if meaning is not Said.RESULT or only_results(record):
        return _PLACES[meaning]
    text = next((b.text for b in message_of(record).blocks if isinstance(b, Text)), "")
    return _PLACES[Said.META] if record.is_meta else _PLACES[said_beside(text)]


def _place_of_note(note: Note | None) -> Place | None:
    if note is None:
        return None
    if not note.ends_turn:
        return Place(note.kind, _ANY, note=note)
    return Place(note.kind, frozenset({note.joins}) if note.joins else _NOTHING, note=note)
