"""`bough index`: read everything into the index, or say how it is."""

import time
from typing import TYPE_CHECKING

import click

from bough.cli import output
from bough.cli.arguments import folders, tell_problems, word
from bough.cli.options import Globals, command, pass_globals
from bough.cli.progress import progress_bar
from bough.errors import ExitCode
from bough.model.text.formats import duration, plural, size
from bough.query.index.handle import index_exists, open_index, rebuild_index

if TYPE_CHECKING:
    from bough.query.index.handle import IndexHandle


@command("index")
@click.option("--rebuild", is_flag=True, help="Throw the index away and make it anew.")
@click.option("--check", is_flag=True, help="Compare the index with the files; change nothing.")
@pass_globals
def index(given: Globals, *, rebuild: bool, check: bool) -> int:
    """Read what is new into the index, which makes lists and search fast.

    Only new bytes are read. All that is in it can be made again from your files.
    """
    if rebuild and check:
        raise click.UsageError("Give --rebuild or --check, not both")
    dirs = folders(given)
    place = word(given.index) if given.index is not None else None
    if check:
        return _check(given, dirs, place)
    make = rebuild_index if rebuild else open_index
    started = time.monotonic()
    with progress_bar() as progress, make(dirs, place, progress=progress) as handle:
        took = time.monotonic() - started
    return _tell(given, handle, took)


def _tell(given: Globals, handle: "IndexHandle", took: float) -> int:
    """Say what was read, in one sentence or one document."""
    report = handle.report
    if given.json:
        document = {
            "index": str(handle.path),
            "files": report.files,
            "bytes": report.bytes,
            "deleted": report.deleted,
            "seconds": round(took, 3),
            "partial": handle.partial,
            "problems": [_sentence(problem) for problem in report.problems],
        }
        output.emit_json(document, output.screen(given.color))
        output.finish()
    trouble = tell_problems(report.problems)
    if handle.partial:
        output.say(handle.partial)
        return ExitCode.INDEX
    if not given.json:
        output.say(_closing(handle, took))
    return ExitCode.FAILED if trouble and not report.files else ExitCode.FINE


def _sentence(problem: object) -> str:
    return problem if isinstance(problem, str) else str(getattr(problem, "reason", problem))


def _closing(handle: "IndexHandle", took: float) -> str:
    report = handle.report
    if not report.files and not report.deleted:
        return f"The index is up to date, {duration(took)}. It is at {handle.path}."
    gone = f" {plural(report.deleted, 'file')} gone since." if report.deleted else ""
    return (
        f"Read {plural(report.files, 'file')}, {size(report.bytes)}, in {duration(took)}.{gone} "
        f"The index is at {handle.path}."
    )


def _check(given: Globals, dirs: list[str], place: str | None) -> int:
    from bough.query.index.handle import check_index  # noqa: PLC0415 - only here

    if not index_exists(dirs, place):
        output.say("There is no index yet. bough index makes one.")
        return ExitCode.FAILED
    found = check_index(dirs, place)
    if given.json:
        output.emit_json(found, output.screen(given.color))
        return ExitCode.FINE if found.current else ExitCode.FAILED
    known = plural(found.files, "file")
    if found.current:
        output.say(f"The index knows all {known} as they are. It is at {found.index}.")
        return ExitCode.FINE
    facts = [
        f"{number:,} {words}"
        for number, words in ((found.new, "new"), (found.changed, "changed"), (found.gone, "gone"))
        if number
    ]
    output.say(
        f"The index is behind: of {known} {', '.join(facts)}, {size(found.bytes)} to read. "
        "bough index reads them; so does any command that uses it."
    )
    return ExitCode.FAILED
