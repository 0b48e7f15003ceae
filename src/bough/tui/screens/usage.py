"""Usage: tokens and money, tools, hooks and errors, as bars and as tables."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult

from bough.tui.content.usage_reports import RANGES, REPORTS, Bar, Made, make
from bough.tui.override import override
from bough.tui.screens.base_screen import Place
from bough.tui.style.style import (
    Line,
    Role,
    Sheet,
    bar,
    fit,
    now,
    pad,
    spans_of,
    spans_styles,
    time_words,
    width,
)
from bough.tui.widgets.cells import told
from bough.tui.widgets.frame import Chips, Clicked, Head
from bough.tui.widgets.list_items import Piece, blank, say
from bough.tui.widgets.list_view import Reel

_BARS: Final = 60
_NAMES: Final = 34
_NUMBER: Final = 9


class Usage(Place):
    """What was spent and done."""

    KEYS: ClassVar = ("down", "unfold", "next-prompt", "view", "open", "back", "help")

    def __init__(self) -> None:
        super().__init__()
        self.made: Made | None = None
        self._drawn: tuple[int, Sequence[Line]] = (0, ())

    @property
    def report(self) -> str:
        """Name the report that is shown; it is kept between runs."""
        return self.bough.kept.report if self.bough.kept.report in REPORTS else REPORTS[0]

    @property
    def since(self) -> str:
        """Name the moment from which on things count; nothing means always."""
        known = [name for name, _ in RANGES]
        return self.bough.kept.since if self.bough.kept.since in known else ""

    @override
    def body(self) -> ComposeResult:
        """Set the choices above the list."""
        yield Chips("report", [(name, name) for name in REPORTS])
        yield Chips("since", RANGES)
        yield Head(id="head")
        yield Reel(id="list")

    @override
    def where(self) -> list[str]:
        """Name the report."""
        return ["Usage", self.report]

    @override
    def words_now(self) -> dict[str, str]:
        """Say what keys do in reports."""
        chart = self.bough.kept.chart
        return {"unfold": "report", "next-prompt": "range", "view": "table" if chart else "chart"}

    @override
    def begin(self) -> None:
        """Ask for the report; the old one stays until it is there."""
        self.query_one("#report", Chips).choose(self.report)
        self.query_one("#since", Chips).choose(self.since)
        reel = self.query_one("#list", Reel)
        reel.focus()
        if self.made is None:
            reel.show([say("counting", "Counting…")])
        self.ask(partial(make, self.bough.source, self.report, self.since), self._show)

    @override
    def indexed(self) -> None:
        """Ask again once the index is current."""
        self.begin()

    def _show(self, found: object) -> None:
        if isinstance(found, Made) and (found.report, found.since) == (self.report, self.since):
            other = self.made is None or self.made.report != found.report
            self.made = found
            self.draw()
            if other:
                self._to_newest()

    @override
    def on_resize(self, event: events.Resize) -> None:  # noqa: ARG002
        """Lay the table out anew."""
        self.call_after_refresh(self.draw)

    # -- what is shown ------------------------------------------------------------------------

    def draw(self) -> None:
        """Show the report as bars or as a table."""
        if self.made is None:
            return
        self._drawn = (0, ())
        charted = self.bough.kept.chart and bool(self.made.bars)
        shown = self._bars(self.made) if charted else self._table(self.made)
        self.query_one("#list", Reel).show([*shown, *self._talk(self.made)])
        self.say_keys()

    def _bars(self, made: Made) -> Iterator[Piece]:
        named, numbers, others = made.heads
        largest = max(one.value for one in made.bars)
        column = min(max(width(named), *(width(one.name) for one in made.bars)), _NAMES)
        more = max(width(others), *(width(one.more) for one in made.bars))
        words = f"{pad(named, column)}  {numbers:>{_NUMBER}}  {others:>{more}}"
        self.query_one("#head", Head).write([(Role.HEADER, words)])
        for number, one in enumerate(made.bars):
            draw = partial(self._bar, one, largest, (column, more))
            yield Piece(f"bar/{number}", draw, "row", one)
        if made.total:
            yield say("total", f"{pad('Total', column)}  {made.total:>{_NUMBER}}", Role.HEADER)

    def _bar(
        self, one: Bar, largest: float, rooms: tuple[int, int], columns: int
    ) -> Sequence[Line]:
        """Set a bar; the numbers stand before it, so that all ends are seen."""
        column, more = rooms
        wrong = f"  {one.wrong}" if one.wrong else ""
        used = column + _NUMBER + more + 6 + width(wrong)
        room = max(8, min(_BARS, columns - used))
        drawn = bar(one.value, largest, room, unicode=self.bough.glyphs.knot != "*")
        return [
            (
                (Role.CLAUDE, f"{pad(fit(one.name, column), column)}  {one.number:>{_NUMBER}}  "),
                (Role.META, f"{one.more:>{more}}  " if more else ""),
                (Role.ACTIVE, drawn),
                (Role.ERROR, wrong),
            )
        ]

    def _table(self, made: Made) -> Iterator[Piece]:
        lines = self._lines(self.size.width - 2)
        self.query_one("#head", Head).write(lines[0] if lines else ())
        if not lines:
            yield say("none", "Nothing of the kind happened in this time. ] takes a longer one.")
        for at in range(1, len(lines)):
            about = made.bars[at - 1] if at <= len(made.bars) else None
            yield Piece(f"line/{at}", partial(self._line, at), "row", about)

    def _line(self, number: int, columns: int) -> Sequence[Line]:
        lines = self._lines(columns)
        return [lines[number]] if number < len(lines) else []

    def _lines(self, columns: int) -> Sequence[Line]:
        """Lay the table out, once for each width."""
        if self.made is not None and self._drawn[0] != columns:
            sheet = Sheet(now(), spans_styles(self.bough.glyphs), columns, time_words())
            self._drawn = (columns, [spans_of(line) for line in self.made.lines(sheet)])
        return self._drawn[1]

    def _talk(self, made: Made) -> Iterator[Piece]:
        yield blank("talk.")
        for number, sentence in enumerate(made.talk):
            yield told(f"talk/{number}", sentence)
        yield told("command", f"The same on the command line: {made.command}")

    # -- keys ---------------------------------------------------------------------------------

    def do_unfold(self) -> None:
        """Go to the next report."""
        self._other_report(1)

    def do_fold(self) -> None:
        """Go to the previous report."""
        self._other_report(-1)

    def do_pane(self) -> None:
        """Go to the next report."""
        self._other_report(1)

    def do_next_prompt(self) -> None:
        """Take a longer range."""
        self._other_range(1)

    def do_previous_prompt(self) -> None:
        """Take a shorter range."""
        self._other_range(-1)

    @override
    def on_clicked(self, event: Clicked) -> None:
        """Take the report or the range that was clicked."""
        kind, _, chosen = event.name.partition(":")
        if kind in ("report", "since"):
            setattr(self.bough.kept, kind, chosen)
            self._again()

    def _other_report(self, by: int) -> None:
        at = REPORTS.index(self.report) + by
        self.bough.kept.report = REPORTS[at % len(REPORTS)]
        self._again()

    def _other_range(self, by: int) -> None:
        known = [name for name, _ in RANGES]
        at = max(0, min(known.index(self.since) + by, len(known) - 1))
        self.bough.kept.since = known[at]
        self._again()

    def _again(self) -> None:
        self.say_where()
        self.begin()

    def do_view(self) -> None:
        """Change between chart and table."""
        self.bough.kept.chart = not self.bough.kept.chart
        self.draw()
        self._to_newest()

    def _to_newest(self) -> None:
        reel = self.query_one("#list", Reel)
        reel.to_end() if self.made is not None and self.made.in_time else reel.to_start()

    def do_open(self) -> None:
        """Open the session or the project behind a row."""
        from bough.tui.screens.conversation.screen import Conversation  # noqa: PLC0415
        from bough.tui.screens.sessions import Sessions  # noqa: PLC0415

        picked = self.query_one("#list", Reel).picked
        about = picked.about if picked is not None else None
        if not isinstance(about, Bar):
            return
        project = next((one for one in self.bough.projects if one.id == about.project), None)
        if project is not None:
            self.bough.open(Sessions(project))
        elif about.session:
            self.ask(
                lambda: str(self.bough.source.find(about.session)),
                lambda path: self.bough.open(Conversation(str(path))),
                group="open",
            )
