"""A plan as a person sees it before it happens: rows, or rows and the lines as a diff."""

import re
import sys
from collections.abc import Iterator, Sequence
from shlex import join
from typing import Final

from bough.model.interpret.user_records import parse_slash_command
from bough.terminal.canvas import Canvas
from bough.terminal.style import Role, StyledLine, line_of
from bough.terminal.text import clean, fit, one_line, width, wrap
from bough.timetravel.plan import Plan
from bough.timetravel.preview import PreviewRow, build_preview, render_diff

_LABELS: Final = 18
_LEAST: Final = 24
_WIDEST: Final = 120
_FACTS: Final = "   "
_ID: Final = re.compile(r"\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f-]{22}\b")
_SIGNS: Final = {"+": Role.ACTIVE, "-": Role.ERROR, "@": Role.META, "\\": Role.META}
_DRY: Final = {"--dry-run", "--diff"}


def render_preview(plan: Plan, canvas: Canvas, more: Sequence[PreviewRow] = ()) -> list[StyledLine]:
    """Set the preview of a plan: what it is, what Claude will see, what is written.

    `more` are rows that a command adds to it.
    """
    head, *rows = [*build_preview(plan), *more]
    lines = _render_text(_date_headline(plan, head.text, canvas), canvas)
    for row in rows:
        lines += _render_row(plan, row, canvas) if row.label else _render_text(row.text, canvas)
    return lines


def render_plan_diff(plan: Plan, canvas: Canvas) -> Iterator[StyledLine]:
    """Set what is written as a diff; lines are cut on a terminal alone."""
    for line in render_diff(plan).splitlines():
        if canvas.columns is None:
            yield line_of(line)
        else:
            shown = clean(line)
            shown = shown if len(shown) < canvas.columns else shown[: canvas.columns - 1] + "…"
            named = line.startswith(("--- ", "+++ "))
            yield line_of(shown, Role.META if named else _choose_role(line))


def describe_dry_run(plan: Plan) -> str:
    """Say how to do what was only shown."""
    words = [word for word in sys.argv[1:] if word not in _DRY]
    resume = "   then   the command it prints" if plan.creates and plan.result else ""
    if plan.resume and not plan.creates:
        resume = f"   then   {plan.resume}"
    return f"Dry run. Without --dry-run:  bough {join(words)}{resume}"


def _choose_role(line: str) -> Role:
    return _SIGNS.get(line[:1], Role.CLAUDE)


def _date_headline(plan: Plan, text: str, canvas: Canvas) -> str:
    """Add to the headline when the prompt it names was given."""
    point = plan.point
    if point is not None and point.text:
        text = text.replace(point.text, format_prompt(point.text))
    if point is None or not point.text or not point.timestamp:
        return text
    return f"{text} ({canvas.time(point.timestamp)})"


def _render_row(plan: Plan, row: PreviewRow, canvas: Canvas) -> list[StyledLine]:
    """Set a row: its label, and its text beside it in as many lines as it takes."""
    label = "Repairs" if plan.operation == "repair" and row.label == "Note" else row.label
    text = clean(row.text)
    lines = [text]
    if canvas.columns is not None and width(text) > (room := _text_columns(canvas)):
        named = row.label in ("Writes", "Changes") and _FACTS in text
        lines = _shorten_file(text, room, canvas) if named else wrap(one_line(text), room)
    first = " " * (_LABELS - len(label)) + lines[0]
    rest = [line_of(" " * _LABELS + line) for line in lines[1:]]
    return [((Role.META, label), (Role.CLAUDE, first)), *rest]


def _text_columns(canvas: Canvas) -> int:
    return max(_LEAST, min(canvas.columns or _WIDEST, _WIDEST) - _LABELS)


def _shorten_file(text: str, room: int, canvas: Canvas) -> list[str]:
    """Set a file that is too long to be named in full: the beginning of its id will do."""
    ellipsis = canvas.glyphs.ellipsis
    name, _, facts = text.partition(_FACTS)
    name = _ID.sub(rf"\1{ellipsis}", name)
    if width(name + _FACTS + facts) <= room:
        return [name + _FACTS + facts]
    folder, _, file = name.rpartition("/")
    if folder and width(name) > room:
        name = f"{fit(folder, room - width(file) - 1, ellipsis)}/{file}"
    return [name, *wrap(facts, room)]


def _render_text(text: str, canvas: Canvas) -> list[StyledLine]:
    text = one_line(text)
    lines = [text] if canvas.columns is None else wrap(text, min(canvas.columns, _WIDEST))
    return [line_of(line) for line in lines]


def format_prompt(text: str) -> str:
    """Write a slash command as it was typed, and any other prompt as it is."""
    command = parse_slash_command(text)
    return command.text if command is not None else text
