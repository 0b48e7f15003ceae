"""The client's own settings: what bough sets there when it is asked to, as plans.

`apply` alone writes them, `undo` takes them back, as with sessions.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from shlex import quote
from typing import Final

import msgspec
from msgspec import Struct

from bough.config import claude_dirs, load_settings
from bough.errors import BoughError, Misuse, with_tilde
from bough.ingest.seen_clients import SeenClients, find_seen_clients
from bough.library.client_settings.own_commands import (
    GUARD,
    HOOK,
    STATUS_LINE_PROGRAM,
    HookSpec,
    find_program,
    is_own_status_line,
)
from bough.library.parameters import ClaudeDir, Folder, as_dirs
from bough.model.tree.active_tip import parse_version
from bough.timetravel.environment import TravelEnvironment
from bough.timetravel.plan import Plan
from bough.timetravel.plans.settings_edit import (
    plan_hooks,
    plan_hooks_back,
    plan_setting,
    plan_setting_back,
    read_setting,
)
from bough.timetravel.settings_file import HOOKS

STATUS_LINE = "statusLine"
"""What the client calls the setting."""
_OPERATION = "statusline"
_RESUME_NOTE = (
    "Clients 2.1.100 and 2.1.132 to 2.1.160 add two records at each resume where hooks are set."
)
_TRIED: Final = (1, 0, 128)
"""The oldest client that was tried with hooks; it takes the old events."""
_OLD_EVENTS: Final = (
    *("Notification", "UserPromptSubmit", "Stop", "SubagentStop", "PreCompact"),
    *("SessionStart", "SessionEnd"),
)
_NEWER_EVENTS: Final = {"PermissionRequest": (2, 0, 76), "StopFailure": (2, 1, 110)}
"""Events by the first client that was seen to take them."""
_KNOWN_EVENTS: Final = {
    (1, 0, 128): {*_OLD_EVENTS, "PreToolUse", "PostToolUse"},
    (2, 0, 76): {"PermissionRequest", "PostToolUseFailure", "SubagentStart"},
    (2, 1, 50): {
        *("ConfigChange", "Setup", "TaskCompleted", "TeammateIdle"),
        *("WorktreeCreate", "WorktreeRemove"),
    },
}
"""All events that clients name themselves, by the first one of those tried that does."""
_TAKES_ALL: Final = (2, 1, 110)
"""From here on a client leaves alone what it does not know."""


def install_status_line(
    claude_dir: ClaudeDir = None, *, chain: bool = False, template: str | None = None
) -> Plan:
    """Plan to let the client show `bough statusline`.

    Args:
        claude_dir: The Claude folder whose settings are meant; by default the client's own.
        chain: Show the status line that is set now as well, above ours.
        template: What the line shows, as `--format` has it.
    """
    folder = _find_folder(claude_dir)
    path = folder / "settings.json"
    old = _read_object(read_setting(path, STATUS_LINE))
    command = old.get("command")
    words = [find_program(STATUS_LINE_PROGRAM)]
    if template is not None:
        words += ["--format", quote(template)]
    kept: dict[str, object] = {}
    if chain:
        if not isinstance(command, str) or is_own_status_line(command):
            raise Misuse(f"{path} sets no other status line that could be shown too.")
        words += ["--chain", quote(command)]
        kept = old
    value = {**kept, "type": "command", "command": " ".join(words)}
    text = msgspec.json.format(msgspec.json.encode(value), indent=0).decode()
    return plan_setting(path, folder, STATUS_LINE, text, operation=_OPERATION)


def uninstall_status_line(claude_dir: ClaudeDir = None) -> Plan:
    """Plan to give back the status line that was set before ours, or none.

    Raises:
        Misuse: The client shows another one, which is left alone.
    """
    folder = _find_folder(claude_dir)
    path = folder / "settings.json"
    now = _read_object(read_setting(path, STATUS_LINE))
    command = now.get("command")
    if not isinstance(command, str) or not is_own_status_line(command):
        raise Misuse(f"{path} does not set bough's status line. Nothing was changed.")
    return plan_setting_back(
        TravelEnvironment(),
        path,
        folder,
        STATUS_LINE,
        operation=_OPERATION,
        is_own=_is_own_value,
    )


class HooksStatus(Struct, frozen=True, kw_only=True):
    """Which hooks of ours a file of settings has, and which clients read it.

    `events` are those that are set, `wanted` those that would be written now. `warnings` are
    sentences about clients for which what is set is too new.
    """

    path: str
    events: tuple[str, ...]
    wanted: tuple[str, ...]
    versions: tuple[str, ...]
    unknown_client: str | None = None
    warnings: tuple[str, ...] = ()


def install_hooks(
    claude_dir: ClaudeDir = None, *, local: Folder | None = None, now: datetime | None = None
) -> Plan:
    """Plan to let the client tell bough at once what it asks and when a turn is over.

    Which events are written depends on the clients seen: an old one throws all settings away
    that name an event it does not know.

    Args:
        claude_dir: The Claude folder whose settings are meant; by default the client's own.
        local: A project's folder: its own local settings are meant instead.
        now: The moment from which clients are looked for; by default the clock's.

    Raises:
        Misuse: A client was seen that is too old for any hook.
    """
    return _plan_program(HOOK, claude_dir, local, now)


def uninstall_hooks(claude_dir: ClaudeDir = None, *, local: Folder | None = None) -> Plan:
    """Plan to take out the hooks that `install_hooks` set, and nothing else."""
    return _plan_program_back(HOOK, claude_dir, local)


def install_guard(
    claude_dir: ClaudeDir = None, *, local: Folder | None = None, now: datetime | None = None
) -> Plan:
    """Plan to let the client ask bough before each tool whether a budget is used up, and stop then.

    Args:
        claude_dir: The Claude folder whose settings are meant; by default the client's own.
        local: A project's folder: its own local settings are meant instead.
        now: The moment from which clients are looked for; by default the clock's.

    Raises:
        Misuse: A client was seen that is too old for any hook, or no budget is set.
    """
    settings = load_settings()
    if settings.budget_session is None and settings.budget_day is None:
        raise Misuse("No budget is set. Set one first: bough guard set --day 40.")
    return _plan_program(GUARD, claude_dir, local, now)


def uninstall_guard(claude_dir: ClaudeDir = None, *, local: Folder | None = None) -> Plan:
    """Plan to take out the hook that `install_guard` set, and nothing else."""
    return _plan_program_back(GUARD, claude_dir, local)


def has_guard(path: Path) -> bool:
    """Tell whether a file of settings lets the client ask the guard."""
    return bool(_list_own_events(path, GUARD))


def hooks_status(
    claude_dir: ClaudeDir = None, *, local: Folder | None = None, now: datetime | None = None
) -> HooksStatus:
    """Tell which hooks of ours are set, and whether every client seen takes them."""
    folder = _find_folder(claude_dir)
    path = _find_hooks_file(folder, local)
    versions = find_seen_clients([folder], now or datetime.now(UTC))
    events = _list_own_events(path, HOOK)
    wanted = choose_hook_events(versions)
    warnings = _list_settings_warnings(path, versions)
    return HooksStatus(
        path=str(path),
        events=events,
        wanted=wanted,
        versions=versions.seen,
        unknown_client=versions.unknown,
        warnings=tuple(warnings),
    )


class SettingsHealth(Struct, frozen=True, kw_only=True):
    """Files of the client's settings, the clients that read them, and what is wrong with that."""

    files: tuple[str, ...]
    versions: tuple[str, ...]
    warnings: tuple[str, ...] = ()


def check_settings(
    claude_dir: ClaudeDir = None, *, local: Folder | None = None, now: datetime | None = None
) -> SettingsHealth:
    """Tell whether settings name hook events that a client which was seen does not know.

    Such a client throws the whole file away, rules of permission included, and says nothing.

    Args:
        claude_dir: The Claude folder whose settings are meant; by default the client's own.
        local: A project's folder, whose own settings are looked at too.
        now: The moment from which clients are looked for; by default the clock's.
    """
    folder = claude_dirs([Path(one) for one in as_dirs(claude_dir)])[0].absolute()
    places = [folder / "settings.json"]
    if local is not None:
        own = Path(local).expanduser().absolute() / ".claude"
        places += [own / "settings.json", own / "settings.local.json"]
    files = [path for path in dict.fromkeys(places) if path.is_file()]
    risky = [path for path in files if _list_newer_events(path)]
    # Who reads them is looked for where it matters: all sessions of 90 days are opened for it.
    versions = find_seen_clients([folder], now or datetime.now(UTC)) if risky else SeenClients()
    warnings = [line for path in risky for line in _list_settings_warnings(path, versions)]
    return SettingsHealth(
        files=tuple(map(str, files)), versions=versions.seen, warnings=tuple(warnings)
    )


def _list_newer_events(path: Path) -> list[str]:
    """List the events in a file that not every client knows which takes hooks."""
    try:
        events = _read_object(read_setting(path, HOOKS))
    except BoughError:
        return []  # who needs the file says what is wrong with it
    return [event for event in events if event not in _KNOWN_EVENTS[_TRIED]]


def _list_settings_warnings(path: Path, versions: SeenClients) -> list[str]:
    """Say for each event in a file which client throws the file away for it."""
    own = _list_own_events(path, HOOK)
    warnings = []
    for event in _list_newer_events(path):
        unknowing = [seen for seen in versions.seen if not _knows_event(seen, event)]
        if unknowing:
            remedy = "Set the hooks anew: bough hooks install."
            if event not in own:
                remedy = "It is not bough's: take it out by hand, or update that client."
            warnings.append(
                f"Client {unknowing[0]} does not know {event}, and throws all its settings in "
                f"{with_tilde(str(path))} away, rules of permission too. {remedy}"
            )
    return warnings


def _knows_event(version: str, event: str) -> bool:
    number = parse_version(version) or (0, 0, 0)
    first = next((one for one, events in _KNOWN_EVENTS.items() if event in events), _TAKES_ALL)
    return number >= min(first, _TAKES_ALL)


def choose_hook_events(versions: SeenClients) -> tuple[str, ...]:
    """Choose the events that every client takes which was seen."""
    oldest = versions.oldest
    known = oldest is not None and versions.unknown is None
    return (
        *_OLD_EVENTS,
        *(event for event, first in _NEWER_EVENTS.items() if known and oldest and oldest >= first),
    )


def _plan_program(
    program: HookSpec, claude_dir: ClaudeDir, local: Folder | None, now: datetime | None
) -> Plan:
    """Plan to let the client run a program of ours at the events that every client seen takes."""
    folder = _find_folder(claude_dir)
    versions = _find_tried_clients(folder, now)
    events = program.events or choose_hook_events(versions)
    groups = {event: program.write_group(event) for event in events}
    path = _find_hooks_file(folder, local)
    plan = plan_hooks(path, folder, groups, program.is_own, operation=program.operation)
    notes = [_describe_clients(versions)]
    if versions.unknown is not None and not program.events:
        notes.append(f"The version of {versions.unknown} is not known, so only old events are set.")
    return msgspec.structs.replace(plan, notes=(*notes, _RESUME_NOTE))


def _plan_program_back(program: HookSpec, claude_dir: ClaudeDir, local: Folder | None) -> Plan:
    folder = _find_folder(claude_dir)
    path = _find_hooks_file(folder, local)
    if not _list_own_events(path, program):
        raise Misuse(f"{path} has no {program.operation} of bough. Nothing was changed.")
    return plan_hooks_back(
        TravelEnvironment(), path, folder, program.is_own, operation=program.operation
    )


def _find_tried_clients(folder: Path, now: datetime | None) -> SeenClients:
    """Find the clients that read the settings; a refusal where one was never tried with hooks."""
    versions = find_seen_clients([folder], now or datetime.now(UTC))
    if (oldest := versions.oldest) is not None and oldest < _TRIED:
        raise Misuse(
            f"Client {versions.seen[0]} was used in the last 90 days, and nobody knows which "
            "hooks it takes: it may throw all its settings away. Nothing was changed."
        )
    return versions


def _describe_clients(versions: SeenClients) -> str:
    seen = ", ".join(versions.seen) or "none"
    return f"Clients seen in the last 90 days and on the PATH: {seen}."


def _list_own_events(path: Path, program: HookSpec) -> tuple[str, ...]:
    """List the events in a file of settings at which a program of ours is run."""
    events = _read_object(read_setting(path, HOOKS))
    return tuple(
        event
        for event, groups in events.items()
        if any(map(program.is_own, _list_commands(groups)))
    )


def _list_commands(groups: object) -> Iterator[str]:
    """List the commands that an event runs."""
    for group in groups if isinstance(groups, list) else []:
        hooks = group.get(HOOKS) if isinstance(group, dict) else None
        for hook in hooks if isinstance(hooks, list) else []:
            command = hook.get("command") if isinstance(hook, dict) else None
            if isinstance(command, str):
                yield command


def _find_hooks_file(folder: Path, local: Folder | None) -> Path:
    if local is None:
        return folder / "settings.json"
    place = Path(local).expanduser().absolute() / ".claude"
    if not place.is_dir():
        raise Misuse(f"There is no folder {place}. Start the client there once.")
    return place / "settings.local.json"


def _find_folder(claude_dir: ClaudeDir) -> Path:
    folder = claude_dirs([Path(one) for one in as_dirs(claude_dir)])[0]
    if not folder.is_dir():
        raise Misuse(f"There is no Claude folder {folder}. Name it with --claude-dir.")
    return folder.absolute()


def _is_own_value(text: str) -> bool:
    """Tell whether a value of the setting is bough's status line."""
    command = _read_object(text).get("command")
    return isinstance(command, str) and is_own_status_line(command)


def _read_object(text: str) -> dict[str, object]:
    found: object = msgspec.json.decode(text) if text else {}
    return found if isinstance(found, dict) else {}
