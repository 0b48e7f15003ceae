"""What a tool was given and gave back, in the form that suits it.

Edits are diffs with line numbers, todos a checklist, shell output its beginning and its end,
questions their answers. Anything else is shown field by field.
"""

from collections.abc import Callable, Mapping
from typing import Final

from bough.model.tools.calls import ToolBlock
from bough.model.tools.structured_results import NumberedHunk, read_edit_result
from bough.tui.style.style import (
    Canvas,
    Role,
    StyledLine,
    fit,
    lines_of,
    render_call_details,
    spans_of,
    wrap,
)

_HEAD, _TAIL = 8, 4
_MOST_LINES: Final = 2_000
_TODO: Final = {"completed": ("x", Role.ACTIVE), "in_progress": (">", Role.PROMPT)}


def render_detail(block: ToolBlock, sheet: Canvas, indent: int) -> list[StyledLine]:
    """Set what is behind a call's row."""
    given = block.input if isinstance(block.input, Mapping) else {}
    show = _RENDERERS.get(block.name)
    lines = show(block, given, sheet, indent) if show is not None else []
    return (
        lines
        or [spans_of(line) for line in render_call_details(block, sheet, indent)][:_MOST_LINES]
    )


def _render_shell(
    block: ToolBlock, given: Mapping[str, object], sheet: Canvas, indent: int
) -> list[StyledLine]:
    command = str(given.get("command", ""))
    blank, room = " " * indent, sheet.measure - indent - 2
    lines: list[StyledLine] = []
    for at, line in enumerate(line for one in lines_of(command) for line in wrap(one, room)):
        lines.append(((Role.PROMPT, f"{blank}{'$ ' if at == 0 else '  '}{line}"),))
    result = block.result
    if result is None:
        return lines
    role = Role.ERROR if result.is_error else Role.META
    output = lines_of(result.text.strip("\n")) if result.text.strip() else []
    more = len(output) - _HEAD - _TAIL
    if more > 1 and not sheet.full:
        said = f"({more:,} more lines: X shows everything, v the pager)"
        output = [*output[:_HEAD], said, *output[-_TAIL:]]
    lines += [((role, f"{blank}{part}"),) for one in output for part in wrap(one, room)]
    if result.persisted is not None:
        lines.append(
            ((Role.META, f"{blank}{_fit_text(f'Output kept in {result.persisted}', room, sheet)}"),)
        )
    return lines[:_MOST_LINES]


def _render_edit(
    block: ToolBlock,
    given: Mapping[str, object],  # noqa: ARG001 - the form of all views
    sheet: Canvas,
    indent: int,
) -> list[StyledLine]:
    """Set the client's own patch, which has line numbers; without one there is no view."""
    if block.result is None:
        return []
    lines: list[StyledLine] = []
    for hunk in read_edit_result(block.result).hunks:
        lines += render_hunk(hunk, sheet, indent)
    return lines[:_MOST_LINES]


def render_hunk(hunk: NumberedHunk, sheet: Canvas, indent: int) -> list[StyledLine]:
    """Set a stretch of a patch, with the numbers of its lines."""
    old, new = hunk.old_start, hunk.new_start
    lines: list[StyledLine] = []
    for text in hunk.lines:
        sign, words = text[:1], text[1:]
        number = old if sign == "-" else new
        role = {"-": Role.ERROR, "+": Role.ACTIVE}.get(sign, Role.META)
        shown = {"-": sheet.styles.glyphs.minus, "+": "+"}.get(sign, " ")
        line = "".join(lines_of(words)[:1])
        cut = _fit_text(line, sheet.measure - indent - 8, sheet)
        lines.append(((Role.META, f"{' ' * indent}{number:>5} "), (role, f"{shown} {cut}")))
        old += sign in ("-", " ")
        new += sign in ("+", " ")
    return lines


def _render_todos(
    block: ToolBlock,  # noqa: ARG001 - the form of all views
    given: Mapping[str, object],
    sheet: Canvas,
    indent: int,
) -> list[StyledLine]:
    todos = given.get("todos")
    lines: list[StyledLine] = []
    for todo in todos if isinstance(todos, list) else []:
        if isinstance(todo, Mapping):
            mark, role = _TODO.get(str(todo.get("status", "")), (" ", Role.CLAUDE))
            words = " ".join(lines_of(str(todo.get("content", ""))))
            text = _fit_text(words, sheet.measure - indent - 4, sheet)
            lines.append(((role, f"{' ' * indent}[{mark}] {text}"),))
    return lines


def _render_questions(
    block: ToolBlock, given: Mapping[str, object], sheet: Canvas, indent: int
) -> list[StyledLine]:
    asked = given.get("questions")
    blank, room = " " * indent, sheet.measure - indent - 2
    lines: list[StyledLine] = []
    for one in asked if isinstance(asked, list) else []:
        if not isinstance(one, Mapping):
            continue
        asks = wrap("\n".join(lines_of(str(one.get("question", "")))), room)
        lines += [((Role.PROMPT, f"{blank}{part}"),) for part in asks]
        options = one.get("options")
        for option in options if isinstance(options, list) else []:
            label = option.get("label", "") if isinstance(option, Mapping) else option
            words = _fit_text(" ".join(lines_of(str(label))), room - 4, sheet)
            lines.append(((Role.CLAUDE, f"{blank}  - {words}"),))
    if lines and block.result is not None:
        answer = wrap("\n".join(lines_of(block.result.text)), room)
        lines += [((Role.ACTIVE, f"{blank}{part}"),) for part in answer]
    return lines


def _fit_text(text: str, room: int, sheet: Canvas) -> str:
    return fit(text, room, sheet.styles.glyphs.ellipsis)


_ToolRenderer = Callable[[ToolBlock, Mapping[str, object], Canvas, int], list[StyledLine]]
_RENDERERS: Final[dict[str, _ToolRenderer]] = {
    "AskUserQuestion": _render_questions,
    "Bash": _render_shell,
    "Edit": _render_edit,
    "MultiEdit": _render_edit,
    "PowerShell": _render_shell,
    "TodoWrite": _render_todos,
    "Write": _render_edit,
}
