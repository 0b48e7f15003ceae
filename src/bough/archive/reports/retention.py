"""How long the client keeps sessions: what its settings say, and which go next.

Clients delete by the time of the file, `cleanupPeriodDays` after it was last written; thirty days
where no settings say otherwise. Settings are merged: what an administrator set wins over a
project's local settings, these over the project's shared ones, and those over the person's own.
An administrator's are `managed-settings.json` and, over it, the files of `managed-settings.d`
beside it, the last one by its name first.
A client deletes the old sessions of all projects, whichever it was started in: so the shortest
time that is in force anywhere is the one that counts.
"""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import Struct

from bough.files.regular_file import open_regular

DEFAULT_DAYS: Final = 30
_MANAGED: Final = {
    "darwin": [Path("/Library/Application Support/ClaudeCode/managed-settings.json")],
    # Later clients look in the first, earlier ones in the second.
    "win32": [
        Path("C:/Program Files/ClaudeCode/managed-settings.json"),
        Path("C:/ProgramData/ClaudeCode/managed-settings.json"),
    ],
    "linux": [Path("/etc/claude-code/managed-settings.json")],
}
_DAY_NS: Final = 24 * 3600 * 10**9
_LONGEST: Final = 1 << 20


Scope = Literal["default", "user", "project", "local", "managed"]


class Retention(Struct, frozen=True, kw_only=True):
    """How many days a client keeps the sessions of a folder; `source` is where it says so.

    `project` is the folder of the project that a client is started in, where its settings are
    others than everywhere else.
    """

    folder: str
    days: int = DEFAULT_DAYS
    source: str | None = None
    scope: Scope = "default"
    project: str | None = None

    def deletes_at(self, mtime_ns: int) -> int:
        """Tell from when on the client may delete a file of this time."""
        return mtime_ns + self.days * _DAY_NS


class _ClientSettings(Struct, rename="camel"):
    cleanup_period_days: int | float | None = None


def read_retention(claude_dir: Path, managed: Path | None = None) -> Retention:
    """Read how long sessions of a Claude folder are kept; `managed` is the administrator's file."""
    return _read_first(
        claude_dir,
        [
            *(("managed", file) for file in _list_managed(managed)),
            ("user", claude_dir / "settings.local.json"),
            ("user", claude_dir / "settings.json"),
        ],
    ) or Retention(folder=str(claude_dir))


def read_project_retention(
    claude_dir: Path, projects: Iterable[Path], managed: Path | None = None
) -> list[Retention]:
    """Read where projects have settings of their own; none have where an administrator has.

    Only `settings.local.json` and `settings.json` in the folders `.claude` of the projects are
    looked at, and of these only small regular files.
    """
    if any(_read_days(file) is not None for file in _list_managed(managed)):
        return []
    found = []
    for project in dict.fromkeys(projects):
        own = project / ".claude"
        if not project.is_absolute() or own == claude_dir:
            continue  # the person's own settings, where the home folder is a project
        rule = _read_first(
            claude_dir,
            [("local", own / "settings.local.json"), ("project", own / "settings.json")],
        )
        if rule is not None:
            found.append(msgspec.structs.replace(rule, project=str(project)))
    return found


def find_shortest(rules: Sequence[Retention]) -> Retention:
    """Find the rule after which files may be deleted first."""
    return min(rules, key=lambda rule: rule.days)


def _read_first(claude_dir: Path, files: Iterable[tuple[Scope, Path]]) -> Retention | None:
    for scope, file in files:
        days = _read_days(file)
        if days is not None:
            return Retention(folder=str(claude_dir), days=days, source=str(file), scope=scope)
    return None


def _list_managed(managed: Path | None) -> list[Path]:
    """List the settings that an administrator gives to all clients, those that win first."""
    files = [managed] if managed is not None else _MANAGED.get(sys.platform, _MANAGED["linux"])
    return [one for file in files for one in (*_list_added(file.with_suffix(".d")), file)]


def _list_added(folder: Path) -> list[Path]:
    try:
        found = [file for file in folder.iterdir() if file.suffix == ".json"]
    except OSError:
        return []
    return sorted((file for file in found if not file.name.startswith(".")), reverse=True)


def _read_days(file: Path) -> int | None:
    try:
        with open_regular(file) as opened:
            data = opened.read(_LONGEST + 1)
        if data is None or len(data) > _LONGEST:
            return None
        found = msgspec.json.decode(data, type=_ClientSettings)
        days = found.cleanup_period_days
        return int(days) if days is not None and days >= 0 else None
    except (OSError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError):
        return None
