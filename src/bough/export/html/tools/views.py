"""What a tool was given and gave back, in the form that suits it.

Tools nobody knows are shown field by field. Whatever a view leaves out of a call's input is
named below it, so that nothing that was sent is hidden. A shell command is shown with the
beginning and the end of what it printed, and how it ended.
"""

from enum import Enum
from typing import Final

import msgspec
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
    render_client_words,
    render_middle_lines,
    render_moved_line,
    render_output,
    render_whole_output,
)
from bough.export.markup.code import render_code
from bough.export.markup.escape import escape_html
from bough.model.session import Agent
from bough.model.tools.call_detail import (
    AgentBrief,
    Checklist,
    FileContent,
    FileEdit,
    FileSearch,
    FileWrite,
    NotebookCell,
    PageFetch,
    PageSearch,
    QuestionList,
    ShellCommand,
    ToolDetail,
    ToolOutput,
    detail_of,
)
from bough.model.tools.calls import CallResult, ToolBlock

_LONGEST_JSON: Final = 100_000


class _ResultPlace(Enum):
    """Where a view leaves the result: in itself, below it, or folded because it says little."""

    INSIDE = "inside"
    BELOW = "below"
    FOLDED = "folded"


_PLACES: Final[dict[type, _ResultPlace]] = {
    Checklist: _ResultPlace.FOLDED,
    FileContent: _ResultPlace.INSIDE,
    FileEdit: _ResultPlace.FOLDED,
    FileWrite: _ResultPlace.FOLDED,
    NotebookCell: _ResultPlace.FOLDED,
    PageFetch: _ResultPlace.INSIDE,
    PageSearch: _ResultPlace.INSIDE,
    QuestionList: _ResultPlace.FOLDED,
}
"""Where the result of a call goes by what it was given; of others it stands below."""


def render_body(block: ToolBlock, context: RenderContext, key: str, *, full: bool) -> str:
    """Show what is behind a call's row."""
    block, kept = _unwrap_moved_output(context.strip_result(block))
    result = block.result
    detail = detail_of(block)
    if isinstance(detail.part, ShellCommand):
        out = _render_shell(detail.part, detail.output, key, full=full)
        out += render_fields(detail.rest)
    else:
        out = _render_view(detail, key, full=full)
    if result is not None and kept is not None:
        out += _render_moved_output(result, kept, context, key)
    if result is not None and result.images:
        out += render_pictures(result.images, context, block.id)
    return out or '<p class="m">Nothing was given, and nothing came back.</p>'


def _render_moved_output(
    result: CallResult, kept: MovedOutput, context: RenderContext, key: str
) -> str:
    whole = context.read_output(result)
    if whole is not None:
        return render_whole_output(kept, whole, key)
    agent = context.session.id if isinstance(context.session, Agent) else None
    return render_moved_line(result, kept, agent)


def render_middle(block: ToolBlock) -> str:
    """Give the middle of a long output."""
    block, _ = _unwrap_moved_output(block)
    output = detail_of(block).output
    if output is None:
        return render_middle_lines("")
    return render_middle_lines(output.printed, failed=output.is_error)


def _render_shell(part: ShellCommand, output: ToolOutput | None, key: str, *, full: bool) -> str:
    """Show a command and its output."""
    before = f'<p class="m" dir="auto">{escape_html(part.about)}</p>' if part.about else ""
    before += f'<pre class="p"><b>$</b> {escape_html(part.command)}</pre>'
    if output is None:
        return render_output("", key, full=full, before=before)
    out = render_output(output.printed, key, full=full, failed=output.is_error, before=before)
    return f'{out}<p class="end">{escape_html(output.exit_line)}</p>' if output.exit_line else out


def _unwrap_moved_output(block: ToolBlock) -> tuple[ToolBlock, MovedOutput | None]:
    """Take the words about a moved output off how it begins."""
    kept = parse_moved_output(block.result) if block.result is not None else None
    if kept is None or block.result is None:
        return block, None
    return replace(block, result=replace(block.result, text=kept.preview)), kept


def _render_view(detail: ToolDetail, key: str, *, full: bool) -> str:
    output = detail.output
    shown, place = _render_part(detail), _PLACES.get(type(detail.part), _ResultPlace.BELOW)
    if shown is None:
        return render_fields(detail.given) + _render_result(output, key, full=full)
    rest = render_fields({name: value for name, value in detail.rest.items() if value is not None})
    if place is _ResultPlace.BELOW or (output is not None and output.is_error):
        return shown + rest + _render_result(output, key, full=full)
    text = output.text.strip() if output is not None and place is _ResultPlace.FOLDED else ""
    if not text:
        return shown + rest
    words = f'<div class="plain" dir="auto">{escape_html(text)}</div>'
    return (
        shown
        + rest
        + render_fold(f"{key}/told", "note", "What Claude was told", words, inside=True)
    )


def _render_part(detail: ToolDetail) -> str | None:
    """Show what a call was given; None where that is shown field by field."""
    match detail.part:
        case None | AgentBrief() | ShellCommand() | FileEdit(is_known=False):
            return None
        case FileEdit() | FileWrite() | FileContent() | NotebookCell() | FileSearch() as part:
            return files.render_file_part(part, detail.output)
        case part:
            return others.render_other_part(part, detail.output)


def _render_result(output: ToolOutput | None, key: str, *, full: bool) -> str:
    if output is None or not output.text.strip():
        return ""
    pretty = _format_json(output.text)
    if pretty is not None:
        return render_code(pretty, "json")
    if output.is_error and (words := render_client_words(output.text)):
        return words
    return render_output(output.text, key, full=full, failed=output.is_error)


def _format_json(text: str) -> str | None:
    """Set an output that is JSON in lines; None where it is none, or too long."""
    if text[:1] not in "{[" or len(text) > _LONGEST_JSON:
        return None
    try:
        return msgspec.json.format(text, indent=2)
    except (msgspec.MsgspecError, RecursionError, UnicodeEncodeError):
        return None
