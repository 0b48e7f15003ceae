"""What a tool was given and gave back, in the form that suits it.

Edits are diffs with line numbers, todos a checklist, shell output its beginning and its end,
questions their answers. Anything else is shown field by field.
"""

from collections.abc import Callable, Mapping
from typing import Final

from bough.model.tools.calls import ToolBlock
from bough.model.tools.structured_results import NumberedHunk, patched_by
from bough.tui.style.style import Line, Role, Sheet, fit, lines_of, spans_of, unfolded, wrap

_HEAD, _TAIL = 8, 4
_MOST_LINES: Final = 2_000
_TODO: Final = {"completed": ("x", Role.ACTIVE), "in_progress": (">", Role.PROMPT)}


def detail(block: ToolBlock, sheet: Sheet, indent: int) -> list[Line]:
    """Set what is behind a call's row."""
    given = block.input if isinstance(block.input, Mapping) else {}
    show = _VIEWS.get(block.name)
    lines = show(block, given, sheet, indent) if show is not None else []
    return lines or [spans_of(line) for line in unfolded(block, sheet, indent)][:_MOST_LINES]


def _shell(block: ToolBlock, given: Mapping[str, object], sheet: Sheet, indent: int) -> list[Line]:
    command = str(given.get("command", ""))
    blank, room = " " * indent, sheet.measure - indent - 2
    lines: list[Line] = []
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
            ((Role.META, f"{blank}{_fit(f'Output kept in {result.persisted}', room, sheet)}"),)
        )
    return lines[:_MOST_LINES]


def _edit(
    block: ToolBlock,
    given: Mapping[str, object],  # noqa: ARG001 - the form of all views
    sheet: Sheet,
    indent: int,
) -> list[Line]:
    """Set the client's own patch, which has line numbers; without one there is no view."""
    if block.result is None:
        return []
    lines: list[Line] = []
    for hunk in patched_by(block.result).hunks:
        lines += hunk_lines(hunk, sheet, indent)
    return lines[:_MOST_LINES]


def hunk_lines(hunk: NumberedHunk, sheet: Sheet, indent: int) -> list[Line]:
    """Set a stretch of a patch, with the numbers of its lines."""
    old, new = hunk.old_start, hunk.new_start
    lines: list[Line] = []
    for text in hunk.lines:
        sign, words = text[:1], text[1:]
        number = old if sign == "-" else new
        role = {"-": Role.ERROR, "+": Role.ACTIVE}.get(sign, Role.META)
        shown = {"-": sheet.styles.glyphs.minus, "+": "+"}.get(sign, " ")
        line = "".join(lines_of(words)[:1])
        cut = _fit(line, sheet.measure - indent - 8, sheet)
        lines.append(((Role.META, f"{' ' * indent}{number:>5} "), (role, f"{shown} {cut}")))
        old += sign in ("-", " ")
        new += sign in ("+", " ")
    return lines


def _todos(
    block: ToolBlock,  # noqa: ARG001 - the form of all views
    given: Mapping[str, object],
    sheet: Sheet,
    indent: int,
) -> list[Line]:
    todos = given.get("todos")
    lines: list[Line] = []
    for todo in todos if isinstance(todos, list) else []:
        if isinstance(todo, Mapping):
            mark, role = _TODO.get(str(todo.get("status", "")), (" ", Role.CLAUDE))
            words = " ".join(lines_of(str(todo.get("content", ""))))
            text = _fit(words, sheet.measure - indent - 4, sheet)
            lines.append(((role, f"{' ' * indent}[{mark}] {text}"),))
    return lines


def _questions(
    block: ToolBlock, given: Mapping[str, object], sheet: Sheet, indent: int
) -> list[Line]:
    asked = given.get("questions")
    blank, room = " " * indent, sheet.measure - indent - 2
    lines: list[Line] = []
    for one in asked if isinstance(asked, list) else []:
        if not isinstance(one, Mapping):
            continue
        asks = wrap("\n".join(lines_of(str(one.get("question", "")))), room)
        lines += [((Role.PROMPT, f"{blank}{part}"),) for part in asks]
        options = one.get("options")
        for option in options if isinstance(options, list) else []:
            label = option.get("label", "") if isinstance(option, Mapping) else option
            words = _fit(" ".join(lines_of(str(label))), room - 4, sheet)
            lines.append(((Role.CLAUDE, f"{blank}  - {words}"),))
    if lines and block.result is not None:
        answer = wrap("\n".join(lines_of(block.result.text)), room)
        lines += [((Role.ACTIVE, f"{blank}{part}"),) for part in answer]
    return lines


def _fit(text: str, room: int, sheet: Sheet) -> str:
    return fit(text, room, sheet.styles.glyphs.ellipsis)


_View = Callable[[ToolBlock, Mapping[str, object], Sheet, int], list[Line]]
_VIEWS: Final[dict[str, _View]] = {
    "AskUserQuestion": _questions,
    "Bash": _shell,
    "Edit": _edit,
    "MultiEdit": _edit,
    "PowerShell": _shell,
    "TodoWrite": _todos,
    "Write": _edit,
}
