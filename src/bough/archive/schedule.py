"""An hourly `bough archive --quiet` by the system's own means, for when no bough runs.

    Linux      a user timer of systemd
    macOS      an agent of launchd
    Windows    a scheduled task

What would be written is a value first, to be shown. What was written is remembered with its digest:
taking it away removes exactly that, and leaves what somebody changed since.
"""

import hashlib
import os
import plistlib
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from msgspec import Struct

from bough.archive.archive_memory import load_memory, save_memory
from bough.config import data_dir, user_config_dir
from bough.errors import ArchiveTrouble, reason_of

NAME: Final = "bough-archive"
_LABEL: Final = "bough.archive"
_HOUR: Final = 3600
_TASK_SPACE: Final = "http://schemas.microsoft.com/windows/2004/02/mit/task"
_VARIABLES: Final = ("CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME")
"""What of the environment says where things are; the system starts programs without it."""
_PATIENCE: Final = 30.0


class ScheduleFile(Struct, frozen=True):
    """A file that an hourly run needs."""

    path: Path
    content: bytes


class Schedule(Struct, frozen=True, kw_only=True):
    """An hourly run: the files it needs, and the commands that switch it on and off."""

    system: str
    files: tuple[ScheduleFile, ...]
    enable: tuple[tuple[str, ...], ...]
    disable: tuple[tuple[str, ...], ...]


class ScheduleReport(Struct, frozen=True, kw_only=True):
    """What was written or removed, what was left as somebody changed it, and what is to be done.

    `failed` are commands that could not be run here: a person may run them.
    """

    system: str
    files: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    failed: tuple[tuple[str, ...], ...] = ()


def plan_schedule(
    claude_dirs: Sequence[str] = (),
    system: str = sys.platform,
    environment: Mapping[str, str] = os.environ,
) -> Schedule:
    """Plan an hourly run on a system; Claude folders are those that were named."""
    folders = [word for folder in claude_dirs for word in ("--claude-dir", str(Path(folder)))]
    command = [sys.executable, "-m", "bough", "archive", "--quiet", *folders]
    variables = {name: environment[name] for name in _VARIABLES if environment.get(name)}
    if system == "darwin":
        return _plan_launchd(command, variables)
    if system == "win32":
        return _plan_task(command)
    return _plan_systemd(command, variables)


def install_schedule(schedule: Schedule) -> ScheduleReport:
    """Write the files and switch the run on.

    Raises:
        ArchiveTrouble: A file cannot be written, or one that is not ours is there.
    """
    memory = load_memory()
    for file in schedule.files:
        found = _read(file.path)
        if found not in (None, file.content) and _digest(found) != memory.installed.get(
            str(file.path)
        ):
            raise ArchiveTrouble(f"{file.path} is there and not from bough. Move it away first.")
    for file in schedule.files:
        try:
            file.path.parent.mkdir(parents=True, exist_ok=True)
            file.path.write_bytes(file.content)
        except OSError as error:
            raise ArchiveTrouble(f"Cannot write {file.path}: {reason_of(error)}.") from error
        memory.installed[str(file.path)] = _digest(file.content)
        save_memory(memory)
    return ScheduleReport(
        system=schedule.system,
        files=tuple(str(file.path) for file in schedule.files),
        failed=_run_all(schedule.enable),
    )


def uninstall_schedule(schedule: Schedule) -> ScheduleReport:
    """Switch the run off, and remove the files that were written; changed ones are left."""
    memory = load_memory()
    if not memory.installed:
        return ScheduleReport(system=schedule.system)
    failed = _run_all(schedule.disable)
    removed: list[str] = []
    left: list[str] = []
    for name, digest in sorted(memory.installed.items()):
        found = _read(Path(name))
        if found is None:
            continue
        if _digest(found) != digest:
            left.append(name)
            continue
        try:
            Path(name).unlink()
        except OSError as error:
            raise ArchiveTrouble(f"Cannot remove {name}: {reason_of(error)}.") from error
        removed.append(name)
    memory.installed = {}
    save_memory(memory)
    return ScheduleReport(
        system=schedule.system, files=tuple(removed), left=tuple(left), failed=failed
    )


def list_installed_files() -> tuple[str, ...]:
    """List the files of an hourly run that were written and are there."""
    return tuple(sorted(name for name in load_memory().installed if Path(name).is_file()))


# -- the three systems --------------------------------------------------------------------------


def _plan_systemd(command: Sequence[str], variables: Mapping[str, str]) -> Schedule:
    folder = user_config_dir() / "systemd" / "user"
    settings = "".join(f"Environment={_quote(f'{n}={v}')}\n" for n, v in variables.items())
    service = (
        "# Written by bough archive install; bough archive uninstall removes it.\n"
        "[Unit]\nDescription=Keep copies of Claude Code sessions\n\n"
        f"[Service]\nType=oneshot\nNice=10\n{settings}"
        f"ExecStart={' '.join(_quote(word, is_command=True) for word in command)}\n"
    )
    timer = (
        "# Written by bough archive install; bough archive uninstall removes it.\n"
        "[Unit]\nDescription=Keep copies of Claude Code sessions every hour\n\n"
        "[Timer]\nOnCalendar=hourly\nRandomizedDelaySec=300\nPersistent=true\n\n"
        "[Install]\nWantedBy=timers.target\n"
    )
    control = ("systemctl", "--user")
    return Schedule(
        system="systemd",
        files=(
            ScheduleFile(folder / f"{NAME}.service", service.encode()),
            ScheduleFile(folder / f"{NAME}.timer", timer.encode()),
        ),
        enable=((*control, "daemon-reload"), (*control, "enable", "--now", f"{NAME}.timer")),
        disable=((*control, "disable", "--now", f"{NAME}.timer"),),
    )


def _plan_launchd(command: Sequence[str], variables: Mapping[str, str]) -> Schedule:
    path = Path("~/Library/LaunchAgents").expanduser() / f"{_LABEL}.plist"
    content: dict[str, object] = {
        "Label": _LABEL,
        "ProgramArguments": list(command),
        "StartInterval": _HOUR,
        "RunAtLoad": True,
        "ProcessType": "Background",
        "LowPriorityIO": True,
    }
    if variables:
        content["EnvironmentVariables"] = dict(variables)
    return Schedule(
        system="launchd",
        files=(ScheduleFile(path, plistlib.dumps(content)),),
        enable=(("launchctl", "load", "-w", str(path)),),
        disable=(("launchctl", "unload", "-w", str(path)),),
    )


def _plan_task(command: Sequence[str]) -> Schedule:
    path = data_dir() / f"{NAME}.xml"
    program, *arguments = command
    quiet = Path(program).with_name("pythonw.exe")  # opens no window
    task = ElementTree.Element("Task", {"version": "1.2", "xmlns": _TASK_SPACE})
    _add(task, "RegistrationInfo/Description", "Keep copies of Claude Code sessions.")
    _add(task, "Triggers/TimeTrigger/Repetition/Interval", "PT1H")
    _add(task, "Triggers/TimeTrigger/StartBoundary", "2026-01-01T00:00:00")
    _add(task, "Triggers/TimeTrigger/Enabled", "true")
    principal = _add(task, "Principals/Principal/LogonType", "InteractiveToken")
    principal.set("id", "Author")
    _add(task, "Settings/MultipleInstancesPolicy", "IgnoreNew")
    _add(task, "Settings/DisallowStartIfOnBatteries", "false")
    _add(task, "Settings/StopIfGoingOnBatteries", "false")
    _add(task, "Settings/StartWhenAvailable", "true")
    _add(task, "Settings/ExecutionTimeLimit", "PT1H")
    _add(task, "Settings/Priority", "7")
    _add(task, "Actions/Exec/Command", str(quiet if quiet.is_file() else program))
    _add(task, "Actions/Exec/Arguments", subprocess.list2cmdline(arguments))
    content = ElementTree.tostring(task, encoding="utf-16", xml_declaration=True)
    return Schedule(
        system="scheduled task",
        files=(ScheduleFile(path, content),),
        enable=(("schtasks", "/Create", "/TN", NAME, "/XML", str(path), "/F"),),
        disable=(("schtasks", "/Delete", "/TN", NAME, "/F"),),
    )


def _add(task: ElementTree.Element, path: str, text: str) -> ElementTree.Element:
    """Write a text at the end of a path of names; give the element above it."""
    *above, name = path.split("/")
    place = task
    for step in above:
        found = place.find(step)
        place = found if found is not None else ElementTree.SubElement(place, step)
    ElementTree.SubElement(place, name).text = text
    return place


def _quote(word: str, *, is_command: bool = False) -> str:
    """Write a word for systemd, which reads backslashes, quotes, % and in commands $."""
    for sign, written in (("\\", "\\\\"), ('"', '\\"'), ("%", "%%")):
        word = word.replace(sign, written)
    return f'"{word.replace("$", "$$") if is_command else word}"'


# -- files and commands -------------------------------------------------------------------------


def _run_all(commands: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Run commands; give those that did not work, and all that follow them."""
    for number, command in enumerate(commands):
        program = shutil.which(command[0])
        done = 1
        if program is not None:
            with suppress(OSError, subprocess.TimeoutExpired):
                done = subprocess.run(  # noqa: S603 - the system's own, with words of ours
                    [program, *command[1:]],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    timeout=_PATIENCE,
                    check=False,
                ).returncode
        if done != 0:
            return tuple(commands[number:])
    return ()


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _digest(content: bytes | None) -> str:
    return hashlib.sha256(content or b"").hexdigest()
