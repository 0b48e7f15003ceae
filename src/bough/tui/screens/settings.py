"""Settings: what can be chosen here, and where everything lies."""

from collections.abc import Sequence
from functools import partial
from typing import ClassVar, Final

from msgspec import Struct

from bough.config import claude_dirs, index_path, settings_path
from bough.errors import BoughError
from bough.model.text.formats import format_size
from bough.terminal.style import Role, StyledLine
from bough.terminal.text import one_line, pad, wrap
from bough.tui.data import LibraryQueries
from bough.tui.override import override
from bough.tui.saved_state import state_path
from bough.tui.screens.base_screen import BaseScreen
from bough.tui.widgets.list_items import ListItem, draw_fixed, make_blank_item, make_line_item
from bough.tui.widgets.list_view import ListView

_LABEL: Final = 18
_VISIBILITY: Final = ("hidden", "shown")


class DataPaths(Struct, frozen=True):
    """Where everything lies."""

    folders: Sequence[str]
    index: str
    settings: str
    keys: str
    state: str


class SettingsScreen(BaseScreen):
    """A page of settings; Enter changes one, at once."""

    KEYS: ClassVar = ("down", "open", "theme", "search", "palette", "back", "help")
    TITLE = "Settings"

    def __init__(self) -> None:
        super().__init__()
        self.paths: DataPaths | None = None

    @override
    def begin(self) -> None:
        """List what can be chosen, then where things lie."""
        self._draw()
        self.query_one("#list", ListView).focus()
        self.run_in_thread(partial(find_data_paths, self.bough.source), self._show)

    @override
    def describe_keys(self) -> dict[str, str]:
        """Say what Enter does here."""
        return {"open": "change"}

    def _show(self, found: object) -> None:
        if isinstance(found, DataPaths):
            self.paths = found
            self._draw()

    def _draw(self) -> None:
        kept = self.bough.saved_state
        choices = (
            ("theme", "Theme", self.bough.mode),
            ("thinking", "Thinking", _VISIBILITY[kept.thinking]),
            ("wrap", "Long lines", "wrapped" if kept.wrap else "cut"),
            ("outline", "Outline pane", _VISIBILITY[kept.outline]),
            ("facts", "Facts pane", _VISIBILITY[kept.facts]),
            ("preview", "Preview pane", _VISIBILITY[kept.preview]),
            ("chart", "Usage", "chart" if kept.chart else "table"),
        )
        items = [make_line_item("choices", "Enter changes it", Role.HEADER)]
        items += [_make_choice_item(name, label, value) for name, label, value in choices]
        items += [make_blank_item("b"), make_line_item("where", "Where things are", Role.HEADER)]
        paths = self.paths
        if paths is not None:
            folders = [
                _make_path_item(f"folder/{n}", "Claude folder", f)
                for n, f in enumerate(paths.folders)
            ]
            items += [
                *folders,
                _make_path_item("index", "Index", paths.index),
                _make_path_item("file", "Settings", paths.settings),
                _make_path_item("keys", "Keys", paths.keys),
                _make_path_item("state", "What is kept", paths.state),
                _make_path_item("out", "Outside requests", "none, ever"),
            ]
        self.query_one("#list", ListView).show(items)

    def do_open(self) -> None:
        """Change what is under the cursor."""
        picked = self.query_one("#list", ListView).picked
        kept = self.bough.saved_state
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


def find_data_paths(source: LibraryQueries) -> DataPaths:
    """Find out where things lie; what cannot be found says why."""
    try:
        folders = source.dirs or [str(folder) for folder in claude_dirs()]
        index = index_path() if source.index is None else source.index
        bytes_ = index.stat().st_size if not isinstance(index, str) and index.exists() else 0
        words = f"{index}, {format_size(bytes_)}" if bytes_ else str(index)
    except (BoughError, OSError) as error:
        folders, words = [], str(error)
    config = settings_path()
    keys = config.with_name("keys.toml")
    return DataPaths(folders, words, str(config), str(keys), str(state_path()))


def _make_choice_item(name: str, label: str, value: str) -> ListItem:
    line: StyledLine = ((Role.CLAUDE, pad(label, _LABEL)), (Role.ACTIVE, value))
    return ListItem(name, draw_fixed([line]), "choice")


def _make_path_item(key: str, label: str, path: str) -> ListItem:
    def draw(columns: int) -> Sequence[StyledLine]:
        first, *rest = wrap(one_line(path), max(20, columns - _LABEL)) or [""]
        head: StyledLine = ((Role.CLAUDE, pad(label, _LABEL)), (Role.META, first))
        return [head, *(((Role.META, " " * _LABEL + line),) for line in rest)]

    return ListItem(f"place/{key}", draw, "place", picked=False)
