"""`bough archive install` and `uninstall`: an hourly run by the system's own means."""

import shlex
import sys

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import check_name
from bough.cli.options import BoughCommand, Globals, pass_globals
from bough.errors import ExitCode, with_tilde

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
    if given.json:
        output.emit_json(done, output.detect_screen(given.color))
        return ExitCode.FINE
    for name in done.files:
        output.say(f"Wrote {with_tilde(name)}.")
    if done.failed:
        output.say("It cannot be switched on from here. These commands do it:")
        _say_commands(done.failed)
    else:
        output.say(f"bough archive is called every hour ({done.system}).")
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
    if given.json:
        output.emit_json(done, output.detect_screen(given.color))
        return ExitCode.FINE
    for name in done.files:
        output.say(f"Removed {with_tilde(name)}.")
    for name in done.left:
        output.say(f"{with_tilde(name)} was changed since, and is left as it is.")
    if done.failed:
        output.say("It cannot be switched off from here. These commands do it:")
        _say_commands(done.failed)
    if not done.files and not done.left:
        output.say("Nothing was installed.")
    return ExitCode.FINE


def _say_commands(commands: tuple[tuple[str, ...], ...]) -> None:
    for command in commands:
        output.say(f"  {join_words(command)}")


def _decode(content: bytes) -> str:
    """Read what would be written, as a person does."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16").rstrip()
    return content.decode().rstrip()
