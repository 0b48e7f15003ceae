"""`bough backup`: all of bough's own data in one file."""

import click

from bough import library
from bough.cli.arguments import check_name, get_claude_folders
from bough.cli.options import Globals, command, pass_globals
from bough.cli.reports import print_report
from bough.errors import ExitCode
from bough.model.text.formats import format_plural, format_size


@command("backup")
@click.argument("file")
@pass_globals
def backup(given: Globals, file: str) -> int:
    """Write all of bough's own data to FILE: settings, notes, the archive, the journal.

    FILE is a tar packed with zstd, for nobody else to read. It is read back before it takes
    the place of an older backup. The index is not in it: it is made again. The client's own
    files are not in it either, but for what is archived.
    """
    place = check_name(file)
    contents = library.back_up(place, claude_dir=get_claude_folders(given))
    document = {
        "file": place,
        "files": len(contents.files),
        "bytes": contents.bytes,
        "at": contents.at,
        "notes": contents.notes,
    }
    files, size = format_plural(len(contents.files), "file"), format_size(contents.bytes)
    sentence = (
        f"Wrote {files}, {size}, to {place}, and read them back. bough restore-backup brings them "
        "back."
    )
    print_report(given, document, lambda: [sentence, *contents.notes])
    return ExitCode.FINE
