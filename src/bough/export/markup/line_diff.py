"""A change of a file, line by line: what went, what came, and which words of a line differ.

The client's own patch knows the numbers of the lines; the lines are compared again, because
its stretches may give a line that stayed as taken and given. Where only the two texts of an
edit are known there are no numbers, and none are made up.

Which words differ between the lines that went and the lines that came in their place.

Two lines are compared where they share words, whatever their order: spaces and signs say
nothing, for all lines have the same. Marks are stretches of a line as HTML without its colours.
"""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import accumulate, count, repeat
from typing import Final

from msgspec import Struct

from bough.export.markup.code import color_lines, mark_ranges
from bough.export.markup.escape import escape_html
from bough.model.text.formats import format_plural
from bough.model.text.line_diff import DiffRange, estimate_diff_work, find_differences

Marks = list[tuple[int, int]]
"""Stretches of a line, by their first place and the place after their last."""

_MOST_PAIRS: Final = 900
_MOST_WORK: Final = 10_000
_LONGEST_LINE: Final = 1_000
_ALIKE: Final = 0.3
_WORD: Final = re.compile(r"\w+")
_PART: Final = re.compile(r"\w+|\s+|&\w+;|<span[^>]*>[^<]*</span>|.")
"""A word, spaces or one character, which may be written by its name."""


def mark_changed_words(
    old: Sequence[str], new: Sequence[str]
) -> Iterator[tuple[int, Marks, int, Marks]]:
    """Pair lines that are alike, in order, and mark the words in which each pair differs."""
    if 0 < len(old) * len(new) <= _MOST_PAIRS:
        for i, j in _pair_lines(
            [_split_words(line) for line in old], [_split_words(line) for line in new]
        ):
            gone, come = _mark_differences(_split_parts(old[i]), _split_parts(new[j]))
            yield i, gone, j, come


def _split_words(line: str) -> Set[str]:
    """Give the words of a line; a line beyond reading has none."""
    return set(_WORD.findall(line)) if len(line) <= _LONGEST_LINE else set()


def _pair_lines(old: Sequence[Set[str]], new: Sequence[Set[str]]) -> Iterator[tuple[int, int]]:
    """Give each old line the new one that is most like it, behind those that are taken."""
    after = 0
    for i, words in enumerate(old):
        best, found = _ALIKE, -1
        for j in range(after, len(new)):
            total = len(words) + len(new[j])
            same = 2 * len(words & new[j])
            if same > best * total:
                best, found = same / total, j
        if found >= 0:
            yield i, found
            after = found + 1


def _split_parts(line: str) -> list[str]:
    return _PART.findall(escape_html(line.removesuffix("\r")))


def _mark_differences(one: Sequence[str], other: Sequence[str]) -> tuple[Marks, Marks]:
    """Mark what two lines do not share: most differ in one stretch between a start and an end."""
    start = _count_same(one, other)
    end = min(_count_same(reversed(one), reversed(other)), len(one) - start, len(other) - start)
    middle, instead = one[start : len(one) - end], other[start : len(other) - end]
    if len(middle) * len(instead) > _MOST_WORK and estimate_diff_work(middle, instead) > _MOST_WORK:
        return [], []
    left = [*accumulate(map(len, one), initial=0)]
    right = [*accumulate(map(len, other), initial=0)]
    gone: Marks = []
    come: Marks = []
    for i, i2, j, j2 in find_differences(middle, instead):
        if i < i2:
            gone.append((left[start + i], left[start + i2]))
        if j < j2:
            come.append((right[start + j], right[start + j2]))
    return gone, come


def _count_same(one: Iterable[str], other: Iterable[str]) -> int:
    """Count the words that two lines begin with."""
    number = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        number += 1
    return number


_CONTEXT: Final = 3
_NEAR: Final = 30
_MOST_LINES: Final = 4_000
"""More lines than this are not compared: the old ones go, the new ones come."""

_STAYED, _CAME, _WENT = [
    (f'<div class="{look}"><b>', f"</b><b>{sign}</b><span>")
    for look, sign in (("r", ""), ("r a", "+"), ("r d", "\N{MINUS SIGN}"))
]
"""What stands before the numbers of a line, and between them and the line."""


class TextChange(Struct, frozen=True):
    """Two texts of which one became the other, and the numbers of their first lines, if known."""

    old: Sequence[str]
    new: Sequence[str]
    old_start: int | None = None
    new_start: int | None = None


class DiffGap(Struct, frozen=True):
    """Lines between two changes; no lines where it is not known what lies there."""

    lines: Sequence[str]
    old_start: int = 1
    new_start: int = 1


def render_diff(change: TextChange, language: str) -> str:
    """Show a change, with three lines around what differs; the rest of it is folded."""
    changes = _compare_lines(change)
    old, new = _color_both(change, changes, language)
    out: list[str] = []
    i = j = 0
    for first, last, start, end in changes:
        same = _render_rows(
            _STAYED,
            _count_from(change.old_start, i),
            _count_from(change.new_start, j),
            new[j:start],
        )
        out += _fold_unchanged(same, _CONTEXT if out else 0, _CONTEXT)
        went = _render_rows(
            _WENT, _count_from(change.old_start, first), repeat(""), old[first:last]
        )
        came = _render_rows(_CAME, repeat(""), _count_from(change.new_start, start), new[start:end])
        out += ('<div class="change">', *went, *came, "</div>")
        i, j = last, end
    same = _render_rows(
        _STAYED, _count_from(change.old_start, i), _count_from(change.new_start, j), new[j:]
    )
    return "".join([*out, *_fold_unchanged(same, _CONTEXT if out else len(same), 0)])


def render_gap(gap: DiffGap) -> str:
    """Show the lines between two changes: folded, and of many only those next to a change."""
    size = len(gap.lines)
    if not size:
        return '<div class="gap">⋯</div>' if gap.old_start == 1 else ""
    if size <= _NEAR * 2:
        rows = _render_unchanged(gap, 0, size)
    else:
        note = f'<div class="gap">{format_plural(size - _NEAR * 2, "line")} not shown</div>'
        rows = [
            *_render_unchanged(gap, 0, _NEAR),
            note,
            *_render_unchanged(gap, size - _NEAR, size),
        ]
    return "".join(_render_fold(size, rows))


def _render_unchanged(gap: DiffGap, first: int, last: int) -> list[str]:
    lines = escape_html("\n".join(gap.lines[first:last]) + "\n").split("\n")[:-1]
    return _render_rows(_STAYED, count(gap.old_start + first), count(gap.new_start + first), lines)


def _compare_lines(change: TextChange) -> list[DiffRange]:
    """Compare two texts line by line."""
    old, new = change.old, change.new
    if len(old) + len(new) > _MOST_LINES:
        return [(0, len(old), 0, len(new))]
    return find_differences(old, new)


def _color_both(
    change: TextChange, changes: Sequence[DiffRange], language: str
) -> tuple[list[str], list[str]]:
    """Colour both texts, the old one as far as it is shown, and mark the words that differ."""
    shown = max([last for first, last, _, _ in changes if first < last], default=0)
    old = color_lines("\n".join(change.old[:shown]), language) if shown else []
    new = color_lines("\n".join(change.new), language) if change.new else []
    for first, last, start, end in changes:
        for i, gone, j, come in mark_changed_words(change.old[first:last], change.new[start:end]):
            old[first + i] = mark_ranges(old[first + i], gone)
            new[start + j] = mark_ranges(new[start + j], come)
    return old, new


def _render_rows(
    look: tuple[str, str],
    left: Iterable[int | str],
    right: Iterable[int | str],
    lines: Iterable[str],
) -> list[str]:
    """Write lines with their numbers in both texts and the sign of what became of them."""
    head, sign = look
    return [
        f"{head}{old}</b><b>{new}{sign}{line}</span></div>"
        for line, old, new in zip(lines, left, right, strict=False)
    ]


def _count_from(start: int | None, place: int) -> Iterable[int | str]:
    """Count lines from a place on; where the number of the first is not known, none has one."""
    return repeat("") if start is None else count(start + place)


def _fold_unchanged(rows: list[str], before: int, after: int) -> list[str]:
    """Fold unchanged lines but so many at both ends, which are near a change."""
    end = len(rows) - after
    if end - before <= 1:
        return rows
    return [*rows[:before], *_render_fold(end - before, rows[before:end]), *rows[end:]]


def _render_fold(size: int, rows: Iterable[str]) -> list[str]:
    words = format_plural(size, "unchanged line")
    head = f'<details class="fold gap"><summary>{words}</summary><div class="body">'
    return [head, *rows, "</div></details>"]
