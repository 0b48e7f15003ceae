"""Settings: what can be chosen here, and where everything lies."""

from collections.abc import Sequence
from functools import partial
from typing import ClassVar, Final

from msgspec import Struct

from bough.config import claude_dirs, index_path, settings_path
from bough.errors import BoughError
from bough.tui.data import Source
from bough.tui.override import override
from bough.tui.saved_state import state_path
from bough.tui.screens.base_screen import Place
from bough.tui.style.style import Line, Role, one_line, pad, size, wrap
from bough.tui.widgets.list_items import Piece, blank, say, still
from bough.tui.widgets.list_view import Reel

_LABEL: Final = 18
_SHOWN: Final = ("hidden", "shown")


class Places(Struct, frozen=True):
    """Where everything lies."""

    folders: Sequence[str]
    index: str
    settings: str
    keys: str
    state: str


class Settings(Place):
    """A page of settings; Enter changes one, at once."""

    KEYS: ClassVar = ("down", "open", "theme", "search", "palette", "back", "help")
    TITLE = "Settings"

    def __init__(self) -> None:
        super().__init__()
        self.places: Places | None = None

    @override
    def begin(self) -> None:
        """List what can be chosen, then where things lie."""
        self._draw()
        self.query_one("#list", Reel).focus()
        self.ask(partial(find_places, self.bough.source), self._show)

    @override
    def words_now(self) -> dict[str, str]:
        """Say what Enter does here."""
        return {"open": "change"}

    def _show(self, found: object) -> None:
        if isinstance(found, Places):
            self.places = found
            self._draw()

    def _draw(self) -> None:
        kept = self.bough.kept
        choices = (
            ("theme", "Theme", self.bough.mode),
            ("thinking", "Thinking", _SHOWN[kept.thinking]),
            ("wrap", "Long lines", "wrapped" if kept.wrap else "cut"),
            ("outline", "Outline pane", _SHOWN[kept.outline]),
            ("facts", "Facts pane", _SHOWN[kept.facts]),
            ("preview", "Preview pane", _SHOWN[kept.preview]),
            ("chart", "Usage", "chart" if kept.chart else "table"),
        )
        pieces = [say("choices", "Enter changes it", Role.HEADER)]
        pieces += [_row(name, label, value) for name, label, value in choices]
        pieces += [blank("b"), say("where", "Where things are", Role.HEADER)]
        places = self.places
        if places is not None:
            folders = [
                _place(f"folder/{n}", "Claude folder", f) for n, f in enumerate(places.folders)
            ]
            pieces += [
                *folders,
                _place("index", "Index", places.index),
                _place("file", "Settings", places.settings),
                _place("keys", "Keys", places.keys),
                _place("state", "What is kept", places.state),
                _place("out", "Outside requests", "none, ever"),
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
        elif isinstance(getattr(kept, picked.key, None), bool):
            setattr(kept, picked.key, not getattr(kept, picked.key))
        self._draw()

    def do_toggle(self) -> None:
        """Change what is under the cursor."""
        self.do_open()


def find_places(source: Source) -> Places:
    """Find out where things lie; what cannot be found says why."""
    try:
        folders = source.dirs or [str(place) for place in claude_dirs()]
        index = index_path() if source.index is None else source.index
        bytes_ = index.stat().st_size if not isinstance(index, str) and index.exists() else 0
        words = f"{index}, {size(bytes_)}" if bytes_ else str(index)
    except (BoughError, OSError) as error:
        folders, words = [], str(error)
    config = settings_path()
    keys = config.with_name("keys.toml")
    return Places(folders, words, str(config), str(keys), str(state_path()))


def _row(name: str, label: str, value: str) -> Piece:
    line: Line = ((Role.CLAUDE, pad(label, _LABEL)), (Role.ACTIVE, value))
    return Piece(name, still([line]), "choice")


def _place(key: str, label: str, place: str) -> Piece:
    def draw(columns: int) -> Sequence[Line]:
        first, *rest = wrap(one_line(place), max(20, columns - _LABEL)) or [""]
        head: Line = ((Role.CLAUDE, pad(label, _LABEL)), (Role.META, first))
        return [head, *(((Role.META, " " * _LABEL + line),) for line in rest)]

    return Piece(f"place/{key}", draw, "place", picked=False)
