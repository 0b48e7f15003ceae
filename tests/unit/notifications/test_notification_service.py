"""`bough notify` in the background: what would be written on each system, and what is refused."""

import os
import plistlib
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

import msgspec
import pytest

from bough.errors import Misuse
from bough.files.system_schedule import Schedule
from bough.notifications.notification_service import (
    NotifierOptions,
    install_notify_service,
    list_notify_service_files,
    plan_notify_service,
    uninstall_notify_service,
)
from tests.conftest import Home

TASK = "{http://schemas.microsoft.com/windows/2004/02/mit/task}"
ALL = NotifierOptions(
    on=("waiting", "failed,budget"),
    quiet="22:00-08:00",
    only=("-home-dev-shop",),
    desktop=True,
    run='say "$BOUGH_TEXT" 100%',
    webhook="https://example.org/hook",
    no_index=True,
)
WORDS = [
    "--claude-dir=/home/dev/.claude", "--index=/srv/index.db", "--on=waiting",
    "--on=failed,budget", "--quiet=22:00-08:00", "--only=-home-dev-shop",
    '--exec=say "$BOUGH_TEXT" 100%', "--webhook=https://example.org/hook", "--desktop",
    "--no-index",
]  # fmt: skip


def plan(system: str) -> Schedule:
    given = {"PATH": "/opt/bin:/usr/bin", "BOUGH_INDEX": "/srv/index", "SECRET": "x"}
    return plan_notify_service(ALL, ["/home/dev/.claude"], "/srv/index.db", system, given)


def marked(name: str, word: str) -> tuple[str, ...]:
    """Give a command that leaves a mark in the folder of the data."""
    code = f"import pathlib; pathlib.Path({name!r}).open('a').write({word!r})"
    return (sys.executable, "-c", code)


def test_the_service_of_systemd_is_started_with_the_session_and_again_when_it_fails(
    home: Home,
) -> None:
    (file,) = plan("linux").files

    assert file.path.name == "bough-notify.service"
    text = file.content.decode()
    assert '"--exec=say \\"$$BOUGH_TEXT\\" 100%%"' in text
    assert "Restart=on-failure\n" in text
    assert "WantedBy=default.target\n" in text
    # What it prints are words of transcripts, and the system's log is no place for them.
    assert "StandardOutput=null\n" in text
    assert 'Environment="PATH=/opt/bin:/usr/bin"\n' in text
    assert 'Environment="BOUGH_INDEX=/srv/index"\n' in text
    assert "SECRET" not in text


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_systemd_finds_nothing_wrong_with_the_service(home: Home, tmp_path: Path) -> None:
    (file,) = plan("linux").files
    (tmp_path / file.path.name).write_bytes(file.content)

    # It looks at the sockets of other units too, and the path of a socket is short.
    with TemporaryDirectory(dir="/tmp") as runtime:
        done = subprocess.run(
            ["systemd-analyze", "verify", "--user", str(tmp_path / file.path.name)],
            env={**os.environ, "XDG_RUNTIME_DIR": runtime},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    assert (done.returncode, done.stderr) == (0, "")


def test_the_agent_of_launchd_has_every_option_and_is_kept_alive(home: Home) -> None:
    (file,) = plan("darwin").files
    agent = plistlib.loads(file.content)

    assert file.path.name == f"{agent['Label']}.plist" == "bough.notify.plist"
    assert agent["ProgramArguments"][1:] == ["-m", "bough", "notify", *WORDS]
    assert (agent["RunAtLoad"], agent["KeepAlive"]) == (True, {"SuccessfulExit": False})
    assert "StartInterval" not in agent


def test_the_scheduled_task_starts_when_one_logs_on_and_has_no_end(home: Home) -> None:
    schedule = plan("win32")
    (file,) = schedule.files
    task = ElementTree.fromstring(file.content)

    assert task.findtext(f".//{TASK}LogonTrigger/{TASK}Enabled") == "true"
    assert task.findtext(f".//{TASK}ExecutionTimeLimit") == "PT0S"
    assert task.find(f".//{TASK}TimeTrigger") is None
    arguments = task.findtext(f".//{TASK}Exec/{TASK}Arguments") or ""
    assert arguments == subprocess.list2cmdline(["-m", "bough", "notify", *WORDS])
    assert [command[:2] for command in schedule.enable] == [
        ("schtasks", "/Create"),
        ("schtasks", "/Run"),
    ]


@pytest.mark.parametrize(
    "options",
    [
        NotifierOptions(on=("nonsense",)),
        NotifierOptions(quiet="at night"),
        NotifierOptions(webhook="ftp://example.org"),
    ],
)
def test_what_cannot_be_told_is_refused_before_anything_is_written(
    home: Home, options: NotifierOptions
) -> None:
    with pytest.raises(Misuse):
        plan_notify_service(options)


def test_other_options_take_the_place_of_those_that_run(home: Home, tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.touch()

    def schedule(kinds: str) -> Schedule:
        planned = plan_notify_service(NotifierOptions(on=(kinds,)), system="linux", environment={})
        on, off = marked(str(log), f"on {kinds};"), marked(str(log), "off;")
        return msgspec.structs.replace(planned, enable=(on,), disable=(off,))

    install_notify_service(schedule("waiting"))
    install_notify_service(schedule("waiting"))
    done = install_notify_service(schedule("failed"))

    (name,) = done.files
    assert log.read_text() == "on waiting;on waiting;off;on failed;"
    assert '"--on=failed"' in Path(name).read_text()
    assert list_notify_service_files() == (name,)
    assert uninstall_notify_service(schedule("failed")).files == (name,)
    assert list_notify_service_files() == ()


@pytest.mark.skipif(os.name != "posix", reason="needs modes of files")
def test_an_address_is_for_nobody_else_to_read(home: Home) -> None:
    planned = plan_notify_service(ALL, system="linux")
    done = install_notify_service(msgspec.structs.replace(planned, enable=(), disable=()))

    assert stat.S_IMODE(Path(done.files[0]).stat().st_mode) == 0o600
