"""Dropped: what a compaction took away from Claude, prompt by prompt, and the files."""

from typing import ClassVar

from bough.backports import override
from bough.model.outline.branch_path import describe_compaction, find_dropped_turns
from bough.model.outline.session_outline import Compaction
from bough.model.outline.turns import Turn
from bough.model.recall.dropped_parts import list_dropped_files
from bough.model.text.formats import format_plural
from bough.model.tools.call_summary import shorten_path
from bough.terminal.style import Role, StyledLine
from bough.terminal.text import one_line
from bough.tui.conversation.view import ConversationContent
from bough.tui.screens.base_screen import BaseScreen
from bough.tui.widgets.list_items import ListItem, draw_fixed, make_blank_item, make_line_item
from bough.tui.widgets.list_view import ListView


class DroppedScreen(BaseScreen):
    """The turns between a compaction and the one before it."""

    KEYS: ClassVar = ("down", "open", "back", "help")

    def __init__(self, content: ConversationContent, compaction: Compaction) -> None:
        super().__init__()
        self.content = content
        self.compaction = compaction

    @override
    def list_breadcrumbs(self) -> list[str]:
        """Say what this is."""
        return [self.content.session.title, "What was dropped"]

    @override
    def begin(self) -> None:
        """List the turns."""
        asked = find_dropped_turns(self.compaction, self.content.items)
        turns = "this turn" if len(asked) == 1 else f"these {format_plural(len(asked), 'turn')}"
        glyphs = self.content.glyphs
        items = [
            make_line_item(
                "head", describe_compaction(self.compaction, glyphs.arrow), Role.COMPACTION
            ),
            make_line_item(
                "sub",
                f"Claude knows {turns} only from the summary.",
            ),
            make_blank_item("b"),
        ]
        for number, one in enumerate(asked):
            time = self.content.context.canvas.time(one.timestamp)
            line: StyledLine = (
                (Role.COMPACTION, f"{glyphs.other} "),
                (Role.META, f"{time}  "),
                (Role.CLAUDE, one_line(one.text)),
                (Role.META, f"  {format_plural(one.steps, 'step')}"),
            )
            items.append(ListItem(f"d/{number}", draw_fixed([line]), "prompt", one))
        files = list_dropped_files(self.content.conversation, self.compaction.uuid)
        if files:
            words = f"It changed {format_plural(len(files), 'file')} in them."
            items += [make_blank_item("f"), make_line_item("files", words)]
        cwd = self.content.session.cwd
        items += [
            make_line_item(f"f/{number}", f"  {one_line(shorten_path(path, cwd=cwd))}", Role.CLAUDE)
            for number, path in enumerate(files)
        ]
        rows = self.query_one("#list", ListView)
        rows.show(items)
        rows.focus()

    def do_open(self) -> None:
        """Go to the turn in the conversation."""
        picked = self.query_one("#list", ListView).picked
        if picked is None or not isinstance(picked.about, Turn):
            return
        uuid = picked.about.uuid
        self.bough.back()
        screen = self.bough.current_screen
        shown = screen.list_view if screen is not None else None
        if shown is not None and uuid is not None:
            shown.go_to_key(f"{self.content.scope}{uuid}")
