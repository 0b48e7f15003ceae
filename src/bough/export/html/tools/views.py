"""What a tool was given and gave back, in the form that suits it.

Tools nobody knows are shown field by field. Whatever a view leaves out of a call's input is
named below it, so that nothing that was sent is hidden.

The shell: `$ command`, the beginning and the end of what it printed, and how it ended.
"""

import re
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bough.export.html.folds import fold
from bough.export.html.images import pictures
from bough.export.html.render_context import Scene
from bough.export.html.tools import file_tools as files
from bough.export.html.tools import others
from bough.export.html.tools.fields import fields_of
from bough.export.html.tools.tool_output import (
    Kept,
    kept_line,
    kept_of,
    more_lines,
    output_of,
    whole_output,
)
from bough.export.markup.code import code_block
from bough.export.markup.escape import escaped
from bough.model.session import Agent
from bough.model.tools.call_summary import text_in
from bough.model.tools.calls import Result, ToolBlock

_EXIT: Final = re.compile(r"(?:Error: )?Exit code -?\d{1,10}\b[ \t]*(?:\n|\Z)")


def shell_body(block: ToolBlock, key: str, *, full: bool) -> str:
    """Show a command and its output."""
    given: Mapping[str, object] = block.input if isinstance(block.input, Mapping) else {}
    command = text_in(given, "command")
    about = text_in(given, "description")
    before = f'<p class="m" dir="auto">{escaped(about)}</p>' if about else ""
    before += f'<pre class="p"><b>$</b> {escaped(command)}</pre>'
    text, end = output_text(block)
    failed = block.result is not None and block.result.is_error
    out = output_of(text, key, full=full, failed=failed, before=before)
    return f'{out}<p class="end">{escaped(end)}</p>' if end else out


def output_text(block: ToolBlock) -> tuple[str, str]:
    """Part what a command printed from the line that says how it ended."""
    text = block.result.text if block.result is not None else ""
    exited = _EXIT.match(text)
    if exited is None:
        return text, ""
    return text[exited.end() :], exited[0].strip()


_SHELLS: Final = frozenset({"Bash", "PowerShell"})
_LONGEST_JSON: Final = 100_000


class _Result(Enum):
    """Where a view leaves the result: in itself, below it, or folded because it says little."""

    INSIDE = "inside"
    BELOW = "below"
    FOLDED = "folded"


class _View(Struct, frozen=True):
    """How a tool is shown, and which fields of its input that covers.

    What gives None has nothing to show this call by: then it is shown field by field.
    """

    show: Callable[[ToolBlock], str | None]
    fields: frozenset[str]
    result: _Result = _Result.BELOW


def _said_in_row(_: ToolBlock) -> str:
    """Show nothing more of what the row says already."""
    return ""


_PLAN: Final = _View(others.plan_body, frozenset({"plan"}))
_SEARCH: Final = _View(others.search_body, frozenset({"query"}), _Result.INSIDE)
_VIEWS: Final[dict[str, _View]] = {
    "AskUserQuestion": _View(others.question_body, frozenset({"questions"}), _Result.FOLDED),
    "Edit": _View(
        files.edit_body,
        frozenset({"file_path", "old_string", "new_string"}),
        _Result.FOLDED,
    ),
    "ExitPlanMode": _PLAN,
    "Glob": _View(_said_in_row, frozenset({"pattern"})),
    "Grep": _View(_said_in_row, frozenset({"pattern"})),
    "LS": _View(_said_in_row, frozenset({"path"})),
    "MultiEdit": _View(files.edit_body, frozenset({"file_path", "edits"}), _Result.FOLDED),
    "NotebookEdit": _View(
        files.notebook_body,
        frozenset({"notebook_path", "new_source", "cell_id", "cell_type", "edit_mode"}),
        _Result.FOLDED,
    ),
    "Read": _View(files.read_body, frozenset({"file_path", "offset", "limit"}), _Result.INSIDE),
    "TaskCreate": _View(others.task_body, frozenset({"subject", "description", "activeForm"})),
    "TodoWrite": _View(others.todo_body, frozenset({"todos"}), _Result.FOLDED),
    "WebFetch": _View(others.fetch_body, frozenset({"url", "prompt"}), _Result.INSIDE),
    "WebSearch": _SEARCH,
    "Write": _View(files.write_body, frozenset({"file_path", "content"}), _Result.FOLDED),
    "exit_plan_mode": _PLAN,
    "web_search": _SEARCH,
}


def body_of(block: ToolBlock, scene: Scene, key: str, *, full: bool) -> str:
    """Show what is behind a call's row."""
    block, kept = _unwrapped(scene.bare(block))
    result = block.result
    if block.name in _SHELLS:
        rest = fields_of(block.input, frozenset({"command", "description"}))
        out = shell_body(block, key, full=full) + rest
    else:
        out = _viewed(block, key, full=full)
    if result is not None and kept is not None:
        out += _elsewhere(result, kept, scene, key)
    if result is not None and result.images:
        out += pictures(result.images, scene, block.id)
    return out or '<p class="m">Nothing was given, and nothing came back.</p>'


def _elsewhere(result: Result, kept: Kept, scene: Scene, key: str) -> str:
    whole = scene.whole(result)
    if whole is not None:
        return whole_output(kept, whole, key)
    agent = scene.session.id if isinstance(scene.session, Agent) else None
    return kept_line(result, kept, agent)


def more_of(block: ToolBlock) -> str:
    """Give the middle of a long output."""
    block, _ = _unwrapped(block)
    text = output_text(block)[0] if block.name in _SHELLS else _text(block.result)
    return more_lines(text, failed=block.result is not None and block.result.is_error)


def _unwrapped(block: ToolBlock) -> tuple[ToolBlock, Kept | None]:
    """Take the words about a moved output off how it begins."""
    kept = kept_of(block.result) if block.result is not None else None
    if kept is None or block.result is None:
        return block, None
    return replace(block, result=replace(block.result, text=kept.preview)), kept


def _viewed(block: ToolBlock, key: str, *, full: bool) -> str:
    view = _VIEWS.get(block.name)
    shown = view.show(block) if view is not None else None
    if view is None or shown is None:
        return fields_of(block.input) + _result(block.result, key, full=full)
    given = block.input if isinstance(block.input, Mapping) else {}
    rest = fields_of({k: v for k, v in given.items() if k not in view.fields and v is not None})
    failed = block.result is not None and block.result.is_error
    if view.result is _Result.BELOW or failed:
        return shown + rest + _result(block.result, key, full=full)
    told = _text(block.result).strip() if view.result is _Result.FOLDED else ""
    if not told:
        return shown + rest
    words = f'<div class="plain" dir="auto">{escaped(told)}</div>'
    return shown + rest + fold(f"{key}/told", "note", "What Claude was told", words, inside=True)


def _result(result: Result | None, key: str, *, full: bool) -> str:
    text = _text(result)
    if result is None or not text.strip():
        return ""
    pretty = _as_json(text)
    if pretty is not None:
        return code_block(pretty, "json")
    return output_of(text, key, full=full, failed=result.is_error)


def _as_json(text: str) -> str | None:
    """Set an output that is JSON in lines; None where it is none, or too long."""
    if text[:1] not in "{[" or len(text) > _LONGEST_JSON:
        return None
    try:
        return msgspec.json.format(text, indent=2)
    except (msgspec.MsgspecError, RecursionError, UnicodeEncodeError):
        return None


def _text(result: Result | None) -> str:
    return result.text if result is not None else ""
