"""Rules for the folders of the client and of bough, with the standard library alone.

`bough statusline` and the hooks run many times a minute and answer in a few milliseconds, so
the rules they share with `bough.config` are here, over strings: `pathlib` costs more to load
than they have. Nothing is created here, and what cannot be known is None.
"""

import os
import sys


def find_home() -> str | None:
    """Name the home folder; None where nothing tells."""
    return expand_user("~")


def expand_user(place: str) -> str | None:
    """Write a path with the home folder in place of `~`; None where nothing tells which."""
    found = os.path.expanduser(place)  # noqa: PTH111 - see above
    return None if found.startswith("~") else found


def read_absolute(name: str) -> str | None:
    """Read a folder from the environment; a relative one does not count (XDG says so)."""
    place = os.environ.get(name, "")
    return place if os.path.isabs(place) else None  # noqa: PTH117 - see above


def find_config_home() -> str | None:
    """Name the folder of settings."""
    if xdg := read_absolute("XDG_CONFIG_HOME"):
        return xdg
    if sys.platform == "win32":
        return read_absolute("APPDATA") or _below_home("AppData", "Roaming")
    # macOS too: that is where the client, and most command lines, look.
    return _below_home(".config")


def find_data_dir() -> str | None:
    """Name the folder for what bough itself keeps."""
    if xdg := read_absolute("XDG_DATA_HOME"):
        return os.path.join(xdg, "bough")  # noqa: PTH118 - see above
    if sys.platform == "win32":
        local = read_absolute("LOCALAPPDATA") or _below_home("AppData", "Local")
        return None if local is None else os.path.join(local, "bough")  # noqa: PTH118
    if sys.platform == "darwin":
        return _below_home("Library", "Application Support", "bough")
    return _below_home(".local", "share", "bough")


def find_client_folder() -> str | None:
    """Name the Claude folder that a client started here looks into by itself."""
    named = os.environ.get("CLAUDE_CONFIG_DIR", "").strip()
    return expand_user(named) if named else _below_home(".claude")


def _below_home(*names: str) -> str | None:
    home = find_home()
    return None if home is None else os.path.join(home, *names)  # noqa: PTH118 - see above
