"""What a record is, decided once: state, events, rows and groups of messages all ask here.

A user record is one of `UserRecordKind`; every other record is one of `ClientRecordKind`.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import Any, Final

from bough.model.interpret.message_kinds import SYNTHETIC
from bough.model.interpret.notes import extract_queued_text, extract_text
from bough.model.interpret.user_records import (
    UserRecordKind,
    classify_user_record,
    is_task_notice,
    parse_slash_command,
)
from bough.records.decode import attachment_of, message_of
from bough.records.record import Record
from bough.records.types import Assistant, Attachment, QueueOperation, System, User


class ClientRecordKind(StrEnum):
    """What a record is that is no user record.

    `QUEUED` is a prompt that waits, `SENT_FROM_QUEUE` the same when Claude got it.
    """

    ANSWER = "answer"
    SYNTHETIC = "synthetic"
    API_ERROR = "api_error"
    RETRY = "retry"
    QUEUED = "queued"
    SENT_FROM_QUEUE = "sent_from_queue"
    TASK_NOTICE = "task_notice"
    COMMAND = "command"
    COMMAND_OUTPUT = "command_output"
    COMPACTION = "compaction"
    TURN_DURATION = "turn_duration"
    HOOKS_RAN = "hooks_ran"
    HOOKS_STOPPED = "hooks_stopped"
    FAILED_HOOK = "failed_hook"
    INFORMATION = "information"
    OTHER = "other"


RecordKind = UserRecordKind | ClientRecordKind


def classify_record(record: Record) -> RecordKind:
    """Tell what a record is."""
    classify = _CLASSIFIERS.get(type(record))
    return classify(record) if classify is not None else ClientRecordKind.OTHER


def _classify_answer(record: Assistant) -> ClientRecordKind:
    if record.is_api_error_message:
        return ClientRecordKind.API_ERROR
    if message_of(record).model == SYNTHETIC:
        return ClientRecordKind.SYNTHETIC
    return ClientRecordKind.ANSWER


def _classify_system(record: System) -> ClientRecordKind:
    if record.subtype == "local_command":
        command = parse_slash_command(extract_text(record.content_json))
        return ClientRecordKind.COMMAND_OUTPUT if command is None else ClientRecordKind.COMMAND
    if record.subtype == "stop_hook_summary" and record.prevented_continuation:
        return ClientRecordKind.HOOKS_STOPPED
    return _SUBTYPES.get(record.subtype or "", ClientRecordKind.OTHER)


def _classify_attachment(record: Attachment) -> ClientRecordKind:
    data = attachment_of(record)
    if data.type == "queued_command":
        is_task = data.command_mode == "task-notification"
        return ClientRecordKind.TASK_NOTICE if is_task else ClientRecordKind.SENT_FROM_QUEUE
    return ClientRecordKind.FAILED_HOOK if data.type in _BAD_HOOKS else ClientRecordKind.OTHER


def _classify_queue(record: QueueOperation) -> ClientRecordKind:
    text = extract_queued_text(record)
    if not text:
        return ClientRecordKind.OTHER
    return ClientRecordKind.TASK_NOTICE if is_task_notice(text) else ClientRecordKind.QUEUED


_BAD_HOOKS: Final = frozenset({"hook_blocking_error", "hook_non_blocking_error", "hook_cancelled"})
_SUBTYPES: Final = {
    "api_error": ClientRecordKind.RETRY,
    "compact_boundary": ClientRecordKind.COMPACTION,
    "informational": ClientRecordKind.INFORMATION,
    "stop_hook_summary": ClientRecordKind.HOOKS_RAN,
    "turn_duration": ClientRecordKind.TURN_DURATION,
}
# A table: this is asked of every line.
_CLASSIFIERS: Final[dict[type[Record], Callable[[Any], RecordKind]]] = {
    Assistant: _classify_answer,
    User: classify_user_record,
    System: _classify_system,
    Attachment: _classify_attachment,
    QueueOperation: _classify_queue,
}
