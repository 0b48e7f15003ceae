"""Settings: what can be chosen, in both apps and in this one, and where everything lies.

What holds in both apps goes to `settings.json`. What `config.toml` sets is shown as set there.
"""

from collections.abc import Sequence
from functools import partial
from typing import ClassVar, Final

from msgspec import Struct
from textual.app import ComposeResult
from textual.widgets import Input

from bough.backports import override
from bough.config import app_settings_path, claude_dirs, index_path, settings_path
from bough.errors import BoughError
from bough.library import (
    Project,
    Setting,
    change_prices,
    change_setting,
    list_settings,
    list_settings_warnings,
)
from bough.model.text.formats import ENGLISH, TimeFormat, format_plural, format_size
from bough.terminal import clock
from bough.terminal.style import Role, StyledLine
from bough.terminal.text import fit, one_line, pad, wrap
from bough.tui.content.price_rows import NEW_PRICE, PriceRow, list_price_rows, read_price
from bough.tui.data import HomeData, LibraryQueries
from bough.tui.saved_state import state_path
from bough.tui.screens.annotations.annotation_actions import AnnotationSubject, toggle_hidden
from bough.tui.screens.base_screen import BaseScreen
from bough.tui.widgets.list_items import ListItem, draw_fixed, make_blank_item, make_line_item
from bough.tui.widgets.list_view import ListView

_LABEL: Final = 22
_VISIBILITY: Final = ("hidden", "shown")
_TYPED: Final = {
    "number": "A number; nothing takes it back",
    "zone": "A time zone, such as Europe/Prague; nothing takes it back",
    "folder": "A folder by its full path; nothing takes it back",
    "folders": "Claude folders with commas between them; nothing takes them back",
}


_PRICE_FORM: Final = "INPUT OUTPUT in USD per million tokens, as 3 15"
_NEW_FORM: Final = "MODEL INPUT OUTPUT in USD per million tokens, as claude-lab-9 3 15"


class DataPaths(Struct, frozen=True):
    """Where everything lies."""

    folders: Sequence[str]
    index: str
    settings: str
    choices: str
    keys: str
    state: str


class SettingList(Struct, frozen=True):
    """The settings of both apps, what is wrong with them, and how times are written then."""

    rows: Sequence[Setting]
    warnings: Sequence[str]
    words: TimeFormat


class SettingsScreen(BaseScreen):
    """A page of settings; Enter changes one, at once, or asks for what is typed."""

    KEYS: ClassVar = ("down", "open", "theme", "search", "palette", "back", "help")
    TITLE = "Settings"

    def __init__(self) -> None:
        super().__init__()
        self.paths: DataPaths | None = None
        self.shared: SettingList | None = None
        self.projects: Sequence[Project] = ()
        self._typed: Setting | PriceRow | None = None

    @override
    def body(self) -> ComposeResult:
        """Set the box for what is typed above the list."""
        yield Input(id="box", classes="hidden")
        yield ListView(id="list")

    @override
    def begin(self) -> None:
        """List what can be chosen, then where things lie."""
        self.query_one("#list", ListView).focus()
        self.run_in_thread(load_shared_settings, self._show_shared, group="shared")
        self.run_in_thread(partial(find_data_paths, self.bough.source), self._show)
        self.run_in_thread(self.bough.source.load_projects, self._show_projects, group="projects")

    @override
    def describe_keys(self) -> dict[str, str]:
        """Say what Enter does here."""
        picked = self.query_one("#list", ListView).picked
        if self._typed is None and picked is not None and picked.kind == "hidden":
            return {"open": "show again"}
        return {"open": "change" if self._typed is None else "keep"}

    def _show(self, found: object) -> None:
        if isinstance(found, DataPaths):
            self.paths = found
            if self.shared is not None:
                self.draw()

    def _show_projects(self, found: object) -> None:
        if isinstance(found, HomeData):
            self.projects = found.projects
            self.bough.annotations = found.annotations
            if self.shared is not None:
                self.draw()

    def _show_shared(self, found: object) -> None:
        if not isinstance(found, SettingList):
            return
        is_change = self.shared is not None
        self.shared = found
        self.bough.time_words = found.words
        theme = next((row for row in found.rows if row.name == "theme"), None)
        if is_change and theme is not None and self.bough.mode != "plain":
            mode = self.bough.system_mode if theme.value == "system" else theme.value
            if mode != self.bough.mode:
                self.bough.show_theme("light" if mode == "light" else "dark")
        self.draw()

    def _build_shared_items(self) -> list[ListItem]:
        if self.shared is None:
            return []
        items = [
            make_line_item(f"warning/{number}", one_line(words), Role.ERROR)
            for number, words in enumerate(self.shared.warnings)
        ]
        section = ""
        for row in self.shared.rows:
            if row.section != section:
                section = row.section
                items.append(make_line_item(f"section/{section}", section, Role.HEADER))
            items.append(_make_setting_item(row))
            if row.kind == "prices":
                items += [_make_price_item(price) for price in list_price_rows(row)]
        return [*items, make_blank_item("shared")]

    def _build_hidden_items(self) -> list[ListItem]:
        known = self.bough.annotations
        hidden = [one for one in self.projects if known.find("project", one.id).hidden]
        items = [make_line_item("hidden", "Hidden projects", Role.HEADER)]
        items += [_make_hidden_item(one) for one in hidden]
        if not hidden:
            items.append(make_line_item("hidden/none", "None. Z on Home hides a project."))
        return [*items, make_blank_item("hidden.")]

    def draw(self) -> None:
        """Show everything as it is now."""
        kept = self.bough.saved_state
        choices = (
            ("thinking", "Thinking", _VISIBILITY[kept.thinking]),
            ("wrap", "Long lines", "wrapped" if kept.wrap else "cut"),
            ("outline", "Outline pane", _VISIBILITY[kept.outline]),
            ("facts", "Facts pane", _VISIBILITY[kept.facts]),
            ("preview", "Preview pane", _VISIBILITY[kept.preview]),
            ("chart", "Usage", "chart" if kept.chart else "table"),
        )
        items = [*self._build_shared_items(), *self._build_hidden_items()]
        items.append(make_line_item("choices", "In this app", Role.HEADER))
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
                _make_path_item("chosen", "Chosen in the apps", paths.choices),
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
        if isinstance(picked.about, Setting):
            self._change(picked.about)
            return
        if isinstance(picked.about, PriceRow):
            self._change_price(picked.about)
            return
        if isinstance(picked.about, Project):
            name = picked.about.name
            toggle_hidden(self, AnnotationSubject("project", picked.about.id, name))
            return
        if isinstance(getattr(kept, picked.key, None), bool):
            setattr(kept, picked.key, not getattr(kept, picked.key))
        self.draw()

    def do_toggle(self) -> None:
        """Change what is under the cursor."""
        self.do_open()

    def do_back(self) -> None:
        """Leave the box, or the screen."""
        if self._typed is None:
            self.bough.back()
        else:
            self._close_box()

    # -- settings of both apps ----------------------------------------------------------------

    def _change(self, row: Setting) -> None:
        if row.fixed:
            self.bough.show_notice(row.fixed, severity="warning")
        elif row.kind == "choice":
            values = [option.value for option in row.options]
            at = values.index(row.value) if row.value in values else -1
            self._keep(row, values[(at + 1) % len(values)])
        elif row.kind in _TYPED:
            self._open_box(row)
        else:
            self._open_box(PriceRow(NEW_PRICE, {}))

    def _change_price(self, price: PriceRow) -> None:
        rows = self.shared.rows if self.shared is not None else ()
        row = next((one for one in rows if one.kind == "prices"), None)
        if row is not None and row.fixed:
            self.bough.show_notice(row.fixed, severity="warning")
        else:
            self._open_box(price)

    def _keep(self, row: Setting, value: object) -> None:
        def keep() -> SettingList:
            change_setting(row.name, value)
            return load_shared_settings()

        self.run_in_thread(keep, self._show_shared, group="shared")

    def _keep_price(self, row: PriceRow, typed: str) -> None:
        try:
            changes = read_price(row, typed)
        except ValueError:
            self.show_failure(f"A price is typed as {_PRICE_FORM if row.model else _NEW_FORM}.")
            return

        def keep() -> SettingList:
            if changes:
                change_prices(changes)
            return load_shared_settings()

        self.run_in_thread(keep, self._show_shared, group="shared")

    def _open_box(self, row: Setting | PriceRow) -> None:
        self._typed = row
        box = self.query_one("#box", Input)
        if isinstance(row, PriceRow):
            box.placeholder = (
                f"{one_line(row.model)}: {_PRICE_FORM}; nothing takes it back"
                if row.model
                else f"A price: {_NEW_FORM}"
            )
            box.value = row.text
        else:
            box.placeholder = f"{row.label}. {_TYPED[row.kind]}"
            box.value = "" if row.source == "default" else _write_value(row).removesuffix(row.unit)
        box.remove_class("hidden")
        box.focus()

    def _close_box(self) -> None:
        self._typed = None
        self.query_one("#box", Input).add_class("hidden")
        self.query_one("#list", ListView).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Keep what was typed."""
        row = self._typed
        if row is None:
            return
        self._close_box()
        if isinstance(row, PriceRow):
            self._keep_price(row, event.value)
            return
        try:
            value = _read_value(row, event.value)
        except ValueError:
            self.show_failure(f"{row.label} is a number from {row.least:,} to {row.most:,}.")
            return
        self._keep(row, value)


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
    choices = str(app_settings_path())
    return DataPaths(folders, words, str(config), choices, str(keys), str(state_path()))


def load_shared_settings() -> SettingList:
    """Read the settings of both apps; where they make no sense only that is told."""
    try:
        return SettingList(list_settings(), list_settings_warnings(), clock.read_time_words())
    except BoughError as error:
        return SettingList((), (error.message,), ENGLISH)


def _make_setting_item(row: Setting) -> ListItem:
    value = one_line(_write_value(row))
    note = one_line(row.fixed or row.about)

    def draw(columns: int) -> Sequence[StyledLine]:
        role = Role.META if row.fixed else Role.ACTIVE
        room = max(20, columns - _LABEL)
        first, *rest = wrap(value, room) or [""]
        lines: list[StyledLine] = [((Role.CLAUDE, pad(row.label, _LABEL)), (role, first))]
        lines += [((role, " " * _LABEL + line),) for line in rest]
        return [*lines, *(((Role.META, " " * _LABEL + line),) for line in wrap(note, room) if line)]

    return ListItem(f"both/{row.name}", draw, "choice", row)


def _make_price_item(row: PriceRow) -> ListItem:
    label = pad(fit(f"  {one_line(row.model)}", _LABEL - 2), _LABEL)
    line: StyledLine = ((Role.CLAUDE, label), (Role.ACTIVE, row.words))
    return ListItem(f"price/{row.model}", draw_fixed([line]), "choice", row)


def _make_hidden_item(project: Project) -> ListItem:
    name = pad(fit(one_line(project.name), _LABEL - 2), _LABEL)
    line: StyledLine = ((Role.CLAUDE, name), (Role.META, one_line(project.path or project.id)))
    return ListItem(f"hidden/{project.id}", draw_fixed([line]), "hidden", project)


def _write_value(row: Setting) -> str:
    """Write what holds, as it is typed or as its option is called."""
    value = row.value
    match row.kind:
        case "choice":
            return next((one.label for one in row.options if one.value == value), str(value))
        case "folder":
            return str(value) if value is not None else "in the data folder"
        case "folders" if isinstance(value, list | tuple):
            return ", ".join(map(str, value)) or "the usual ones"
        case "prices" if isinstance(value, dict):
            return f"{format_plural(len(value), 'model')}: {', '.join(value)}" if value else "none"
        case "number":
            return f"{value} {row.unit}".rstrip()
        case _:
            return str(value) if value is not None else "System"


def _read_value(row: Setting, typed: str) -> object:
    """Read what was typed; None takes the choice back."""
    words = typed.strip()
    if not words:
        return None
    if row.kind == "number":
        return int(words.removesuffix(row.unit).strip().replace(",", ""))
    if row.kind == "folders":
        return [part.strip() for part in words.split(",") if part.strip()]
    return words


def _make_choice_item(name: str, label: str, value: str) -> ListItem:
    line: StyledLine = ((Role.CLAUDE, pad(label, _LABEL)), (Role.ACTIVE, value))
    return ListItem(name, draw_fixed([line]), "choice")


def _make_path_item(key: str, label: str, path: str) -> ListItem:
    def draw(columns: int) -> Sequence[StyledLine]:
        first, *rest = wrap(one_line(path), max(20, columns - _LABEL)) or [""]
        head: StyledLine = ((Role.CLAUDE, pad(label, _LABEL)), (Role.META, first))
        return [head, *(((Role.META, " " * _LABEL + line),) for line in rest)]

    return ListItem(f"place/{key}", draw, "place", picked=False)
