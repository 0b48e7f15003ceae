"""What a quiet block is, in words: a note, a hook, a skill's instructions, an interruption."""

import re
from typing import Final

from bough.model.conversation.content import TextBlock
from bough.model.interpret.user_records import strip_tags

INTERRUPTED: Final = "Interrupted by you"
ATTACHED: Final = "Attached"
"""What a document is called that came with a prompt: nobody typed it."""
_INTERRUPT: Final = "[Request interrupted"
_LABELS: Final = {"hook": "Hook ", "summary": "Summary: ", "document": f"{ATTACHED}: "}
_PLAIN: Final = frozenset({"image", "raw", "output"})
_SENTENCES: Final = ("Opened ", "A kind of record")
_WRAPPED: Final = ("<local-command-caveat>", "<system-reminder>")
_NOTICE: Final = "<task-notification>"
_TAG: Final = re.compile(r"<(task-id|status|summary)>([^<]*)</\1>")
_SKILL: Final = re.compile(r"Base directory for this skill: *[^\n]*?([^\\/\n]+)[\\/]?(?:\n|\Z)")


def label_note(block: TextBlock, kind: str) -> str:
    """Say what a quiet block of a message of some kind is, and then its words."""
    text = block.text
    if label := _LABELS.get(block.type):
        return f"{label}{text}"
    if skill := _SKILL.match(text):
        return f"Instructions of /{skill[1]}: {text[skill.end() :].strip()}"
    if is_interrupt(block):
        return INTERRUPTED
    if text.lstrip().startswith(_NOTICE):
        return _describe_task(text)
    if text.startswith(_WRAPPED):
        text = strip_tags(text).strip()
    speaks_itself = block.type in _PLAIN or text.startswith(_SENTENCES)
    return text if kind == "notice" or speaks_itself else f"Note: {text}"


def is_interrupt(block: TextBlock) -> bool:
    """Tell whether a block only says that a person interrupted."""
    return block.text.startswith(_INTERRUPT)


def skill_of(block: TextBlock) -> str | None:
    """Name the skill whose instructions a block holds; None where it holds none."""
    found = _SKILL.match(block.text)
    return found[1] if found else None


def _describe_task(text: str) -> str:
    """Say what a notice about a task in the background says, without its tags."""
    tags: dict[str, str] = dict(_TAG.findall(text))
    if summary := tags.get("summary", "").strip():
        return summary
    return " ".join(word for word in ("Task", tags.get("task-id"), tags.get("status")) if word)
