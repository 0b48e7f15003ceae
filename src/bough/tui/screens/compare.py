"""Compare: two branches below the place where they part; words, files and cost.

A file opens in place, as the difference between what the two branches left of it.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal

from bough.library import Session
from bough.model.text.times import moment_of
from bough.model.tools.call_summary import short_path
from bough.timetravel.compare.compare_branches import Comparison, Exchange, Side, compare
from bough.timetravel.compare.compare_files import FileDifference, file_differences
from bough.tui.content.file_diffs import FileRow, file_pieces, rows_of
from bough.tui.override import override
from bough.tui.screens.base_screen import Place
from bough.tui.style.style import (
    Line,
    Role,
    Sheet,
    Span,
    clean,
    cost,
    now,
    one_line,
    plural,
    spans_styles,
    time_words,
    wrap,
)
from bough.tui.widgets.list_items import Piece, blank, say
from bough.tui.widgets.list_view import Reel

_WIDE: Final = 120
_PICO: Final = 1e12
_ANSWER: Final = 6
_DIFFERENCES: Final = ("turn", "file", "hunk")


class Compare(Place):
    """A with B."""

    KEYS: ClassVar = ("down", "unfold", "pane", "open", "fork", "help")

    def __init__(self, session: Session, a: str, b: str) -> None:
        super().__init__()
        self.session = session
        self.a, self.b = a, b
        self.found: Comparison | None = None
        self.left: Mapping[str, FileDifference] | None = None
        self.shown = "a"
        self._opened: dict[str, set[str]] = {"a": set(), "b": set()}

    @override
    def body(self) -> ComposeResult:
        """Set both sides beside one another."""
        with Horizontal():
            yield Reel(id="a")
            yield Reel(id="b")

    @override
    def where(self) -> list[str]:
        """Name the session."""
        side = "" if self.size.width >= _WIDE else f", side {self.shown.upper()}"
        return [self.session.title, f"Compare{side}"]

    @override
    def state_words(self) -> list[Span]:
        """Say what two keys mean here and nowhere else."""
        swap, following = (self.bough.keymap.key(n).keys[:1] for n in ("unfold-turn", "next-hit"))
        return [(Role.META, f"{''.join(swap)} swaps, {''.join(following)} next difference")]

    @property
    @override
    def reel(self) -> Reel:
        """Give the side that has the keys."""
        return self.query_one(f"#{self.shown}", Reel)

    @override
    def begin(self) -> None:
        """Compare."""
        self._fit(self.size.width)
        self.ask(lambda: compare(self.session, self.a, self.b), self._show)

    def _show(self, found: object) -> None:
        if isinstance(found, Comparison):
            self.found, self.left = found, None
            self._opened = {"a": set(), "b": set()}
            self._draw()
            for reel in self.query(Reel):
                reel.to_start()
            self._fit(self.size.width)
            if found.a.files or found.b.files:
                question = partial(file_differences, self.session, self.a, self.b)
                self.ask(question, self._show_left, group="files")

    def _show_left(self, found: object) -> None:
        if isinstance(found, list):
            self.left = {one.path: one for one in found}
            self._draw()

    def _draw(self) -> None:
        found = self.found
        if found is not None:
            for name, side in (("a", found.a), ("b", found.b)):
                self.query_one(f"#{name}", Reel).show(list(self._pieces(name, side, found)))

    def _pieces(self, name: str, side: Side, found: Comparison) -> Iterator[Piece]:
        money = cost(side.cost / _PICO, partly_unknown=bool(side.unpriced))
        active = ", active" if side.active else ""
        yield say(
            "head",
            f"{name.upper()}  {plural(len(side.turns), 'turn')}{active}  {money}",
            Role.HEADER,
        )
        words = f"together for {plural(found.shared, 'turn')}"
        if found.parting is not None and found.parting.text:
            words += f', to "{one_line(found.parting.text)}"'
        yield say("shared", words)
        yield blank("1")
        role = Role.ACTIVE if side.active else Role.LEFT
        for number, turn in enumerate(side.turns):
            yield Piece(f"t/{number}", partial(self._turn, turn, role), "turn", turn)
        yield say("files", f"Files {len(side.files):,}", Role.HEADER)
        rows = rows_of(side.files, self.left, partial(short_path, cwd=self.session.cwd))
        yield from file_pieces(rows, name, self._opened[name], self.bough.glyphs, self._sheet)

    def _sheet(self, columns: int) -> Sheet:
        ended = moment_of(self.session.ended_at)
        return Sheet(ended or now(), spans_styles(self.bough.glyphs), columns, time_words())

    def _turn(self, turn: Exchange, role: Role, columns: int) -> list[Line]:
        sheet, glyphs = self._sheet(columns), self.bough.glyphs
        facts = plural(turn.steps, "step") + (f", {turn.failed} failed" if turn.failed else "")
        head: list[Span] = [
            (role, f"{glyphs.knot if role is Role.ACTIVE else glyphs.other} "),
            (Role.META, f"{sheet.time(turn.timestamp)}  {facts}"),
        ]
        prompt = _text(turn.prompt, Role.PROMPT, columns - 2)
        answer = _text(turn.answer, Role.CLAUDE, columns - 2)
        body = [*prompt[:_ANSWER], *answer[:_ANSWER]]
        return [
            tuple(head),
            *(((role, f"{glyphs.bar} "), *line) for line in body),
            ((role, glyphs.bar),),
        ]

    @override
    def on_resize(self, event: events.Resize) -> None:
        """Show one side where there is room for one."""
        self._fit(event.size.width)

    def _fit(self, columns: int) -> None:
        for name in ("a", "b"):
            self.query_one(f"#{name}").display = columns >= _WIDE or name == self.shown
        self.query_one(f"#{self.shown}").focus()
        self.say_where()

    # -- keys ---------------------------------------------------------------------------------

    def do_pane(self) -> None:
        """Go to the other side."""
        self.shown = "b" if self.shown == "a" else "a"
        self._fit(self.size.width)

    def do_unfold_turn(self) -> None:
        """Swap the sides."""
        self.a, self.b = self.b, self.a
        self.begin()

    def do_next_hit(self) -> None:
        """Go to the next difference."""
        self.reel.jump(_DIFFERENCES, 1)

    def do_previous_hit(self) -> None:
        """Go to the previous difference."""
        self.reel.jump(_DIFFERENCES, -1)

    def _uuid(self) -> str | None:
        picked = self.reel.picked
        return (
            picked.about.uuid if picked is not None and isinstance(picked.about, Exchange) else None
        )

    @property
    def _file(self) -> FileRow | None:
        picked = self.reel.picked
        return picked.about if picked is not None and isinstance(picked.about, FileRow) else None

    @override
    def keys_now(self) -> Sequence[str]:
        """Name the keys of what is under the cursor: a file opens, a turn is read.

        No others: two more are named at the right end.
        """
        gone = "unfold" if self._file is None else "open"
        return [name for name in self.KEYS if name != gone]

    @override
    def words_now(self) -> Mapping[str, str]:
        """Say what opening means here."""
        return {"unfold": "diff", "open": "read"}

    def _fold_file(self, *, open_it: bool) -> None:
        row = self._file
        if row is None:
            return
        opened = self._opened[self.shown]
        (opened.add if open_it else opened.discard)(row.change.path)
        self._draw()
        reel, key = self.reel, f"f/{row.change.path}"
        own = [n for n, piece in enumerate(reel.pieces) if piece.key.startswith(f"{key}/")]
        if own:  # as much of it as there is room for
            reel.to(own[-1], top=False)
        reel.to_key(key, top=False)

    def do_unfold(self) -> None:
        """Show how the two branches left the file under the cursor; of a turn, read it."""
        self._fold_file(open_it=True) if self._file is not None else self.do_open()

    def do_fold(self) -> None:
        """Close the file under the cursor."""
        self._fold_file(open_it=False)

    def do_toggle(self) -> None:
        """Show or hide how the file under the cursor was left."""
        row = self._file
        if row is not None:
            self._fold_file(open_it=row.change.path not in self._opened[self.shown])

    def do_open(self) -> None:
        """Show how a file was left; else read this side."""
        if self._file is not None:
            self.do_toggle()
            return
        self._read()

    def _read(self) -> None:
        from bough.tui.screens.conversation.screen import Conversation, Target  # noqa: PLC0415

        tip = self.a if self.shown == "a" else self.b
        target = Target(self._uuid() or tip)
        self.bough.open(Conversation(self.session.path or "", tip=tip, target=target))

    def do_fork(self) -> None:
        """Show what a fork from here would be."""
        from bough.tui.screens.travel import fork_preview  # noqa: PLC0415

        uuid = self._uuid() or (self.a if self.shown == "a" else self.b)
        self.bough.open(fork_preview(self.session.path or "", uuid))


def _text(text: str, role: Role, columns: int) -> list[Line]:
    return [((role, line),) for line in wrap(clean(text.strip()), max(10, columns))]
