"""Travel: a change at a point of a session, previewed; the point may be moved turn by turn."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import ClassVar, Final

from bough.library import Plan, PointSpec, fork, goto
from bough.model.tools.call_summary import shorten_path
from bough.terminal.style import Role
from bough.terminal.text import one_line
from bough.tui.keymap import format_press
from bough.tui.override import override
from bough.tui.screens.plan_preview import LABEL, PlanPreviewScreen
from bough.tui.tree.detail import read_neighbor_turn
from bough.tui.widgets.list_items import ListItem, draw_fixed, make_line_item
from bough.tui.widgets.list_view import ListView

TravelPlanMaker = Callable[[str, PointSpec, str], Plan]
"""Makes the plan for a point of a file, with the title that was typed."""

_FILES: Final = 4
_TURNS: Final = ("previous-prompt", "next-prompt")


class TravelScreen(PlanPreviewScreen):
    """A plan about a point of a session, which may be moved along its branch."""

    KEYS: ClassVar = ("open", "unfold", "pane", "back", "help")

    def __init__(
        self, what: str, path: str, uuid: str, make: TravelPlanMaker, *, title: str | None = None
    ) -> None:
        super().__init__(what, self._make_here, title=title)
        self.path = path
        self.at = self._branch = uuid
        self._plan_maker = make
        self._all_files = False

    def _make_here(self, title: str) -> Plan:
        return self._plan_maker(self.path, PointSpec(self.at, nearest=True), title)

    @override
    def build_offer_items(self) -> Iterator[ListItem]:
        """Offer the turns before and after."""
        # The letters would go into the title, the arrows have nothing to do there.
        names = _TURNS if self.title_words is None else ("up", "down")
        earlier, later = (format_press(self.bough.keymap.key(name).keys[-1]) for name in names)
        yield make_line_item(
            "turns", f"{'':<{LABEL}}{earlier} one turn earlier   {later} one turn later"
        )

    @override
    def describe_reading_keys(self) -> str:
        """Name the keys that open the conversation up to the point."""
        first = [] if self.title_words is None else [self.bough.keymap.key("pane").keys[0]]
        keys = [*first, self.bough.keymap.key("unfold").keys[0]]
        return f"{' '.join(map(format_press, keys))} reads it all"

    @override
    def build_file_items(self) -> Iterator[ListItem]:
        """Name the files that were changed after the point; of many, the first."""
        plan, glyphs = self.plan, self.bough.glyphs
        names = (
            plan.resume_view.later_files
            if plan is not None and plan.resume_view is not None
            else ()
        )
        shown_ = names if self._all_files or len(names) <= _FILES + 1 else names[:_FILES]
        for number, name in enumerate(shown_):
            text = one_line(shorten_path(name, plan.cwd if plan is not None else None))
            yield make_line_item(f"file/{number}", f"  {text}")
        if len(names) > len(shown_):
            key = format_press(self.bough.keymap.key("unfold").keys[0])
            words = f"  {glyphs.ellipsis} {len(names) - len(shown_):,} more, {key} names them"
            yield ListItem("file/more", draw_fixed([((Role.META, words),)]), "files")

    @property
    def _row_kind(self) -> str:
        """Give the kind of row under the cursor."""
        picked = self.query_one("#list", ListView).picked
        return picked.kind if picked is not None and not self.is_typing else ""

    @override
    def list_footer_keys(self) -> Sequence[str]:
        """Name the keys of what has focus; without a plan there is nothing to do or to read."""
        names = super().list_footer_keys()
        gone = () if self.plan is not None else ("open", "unfold", "pane")
        return [name for name in names if name not in gone]

    @override
    def describe_keys(self) -> Mapping[str, str]:
        """Say what the keys do on the row under the cursor."""
        return {
            "open": "read" if self._row_kind == "sees" else "do it",
            "unfold": "all files" if self._row_kind == "files" else "read it all",
        }

    def do_unfold(self) -> None:
        """Read all that Claude will see; on the files, name all of them."""
        if self._row_kind == "files":
            self._all_files = True
            self.draw()
        elif self.plan is not None and self.plan.point is not None:
            from bough.tui.screens.conversation.up_to import UpToScreen  # noqa: PLC0415

            self.bough.open(UpToScreen(self.path, self.plan.point.uuid, self.what))

    @override
    def do_open(self) -> None:
        """Do what was shown; on what Claude will see, read it."""
        self.do_unfold() if self._row_kind == "sees" else super().do_open()

    def do_previous_prompt(self) -> None:
        """Go one turn back."""
        self._move_point(-1)

    def do_next_prompt(self) -> None:
        """Go one turn on."""
        self._move_point(1)

    @override
    def do_up(self) -> None:
        """Go one turn back while the title is typed; else go up."""
        self._move_point(-1) if self.is_typing else super().do_up()

    @override
    def do_down(self) -> None:
        """Go one turn on while the title is typed; else go down."""
        self._move_point(1) if self.is_typing else super().do_down()

    def _move_point(self, by: int) -> None:
        point = self.plan.point if self.plan is not None else None
        here = (point.prompt or point.uuid) if point is not None else self.at
        question = partial(read_neighbor_turn, self.path, self._branch, here, by)
        self.run_in_thread(question, partial(self._show_moved_point, by), group="turn")

    def _show_moved_point(self, by: int, found: object) -> None:
        if isinstance(found, str):
            self.at = found
            self.remake_plan()
        else:
            which = "earlier" if by < 0 else "later"
            self.bough.show_notice(f"There is no {which} turn on this branch.")


def make_fork_screen(path: str, uuid: str) -> PlanPreviewScreen:
    """Preview a new session that ends at a point."""
    return TravelScreen(
        "Fork a new session",
        path,
        uuid,
        lambda file, aim, title: fork(file, aim, title=title or None),
        title="",
    )


class GotoScreen(TravelScreen):
    """Making a point the active one; where that is refused, a fork is the way."""

    def __init__(self, path: str, uuid: str) -> None:
        super().__init__(
            "Make this the active branch", path, uuid, lambda file, aim, _: goto(file, aim)
        )

    @override
    def build_fallback_items(self) -> Iterator[ListItem]:
        """Offer a fork."""
        key = self.bough.keymap.key("fork").keys[:1]
        yield make_line_item(
            "fork", f"{''.join(key)} forks a new session here instead.", Role.ACTIVE
        )

    def do_fork(self) -> None:
        """Show what a fork from here would be."""
        self.bough.open(make_fork_screen(self.path, self.at), instead=True)


def make_goto_screen(path: str, uuid: str) -> PlanPreviewScreen:
    """Preview making a point the active one."""
    return GotoScreen(path, uuid)
