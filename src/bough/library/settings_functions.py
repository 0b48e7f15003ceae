"""Settings as both apps show them: what can be chosen, what holds, and where it was set.

What is chosen in an app goes to `settings.json`, beside the index. A field of `config.toml` wins;
it is shown as set there and cannot be changed here.
"""

import threading
from collections.abc import Mapping
from typing import Final, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bough.config import (
    LoadedSettings,
    Settings,
    app_settings_path,
    claude_dirs,
    claude_folder_around,
    index_path,
    load_settings,
    read_settings,
    settings_path,
)
from bough.errors import BoughError, Misuse, reason_of, with_tilde
from bough.files.state_file import write_state
from bough.model.usage.price_list import apply_overrides
from bough.query.usage.time_zones import find_zone

SettingKind = Literal["choice", "number", "zone", "folder", "folders", "prices"]
SettingSource = Literal["default", "apps", "config"]
SettingSection = Literal["Reading", "Times", "Folders", "Prices", "Copies"]

_LARGEST: Final = 1_000_000
_LONGEST: Final = 1_000
_writing: Final = threading.Lock()


class SettingOption(Struct, frozen=True):
    """One of a few values; None is that of the system."""

    value: str | bool | None
    label: str


class Setting(Struct, frozen=True, kw_only=True):
    """One setting: its name in both files, its words, its value and where that was set.

    `fixed` is the sentence that says why it cannot be changed here; empty where it can be.
    """

    name: str
    section: SettingSection
    label: str
    kind: SettingKind
    about: str = ""
    options: tuple[SettingOption, ...] = ()
    least: int = 0
    most: int = _LARGEST
    unit: str = ""
    value: object = None
    default: object = None
    source: SettingSource = "default"
    fixed: str = ""


def _choice(value: str | bool | None, label: str) -> SettingOption:
    return SettingOption(value, label)


_TABLE: Final = (
    Setting(
        name="theme",
        section="Reading",
        label="Theme",
        kind="choice",
        about="Of both apps.",
        options=(_choice("system", "System"), _choice("light", "Light"), _choice("dark", "Dark")),
    ),
    Setting(
        name="text_size",
        section="Reading",
        label="Text size",
        kind="number",
        about="Of conversations in the web app.",
        least=12,
        most=24,
        unit="px",
    ),
    Setting(
        name="density",
        section="Reading",
        label="Density",
        kind="choice",
        about="Of rows in the web app.",
        options=(_choice("comfortable", "Comfortable"), _choice("compact", "Compact")),
    ),
    Setting(
        name="zone",
        section="Times",
        label="Time zone",
        kind="zone",
        about="Times are shown in it, and days begin in it.",
    ),
    Setting(
        name="clock",
        section="Times",
        label="Clock",
        kind="choice",
        options=(_choice(None, "System"), _choice("24h", "24 h"), _choice("12h", "12 h")),
    ),
    Setting(
        name="week_start",
        section="Times",
        label="Weeks begin on",
        kind="choice",
        options=(
            _choice("monday", "Monday"),
            _choice("saturday", "Saturday"),
            _choice("sunday", "Sunday"),
        ),
    ),
    Setting(
        name="claude_dirs",
        section="Folders",
        label="Claude folders",
        kind="folders",
        about="Read instead of the usual ones, from the next start on.",
    ),
    Setting(
        name="prices",
        section="Prices",
        label="Your prices",
        kind="prices",
        about="In USD per million tokens, before the published ones.",
    ),
    Setting(
        name="archive",
        section="Copies",
        label="Archive",
        kind="choice",
        about="Copies of sessions that stay when the client deletes its files, kept automatically.",
        options=(_choice(None, "Not answered"), _choice(True, "Keep"), _choice(False, "Off")),
    ),
    Setting(
        name="archive_dir",
        section="Copies",
        label="Archive folder",
        kind="folder",
        about="Copies lie there, for you alone to read. What is in another one stays there.",
    ),
    Setting(
        name="backup_days",
        section="Copies",
        label="Backups kept for",
        kind="number",
        about="Of sessions that time travel changed. Nothing goes in its first 30 days.",
        least=30,
        unit="days",
    ),
    Setting(
        name="backup_megabytes",
        section="Copies",
        label="Backups nobody needs",
        kind="number",
        about="At most so much is kept of them.",
        unit="MB",
    ),
)


def list_settings() -> list[Setting]:
    """List what can be chosen, with what holds now and where that was set."""
    loaded = read_settings()
    return [_fill_in(row, loaded) for row in _TABLE]


def find_setting(name: str) -> Setting:
    """Find a setting by its name."""
    for row in _TABLE:
        if row.name == name:
            return _fill_in(row, read_settings())
    names = ", ".join(row.name for row in _TABLE)
    raise Misuse(f"No setting is called {name}. There are {names}.")


def list_settings_warnings() -> list[str]:
    """Say what in the settings files does not count, in sentences."""
    loaded = read_settings()
    found = list(loaded.warnings)
    try:
        find_zone(loaded.values.zone)
    except Misuse as error:
        found.append(f"{error.message} Times are shown in the machine's own.")
    found += apply_overrides(loaded.values.prices).problems
    return found


def change_setting(name: str, value: object) -> Setting:
    """Keep what was chosen in an app; None takes the choice back. Gives what holds then.

    Raises:
        Misuse: There is no such setting, the value makes no sense, or `config.toml` sets it.
    """
    row = find_setting(name)
    if row.fixed:
        raise Misuse(row.fixed)
    if value is not None:
        _check_value(row, value)
    keep_choice(name, value, row.label)
    return find_setting(name)


def keep_choice(name: str, value: object, label: str) -> None:
    """Write a choice that was checked to the file of the apps; None takes it out.

    Raises:
        BoughError: The file cannot be written; `label` is what the sentence calls the setting.
    """
    path = app_settings_path()
    with _writing:
        kept = _read_choices()
        if value is None:
            kept.pop(name, None)
        else:
            kept[name] = value
        try:
            write_state(path, kept)
        except OSError as error:
            place = with_tilde(str(path))
            raise BoughError(f"{label} cannot be kept in {place}: {reason_of(error)}.") from error


def change_prices(changes: Mapping[str, Mapping[str, object] | None]) -> Setting:
    """Change prices of single models: their rates are set, or taken back where None is given."""
    kept = load_settings().prices
    prices = {
        model: rates for model, rates in kept.items() if changes.get(model, rates) is not None
    }
    for model, rates in changes.items():
        if not model.strip() or len(model) > _LONGEST:
            raise Misuse("A price is that of a model, named as in sessions: claude-opus-4-6.")
        if rates is not None:
            prices[model] = {**prices.get(model, {}), **rates}
    return change_setting("prices", prices or None)


def _fill_in(row: Setting, loaded: LoadedSettings) -> Setting:
    is_fixed = row.name in loaded.in_config
    where = with_tilde(str(settings_path()))
    return replace(
        row,
        value=msgspec.to_builtins(getattr(loaded.values, row.name)),
        default=msgspec.to_builtins(getattr(Settings(), row.name)),
        source="config" if is_fixed else "apps" if row.name in loaded.in_apps else "default",
        fixed=f"{row.label}: set in {where}, which wins. Change it there." if is_fixed else "",
    )


def _read_choices() -> dict[str, object]:
    """Read what is kept; names of a newer bough stay, a damaged file is written anew."""
    try:
        return msgspec.json.decode(app_settings_path().read_bytes(), type=dict[str, object])
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return {}


def _check_value(row: Setting, value: object) -> None:
    try:
        msgspec.convert({row.name: value}, Settings)
    except msgspec.ValidationError as error:
        raise Misuse(f"{row.label} cannot be {_shorten(value)}: {error}.") from None
    match row.kind:
        case "choice" if value not in [option.value for option in row.options]:
            names = ", ".join(
                str(option.value).lower() for option in row.options if option.value is not None
            )
            raise Misuse(f"{row.label} cannot be {_shorten(value)}. It is one of {names}.")
        case "number" if not isinstance(value, int) or not row.least <= value <= row.most:
            raise Misuse(f"{row.label} is a number from {row.least:,} to {row.most:,}.")
        case "zone":
            find_zone(str(value))
        case "folder":
            _check_archive_folder(str(value))
        case "folders" if isinstance(value, list | tuple):
            _check_folders([str(folder) for folder in value])
        case "prices" if isinstance(value, Mapping):
            problems = apply_overrides(value).problems
            if problems:
                raise Misuse(problems[0])
        case _:
            pass


def _check_folders(folders: list[str]) -> None:
    """Refuse folders that are no names, or in which bough's own files would lie."""
    from pathlib import Path  # noqa: PLC0415 - few change folders

    for folder in folders:
        place = Path(folder).expanduser() if folder.strip() else Path()
        if len(folder) > _LONGEST or not place.is_absolute():
            raise Misuse(f"A Claude folder is named by its full path, not {_shorten(folder)}.")
    if folders:
        index_path(claude=claude_dirs([Path(folder) for folder in folders]))


def _check_archive_folder(folder: str) -> None:
    """Refuse what is no name of a folder, and what lies where bough never writes."""
    from pathlib import Path  # noqa: PLC0415 - as above

    place = Path(folder).expanduser() if folder.strip() else Path()
    if len(folder) > _LONGEST or not place.is_absolute():
        raise Misuse(f"The archive folder is named by its full path, not {_shorten(folder)}.")
    if inside := claude_folder_around(place):
        raise Misuse(
            f"The archive {place} would lie inside the Claude folder {inside}, where bough "
            "never writes. Name another place."
        )


def _shorten(value: object) -> str:
    text = str(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
