"""What a user record is: most are not something a person typed.

The clients send everything through `user` records: prompts, tool results, echoes of
commands, notices, text they inject themselves. Which is which shows only in the opening
of the text and in a few flags (docs/format.md, user).
"""

import re
from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from bough.model.interpret.message_kinds import PERSON_KINDS
from bough.records.blocks import AnyBlock, Document, Image, Text, ToolResult
from bough.records.decode import message_of
from bough.records.types import User


class UserRecordKind(StrEnum):
    """What a user record turns out to be."""

    PROMPT = "prompt"
    COMMAND = "command"
    SHELL = "shell"
    RESULT = "result"
    COMMAND_OUTPUT = "command_output"
    SHELL_OUTPUT = "shell_output"
    INTERRUPT = "interrupt"
    NOTICE = "notice"
    SUMMARY = "summary"
    HOOK = "hook"
    META = "meta"


class SlashCommand(Struct, frozen=True):
    """A slash command as it was typed."""

    name: str
    args: str

    @property
    def text(self) -> str:
        """Give the command as a person would type it."""
        return f"{self.name} {self.args}".strip()


_REMINDER = "<system-reminder>"
_CAVEATS = ("<local-command-caveat>", "Caveat: The messages below")
_OPENINGS: tuple[tuple[str, UserRecordKind], ...] = (
    ("<command-name>", UserRecordKind.COMMAND),
    ("<command-message>", UserRecordKind.COMMAND),
    ("<local-command-stdout>", UserRecordKind.COMMAND_OUTPUT),
    ("<local-command-stderr>", UserRecordKind.COMMAND_OUTPUT),
    ("<bash-input>", UserRecordKind.SHELL),
    ("<bash-stdout>", UserRecordKind.SHELL_OUTPUT),
    ("<bash-stderr>", UserRecordKind.SHELL_OUTPUT),
    ("[Request interrupted by user", UserRecordKind.INTERRUPT),
    ("<task-notification>", UserRecordKind.NOTICE),
    ("Unknown skill:", UserRecordKind.NOTICE),
    ("Unknown slash command:", UserRecordKind.NOTICE),
    ("Stop hook feedback:", UserRecordKind.HOOK),
    *((opening, UserRecordKind.META) for opening in _CAVEATS),
    (_REMINDER, UserRecordKind.META),
)
_HOOK = re.compile(r"<[a-z]+(?:-[a-z]+)*-hook>")
_TAG = re.compile(r"\s*<(command-[a-z]+)>(.*?)(?:</\1>|\Z)", re.DOTALL)
_IDE = re.compile(r"\s*<(ide_\w+)>(.*?)</\1>\s*", re.DOTALL)
_OPENED = re.compile(r"opened the file (.+?) in the IDE")
_TASK = re.compile(r'\s*(?:<task-notification>|\{"task_[a-z]+":)')
_WRAPPED = re.compile(r"\s*<([a-z][\w-]*)>(.*?)</\1>\s*", re.DOTALL)


def classify_user_record(record: User) -> UserRecordKind:
    """Tell what a user record is; found out when it is first asked."""
    # No line of JSON can bring a member of the enumeration.
    if type(record.meaning) is not UserRecordKind:
        record.meaning = _classify_content(record)
    meaning: UserRecordKind = record.meaning
    return meaning


def _classify_content(record: User) -> UserRecordKind:
    content = message_of(record).content
    if isinstance(content, list):
        if ToolResult in map(type, content):
            return UserRecordKind.RESULT
        text = _find_leading_text(content)
    else:
        text = content or ""
    if record.is_compact_summary:
        return UserRecordKind.SUMMARY
    meaning = _classify_opening(text.lstrip())
    if record.is_meta or record.source_tool_use_id:
        # The client's own words, whatever they look like; only a person starts a line.
        return UserRecordKind.META if meaning is None or meaning in PERSON_KINDS else meaning
    if meaning is not None:
        return meaning
    if not text.strip() and _says_nothing(content):
        return UserRecordKind.META
    return UserRecordKind.NOTICE if _is_only_from_editor(record, text) else UserRecordKind.PROMPT


def is_caveat(record: User) -> bool:
    """Tell whether a record is the caveat that clients write before a local command."""
    content = message_of(record).content
    text = content if isinstance(content, str) else _find_leading_text(content or ())
    return text.lstrip().startswith(_CAVEATS)


def classify_text_beside_result(text: str) -> UserRecordKind:
    """Tell what a text is that came in one record with a tool's result."""
    return _classify_opening(text.lstrip()) or UserRecordKind.PROMPT


def is_task_notice(text: str) -> bool:
    """Tell whether a text says how a task in the background ended.

    Clients about 2.1.36 queued that as JSON.
    """
    return _TASK.match(text) is not None


def extract_typed_text(record: User) -> str:
    """Give the words a person typed, without what an editor put before them."""
    parts = [
        strip_ide_notes(block.text)
        for block in message_of(record).blocks
        if isinstance(block, Text)
    ]
    return "\n".join(part for part in parts if part.strip())


def label_prompt(record: User) -> str:
    """Give what a person typed as they would name it: `/review src`, `! git status`."""
    text = extract_typed_text(record)
    meaning = classify_user_record(record)
    if meaning is UserRecordKind.COMMAND and (command := parse_slash_command(text)):
        return command.text
    return f"! {strip_tags(text).strip()}" if meaning is UserRecordKind.SHELL else text


def strip_ide_notes(text: str) -> str:
    """Take what an editor reported off the start of a text."""
    return text[_find_end_of_ide(text) :]


def extract_ide_notes(text: str) -> list[str]:
    """List what an editor reported at the start of a prompt."""
    notes = []
    at = 0
    while match := _IDE.match(text, at):
        opened = _OPENED.search(match[2])
        notes.append(f"Opened {opened[1]} in the editor" if opened else " ".join(match[2].split()))
        at = match.end()
    return notes


def has_media(record: User) -> bool:
    """Tell whether a picture or a document came with the prompt."""
    return any(isinstance(block, Image | Document) for block in message_of(record).blocks)


def parse_slash_command(text: str) -> SlashCommand | None:
    """Read a slash command, whichever of its tags comes first."""
    tags: dict[str, str] = {}
    at = 0
    # Tag after tag from the start: a search of the whole text would be slow on a long one.
    while at < len(text) and (match := _TAG.match(text, at)):
        tags.setdefault(match[1], match[2].strip())
        at = match.end()
    name = tags.get("command-name") or tags.get("command-message", "")
    if not name:
        return None
    return SlashCommand(name if name.startswith("/") else f"/{name}", tags.get("command-args", ""))


def strip_tags(text: str) -> str:
    """Take the tags off text such as `<bash-stdout>...</bash-stdout>`."""
    parts = []
    at = 0
    while match := _WRAPPED.match(text, at):
        parts.append(match[2])
        at = match.end()
    return "\n".join(part for part in [*parts, text[at:]] if part.strip()) if parts else text


def _find_leading_text(content: Sequence[AnyBlock]) -> str:
    """Find the text that says what a message is; a reminder before a prompt does not."""
    reminder = ""
    for block in content:
        if isinstance(block, Text) and (opening := block.text.lstrip()):
            if not opening.startswith(_REMINDER):
                return block.text
            reminder = reminder or block.text
    return reminder


def _classify_opening(opening: str) -> UserRecordKind | None:
    if not opening.startswith(("<", "[", "C", "U", "S")):
        return None
    for start, meaning in _OPENINGS:
        if opening.startswith(start):
            return meaning
    return UserRecordKind.HOOK if _HOOK.match(opening) else None


def _says_nothing(content: str | Sequence[AnyBlock] | None) -> bool:
    """Tell whether a prompt is empty: no words, and nothing that came with it."""
    if not isinstance(content, list):
        return not content or not str(content).strip()
    return all(isinstance(block, Text) and not block.text.strip() for block in content)


def _is_only_from_editor(record: User, text: str) -> bool:
    return (
        text.lstrip().startswith("<ide_")
        and not extract_typed_text(record)
        and not has_media(record)
    )


def _find_end_of_ide(text: str) -> int:
    at = 0
    while match := _IDE.match(text, at):
        at = match.end()
    return at
