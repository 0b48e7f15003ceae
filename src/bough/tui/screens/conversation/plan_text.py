"""Plan: the text of a plan, as the client keeps it in a file of its own."""

from typing import ClassVar

from bough.backports import override
from bough.library import PlanFile
from bough.terminal.conversation.markdown import render_markdown
from bough.terminal.style import Role, StyledLine
from bough.terminal.text import one_line
from bough.tui.screens.base_screen import BaseScreen
from bough.tui.widgets.list_items import ListItem, draw_fixed, make_line_item
from bough.tui.widgets.list_view import ListView

_MEASURE = 96


class PlanTextScreen(BaseScreen):
    """One plan."""

    KEYS: ClassVar = ("down", "page-down", "copy-markdown", "copy-path", "back", "help")

    def __init__(self, title: str, plan: PlanFile) -> None:
        super().__init__()
        self.title_words = title
        self.plan = plan

    @override
    def list_breadcrumbs(self) -> list[str]:
        """Name the session and the plan."""
        return [self.title_words, one_line(self.plan.name)]

    @override
    def begin(self) -> None:
        """Set the plan in lines."""
        rows = self.query_one("#list", ListView)
        columns = min(_MEASURE, max(20, self.size.width - 4))
        lines: list[StyledLine] = [
            *render_markdown(self.plan.text, self.bough.glyphs, columns),
            (),
            ((Role.META, one_line(self.plan.path)),),
        ]
        items = [ListItem(str(n), draw_fixed([line]), "line") for n, line in enumerate(lines)]
        rows.show(items or [make_line_item("none", "The plan is empty.")])
        rows.focus()
        rows.go_to_start()

    # -- keys ---------------------------------------------------------------------------------

    def do_copy_markdown(self) -> None:
        """Copy the plan as it was written."""
        self.bough.copy(self.plan.text, "the plan")

    def do_copy_path(self) -> None:
        """Copy the path of the plan's file."""
        self.bough.copy(self.plan.path, "the path")
