"""Health: what is damaged, unknown or out of a resume's reach in a session."""

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from bough.backports import override
from bough.library import Session, read_session
from bough.terminal.reports.health import render_health
from bough.terminal.style import StyledLine
from bough.tui.screens.base_screen import BaseScreen
from bough.tui.widgets.list_items import ListItem, make_line_item
from bough.tui.widgets.list_view import ListView


class HealthScreen(BaseScreen):
    """The findings of one session."""

    KEYS: ClassVar = ("down", "open", "tree", "copy-path", "search", "back", "help")

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path
        self.session: Session | None = None
        self._findings_layout: tuple[int, Sequence[StyledLine]] = (0, ())

    @override
    def list_breadcrumbs(self) -> list[str]:
        """Name the session."""
        return [self.session.title if self.session is not None else "", "Health"]

    @override
    def begin(self) -> None:
        """Read the session and look for damage."""
        self.query_one("#list", ListView).focus()
        self.query_one("#list", ListView).show([make_line_item("looking", "Looking…")])
        self.run_in_thread(self._examine, self._show)

    def _examine(self) -> Session:
        session = read_session(self.path)
        _ = session.health
        return session

    def _show(self, found: object) -> None:
        if isinstance(found, Session):
            self.session = found
            self.show_breadcrumbs()
            rows = self.query_one("#list", ListView)
            number = len(self._layout_findings(max(40, rows.size.width - 2)))
            items = [
                ListItem(f"line/{at}", partial(self._draw_finding_line, at), "line")
                for at in range(number)
            ]
            rows.show(items)
            rows.go_to_start()

    def _draw_finding_line(self, number: int, columns: int) -> Sequence[StyledLine]:
        lines = self._layout_findings(columns)
        return [lines[number]] if number < len(lines) else []

    def _layout_findings(self, columns: int) -> Sequence[StyledLine]:
        """Write the findings, once for each width."""
        if self.session is not None and self._findings_layout[0] != columns:
            styles = self.bough.glyphs
            lines = render_health(self.session, styles, columns)
            self._findings_layout = (columns, lines)
        return self._findings_layout[1]

    # -- keys ---------------------------------------------------------------------------------

    def do_open(self) -> None:
        """Read the session."""
        from bough.tui.screens.conversation.screen import ConversationScreen  # noqa: PLC0415

        self.bough.open(ConversationScreen(self.path))

    def do_tree(self) -> None:
        """Draw the session."""
        from bough.tui.screens.tree import TreeScreen  # noqa: PLC0415

        self.bough.open(TreeScreen(self.path))

    def do_copy_path(self) -> None:
        """Copy the path of the session's file."""
        self.bough.copy(self.path, "the path")
