"""Commands of bough that the system runs by its own means, for when no bough is open.

    Linux      a user timer or a user service of systemd
    macOS      an agent of launchd
    Windows    a scheduled task

A command is run every hour, or all the time that a person is logged in. What would be written is a
value first, to be shown. What was written is remembered with its digest: taking it away removes
exactly that, and leaves what somebody changed since.
"""

import hashlib
import os
import plistlib
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from msgspec import Struct

from bough.config import data_dir, user_config_dir
from bough.errors import ScheduleTrouble, reason_of

_HOUR: Final = 3600
_RESTART_SECONDS: Final = 30
_TASK_SPACE: Final = "http://schemas.microsoft.com/windows/2004/02/mit/task"
_VARIABLES: Final = ("CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME")
"""What of the environment says where things are; the system starts programs without it."""
_PATIENCE: Final = 30.0


class ScheduleCommand(Struct, frozen=True, kw_only=True):
    """A command of bough that the system runs.

    It is run every hour where it `is_hourly`, else it is kept running. `installer` is the command
    that sets it up, `name` what the system calls it, `variables` what it takes of the environment
    besides what says where things are.
    """

    name: str
    label: str
    installer: str
    description: str
    words: tuple[str, ...]
    is_hourly: bool
    variables: tuple[str, ...] = ()


class ScheduleFile(Struct, frozen=True):
    """A file that the system needs to run a command."""

    path: Path
    content: bytes


class Schedule(Struct, frozen=True, kw_only=True):
    """How a system runs a command: the files, and the commands that switch it on and off."""

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


def plan_command(
    command: ScheduleCommand,
    system: str = sys.platform,
    environment: Mapping[str, str] = os.environ,
) -> Schedule:
    """Plan how a system runs a command."""
    names = (*_VARIABLES, *command.variables)
    variables = {name: environment[name] for name in names if environment.get(name)}
    if system == "darwin":
        return _plan_launchd(command, variables)
    if system == "win32":
        return _plan_task(command)
    return _plan_systemd(command, variables)


def write_schedule(
    schedule: Schedule,
    installed: dict[str, str],
    keep: Callable[[], None],
    *,
    is_private: bool = False,
) -> ScheduleReport:
    """Write the files and switch the command on.

    Args:
        schedule: What is written and run.
        installed: Digests of files that were written before; those of these come to it.
        keep: Is called when `installed` has changed.
        is_private: Nobody else may read the files: an address may be as good as a password.

    Raises:
        ScheduleTrouble: A file cannot be written, or one that is not ours is there.
    """
    before = {file.path: _read(file.path) for file in schedule.files}
    for file in schedule.files:
        found = before[file.path]
        if found not in (None, file.content) and _digest(found) != installed.get(str(file.path)):
            raise ScheduleTrouble(f"{file.path} is there and not from bough. Move it away first.")
    if any(before[file.path] not in (None, file.content) for file in schedule.files):
        _run_all(schedule.disable)  # what runs now is another command
    for file in schedule.files:
        try:
            file.path.parent.mkdir(parents=True, exist_ok=True)
            if is_private:
                file.path.touch(0o600)
                file.path.chmod(0o600)
            file.path.write_bytes(file.content)
        except OSError as error:
            raise ScheduleTrouble(f"Cannot write {file.path}: {reason_of(error)}.") from error
        installed[str(file.path)] = _digest(file.content)
        keep()
    return ScheduleReport(
        system=schedule.system,
        files=tuple(str(file.path) for file in schedule.files),
        failed=_run_all(schedule.enable),
    )


def remove_schedule(
    schedule: Schedule, installed: dict[str, str], keep: Callable[[], None]
) -> ScheduleReport:
    """Switch the command off, and remove the files that were written; changed ones are left.

    Args:
        schedule: What was written and run.
        installed: Digests of the files that were written; it is empty afterwards.
        keep: Is called when `installed` has changed.

    Raises:
        ScheduleTrouble: A file cannot be removed.
    """
    if not installed:
        return ScheduleReport(system=schedule.system)
    failed = _run_all(schedule.disable)
    removed: list[str] = []
    left: list[str] = []
    for name, digest in sorted(installed.items()):
        found = _read(Path(name))
        if found is None:
            continue
        if _digest(found) != digest:
            left.append(name)
            continue
        try:
            Path(name).unlink()
        except OSError as error:
            raise ScheduleTrouble(f"Cannot remove {name}: {reason_of(error)}.") from error
        removed.append(name)
    installed.clear()
    keep()
    return ScheduleReport(
        system=schedule.system, files=tuple(removed), left=tuple(left), failed=failed
    )


# -- the three systems --------------------------------------------------------------------------


def _plan_systemd(command: ScheduleCommand, variables: Mapping[str, str]) -> Schedule:
    folder = user_config_dir() / "systemd" / "user"
    origin = (
        f"# Written by {command.installer} install; {command.installer} uninstall removes it.\n"
    )
    settings = "".join(f"Environment={_quote(f'{n}={v}')}\n" for n, v in variables.items())
    program = " ".join(_quote(word, is_command=True) for word in _make_program(command))
    control = ("systemctl", "--user")
    reload = (*control, "daemon-reload")
    service = f"{origin}[Unit]\nDescription={command.description}\n\n"
    if not command.is_hourly:
        # What it prints are words of transcripts: they do not belong into the system's log.
        service += (
            f"[Service]\nNice=10\nRestart=on-failure\nRestartSec={_RESTART_SECONDS}\n"
            "RestartPreventExitStatus=2\nSuccessExitStatus=130\nStandardOutput=null\n"
            f"{settings}ExecStart={program}\n\n[Install]\nWantedBy=default.target\n"
        )
        unit = f"{command.name}.service"
        return Schedule(
            system="systemd",
            files=(ScheduleFile(folder / unit, service.encode()),),
            enable=(reload, (*control, "enable", "--now", unit)),
            disable=((*control, "disable", "--now", unit),),
        )
    service += f"[Service]\nType=oneshot\nNice=10\n{settings}ExecStart={program}\n"
    timer = (
        f"{origin}[Unit]\nDescription={command.description} every hour\n\n"
        "[Timer]\nOnCalendar=hourly\nRandomizedDelaySec=300\nPersistent=true\n\n"
        "[Install]\nWantedBy=timers.target\n"
    )
    unit = f"{command.name}.timer"
    return Schedule(
        system="systemd",
        files=(
            ScheduleFile(folder / f"{command.name}.service", service.encode()),
            ScheduleFile(folder / unit, timer.encode()),
        ),
        enable=(reload, (*control, "enable", "--now", unit)),
        disable=((*control, "disable", "--now", unit),),
    )


def _plan_launchd(command: ScheduleCommand, variables: Mapping[str, str]) -> Schedule:
    path = Path("~/Library/LaunchAgents").expanduser() / f"{command.label}.plist"
    content: dict[str, object] = {
        "Label": command.label,
        "ProgramArguments": _make_program(command),
        "RunAtLoad": True,
        "ProcessType": "Background",
        "LowPriorityIO": True,
    }
    if command.is_hourly:
        content["StartInterval"] = _HOUR
    else:
        content["KeepAlive"] = {"SuccessfulExit": False}
        content["ThrottleInterval"] = _RESTART_SECONDS
    if variables:
        content["EnvironmentVariables"] = dict(variables)
    return Schedule(
        system="launchd",
        files=(ScheduleFile(path, plistlib.dumps(content)),),
        enable=(("launchctl", "load", "-w", str(path)),),
        disable=(("launchctl", "unload", "-w", str(path)),),
    )


def _plan_task(command: ScheduleCommand) -> Schedule:
    path = data_dir() / f"{command.name}.xml"
    program, *arguments = _make_program(command)
    quiet = Path(program).with_name("pythonw.exe")  # opens no window
    task = ElementTree.Element("Task", {"version": "1.2", "xmlns": _TASK_SPACE})
    _add(task, "RegistrationInfo/Description", f"{command.description}.")
    if command.is_hourly:
        _add(task, "Triggers/TimeTrigger/Repetition/Interval", "PT1H")
        _add(task, "Triggers/TimeTrigger/StartBoundary", "2026-01-01T00:00:00")
        _add(task, "Triggers/TimeTrigger/Enabled", "true")
    else:
        _add(task, "Triggers/LogonTrigger/Enabled", "true")
    principal = _add(task, "Principals/Principal/LogonType", "InteractiveToken")
    principal.set("id", "Author")
    _add(task, "Settings/MultipleInstancesPolicy", "IgnoreNew")
    _add(task, "Settings/DisallowStartIfOnBatteries", "false")
    _add(task, "Settings/StopIfGoingOnBatteries", "false")
    _add(task, "Settings/StartWhenAvailable", "true")
    _add(task, "Settings/ExecutionTimeLimit", "PT1H" if command.is_hourly else "PT0S")
    _add(task, "Settings/Priority", "7")
    if not command.is_hourly:
        _add(task, "Settings/RestartOnFailure/Interval", "PT1M")
        _add(task, "Settings/RestartOnFailure/Count", "100")
    _add(task, "Actions/Exec/Command", str(quiet if quiet.is_file() else program))
    _add(task, "Actions/Exec/Arguments", subprocess.list2cmdline(arguments))
    content = ElementTree.tostring(task, encoding="utf-16", xml_declaration=True)
    name = ("/TN", command.name)
    create = ("schtasks", "/Create", *name, "/XML", str(path), "/F")
    delete = ("schtasks", "/Delete", *name, "/F")
    if command.is_hourly:
        return Schedule(
            system="scheduled task",
            files=(ScheduleFile(path, content),),
            enable=(create,),
            disable=(delete,),
        )
    # A task that is deleted runs on; one that does not run cannot be ended, and is deleted too.
    end = f"schtasks /End /TN {command.name} & schtasks /Delete /TN {command.name} /F"
    return Schedule(
        system="scheduled task",
        files=(ScheduleFile(path, content),),
        enable=(create, ("schtasks", "/Run", *name)),
        disable=(("cmd", "/c", end),),
    )


def _make_program(command: ScheduleCommand) -> list[str]:
    return [sys.executable, "-m", "bough", *command.words]


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
