"""`bough archive install` and `uninstall`: an hourly run by the system's own means."""

import shlex
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import check_name
from bough.cli.options import BoughCommand, Globals, pass_globals
from bough.cli.reports import print_report
from bough.errors import ExitCode, with_tilde

if TYPE_CHECKING:
    from bough.library import ScheduleReport

if sys.platform == "win32":
    from subprocess import list2cmdline as join_words
else:
    join_words = shlex.join


@click.command("install", cls=BoughCommand)
@click.option("--dry-run", "-n", is_flag=True, help="Show what would be written; write nothing.")
@pass_globals
def install(given: Globals, *, dry_run: bool) -> int:
    """Let the system call bough archive --quiet every hour, whether bough runs or not.

    By a user timer of systemd, an agent of launchd, or a scheduled task. bough archive
    uninstall takes it away again.
    """
    schedule = library.plan_schedule([check_name(folder) for folder in given.claude_dirs])
    if dry_run and given.json:
        document = {
            "files": [
                {"path": str(file.path), "content": _decode(file.content)}
                for file in schedule.files
            ],
            "commands": schedule.enable,
        }
        output.emit_json(document, output.detect_screen(given.color))
        return ExitCode.FINE
    if dry_run:
        for file in schedule.files:
            output.write(f"{file.path}\n\n{_decode(file.content)}\n\n")
        for command in schedule.enable:
            output.write(f"{join_words(command)}\n")
        output.flush_output()
        return ExitCode.FINE
    done = library.install_schedule(schedule)
    print_report(given, done, lambda: _describe_installed(done))
    return ExitCode.FINE


@click.command("uninstall", cls=BoughCommand)
@click.option("--dry-run", "-n", is_flag=True, help="Show what would be removed; remove nothing.")
@pass_globals
def uninstall(given: Globals, *, dry_run: bool) -> int:
    """Take away what bough archive install wrote, and nothing else. The archive stays."""
    schedule = library.plan_schedule()
    if dry_run and given.json:
        files = list(library.list_installed_files())
        output.emit_json({"files": files}, output.detect_screen(given.color))
        return ExitCode.FINE
    if dry_run:
        for name in library.list_installed_files():
            output.write(f"{name}\n")
        output.flush_output()
        return ExitCode.FINE
    done = library.uninstall_schedule(schedule)
    print_report(given, done, lambda: _describe_uninstalled(done))
    return ExitCode.FINE


def _describe_installed(done: "ScheduleReport") -> Iterator[str]:
    for name in done.files:
        yield f"Wrote {with_tilde(name)}."
    if done.failed:
        yield "It cannot be switched on from here. These commands do it:"
        yield from _list_commands(done.failed)
    else:
        yield f"bough archive is called every hour ({done.system})."


def _describe_uninstalled(done: "ScheduleReport") -> Iterator[str]:
    for name in done.files:
        yield f"Removed {with_tilde(name)}."
    for name in done.left:
        yield f"{with_tilde(name)} was changed since, and is left as it is."
    if done.failed:
        yield "It cannot be switched off from here. These commands do it:"
        yield from _list_commands(done.failed)
    if not done.files and not done.left:
        yield "Nothing was installed."


def _list_commands(commands: tuple[tuple[str, ...], ...]) -> Iterator[str]:
    return (f"  {join_words(command)}" for command in commands)


def _decode(content: bytes) -> str:
    """Read what would be written, as a person does."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16").rstrip()
    return content.decode().rstrip()
