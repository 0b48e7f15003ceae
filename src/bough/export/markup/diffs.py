"""A change of a file, line by line: what went, what came, and which words of a line differ.

The client's own patch knows the numbers of the lines; the lines are compared again, because
its stretches may give a line that stayed as taken and given. Where only the two texts of an
edit are known there are no numbers, and none are made up.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import Final

from msgspec import Struct

from bough.export.markup.code import marked, segments
from bough.export.markup.quickcode import Segment
from bough.export.markup.text import escaped
from bough.model.linecount import matcher_of, matching_work
from bough.model.numbers import plural

_CONTEXT: Final = 3
_NEAR: Final = 30
_MOST_LINES: Final = 4_000
"""More lines than this are not compared: the old ones go, the new ones come."""

_MOST_PAIRS: Final = 900
_MOST_WORK: Final = 10_000
_LONGEST_LINE: Final = 1_000
_ALIKE: Final = 0.45
_WORD: Final = re.compile(r"\w+|\s+|[^\w\s]")
_SIGNS: Final = {"a": "+", "d": "\N{MINUS SIGN}", "": ""}

Marks = list[tuple[int, int]]


class Change(Struct, frozen=True):
    """Two texts of which one became the other, and the numbers of their first lines, if known."""

    old: Sequence[str]
    new: Sequence[str]
    old_start: int | None = None
    new_start: int | None = None


class Gap(Struct, frozen=True):
    """Lines between two changes; no lines where it is not known what lies there."""

    lines: Sequence[str]
    old_start: int = 1
    new_start: int = 1


class _Row(Struct, frozen=True):
    """One line: which it is in the old and in the new text (from 0), and what of it differs."""

    old: int | None
    new: int | None
    marks: Marks

    @property
    def look(self) -> str:
        return "" if self.old is not None and self.new is not None else "da"[self.old is None]


def diff_of(change: Change, language: str) -> str:
    """Show a change, with three lines around what differs; the rest of it is folded."""
    rows = list(_rows(change.old, change.new))
    removed = any(row.new is None for row in rows)
    old = segments("\n".join(change.old), language) if removed else []
    new = segments("\n".join(change.new), language)
    shown = [_row(row, change, old, new) for row in rows]
    out: list[str] = []
    for start, end, hidden in _stretches(rows):
        lines = _joined(rows[start:end], shown[start:end])
        if hidden:
            words = plural(end - start, "unchanged line")
            lines = (
                f'<details class="fold gap"><summary>{words}</summary>'
                f'<div class="body">{lines}</div></details>'
            )
        out.append(lines)
    return "".join(out)


def _joined(rows: Sequence[_Row], shown: Sequence[str]) -> str:
    """Join lines; those that differ and follow one another can be laid out as one change."""
    out: list[str] = []
    for differs, lines in groupby(zip(rows, shown, strict=True), lambda pair: bool(pair[0].look)):
        text = "".join(line for _, line in lines)
        out.append(f'<div class="change">{text}</div>' if differs else text)
    return "".join(out)


def gap_of(gap: Gap) -> str:
    """Show the lines between two changes: folded, and of many only those next to a change."""
    if not gap.lines:
        return '<div class="gap">⋯</div>' if gap.old_start == 1 else ""
    rows = [
        f'<div class="r"><b>{gap.old_start + at}</b><b>{gap.new_start + at}</b><b></b>'
        f"<span>{escaped(line)}</span></div>"
        for at, line in enumerate(gap.lines)
        if at < _NEAR or at >= len(gap.lines) - _NEAR
    ]
    if len(gap.lines) > _NEAR * 2:
        left_out = len(gap.lines) - _NEAR * 2
        rows.insert(_NEAR, f'<div class="gap">{plural(left_out, "line")} not shown</div>')
    words = plural(len(gap.lines), "unchanged line")
    return (
        f'<details class="fold gap"><summary>{words}</summary>'
        f'<div class="body">{"".join(rows)}</div></details>'
    )


def _row(
    row: _Row,
    change: Change,
    old: Sequence[Sequence[Segment]],
    new: Sequence[Sequence[Segment]],
) -> str:
    look = row.look
    line = new[row.new] if row.new is not None else old[row.old or 0]
    left = _number(row.old, change.old_start)
    right = _number(row.new, change.new_start)
    text = marked(line, row.marks)
    return (
        f'<div class="{f"r {look}".rstrip()}"><b>{left}</b><b>{right}</b><b>{_SIGNS[look]}</b>'
        f"<span>{text}</span></div>"
    )


def _number(place: int | None, start: int | None) -> str:
    return "" if place is None or start is None else str(place + start)


def _rows(old: Sequence[str], new: Sequence[str]) -> Iterator[_Row]:
    """Compare two texts line by line."""
    if len(old) + len(new) > _MOST_LINES:
        yield from (_Row(n, None, []) for n in range(len(old)))
        yield from (_Row(None, n, []) for n in range(len(new)))
        return
    matcher = matcher_of(old, new)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            yield from (_Row(i1 + n, j1 + n, []) for n in range(i2 - i1))
            continue
        gone, come = _changed_words(old[i1:i2], new[j1:j2])
        yield from (_Row(i1 + n, None, gone.get(n, [])) for n in range(i2 - i1))
        yield from (_Row(None, j1 + n, come.get(n, [])) for n in range(j2 - j1))


def _changed_words(
    old: Sequence[str], new: Sequence[str]
) -> tuple[dict[int, Marks], dict[int, Marks]]:
    """Pair lines that are alike, in order, and mark the words in which each pair differs."""
    gone: dict[int, Marks] = {}
    come: dict[int, Marks] = {}
    if len(old) * len(new) > _MOST_PAIRS:
        return gone, come
    after = 0
    words = [_counted(line) for line in new]
    for i, line in enumerate(old):
        own = _counted(line)
        best, found = _ALIKE, None
        for j in range(after, len(new)):
            likeness = _likeness(own, words[j], best)
            if likeness > best:
                best, found = likeness, j
        if found is not None:
            gone[i], come[found] = _marks(line, new[found])
            after = found + 1
    return gone, come


class _Counted(Struct, frozen=True, gc=False):
    """The words and signs of a line, how often each, and how many in all."""

    words: dict[str, int]
    total: int


def _counted(line: str) -> _Counted:
    """Count the words and signs of a line; of a line beyond reading none."""
    found = _WORD.findall(line.strip()) if len(line) <= _LONGEST_LINE else []
    return _Counted(Counter(found), len(found))


def _likeness(one: _Counted, other: _Counted, least: float) -> float:
    """Tell how much of two lines is the same, whatever its order: a measure that costs little.

    Where their lengths alone keep it from reaching the least that counts, it is none.
    """
    total = one.total + other.total
    if not total or 2 * min(one.total, other.total) <= least * total:
        return 0.0
    there = other.words
    same = sum([min(times, there[word]) for word, times in one.words.items() if word in there])
    return 2 * same / total


def _marks(one: str, other: str) -> tuple[Marks, Marks]:
    left, right = _WORD.findall(one), _WORD.findall(other)
    if matching_work(left, right) > _MOST_WORK:
        return [], []
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    gone: Marks = []
    come: Marks = []
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            _mark(gone, left, i1, i2)
            _mark(come, right, j1, j2)
    return gone, come


def _mark(marks: Marks, words: Sequence[str], first: int, last: int) -> None:
    start = sum(map(len, words[:first]))
    end = start + sum(map(len, words[first:last]))
    if end > start:
        marks.append((start, end))


def _stretches(rows: Sequence[_Row]) -> Iterable[tuple[int, int, bool]]:
    """Cut rows into stretches that are shown and long unchanged ones that are folded."""
    changed = [number for number, row in enumerate(rows) if row.look]
    if not changed:
        return [(0, len(rows), False)]
    near = [False] * len(rows)
    for number in changed:
        for at in range(max(0, number - _CONTEXT), min(len(rows), number + _CONTEXT + 1)):
            near[at] = True
    found: list[tuple[int, int, bool]] = []
    start = 0
    for at in range(1, len(rows) + 1):
        if at == len(rows) or near[at] != near[start]:
            found.append((start, at, not near[start] and at - start > 1))
            start = at
    return found
