"""`bough archive forget`: no copy of a session stays in what is bough's own."""

from typing import TYPE_CHECKING, Final

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import check_name, get_claude_folders
from bough.cli.options import BoughCommand, Globals, pass_globals
from bough.cli.prompts import ask_yes_no, is_interactive
from bough.cli.reports import print_report
from bough.errors import ExitCode, Misuse
from bough.model.text.formats import format_plural, format_size

if TYPE_CHECKING:
    from bough.library import ForgottenParts

_SHORT: Final = 8


@click.command("forget", cls=BoughCommand)
@click.argument("session")
@click.option("--yes", "-y", is_flag=True, help="Do it without asking.")
@pass_globals
def forget(given: Globals, session: str, *, yes: bool) -> int:
    """Remove every copy of SESSION, and never archive it again.

    SESSION is an id or the beginning of one. Gone are its files in the archive, its rows in the
    index, its backups of time travel, and stars and notes on it; where a team's database is set,
    also what was sent there. The client's own files stay, and so do exports; what else stays is
    said.
    """
    dirs = get_claude_folders(given)
    place = check_name(given.index) if given.index is not None else None
    found = library.find_forgettable_session(check_name(session), dirs, place)
    if not yes:
        if not is_interactive():
            raise Misuse(
                "There is no terminal to ask on. Give --yes to remove every copy of the session."
            )
        if not ask_yes_no(f"Remove every copy of session {found[:_SHORT]} that bough has?"):
            output.say("Nothing was removed.")
            return ExitCode.FAILED
    done = library.forget_archived_session(found, dirs, place)
    print_report(given, done, lambda: [f"Removed {_describe_removed(done)}.", *done.remaining])
    return ExitCode.FINE


def _describe_removed(done: "ForgottenParts") -> str:
    parts = [f"{format_plural(done.files, 'copy', 'copies')}, {format_size(done.bytes)}"]
    if done.indexed:
        parts.append(f"{format_plural(done.indexed, 'file')} of the index")
    if done.backups:
        parts.append(format_plural(done.backups, "backup"))
    if done.annotations:
        parts.append(format_plural(done.annotations, "annotation"))
    if done.pushed:
        parts.append(f"{format_plural(done.pushed, 'file')} of the team's database")
    return "; ".join(parts)
