"""`bough search`: find words in everything that was ever said."""

import os
import sys
from time import perf_counter

import click

from bough.cli import output
from bough.cli.arguments import folders, tell_problems, word
from bough.cli.options import Globals, command, pass_globals
from bough.cli.progress import progress_bar
from bough.errors import ExitCode, Misuse
from bough.model.text.formats import count
from bough.query.index.handle import IndexHandle, open_index
from bough.query.search.search import SearchPage, answer
from bough.query.search.search import search as find
from bough.query.search.suggestions import suggest
from bough.query.usage.time_zones import Local
from bough.store.query_language import Query, QuerySyntaxError, parse
from bough.terminal.canvas import Sheet
from bough.terminal.capabilities import is_terminal
from bough.terminal.clock import now, time_words
from bough.terminal.reports.search_hits import hit_lines, last_line
from bough.terminal.style import styles_for
from bough.terminal.text import clean, width


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
    "--after-cursor", "cursor", metavar="CURSOR", help="Go on where the page before ended."
)
@click.option("--newest", "newest", is_flag=True, help="The newest hit first.")
@click.option("--best", "best", is_flag=True, help="The best match first; that is the default.")
@pass_globals
def search(
    given: Globals,
    words: tuple[str, ...],
    limit: int,
    cursor: str | None,
    *,
    newest: bool,
    best: bool,
) -> int:
    """Find what was said, thought, asked of tools and answered by them.

    QUERY is words, "exact phrases", prefix*, -without, a OR b, /regex/ and filters:
    project: session: tool: file: model: role: kind: branch:active is:error has:image
    after: before:. docs/search.md tells all of it.

    \b
    bough search checkpoint tool:Edit after:yesterday
    bough search '"disk full" OR quota -test is:error'

    Put the query in quotes where the shell would take its marks, and behind -- where it
    begins with two dashes.
    """  # noqa: D301 - click wants a real backspace
    if newest and best:
        raise Misuse("--newest and --best cannot both be. Choose one.")
    text = " ".join(words)
    query = _parsed(text)
    with _opened(given) as handle:
        start = perf_counter()
        page = find(
            handle.store,
            query,
            order="newest" if newest else "relevance",
            limit=limit,
            cursor=cursor,
            roots=roots(handle),
        )
        took = perf_counter() - start
        tell_problems(handle.report.problems, rest=bool(page.hits))
        if given.json:
            terminal = output.screen(given.color)
            output.emit_json(answer(text, page, handle.partial), terminal)
        else:
            _show(given, page)
        _tell(handle, text, query, page, took)
    return ExitCode.FINE if page.hits or page.next else ExitCode.FAILED


def _opened(given: Globals) -> IndexHandle:
    """Open the index and read what is new; a person sees how far that is."""
    index = word(given.index) if given.index is not None else None
    with progress_bar() as progress:
        return open_index(folders(given), index, progress=progress)


def roots(handle: IndexHandle) -> tuple[str, ...]:
    """Name the beginnings of the paths that were asked about; an index may hold others."""
    return tuple(f"{folder / 'projects'}{os.sep}" for folder in handle.folders)


def _parsed(text: str) -> Query:
    """Read the query; a person at a terminal is shown the place where it goes wrong."""
    try:
        query = parse(text, now(), Local())
    except QuerySyntaxError as error:
        if is_terminal(sys.stderr):
            line = "".join(" " if char.isspace() else char for char in text)
            output.say(line)
            output.say(" " * width(clean(line[: error.position])) + "^")
        raise
    if query == Query():
        raise Misuse("Nothing to search for. Name a word, as in bough search checkpoint.")
    return query


def _show(given: Globals, page: SearchPage) -> None:
    terminal = output.screen(given.color)
    sheet = Sheet(now(), styles_for(terminal), terminal.width, time_words())
    output.page(hit_lines(page, sheet), terminal)


def _tell(handle: IndexHandle, text: str, query: Query, page: SearchPage, took: float) -> None:
    """Say on stderr what the hits do not tell."""
    output.finish()
    if page.hits:
        output.say(last_line(page, took))
    elif page.next:
        output.say(f'No hit for "{text}" so far. Next: --after-cursor {page.next}')
    else:
        output.say(_nothing(handle, text, query))
    for sentence in (*page.partial, handle.partial):
        if sentence:
            output.say(sentence)


def _nothing(handle: IndexHandle, text: str, query: Query) -> str:
    """Say that there is no hit, and what would have some."""
    sentence = f'No hit for "{text}".'
    found = suggest(handle.store, query, roots(handle))
    if found is None:
        return sentence
    number = count(found.total) + ("" if found.exact else " or more")
    if found.instead is None:
        return f"{sentence} Without {found.what} it has {number}."
    return f'{sentence} "{text.replace(found.what, found.instead)}" has {number}.'
