"""Travel: a change at a point of a session, previewed; the point may be moved turn by turn."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import ClassVar, Final

from bough.model.tools.call_summary import short_path
from bough.timetravel.operations import fork, goto
from bough.timetravel.plan import Plan
from bough.timetravel.plans.find_point import Aim
from bough.tui.keymap import shown
from bough.tui.override import override
from bough.tui.screens.plan_preview import LABEL, Preview
from bough.tui.style.style import Role, one_line
from bough.tui.tree.detail import turn_beside
from bough.tui.widgets.list_items import Piece, say, still
from bough.tui.widgets.list_view import Reel

TravelTo = Callable[[str, Aim, str], Plan]
"""Makes the plan for a point of a file, with the title that was typed."""

_FILES: Final = 4
_TURNS: Final = ("previous-prompt", "next-prompt")


class Travel(Preview):
    """A plan about a point of a session, which may be moved along its branch."""

    KEYS: ClassVar = ("open", "unfold", "pane", "back", "help")

    def __init__(
        self, what: str, path: str, uuid: str, make: TravelTo, *, title: str | None = None
    ) -> None:
        super().__init__(what, self._make_here, title=title)
        self.path = path
        self.at = self._branch = uuid
        self._to = make
        self._all_files = False

    def _make_here(self, title: str) -> Plan:
        return self._to(self.path, Aim(self.at, nearest=True), title)

    @override
    def offers(self) -> Iterator[Piece]:
        """Offer the turns before and after."""
        # The letters would go into the title, the arrows have nothing to do there.
        names = _TURNS if self.title_words is None else ("up", "down")
        earlier, later = (shown(self.bough.keymap.key(name).keys[-1]) for name in names)
        yield say("turns", f"{'':<{LABEL}}{earlier} one turn earlier   {later} one turn later")

    @override
    def way_to_read(self) -> str:
        """Name the keys that open the conversation up to the point."""
        first = [] if self.title_words is None else [self.bough.keymap.key("pane").keys[0]]
        keys = [*first, self.bough.keymap.key("unfold").keys[0]]
        return f"{' '.join(map(shown, keys))} reads it all"

    @override
    def files(self) -> Iterator[Piece]:
        """Name the files that were changed after the point; of many, the first."""
        plan, glyphs = self.plan, self.bough.glyphs
        names = plan.sight.later_files if plan is not None and plan.sight is not None else ()
        shown_ = names if self._all_files or len(names) <= _FILES + 1 else names[:_FILES]
        for number, name in enumerate(shown_):
            text = one_line(short_path(name, plan.cwd if plan is not None else None))
            yield say(f"file/{number}", f"  {text}")
        if len(names) > len(shown_):
            key = shown(self.bough.keymap.key("unfold").keys[0])
            words = f"  {glyphs.ellipsis} {len(names) - len(shown_):,} more, {key} names them"
            yield Piece("file/more", still([((Role.META, words),)]), "files")

    @property
    def _on(self) -> str:
        """Give the kind of row under the cursor."""
        picked = self.query_one("#list", Reel).picked
        return picked.kind if picked is not None and not self.typing else ""

    @override
    def keys_now(self) -> Sequence[str]:
        """Name the keys of what has focus; without a plan there is nothing to do or to read."""
        names = super().keys_now()
        gone = () if self.plan is not None else ("open", "unfold", "pane")
        return [name for name in names if name not in gone]

    @override
    def words_now(self) -> Mapping[str, str]:
        """Say what the keys do on the row under the cursor."""
        return {
            "open": "read" if self._on == "sees" else "do it",
            "unfold": "all files" if self._on == "files" else "read it all",
        }

    def do_unfold(self) -> None:
        """Read all that Claude will see; on the files, name all of them."""
        if self._on == "files":
            self._all_files = True
            self.draw()
        elif self.plan is not None and self.plan.point is not None:
            from bough.tui.screens.conversation.up_to import UpTo  # noqa: PLC0415

            self.bough.open(UpTo(self.path, self.plan.point.uuid, self.what))

    @override
    def do_open(self) -> None:
        """Do what was shown; on what Claude will see, read it."""
        self.do_unfold() if self._on == "sees" else super().do_open()

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
