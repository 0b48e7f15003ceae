"""From a conversation elsewhere: its tree, its records, copies, the pager, the editor."""

import os
import shlex
import subprocess
from collections.abc import Sequence
from functools import partial
from typing import Final

from bough.tui.conversation.view import About
from bough.tui.screens.conversation.find import Seeking
from bough.tui.style.style import text_of
from bough.tui.widgets.list_items import Piece

_PAGE: Final = 100
"""A pager gets lines of at most so many columns."""


class Elsewhere(Seeking):
    """A conversation that can be left for something about it."""

    whole = False
    """Whether all of the session was read, not only the part that is seen."""

    @property
    def fresh(self) -> bool:
        """Tell whether nothing was written since all of it was read."""
        return True

    def do_tree(self) -> None:
        """Draw the session."""
        from bough.tui.screens.tree import Tree  # noqa: PLC0415

        at = self.turn.uuid if self.turn is not None else None
        known = self.telling if self.whole and self.fresh else None
        self.bough.open(Tree(self.path, at=at, telling=known))

    def do_raw(self) -> None:
        """Show the records behind the turn under the cursor."""
        from bough.tui.screens.raw import Raw  # noqa: PLC0415

        picked = self.reader.picked
        if (
            picked is not None
            and isinstance(picked.about, About)
            and picked.about.session is not None
        ):
            self.bough.open(Raw(picked.about.session, picked.about))

    def do_health(self) -> None:
        """Say what is wrong with the session."""
        from bough.tui.screens.health import HealthScreen  # noqa: PLC0415

        self.bough.open(HealthScreen(self.path))

    def do_fork(self) -> None:
        """Show what a fork from here would be."""
        from bough.tui.screens.travel import fork_preview  # noqa: PLC0415

        if self.turn is not None and self.turn.uuid is not None:
            self.bough.open(fork_preview(self.path, self.turn.uuid))

    def do_make_active(self) -> None:
        """Show what making this the active branch would do."""
        from bough.tui.screens.travel import goto_preview  # noqa: PLC0415

        if self.turn is not None and self.turn.uuid is not None:
            self.bough.open(goto_preview(self.path, self.turn.uuid))

    def do_rename(self) -> None:
        """Give the session another title."""
        from bough.tui.screens.plan_preview import rename_preview  # noqa: PLC0415

        title = self.telling.session.title if self.telling is not None else ""
        self.bough.open(rename_preview(self.path, title))

    def do_export(self) -> None:
        """Show what an export of this branch would be."""
        from bough.tui.screens.export import Exporting  # noqa: PLC0415

        if self.telling is None or not self.whole:
            self.bough.tell("The session is still being read. Try again in a moment.")
            return
        self.bough.open(Exporting(self.telling.session, self.telling.conversation.tip))

    def do_copy_resume(self) -> None:
        """Copy the command that resumes the session."""
        self.bough.copy(f"claude --resume {self.session_id}", "the resume command")

    def do_copy_id(self) -> None:
        """Copy the id of the message under the cursor, else of the session."""
        uuid = self.turn.uuid if self.turn is not None else None
        self.bough.copy(uuid or self.session_id, "the id")

    def do_copy_path(self) -> None:
        """Copy the path of the session's file."""
        self.bough.copy(self.path, "the path")

    def do_copy_link(self) -> None:
        """Copy the command that shows this message."""
        tip = f" --tip {self.turn.uuid}" if self.turn is not None and self.turn.uuid else ""
        self.bough.copy(f"bough show {self.session_id}{tip}", "the link")

    def do_copy_markdown(self) -> None:
        """Copy the words of the turn under the cursor, as they were written."""
        if self.turn is not None:
            self.bough.copy(self.turn.text, "as Markdown")

    def do_view(self) -> None:
        """Read the conversation in the pager."""
        pieces = list(self.reader.pieces)
        columns = min(_PAGE, max(20, self.reader.size.width - 2))
        self.ask(partial(_as_text, pieces, columns), self._page, group="pager")

    def _page(self, found: object) -> None:
        self._run(_program("BOUGH_PAGER", "PAGER", otherwise="less"), str(found))

    def do_editor(self) -> None:
        """Open the session's file in the editor."""
        self._run([*_program("VISUAL", "EDITOR", otherwise="vi"), self.path])

    def _run(self, command: list[str], text: str | None = None) -> None:
        try:
            with self.bough.suspend():
                # The person's own program.
                subprocess.run(command, check=False, input=text, text=True)  # noqa: S603
        except OSError as error:
            self.bough.tell(f"Cannot start {command[0]}: {error.strerror}.", severity="error")


def _program(*names: str, otherwise: str) -> list[str]:
    """Name the program that the environment asks for, with its options."""
    wanted = next((value for name in names if (value := os.environ.get(name))), otherwise)
    try:
        return shlex.split(wanted) or [otherwise]
    except ValueError:  # a quote that does not end
        return [wanted]


def _as_text(pieces: Sequence[Piece], columns: int) -> str:
    """Set all pieces in lines; a large conversation takes a while."""
    return "\n".join(text_of(line) for piece in pieces for line in piece.draw(columns))
