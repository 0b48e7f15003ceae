"""What a tool was given and gave back, as Markdown: commands, diffs, files, fields."""

from collections.abc import Mapping
from difflib import unified_diff
from typing import Final

import msgspec

from bough.export.html.tools.tool_output import beginning
from bough.export.markdown.fences import fenced
from bough.model.text.formats import size
from bough.model.tools.call_summary import text_in
from bough.model.tools.calls import Result, ToolBlock
from bough.model.tools.structured_results import told_by
from bough.query.sessions.stored_outputs import KeptOutput

_COMMANDS: Final = {"Bash": "sh", "PowerShell": "powershell"}
_AS_TEXT: Final = {"ExitPlanMode": "plan", "Task": "prompt", "Agent": "prompt"}
_SAID_ALREADY: Final = frozenset({"file_path", "notebook_path"})
_LANGUAGES: Final = {
    "bash": "sh", "c": "c", "cc": "cpp", "cpp": "cpp", "cs": "csharp", "css": "css", "go": "go",
    "h": "c", "html": "html", "ini": "ini", "java": "java", "js": "js", "json": "json",
    "jsx": "jsx", "kt": "kotlin", "lua": "lua", "md": "markdown", "php": "php", "py": "python",
    "rb": "ruby", "rs": "rust", "scss": "scss", "sh": "sh", "sql": "sql", "svelte": "svelte",
    "swift": "swift", "toml": "toml", "ts": "ts", "tsx": "tsx", "vue": "vue", "xml": "xml",
    "yaml": "yaml", "yml": "yaml",
}  # fmt: skip


def given_markdown(block: ToolBlock) -> list[str]:
    """Set what a tool was given."""
    given = block.input
    if not isinstance(given, Mapping):
        return [fenced(given if isinstance(given, str) else _shown(given))] if given else []
    if (diff := _diff(block, given)) is not None:
        return diff
    if block.name in _COMMANDS and (command := text_in(given, "command")):
        rest = {key: given[key] for key in given if key not in ("command", "description")}
        return [fenced(command, _COMMANDS[block.name]), *_fields(rest)]
    if block.name == "Write" and isinstance(content := given.get("content"), str):
        return [fenced(content, language_of(text_in(given, "file_path")))]
    key = _AS_TEXT.get(block.name, "")
    if isinstance(text := given.get(key), str):
        return [fenced(text)]
    said = _SAID_ALREADY | {"offset", "limit"} if block.name == "Read" else _SAID_ALREADY
    return _fields({name: value for name, value in given.items() if name not in said})


def result_markdown(result: Result, whole: KeptOutput | None = None) -> list[str]:
    """Set what a tool gave back; pictures are named, and an output in a file that is not here."""
    text = result.text if whole is None else whole.text
    out = [fenced(text, "text")] if text.strip() else []
    for image in result.images:
        kind = image.media_type.rpartition("/")[2].upper() or "unknown kind"
        out.append(f"*Image, {kind}, {size(image.size)}*")
    if whole is not None:
        out += [] if whole.whole else [f"*{beginning(whole)}*"]
    elif result.persisted is not None:
        out.append("*The whole output is kept in a file of its own, beside the session.*")
    return out


def language_of(path: str) -> str:
    """Name the language of a file by its ending."""
    return _LANGUAGES.get(path.rpartition(".")[2].lower(), "")


def _diff(block: ToolBlock, given: Mapping[str, object]) -> list[str] | None:
    """Set an edit as a diff: the client's own where it kept one, else from the two texts."""
    edits = given.get("edits")
    changes = edits if isinstance(edits, list) else [given]
    if not any(isinstance(edit, Mapping) and "old_string" in edit for edit in changes):
        return None
    hunks = told_by(block.result).structured_patch if block.result is not None else None
    if hunks:
        lines = [line for hunk in hunks for line in ("@@", *hunk.lines)]
        return [fenced("\n".join(lines[1:]), "diff")]
    lines = []
    for edit in changes:
        if isinstance(edit, Mapping):
            lines += _lines(str(edit.get("old_string", "")), str(edit.get("new_string", "")))
    return [fenced("\n".join(lines), "diff")] if lines else []


def _lines(old: str, new: str) -> list[str]:
    diff = list(unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=3))
    return [line for line in diff[2:] if not line.startswith("@@")]


def _fields(given: Mapping[str, object]) -> list[str]:
    return [fenced(_shown(dict(given)), "json")] if given else []


def _shown(value: object) -> str:
    try:
        return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    except (UnicodeEncodeError, RecursionError):
        return str(value)
