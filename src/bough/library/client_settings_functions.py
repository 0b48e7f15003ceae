"""The client's own settings: what bough sets there when it is asked to, as plans.

`apply` alone writes them, `undo` takes them back, as with sessions.
"""

import sys
from pathlib import Path
from shlex import quote

import msgspec

from bough.config import claude_dirs
from bough.errors import Misuse
from bough.library.parameters import ClaudeDir, as_dirs
from bough.timetravel.environment import TravelEnvironment
from bough.timetravel.plan import Plan
from bough.timetravel.plans.settings_edit import plan_setting, plan_setting_back, read_setting

STATUS_LINE = "statusLine"
"""What the client calls the setting."""
_OPERATION = "statusline"
_OWN = ("bough-statusline", "bough statusline")


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
    words = [_find_program("bough-statusline")]
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
    return plan_setting_back(TravelEnvironment(), path, folder, STATUS_LINE, operation=_OPERATION)


def is_own_status_line(command: str) -> bool:
    """Tell whether a command is bough's status line, by its words."""
    return any(name in command for name in _OWN)


def _find_folder(claude_dir: ClaudeDir) -> Path:
    folder = claude_dirs([Path(one) for one in as_dirs(claude_dir)])[0]
    if not folder.is_dir():
        raise Misuse(f"There is no Claude folder {folder}. Name it with --claude-dir.")
    return folder.absolute()


def _read_object(text: str) -> dict[str, object]:
    found: object = msgspec.json.decode(text) if text else {}
    return found if isinstance(found, dict) else {}


def _find_program(name: str) -> str:
    """Name a program of ours by its full path, as a shell reads it.

    A client is not always started from the shell in which bough is found.
    """
    folder = Path(sys.executable).parent
    for file in (folder / name, folder / f"{name}.exe"):
        if file.is_file():
            return quote(file.as_posix())
    return f"{quote(Path(sys.executable).as_posix())} -P -m bough statusline"
