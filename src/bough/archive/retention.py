"""How long the client keeps sessions: what its settings say, and which go next.

Clients delete by the time of the file, `cleanupPeriodDays` after it was last written; thirty days
where no settings say otherwise. What an administrator set wins over the person's own settings.
Settings inside projects are not looked at.
"""

import sys
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

DEFAULT_DAYS: Final = 30
_DAY_NS: Final = 24 * 3600 * 10**9
_LONGEST: Final = 1 << 20


class Retention(Struct, frozen=True, kw_only=True):
    """How many days a client keeps the sessions of a folder; `source` is where it says so."""

    folder: str
    days: int = DEFAULT_DAYS
    source: str | None = None

    def deletes_at(self, mtime_ns: int) -> int:
        """Tell from when on the client may delete a file of this time."""
        return mtime_ns + self.days * _DAY_NS


class _ClientSettings(Struct, rename="camel"):
    cleanup_period_days: int | float | None = None


def read_retention(claude_dir: Path, managed: Path | None = None) -> Retention:
    """Read how long sessions of a Claude folder are kept; `managed` is the administrator's file."""
    files = (
        managed or managed_settings_path(),
        claude_dir / "settings.local.json",
        claude_dir / "settings.json",
    )
    for file in files:
        days = _read_days(file)
        if days is not None:
            return Retention(folder=str(claude_dir), days=days, source=str(file))
    return Retention(folder=str(claude_dir))


def managed_settings_path() -> Path:
    """Name the settings that an administrator gives to all clients of a machine."""
    if sys.platform == "darwin":
        return Path("/Library/Application Support/ClaudeCode/managed-settings.json")
    if sys.platform == "win32":
        return Path("C:/ProgramData/ClaudeCode/managed-settings.json")
    return Path("/etc/claude-code/managed-settings.json")


def _read_days(file: Path) -> int | None:
    try:
        if file.stat().st_size > _LONGEST:
            return None
        found = msgspec.json.decode(file.read_bytes(), type=_ClientSettings)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None
    days = found.cleanup_period_days
    return int(days) if days is not None and days >= 0 else None
