"""Usage: tokens and money, tools, hooks and errors, as bars and as tables."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult

from bough.backports import override
from bough.library import ReportBar
from bough.terminal import clock
from bough.terminal.canvas import Canvas
from bough.terminal.charts import draw_bar
from bough.terminal.style import Role, StyledLine
from bough.terminal.text import fit, pad, width
from bough.tui.content.usage_reports import RANGES, REPORTS, UsageReport, make_report
from bough.tui.screens.base_screen import BaseScreen
from bough.tui.widgets.cells import make_paragraph
from bough.tui.widgets.frame import Chips, Clicked, ColumnHeader
from bough.tui.widgets.list_items import ListItem, make_blank_item, make_line_item
from bough.tui.widgets.list_view import ListView

_BARS: Final = 60
_NAMES: Final = 34
_NUMBER: Final = 9


class UsageScreen(BaseScreen):
    """What was spent and done."""

    KEYS: ClassVar = ("down", "unfold", "next-prompt", "view", "open", "back", "help")

    def __init__(self) -> None:
        super().__init__()
        self.made: UsageReport | None = None
        self._table_layout: tuple[int, Sequence[StyledLine]] = (0, ())

    @property
    def report(self) -> str:
        """Name the report that is shown; it is kept between runs."""
        return (
            self.bough.saved_state.report
            if self.bough.saved_state.report in REPORTS
            else REPORTS[0]
        )

    @property
    def since(self) -> str:
        """Name the moment from which on things count; nothing means always."""
        known = [name for name, _ in RANGES]
        return self.bough.saved_state.since if self.bough.saved_state.since in known else ""

    @override
    def body(self) -> ComposeResult:
        """Set the choices above the list."""
        yield Chips("report", [(name, name) for name in REPORTS])
        yield Chips("since", RANGES)
        yield ColumnHeader(id="head")
        yield ListView(id="list")

    @override
    def list_breadcrumbs(self) -> list[str]:
        """Name the report."""
        return ["Usage", self.report]

    @override
    def describe_keys(self) -> dict[str, str]:
        """Say what keys do in reports."""
        chart = self.bough.saved_state.chart
        view = "table" if chart else "chart"
        return {
            "unfold": "report",
            "fold": "previous report",
            "pane": "next report",
            "next-prompt": "range",
            "previous-prompt": "shorter range",
            "view": view,
            "open": _name_target(self._find_bar()),
        }

    @override
    def list_footer_keys(self) -> Sequence[str]:
        """Leave out what does nothing on the row under the cursor."""
        names = super().list_footer_keys()
        return names if _name_target(self._find_bar()) else [n for n in names if n != "open"]

    def _find_bar(self) -> ReportBar | None:
        picked = self.query_one("#list", ListView).picked
        return picked.about if picked is not None and isinstance(picked.about, ReportBar) else None

    @override
    def begin(self) -> None:
        """Ask for the report; the old one stays until it is there."""
        self.query_one("#report", Chips).choose(self.report)
        self.query_one("#since", Chips).choose(self.since)
        rows = self.query_one("#list", ListView)
        rows.focus()
        if self.made is None:
            rows.show([make_line_item("counting", "Counting…")])
        self.run_in_thread(
            partial(make_report, self.bough.source, self.report, self.since), self._show
        )

    @override
    def reload_from_index(self) -> None:
        """Ask again once the index is current."""
        self.begin()

    def _show(self, found: object) -> None:
        if isinstance(found, UsageReport) and (found.report, found.since) == (
            self.report,
            self.since,
        ):
            other = self.made is None or self.made.report != found.report
            self.made = found
            self.draw()
            if other:
                self._go_to_newest()

    @override
    def on_resize(self, event: events.Resize) -> None:  # noqa: ARG002
        """Lay the table out anew."""
        self.draw_after_layout(self.draw)

    # -- what is shown ------------------------------------------------------------------------

    def draw(self) -> None:
        """Show the report as bars or as a table."""
        if self.made is None:
            return
        self._table_layout = (0, ())
        charted = self.bough.saved_state.chart and bool(self.made.bars)
        shown = self._build_bar_items(self.made) if charted else self._build_table_items(self.made)
        self.query_one("#list", ListView).show([*shown, *self._build_note_items(self.made)])
        self.show_footer_keys()

    def _build_bar_items(self, made: UsageReport) -> Iterator[ListItem]:
        named, numbers, others = made.heads
        largest = max(one.value for one in made.bars)
        column = min(max(width(named), *(width(one.name) for one in made.bars)), _NAMES)
        more = max(width(others), *(width(one.more) for one in made.bars))
        words = f"{pad(named, column)}  {numbers:>{_NUMBER}}  {others:>{more}}"
        self.query_one("#head", ColumnHeader).write([(Role.HEADER, words)])
        for number, one in enumerate(made.bars):
            draw = partial(self._draw_bar, one, largest, (column, more))
            yield ListItem(f"bar/{number}", draw, "row", one)
        if made.total:
            yield make_line_item(
                "total", f"{pad('Total', column)}  {made.total:>{_NUMBER}}", Role.HEADER
            )

    def _draw_bar(
        self, one: ReportBar, largest: float, widths: tuple[int, int], columns: int
    ) -> Sequence[StyledLine]:
        """Set a bar; the numbers stand before it, so that all ends are seen."""
        column, more = widths
        wrong = f"  {one.wrong}" if one.wrong else ""
        used = column + _NUMBER + more + 6 + width(wrong)
        room = max(8, min(_BARS, columns - used))
        drawn = draw_bar(one.value, largest, room, unicode=self.bough.glyphs.node != "*")
        return [
            (
                (Role.CLAUDE, f"{pad(fit(one.name, column), column)}  {one.number:>{_NUMBER}}  "),
                (Role.META, f"{one.more:>{more}}  " if more else ""),
                (Role.ACTIVE, drawn),
                (Role.ERROR, wrong),
            )
        ]

    def _build_table_items(self, made: UsageReport) -> Iterator[ListItem]:
        lines = self._layout_table(self.size.width - 2)
        self.query_one("#head", ColumnHeader).write(lines[0] if lines else ())
        if not lines:
            yield make_line_item(
                "none", "Nothing of that kind happened in this time. ] shows a longer one."
            )
        for at in range(1, len(lines)):
            about = made.rows[at - 1] if at <= len(made.rows) else None
            yield ListItem(f"line/{at}", partial(self._draw_table_line, at), "row", about)

    def _draw_table_line(self, number: int, columns: int) -> Sequence[StyledLine]:
        lines = self._layout_table(columns)
        return [lines[number]] if number < len(lines) else []

    def _layout_table(self, columns: int) -> Sequence[StyledLine]:
        """Lay the table out, once for each width."""
        if self.made is not None and self._table_layout[0] != columns:
            canvas = Canvas(clock.now(), self.bough.glyphs, columns, self.bough.time_words)
            self._table_layout = (columns, self.made.lines(canvas))
        return self._table_layout[1]

    def _build_note_items(self, made: UsageReport) -> Iterator[ListItem]:
        yield make_blank_item("talk.")
        for number, sentence in enumerate(made.talk):
            yield make_paragraph(f"talk/{number}", sentence)
        yield make_paragraph("command", f"The same on the command line: {made.command}")

    # -- keys ---------------------------------------------------------------------------------

    def do_unfold(self) -> None:
        """Go to the next report."""
        self._switch_report(1)

    def do_fold(self) -> None:
        """Go to the previous report."""
        self._switch_report(-1)

    def do_pane(self) -> None:
        """Go to the next report."""
        self._switch_report(1)

    def do_next_prompt(self) -> None:
        """Take a longer range."""
        self._switch_range(1)

    def do_previous_prompt(self) -> None:
        """Take a shorter range."""
        self._switch_range(-1)

    @override
    def on_clicked(self, event: Clicked) -> None:
        """Take the report or the range that was clicked."""
        kind, _, chosen = event.name.partition(":")
        if kind in ("report", "since"):
            setattr(self.bough.saved_state, kind, chosen)
            self._reload_report()

    def _switch_report(self, by: int) -> None:
        at = REPORTS.index(self.report) + by
        self.bough.saved_state.report = REPORTS[at % len(REPORTS)]
        self._reload_report()

    def _switch_range(self, by: int) -> None:
        known = [name for name, _ in RANGES]
        at = max(0, min(known.index(self.since) + by, len(known) - 1))
        self.bough.saved_state.since = known[at]
        self._reload_report()

    def _reload_report(self) -> None:
        self.show_breadcrumbs()
        self.begin()

    def do_view(self) -> None:
        """Change between chart and table."""
        self.bough.saved_state.chart = not self.bough.saved_state.chart
        self.draw()
        self._go_to_newest()

    def _go_to_newest(self) -> None:
        rows = self.query_one("#list", ListView)
        if self.made is not None and self.made.is_chronological:
            rows.go_to_end()
        else:
            rows.go_to_start()

    def do_open(self) -> None:
        """Open what is behind a row: a session, a project, or everything a search finds of it."""
        from bough.tui.screens.conversation.screen import ConversationScreen  # noqa: PLC0415
        from bough.tui.screens.search import SearchScreen  # noqa: PLC0415
        from bough.tui.screens.sessions import SessionsScreen  # noqa: PLC0415

        about = self._find_bar()
        project = next(
            (one for one in self.bough.projects if about is not None and one.id == about.project),
            None,
        )
        if about is None or not _name_target(about):
            self.bough.show_notice(f"Nothing can be opened from a row of {self.report}.")
        elif project is not None:
            self.bough.open(SessionsScreen(project))
        elif about.session:
            self.run_in_thread(
                lambda: str(self.bough.source.find_session_file(about.session)),
                lambda path: self.bough.open(ConversationScreen(str(path))),
                group="open",
            )
        elif about.query:
            dated = "after:" in about.query or not self.since
            self.bough.open(
                SearchScreen(about.query if dated else f"{about.query} after:{self.since}")
            )
        else:
            self.bough.show_notice("This project is no longer there.")


def _name_target(about: ReportBar | None) -> str:
    """Say in a word what Enter opens; nothing where there is nothing behind a row."""
    if about is None:
        return ""
    if about.project:
        return "sessions"
    if about.session:
        return "session"
    if not about.query:
        return ""
    return "what was said" if about.query.startswith("after:") else "where"
