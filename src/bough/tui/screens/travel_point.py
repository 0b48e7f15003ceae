"""The point of a session that a plan is about: moved along its branch, read, and left as it is."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol

from msgspec import Struct

from bough.library import Plan, PointSpec
from bough.model.tools.call_summary import shorten_path
from bough.terminal.style import Role
from bough.terminal.text import one_line
from bough.tui.keymap import format_press
from bough.tui.tree.detail import read_neighbor_turn
from bough.tui.widgets.list_items import ListItem, draw_fixed, make_line_item

if TYPE_CHECKING:
    from bough.tui.app.app import Bough
    from bough.tui.screens.list_keys import ListKeys

TravelPlanMaker = Callable[[str, PointSpec, str], Plan]
"""Makes the plan for a point of a file, with the title that was typed."""

LABEL: Final = 18
_FILES: Final = 4
_TURNS: Final = ("previous-prompt", "next-prompt")


class TravelRequest(Struct, frozen=True):
    """A change at a point of a session that somebody asks for."""

    path: str
    uuid: str
    make: TravelPlanMaker
    offers_fork: bool = False
    """Whether a fork does instead where the change is refused."""


class TravelHost(Protocol):
    """A screen with a plan on it."""

    what: str
    title_words: str | None
    plan: Plan | None
    list_keys: "ListKeys"

    @property
    def bough(self) -> "Bough":
        """Give the app."""

    @property
    def is_typing(self) -> bool:
        """Tell whether the title has the keys."""

    @property
    def row_kind(self) -> str:
        """Give the kind of row under the cursor."""

    def draw(self) -> None:
        """Show the plan."""

    def remake_plan(self) -> None:
        """Make the plan again."""

    def run_in_thread(
        self, question: Callable[[], object], answer: Callable[[object], None], group: str = "ask"
    ) -> None:
        """Ask something in a thread; the answer comes back to the screen."""


class TravelPoint:
    """Where a plan begins, and what the preview says and does about that."""

    def __init__(self, screen: TravelHost, request: TravelRequest) -> None:
        self.screen = screen
        self.path = request.path
        self.at = self._branch = request.uuid
        self.fork_instead = ForkInstead(self) if request.offers_fork else None
        self._make = request.make
        self._all_files = False

    def make_plan(self, title: str) -> Plan:
        """Make the plan for the point as it is now."""
        return self._make(self.path, PointSpec(self.at, nearest=True), title)

    # -- what is shown ------------------------------------------------------------------------

    def build_offer_items(self) -> Iterator[ListItem]:
        """Offer the turns before and after."""
        # The letters would go into the title, the arrows have nothing to do there.
        names = _TURNS if self.screen.title_words is None else ("up", "down")
        keymap = self.screen.bough.keymap
        earlier, later = (format_press(keymap.key(name).keys[-1]) for name in names)
        yield make_line_item(
            "turns", f"{'':<{LABEL}}{earlier} one turn earlier   {later} one turn later"
        )

    def describe_reading_keys(self) -> str:
        """Name the keys that open the conversation up to the point."""
        keymap = self.screen.bough.keymap
        first = [] if self.screen.title_words is None else [keymap.key("pane").keys[0]]
        keys = [*first, keymap.key("unfold").keys[0]]
        return f"{' '.join(map(format_press, keys))} reads it all"

    def build_file_items(self) -> Iterator[ListItem]:
        """Name the files that were changed after the point; of many, the first."""
        plan, app = self.screen.plan, self.screen.bough
        names = (
            plan.resume_view.later_files
            if plan is not None and plan.resume_view is not None
            else ()
        )
        shown = names if self._all_files or len(names) <= _FILES + 1 else names[:_FILES]
        for number, name in enumerate(shown):
            text = one_line(shorten_path(name, plan.cwd if plan is not None else None))
            yield make_line_item(f"file/{number}", f"  {text}")
        if len(names) > len(shown):
            key = format_press(app.keymap.key("unfold").keys[0])
            words = f"  {app.glyphs.ellipsis} {len(names) - len(shown):,} more, {key} names them"
            yield ListItem("file/more", draw_fixed([((Role.META, words),)]), "files")

    def describe_keys(self) -> Mapping[str, str]:
        """Say what the keys do on the row under the cursor."""
        return {
            "open": "read" if self.screen.row_kind == "sees" else "do it",
            "unfold": "all files" if self.screen.row_kind == "files" else "read it all",
            "next-prompt": "one turn later",
            "previous-prompt": "one turn earlier",
        }

    # -- keys ---------------------------------------------------------------------------------

    def do_unfold(self) -> None:
        """Read all that Claude will see; on the files, name all of them."""
        from bough.tui.screens.conversation.screen import (  # noqa: PLC0415 - it opens this screen
            ConversationScreen,
            PointLimit,
        )

        plan = self.screen.plan
        if self.screen.row_kind == "files":
            self._all_files = True
            self.screen.draw()
        elif plan is not None and plan.point is not None:
            limit = PointLimit(plan.point.uuid, self.screen.what)
            self.screen.bough.open(ConversationScreen(self.path, limit=limit))

    def do_previous_prompt(self) -> None:
        """Go one turn back."""
        self._move(-1)

    def do_next_prompt(self) -> None:
        """Go one turn on."""
        self._move(1)

    def do_up(self) -> None:
        """Go one turn back while the title is typed; else go up."""
        self._move(-1) if self.screen.is_typing else self.screen.list_keys.do_up()

    def do_down(self) -> None:
        """Go one turn on while the title is typed; else go down."""
        self._move(1) if self.screen.is_typing else self.screen.list_keys.do_down()

    def _move(self, by: int) -> None:
        point = self.screen.plan.point if self.screen.plan is not None else None
        here = (point.prompt or point.uuid) if point is not None else self.at
        # A prompt that was only ever queued is no record of a branch; where its turn ends is one.
        queued = self._branch.startswith("@") and point is not None
        branch = point.uuid if point is not None and queued else self._branch
        question = partial(read_neighbor_turn, self.path, branch, here, by)
        self.screen.run_in_thread(question, partial(self._show_moved, by), group="turn")

    def _show_moved(self, by: int, found: object) -> None:
        if isinstance(found, str):
            self.at = found
            self.screen.remake_plan()
        else:
            which = "earlier" if by < 0 else "later"
            self.screen.bough.show_notice(f"There is no {which} turn on this branch.")


class ForkInstead:
    """A fork, offered where another change at a point is refused."""

    def __init__(self, point: TravelPoint) -> None:
        self._point = point

    def build_items(self) -> Iterator[ListItem]:
        """Offer the fork."""
        key = self._point.screen.bough.keymap.key("fork").keys[:1]
        yield make_line_item(
            "fork", f"{''.join(key)} forks a new session here instead.", Role.ACTIVE
        )

    def do_fork(self) -> None:
        """Show what a fork from here would be."""
        from bough.tui.screens.travel import make_fork_screen  # noqa: PLC0415 - it opens this one

        screen = make_fork_screen(self._point.path, self._point.at)
        self._point.screen.bough.open(screen, instead=True)
