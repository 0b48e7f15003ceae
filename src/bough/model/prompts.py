"""What a user record is: most are not something a person typed.

The clients send everything through `user` records: prompts, tool results, echoes of
commands, notices, text they inject themselves. Which is which shows only in the opening
of the text and in a few flags (docs/format.md, user).
"""

import re
from enum import StrEnum

from msgspec import Struct

from bough.records.blocks import Document, Image, Text, ToolResult
from bough.records.decode import message_of
from bough.records.types import User


class Said(StrEnum):
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


class Command(Struct, frozen=True):
    """A slash command as it was typed."""

    name: str
    args: str

    @property
    def text(self) -> str:
        """Give the command as a person would type it."""
        return f"{self.name} {self.args}".strip()


STARTS_A_LINE = frozenset({Said.PROMPT, Said.COMMAND, Said.SHELL})
"""What a person does; only this can start a branch."""

_OPENINGS: tuple[tuple[str, Said], ...] = (
    ("<command-name>", Said.COMMAND),
    ("<command-message>", Said.COMMAND),
    ("<local-command-stdout>", Said.COMMAND_OUTPUT),
    ("<local-command-stderr>", Said.COMMAND_OUTPUT),
    ("<bash-input>", Said.SHELL),
    ("<bash-stdout>", Said.SHELL_OUTPUT),
    ("<bash-stderr>", Said.SHELL_OUTPUT),
    ("[Request interrupted by user", Said.INTERRUPT),
    ("<task-notification>", Said.NOTICE),
    ("Unknown skill:", Said.NOTICE),
    ("Unknown slash command:", Said.NOTICE),
    ("<session-start-hook>", Said.HOOK),
    ("<user-prompt-submit-hook>", Said.HOOK),
    ("Stop hook feedback:", Said.HOOK),
    ("<local-command-caveat>", Said.META),
    ("Caveat: The messages below", Said.META),
    ("<system-reminder>", Said.META),
)
_TAG = re.compile(r"<(command-name|command-message|command-args)>(.*?)</\1>", re.DOTALL)
_IDE = re.compile(r"\s*<(ide_\w+)>(.*?)</\1>\s*", re.DOTALL)
_OPENED = re.compile(r"opened the file (.+?) in the IDE")
_WRAPPED = re.compile(r"^\s*<([a-z][\w-]*)>(.*?)</\1>\s*", re.DOTALL)


def said(record: User) -> Said:
    """Tell what a user record is."""
    message = message_of(record)
    content = message.content
    if isinstance(content, list):
        if any(isinstance(block, ToolResult) for block in content):
            return Said.RESULT
        text = next((b.text for b in content if isinstance(b, Text) and b.text.strip()), "")
    else:
        text = content or ""
    if record.is_compact_summary:
        return Said.SUMMARY
    opening = text.lstrip()
    if opening.startswith(("<", "[", "C", "U", "S")):
        for start, meaning in _OPENINGS:
            if opening.startswith(start):
                return meaning
    if record.is_meta:
        return Said.META
    if opening.startswith("<ide_") and not typed_text(record):
        return Said.NOTICE
    return Said.PROMPT if content else Said.META


def typed_text(record: User) -> str:
    """Give the words a person typed, without what an editor put before them."""
    parts = [
        without_ide(block.text) for block in message_of(record).blocks if isinstance(block, Text)
    ]
    return "\n".join(part for part in parts if part.strip())


def without_ide(text: str) -> str:
    """Take what an editor reported off the start of a text."""
    return _IDE.sub("", text) if text.lstrip().startswith("<ide_") else text


def ide_notes(text: str) -> list[str]:
    """List what an editor reported at the start of a prompt."""
    notes = []
    for _, body in _IDE.findall(text):
        opened = _OPENED.search(body)
        notes.append(f"Opened {opened[1]} in the editor" if opened else " ".join(body.split()))
    return notes


def has_media(record: User) -> bool:
    """Tell whether a picture or a document came with the prompt."""
    return any(isinstance(block, Image | Document) for block in message_of(record).blocks)


def command_of(text: str) -> Command | None:
    """Read a slash command, whichever of its tags comes first."""
    tags = {name: body.strip() for name, body in _TAG.findall(text)}
    name = tags.get("command-name") or tags.get("command-message", "")
    if not name:
        return None
    return Command(name if name.startswith("/") else f"/{name}", tags.get("command-args", ""))


def unwrapped(text: str) -> str:
    """Take the tags off text such as `<bash-stdout>...</bash-stdout>`."""
    parts = []
    rest = text
    while match := _WRAPPED.match(rest):
        parts.append(match[2])
        rest = rest[match.end() :]
    return "\n".join(part for part in [*parts, rest] if part.strip()) if parts else text
