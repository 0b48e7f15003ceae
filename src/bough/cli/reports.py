"""What a command did, as every command says it: a document where one is asked for, or sentences."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from bough.cli import output
from bough.cli.arguments import report_problems
from bough.cli.options import Globals

if TYPE_CHECKING:
    from bough.files.directory import Problem

_BETWEEN: Final = 200


def print_report(
    given: Globals,
    document: object,
    describe: Callable[[], Iterable[str]],
    problems: "Iterable[Problem]" = (),
) -> None:
    """Write the document of what was done, or say it; say in both cases what cannot be read."""
    if given.json:
        output.emit_json(document, output.detect_screen(given.color))
        output.flush_output()
    report_problems(problems)
    if not given.json:
        for sentence in describe():
            output.say(sentence)


def show_archive_progress(done: int, total: int) -> None:
    """Show now and then how many files of the archive were looked at."""
    if done and done % _BETWEEN == 0:
        output.show_status(f"Archive: {done:,} of {total:,} files")
