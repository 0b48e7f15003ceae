"""Plans that change one setting of the client: set it, or give back what it was."""

import os
from pathlib import Path

import msgspec

from bough.errors import Misuse, Unreadable, reason_of
from bough.timetravel.environment import TravelEnvironment
from bough.timetravel.errors import AlreadyThere, CannotUndo, Refusal
from bough.timetravel.journal import DONE, Operation
from bough.timetravel.plan import PRIVATE_MODE, Create, Plan, Replace, Step
from bough.timetravel.plans.undo import plan_undo
from bough.timetravel.session_file import take_snapshot
from bough.timetravel.settings_file import (
    SettingsEdit,
    find_setting_text,
    is_settings_path,
    read_settings_text,
    remove_setting_text,
    set_setting_text,
)

_WRITABLE = 0o222


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
    if not is_settings_path(path, claude_dir):
        raise Misuse(f"{path} is no file of the client's settings.")
    edit = SettingsEdit(str(path), setting, read_setting(path, setting), value)
    old = _read_text(path)
    if _decode(edit.before) == _decode(edit.after):
        what = f"{setting} is set so already" if value else f"{setting} is not set"
        raise AlreadyThere(f"{what} in {path}. Nothing was changed.")
    new = set_setting_text(old, setting, value) if value else remove_setting_text(old, setting)
    _require_rest_kept(old, new, edit)
    verb = "Set" if value else "Take out"
    return Plan(
        operation=operation,
        session="",
        headline=f"{verb} {setting} in {path}",
        projects=str(claude_dir.resolve() / "projects"),
        steps=(_make_step(Path(edit.target), old, new),),
        checked=("all other settings stay as they are", "it reads back as JSON"),
        path=str(path),
        settings=edit,
    )


def plan_setting_back(
    environment: TravelEnvironment, path: Path, claude_dir: Path, setting: str, *, operation: str
) -> Plan:
    """Plan to give back what a setting was before bough set it.

    Where nothing else has changed the file since, it gets the very bytes it had; else the old
    value of this setting comes back and all else stays.
    """
    own = _find_standing(environment, path, setting, operation)
    if own is not None:
        try:
            return plan_undo(environment, own.number)
        except CannotUndo:
            pass
    before = own.settings.before if own is not None and own.settings is not None else ""
    return plan_setting(path, claude_dir, setting, before, operation=operation)


def _find_standing(
    environment: TravelEnvironment, path: Path, setting: str, operation: str
) -> Operation | None:
    """Find the first operation that set a setting and stands, the one before all later ones."""
    found = [
        one
        for one in environment.journal.list_operations()
        if one.operation == operation
        and one.state == DONE
        and one.settings is not None
        and (one.settings.path, one.settings.setting) == (str(path), setting)
    ]
    standing: Operation | None = None
    for one in reversed(found):
        if one.settings is None or not one.settings.after:
            break
        standing = one
    return standing


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
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise Misuse(f"{path} is not UTF-8 text. Mend it first.") from error
    except (OSError, RuntimeError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else "its link leads nowhere"
        raise Unreadable(path, reason) from error
