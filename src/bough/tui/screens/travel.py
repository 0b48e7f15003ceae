"""Travel: a change at a point of a session, previewed; the point may be moved turn by turn."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import ClassVar, Final

from bough.timetravel.plan import Plan
from bough.timetravel.target import Aim
from bough.timetravel.travel import fork, goto
from bough.tui.keys import shown
from bough.tui.looks import Role
from bough.tui.overriding import override
from bough.tui.pieces import Piece, say
from bough.tui.screens.preview import LABEL, Preview
from bough.tui.turnsbeside import turn_beside

TravelTo = Callable[[str, Aim, str], Plan]
"""Makes the plan for a point of a file, with the title that was typed."""

_TURNS: Final = ("previous-prompt", "next-prompt")


class Travel(Preview):
    """A plan about a point of a session, which may be moved along its branch."""

    KEYS: ClassVar = ("open", "pane", "back", "help")

    def __init__(
        self, what: str, path: str, uuid: str, make: TravelTo, *, title: str | None = None
    ) -> None:
        super().__init__(what, self._make_here, title=title)
        self.path = path
        self.at = self._branch = uuid
        self._to = make

    def _make_here(self, title: str) -> Plan:
        return self._to(self.path, Aim(self.at, nearest=True), title)

    @override
    def offers(self) -> Iterator[Piece]:
        """Offer the turns before and after."""
        # The letters would go into the title, the arrows have nothing to do there.
        names = _TURNS if self.title_words is None else ("up", "down")
        earlier, later = (shown(self.bough.keymap.key(name).keys[-1]) for name in names)
        yield say("turns", f"{'':<{LABEL}}{earlier} one turn earlier   {later} one turn later")

    def do_previous_prompt(self) -> None:
        """Go one turn back."""
        self._move(-1)

    def do_next_prompt(self) -> None:
        """Go one turn on."""
        self._move(1)

    @override
    def do_up(self) -> None:
        """Go one turn back while the title is typed; else go up."""
        self._move(-1) if self.typing else super().do_up()

    @override
    def do_down(self) -> None:
        """Go one turn on while the title is typed; else go down."""
        self._move(1) if self.typing else super().do_down()

    def _move(self, by: int) -> None:
        point = self.plan.point if self.plan is not None else None
        here = (point.prompt or point.uuid) if point is not None else self.at
        question = partial(turn_beside, self.path, self._branch, here, by)
        self.ask(question, partial(self._moved, by), group="turn")

    def _moved(self, by: int, found: object) -> None:
        if isinstance(found, str):
            self.at = found
            self.remake()
        else:
            which = "earlier" if by < 0 else "later"
            self.bough.tell(f"There is no {which} turn on this branch.")


def fork_preview(path: str, uuid: str) -> Preview:
    """Preview a new session that ends at a point."""
    return Travel(
        "Fork a new session",
        path,
        uuid,
        lambda file, aim, title: fork(file, aim, title=title or None),
        title="",
    )


class Goto(Travel):
    """Making a point the active one; where that is refused, a fork is the way."""

    def __init__(self, path: str, uuid: str) -> None:
        super().__init__(
            "Make this the active branch", path, uuid, lambda file, aim, _: goto(file, aim)
        )

    @override
    def ways_out(self) -> Iterator[Piece]:
        """Offer a fork."""
        key = self.bough.keymap.key("fork").keys[:1]
        yield say("fork", f"{''.join(key)} forks a new session here instead.", Role.ACTIVE)

    def do_fork(self) -> None:
        """Show what a fork from here would be."""
        self.bough.open(fork_preview(self.path, self.at), instead=True)


def goto_preview(path: str, uuid: str) -> Preview:
    """Preview making a point the active one."""
    return Goto(path, uuid)
