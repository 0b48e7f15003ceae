"""The few words around a match, with the match marked.

An excerpt is cut where the most of what was asked for stands close together; the first
such place wins. Marks are offsets into the excerpt, so that every face draws them its own
way. The index keeps no text and cannot cut excerpts itself.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TypeAlias

from msgspec import Struct

from bough.model.text.match_patterns import WordPattern


class TextMatches(Struct, frozen=True):
    """Places in a text that somebody else found."""

    spans: tuple[tuple[int, int], ...]


SearchPattern: TypeAlias = str | WordPattern | TextMatches | re.Pattern[str]

_MOST_PER_WORD = 50
_SNAP = 20
_CUT = "…"
# White space that is not one space already.
_GAPS = re.compile(r"\s{2,}|[^\S ]")


class Snippet(Struct, frozen=True):
    """An excerpt on one line; each mark is a start and an end in `text`."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()


class _Match(Struct, frozen=True, order=True):
    start: int
    end: int
    word: int


def cut_snippet(
    text: str,
    words: Sequence[SearchPattern],
    width: int = 160,
    noise: re.Pattern[str] | None = None,
) -> Snippet:
    """Cut about `width` characters around the best match, or the beginning without one.

    What is `noise` is left out, unless it is what was looked for.
    """
    found = sorted(_find_matches(text, words))
    start, end = _choose_window(text, found, width)
    left_out: list[tuple[int, int]] = []
    if noise is not None:
        start = _include_noise_at_start(text, start, noise)
        left_out = _find_noise(text, start, min(len(text), end + width), noise, found)
        end = _widen_by_noise(text, end, start, left_out)
    within = ((max(f.start, start), min(f.end, end)) for f in found if f.start < end)
    marks = [mark for mark in within if mark[0] < mark[1]]
    return _set_on_one_line(text, (start, end), _merge_marks(marks), left_out)


def _find_matches(text: str, words: Sequence[SearchPattern]) -> Iterator[_Match]:
    for number, word in enumerate(words):
        for start, end in islice(_find_spans(text, word), _MOST_PER_WORD):
            if start < end:
                yield _Match(start, end, number)


def _find_spans(text: str, word: SearchPattern) -> Iterator[tuple[int, int]]:
    match word:
        case re.Pattern():
            return (match.span() for match in word.finditer(text))
        case WordPattern():
            return word.spans(text)
        case TextMatches():
            return iter(word.spans)
        case str():
            return WordPattern(word).spans(text)


def _choose_window(text: str, found: Sequence[_Match], width: int) -> tuple[int, int]:
    if len(text) <= width:
        return 0, len(text)
    if not found:
        return 0, _snap_end(text, 0, width)
    best = _choose_best_match(found, width * 3 // 4)
    start = max(0, min(best.start - width // 4, len(text) - width))
    end = min(len(text), start + width)
    if start:
        start = _snap_start(text, start, best.start)
    if end < len(text):
        end = _snap_end(text, min(best.end, end), end)
    return start, end


def _choose_best_match(found: Sequence[_Match], reach: int) -> _Match:
    """Choose the match that has the most different words within reach after it."""

    def words_near(i: int) -> int:
        first = found[i]
        near = (f.word for f in islice(found, i, None) if f.start < first.start + reach)
        return len(set(near))

    return found[max(range(len(found)), key=words_near)]


def _snap_start(text: str, start: int, limit: int) -> int:
    """Move a cut forward to the beginning of a word, if one is near."""
    for place in range(start, min(start + _SNAP, limit)):
        if text[place].isspace():
            return place + 1
    return start


def _snap_end(text: str, limit: int, end: int) -> int:
    """Move a cut back to the end of a word, if one is near."""
    for place in range(end, max(end - _SNAP, limit), -1):
        if text[place].isspace():
            return place
    return end


def _merge_marks(marks: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in marks:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _include_noise_at_start(text: str, start: int, noise: re.Pattern[str]) -> int:
    """Move a cut inside of a line number or the like to its beginning, where it is known."""
    line = text.rfind("\n", 0, start) + 1
    if start - line > _SNAP:
        return start
    found = noise.match(text, line)
    return line if found is not None and found.end() > start else start


def _find_noise(
    text: str, start: int, end: int, noise: re.Pattern[str], found: Sequence[_Match]
) -> list[tuple[int, int]]:
    spans = (one.span() for one in noise.finditer(text, start, end))
    return [
        (a, b)
        for a, b in spans
        if a < b and not any(a <= match.start and match.end <= b for match in found)
    ]


def _widen_by_noise(text: str, end: int, start: int, left_out: Sequence[tuple[int, int]]) -> int:
    """Take in as much more behind the window as is left out of it."""
    wider = min(len(text), end + sum(b - a for a, b in left_out if start <= a < end))
    return wider if wider in (end, len(text)) else _snap_end(text, end, wider)


def _find_gaps(
    text: str, start: int, end: int, left_out: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Yield what becomes one space or nothing: white space, and what is left out with it."""
    spans = [gap.span() for gap in _GAPS.finditer(text, start, end)]
    spans += [(max(a, start), min(b, end)) for a, b in left_out if a < end and b > start]
    open_one: tuple[int, int] | None = None
    for a, b in sorted(spans):
        if open_one is not None and a <= open_one[1]:
            open_one = (open_one[0], max(b, open_one[1]))
        else:
            if open_one is not None:
                yield open_one
            open_one = (a, b)
    if open_one is not None:
        yield open_one


def _set_on_one_line(
    text: str,
    window: tuple[int, int],
    marks: Sequence[tuple[int, int]],
    left_out: Sequence[tuple[int, int]] = (),
) -> Snippet:
    """Put the window on one line, its white space made single, its marks moved along."""
    cut, end = window
    lead = _CUT if cut else ""
    start = end - len(text[cut:end].lstrip())
    line = lead
    gaps: list[tuple[int, int, int]] = []
    place, removed = start, start - len(lead)
    for first, last in _find_gaps(text, start, end, left_out):
        line += text[place:first]
        # White space becomes one space, unless one is there; of a mark alone nothing stays.
        is_blank = any(map(str.isspace, text[first:last]))
        is_needed = line.strip(f" {_CUT}") != "" and not line.endswith(" ")
        blank = int(is_blank and is_needed and not text[last : last + 1].isspace())
        line += " " * blank
        place = last
        removed += place - first - blank
        gaps.append((first, place, removed))
    line += text[place:end] + (_CUT if end < len(text) else "")

    def moved(at: int) -> int:
        """Tell where a place of the text stands in the line."""
        number = bisect_left(gaps, (at,)) - 1
        if number < 0:
            return max(at, start) - start + len(lead)
        _, behind, removed = gaps[number]
        return max(at, behind) - removed

    shown = ((moved(a), moved(b)) for a, b in marks)
    return Snippet(line, tuple(mark for mark in shown if mark[0] < mark[1]))
