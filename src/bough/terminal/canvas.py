"""The canvas that is written on: how wide, with which signs, seen from which moment.

Prose is set no wider than a person likes to read; a pipe gets every word, and lines as the
transcript has them.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from typing import Final

from msgspec import Struct

from bough.model.text.code_fences import find_fence
from bough.model.text.formats import (
    ENGLISH,
    MISSING,
    TimeFormat,
    find_day,
    format_clock,
    format_day_line,
    format_moment,
    format_recent_moment,
    format_recent_moments,
)
from bough.model.text.snippet_noise import find_noise
from bough.model.text.times import parse_moment
from bough.terminal.style import UNICODE, Glyphs, Role, Span, StyledLine, line_of, make_line
from bough.terminal.text import clean, fit, lines_of, one_line, width, wrap

MEASURE: Final = 96
_BETWEEN: Final = 2
_EXCERPT: Final = 4_000


class Canvas(Struct, frozen=True):
    """Where lines are set; without `columns`, as in a pipe, nothing is cut.

    Times are told as seen from `now`, in the zone of `words`. `full` unfolds everything.
    `markdown` says that what Claude wrote is set with emphasis instead of its marks.
    """

    now: datetime
    glyphs: Glyphs = UNICODE
    columns: int | None = None
    words: TimeFormat = ENGLISH
    full: bool = False
    markdown: bool = False

    def excerpt(self, text: str) -> str:
        """Give how a text by Claude begins, without its marks where they give way to looks."""
        return find_noise("text").sub("", text[:_EXCERPT]) if self.markdown else text

    @property
    def measure(self) -> int:
        """Give the width at which things that stand at the right end."""
        return min(self.columns or MEASURE, MEASURE)

    def time(self, text: str | None) -> str:
        """Write a moment of a transcript."""
        return format_moment(parse_moment(text), self.now, None, self.words)

    def clock(self, text: str | None) -> str:
        """Write the time of day of a moment whose day stands above it."""
        at = parse_moment(text)
        return MISSING if at is None else format_clock(at, None, self.words)

    @property
    def today(self) -> date:
        """Give the day that it is now."""
        return find_day(self.now, self.words)

    def compose_day(self, day: date) -> StyledLine:
        """Write a day as a line of its own, between what was said before it and on it."""
        dashes = self.glyphs.dash * 2
        words = format_day_line(day, self.today, self.words)
        return make_line([(Role.META, f"{dashes} {words} {dashes}")])

    def when(self, text: str | None) -> str:
        """Write a moment for a list."""
        return format_recent_moment(parse_moment(text), self.now, None, self.words)

    def list_times(self, texts: Iterable[str | None]) -> list[str]:
        """Write the moments of a list, as `when` does each."""
        return format_recent_moments(map(parse_moment, texts), self.now, self.words)

    def compose_line(
        self,
        left: Sequence[Span],
        right: Sequence[Span] = (),
        indent: int = 0,
        cut: Callable[[str, int, str], str] = fit,
        whole: int | None = None,
    ) -> StyledLine:
        """Set words at the left and others at the right; the last at the left is cut.

        `whole` is how wide the line is; else it ends where prose does.
        """
        tail = sum(width(text) for _, text in right)
        room = (whole or self.measure) - indent - (tail + _BETWEEN if right else 0)
        head = [(role, clean(text).replace("\n", " ")) for role, text in left[:-1]]
        fixed = sum(width(text) for _, text in head)
        role, text = left[-1]
        text = one_line(text)
        if self.columns is not None:
            text = cut(text, max(8, room - fixed), self.glyphs.ellipsis)
        blank = max(_BETWEEN, room + _BETWEEN - fixed - width(text)) if right else 0
        spans = [(Role.CLAUDE, " " * indent), *head, (role, text), (Role.CLAUDE, " " * blank)]
        return make_line([*spans, *right])

    def compose_prose(self, text: str, indent: int, role: Role = Role.CLAUDE) -> list[StyledLine]:
        """Set a text in lines; code between fences is left as it is."""
        lines: list[str] = []
        opened = ""
        for line in lines_of(text.strip("\n")):
            fence = find_fence(line, opened)
            if self.columns is None or opened or fence:
                lines.append(line)
            else:
                lines += wrap(line, self.measure - indent)
            if fence:
                opened = "" if opened else fence
        blank = " " * indent
        return [
            line_of(blank + words, role) if (words := line.rstrip(" ")) else () for line in lines
        ]
