"""`bough find`: words in a session, with what stands around them and on which branch."""

from typing import TYPE_CHECKING

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import check_name, get_claude_folders, report_problems
from bough.cli.options import Globals, command, pass_globals
from bough.cli.travel import make_canvas
from bough.cli.travel_documents import match_document
from bough.errors import ExitCode
from bough.terminal.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bough.library import SessionMatches
    from bough.terminal.style import StyledLine


@command("find")
@click.argument("text")
@click.argument("session", required=False)
@pass_globals
def find(given: Globals, text: str, session: str | None) -> int:
    """Find TEXT in SESSION or in all sessions: each place with what is around it.

    SESSION is a path, the beginning of an id, or latest. TEXT is looked for as it is, in any
    case, in what was said, thought, called and answered. The ids are those that bough fork
    and bough goto take. bough search asks the index, and knows filters.
    """
    problems: list[str] = []
    wanted = check_name(session) if session is not None else None
    found = library.find(text, wanted, get_claude_folders(given), complain=problems.append)
    screen = output.detect_screen(given.color)
    count = 0
    if given.json:
        documents = [match_document(f.session.id, match) for f in found for match in f.matches]
        count = len(documents)
        output.emit_json(documents, screen)
    else:
        first = next(found, None)
        if first is not None:
            count = 1
            output.page_lines(_render_lines(given, first, found), screen)
    output.flush_output()
    report_problems(problems, rest=bool(count))
    if not count:
        where = f"session {session}" if session is not None else "any session"
        output.say(f'Nothing in {where} has "{one_line(text)}".')
    return ExitCode.FINE if count else ExitCode.FAILED


def _render_lines(
    given: Globals,
    first: "SessionMatches",
    rest: "Iterator[SessionMatches]",
) -> "Iterator[StyledLine]":
    from bough.terminal.reports.find_matches import render_matches  # noqa: PLC0415 - JSON needs none of it

    canvas = make_canvas(given)
    yield from render_matches(first.session, first.matches, canvas)
    for found in rest:
        yield ()
        yield from render_matches(found.session, found.matches, canvas)
