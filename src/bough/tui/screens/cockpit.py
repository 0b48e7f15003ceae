"""Cockpit: all sessions that are going on, and below them what happens, as it happens."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import ClassVar, Final

from textual.app import ComposeResult

from bough.model.elapsed import moment_of
from bough.query.events import Event
from bough.query.live import LiveSession, lasted
from bough.tui.looks import (
    Line,
    Role,
    Span,
    bar,
    cost,
    duration,
    elapsed,
    fit,
    now,
    one_line,
    pad,
    plural,
    share,
)
from bough.tui.overriding import override
from bough.tui.pieces import Piece, say
from bough.tui.place import Place
from bough.tui.reel import Reel
from bough.tui.rows import cells, state_span

_KINDS: Final = {
    "prompt": (Role.PROMPT, "You"),
    "text": (Role.CLAUDE, "Claude"),
    "thinking": (Role.THINKING, "~"),
    "tool": (Role.TOOL, "●"),
    "agent": (Role.AGENT, "◆"),
    "state": (Role.META, "-"),
    "compaction": (Role.COMPACTION, "┊"),
    "error": (Role.ERROR, "✗"),
}


class Cockpit(Place):
    """What is going on."""

    KEYS: ClassVar = ("down", "open", "pane", "copy-resume", "back", "help")
    TITLE = "Live"

    @override
    def body(self) -> ComposeResult:
        """Set the sessions above the stream."""
        yield Reel(id="list")
        yield Reel(id="stream")

    @override
    def begin(self) -> None:
        """Show what is known."""
        self.query_one("#list", Reel).focus()
        self.query_one("#stream", Reel).follow = True
        self._draw()
        self.set_interval(1.0, self._draw_rows)

    def hear(self, _: Sequence[Event]) -> None:
        """Show what happened."""
        self._draw()

    def _draw(self) -> None:
        self._draw_rows()
        stream = self.query_one("#stream", Reel)
        shown = [event for event in self.bough.stream if event.kind != "title"]
        start = len(self.bough.stream) - len(shown)
        stream.show(
            [
                Piece(
                    f"e/{event.path}/{event.uuid}/{start + n}",
                    partial(_event_line, event),
                    event.kind,
                    event,
                )
                for n, event in enumerate(shown)
            ]
        )

    def _draw_rows(self) -> None:
        reel = self.query_one("#list", Reel)
        rows = list(self._rows())
        reel.show(rows)

    def _rows(self) -> Iterator[Piece]:
        rows = self.bough.live_rows
        if not rows:
            yield say("none", "Nothing is running. Start `claude` anywhere and it appears here.")
        for row in rows:
            yield Piece(f"{row.project}/{row.id}", partial(self._card, row), "session", row)

    def _card(self, row: LiveSession, columns: int) -> list[Line]:
        glyphs = self.bough.glyphs
        seconds = lasted(row, now()) or 0.0
        clock = elapsed(seconds) if seconds < 86_400 else duration(seconds)
        first = cells(
            [state_span(row, glyphs, wide=14), (Role.CLAUDE, f" {one_line(row.title)}")],
            [(Role.META, f"{one_line(row.name)}  {clock}")],
            columns,
        )
        doing = f"asks: {row.asks}" if row.asks else f"~ {row.thought}" if row.thought else ""
        facts = self._facts(row)
        role = Role.WAITING if row.asks else Role.THINKING
        room = max(10, columns - len(facts) - 20)
        second = cells(
            [(Role.META, " " * 15), (role, fit(one_line(doing), room))],
            [(Role.META, facts)],
            columns,
        )
        return [first, second]

    def _facts(self, row: LiveSession) -> str:
        unicode = self.bough.glyphs.knot != "*"
        parts = []
        if row.context is not None:
            parts.append(
                f"{pad(bar(row.context, 1.0, 8, unicode=unicode), 8)} {share(row.context)}"
            )
        if row.cost_usd is not None:
            parts.append(cost(row.cost_usd, partly_unknown=not row.cost_complete))
        if row.agents:
            parts.append(plural(row.agents, "agent"))
        return "  ".join(parts)

    # -- keys ---------------------------------------------------------------------------------

    @property
    def row(self) -> LiveSession | None:
        """Give the session under the cursor."""
        picked = self.query_one("#list", Reel).picked
        return (
            picked.about if picked is not None and isinstance(picked.about, LiveSession) else None
        )

    def do_open(self) -> None:
        """Read and follow the session."""
        from bough.tui.screens.conversation import Conversation  # noqa: PLC0415

        reel = self.reel
        picked = reel.picked if reel is not None else None
        if picked is not None and isinstance(picked.about, Event) and picked.about.path:
            self.bough.open(Conversation(picked.about.path, project=picked.about.name))
        elif self.row is not None:
            self.bough.open(
                Conversation(self.row.path, title=self.row.title, project=self.row.name)
            )

    def do_tree(self) -> None:
        """Draw the session."""
        from bough.tui.screens.tree import Tree  # noqa: PLC0415

        if self.row is not None:
            self.bough.open(Tree(self.row.path, title=self.row.title))

    def do_copy_resume(self) -> None:
        """Copy the command that resumes the session."""
        if self.row is not None:
            self.bough.copy(f"claude --resume {self.row.id}", "the resume command")

    def do_pane(self) -> None:
        """Go to the other half."""
        rows, stream = self.query_one("#list", Reel), self.query_one("#stream", Reel)
        (rows if stream.has_focus else stream).focus()


def _event_line(event: Event, columns: int) -> list[Line]:
    role, sign = _KINDS.get(event.kind, (Role.META, ""))
    at = moment_of(event.time)
    clock = at.astimezone().strftime("%H:%M:%S") if at is not None else " " * 8
    words = " ".join(word for word in (event.tool or "", event.about or event.text) if word)
    ended: list[Span] = []
    if event.outcome is not None:
        took = duration(event.seconds) if event.seconds is not None else ""
        bad = event.outcome not in ("ok", "open")
        ended = [
            (Role.ERROR if bad else Role.META, one_line(f"{event.reason or event.outcome} {took}"))
        ]
    left: list[Span] = [
        (Role.META, f"{clock} {pad(fit(one_line(event.name), 14), 14)} {'  ' * event.depth}"),
        (role, f"{sign} {one_line(words)}"),
    ]
    return [cells(left, ended, columns)]
