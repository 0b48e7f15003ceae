"""Where things live: Claude folders, our index, our settings.

The answers come from, in this order: what the caller names, the environment, the settings,
the platform's habit. Settings lie in two files: a person writes `config.toml`, the apps write
`settings.json`, and what is in the first wins. Nothing is created here. The index may never
lie inside a Claude folder: the client owns that place, and cleans it.
"""

import os
import stat
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from bough import paths
from bough.errors import BoughError, Misuse, Unreadable, reason_of

APP_SESSIONS = "local-agent-mode-sessions"
"""Where the desktop app keeps what Cowork does: a Claude folder of its own for each task."""


JOURNAL = "journal.jsonl"
"""What the journal of time travel is called in the data folder."""


class Settings(msgspec.Struct, frozen=True):
    """What a person has chosen, in a settings file or in the apps."""

    claude_dirs: tuple[str, ...] = ()
    """Claude folders to read instead of the usual ones."""
    index: str | None = None
    """The index file."""
    zone: str | None = None
    """The time zone in which days begin and times are shown, as `Europe/Prague`; the machine's own
    by default."""
    clock: Literal["24h", "12h"] | None = None
    """How the time of day is written; by default as the locale does, in the browser 24 hours."""
    week_start: str = "monday"
    """The day on which weeks begin."""
    prices: dict[str, dict[str, object]] = {}
    """Prices of models in USD per million tokens, before the published ones; docs/usage.md."""
    backup_days: int = 90
    """How many days backups of changed sessions are kept; docs/time-travel.md."""
    backup_megabytes: int = 1_000
    """How much is kept of backups that no operation needs any more."""
    theme: Literal["system", "light", "dark"] = "system"
    """The colours of both apps; by default those of the system or the terminal."""
    text_size: Annotated[int, msgspec.Meta(ge=12, le=24)] = 15
    """The size of what is read in the web app, in pixels."""
    density: Literal["comfortable", "compact"] = "comfortable"
    """How close rows stand in the web app."""
    budget_session: Annotated[float, msgspec.Meta(gt=0)] | None = None
    """What one session may cost in USD before bough warns; docs/guard.md."""
    budget_day: Annotated[float, msgspec.Meta(gt=0)] | None = None
    """What one day may cost in USD before bough warns."""
    archive: bool | None = None
    """Whether copies of sessions are kept by themselves, as they are read; not answered by default,
    and then none are."""
    archive_dir: str | None = None
    """The folder of the archive, which keeps what the client deletes; docs/archive.md."""
    team_store: str | None = None
    """The URL of a team's database, for push and pull; docs/team.md."""
    push_projects: tuple[str, ...] = ()
    """The projects that push sends to it, by name or path; `*` stands for all. None by default."""


class LoadedSettings(msgspec.Struct, frozen=True):
    """The settings that hold, and where they come from.

    `in_config` names the fields that `config.toml` sets, `in_apps` those that were chosen in the
    apps and hold. `warnings` are sentences about what does not count.
    """

    values: Settings = Settings()
    in_config: frozenset[str] = frozenset()
    in_apps: frozenset[str] = frozenset()
    warnings: tuple[str, ...] = ()


def claude_dirs(explicit: Sequence[Path] = ()) -> tuple[Path, ...]:
    """List the places where Claude folders are looked for, whether they exist or not."""
    if explicit:
        return _drop_duplicates(_expand_path(place) for place in explicit)
    if named := os.environ.get("CLAUDE_CONFIG_DIR", "").strip():
        return _drop_duplicates(_read_config_dirs(named))
    if ours := load_settings().claude_dirs:
        return _drop_duplicates(_expand_path(place) for place in ours)
    usual = (_home() / ".claude", user_config_dir() / "claude")
    return _drop_duplicates((*usual, *filter(has_app_sessions, (desktop_app_dir(),))))


def is_client_folder(claude_dir: Path) -> bool:
    """Tell whether a client that is started here looks into this Claude folder by itself."""
    usual = _require_known(paths.find_client_folder())
    return _resolve_path(usual) == _resolve_path(claude_dir)


def index_path(explicit: Path | None = None, claude: Sequence[Path] = ()) -> Path:
    """Choose the index file; `claude` adds Claude folders to the usual ones it must avoid."""
    chosen = explicit or os.environ.get("BOUGH_INDEX") or load_settings().index
    path = _resolve_path(_expand_path(chosen) if chosen else data_dir() / "index.sqlite")
    if folder := claude_folder_around(path, claude):
        raise Misuse(
            f"The index {path} would lie inside the Claude folder {folder}, where bough "
            "never writes. Name another place with --index or BOUGH_INDEX."
        )
    return path


def archive_path(claude: Sequence[Path] = ()) -> Path:
    """Choose the folder of the archive; `claude` adds Claude folders that it must avoid."""
    named = named_archive_path()
    if not named.is_absolute():
        raise Misuse(
            f"The setting archive_dir is {named}, which is another folder wherever bough is "
            "started. Name it by its full path."
        )
    path = _resolve_path(named)
    if folder := claude_folder_around(path, claude):
        raise Misuse(
            f"The archive {path} would lie inside the Claude folder {folder}, where bough "
            "never writes. Name another place with the setting archive_dir."
        )
    return path


def named_archive_path() -> Path:
    """Name the folder of the archive as it is set, wherever that is; for whoever only reads."""
    chosen = load_settings().archive_dir
    return _expand_path(chosen) if chosen else data_dir() / "archive"


def is_archive_automatic() -> bool:
    """Tell whether a person wants sessions to be archived by themselves."""
    try:
        return load_settings().archive is True
    except BoughError:
        return False  # who needs the settings says what is wrong with them


def claude_folder_around(path: Path, claude: Sequence[Path] = ()) -> Path | None:
    """Find the Claude folder that a place lies in: one of `claude`, or of the usual ones."""
    place = _resolve_path(path)
    folders = _drop_duplicates((*claude, *claude_dirs()))
    return next((folder for folder in folders if _is_inside(place, folder)), None)


def data_dir() -> Path:
    """Name the folder for what bough itself keeps."""
    return _require_known(paths.find_data_dir())


def journal_path() -> Path:
    """Name the journal of what bough did to sessions, which need not exist."""
    return data_dir() / JOURNAL


def desktop_app_dir() -> Path:
    """Name the folder of the desktop app, which need not exist."""
    if sys.platform == "darwin":
        return _home() / "Library" / "Application Support" / "Claude"
    return user_config_dir() / "Claude"


def has_app_sessions(place: Path) -> bool:
    """Tell whether a place is a folder of the desktop app in which Cowork has worked."""
    return (place / APP_SESSIONS).is_dir()


def settings_path() -> Path:
    """Name the settings file, which need not exist."""
    return user_config_dir() / "bough" / "config.toml"


def app_settings_path() -> Path:
    """Name the file of what was chosen in the apps, which need not exist."""
    return data_dir() / "settings.json"


def load_settings() -> Settings:
    """Read the settings; where there are none, everything has its default."""
    return read_settings().values


def read_settings() -> LoadedSettings:
    """Read both settings files, and say where each setting comes from."""
    path, own = settings_path(), app_settings_path()
    try:
        chosen, problem = _read_file(own), ""
    except Unreadable as error:
        chosen, problem = None, error.message
    found = _merge_settings(path, _read_file(path), own, chosen)
    return msgspec.structs.replace(found, warnings=(*found.warnings, *filter(None, (problem,))))


def _read_file(path: Path) -> bytes | None:
    """Read a settings file; None where there is none."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise Unreadable(path, "it is not a regular file")
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise Unreadable(path, reason_of(error)) from error


# Every list and every screen that writes a time asks for the settings: files that are as they
# were are not parsed again.
@lru_cache(maxsize=4)
def _merge_settings(
    path: Path, config: bytes | None, own: Path, chosen: bytes | None
) -> LoadedSettings:
    warnings: list[str] = []
    in_config = _known_fields(_parse_config(path, config), path, warnings)
    in_apps = {
        name: value
        for name, value in _known_fields(
            _parse_choices(own, chosen, warnings), own, warnings
        ).items()
        if name not in in_config and _is_sound(name, value, own, warnings)
    }
    try:
        values = msgspec.convert({**in_apps, **in_config}, Settings)
    except msgspec.ValidationError as error:
        raise _nonsense(path, error) from error
    return LoadedSettings(values, frozenset(in_config), frozenset(in_apps), tuple(warnings))


def _parse_config(path: Path, config: bytes | None) -> Mapping[str, object]:
    if config is None:
        return {}
    import tomllib  # noqa: PLC0415 - most people have no settings

    try:
        return tomllib.loads(config.decode())
    except UnicodeDecodeError as error:
        raise Unreadable(path, "it is not UTF-8 text") from error
    except tomllib.TOMLDecodeError as error:
        raise _nonsense(path, error) from error


def _parse_choices(path: Path, chosen: bytes | None, warnings: list[str]) -> Mapping[str, object]:
    """Read what the apps wrote. Nobody need write it by hand, so damage only warns."""
    try:
        return msgspec.json.decode(chosen, type=dict[str, object]) if chosen is not None else {}
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        warnings.append(f"What was chosen in the apps cannot be read from {path}; it is left out.")
        return {}


def _known_fields(
    found: Mapping[str, object], path: Path, warnings: list[str]
) -> dict[str, object]:
    known = {name: value for name, value in found.items() if name in Settings.__struct_fields__}
    warnings += [
        f"No setting is called {name}; {path} sets it, and it does not count."
        for name in found
        if name not in known
    ]
    return known


def _is_sound(name: str, value: object, path: Path, warnings: list[str]) -> bool:
    try:
        msgspec.convert({name: value}, Settings)
    except msgspec.ValidationError as error:
        warnings.append(f"{name} in {path} makes no sense and does not count: {error}.")
        return False
    return True


def _nonsense(path: Path, error: Exception) -> Misuse:
    return Misuse(f"The settings in {path} make no sense: {error}. Mend or remove them.")


def _read_config_dirs(value: str) -> tuple[Path, ...]:
    """Read CLAUDE_CONFIG_DIR: one folder, or several with commas between them."""
    whole = _expand_path(value)
    if "," not in value or whole.is_dir():
        return (whole,)
    return tuple(_expand_path(part.strip()) for part in value.split(",") if part.strip())


def user_config_dir() -> Path:
    """Name the folder in which programs keep their settings."""
    return _require_known(paths.find_config_home())


def _home() -> Path:
    return _require_known(paths.find_home())


def _require_known(place: str | None) -> Path:
    """Give a folder that hangs on the home folder, or say that nothing tells which that is."""
    if place is None:
        raise Misuse("Cannot tell which folder ~ is. Name it by its full path.")
    return Path(place)


def _expand_path(place: str | Path) -> Path:
    try:
        return Path(place).expanduser()
    except RuntimeError as error:
        raise Misuse(f"Cannot tell which folder {place} is. Name it by its full path.") from error


def _resolve_path(path: Path) -> Path:
    """Follow links as far as the path exists, so that two names of one place are equal."""
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        # A link that leads back to itself, or a name no system allows: whoever opens it says so.
        return path.absolute()


def _drop_duplicates(places: Iterable[Path]) -> tuple[Path, ...]:
    """Drop second names of the same folder, keeping the first and the order."""
    return tuple({_resolve_path(place): place for place in reversed([*places])}.values())[::-1]


def _is_inside(path: Path, folder: Path) -> bool:
    if path.is_relative_to(_resolve_path(folder)):
        return True
    # A file system that ignores case has several spellings of one folder.
    return folder.is_dir() and any(
        parent.is_dir() and parent.samefile(folder) for parent in path.parents
    )
