"""Notes: lines of the client's own, and what each is to a reader.

System lines, attachments and the queue are not talk; they are shown where they stand,
folded, under the name of what they are.
"""

from typing import Any, Final

from msgspec import Raw, Struct

from bough.model.interpret.message_kinds import BlockType, MessageKind
from bough.model.interpret.user_records import is_task_notice, parse_slash_command, strip_tags
from bough.model.text.formats import base_name_of, format_duration
from bough.records.decode import attachment_of, decode_plain
from bough.records.types import Attachment, AttachmentData, QueueOperation, System, Unknown

_DEEPEST = 20
# What the client calls these says nothing to a reader.
_PLAIN_LABELS: Final = {
    "agent_listing_delta": "agents on offer",
    "compact_file_reference": "file known before the compaction",
    "deferred_tools_delta": "tools to load on demand",
    "edited_text_file": "file changed outside the client",
    "mcp_instructions_delta": "instructions of MCP servers",
    "skill_listing": "skills on offer",
    "total_tokens_reminder": "context that is left",
}
_HOOK_OUTCOMES: Final = {
    "success": "ok",
    "non_blocking_error": "failed",
    "error_during_execution": "failed",
    "blocking_error": "stopped this",
    "additional_context": "added to the context",
    "system_message": "said",
}
_HEADLINE_FIELDS = frozenset({"type", "filename", "displayPath", "path", "content"})


class Note(Struct, frozen=True, gc=False):
    """How to show a line: as a block of the running message, or as a message of its own.

    `kind` is the message it makes when it stands alone, `joins` the kind of message it belongs to
    when it ends a message but goes on with the one before. A try that failed is a `retry`.
    """

    kind: MessageKind
    block: BlockType
    text: str
    ends_message: bool = False
    joins: MessageKind | None = None
    retry: "RetryNote | None" = None


class RetryNote(Struct, frozen=True, gc=False):
    """One try of the client to get an answer, of which it said that it failed."""

    reason: str
    number: float
    most: float | None

    def describe_since(self, first: float) -> str:
        """Say in one line that these tries failed, from the first to this one."""
        tries = f"tries {first:.0f} to" if first < self.number else "try"
        of = "" if self.most is None else f" of {self.most:.0f}"
        return f"Claude could not answer: {self.reason}; {tries} {self.number:.0f}{of}"


def note_of(record: System | Attachment | QueueOperation | Unknown) -> Note | None:
    """Tell how a line is shown; None where it has nothing to show."""
    match record:
        case System():
            return _note_of_system(record)
        case Attachment():
            return _note_of_attachment(record)
        case QueueOperation():
            return _note_of_queue(record)
        case Unknown():
            name = f"`{record.type}`" if record.type else "without a type"
            text = f"A kind of record bough does not know: {name}"
            return Note(MessageKind.META, BlockType.NOTE, text) if record.uuid else None


def extract_queued_text(record: QueueOperation) -> str:
    """Give the text that was put into the queue, empty where there is none."""
    return extract_text(record.content_json)


def extract_attached_prompt(data: AttachmentData) -> str:
    """Give the prompt a queued_command attachment carries."""
    return extract_text(data.prompt_json)


def extract_text(raw: Raw) -> str:
    """Give the words in a piece of JSON: a text, or blocks with text in them."""
    return _collect_words(decode_plain(raw))


def _collect_words(value: Any, depth: int = 0) -> str:
    """Put the words of any JSON into lines; `depth` keeps a hostile nest from our stack."""
    if isinstance(value, str):
        return value
    if value is None or depth > _DEEPEST:
        return ""
    if isinstance(value, list):
        return "\n".join(word for item in value if (word := _collect_words(item, depth + 1)))
    if isinstance(value, dict):
        return _collect_object_words(value, depth)
    return str(value)


def _collect_object_words(value: dict[str, Any], depth: int) -> str:
    if isinstance(text := value.get("text"), str):
        return text
    if value.get("type") == "image":
        return "Image"
    if "content" in value:
        return _collect_words(value["content"], depth + 1)
    return _collect_fields(value, depth)


def _collect_fields(value: dict[str, Any], depth: int = 0) -> str:
    fields = ((key, _collect_words(item, depth + 1)) for key, item in value.items())
    return "\n".join(f"{key}: {words}" for key, words in fields if words)


def _note_of_system(record: System) -> Note | None:
    text = extract_text(record.content_json)
    match record.subtype:
        case "compact_boundary":
            return Note(
                MessageKind.COMPACTION,
                BlockType.COMPACTION,
                _describe_compaction(record, text),
                ends_message=True,
            )
        case "local_command":
            return _note_of_local_command(text)
        case "stop_hook_summary":
            return Note(MessageKind.HOOK, BlockType.HOOK, _describe_stop_hooks(record))
        case "api_error":
            return _note_of_api_error(record, text)
        case _ if text:
            return Note(MessageKind.NOTICE, BlockType.NOTE, text)
        case _:
            return None


def _describe_compaction(boundary: System, text: str) -> str:
    """Say who compacted, and what the model still knew word for word afterwards."""
    about = boundary.compact_metadata
    if about is None:
        return text
    trigger = {"auto": "automatically", "manual": "by you"}.get(about.trigger or "")
    facts = [trigger] if trigger else []
    if about.pre_tokens is not None:
        after = "" if about.post_tokens is None else f", {about.post_tokens:,.0f} after"
        facts.append(f"{about.pre_tokens:,.0f} tokens before{after}")
    if about.preserved_messages is not None and about.preserved_messages.uuids:
        facts.append(f"{len(about.preserved_messages.uuids)} messages kept as they were")
    return "\n".join(part for part in (text, "; ".join(facts)) if part)


def _note_of_local_command(text: str) -> Note:
    command = parse_slash_command(text)
    if command is not None:
        return Note(MessageKind.COMMAND, BlockType.TEXT, command.text, ends_message=True)
    return Note(
        MessageKind.NOTICE,
        BlockType.OUTPUT,
        strip_tags(text),
        ends_message=True,
        joins=MessageKind.COMMAND,
    )


def _describe_stop_hooks(record: System) -> str:
    # Hooks of a program have no command of their own: all are called callback. Hooks run side
    # by side, so of those with one name the slowest is how long they took.
    slowest: dict[str, float | None] = {}
    for hook in record.hook_infos or ():
        if hook.command:
            known = slowest.get(hook.command)
            slowest[hook.command] = max(filter(None, (known, hook.duration_ms)), default=None)
    errors = _collect_words(decode_plain(record.hook_errors_json))
    if slowest and not errors and not record.prevented_continuation:
        return "; ".join(_describe_fine_hook(name, took) for name, took in slowest.items())
    # Whose an error is, and who stopped this, is mostly not told.
    stopped = f" stopped this: {record.stop_reason}" if record.prevented_continuation else ""
    return f"{', '.join(slowest) or 'Stop hooks'}{stopped}" + (f"\n{errors}" if errors else "")


def _describe_fine_hook(name: str, took: float | None) -> str:
    return f"{name}: ok" + ("" if took is None else f", {format_duration(took / 1000)}")


def _note_of_api_error(record: System, text: str) -> Note:
    reason = text or find_error_message(decode_plain(record.error_json)) or "unknown error"
    if record.retry_attempt is None:
        words = f"Claude could not answer: {reason}"
        return Note(MessageKind.ERROR, BlockType.ERROR, words)
    failed = RetryNote(reason, record.retry_attempt, record.max_retries)
    words = failed.describe_since(failed.number)
    return Note(MessageKind.ERROR, BlockType.ERROR, words, retry=failed)


def find_error_message(error: Any) -> str:
    """Find the message and the status in an error of any of its many shapes."""
    message, status = "", None
    while isinstance(error, dict):
        words = error.get("message") or error.get("formatted")
        message = message or (words if isinstance(words, str) else "")
        status = status if isinstance(status, int) else error.get("status")
        error = error.get("error") or error.get("cause")
    message = message or (error if isinstance(error, str) else "")
    if not isinstance(status, int):
        return message
    return f"{message} ({status})" if message else f"status {status}"


def _note_of_attachment(record: Attachment) -> Note:
    data = attachment_of(record)
    if data.type == "queued_command":
        text = extract_attached_prompt(data)
        if data.command_mode == "task-notification":
            return Note(MessageKind.NOTICE, BlockType.TEXT, text, ends_message=True)
        return Note(MessageKind.QUEUED, BlockType.TEXT, text, ends_message=True)
    if data.type.startswith("hook_"):
        return Note(MessageKind.HOOK, BlockType.HOOK, _describe_hook(data))
    place = data.filename or data.display_path or data.path or ""
    if data.type == "opened_file_in_ide" and place:
        return Note(
            MessageKind.META, BlockType.NOTE, f"Opened {base_name_of(place)} in the editor\n{place}"
        )
    label = _PLAIN_LABELS.get(data.type) or data.type.replace("_", " ") or "attachment"
    head = f"{label}: {place}" if place else label
    words = (
        extract_text(data.content_json)
        or data.snippet
        or data.stdout
        or _collect_other_fields(record)
    )
    return Note(MessageKind.META, BlockType.NOTE, f"{head}\n{words}" if words else head)


def _collect_other_fields(record: Attachment) -> str:
    """Give whatever else an attachment holds, so that none is shown as its name alone."""
    value = decode_plain(record.attachment_json)
    if not isinstance(value, dict):
        return _collect_words(value)
    return _collect_fields(
        {key: item for key, item in value.items() if key not in _HEADLINE_FIELDS}
    )


def _describe_hook(data: AttachmentData) -> str:
    why = decode_plain(data.blocking_error_json)
    command = data.command
    if isinstance(why, dict):
        # Its command stands there only, beside the words that Claude was given.
        command, why = command or why.get("command"), why.get("blockingError") or why
    name = command or data.hook_name or data.hook_event or "Hook"
    kind = data.type.removeprefix("hook_")
    outcome = _HOOK_OUTCOMES.get(kind, kind.replace("_", " "))
    code = f", exit {data.exit_code:.0f}" if data.exit_code else ""
    parts = [extract_text(data.content_json), data.stdout, data.stderr]
    parts.append(_collect_words(why))
    rest = "\n".join(dict.fromkeys(p.strip() for p in parts if p and p.strip()))
    return f"{name}: {outcome}{code}" + (f"\n{rest}" if rest else "")


def _note_of_queue(record: QueueOperation) -> Note | None:
    text = extract_queued_text(record)
    if not text:
        return None
    if is_task_notice(text):
        return Note(MessageKind.NOTICE, BlockType.TEXT, text, ends_message=True)
    return Note(MessageKind.QUEUED, BlockType.TEXT, text, ends_message=True)
