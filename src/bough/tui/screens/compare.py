"""Compare: two branches below the point where they part; words, files and cost.

A file opens in place, as the difference between what the two branches left of it.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal

from bough.backports import override
from bough.library import (
    BranchComparison,
    ComparedBranch,
    ComparedTurn,
    FileDifference,
    Session,
    compare_branches,
    find_file_differences,
)
from bough.model.text.formats import format_cost, format_duration, format_plural
from bough.model.text.times import parse_moment
from bough.model.tools.call_summary import shorten_path
from bough.terminal import clock
from bough.terminal.canvas import Canvas
from bough.terminal.conversation.markdown import render_markdown
from bough.terminal.style import Role, Span, StyledLine
from bough.terminal.text import one_line
from bough.tui.content.file_diffs import FileDiffRow, build_file_items, list_file_rows
from bough.tui.screens.base_screen import BaseScreen
from bough.tui.widgets.list_items import ListItem, draw_text, make_blank_item, make_line_item
from bough.tui.widgets.list_view import ListView

_WIDE: Final = 120
_ANSWER: Final = 6
_DIFFERENCES: Final = ("turn", "file", "hunk")


class CompareScreen(BaseScreen):
    """A with B."""

    KEYS: ClassVar = ("down", "unfold", "pane", "open", "fork", "help")

    def __init__(self, session: Session, a: str, b: str) -> None:
        super().__init__()
        self.session = session
        self.a, self.b = a, b
        self.found: BranchComparison | None = None
        self.differences: Mapping[str, FileDifference] | None = None
        self.shown = "a"
        self._opened: dict[str, set[str]] = {"a": set(), "b": set()}

    @override
    def body(self) -> ComposeResult:
        """Set both sides beside one another."""
        with Horizontal():
            yield ListView(id="a")
            yield ListView(id="b")

    @override
    def list_breadcrumbs(self) -> list[str]:
        """Name the session."""
        side = "" if self.size.width >= _WIDE else f", side {self.shown.upper()}"
        return [self.session.title, f"Compare{side}"]

    @override
    def build_status_spans(self) -> list[Span]:
        """Say what two keys mean here and nowhere else."""
        swap, following = (self.bough.keymap.key(n).keys[:1] for n in ("unfold-turn", "next-hit"))
        return [(Role.META, f"{''.join(swap)} swaps, {''.join(following)} next difference")]

    @property
    @override
    def list_view(self) -> ListView:
        """Give the side that has the keys."""
        return self.query_one(f"#{self.shown}", ListView)

    @override
    def begin(self) -> None:
        """Compare."""
        self._fit_sides(self.size.width)
        self.run_in_thread(lambda: compare_branches(self.session, self.a, self.b), self._show)

    def _show(self, found: object) -> None:
        if isinstance(found, BranchComparison):
            self.found, self.differences = found, None
            self._opened = {"a": set(), "b": set()}
            self._draw()
            for side in self.query(ListView):
                side.go_to_start()
            self._fit_sides(self.size.width)
            if found.a.files or found.b.files:
                question = partial(find_file_differences, self.session, self.a, self.b)
                self.run_in_thread(question, self._show_differences, group="files")

    def _show_differences(self, found: object) -> None:
        if isinstance(found, list):
            self.differences = {one.path: one for one in found}
            self._draw()

    def _draw(self) -> None:
        found = self.found
        if found is not None:
            for name, side in (("a", found.a), ("b", found.b)):
                self.query_one(f"#{name}", ListView).show(
                    list(self._build_items(name, side, found))
                )

    def _build_items(
        self, name: str, side: ComparedBranch, found: BranchComparison
    ) -> Iterator[ListItem]:
        money = format_cost(side.cost.usd, partly_unknown=not side.cost.is_complete)
        active = ", active" if side.active else ""
        lasted = f"  {format_duration(side.seconds)}" if side.seconds else ""
        yield make_line_item(
            "head",
            f"{name.upper()}  {format_plural(len(side.turns), 'turn')}{active}  {money}{lasted}",
            Role.HEADER,
        )
        words = f"together for {format_plural(found.shared, 'turn')}"
        if found.parting is not None and found.parting.text:
            words += f', to "{one_line(found.parting.text)}"'
        yield make_line_item("shared", words)
        yield make_blank_item("1")
        role = Role.ACTIVE if side.active else Role.LEFT
        for number, turn in enumerate(side.turns):
            yield ListItem(f"t/{number}", partial(self._draw_turn, turn, role), "turn", turn)
        yield make_line_item("files", f"Files {len(side.files):,}", Role.HEADER)
        rows = list_file_rows(
            side.files, self.differences, partial(shorten_path, cwd=self.session.cwd)
        )
        yield from build_file_items(
            rows, name, self._opened[name], self.bough.glyphs, self._make_canvas
        )

    def _make_canvas(self, columns: int) -> Canvas:
        ended = parse_moment(self.session.ended_at)
        return Canvas(ended or clock.now(), self.bough.glyphs, columns, self.bough.time_words)

    def _draw_turn(self, turn: ComparedTurn, role: Role, columns: int) -> list[StyledLine]:
        canvas, glyphs = self._make_canvas(columns), self.bough.glyphs
        facts = format_plural(turn.steps, "step") + (
            f", {turn.failed} failed" if turn.failed else ""
        )
        head: list[Span] = [
            (role, f"{glyphs.node if role is Role.ACTIVE else glyphs.other} "),
            (Role.META, f"{canvas.time(turn.timestamp)}  {facts}"),
        ]
        prompt = draw_text(turn.prompt.strip(), Role.PROMPT, max(10, columns - 2))
        answer = render_markdown(turn.answer.strip(), glyphs, max(10, columns - 2))
        body = [*prompt[:_ANSWER], *answer[:_ANSWER]]
        return [
            tuple(head),
            *(((role, f"{glyphs.bar} "), *line) for line in body),
            ((role, glyphs.bar),),
        ]

    @override
    def on_resize(self, event: events.Resize) -> None:
        """Show one side where there is room for one."""
        if self.is_there:
            self._fit_sides(event.size.width)

    def _fit_sides(self, columns: int) -> None:
        for name in ("a", "b"):
            self.query_one(f"#{name}").display = columns >= _WIDE or name == self.shown
        self.query_one(f"#{self.shown}").focus()
        self.show_breadcrumbs()

    # -- keys ---------------------------------------------------------------------------------

    def do_pane(self) -> None:
        """Go to the other side."""
        self.shown = "b" if self.shown == "a" else "a"
        self._fit_sides(self.size.width)

    def do_unfold_turn(self) -> None:
        """Swap the sides."""
        self.a, self.b = self.b, self.a
        self.begin()

    def do_next_hit(self) -> None:
        """Go to the next difference."""
        self.list_view.jump(_DIFFERENCES, 1)

    def do_previous_hit(self) -> None:
        """Go to the previous difference."""
        self.list_view.jump(_DIFFERENCES, -1)

    def _find_uuid(self) -> str | None:
        picked = self.list_view.picked
        return (
            picked.about.uuid
            if picked is not None and isinstance(picked.about, ComparedTurn)
            else None
        )

    @property
    def _current_file(self) -> FileDiffRow | None:
        picked = self.list_view.picked
        return (
            picked.about if picked is not None and isinstance(picked.about, FileDiffRow) else None
        )

    @override
    def list_footer_keys(self) -> Sequence[str]:
        """Name the keys of what is under the cursor: a file opens, a turn is read.

        No others: two more are named at the right end.
        """
        gone = "unfold" if self._current_file is None else "open"
        return [name for name in self.KEYS if name != gone]

    @override
    def describe_keys(self) -> Mapping[str, str]:
        """Say what opening means here."""
        return {"unfold": "diff", "open": "read", "unfold-turn": "swap", "pane": "other side"}

    def _fold_file(self, *, open_it: bool) -> None:
        row = self._current_file
        if row is None:
            return
        opened = self._opened[self.shown]
        (opened.add if open_it else opened.discard)(row.change.path)
        self._draw()
        shown, key = self.list_view, f"f/{row.change.path}"
        own = [n for n, item in enumerate(shown.pieces) if item.key.startswith(f"{key}/")]
        if own:  # as much of it as there is room for
            shown.go_to(own[-1], top=False)
        shown.go_to_key(key, top=False)

    def do_unfold(self) -> None:
        """Show how the two branches left the file under the cursor; of a turn, read it."""
        self._fold_file(open_it=True) if self._current_file is not None else self.do_open()

    def do_fold(self) -> None:
        """Close the file under the cursor."""
        self._fold_file(open_it=False)

    def do_toggle(self) -> None:
        """Show or hide how the file under the cursor was left."""
        row = self._current_file
        if row is not None:
            self._fold_file(open_it=row.change.path not in self._opened[self.shown])

    def do_open(self) -> None:
        """Show how a file was left; else read this side."""
        if self._current_file is not None:
            self.do_toggle()
            return
        self._read_side()

    def _read_side(self) -> None:
        from bough.tui.screens.conversation.screen import ConversationScreen, Target  # noqa: PLC0415

        tip = self.a if self.shown == "a" else self.b
        target = Target(self._find_uuid() or tip)
        self.bough.open(ConversationScreen(self.session.path or "", tip=tip, target=target))

    def do_tree(self) -> None:
        """Go back to the tree one came from, else draw it."""
        from bough.tui.screens.tree import TreeScreen  # noqa: PLC0415

        if isinstance(self.bough.screen_stack[-2], TreeScreen):
            self.bough.back()
        else:
            self.bough.open(TreeScreen(self.session.path or ""), instead=True)

    def do_fork(self) -> None:
        """Show what a fork from here would be."""
        from bough.tui.screens.travel import make_fork_screen  # noqa: PLC0415

        uuid = self._find_uuid() or (self.a if self.shown == "a" else self.b)
        self.bough.open(make_fork_screen(self.session.path or "", uuid))
