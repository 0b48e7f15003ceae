"""Health: what is damaged, unknown or out of a resume's reach in a session."""

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from bough.library import Session, read_session
from bough.tui.override import override
from bough.tui.screens.base_screen import Place
from bough.tui.style.style import Line, doctor_lines, spans_of, spans_styles
from bough.tui.widgets.list_items import Piece, say
from bough.tui.widgets.list_view import Reel


class HealthScreen(Place):
    """The findings of one session."""

    KEYS: ClassVar = ("down", "open", "tree", "copy-path", "search", "back", "help")

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path
        self.session: Session | None = None
        self._drawn: tuple[int, Sequence[Line]] = (0, ())

    @override
    def where(self) -> list[str]:
        """Name the session."""
        return [self.session.title if self.session is not None else "", "Health"]

    @override
    def begin(self) -> None:
        """Read the session and look for damage."""
        self.query_one("#list", Reel).focus()
        self.query_one("#list", Reel).show([say("looking", "Looking…")])
        self.ask(self._examine, self._show)

    def _examine(self) -> Session:
        session = read_session(self.path)
        _ = session.health
        return session

    def _show(self, found: object) -> None:
        if isinstance(found, Session):
            self.session = found
            self.say_where()
            reel = self.query_one("#list", Reel)
            number = len(self._lines(max(40, reel.size.width - 2)))
            pieces = [Piece(f"line/{at}", partial(self._line, at), "line") for at in range(number)]
            reel.show(pieces)
            reel.to_start()

    def _line(self, number: int, columns: int) -> Sequence[Line]:
        lines = self._lines(columns)
        return [lines[number]] if number < len(lines) else []

    def _lines(self, columns: int) -> Sequence[Line]:
        """Write the findings, once for each width."""
        if self.session is not None and self._drawn[0] != columns:
            styles = spans_styles(self.bough.glyphs)
            lines = [spans_of(line) for line in doctor_lines(self.session, styles, columns)]
            self._drawn = (columns, lines)
        return self._drawn[1]

    # -- keys ---------------------------------------------------------------------------------

    def do_open(self) -> None:
        """Read the session."""
        from bough.tui.screens.conversation.screen import Conversation  # noqa: PLC0415

        self.bough.open(Conversation(self.path))

    def do_tree(self) -> None:
        """Draw the session."""
        from bough.tui.screens.tree import Tree  # noqa: PLC0415

        self.bough.open(Tree(self.path))

    def do_copy_path(self) -> None:
        """Copy the path of the session's file."""
        self.bough.copy(self.path, "the path")
