"""Preview: what a change would do, exactly, before anything is done.

The same rows as the command line shows. Enter does it, Esc does not; a refusal says why and
what works instead. Plans are made and carried out in threads.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.widgets import Input

from bough.errors import BoughError
from bough.timetravel.errors import Changed
from bough.timetravel.operations import apply, rename
from bough.timetravel.plan import Plan
from bough.timetravel.preview import preview
from bough.tui.override import override
from bough.tui.screens.base_screen import Place
from bough.tui.style.style import Line, Role, clean, fit, one_line, pad, width, wrap
from bough.tui.widgets.list_items import Piece, blank, say
from bough.tui.widgets.list_view import Reel

Make = Callable[[str], Plan]
"""Makes the plan, with the title that was typed."""

LABEL: Final = 18
SEES: Final = "Claude will see"
_FIRST, _LAST = 3, 5
_DO: Final = "Enter does it. Esc leaves everything as it is."
_AGREED: Final = {
    "fork": "Enter forks and copies the resume command. Esc leaves everything as it is. "
    "U, or bough undo, takes it back.",
    "goto": "Enter makes it active. Esc leaves everything as it is. "
    "U, or bough undo, takes it back.",
    "rename": "Enter gives it this title. Esc leaves everything as it is. "
    "U, or bough undo, takes it back.",
    "undo": "Enter takes it back. Esc leaves everything as it is.",
}


class Preview(Place):
    """A plan, to be confirmed."""

    KEYS: ClassVar[tuple[str, ...]] = ("open", "back", "help")

    def __init__(self, what: str, make: Make, *, title: str | None = None) -> None:
        super().__init__()
        self.what = what
        self.make = make
        self.title_words = title
        self.plan: Plan | None = None
        self.refusal = ""

    @override
    def body(self) -> ComposeResult:
        """Set the rows, and a field where a title is wanted."""
        if self.title_words is not None:
            placeholder = "Title; without one, the words of the prompt"
            yield Input(self.title_words, placeholder=placeholder, id="title")
        yield Reel(id="list")

    @override
    def where(self) -> list[str]:
        """Say what is previewed."""
        return [self.what]

    @override
    def begin(self) -> None:
        """Make the plan."""
        if self.title_words is not None:
            self.query_one("#title", Input).focus()
        else:
            self.query_one("#list", Reel).focus()
        self.remake()

    def remake(self) -> None:
        """Make the plan, with what is wanted now."""
        title = self.title_words or ""
        self.ask(partial(self._made, title), self._show, group="plan")

    def _made(self, title: str) -> Plan | str:
        try:
            return self.make(title)
        except BoughError as error:
            return error.message

    def _show(self, found: object) -> None:
        self.plan = found if isinstance(found, Plan) else None
        self.refusal = found if isinstance(found, str) else ""
        self.draw()

    def draw(self) -> None:
        """Show the plan, or why there is none."""
        self.query_one("#list", Reel).show(list(self._pieces()))
        self.say_keys()

    def _pieces(self) -> Iterator[Piece]:
        if self.plan is None:
            yield Piece("refused", partial(_text, self.refusal, Role.ERROR), "row")
            yield blank("r")
            yield from self.ways_out()
            yield say("nothing", "Nothing was changed. Esc goes back.")
            return
        for number, row in enumerate(preview(self.plan)):
            seen = row.label == SEES
            draw = partial(_row, row.label, row.text, self.way_to_read() if seen else "")
            yield Piece(f"row/{number}", draw, "sees" if seen else "row")
            if number == 0:
                yield from self.offers()
        yield from self.files()
        sight = self.plan.sight
        if sight is not None and sight.prompts:
            yield blank("s")
            yield say("sees", "Claude will see these prompts word for word:", Role.HEADER)
            yield from self._prompts(sight.prompts)
        yield blank("e")
        draw = partial(_text, _AGREED.get(self.plan.operation, _DO), Role.ACTIVE)
        yield Piece("agree", draw, "talk", picked=False)

    def offers(self) -> Iterator[Piece]:
        """Offer what may be changed about the plan."""
        yield from ()

    def way_to_read(self) -> str:
        """Say how all that Claude will see can be read."""
        return ""

    def files(self) -> Iterator[Piece]:
        """Name the files that stay as they are."""
        yield from ()

    def ways_out(self) -> Iterator[Piece]:
        """Offer what works where this was refused."""
        yield from ()

    def _prompts(self, prompts: Sequence[str]) -> Iterator[Piece]:
        """List the prompts, of many the first and the last ones."""
        glyphs = self.bough.glyphs
        hidden = len(prompts) - _FIRST - _LAST
        for number, words in enumerate(prompts):
            if hidden > 1 and _FIRST <= number < len(prompts) - _LAST:
                if number == _FIRST:
                    more = f"    {glyphs.ellipsis} {hidden:,} more"
                    yield say("p/more", more)
                continue
            last = number == len(prompts) - 1
            mark = f"   {glyphs.back_arrow} the next prompt goes here" if last else ""
            sign = glyphs.tip if last else glyphs.knot
            draw = partial(_prompt, f"  {sign} ", one_line(words), mark, glyphs.ellipsis)
            yield Piece(f"p/{number}", draw, "prompt", picked=False)

    # -- keys ---------------------------------------------------------------------------------

    def on_input_changed(self, event: Input.Changed) -> None:
        """Make the plan again with another title."""
        if event.value != self.title_words:
            self.title_words = event.value
            self.remake()

    def on_input_submitted(self, _: Input.Submitted) -> None:
        """Do it."""
        self.do_open()

    @property
    def typing(self) -> bool:
        """Tell whether the title has the keys."""
        return isinstance(self.focused, Input)

    def do_pane(self) -> None:
        """Go from the title to the rows, or back."""
        rows = self.query_one("#list", Reel)
        (
            self.query_one("#title", Input) if rows.has_focus and self.query("#title") else rows
        ).focus()

    def do_open(self) -> None:
        """Do what was shown."""
        if self.plan is not None:
            plan, self.plan = self.plan, None
            self.ask(partial(_applied, plan), partial(self._done, plan), group="apply")

    def _done(self, plan: Plan, found: object) -> None:
        if isinstance(found, Changed):
            words = found.message.removesuffix("Nothing was written.")
            self.bough.tell(f"{words}The preview was made again.", severity="warning")
            self.remake()
            return
        if isinstance(found, BoughError):
            self.refusal = found.message
            self.draw()
            return
        if plan.resume is not None:
            self.bough.copy(plan.resume, "the resume command")
        undo = "" if plan.operation == "undo" else " U takes it back."
        self.bough.tell(f"Done: {plan.headline.rstrip('.')}.{undo}")
        self.bough.back()


def rename_preview(path: str, title: str) -> Preview:
    """Preview another title."""
    return Preview("Give the session another title", lambda t: rename(path, t), title=title)


def _applied(plan: Plan) -> object:
    try:
        return apply(plan)
    except BoughError as error:
        return error


def _row(label: str, text: str, tail: str, columns: int) -> list[Line]:
    """Set a row; a tail stands behind its last words where it fits, else below them."""
    indent = LABEL if label else 0
    set_ = wrap(clean(text), max(20, columns - indent)) or [""]
    role = Role.CLAUDE if label else Role.PROMPT
    heads = [pad(label, indent), *(" " * indent for _ in set_[1:])]
    lines: list[Line] = [
        ((Role.META, head), (role, line)) for head, line in zip(heads, set_, strict=True)
    ]
    if tail and indent + width(set_[-1]) + width(tail) + 3 <= columns:
        lines[-1] = (*lines[-1], (Role.ACTIVE, f"   {tail}"))
    elif tail:
        lines.append(((Role.ACTIVE, f"{' ' * indent}{tail}"),))
    return lines


def _prompt(lead: str, words: str, mark: str, ellipsis: str, columns: int) -> list[Line]:
    room = max(8, columns - width(lead) - width(mark))
    return [((Role.PROMPT, f"{lead}{fit(words, room, ellipsis)}"), (Role.ACTIVE, mark))]


def _text(text: str, role: Role, columns: int) -> list[Line]:
    return [((role, line),) for line in wrap(clean(text), columns)]
