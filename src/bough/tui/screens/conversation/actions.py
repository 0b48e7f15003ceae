"""From a conversation elsewhere: its tree, its records, copies, the pager, the editor."""

import os
import shlex
import subprocess
from collections.abc import Sequence
from functools import partial
from typing import Final

from bough.terminal.style import text_of
from bough.tui.conversation.view import ItemSource
from bough.tui.screens.conversation.find import FindInConversation
from bough.tui.widgets.list_items import ListItem

_PAGE: Final = 100
"""A pager gets lines of at most so many columns."""


class ConversationActions(FindInConversation):
    """A conversation that can be left for something about it."""

    whole = False
    """Whether all of the session was read, not only the part that is seen."""

    @property
    def is_fresh(self) -> bool:
        """Tell whether nothing was written since all of it was read."""
        return True

    def do_tree(self) -> None:
        """Draw the session."""
        from bough.tui.screens.tree import TreeScreen  # noqa: PLC0415

        at = self.message.uuid if self.message is not None else None
        known = self.content if self.whole and self.is_fresh else None
        self.bough.open(TreeScreen(self.path, at=at, content=known))

    def do_raw(self) -> None:
        """Show the records behind the message under the cursor."""
        from bough.tui.screens.raw import RawScreen  # noqa: PLC0415

        picked = self.reader.picked
        if (
            picked is not None
            and isinstance(picked.about, ItemSource)
            and picked.about.session is not None
        ):
            self.bough.open(RawScreen(picked.about.session, picked.about))

    def do_health(self) -> None:
        """Say what is wrong with the session."""
        from bough.tui.screens.health import HealthScreen  # noqa: PLC0415

        self.bough.open(HealthScreen(self.path))

    def do_fork(self) -> None:
        """Show what a fork from here would be."""
        from bough.tui.screens.travel import make_fork_screen  # noqa: PLC0415

        if self.message is not None and self.message.uuid is not None:
            self.bough.open(make_fork_screen(self.path, self.message.uuid))

    def do_make_active(self) -> None:
        """Show what making this the active branch would do."""
        from bough.tui.screens.travel import make_goto_screen  # noqa: PLC0415

        if self.message is not None and self.message.uuid is not None:
            self.bough.open(make_goto_screen(self.path, self.message.uuid))

    def do_rename(self) -> None:
        """Give the session another title."""
        from bough.tui.screens.plan_preview import make_rename_screen  # noqa: PLC0415

        title = self.content.session.title if self.content is not None else ""
        self.bough.open(make_rename_screen(self.path, title))

    def do_export(self) -> None:
        """Show what an export of this branch would be."""
        from bough.tui.screens.export import ExportScreen  # noqa: PLC0415

        if self.content is None or not self.whole:
            self.bough.show_notice("The session is still being read. Try again in a moment.")
            return
        self.bough.open(ExportScreen(self.content.session, self.content.conversation.tip))

    def do_copy_resume(self) -> None:
        """Copy the command that resumes the session."""
        self.bough.copy(f"claude --resume {self.session_id}", "the resume command")

    def do_copy_id(self) -> None:
        """Copy the id of the message under the cursor, else of the session."""
        uuid = self.message.uuid if self.message is not None else None
        self.bough.copy(uuid or self.session_id, "the id")

    def do_copy_path(self) -> None:
        """Copy the path of the session's file."""
        self.bough.copy(self.path, "the path")

    def do_copy_link(self) -> None:
        """Copy the command that shows this message."""
        tip = (
            f" --tip {self.message.uuid}" if self.message is not None and self.message.uuid else ""
        )
        self.bough.copy(f"bough show {self.session_id}{tip}", "the link")

    def do_copy_markdown(self) -> None:
        """Copy the words of the message under the cursor, as they were written."""
        if self.message is not None:
            self.bough.copy(self.message.text, "as Markdown")

    def do_view(self) -> None:
        """Read the conversation in the pager."""
        pieces = list(self.reader.pieces)
        columns = min(_PAGE, max(20, self.reader.size.width - 2))
        self.run_in_thread(
            partial(_render_text, pieces, columns), self._show_in_pager, group="pager"
        )

    def _show_in_pager(self, found: object) -> None:
        self._run_program(_find_program("BOUGH_PAGER", "PAGER", otherwise="less"), str(found))

    def do_editor(self) -> None:
        """Open the session's file in the editor."""
        self._run_program([*_find_program("VISUAL", "EDITOR", otherwise="vi"), self.path])

    def _run_program(self, command: list[str], text: str | None = None) -> None:
        try:
            with self.bough.suspend():
                # The person's own program.
                subprocess.run(command, check=False, input=text, text=True)  # noqa: S603
        except OSError as error:
            self.bough.show_notice(
                f"Cannot start {command[0]}: {error.strerror}.", severity="error"
            )


def _find_program(*names: str, otherwise: str) -> list[str]:
    """Name the program that the environment asks for, with its options."""
    wanted = next((value for name in names if (value := os.environ.get(name))), otherwise)
    try:
        return shlex.split(wanted) or [otherwise]
    except ValueError:  # a quote that does not end
        return [wanted]


def _render_text(pieces: Sequence[ListItem], columns: int) -> str:
    """Set all pieces in lines; a large conversation takes a while."""
    return "\n".join(text_of(line) for piece in pieces for line in piece.draw(columns))
