"""`bough archive export` and `import`: an archive that is carried elsewhere."""

from typing import TYPE_CHECKING, Final

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import check_name, get_claude_folders
from bough.cli.options import BoughCommand, Globals, pass_globals
from bough.cli.reports import print_report, show_archive_progress
from bough.errors import ExitCode, with_tilde
from bough.model.text.formats import format_plural, format_size

if TYPE_CHECKING:
    from bough.library import ArchiveExport, ArchiveImport

_SHOWN: Final = 10


@click.command("export", cls=BoughCommand)
@click.argument("folder", metavar="DIR")
@click.option("--project", metavar="PROJECT", help="Only the sessions of this project.")
@click.option("--age", metavar="RECIPIENT", help="Encrypt each file for a recipient of age.")
@pass_globals
def export_archive(given: Globals, folder: str, *, project: str | None, age: str | None) -> int:
    """Copy the files of the archive to DIR, to carry them elsewhere.

    They are what the archive has: zstd -d reads them back. What DIR has already is not written
    again. With --age they can be read only with the key of RECIPIENT, which looks like age1...,
    or is a public key of SSH; that needs pip install 'bough[age]'.
    """
    done = library.export_archive(
        check_name(folder),
        project=check_name(project) if project is not None else None,
        recipient=check_name(age) if age is not None else None,
        claude_dir=get_claude_folders(given),
        progress=show_archive_progress,
    )
    output.show_status("")
    document = {
        "folder": done.folder,
        "sessions": done.sessions,
        "files": done.files,
        "bytes": done.bytes,
        "same": done.same,
        "problems": [problem.reason for problem in done.problems],
    }
    print_report(given, document, lambda: [_describe_export(done)], done.problems)
    return ExitCode.FAILED if done.problems else ExitCode.FINE


@click.command("import", cls=BoughCommand)
@click.argument("folder", metavar="DIR")
@click.option("--identity", metavar="FILE", help="The file with your key, where DIR is encrypted.")
@pass_globals
def import_archive(given: Globals, folder: str, *, identity: str | None) -> int:
    """Read in the files that bough archive export wrote to DIR.

    Doing it twice changes nothing. Sessions that you had forgotten stay so. What comes from
    another machine is restored with bough restore SESSION --to DIR, or listed with your own
    after bough archive adopt.
    """
    done = library.import_archive(
        check_name(folder),
        identity=check_name(identity) if identity is not None else None,
        progress=show_archive_progress,
    )
    output.show_status("")
    return print_import(given, done, "Took in")


def print_import(given: Globals, done: "ArchiveImport", verb: str) -> int:
    """Write what came into the archive, or what was adopted; both do the same."""
    document = {
        "sessions": sorted(done.sessions),
        "files": done.files,
        "grown": done.grown,
        "same": done.same,
        "bytes": done.bytes,
        "forgotten": done.forgotten,
        "different": done.different,
        "problems": [problem.reason for problem in done.problems],
    }
    print_report(given, document, lambda: [_describe_import(done, verb)], done.problems)
    return ExitCode.FAILED if done.problems or done.different else ExitCode.FINE


def _describe_export(done: "ArchiveExport") -> str:
    sessions, files = format_plural(done.sessions, "session"), format_plural(done.files, "file")
    same = f", {done.same:,} were there already" if done.same else ""
    return (
        f"{sessions}: wrote {files}, {format_size(done.bytes)}{same}. "
        f"They are in {with_tilde(done.folder)}."
    )


def _describe_import(done: "ArchiveImport", verb: str) -> str:
    words = [f"{verb} {format_plural(done.files, 'file')}, {format_size(done.bytes)}"]
    words += [
        f"{number:,} {what}"
        for number, what in (
            (done.grown, "had grown"),
            (done.same, "were there already"),
            (done.forgotten, "are of sessions that you forgot"),
        )
        if number
    ]
    sentences = [f"{', '.join(words)}."]
    if done.different:
        shown = ", ".join(done.different[:_SHOWN])
        more = f" and {len(done.different) - _SHOWN:,} more" if len(done.different) > _SHOWN else ""
        sentences.append(f"Other bytes are kept of {shown}{more}: these were left out.")
    return " ".join(sentences)
