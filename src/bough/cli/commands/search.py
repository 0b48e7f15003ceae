"""`bough search`: find words in everything that was ever said."""

import sys
from time import perf_counter
from typing import TYPE_CHECKING

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import report_problems
from bough.cli.list_options import ListChoice, check_forms, write_formatted_rows
from bough.cli.options import Globals, command, pass_globals
from bough.cli.progress import open_current_index
from bough.errors import ExitCode, Misuse
from bough.model.text.formats import format_count
from bough.terminal.canvas import Canvas
from bough.terminal.capabilities import is_terminal
from bough.terminal.clock import now, read_time_words
from bough.terminal.reports.search_hits import describe_page, render_hits
from bough.terminal.style import glyphs_for
from bough.terminal.text import clean, width

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bough.library import IndexHandle, KeptPlace, Query, SearchPage


@command("search")
@click.argument("words", metavar="QUERY...", nargs=-1, required=True)
@click.option(
    "--limit",
    type=click.IntRange(1, 1000),
    default=20,
    metavar="N",
    help="How many hits to show at most; 20 by default.",
)
@click.option(
    "--after-cursor", "cursor", metavar="CURSOR", help="Continue where the previous page ended."
)
@click.option(
    "--format",
    "template",
    metavar="TEXT",
    help=r"A line for each hit, such as '{session}\t{snippet}'; the fields are those of --json.",
)
@click.option("--newest", "newest", is_flag=True, help="The newest hit first.")
@click.option("--best", "best", is_flag=True, help="The best match first; that is the default.")
@pass_globals
def search(  # noqa: PLR0913 - one for each option
    given: Globals,
    words: tuple[str, ...],
    limit: int,
    cursor: str | None,
    *,
    template: str | None,
    newest: bool,
    best: bool,
) -> int:
    """Find what was said, thought, asked of tools and answered by them.

    QUERY is words, "exact phrases", prefix*, -without, a OR b, /regex/ and filters:
    project: session: tool: file: model: role: kind: branch:active pr: is:error has:image
    after: before:. bough docs search explains all of it.

    \b
    bough search checkpoint tool:Edit after:yesterday
    bough search '"disk full" OR quota -test is:error'

    Put the query in quotes where the shell would take its marks, and behind -- where it
    begins with two dashes.
    """  # noqa: D301 - click wants a real backspace
    if newest and best:
        raise Misuse("--newest and --best exclude each other. Choose one.")
    choice = ListChoice(limit, cursor, template)
    check_forms(given, choice, library.ListedHit.__struct_fields__)
    text = " ".join(words)
    query = _parse_query(text)
    with open_current_index(given) as handle:
        start = perf_counter()
        page = library.search(query, newest=newest, limit=limit, cursor=cursor, index=handle)
        took = perf_counter() - start
        report_problems(handle.report.problems, rest=bool(page.hits))
        if given.json:
            terminal = output.detect_screen(given.color)
            output.emit_json(library.search_document(text, page), terminal)
        elif template is not None:
            write_formatted_rows(library.search_document(text, page).hits, choice)
        else:
            in_sessions = library.count_session_hits(query, page, index=handle)
            _show_hits(given, page, in_sessions, library.list_kept_places(handle))
        _report_result(handle, text, query, page, took)
    return ExitCode.FINE if page.hits or page.next else ExitCode.FAILED


def _parse_query(text: str) -> "Query":
    """Read the query; a person at a terminal is shown the place where it goes wrong."""
    try:
        return library.parse_query(text, now())
    except library.QuerySyntaxError as error:
        if is_terminal(sys.stderr):
            line = "".join(" " if char.isspace() else char for char in text)
            output.say(line)
            output.say(" " * width(clean(line[: error.position])) + "^")
        raise


def _show_hits(
    given: Globals,
    page: "SearchPage",
    in_sessions: "Mapping[str, int]",
    kept: "Mapping[tuple[str, str], KeptPlace]",
) -> None:
    terminal = output.detect_screen(given.color)
    canvas = Canvas(now(), glyphs_for(terminal), terminal.width, read_time_words())
    output.page_lines(render_hits(page, canvas, in_sessions, kept), terminal)


def _report_result(
    handle: "IndexHandle", text: str, query: "Query", page: "SearchPage", took: float
) -> None:
    """Say on stderr what the hits do not tell."""
    output.flush_output()
    if page.hits:
        output.say(describe_page(page, took))
    elif page.next:
        output.say(f'No hit for "{text}" so far. Next: --after-cursor {page.next}')
    else:
        output.say(_describe_no_hits(handle, text, query))
    for sentence in page.partial:
        output.say(sentence)


def _describe_no_hits(handle: "IndexHandle", text: str, query: "Query") -> str:
    """Say that there is no hit, and what would have some."""
    sentence = f'No hit for "{text}".'
    found = library.suggest_query(query, index=handle)
    if found is None:
        return sentence
    number = format_count(found.total) + ("" if found.exact else " or more")
    if found.instead is None:
        return f"{sentence} Without {found.what} it has {number}."
    return f'{sentence} "{text.replace(found.what, found.instead)}" has {number}.'
