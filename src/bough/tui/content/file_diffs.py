"""The files of a comparison: a row for each, and below an opened one how it was left."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial

from msgspec import Struct

from bough.library import FileChange, FileDifference
from bough.model.text.formats import format_changes, format_plural
from bough.model.tools.structured_results import NumberedHunk
from bough.terminal.canvas import Canvas
from bough.terminal.style import Glyphs, Role, StyledLine
from bough.terminal.text import fit, one_line, pad, width
from bough.tui.conversation.tool_details import render_hunk
from bough.tui.widgets.list_items import ListItem

_LABEL = 9
_MOST_HUNKS = 200

CanvasFactory = Callable[[int], Canvas]
"""Gives a canvas of so many columns."""


class FileDiffRow(Struct, frozen=True):
    """A file that a side wrote to, and how both left it; None until that is known."""

    change: FileChange
    name: str
    left: FileDifference | None


def list_file_rows(
    files: Sequence[FileChange],
    left: Mapping[str, FileDifference] | None,
    named: Callable[[str], str],
) -> list[FileDiffRow]:
    """List the files of a side; where no write came about nobody left anything."""
    if left is None:
        return [FileDiffRow(file, named(file.path), None) for file in files]
    return [
        FileDiffRow(file, named(file.path), left.get(file.path) or _make_unchanged(file))
        for file in files
    ]


def _make_unchanged(file: FileChange) -> FileDifference:
    return FileDifference(path=file.path, by_a=False, by_b=False, differs=False)


def build_file_items(
    rows: Sequence[FileDiffRow],
    side: str,
    opened: Collection[str],
    glyphs: Glyphs,
    canvas_factory: CanvasFactory,
) -> Iterator[ListItem]:
    """List the files of a side; under an opened one stands its diff."""
    for row in rows:
        key = f"f/{row.change.path}"
        is_open = row.change.path in opened
        same = row.left is not None and row.left.differs is False
        draw = partial(_render_row, row, side, is_open, glyphs)
        yield ListItem(key, draw, "same" if same else "file", row)
        if is_open and row.left is not None:
            yield from _build_diff_items(key, row, row.left, glyphs, canvas_factory)


def _render_row(
    row: FileDiffRow, side: str, is_open: bool, glyphs: Glyphs, columns: int
) -> list[StyledLine]:
    sign = glyphs.opened if is_open else glyphs.folded
    label = f"{sign} {pad(_label_of(row, side), _LABEL)}"
    counts = f"  {format_changes(row.change.added, row.change.removed)}"
    room = max(8, columns - width(label) - width(counts))
    name = fit(one_line(row.name), room, glyphs.ellipsis)
    return [((Role.TOOL, label), (Role.CLAUDE, name), (Role.META, counts))]


def _label_of(row: FileDiffRow, side: str) -> str:
    left = row.left
    if left is None:
        return ""
    if not (left.by_a if side == "a" else left.by_b):
        return "failed"
    if not (left.by_a and left.by_b):
        return f"only {side.upper()}"
    return {True: "differs", False: "the same", None: "both"}[left.differs]


def _build_diff_items(
    key: str, row: FileDiffRow, left: FileDifference, glyphs: Glyphs, canvas_factory: CanvasFactory
) -> Iterator[ListItem]:
    yield _make_note(f"{key}/how", _describe_difference(left, glyphs))
    if left.differs is not None:
        yield from _build_hunk_items(key, row, left.hunks, canvas_factory)
        return
    for name, hunks in (("A", left.a), ("B", left.b)):
        if hunks and left.by_a and left.by_b:
            yield _make_note(f"{key}/{name}", f"{name} did:")
        yield from _build_hunk_items(f"{key}/{name}", row, hunks, canvas_factory)


def _build_hunk_items(
    key: str, row: FileDiffRow, hunks: Sequence[NumberedHunk], canvas_factory: CanvasFactory
) -> Iterator[ListItem]:
    for number, hunk in enumerate(hunks[:_MOST_HUNKS]):
        draw = partial(_render_hunk, hunk, number, canvas_factory)
        yield ListItem(f"{key}/{number}", draw, "hunk", row)
    more = len(hunks) - _MOST_HUNKS
    if more > 0:
        yield _make_note(f"{key}/more", f"{format_plural(more, 'change')} more.")


def _render_hunk(
    hunk: NumberedHunk, number: int, canvas_factory: CanvasFactory, columns: int
) -> list[StyledLine]:
    lines = render_hunk(hunk, canvas_factory(columns), 2)
    return [((Role.META, ""),), *lines] if number else lines


def _describe_difference(left: FileDifference, glyphs: Glyphs) -> str:
    """Say what is compared with what."""
    one, other = ("A", "B") if left.by_a else ("B", "A")
    both = left.by_a and left.by_b
    if left.differs is None:
        return "The client kept no copy of this file: these are the changes alone."
    if not (left.by_a or left.by_b):
        return "No write to it came about."
    if not left.differs:
        return "Both left it the same." if both else f"{one} left it as it was."
    if both:
        return f"{glyphs.minus} as A left it   + as B left it"
    return f"{glyphs.minus} as {other} left it   + as {one} left it"


def _make_note(key: str, text: str) -> ListItem:
    lines: list[StyledLine] = [((Role.META, f"    {text}"),)]
    return ListItem(key, lambda _: lines, "talk", picked=False)
