"""Usage: tokens and money, tools, hooks and errors, as tables and as bars."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar, Final

from msgspec import Struct
from textual.app import ComposeResult

from bough.config import settings
from bough.query.index import IndexHandle
from bough.query.ledger_days import Calendar
from bough.query.stats.activity import activity_report
from bough.query.stats.agents import agent_report
from bough.query.stats.errors import error_report
from bough.query.stats.files import file_report
from bough.query.stats.hooks import hook_report
from bough.query.stats.scope import scope_of
from bough.query.stats.tools import tool_report
from bough.query.usage import Answer, Question, Row
from bough.query.zones import zone_named
from bough.tui.looks import (
    Line,
    Page,
    Role,
    Sheet,
    Shown,
    Span,
    bar,
    cost,
    fit,
    now,
    one_line,
    pad,
    show_activity,
    show_agents,
    show_errors,
    show_files,
    show_hooks,
    show_tools,
    spans_of,
    spans_styles,
    talk_of,
    time_words,
    tokens,
    usage_lines,
    width,
)
from bough.tui.overriding import override
from bough.tui.pieces import Piece, blank, say
from bough.tui.place import Place
from bough.tui.reel import Reel

SPENT: Final = ("daily", "weekly", "monthly", "project", "model", "session", "blocks")
DONE: Final = ("tools", "hooks", "errors", "agents", "files", "activity")
REPORTS: Final = (*SPENT, *DONE)
_BARS: Final = 60
_NAMES: Final = 34


class Made(Struct, frozen=True):
    """A report that was made: what was spent, or a way to show what was done."""

    report: str
    answer: Answer | None = None
    show: Callable[[Sheet], Shown] | None = None


class Usage(Place):
    """What was spent and done."""

    KEYS: ClassVar = ("down", "unfold", "view", "search", "back", "help")

    def __init__(self, report: str = "daily") -> None:
        super().__init__()
        self.report = report
        self.made: Made | None = None

    @override
    def body(self) -> ComposeResult:
        """Set the list."""
        yield Reel(id="list")

    @override
    def where(self) -> list[str]:
        """Name the report."""
        return ["Usage", self.report]

    @override
    def begin(self) -> None:
        """Ask for the report."""
        self.query_one("#list", Reel).focus()
        self.ask(partial(make, self.bough.source.handle, self.report), self._show)
        if self.made is None:
            self._draw()

    def indexed(self) -> None:
        """Ask again once the index is current."""
        self.begin()

    def _show(self, found: object) -> None:
        if isinstance(found, Made) and found.report == self.report:
            self.made = found
            self._draw()
            self.query_one("#list", Reel).to_start()

    def _draw(self) -> None:
        tabs: list[Span] = []
        for name in REPORTS:
            tabs += [
                (Role.MATCH if name == self.report else Role.META, f" {name} "),
                (Role.META, " "),
            ]
        pieces = [Piece("tabs", partial(_wrapped, tabs), "tabs", picked=False), blank("tabs.")]
        made = self.made
        if made is None:
            pieces.append(say("counting", "Counting…"))
        elif made.answer is not None:
            pieces += self._spent(made.answer)
        elif made.show is not None:
            draw = partial(self._done_lines, made.show)
            pieces.append(Piece("table", draw, "table"))
        self.query_one("#list", Reel).show(pieces)

    def _spent(self, answer: Answer) -> list[Piece]:
        if not answer.rows:
            return [say("none", "Nothing was spent there.")]
        talk = [say(f"talk/{n}", one_line(text)) for n, text in enumerate(talk_of(answer))]
        command = say("command", f"The same on the command line: bough usage {self.report}")
        if self.bough.kept.chart and self.report != "blocks":
            return [*self._bars(answer), blank("t"), *talk, command]
        lines = Piece("table", partial(self._table, answer), "table")
        return [lines, blank("t"), *talk, command]

    def _table(self, answer: Answer, columns: int) -> list[Line]:
        page = Page(
            now(),
            zone_named(settings().zone),
            spans_styles(self.bough.glyphs),
            columns,
            time_words(),
        )
        return [spans_of(line) for line in usage_lines(answer, self.report, page)]

    def _bars(self, answer: Answer) -> list[Piece]:
        largest = max((row.amount.cost_usd for row in answer.rows), default=0.0)
        names = [one_line(row.label or row.key) for row in answer.rows]
        column = min(max((width(name) for name in names), default=0), _NAMES)
        pieces = [
            Piece(f"bar/{n}", partial(self._bar, name, row, largest, column), "row", row)
            for n, (name, row) in enumerate(zip(names, answer.rows, strict=True))
        ]
        total = cost(answer.total.cost_usd, partly_unknown=answer.total.partly_unknown)
        return [*pieces, say("total", f"{pad('Total', column)}  {total:>10}", Role.HEADER)]

    def _bar(self, name: str, row: Row, largest: float, column: int, columns: int) -> list[Line]:
        """Set a bar; the numbers stand before it, so that all ends are seen."""
        amount = row.amount
        known = amount.cost or not amount.partly_unknown
        money = cost(
            amount.cost_usd if known else None,
            partly_unknown=amount.partly_unknown,
            in_table=True,
        )
        room = max(8, min(_BARS, columns - column - 26))
        drawn = bar(amount.cost_usd, largest, room, unicode=self.bough.glyphs.knot != "*")
        return [
            (
                (Role.CLAUDE, f"{pad(fit(name, column), column)}  {money:>10}  "),
                (Role.META, f"{tokens(amount.output_tokens):>6} out  "),
                (Role.ACTIVE, drawn),
            )
        ]

    def _done_lines(self, show: Callable[[Sheet], Shown], columns: int) -> list[Line]:
        sheet = Sheet(now(), spans_styles(self.bough.glyphs), columns, time_words())
        shown = show(sheet)
        lines = [spans_of(line) for line in shown.lines]
        talk: Sequence[Line] = [((Role.META, one_line(text)),) for text in shown.talk]
        return [*lines, (), *talk] if lines else [((Role.META, "Nothing of the kind happened."),)]

    # -- keys ---------------------------------------------------------------------------------

    def do_unfold(self) -> None:
        """Go to the next report."""
        self._other(1)

    def do_fold(self) -> None:
        """Go to the previous report."""
        self._other(-1)

    def do_pane(self) -> None:
        """Go to the next report."""
        self._other(1)

    def _other(self, by: int) -> None:
        self.report = REPORTS[(REPORTS.index(self.report) + by) % len(REPORTS)]
        self.made = None
        self.say_where()
        self.begin()

    def do_view(self) -> None:
        """Change between chart and table."""
        self.bough.kept.chart = not self.bough.kept.chart
        self._draw()

    def do_open(self) -> None:
        """Open the session of a row."""
        from bough.tui.screens.conversation import Conversation  # noqa: PLC0415

        picked = self.query_one("#list", Reel).picked
        key = getattr(picked.about, "key", "") if picked is not None else ""
        if self.report == "session" and key:
            self.ask(
                lambda: str(self.bough.source.find(key)),
                lambda path: self.bough.open(Conversation(str(path))),
                group="open",
            )


def make(handle_of: Callable[[], IndexHandle], report: str) -> Made:
    """Make a report from the index."""
    from bough.query.ledger_source import IndexSource  # noqa: PLC0415 - large
    from bough.query.usage import usage  # noqa: PLC0415

    with handle_of() as handle:
        if report in SPENT:
            answer = usage(
                Question(report=report), IndexSource(handle), now=now(), settings=settings()
            )
            return Made(report, answer)
        return Made(report, show=_done(handle, report))


def _done(handle: IndexHandle, report: str) -> Callable[[Sheet], Shown]:
    """Give the way to show what was done."""
    behaviour, scope = handle.store.behaviour(), scope_of(handle)
    zone = zone_named(settings().zone)
    if report == "activity":
        counted = activity_report(behaviour, scope, zone, settings().zone or "local")
        return partial(show_activity, counted)
    if report == "errors":
        return partial(show_errors, error_report(behaviour, scope, Calendar(zone)))
    if report == "tools":
        return partial(show_tools, tool_report(behaviour, scope))
    if report == "hooks":
        return partial(show_hooks, hook_report(behaviour, scope))
    if report == "agents":
        return partial(show_agents, agent_report(behaviour, scope))
    return partial(show_files, file_report(behaviour, scope))


def _wrapped(spans: Sequence[Span], columns: int) -> list[Line]:
    """Set tabs in as many lines as they need."""
    lines: list[list[Span]] = [[]]
    used = 0
    for role, text in spans:
        if used + len(text) > columns and text.strip():
            lines.append([])
            used = 0
        lines[-1].append((role, text))
        used += len(text)
    return [tuple(line) for line in lines]
