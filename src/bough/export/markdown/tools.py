"""What a tool was given and gave back, as Markdown: commands, diffs, files, fields."""

from collections.abc import Mapping
from typing import Final

import msgspec

from bough.export.html.tools.tool_output import describe_cut
from bough.export.markdown.fences import fence_code
from bough.model.text.formats import format_size
from bough.model.tools.call_detail import (
    AgentBrief,
    FileContent,
    FileEdit,
    FileWrite,
    PlanText,
    ShellCommand,
    detail_of,
    diff_edit,
)
from bough.model.tools.calls import CallResult, ToolBlock
from bough.query.sessions.stored_outputs import StoredOutput

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
    detail = detail_of(block)
    given = detail.given
    if not isinstance(given, Mapping):
        return (
            [fence_code(given if isinstance(given, str) else _format_json(given))] if given else []
        )
    match detail.part:
        case FileEdit(edits=edits) as part if edits:
            return _write_diff(part)
        case ShellCommand(command=command, language=language) if command:
            return [fence_code(command, language), *_write_fields(detail.rest)]
        case FileWrite(content=str(content), path=path):
            return [fence_code(content, language_of(path))]
        case PlanText(text=text) | AgentBrief(text=text):
            return [fence_code(text)]
        case FileContent():
            said = _SAID_ALREADY | {"offset", "limit"}
        case _:
            said = _SAID_ALREADY
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


def _write_diff(part: FileEdit) -> list[str]:
    """Set an edit as a diff: the client's own where it kept one, else from the two texts."""
    if part.hunks:
        lines = [line for hunk in part.hunks for line in ("@@", *hunk.lines)]
        return [fence_code("\n".join(lines[1:]), "diff")]
    lines = [line for edit in part.edits for line in diff_edit(edit)]
    return [fence_code("\n".join(lines), "diff")] if lines else []


def _write_fields(given: Mapping[str, object]) -> list[str]:
    return [fence_code(_format_json(dict(given)), "json")] if given else []


def _format_json(value: object) -> str:
    try:
        return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    except (UnicodeEncodeError, RecursionError):
        return str(value)
