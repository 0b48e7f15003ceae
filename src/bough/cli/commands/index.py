"""`bough index`: read everything into the index, or say how it is."""

import time
from typing import TYPE_CHECKING, Final

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import check_name, get_claude_folders, report_problems
from bough.cli.options import Globals, command, pass_globals
from bough.cli.progress import progress_bar
from bough.errors import ExitCode, with_tilde
from bough.model.text.formats import format_duration, format_plural, format_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bough.library import IndexHandle, UnkeptSession

_SHORT: Final = 8
_SHOWN: Final = 20


@command("index")
@click.option("--rebuild", is_flag=True, help="Throw the index away and make it again.")
@click.option(
    "--forget-deleted",
    is_flag=True,
    help="With --rebuild: forget sessions that exist nowhere but in the index.",
)
@click.option("--check", is_flag=True, help="Compare the index with the files; change nothing.")
@pass_globals
def index(given: Globals, *, rebuild: bool, forget_deleted: bool, check: bool) -> int:
    """Read what is new into the index, which makes lists and search fast.

    Only new bytes are read. All that is in it can be made again from your files and the
    archive. Of sessions that the client deleted and that are in no archive it knows titles and
    numbers; a rebuild names these sessions and keeps what it knows.
    """
    if rebuild and check:
        raise click.UsageError("Give --rebuild or --check, not both")
    if forget_deleted and not rebuild:
        raise click.UsageError("Give --forget-deleted together with --rebuild")
    dirs = get_claude_folders(given)
    place = check_name(given.index) if given.index is not None else None
    if check:
        return _check_index(given, dirs, place)
    unkept = library.unkept_sessions(dirs, place) if rebuild else ()
    if unkept and not given.json:
        output.say(_describe_unkept(unkept, forgets=forget_deleted))
    open_index = library.index  # loaded before the clock starts
    started = time.monotonic()
    with (
        progress_bar() as progress,
        open_index(
            dirs, place, rebuild=rebuild, forget_deleted=forget_deleted, progress=progress
        ) as handle,
    ):
        took = time.monotonic() - started
    return _report_result(given, handle, took, unkept if rebuild else None)


def _describe_unkept(unkept: "Sequence[UnkeptSession]", *, forgets: bool) -> str:
    """Name the sessions that a rebuild could not bring back."""
    is_one = len(unkept) == 1
    exist = "session exists" if is_one else "sessions exist"
    if forgets:
        then = "It is forgotten now" if is_one else "They are forgotten now"
    else:
        then = f"What it knows of {'it' if is_one else 'them'} stays"
    shown = ", ".join(
        f'{one.id[:_SHORT]} "{one.title}"' if one.title else one.id[:_SHORT]
        for one in unkept[:_SHOWN]
    )
    more = f" and {len(unkept) - _SHOWN:,} more" if len(unkept) > _SHOWN else ""
    return f"{len(unkept):,} {exist} nowhere but in the index. {then}: {shown}{more}."


def _report_result(
    given: Globals,
    handle: "IndexHandle",
    took: float,
    unkept: "Sequence[UnkeptSession] | None",
) -> int:
    """Say what was read, in one sentence or one document; `unkept` where it was made anew."""
    report = handle.report
    if given.json:
        document = {
            "index": str(handle.path),
            "files": report.files,
            "bytes": report.bytes,
            "deleted": report.deleted,
            "seconds": round(took, 3),
            "partial": handle.partial,
            "problems": [_describe_problem(problem) for problem in report.problems],
        }
        if unkept is not None:
            document["only_in_index"] = [one.id for one in unkept]
        output.emit_json(document, output.detect_screen(given.color))
        output.flush_output()
    trouble = report_problems(report.problems)
    if handle.partial:
        output.say(handle.partial)
        return ExitCode.INDEX
    if not given.json:
        output.say(_describe_result(handle, took))
    return ExitCode.FAILED if trouble and not report.files else ExitCode.FINE


def _describe_problem(problem: object) -> str:
    return problem if isinstance(problem, str) else str(getattr(problem, "reason", problem))


def _describe_result(handle: "IndexHandle", took: float) -> str:
    report, place = handle.report, with_tilde(str(handle.path))
    if not report.files and not report.deleted:
        return f"The index is up to date, {format_duration(took)}. It is at {place}."
    gone = f" {format_plural(report.deleted, 'file')} gone since." if report.deleted else ""
    return (
        f"Read {format_plural(report.files, 'file')}, {format_size(report.bytes)}, "
        f"in {format_duration(took)}.{gone} "
        f"The index is at {place}."
    )


def _check_index(given: Globals, dirs: list[str], place: str | None) -> int:
    found = library.check_index(dirs, place)
    if found is None:
        output.say("There is no index yet. bough index makes one.")
        return ExitCode.FAILED
    if given.json:
        output.emit_json(found, output.detect_screen(given.color))
        return ExitCode.FINE if found.current else ExitCode.FAILED
    known = format_plural(found.files, "file")
    if found.current:
        output.say(f"The index knows all {known} as they are. It is at {with_tilde(found.index)}.")
        return ExitCode.FINE
    facts = [
        f"{number:,} {words}"
        for number, words in ((found.new, "new"), (found.changed, "changed"), (found.gone, "gone"))
        if number
    ]
    output.say(
        f"The index is behind: of {known} {', '.join(facts)}, {format_size(found.bytes)} to read. "
        "bough index reads them; so does any command that uses it."
    )
    return ExitCode.FAILED
