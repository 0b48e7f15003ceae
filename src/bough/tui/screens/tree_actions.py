"""What can be done from a point of the tree: compare, fork, travel, look at its records."""

from typing import TYPE_CHECKING, Protocol

from bough.model.outline.branch_path import find_conversation_through
from bough.tui.tree.graph import Graph

if TYPE_CHECKING:
    from bough.tui.app.app import Bough


class TreeHost(Protocol):
    """A screen with a graph, of which one point is under the cursor."""

    path: str
    title_words: str
    graph: Graph | None

    @property
    def bough(self) -> "Bough":
        """Give the app."""

    @property
    def uuid(self) -> str | None:
        """Give the id of what is under the cursor."""

    @property
    def point_key(self) -> str | None:
        """Name what is under the cursor as a point of time travel."""

    def draw_marks(self) -> None:
        """Draw again: another point is marked."""


class TreeActions:
    """What can be done with the point under the cursor, and the points that are marked."""

    def __init__(self, screen: TreeHost) -> None:
        self.screen = screen
        self.marks: dict[str, str] = {}

    def do_mark_a(self) -> None:
        """Mark A."""
        self._set_mark("A")

    def do_mark_b(self) -> None:
        """Mark B."""
        self._set_mark("B")

    def _set_mark(self, name: str) -> None:
        if self.screen.uuid is not None and self.screen.graph is not None:
            self.marks[name] = self.screen.uuid
            self.screen.draw_marks()

    def do_compare(self) -> None:
        """Compare A with B, else the branch under the cursor with the active one, as diff does."""
        from bough.tui.screens.compare import CompareScreen  # noqa: PLC0415

        graph = self.screen.graph
        if graph is None:
            return
        session = graph.session
        here = self.screen.uuid
        a = self.marks.get("A") or (
            find_conversation_through(session, here).tip if here is not None else None
        )
        b = self.marks.get("B") or session.active_tip
        if a is not None and b is not None and a != b:
            self.screen.bough.open(CompareScreen(session, a, b))
        else:
            self.screen.bough.show_notice(
                "This is on the active branch. Mark A and B, or go to another branch."
            )

    def do_fork(self) -> None:
        """Show what a fork from here would be."""
        from bough.tui.screens.travel import make_fork_screen  # noqa: PLC0415

        if self.screen.point_key is not None:
            self.screen.bough.open(make_fork_screen(self.screen.path, self.screen.point_key))

    def do_make_active(self) -> None:
        """Show what making this the active branch would do."""
        from bough.tui.screens.travel import make_goto_screen  # noqa: PLC0415

        if self.screen.point_key is not None:
            self.screen.bough.open(make_goto_screen(self.screen.path, self.screen.point_key))

    def do_rename(self) -> None:
        """Give the session another title."""
        from bough.tui.screens.plan_preview import make_rename_screen  # noqa: PLC0415

        self.screen.bough.open(make_rename_screen(self.screen.path, self.screen.title_words))

    def do_raw(self) -> None:
        """Show the records behind the point."""
        from bough.tui.screens.raw import RawScreen  # noqa: PLC0415

        if self.screen.graph is not None and self.screen.uuid is not None:
            self.screen.bough.open(RawScreen(self.screen.graph.session, None, self.screen.uuid))

    def do_copy_id(self) -> None:
        """Copy the id of the point."""
        if self.screen.point_key is not None:
            self.screen.bough.copy(self.screen.point_key, "the id")
