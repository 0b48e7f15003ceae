"""Where things live: Claude folders, our index, our settings.

The answers come from, in this order: what the caller names, the environment, the settings
file, the platform's habit. Nothing is created here. The index may never lie inside a
Claude folder: the client owns that place, and cleans it.
"""

import os
import stat
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from bough.errors import Misuse, Unreadable, reason_of

APP_SESSIONS = "local-agent-mode-sessions"
"""Where the desktop app keeps what Cowork does: a Claude folder of its own for each task."""


JOURNAL = "journal.jsonl"
"""What the journal of time travel is called in the data folder."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a person wrote in the settings file."""

    claude_dirs: tuple[str, ...] = ()
    """Claude folders to read instead of the usual ones."""
    index: str | None = None
    """The index file."""
    zone: str | None = None
    """The time zone in which days begin, as `Europe/Prague`; the machine's own by default."""
    week_start: str = "monday"
    """The day on which weeks begin."""
    prices: dict[str, dict[str, object]] = {}
    """Prices of models in USD per million tokens, before the published ones; docs/usage.md."""
    backup_days: int = 90
    """How many days backups of changed sessions are kept; docs/time-travel.md."""
    backup_megabytes: int = 1_000
    """How much is kept of backups that no operation needs any more."""


def claude_dirs(explicit: Sequence[Path] = ()) -> tuple[Path, ...]:
    """List the places where Claude folders are looked for, whether they exist or not."""
    if explicit:
        return _drop_duplicates(_expand_path(place) for place in explicit)
    if named := os.environ.get("CLAUDE_CONFIG_DIR", "").strip():
        return _drop_duplicates(_read_config_dirs(named))
    if ours := load_settings().claude_dirs:
        return _drop_duplicates(_expand_path(place) for place in ours)
    usual = (_home() / ".claude", _config_home() / "claude")
    return _drop_duplicates((*usual, *filter(has_app_sessions, (desktop_app_dir(),))))


def is_client_folder(claude_dir: Path) -> bool:
    """Tell whether a client that is started here looks into this Claude folder by itself."""
    usual = os.environ.get("CLAUDE_CONFIG_DIR", "").strip() or _home() / ".claude"
    return _resolve_path(_expand_path(usual)) == _resolve_path(claude_dir)


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


def claude_folder_around(path: Path, claude: Sequence[Path] = ()) -> Path | None:
    """Find the Claude folder that a place lies in: one of `claude`, or of the usual ones."""
    place = _resolve_path(path)
    folders = _drop_duplicates((*claude, *claude_dirs()))
    return next((folder for folder in folders if _is_inside(place, folder)), None)


def data_dir() -> Path:
    """Name the folder for what bough itself keeps."""
    if xdg := _absolute_variable("XDG_DATA_HOME"):
        return xdg / "bough"
    if sys.platform == "win32":
        return (_absolute_variable("LOCALAPPDATA") or _home() / "AppData" / "Local") / "bough"
    if sys.platform == "darwin":
        return _home() / "Library" / "Application Support" / "bough"
    return _home() / ".local" / "share" / "bough"


def journal_path() -> Path:
    """Name the journal of what bough did to sessions, which need not exist."""
    return data_dir() / JOURNAL


def desktop_app_dir() -> Path:
    """Name the folder of the desktop app, which need not exist."""
    if sys.platform == "darwin":
        return _home() / "Library" / "Application Support" / "Claude"
    return _config_home() / "Claude"


def has_app_sessions(place: Path) -> bool:
    """Tell whether a place is a folder of the desktop app in which Cowork has worked."""
    return (place / APP_SESSIONS).is_dir()


def settings_path() -> Path:
    """Name the settings file, which need not exist."""
    return _config_home() / "bough" / "config.toml"


def load_settings() -> Settings:
    """Read the settings file; where there is none, everything has its default."""
    path = settings_path()
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise Unreadable(path, "it is no regular file")
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return Settings()
    except OSError as error:
        raise Unreadable(path, reason_of(error)) from error
    except UnicodeDecodeError as error:
        raise Unreadable(path, "it is not UTF-8 text") from error
    import tomllib  # noqa: PLC0415 - most people have no settings

    try:
        return msgspec.convert(tomllib.loads(text), Settings)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise Misuse(
            f"The settings in {path} make no sense: {error}. Mend or remove them."
        ) from error


def _read_config_dirs(value: str) -> tuple[Path, ...]:
    """Read CLAUDE_CONFIG_DIR: one folder, or several with commas between them."""
    whole = _expand_path(value)
    if "," not in value or whole.is_dir():
        return (whole,)
    return tuple(_expand_path(part.strip()) for part in value.split(",") if part.strip())


def _config_home() -> Path:
    if xdg := _absolute_variable("XDG_CONFIG_HOME"):
        return xdg
    if sys.platform == "win32":
        return _absolute_variable("APPDATA") or _home() / "AppData" / "Roaming"
    # macOS too: that is where the client, and most command lines, look.
    return _home() / ".config"


def _absolute_variable(name: str) -> Path | None:
    """Read a folder from the environment; a relative one does not count (XDG says so)."""
    path = Path(os.environ.get(name, ""))
    return path if path.is_absolute() else None


def _home() -> Path:
    return _expand_path("~")


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
