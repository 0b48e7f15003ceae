"""What a tool was given and gave back, as Markdown: commands, diffs, files, fields."""

from collections.abc import Mapping
from difflib import unified_diff
from typing import Final

import msgspec

from bough.export.html.tools.tool_output import describe_cut
from bough.export.markdown.fences import fence_code
from bough.model.text.formats import format_size
from bough.model.tools.call_summary import find_text
from bough.model.tools.calls import CallResult, ToolBlock
from bough.model.tools.structured_results import read_structured_result
from bough.query.sessions.stored_outputs import StoredOutput

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


def write_input(block: ToolBlock) -> list[str]:
    """Set what a tool was given."""
    given = block.input
    if not isinstance(given, Mapping):
        return (
            [fence_code(given if isinstance(given, str) else _format_json(given))] if given else []
        )
    if (diff := _write_diff(block, given)) is not None:
        return diff
    if block.name in _COMMANDS and (command := find_text(given, "command")):
        rest = {key: given[key] for key in given if key not in ("command", "description")}
        return [fence_code(command, _COMMANDS[block.name]), *_write_fields(rest)]
    if block.name == "Write" and isinstance(content := given.get("content"), str):
        return [fence_code(content, language_of(find_text(given, "file_path")))]
    key = _AS_TEXT.get(block.name, "")
    if isinstance(text := given.get(key), str):
        return [fence_code(text)]
    said = _SAID_ALREADY | {"offset", "limit"} if block.name == "Read" else _SAID_ALREADY
    return _write_fields({name: value for name, value in given.items() if name not in said})


def write_result(result: CallResult, whole: StoredOutput | None = None) -> list[str]:
    """Set what a tool gave back; pictures are named, and an output in a file that is not here."""
    text = result.text if whole is None else whole.text
    out = [fence_code(text, "text")] if text.strip() else []
    for image in result.images:
        kind = image.media_type.rpartition("/")[2].upper() or "unknown kind"
        out.append(f"*Image, {kind}, {format_size(image.size)}*")
    if whole is not None:
        out += [] if whole.whole else [f"*{describe_cut(whole)}*"]
    elif result.persisted is not None:
        out.append("*The whole output is kept in a file of its own, beside the session.*")
    return out


def language_of(path: str) -> str:
    """Name the language of a file by its ending."""
    return _LANGUAGES.get(path.rpartition(".")[2].lower(), "")


def _write_diff(block: ToolBlock, given: Mapping[str, object]) -> list[str] | None:
    """Set an edit as a diff: the client's own where it kept one, else from the two texts."""
    edits = given.get("edits")
    changes = edits if isinstance(edits, list) else [given]
    if not any(isinstance(edit, Mapping) and "old_string" in edit for edit in changes):
        return None
    hunks = (
        read_structured_result(block.result).structured_patch if block.result is not None else None
    )
    if hunks:
        lines = [line for hunk in hunks for line in ("@@", *hunk.lines)]
        return [fence_code("\n".join(lines[1:]), "diff")]
    lines = []
    for edit in changes:
        if isinstance(edit, Mapping):
            lines += _diff_lines(str(edit.get("old_string", "")), str(edit.get("new_string", "")))
    return [fence_code("\n".join(lines), "diff")] if lines else []


def _diff_lines(old: str, new: str) -> list[str]:
    diff = list(unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=3))
    return [line for line in diff[2:] if not line.startswith("@@")]


def _write_fields(given: Mapping[str, object]) -> list[str]:
    return [fence_code(_format_json(dict(given)), "json")] if given else []


def _format_json(value: object) -> str:
    try:
        return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    except (UnicodeEncodeError, RecursionError):
        return str(value)
