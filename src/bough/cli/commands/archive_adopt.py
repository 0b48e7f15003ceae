"""`bough archive adopt`: what the archive has of another machine is listed with your own."""

from typing import TYPE_CHECKING

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import check_name, get_claude_folders
from bough.cli.commands.archive_export import print_import
from bough.cli.options import BoughCommand, Globals, pass_globals
from bough.cli.reports import show_archive_progress
from bough.errors import ExitCode, with_tilde
from bough.model.text.formats import format_size

if TYPE_CHECKING:
    from bough.library import KnownMachine


@click.command("adopt", cls=BoughCommand)
@click.argument("machine", required=False)
@pass_globals
def adopt(given: Globals, machine: str | None) -> int:
    """List archived sessions of MACHINE among your own from now on.

    Without MACHINE it lists the machines that the archive has files of. What was imported, or
    archived before the data folder was lost, is another machine's. Adopted, its sessions are
    archived ones of this Claude folder: listed, searched, counted and restored like the rest.
    """
    if machine is None:
        return _list_machines(given)
    done = library.adopt_machine(
        check_name(machine), get_claude_folders(given), progress=show_archive_progress
    )
    output.show_status("")
    return print_import(given, done, "Adopted")


def _list_machines(given: Globals) -> int:
    found = library.archive_machines()
    if given.json:
        output.emit_json(found, output.detect_screen(given.color))
        return ExitCode.FINE
    for one in found:
        output.write(f"{_describe_machine(one)}\n")
    output.flush_output()
    if not found:
        output.say("Nothing is archived yet. bough archive makes copies of all sessions.")
    return ExitCode.FINE


def _describe_machine(one: "KnownMachine") -> str:
    own = ", this machine" if one.is_own else ""
    size = format_size(one.contents.bytes)
    safe = library.describe_safe(one.contents)
    return f"{one.machine[: library.SHORT_MACHINE]}  {with_tilde(one.folder)}: {safe}, {size}{own}"
