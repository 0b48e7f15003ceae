"""What the system is to run: shown, set up and taken away, the same way for every command."""

import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from bough.cli import output
from bough.cli.arguments import check_name
from bough.cli.options import Globals
from bough.cli.reports import print_report
from bough.errors import ExitCode, with_tilde

if TYPE_CHECKING:
    from bough.library import Schedule, ScheduleReport

if sys.platform == "win32":
    from subprocess import list2cmdline as join_words
else:
    join_words = shlex.join

INSTALL_DRY_RUN: Final = click.option(
    "--dry-run", "-n", is_flag=True, help="Show what would be written; write nothing."
)
UNINSTALL_DRY_RUN: Final = click.option(
    "--dry-run", "-n", is_flag=True, help="Show what would be removed; remove nothing."
)


def list_absolute_folders(given: Globals) -> list[str]:
    """Name the Claude folders that were named: the system starts programs elsewhere."""
    return [str(Path(check_name(one)).expanduser().absolute()) for one in given.claude_dirs]


def install_schedule(
    given: Globals,
    schedule: "Schedule",
    install: "Callable[[Schedule], ScheduleReport]",
    *,
    dry_run: bool,
    sentence: str,
) -> int:
    """Set up what the system is to run, or show what would be written.

    Args:
        given: The options of all commands.
        schedule: What is written and run.
        install: Sets it up.
        dry_run: Only show it.
        sentence: What holds from now on.
    """
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
    done = install(schedule)
    print_report(given, done, lambda: _describe_installed(done, sentence))
    return ExitCode.FINE


def uninstall_schedule(
    given: Globals,
    schedule: "Schedule",
    uninstall: "Callable[[Schedule], ScheduleReport]",
    files: Sequence[str],
    *,
    dry_run: bool,
) -> int:
    """Take away what the system runs, or show what would be removed.

    Args:
        given: The options of all commands.
        schedule: What was written and run.
        uninstall: Takes it away.
        files: What was written and is there.
        dry_run: Only show it.
    """
    if dry_run and given.json:
        output.emit_json({"files": list(files)}, output.detect_screen(given.color))
        return ExitCode.FINE
    if dry_run:
        for name in files:
            output.write(f"{name}\n")
        output.flush_output()
        if not files:
            output.say("Nothing is installed.")
        return ExitCode.FINE
    done = uninstall(schedule)
    print_report(given, done, lambda: _describe_uninstalled(done))
    return ExitCode.FINE


def _describe_installed(done: "ScheduleReport", sentence: str) -> Iterator[str]:
    for name in done.files:
        yield f"Wrote {with_tilde(name)}."
    if done.failed:
        yield "It cannot be switched on from here. These commands do it:"
        yield from _list_commands(done.failed)
    else:
        yield f"{sentence} ({done.system})."


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
