"""Health: what is damaged, unknown or out of a resume's reach in a session."""

from typing import ClassVar

from bough.library import Session
from bough.tui.looks import Line, doctor_lines, spans_of, spans_styles
from bough.tui.overriding import override
from bough.tui.pieces import Piece, say
from bough.tui.place import Place
from bough.tui.reel import Reel
from bough.tui.source import open_whole


class HealthScreen(Place):
    """The findings of one session."""

    KEYS: ClassVar = ("down", "back", "help")

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path
        self.session: Session | None = None

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
        session = open_whole(self.path)
        _ = session.health
        return session

    def _show(self, found: object) -> None:
        if isinstance(found, Session):
            self.session = found
            self.say_where()
            self.query_one("#list", Reel).show([Piece("findings", self._lines, "findings")])

    def _lines(self, columns: int) -> list[Line]:
        if self.session is None:
            return []
        styles = spans_styles(self.bough.glyphs)
        return [spans_of(line) for line in doctor_lines(self.session, styles, columns)]
