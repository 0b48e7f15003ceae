"""Preview: what a change would do, exactly, before anything is done.

The same rows as the command line shows. Enter does it, Esc does not; a refusal says why and
what works instead. Plans are made and carried out in threads.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.widgets import Input

from bough.errors import BoughError
from bough.timetravel.plan import Plan
from bough.timetravel.preview import preview
from bough.timetravel.target import Aim
from bough.timetravel.travel import apply, fork, goto, rename
from bough.tui.looks import Line, Role, clean, one_line, pad, wrap
from bough.tui.overriding import override
from bough.tui.pieces import Piece, blank, say
from bough.tui.place import Place
from bough.tui.reel import Reel

Make = Callable[[str], Plan]
"""Makes the plan, with the title that was typed."""

_LABEL = 18


class Preview(Place):
    """A plan, to be confirmed."""

    KEYS: ClassVar = ("open", "back", "help")

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
            yield Input(self.title_words, placeholder="Title", id="title")
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
        self._make()

    def _make(self) -> None:
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
        self.query_one("#list", Reel).show(list(self._pieces()))
        self.say_keys()

    def _pieces(self) -> Iterator[Piece]:
        if self.plan is None:
            yield Piece("refused", partial(_text, self.refusal, Role.ERROR), "row")
            yield blank("r")
            yield say("nothing", "Nothing was changed. Esc goes back.")
            return
        for number, row in enumerate(preview(self.plan)):
            draw = partial(_row, row.label, row.text)
            yield Piece(f"row/{number}", draw, "row")
        sight = self.plan.sight
        if sight is not None and sight.prompts:
            yield blank("s")
            yield say("sees", "Claude will see these prompts word for word:", Role.HEADER)
            for number, words in enumerate(sight.prompts):
                last = number == len(sight.prompts) - 1
                mark = "   ← the next prompt goes here" if last else ""
                yield say(f"p/{number}", f"  ● {one_line(words)}{mark}", Role.PROMPT)
        yield blank("e")
        yield say("undo", "Enter does it. Esc does not. U takes it back afterwards.", Role.ACTIVE)

    # -- keys ---------------------------------------------------------------------------------

    def on_input_changed(self, event: Input.Changed) -> None:
        """Make the plan again with another title."""
        if event.value != self.title_words:
            self.title_words = event.value
            self._make()

    def on_input_submitted(self, _: Input.Submitted) -> None:
        """Do it."""
        self.do_open()

    def do_open(self) -> None:
        """Do what was shown."""
        if self.plan is not None:
            plan, self.plan = self.plan, None
            self.ask(partial(_applied, plan), partial(self._done, plan), group="apply")

    def _done(self, plan: Plan, found: object) -> None:
        if isinstance(found, str):
            self.refusal = found
            self.query_one("#list", Reel).show(list(self._pieces()))
            return
        if plan.resume is not None:
            self.bough.copy(plan.resume, "the resume command")
        self.bough.tell(f"Done: {plan.headline} U takes it back.")
        self.bough.back()


def fork_preview(path: str, uuid: str) -> Preview:
    """Preview a new session that ends at a point."""
    aim = Aim(uuid, nearest=True)
    return Preview("Fork a new session", lambda t: fork(path, aim, title=t or None), title="")


def goto_preview(path: str, uuid: str) -> Preview:
    """Preview making a point the active one."""
    return Preview("Make this the active branch", lambda _: goto(path, Aim(uuid, nearest=True)))


def rename_preview(path: str, title: str) -> Preview:
    """Preview another title."""
    return Preview("Give the session another title", lambda t: rename(path, t), title=title)


def _applied(plan: Plan) -> object:
    try:
        return apply(plan)
    except BoughError as error:
        return error.message


def _row(label: str, text: str, columns: int) -> list[Line]:
    indent = _LABEL if label else 0
    first, *rest = wrap(clean(text), max(20, columns - indent)) or [""]
    role = Role.CLAUDE if label else Role.PROMPT
    lines: list[Line] = [((Role.META, pad(label, indent)), (role, first))]
    return lines + [((role, " " * indent + line),) for line in rest]


def _text(text: str, role: Role, columns: int) -> list[Line]:
    return [((role, line),) for line in wrap(clean(text), columns)]
