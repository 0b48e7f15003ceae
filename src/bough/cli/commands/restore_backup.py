"""`bough restore-backup`: bring back what `bough backup` wrote."""

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import check_name
from bough.cli.options import Globals, command, pass_globals
from bough.errors import ExitCode
from bough.model.text.formats import format_plural, format_size


@command("restore-backup")
@click.argument("file")
@click.option("--replace", is_flag=True, help="Put what is there aside first.")
@pass_globals
def restore_backup(given: Globals, file: str, *, replace: bool) -> int:
    """Bring back bough's own data from FILE, which bough backup wrote.

    All of FILE is read before anything is changed. Where bough has data or settings already,
    nothing is done; with --replace they are renamed, and stay.
    """
    done = library.restore_backup(check_name(file), replace=replace)
    if given.json:
        output.emit_json(done, output.detect_screen(given.color))
        return ExitCode.FINE
    output.say(
        f"Brought back {format_plural(done.files, 'file')}, {format_size(done.bytes)}, "
        f"of {done.at[:10]}."
    )
    for place in done.aside:
        output.say(f"What was there is in {place}.")
    for note in done.notes:
        output.say(note)
    return ExitCode.FINE
