"""What leads away from a conversation: its tree, its records, copies, the pager, the editor."""

import os
import shlex
import subprocess
from collections.abc import Sequence
from functools import partial
from typing import Final, Protocol

from bough.terminal.style import text_of
from bough.tui.conversation.view import ItemSource
from bough.tui.screens.conversation.host import ConversationHost
from bough.tui.widgets.list_items import ListItem

_PAGE: Final = 100
"""A pager gets lines of at most so many columns."""


class ActionsHost(ConversationHost, Protocol):
    """A screen with a conversation, which may have been written to since it was read."""

    @property
    def is_fresh(self) -> bool:
        """Tell whether nothing was written since all of it was read."""


class ConversationActions:
    """What can be done with a session, or with the message under the cursor."""

    def __init__(self, screen: ActionsHost) -> None:
        self.screen = screen

    def do_tree(self) -> None:
        """Draw the session."""
        from bough.tui.screens.tree import TreeScreen  # noqa: PLC0415

        at = self.screen.message.uuid if self.screen.message is not None else None
        known = self.screen.content if self.screen.whole and self.screen.is_fresh else None
        self.screen.bough.open(TreeScreen(self.screen.path, at=at, content=known))

    def do_raw(self) -> None:
        """Show the records behind the message under the cursor."""
        from bough.tui.screens.raw import RawScreen  # noqa: PLC0415

        picked = self.screen.reader.picked
        if (
            picked is not None
            and isinstance(picked.about, ItemSource)
            and picked.about.session is not None
        ):
            self.screen.bough.open(RawScreen(picked.about.session, picked.about))

    def do_health(self) -> None:
        """Say what is wrong with the session."""
        from bough.tui.screens.health import HealthScreen  # noqa: PLC0415

        self.screen.bough.open(HealthScreen(self.screen.path))

    def do_fork(self) -> None:
        """Show what a fork from here would be."""
        from bough.tui.screens.travel import make_fork_screen  # noqa: PLC0415

        if self.screen.message is not None and self.screen.message.uuid is not None:
            self.screen.bough.open(make_fork_screen(self.screen.path, self.screen.message.uuid))

    def do_make_active(self) -> None:
        """Show what making this the active branch would do."""
        from bough.tui.screens.travel import make_goto_screen  # noqa: PLC0415

        if self.screen.message is not None and self.screen.message.uuid is not None:
            self.screen.bough.open(make_goto_screen(self.screen.path, self.screen.message.uuid))

    def do_rename(self) -> None:
        """Give the session another title."""
        from bough.tui.screens.plan_preview import make_rename_screen  # noqa: PLC0415

        title = self.screen.content.session.title if self.screen.content is not None else ""
        self.screen.bough.open(make_rename_screen(self.screen.path, title))

    def do_export(self) -> None:
        """Show what an export of this branch would be."""
        from bough.tui.screens.export import ExportScreen  # noqa: PLC0415

        if self.screen.content is None or not self.screen.whole:
            self.screen.bough.show_notice("The session is still being read. Try again in a moment.")
            return
        self.screen.bough.open(
            ExportScreen(self.screen.content.session, self.screen.content.conversation.tip)
        )

    def do_copy_resume(self) -> None:
        """Copy the command that resumes the session."""
        self.screen.bough.copy_resume_command(self.screen.path)

    def do_copy_id(self) -> None:
        """Copy the id of the message under the cursor, else of the session."""
        uuid = self.screen.message.uuid if self.screen.message is not None else None
        self.screen.bough.copy(uuid or self.screen.session_id, "the id")

    def do_copy_path(self) -> None:
        """Copy the path of the session's file."""
        self.screen.bough.copy(self.screen.path, "the path")

    def do_copy_link(self) -> None:
        """Copy the command that shows this message."""
        tip = (
            f" --tip {self.screen.message.uuid}"
            if self.screen.message is not None and self.screen.message.uuid
            else ""
        )
        self.screen.bough.copy(f"bough show {self.screen.session_id}{tip}", "the link")

    def do_copy_markdown(self) -> None:
        """Copy the words of the message under the cursor, as they were written."""
        if self.screen.message is not None:
            self.screen.bough.copy(self.screen.message.text, "as Markdown")

    def do_view(self) -> None:
        """Read the conversation in the pager."""
        items = list(self.screen.reader.pieces)
        columns = min(_PAGE, max(20, self.screen.reader.size.width - 2))
        self.screen.run_in_thread(
            partial(_render_text, items, columns), self._show_in_pager, group="pager"
        )

    def _show_in_pager(self, found: object) -> None:
        self._run_program(_find_program("BOUGH_PAGER", "PAGER", otherwise="less"), str(found))

    def do_editor(self) -> None:
        """Open the session's file in the editor."""
        self._run_program([*_find_program("VISUAL", "EDITOR", otherwise="vi"), self.screen.path])

    def _run_program(self, command: list[str], text: str | None = None) -> None:
        try:
            with self.screen.bough.suspend():
                # The person's own program.
                subprocess.run(command, check=False, input=text, text=True)  # noqa: S603
        except OSError as error:
            self.screen.bough.show_notice(
                f"Cannot start {command[0]}: {error.strerror}.", severity="error"
            )


def _find_program(*names: str, otherwise: str) -> list[str]:
    """Name the program that the environment asks for, with its options."""
    wanted = next((value for name in names if (value := os.environ.get(name))), otherwise)
    try:
        return shlex.split(wanted) or [otherwise]
    except ValueError:  # a quote that does not end
        return [wanted]


def _render_text(items: Sequence[ListItem], columns: int) -> str:
    """Set all items in lines; a large conversation takes a while."""
    return "\n".join(text_of(line) for item in items for line in item.draw(columns))
