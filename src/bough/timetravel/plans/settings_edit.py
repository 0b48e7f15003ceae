"""Plans that change one setting of the client: set it, or give back what it was."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from bough.errors import Misuse, Unreadable, reason_of
from bough.files.regular_file import open_regular
from bough.timetravel.environment import TravelEnvironment
from bough.timetravel.errors import AlreadyThere, CannotUndo, Refusal
from bough.timetravel.journal import DONE, Operation
from bough.timetravel.plan import PRIVATE_MODE, Create, Plan, Replace, Step
from bough.timetravel.plans.undo import plan_undo
from bough.timetravel.session_file import take_snapshot
from bough.timetravel.settings_file import (
    HOOKS,
    SettingsEdit,
    add_hook_text,
    find_setting_text,
    is_settings_path,
    read_settings_text,
    remove_hooks_text,
    remove_setting_text,
    set_setting_text,
)

_WRITABLE = 0o222

OwnCommand = Callable[[str], bool]
"""Tells whether a command, or a value that holds one, is bough's own."""


class ReadOnlySettings(Refusal):
    """Say that a file of settings is not to be written."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} is read-only. Nothing was changed.")


def read_setting(path: Path, setting: str) -> str:
    """Give a setting of the client as it is written; empty where it is not set."""
    text = _read_text(path)
    read_settings_text(text, str(path))
    return find_setting_text(text, setting) if text.strip("\ufeff \t\r\n") else ""


def plan_setting(path: Path, claude_dir: Path, setting: str, value: str, *, operation: str) -> Plan:
    """Plan to give a setting a value, written as JSON; an empty one takes it out.

    Raises:
        Misuse: It is no file of settings, or what is in it cannot be read.
        ReadOnlySettings: It is not to be written.
        AlreadyThere: It has that value.
    """

    def edit(text: str) -> str:
        if value:
            return set_setting_text(text, setting, value)
        return remove_setting_text(text, setting)

    return _plan_edit(path, claude_dir, setting, edit, operation=operation)


def plan_hooks(
    path: Path,
    claude_dir: Path,
    groups: Mapping[str, str],
    is_own: OwnCommand,
    *,
    operation: str = HOOKS,
) -> Plan:
    """Plan to add groups of hooks, by event; those of ours that are there go first.

    `operation` is what the journal calls it: each program of ours has hooks of its own.

    Raises:
        Misuse: It is no file of settings, or what is in it cannot be read.
        ReadOnlySettings: It is not to be written.
        AlreadyThere: They are there.
    """

    def edit(text: str) -> str:
        text = remove_hooks_text(text, is_own) if text.strip("\ufeff \t\r\n") else text
        for event, group in groups.items():
            text = add_hook_text(text, event, group)
        return text

    return _plan_edit(path, claude_dir, HOOKS, edit, operation=operation)


def plan_hooks_back(
    environment: TravelEnvironment,
    path: Path,
    claude_dir: Path,
    is_own: OwnCommand,
    *,
    operation: str = HOOKS,
) -> Plan:
    """Plan to take our hooks out: to the very bytes that were there, or our entries alone."""
    own = _list_installs(environment, path, HOOKS, operation)
    if own:
        try:
            return plan_undo(environment, own[-1].number)
        except CannotUndo:
            pass
    return _plan_edit(
        path,
        claude_dir,
        HOOKS,
        lambda text: remove_hooks_text(text, is_own),
        operation=f"{operation} uninstall",
    )


def plan_setting_back(
    environment: TravelEnvironment,
    path: Path,
    claude_dir: Path,
    setting: str,
    *,
    operation: str,
    is_own: OwnCommand,
) -> Plan:
    """Plan to give back what a setting was before bough set it.

    Where nothing else has changed the file since, it gets the very bytes it had; else the old
    value of this setting comes back and all else stays. `is_own` tells a value that was ours
    already: it is not what comes back.
    """
    before = ""
    for one in reversed(_list_installs(environment, path, setting, operation)):
        before = one.settings.before if one.settings is not None else ""
        if not is_own(before):
            try:
                return plan_undo(environment, one.number)
            except CannotUndo:
                break
    before = "" if is_own(before) else before
    return plan_setting(path, claude_dir, setting, before, operation=f"{operation} uninstall")


def _plan_edit(
    path: Path,
    claude_dir: Path,
    setting: str,
    edit_text: Callable[[str], str],
    *,
    operation: str,
) -> Plan:
    if not is_settings_path(path, claude_dir):
        raise Misuse(f"{path} is not a settings file of the client.")
    before, old = read_setting(path, setting), _read_text(path)
    try:
        new = edit_text(old)
    except ValueError as error:
        raise Misuse(f"{path} cannot be edited in place: {error}. Nothing was changed.") from error
    after = find_setting_text(new, setting) if new.strip("\ufeff \t\r\n") else ""
    edit = SettingsEdit(str(path), setting, before, after)
    if _decode(before) == _decode(after):
        what = f"{setting} is set so already" if after else f"{setting} is not set"
        raise AlreadyThere(f"{what} in {path}. Nothing was changed.")
    _require_rest_kept(old, new, edit)
    return Plan(
        operation=operation,
        session="",
        headline=f"{'Set' if after else 'Take out'} {setting} in {path}",
        projects=str(claude_dir.resolve() / "projects"),
        steps=(_make_step(Path(edit.target), old, new),),
        checked=("all other settings stay as they are", "it reads back as JSON"),
        path=str(path),
        settings=edit,
    )


def _list_installs(
    environment: TravelEnvironment, path: Path, setting: str, operation: str
) -> list[Operation]:
    """List the operations that set a setting and stand, the first one first."""
    return [
        one
        for one in environment.journal.list_operations()
        if one.operation == operation
        and one.state == DONE
        and one.settings is not None
        and (one.settings.path, one.settings.setting) == (str(path), setting)
    ]


def _require_rest_kept(old: str, new: str, edit: SettingsEdit) -> None:
    """Hold what an edit makes of the text against what it must mean."""
    before, after = (read_settings_text(text, edit.path) for text in (old, new))
    for settings in (before, after):
        settings.pop(edit.setting, None)
    same = before == after and _decode(find_setting_text(new, edit.setting)) == _decode(edit.after)
    if not same:
        raise Misuse(f"{edit.path} cannot be edited in place. Set {edit.setting} by hand.")


def _decode(value: str) -> object:
    return msgspec.json.decode(value) if value and not value.isspace() else None


def _make_step(file: Path, old: str, new: str) -> Step:
    if not os.path.lexists(file):
        return Create(str(file), new.encode(), PRIVATE_MODE)
    if not file.stat().st_mode & _WRITABLE:
        raise ReadOnlySettings(str(file))
    return Replace(str(file), new.encode(), take_snapshot(file), old.encode())


def _read_text(path: Path) -> str:
    try:
        with open_regular(path) as file:
            return file.readall().decode("utf-8")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise Misuse(f"{path} is not UTF-8 text. Correct it first.") from error
    except (OSError, RuntimeError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else "its link leads nowhere"
        raise Unreadable(path, reason) from error
