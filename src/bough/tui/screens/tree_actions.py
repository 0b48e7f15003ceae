"""What can be done from a point of the tree: compare, fork, travel, look at its records."""

from bough.model.outline.branch_path import find_conversation_through
from bough.model.outline.turns import Turn
from bough.tui.screens.base_screen import BaseScreen
from bough.tui.tree.graph import Graph, GraphPoint
from bough.tui.widgets.list_view import ListView


class TreeActions(BaseScreen):
    """A screen with a graph, of which one point is under the cursor."""

    path: str

    def __init__(self, title: str) -> None:
        super().__init__()
        self.title_words = title
        self.graph: Graph | None = None
        self.marks: dict[str, str] = {}

    def draw_marks(self) -> None:
        """Draw again: another point is marked."""
        raise NotImplementedError

    @property
    def point(self) -> GraphPoint | None:
        """Give what is under the cursor; an agent or a seam belongs to what is above."""
        reel = self.query_one("#list", ListView)
        above = (
            reel.pieces[at].about for at in range(min(reel.cursor, len(reel.pieces) - 1), -1, -1)
        )
        return next((about for about in above if isinstance(about, GraphPoint)), None)

    @property
    def turn(self) -> Turn | None:
        """Give the turn under the cursor."""
        return self.point.turn if self.point is not None else None

    @property
    def uuid(self) -> str | None:
        """Give the id of what is under the cursor."""
        return self.point.uuid if self.point is not None else None

    def do_mark_a(self) -> None:
        """Mark A."""
        self._set_mark("A")

    def do_mark_b(self) -> None:
        """Mark B."""
        self._set_mark("B")

    def _set_mark(self, name: str) -> None:
        if self.uuid is not None and self.graph is not None:
            self.marks[name] = self.uuid
            self.draw_marks()

    def do_compare(self) -> None:
        """Compare A with B, else the point under the cursor with the active branch."""
        from bough.tui.screens.compare import CompareScreen  # noqa: PLC0415

        graph = self.graph
        if graph is None:
            return
        session = graph.session
        here = self.uuid
        a = self.marks.get("A") or session.active_tip
        b = self.marks.get("B") or (
            find_conversation_through(session, here).tip if here is not None else None
        )
        if a is not None and b is not None and a != b:
            self.bough.open(CompareScreen(session, a, b))
        else:
            self.bough.show_notice(
                "This is on the active branch. Mark A and B, or go to another branch."
            )

    def do_fork(self) -> None:
        """Show what a fork from here would be."""
        from bough.tui.screens.travel import make_fork_screen  # noqa: PLC0415

        if self.uuid is not None:
            self.bough.open(make_fork_screen(self.path, self.uuid))

    def do_make_active(self) -> None:
        """Show what making this the active branch would do."""
        from bough.tui.screens.travel import make_goto_screen  # noqa: PLC0415

        if self.uuid is not None:
            self.bough.open(make_goto_screen(self.path, self.uuid))

    def do_rename(self) -> None:
        """Give the session another title."""
        from bough.tui.screens.plan_preview import make_rename_screen  # noqa: PLC0415

        self.bough.open(make_rename_screen(self.path, self.title_words))

    def do_raw(self) -> None:
        """Show the records behind the point."""
        from bough.tui.screens.raw import RawScreen  # noqa: PLC0415

        if self.graph is not None and self.uuid is not None:
            self.bough.open(RawScreen(self.graph.session, None, self.uuid))

    def do_copy_id(self) -> None:
        """Copy the id of the point."""
        if self.uuid is not None:
            self.bough.copy(self.uuid, "the id")
