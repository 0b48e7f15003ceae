"""`bough find`: words in a session, with what stands around them and on which branch."""

from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, Final

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import check_name, get_claude_folders, report_problems
from bough.cli.list_options import (
    ListChoice,
    add_list_options,
    check_forms,
    emit_rows,
    report_page,
    write_formatted_rows,
)
from bough.cli.options import Globals, command, pass_globals
from bough.cli.progress import count_progress
from bough.cli.travel import make_canvas
from bough.cli.travel_documents import MATCH_FIELDS, match_document
from bough.errors import ExitCode
from bough.terminal.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bough.library import ListPage, SessionMatches
    from bough.terminal.style import StyledLine


@command("find")
@click.argument("text")
@click.argument("session", required=False)
@add_list_options
@pass_globals
def find(given: Globals, text: str, session: str | None, *, choice: ListChoice) -> int:
    """Find TEXT in SESSION or in all sessions: each place with what is around it.

    SESSION is a path, the beginning of an id, or latest. TEXT is looked for as it is, in any
    case, in what was said, thought, called and answered. The ids are those that bough fork
    and bough goto take. bough search asks the index, and knows filters.
    """
    check_forms(given, choice, MATCH_FIELDS)
    problems: list[str] = []
    wanted = check_name(session) if session is not None else None
    most = None if choice.is_paged else _MOST_MATCHES
    left_out: Counter[str] = Counter()
    page: ListPage[_MatchPlace] | None = None
    documents: list[dict[str, object]] | None = None
    with count_progress("Looked at", "sessions") as progress:
        found = library.find(
            text,
            wanted,
            get_claude_folders(given),
            complain=problems.append,
            most=most,
            progress=progress,
        )
        found = _drop_left_out(found, left_out)
        if choice.is_paged:
            page = _cut_page(found, (text, wanted), choice)
            found = _find_again(text, page.rows)
        first = next(found, None)
        if given.json or choice.template is not None:
            matches = _chain(first, found)
            documents = [match_document(o.session.id, one) for o in matches for one in o.matches]
    if documents is not None:
        _write_documents(given, choice, page, documents)
    elif first is not None:
        output.page_lines(_render_lines(given, first, found), output.detect_screen(given.color))
    output.flush_output()
    report_problems(problems, rest=first is not None)
    if page is not None:
        report_page(page, "matches")
    if left_out:
        output.say(
            f"{_MOST_MATCHES:,} matches are shown, {left_out.total():,} more are not. "
            f"--limit {_MOST_MATCHES} gives them page by page."
        )
    if first is None:
        where = f"session {session}" if session is not None else "any session"
        output.say(f'Nothing in {where} has "{one_line(text)}".')
    return ExitCode.FINE if first is not None else ExitCode.FAILED


_MOST_MATCHES: Final = 10_000
"""Matches that are shown at once: what around them is shown takes its time."""

_MatchPlace = tuple[str, int]
"""The file of a session, and the number of a match in it."""


def _drop_left_out(
    found: "Iterable[SessionMatches]", left_out: "Counter[str]"
) -> "Iterator[SessionMatches]":
    """Give the sessions with matches to show, and count what is left out of each."""
    for one in found:
        if one.left_out:
            left_out[one.session.id] += one.left_out
        if one.matches:
            yield one


def _cut_page(
    found: "Iterable[SessionMatches]", asked: object, choice: ListChoice
) -> "ListPage[_MatchPlace]":
    """Choose the matches of a page by their places: the sessions of all do not fit in memory."""
    places = [
        (one.session.path or "", number) for one in found for number in range(len(one.matches))
    ]
    return choice.cut_page(places, asked, lambda place: f"{place[0]}#{place[1]}")


def _find_again(text: str, places: "Sequence[_MatchPlace]") -> "Iterator[SessionMatches]":
    """Find the matches at some places once more, with their sessions."""
    for path, group in groupby(places, key=lambda place: place[0]):
        numbers = {number for _, number in group}
        for found in library.find(text, path):
            kept = [match for number, match in enumerate(found.matches) if number in numbers]
            if kept:
                yield library.SessionMatches(found.session, kept)


def _chain(
    first: "SessionMatches | None", rest: "Iterator[SessionMatches]"
) -> "Iterator[SessionMatches]":
    if first is not None:
        yield first
    yield from rest


def _write_documents(
    given: Globals,
    choice: ListChoice,
    page: "ListPage[_MatchPlace] | None",
    documents: "Sequence[dict[str, object]]",
) -> None:
    if not given.json:
        write_formatted_rows(documents, choice)
    elif page is not None:
        emit_rows(page, choice, documents, given)
    else:
        output.emit_json(documents, output.detect_screen(given.color))


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
