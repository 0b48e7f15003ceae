"""Settings: what can be chosen here, and where everything lies."""

from typing import ClassVar

from bough.config import claude_dirs, index_path, settings_path
from bough.errors import BoughError
from bough.tui.looks import Line, Role, pad
from bough.tui.overriding import override
from bough.tui.pieces import Piece, blank, say, still
from bough.tui.place import Place
from bough.tui.reel import Reel
from bough.tui.state import state_path


class Settings(Place):
    """A page of settings; Enter changes one, at once."""

    KEYS: ClassVar = ("down", "open", "back", "help")
    TITLE = "Settings"

    @override
    def begin(self) -> None:
        """List what can be chosen."""
        self._draw()
        self.query_one("#list", Reel).focus()

    def _draw(self) -> None:
        kept = self.bough.kept
        choices = (
            ("theme", "Theme", self.bough.mode),
            ("thinking", "Thinking", "shown" if kept.thinking else "hidden"),
            ("outline", "Outline pane", "shown" if kept.outline else "hidden"),
            ("facts", "Facts pane", "shown" if kept.facts else "hidden"),
            ("chart", "Usage", "chart" if kept.chart else "table"),
        )
        pieces = [_row(name, label, value) for name, label, value in choices]
        try:
            index = str(index_path())
            folders = ", ".join(self.bough.source.dirs or [str(place) for place in claude_dirs()])
        except BoughError as error:
            index, folders = error.message, ""
        pieces += [
            blank("b"),
            say("folders", f"{pad('Claude folders', 16)}{folders}"),
            say("index", f"{pad('Index', 16)}{self.bough.source.index or index}"),
            say("file", f"{pad('Settings', 16)}{settings_path()}"),
            say("keys", f"{pad('Keys', 16)}{settings_path().with_name('keys.toml')}"),
            say("state", f"{pad('State', 16)}{state_path()}"),
            say("out", f"{pad('Privacy', 16)}0 outside requests, ever"),
        ]
        self.query_one("#list", Reel).show(pieces)

    def do_open(self) -> None:
        """Change what is under the cursor."""
        picked = self.query_one("#list", Reel).picked
        kept = self.bough.kept
        if picked is None:
            return
        if picked.key == "theme":
            self.bough.do_theme()
        elif hasattr(kept, picked.key):
            setattr(kept, picked.key, not getattr(kept, picked.key))
        self._draw()


def _row(name: str, label: str, value: str) -> Piece:
    line: Line = ((Role.CLAUDE, pad(label, 16)), (Role.ACTIVE, value))
    return Piece(name, still([line]), "choice")
