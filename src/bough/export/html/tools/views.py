"""What a tool was given and gave back, in the form that suits it.

Tools nobody knows are shown field by field. Whatever a view leaves out of a call's input is
named below it, so that nothing that was sent is hidden. A shell command is shown with the
beginning and the end of what it printed, and how it ended.
"""

import re
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bough.export.html.folds import render_fold
from bough.export.html.images import render_pictures
from bough.export.html.render_context import RenderContext
from bough.export.html.tools import file_tools as files
from bough.export.html.tools import others
from bough.export.html.tools.fields import render_fields
from bough.export.html.tools.tool_output import (
    MovedOutput,
    parse_moved_output,
    render_middle_lines,
    render_moved_line,
    render_output,
    render_whole_output,
)
from bough.export.markup.code import render_code
from bough.export.markup.escape import escape_html
from bough.model.session import Agent
from bough.model.tools.call_summary import find_text
from bough.model.tools.calls import CallResult, ToolBlock

_EXIT: Final = re.compile(r"(?:Error: )?Exit code -?\d{1,10}\b[ \t]*(?:\n|\Z)")


def render_shell(block: ToolBlock, key: str, *, full: bool) -> str:
    """Show a command and its output."""
    given: Mapping[str, object] = block.input if isinstance(block.input, Mapping) else {}
    command = find_text(given, "command")
    about = find_text(given, "description")
    before = f'<p class="m" dir="auto">{escape_html(about)}</p>' if about else ""
    before += f'<pre class="p"><b>$</b> {escape_html(command)}</pre>'
    text, end = split_exit_line(block)
    failed = block.result is not None and block.result.is_error
    out = render_output(text, key, full=full, failed=failed, before=before)
    return f'{out}<p class="end">{escape_html(end)}</p>' if end else out


def split_exit_line(block: ToolBlock) -> tuple[str, str]:
    """Part what a command printed from the line that says how it ended."""
    text = block.result.text if block.result is not None else ""
    exited = _EXIT.match(text)
    if exited is None:
        return text, ""
    return text[exited.end() :], exited[0].strip()


_SHELLS: Final = frozenset({"Bash", "PowerShell"})
_LONGEST_JSON: Final = 100_000


class _ResultPlace(Enum):
    """Where a view leaves the result: in itself, below it, or folded because it says little."""

    INSIDE = "inside"
    BELOW = "below"
    FOLDED = "folded"


class _BodyView(Struct, frozen=True):
    """How a tool is shown, and which fields of its input that covers.

    What gives None has nothing to show this call by: then it is shown field by field.
    """

    show: Callable[[ToolBlock], str | None]
    fields: frozenset[str]
    result: _ResultPlace = _ResultPlace.BELOW


def _render_nothing(_: ToolBlock) -> str:
    """Show nothing more of what the row says already."""
    return ""


_PLAN: Final = _BodyView(others.render_plan, frozenset({"plan"}))
_SEARCH: Final = _BodyView(others.render_search, frozenset({"query"}), _ResultPlace.INSIDE)
_VIEWS: Final[dict[str, _BodyView]] = {
    "AskUserQuestion": _BodyView(
        others.render_questions, frozenset({"questions"}), _ResultPlace.FOLDED
    ),
    "Edit": _BodyView(
        files.render_edit,
        frozenset({"file_path", "old_string", "new_string"}),
        _ResultPlace.FOLDED,
    ),
    "ExitPlanMode": _PLAN,
    "Glob": _BodyView(_render_nothing, frozenset({"pattern"})),
    "Grep": _BodyView(_render_nothing, frozenset({"pattern"})),
    "LS": _BodyView(_render_nothing, frozenset({"path"})),
    "MultiEdit": _BodyView(
        files.render_edit, frozenset({"file_path", "edits"}), _ResultPlace.FOLDED
    ),
    "NotebookEdit": _BodyView(
        files.render_notebook,
        frozenset({"notebook_path", "new_source", "cell_id", "cell_type", "edit_mode"}),
        _ResultPlace.FOLDED,
    ),
    "Read": _BodyView(
        files.render_read, frozenset({"file_path", "offset", "limit"}), _ResultPlace.INSIDE
    ),
    "TaskCreate": _BodyView(
        others.render_task, frozenset({"subject", "description", "activeForm"})
    ),
    "TodoWrite": _BodyView(others.render_todos, frozenset({"todos"}), _ResultPlace.FOLDED),
    "WebFetch": _BodyView(others.render_fetch, frozenset({"url", "prompt"}), _ResultPlace.INSIDE),
    "WebSearch": _SEARCH,
    "Write": _BodyView(
        files.render_write, frozenset({"file_path", "content"}), _ResultPlace.FOLDED
    ),
    "exit_plan_mode": _PLAN,
    "web_search": _SEARCH,
}


def render_body(block: ToolBlock, scene: RenderContext, key: str, *, full: bool) -> str:
    """Show what is behind a call's row."""
    block, kept = _unwrap_moved_output(scene.strip_result(block))
    result = block.result
    if block.name in _SHELLS:
        rest = render_fields(block.input, frozenset({"command", "description"}))
        out = render_shell(block, key, full=full) + rest
    else:
        out = _render_view(block, key, full=full)
    if result is not None and kept is not None:
        out += _render_moved_output(result, kept, scene, key)
    if result is not None and result.images:
        out += render_pictures(result.images, scene, block.id)
    return out or '<p class="m">Nothing was given, and nothing came back.</p>'


def _render_moved_output(
    result: CallResult, kept: MovedOutput, scene: RenderContext, key: str
) -> str:
    whole = scene.read_output(result)
    if whole is not None:
        return render_whole_output(kept, whole, key)
    agent = scene.session.id if isinstance(scene.session, Agent) else None
    return render_moved_line(result, kept, agent)


def render_middle(block: ToolBlock) -> str:
    """Give the middle of a long output."""
    block, _ = _unwrap_moved_output(block)
    text = split_exit_line(block)[0] if block.name in _SHELLS else _result_text(block.result)
    return render_middle_lines(text, failed=block.result is not None and block.result.is_error)


def _unwrap_moved_output(block: ToolBlock) -> tuple[ToolBlock, MovedOutput | None]:
    """Take the words about a moved output off how it begins."""
    kept = parse_moved_output(block.result) if block.result is not None else None
    if kept is None or block.result is None:
        return block, None
    return replace(block, result=replace(block.result, text=kept.preview)), kept


def _render_view(block: ToolBlock, key: str, *, full: bool) -> str:
    view = _VIEWS.get(block.name)
    shown = view.show(block) if view is not None else None
    if view is None or shown is None:
        return render_fields(block.input) + _render_result(block.result, key, full=full)
    given = block.input if isinstance(block.input, Mapping) else {}
    rest = render_fields({k: v for k, v in given.items() if k not in view.fields and v is not None})
    failed = block.result is not None and block.result.is_error
    if view.result is _ResultPlace.BELOW or failed:
        return shown + rest + _render_result(block.result, key, full=full)
    told = _result_text(block.result).strip() if view.result is _ResultPlace.FOLDED else ""
    if not told:
        return shown + rest
    words = f'<div class="plain" dir="auto">{escape_html(told)}</div>'
    return (
        shown
        + rest
        + render_fold(f"{key}/told", "note", "What Claude was told", words, inside=True)
    )


def _render_result(result: CallResult | None, key: str, *, full: bool) -> str:
    text = _result_text(result)
    if result is None or not text.strip():
        return ""
    pretty = _format_json(text)
    if pretty is not None:
        return render_code(pretty, "json")
    return render_output(text, key, full=full, failed=result.is_error)


def _format_json(text: str) -> str | None:
    """Set an output that is JSON in lines; None where it is none, or too long."""
    if text[:1] not in "{[" or len(text) > _LONGEST_JSON:
        return None
    try:
        return msgspec.json.format(text, indent=2)
    except (msgspec.MsgspecError, RecursionError, UnicodeEncodeError):
        return None


def _result_text(result: CallResult | None) -> str:
    return result.text if result is not None else ""
