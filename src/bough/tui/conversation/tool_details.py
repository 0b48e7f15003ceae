"""What a tool was given and gave back, in the form that suits it.

Edits are diffs with line numbers, todos a checklist, shell output its beginning and its end,
questions their answers. Anything else is shown field by field.
"""

from typing import Final

from bough.model.tools.call_detail import (
    OUTPUT_HEAD,
    OUTPUT_TAIL,
    Checklist,
    FileEdit,
    FileWrite,
    QuestionList,
    ShellCommand,
    ToolOutput,
    count_hidden_lines,
    detail_of,
)
from bough.model.tools.calls import ToolBlock
from bough.model.tools.structured_results import NumberedHunk
from bough.terminal.canvas import Canvas
from bough.terminal.conversation.tools import render_call_details
from bough.terminal.style import Role, StyledLine
from bough.terminal.text import fit, lines_of, one_line, width, wrap

_MOST_LINES: Final = 2_000
_TODO: Final = {"completed": ("x", Role.ACTIVE), "in_progress": (">", Role.PROMPT)}


def render_detail(block: ToolBlock, canvas: Canvas, indent: int) -> list[StyledLine]:
    """Set what is behind a call's row."""
    detail = detail_of(block)
    match detail.part:
        case ShellCommand() as part:
            lines = _render_shell(part, detail.output, canvas, indent)
        case FileEdit(hunks=hunks, is_known=True) | FileWrite(hunks=hunks) if hunks:
            # The client's own patch, which has line numbers.
            lines = [line for hunk in hunks for line in render_hunk(hunk, canvas, indent)]
        case Checklist() as part:
            return _render_todos(part, canvas, indent)
        case QuestionList() as part:
            return _render_questions(part, detail.output, canvas, indent)
        case _:
            lines = render_call_details(block, canvas, indent)
    return lines[:_MOST_LINES]


def _render_shell(
    part: ShellCommand, output: ToolOutput | None, canvas: Canvas, indent: int
) -> list[StyledLine]:
    blank, room = " " * indent, canvas.measure - indent - 2
    lines: list[StyledLine] = []
    for at, line in enumerate(line for one in lines_of(part.command) for line in wrap(one, room)):
        lines.append(((Role.PROMPT, f"{blank}{'$ ' if at == 0 else '  '}{line}"),))
    if output is None:
        return lines
    role = Role.ERROR if output.is_error else Role.META
    shown = lines_of(output.text.strip("\n")) if output.text.strip() else []
    if not canvas.full and (more := count_hidden_lines(len(shown))):
        said = f"({more:,} more lines: X shows everything, v the pager)"
        shown = [*shown[:OUTPUT_HEAD], said, *shown[-OUTPUT_TAIL:]]
    lines += [((role, f"{blank}{text}"),) for one in shown for text in wrap(one, room)]
    if output.stored_at is not None:
        words = _fit_text(f"Output kept in {output.stored_at}", room, canvas)
        lines.append(((Role.META, f"{blank}{words}"),))
    return lines


def render_hunk(hunk: NumberedHunk, canvas: Canvas, indent: int) -> list[StyledLine]:
    """Set a stretch of a patch, with the numbers of its lines."""
    old, new = hunk.old_start, hunk.new_start
    lines: list[StyledLine] = []
    for text in hunk.lines:
        sign, words = text[:1], text[1:]
        number = old if sign == "-" else new
        role = {"-": Role.ERROR, "+": Role.ACTIVE}.get(sign, Role.META)
        shown = {"-": canvas.glyphs.minus, "+": "+"}.get(sign, " ")
        line = "".join(lines_of(words)[:1])
        cut = _fit_text(line, canvas.measure - indent - 8, canvas)
        lines.append(((Role.META, f"{' ' * indent}{number:>5} "), (role, f"{shown} {cut}")))
        old += sign in ("-", " ")
        new += sign in ("+", " ")
    return lines


def _render_todos(part: Checklist, canvas: Canvas, indent: int) -> list[StyledLine]:
    lines: list[StyledLine] = []
    for item in part.items:
        mark, role = _TODO.get(item.status, (" ", Role.CLAUDE))
        note = f"  {one_line(item.note)}" if item.note else ""
        room = canvas.measure - indent - 4 - width(note)
        text = _fit_text(" ".join(lines_of(item.text)), room, canvas)
        lines.append(((role, f"{' ' * indent}[{mark}] {text}"), (Role.META, note)))
    for item in part.removed:
        text = _fit_text(" ".join(lines_of(item.text)), canvas.measure - indent - 13, canvas)
        lines.append(((Role.META, f"{' ' * indent}[-] {text}  removed"),))
    return lines


def _render_questions(
    part: QuestionList, output: ToolOutput | None, canvas: Canvas, indent: int
) -> list[StyledLine]:
    blank, room = " " * indent, canvas.measure - indent - 2
    lines: list[StyledLine] = []
    for question in part.questions:
        asks = wrap("\n".join(lines_of(question.text)), room)
        lines += [((Role.PROMPT, f"{blank}{line}"),) for line in asks]
        for option in question.options:
            words = _fit_text(" ".join(lines_of(option.label)), room - 4, canvas)
            lines.append(((Role.CLAUDE, f"{blank}  - {words}"),))
    if output is not None:
        answer = wrap("\n".join(lines_of(output.text)), room)
        lines += [((Role.ACTIVE, f"{blank}{line}"),) for line in answer]
    return lines


def _fit_text(text: str, room: int, canvas: Canvas) -> str:
    return fit(text, room, canvas.glyphs.ellipsis)
