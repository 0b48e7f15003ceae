"""What can be done from a point of the tree: compare, fork, travel, look at its records."""

from typing import TYPE_CHECKING, Protocol

from bough.model.outline.branch_path import find_conversation_through
from bough.records.blocks import Text
from bough.records.decode import message_of
from bough.records.record import Record
from bough.records.types import Assistant, User
from bough.tui.tree.graph import Graph, GraphPoint

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
    def point(self) -> GraphPoint | None:
        """Give what is under the cursor."""

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
        a, b = self._choose_points()
        if a is not None and b is not None and a != b:
            self.screen.bough.open(CompareScreen(graph.session, a, b))
        else:
            self.screen.bough.show_notice(
                "This is on the active branch. Mark A and B, or go to another branch."
            )

    def _choose_points(self) -> tuple[str | None, str | None]:
        """Choose what is compared: what is marked, else the branch from here and the active tip."""
        graph, here = self.screen.graph, self.screen.uuid
        if graph is None:
            return None, None
        session = graph.session
        a = self.marks.get("A")
        if a is None and here is not None:
            a = find_conversation_through(session, here).tip
        return a, self.marks.get("B") or session.active_tip

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

    def list_idle_keys(self) -> frozenset[str]:
        """Name the keys that would change or show nothing at the point under the cursor."""
        point = self.screen.point
        if self.screen.graph is None or point is None:
            return frozenset()
        a, b = self._choose_points()
        idle = {"compare"} if a is None or b is None or a == b else set()
        if point.turn.active and point.uuid in (None, point.turn.uuid, *point.turn.ends):
            idle.add("make-active")
        return frozenset(idle)

    def do_copy_id(self) -> None:
        """Copy the id of the point."""
        if self.screen.point_key is not None:
            self.screen.bough.copy(self.screen.point_key, "the id")

    def do_copy_resume(self) -> None:
        """Copy the command that resumes the session."""
        self.screen.bough.copy_resume_command(self.screen.path)

    def do_copy_path(self) -> None:
        """Copy the path of the session's file."""
        self.screen.bough.copy(self.screen.path, "the path")

    def do_copy_link(self) -> None:
        """Copy the command that shows this branch."""
        graph = self.screen.graph
        if graph is not None:
            tip = f" --tip {self.screen.uuid}" if self.screen.uuid else ""
            self.screen.bough.copy(f"bough show {graph.session.id}{tip}", "the link")

    def do_copy_markdown(self) -> None:
        """Copy the words of the message under the cursor, as they were written."""
        graph, point = self.screen.graph, self.screen.point
        if graph is None or point is None:
            return
        tree, uuid = graph.session.tree, self.screen.uuid
        record = tree.nodes[tree.number[uuid]] if uuid in tree.number else None
        words = _text_of(record) if record is not None else ""
        self.screen.bough.copy(words or point.turn.text, "as Markdown")


def _text_of(record: Record) -> str:
    """Give what a person or Claude wrote in a record."""
    if not isinstance(record, User | Assistant):
        return ""
    texts = (block.text for block in message_of(record).blocks if isinstance(block, Text))
    return "\n\n".join(text for text in texts if text)
