"""What a tool was given and what it gave back, in full.

Commands and texts are shown as they are, an edit as the lines it takes and gives, anything
else as its fields. Output is never cut; what the client keeps in a file is named.
"""

from collections.abc import Mapping
from difflib import unified_diff
from typing import Final

import msgspec

from bough.model.tools.calls import Result, ToolBlock
from bough.terminal.canvas import Sheet
from bough.terminal.style import Role

_SHOWN_AS_TEXT: Final = {
    "Agent": "prompt",
    "Bash": "command",
    "ExitPlanMode": "plan",
    "PowerShell": "command",
    "Task": "prompt",
    "Write": "content",
}
_SAID_ALREADY: Final = frozenset({"file_path", "notebook_path", "description", "subagent_type"})


def unfolded(block: ToolBlock, sheet: Sheet, indent: int) -> list[str]:
    """Set the input and the output of a call below its row."""
    lines = _input(block, sheet, indent)
    return lines + (_output(block.result, sheet, indent) if block.result is not None else [])


def _input(block: ToolBlock, sheet: Sheet, indent: int) -> list[str]:
    given = block.input
    if not isinstance(given, Mapping):
        return sheet.prose(str(given), indent, Role.TOOL) if given else []
    edits = given.get("edits") if isinstance(given.get("edits"), list) else [given]
    if any(isinstance(edit, Mapping) and "old_string" in edit for edit in edits or ()):
        return [line for edit in edits or () for line in _edit(edit, sheet, indent)]
    key = _SHOWN_AS_TEXT.get(block.name, "")
    if isinstance(text := given.get(key), str):
        return sheet.prose(text, indent, Role.TOOL)
    fields = {name: value for name, value in given.items() if name not in _SAID_ALREADY}
    return [
        line
        for name, value in fields.items()
        for line in sheet.prose(f"{name}: {_shown(value)}", indent, Role.TOOL)
    ]


def _edit(edit: object, sheet: Sheet, indent: int) -> list[str]:
    """Set an edit as lines that go and lines that come."""
    if not isinstance(edit, Mapping):
        return []
    old, new = str(edit.get("old_string", "")), str(edit.get("new_string", ""))
    diff = unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=3)
    roles = {"-": Role.ERROR, "+": Role.ACTIVE}
    return [
        line
        for row in list(diff)[2:]
        if not row.startswith("@@")
        for line in sheet.prose(row, indent, roles.get(row[:1], Role.META))
    ]


def _shown(value: object) -> str:
    if isinstance(value, str):
        return value
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def _output(result: Result, sheet: Sheet, indent: int) -> list[str]:
    role = Role.ERROR if result.is_error else Role.META
    lines = sheet.prose(result.text, indent, role) if result.text.strip() else []
    lines += [
        line
        for picture in result.images
        for line in sheet.prose(f"Image, {picture.media_type}", indent, Role.META)
    ]
    if result.persisted is not None:
        lines += sheet.prose(f"Output kept in {result.persisted}", indent, Role.META)
    return lines
