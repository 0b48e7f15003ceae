"""The hourly run: what would be written on each system, and that exactly it is taken away."""

import os
import plistlib
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

import pytest

from bough.archive.intake.archive_memory import load_memory
from bough.archive.intake.schedule import (
    install_schedule,
    list_installed_files,
    plan_schedule,
    uninstall_schedule,
)
from bough.errors import ScheduleTrouble
from bough.files.system_schedule import Schedule
from tests.conftest import Home

ODD = '/home/dev/100% $HOME "quoted" back\\slash'
TASK = "{http://schemas.microsoft.com/windows/2004/02/mit/task}"


@pytest.fixture
def schedule(home: Home) -> Schedule:
    """Plan the run of systemd, with commands that every system has."""
    planned = plan_schedule(system="linux")
    return Schedule(
        system=planned.system,
        files=planned.files,
        enable=((sys.executable, "-c", ""),),
        disable=((sys.executable, "-c", ""),),
    )


def test_the_timer_of_systemd_calls_the_archive_every_hour(home: Home) -> None:
    service, timer = plan_schedule([ODD], system="linux", environment={}).files

    assert service.path.name == "bough-archive.service"
    assert service.path.parent.parts[-2:] == ("systemd", "user")
    assert b'"-m" "bough" "archive" "--quiet" "--claude-dir"' in service.content
    assert rb'"/home/dev/100%% $$HOME \"quoted\" back\\slash"' in service.content
    assert b"OnCalendar=hourly\n" in timer.content
    assert b"WantedBy=timers.target\n" in timer.content


def test_what_the_environment_says_of_places_is_written_down(home: Home) -> None:
    given = {"CLAUDE_CONFIG_DIR": "/srv/claude", "XDG_DATA_HOME": "/srv/100%", "SECRET": "x"}
    service, _ = plan_schedule(system="linux", environment=given).files
    agent = plistlib.loads(plan_schedule(system="darwin", environment=given).files[0].content)

    assert b'Environment="CLAUDE_CONFIG_DIR=/srv/claude"\n' in service.content
    assert b'Environment="XDG_DATA_HOME=/srv/100%%"\n' in service.content
    assert agent["EnvironmentVariables"] == {
        "CLAUDE_CONFIG_DIR": "/srv/claude",
        "XDG_DATA_HOME": "/srv/100%",
    }
    assert b"SECRET" not in service.content


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_systemd_finds_nothing_wrong_with_the_timer(home: Home, tmp_path: Path) -> None:
    for file in plan_schedule([str(tmp_path / "100% $HOME")], system="linux").files:
        (tmp_path / file.path.name).write_bytes(file.content)

    # It looks at the sockets of other units too, and the path of a socket is short.
    with TemporaryDirectory(dir="/tmp") as runtime:
        done = subprocess.run(
            ["systemd-analyze", "verify", "--user", str(tmp_path / "bough-archive.timer")],
            env={**os.environ, "XDG_RUNTIME_DIR": runtime},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    assert (done.returncode, done.stderr) == (0, "")


def test_the_agent_of_launchd_is_a_property_list(home: Home) -> None:
    (file,) = plan_schedule([ODD], system="darwin", environment={}).files
    agent = plistlib.loads(file.content)

    assert file.path.name == f"{agent['Label']}.plist"
    assert file.path.parent.parts[-2:] == ("Library", "LaunchAgents")
    assert agent["ProgramArguments"][1:] == [
        "-m", "bough", "archive", "--quiet", "--claude-dir", ODD,
    ]  # fmt: skip
    assert (agent["StartInterval"], agent["RunAtLoad"]) == (3600, True)
    assert "EnvironmentVariables" not in agent


def test_the_scheduled_task_is_what_windows_reads(home: Home) -> None:
    schedule = plan_schedule(["C:\\Users\\Ada Lovelace\\.claude"], system="win32")
    (file,) = schedule.files
    task = ElementTree.fromstring(file.content)

    assert file.content.startswith((b"\xff\xfe", b"\xfe\xff"))
    assert task.tag == f"{TASK}Task"
    # The order of the parts is part of the schema.
    assert [part.tag.removeprefix(TASK) for part in task] == [
        "RegistrationInfo", "Triggers", "Principals", "Settings", "Actions",
    ]  # fmt: skip
    assert task.findtext(f".//{TASK}Repetition/{TASK}Interval") == "PT1H"
    arguments = task.findtext(f".//{TASK}Exec/{TASK}Arguments") or ""
    assert arguments == ('-m bough archive --quiet --claude-dir "C:\\Users\\Ada Lovelace\\.claude"')
    assert schedule.enable[0][:2] == ("schtasks", "/Create")
    assert schedule.disable == (("schtasks", "/Delete", "/TN", "bough-archive", "/F"),)


def test_exactly_what_was_written_is_taken_away(schedule: Schedule) -> None:
    folder = schedule.files[0].path.parent
    folder.mkdir(parents=True)
    other = folder / "other.timer"
    other.write_text("not ours")

    done = install_schedule(schedule)

    assert (done.failed, list_installed_files()) == ((), done.files)
    assert {Path(name).name for name in done.files} | {"other.timer"} == {
        file.name for file in folder.iterdir()
    }
    assert uninstall_schedule(schedule).files == done.files
    assert [file.name for file in folder.iterdir()] == ["other.timer"]
    assert list_installed_files() == ()
    assert uninstall_schedule(schedule).files == ()


def test_a_file_that_somebody_changed_is_left(schedule: Schedule) -> None:
    install_schedule(schedule)
    changed = schedule.files[1].path
    changed.write_bytes(changed.read_bytes() + b"# mine\n")

    done = uninstall_schedule(schedule)

    assert done.left == (str(changed),)
    assert done.files == (str(schedule.files[0].path),)
    assert changed.read_bytes().endswith(b"# mine\n")


def test_a_file_of_somebody_else_is_not_written_over(schedule: Schedule) -> None:
    place = schedule.files[0].path
    place.parent.mkdir(parents=True)
    place.write_text("not ours")

    with pytest.raises(ScheduleTrouble, match="not from bough"):
        install_schedule(schedule)

    assert place.read_text() == "not ours"
    assert load_memory().installed == {}


def test_commands_that_cannot_be_run_are_said(schedule: Schedule) -> None:
    ghost = (("no-such-program-here", "--user"), ("never", "reached"))

    done = install_schedule(
        Schedule(system="systemd", files=schedule.files, enable=ghost, disable=())
    )

    assert done.failed == ghost
    assert list_installed_files() == done.files
