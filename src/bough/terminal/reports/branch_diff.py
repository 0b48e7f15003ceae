"""Two branches as a person compares them: side by side where there is room, else in turn.

Turns stand beside each other by their number after the parting; they need not have anything
in common.
"""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from bough.model.session import Session
from bough.model.text.formats import (
    format_changes,
    format_cost,
    format_duration,
    format_plural,
    format_steps,
)
from bough.terminal.canvas import Canvas
from bough.terminal.header import find_short_length, render_session_line
from bough.terminal.reports.plan_preview import format_prompt
from bough.terminal.style import Role, Span, StyledLine, line_of, make_line, replace_signs
from bough.terminal.text import fit, lines_of, one_line, width, wrap
from bough.timetravel.compare.compare_branches import (
    BranchComparison,
    ComparedBranch,
    ComparedTurn,
    FileChange,
)

_WIDE: Final = 120
_WIDEST: Final = 200
_MOST: Final = 6
_INDENT: Final = "   "

SpanLine = list[Span]
SpanBlock = list[SpanLine]


def render_comparison(session: Session, seen: BranchComparison, canvas: Canvas) -> list[StyledLine]:
    """Set two branches of a session."""
    columns = canvas.columns
    beside = columns is not None and columns >= _WIDE
    whole = min(columns, _WIDEST) if columns is not None and beside else canvas.measure
    room = (whole - 3) // 2 if beside else (columns and min(columns, canvas.measure))
    shown = [turn.uuid for turn in (*seen.a.turns, *seen.b.turns)]
    short = find_short_length([*shown, seen.a.tip, seen.b.tip], session.tree.number)
    view = _ComparisonRenderer(canvas, room, short, session.cwd or "", seen.both)
    lines = [render_session_line(session, canvas, whole), *_describe_branch_point(seen, canvas), ()]
    a, b = view.render_side("A", seen.a), view.render_side("B", seen.b)
    if not beside or room is None:
        drawn = [line for block in (*a, *b) for line in block]
        return lines + [make_line(line) for line in drawn]
    return lines + list(_join_columns(a, b, room, canvas))


def _describe_branch_point(seen: BranchComparison, canvas: Canvas) -> list[StyledLine]:
    """Say where the two part."""
    point = seen.parting
    if point is None:
        return [line_of("They have nothing in common.")]
    time = f" ({canvas.time(point.timestamp)})" if point.timestamp else ""
    text = (
        f'They part after {format_plural(seen.shared, "turn")}, at "{one_line(point.text)}"{time}'
    )
    if seen.other is None and seen.a.tip == seen.b.tip:
        text = f'A and B are the same, to "{one_line(point.text)}"{time}'
    elif not seen.a.turns or not seen.b.turns:
        text = f'One goes on where the other ends, at "{one_line(point.text)}"{time}'
    lines = [text] if canvas.columns is None else wrap(text, canvas.columns)
    return [line_of(line) for line in lines]


def _join_columns(
    a: list[SpanBlock], b: list[SpanBlock], room: int, canvas: Canvas
) -> Iterator[StyledLine]:
    bar = (Role.META, f" {canvas.glyphs.bar} ")
    for left, right in zip_longest(a, b):
        for one, other in zip_longest(left or [], right or []):
            blank = " " * (room - sum(width(text) for _, text in one or []))
            yield make_line([*(one or []), (Role.CLAUDE, blank), bar, *(other or [])])


class _ComparisonRenderer:
    """How both sides are set: how wide, with ids how long, below which folder."""

    def __init__(
        self, canvas: Canvas, room: int | None, short: int, cwd: str, both: Sequence[str]
    ) -> None:
        self.canvas = canvas
        self.room = room
        self.short = short
        self.cwd = cwd
        self.both = frozenset(both)

    def render_side(self, name: str, side: ComparedBranch) -> list[SpanBlock]:
        """Set one side: its head, the files it wrote to, then its turns."""
        turns = [self._render_turn(turn, side) for turn in side.turns]
        nothing: SpanBlock = [[(Role.META, f"{_INDENT}Nothing was said after the parting.")], []]
        return [
            self._render_head(name, side),
            self._render_files(side.files),
            *(turns or [nothing]),
        ]

    def _render_head(self, name: str, side: ComparedBranch) -> SpanBlock:
        glyphs = self.canvas.glyphs
        sign: Span = (Role.ACTIVE, glyphs.tip) if side.active else (Role.LEFT, glyphs.other)
        state = "active" if side.active else "left behind"
        known = format_cost(side.cost.usd, partly_unknown=not side.cost.is_complete)
        facts = (
            format_plural(len(side.turns), "turn"),
            format_plural(side.usage.calls, "call"),
            known,
            *([format_duration(side.seconds)] if side.seconds else []),
        )
        return [
            [
                sign,
                (Role.HEADER, f"  {name}  "),
                *self._cut_text(f"{state}, tip {side.tip[: self.short]}", 6),
            ],
            self._cut_text(_INDENT + ", ".join(facts)),
        ]

    def _render_files(self, files: Sequence[FileChange]) -> SpanBlock:
        if not files:
            return [[(Role.META, f"{_INDENT}No file was written to")], []]
        glyphs = self.canvas.glyphs
        counts = [replace_signs(format_changes(one.added, one.removed), glyphs) for one in files]
        wide = max(map(width, counts))
        block: SpanBlock = []
        for file, count in zip(files, counts, strict=True):
            note = "  on both" if file.path in self.both else ""
            head = f"{_INDENT}{' ' * (wide - width(count))}{count}  "
            name = self._cut_text(self._relative_path(file.path), width(head) + width(note))
            block.append([(Role.TOOL, head), *name, (Role.META, note)])
        return [*block, []]

    def _render_turn(self, turn: ComparedTurn, side: ComparedBranch) -> SpanBlock:
        glyphs = self.canvas.glyphs
        sign: Span = (Role.ACTIVE, glyphs.node) if side.active else (Role.LEFT, glyphs.other)
        head = f"  {turn.uuid[: self.short]}  {self.canvas.time(turn.timestamp)}  "
        words = self._cut_text(format_prompt(turn.prompt), 1 + width(head))
        failed = f", {turn.failed} failed" if turn.failed else ""
        return [
            [sign, (Role.META, head), *((Role.PROMPT, text) for _, text in words)],
            *([(Role.CLAUDE, line)] for line in self._render_answer(turn.answer)),
            [(Role.META, f"{_INDENT}{format_steps(turn.steps)}{failed}")],
            [],
        ]

    def _render_answer(self, text: str) -> list[str]:
        """Set the last words of an answer; on a terminal its first lines."""
        lines = [line for line in lines_of(text.strip()) if line.strip()]
        if self.room is None:
            return [_INDENT + line for line in lines]
        set_ = [part for line in lines for part in wrap(line, self.room, _INDENT)]
        if len(set_) > _MOST:
            ellipsis = self.canvas.glyphs.ellipsis
            set_ = [*set_[: _MOST - 1], fit(set_[_MOST - 1], self.room - 2) + f" {ellipsis}"]
        return set_

    def _relative_path(self, path: str) -> str:
        """Name a file by its place in the session's folder."""
        for mark in ("/", "\\"):
            if self.cwd and path.startswith(self.cwd + mark):
                return path[len(self.cwd) + 1 :]
        return path

    def _cut_text(self, text: str, used: int = 0) -> SpanLine:
        words = one_line(text) if not text.startswith(" ") else text
        if self.room is None:
            return [(Role.CLAUDE, words)]
        return [(Role.CLAUDE, fit(words, self.room - used, self.canvas.glyphs.ellipsis))]
