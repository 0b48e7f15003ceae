"""A plan as a person sees it before it happens: rows, or rows and the lines as a diff."""

import re
import sys
from collections.abc import Iterator, Sequence
from shlex import join
from typing import Final

from bough.model.interpret.user_records import command_of
from bough.terminal.canvas import Sheet
from bough.terminal.style import Role
from bough.terminal.text import clean, fit, one_line, width, wrap
from bough.timetravel.plan import Plan
from bough.timetravel.preview import Row, diff, preview

_LABELS: Final = 18
_LEAST: Final = 24
_WIDEST: Final = 120
_FACTS: Final = "   "
_ID: Final = re.compile(r"\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f-]{22}\b")
_SIGNS: Final = {"+": Role.ACTIVE, "-": Role.ERROR, "@": Role.META, "\\": Role.META}
_DRY: Final = {"--dry-run", "--diff"}


def preview_lines(plan: Plan, sheet: Sheet, more: Sequence[Row] = ()) -> list[str]:
    """Set the preview of a plan: what it is, what Claude will see, what is written.

    `more` are rows that a command adds to it.
    """
    head, *rows = [*preview(plan), *more]
    lines = _wrapped(_headline(plan, head.text, sheet), sheet)
    for row in rows:
        lines += _row(plan, row, sheet) if row.label else _wrapped(row.text, sheet)
    return lines


def diff_lines(plan: Plan, sheet: Sheet) -> Iterator[str]:
    """Set what is written as a diff; lines are cut on a terminal alone."""
    for line in diff(plan).splitlines():
        if sheet.columns is None:
            yield line
        else:
            shown = clean(line)
            shown = shown if len(shown) < sheet.columns else shown[: sheet.columns - 1] + "…"
            named = line.startswith(("--- ", "+++ "))
            yield sheet.styles.paint(Role.META if named else _role(line), shown)


def dry_run_line(plan: Plan) -> str:
    """Say how to do what was only shown."""
    words = [word for word in sys.argv[1:] if word not in _DRY]
    resume = "   then   claude --resume and the id it prints" if plan.creates else ""
    if plan.resume and not plan.creates:
        resume = f"   then   {plan.resume}"
    return f"Dry run. Without --dry-run:  bough {join(words)}{resume}"


def _role(line: str) -> Role:
    return _SIGNS.get(line[:1], Role.CLAUDE)


def _headline(plan: Plan, text: str, sheet: Sheet) -> str:
    """Add to the headline when the prompt it names was given."""
    point = plan.point
    if point is not None and point.text:
        text = text.replace(point.text, as_typed(point.text))
    if point is None or not point.text or not point.timestamp:
        return text
    return f"{text} ({sheet.time(point.timestamp)})"


def _row(plan: Plan, row: Row, sheet: Sheet) -> list[str]:
    """Set a row: its label, and its text beside it in as many lines as it takes."""
    label = "Repairs" if plan.operation == "repair" and row.label == "Note" else row.label
    text = clean(row.text)
    lines = [text]
    if sheet.columns is not None and width(text) > (room := _room(sheet)):
        named = row.label in ("Writes", "Changes") and _FACTS in text
        lines = _shortened(text, room, sheet) if named else wrap(one_line(text), room)
    painted = [sheet.styles.paint(Role.META, label) + " " * (_LABELS - len(label)) + lines[0]]
    return painted + [" " * _LABELS + line for line in lines[1:]]


def _room(sheet: Sheet) -> int:
    return max(_LEAST, min(sheet.columns or _WIDEST, _WIDEST) - _LABELS)


def _shortened(text: str, room: int, sheet: Sheet) -> list[str]:
    """Set a file that is too long to be named in full: the beginning of its id will do."""
    ellipsis = sheet.styles.glyphs.ellipsis
    name, _, facts = text.partition(_FACTS)
    name = _ID.sub(rf"\1{ellipsis}", name)
    if width(name + _FACTS + facts) <= room:
        return [name + _FACTS + facts]
    folder, _, file = name.rpartition("/")
    if folder and width(name) > room:
        name = f"{fit(folder, room - width(file) - 1, ellipsis)}/{file}"
    return [name, *wrap(facts, room)]


def _wrapped(text: str, sheet: Sheet) -> list[str]:
    text = one_line(text)
    return [text] if sheet.columns is None else wrap(text, min(sheet.columns, _WIDEST))


def as_typed(text: str) -> str:
    """Write a slash command as it was typed, and any other prompt as it is."""
    command = command_of(text)
    return command.text if command is not None else text
