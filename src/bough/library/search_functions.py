"""Searching: one page of hits, and what to try where there is none."""

import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace

from bough.errors import Misuse
from bough.files.companions import SUFFIX
from bough.library.parameters import ClaudeDir, Folder, IndexLike, borrow_index
from bough.query.index.handle import IndexHandle
from bough.query.search.search import SearchPage
from bough.query.search.search import count_facets as count_facets_in_store
from bough.query.search.search import count_session_hits as count_in_store
from bough.query.search.search import search as search_store
from bough.query.search.suggestions import Suggestion
from bough.query.search.suggestions import suggest_query as suggest_in_store
from bough.query.search.verify import RewriteRecord
from bough.query.usage.time_settings import load_zone
from bough.store.query_language import Query, parse
from bough.store.search_protocol import SearchFacets


def search(  # noqa: PLR0913 - one for each thing that can be asked for
    query: str | Query,
    *,
    newest: bool = False,
    limit: int = 20,
    cursor: str | None = None,
    within: Sequence[Folder] | None = None,
    rewrite: RewriteRecord | None = None,
    excerpts: bool = True,
    claude_dir: ClaudeDir = None,
    index: IndexLike = None,
) -> SearchPage:
    """Find what was said, thought, asked of tools and answered by them: one page of hits.

    Args:
        query: Words, "exact phrases", filters such as `tool:Edit`; docs/search.md.
        newest: The newest hit first; by default the best match.
        limit: How many hits a page has at most.
        cursor: The `next` of the page before.
        within: Folders of projects, or files of sessions; only what lies below them is found. By
            default all.
        rewrite: Writes what was found anew before words are cut out of it: its file's path and
            the record are given.
        excerpts: Whether words are cut out of it; without them hits have no snippet.
        claude_dir: A folder such as `~/.claude`, or several; by default the usual places.
        index: Where the index is, or an open one.

    Raises:
        QuerySyntaxError: The query cannot be read.
        Misuse: There is nothing to search for, or the cursor is of another search.
        IndexTrouble: The index cannot be read.
    """
    asked = parse_query(query) if isinstance(query, str) else query
    with borrow_index(claude_dir, index) as handle:
        page = search_store(
            handle.store,
            asked,
            order="newest" if newest else "relevance",
            limit=limit,
            cursor=cursor,
            roots=_list_roots(handle) if within is None else _list_folders(within),
            sources=handle.sources,
            rewrite=rewrite,
            excerpts=excerpts,
        )
        return replace(page, partial=(*page.partial, handle.partial)) if handle.partial else page


def suggest_query(
    query: str | Query, claude_dir: ClaudeDir = None, index: IndexLike = None
) -> Suggestion | None:
    """Find a query close to one without hits that has some; None where none is near."""
    asked = parse_query(query) if isinstance(query, str) else query
    with borrow_index(claude_dir, index) as handle:
        return suggest_in_store(handle.store, asked, _list_roots(handle))


def count_session_hits(
    query: str | Query,
    page: SearchPage,
    claude_dir: ClaudeDir = None,
    index: IndexLike = None,
) -> Mapping[str, int]:
    """Count the hits of each session on a page, by its id, those of other pages too.

    Sessions are left out where there are too many hits to count them.
    """
    asked = parse_query(query) if isinstance(query, str) else query
    with borrow_index(claude_dir, index) as handle:
        return count_in_store(handle.store, asked, page, _list_roots(handle))


def count_facets(
    query: str | Query, claude_dir: ClaudeDir = None, index: IndexLike = None
) -> SearchFacets | None:
    """Count how the hits of a query are spread; None where that takes too long to find out."""
    asked = parse_query(query) if isinstance(query, str) else query
    with borrow_index(claude_dir, index) as handle:
        return count_facets_in_store(handle.store, asked, _list_roots(handle))


def parse_query(text: str, now: datetime | None = None, *, may_be_empty: bool = False) -> Query:
    """Read a query, its days in the machine's own time zone.

    Raises:
        QuerySyntaxError: It cannot be read; `position` is where.
        Misuse: There is nothing in it, and it may not be empty.
    """
    query = parse(text, now or datetime.now(UTC), load_zone())
    if query == Query() and not may_be_empty:
        raise Misuse("Nothing to search for. Name a word, as in bough search checkpoint.")
    return query


def _list_folders(within: Sequence[Folder]) -> tuple[str, ...]:
    """Name the beginnings of the paths below some folders; none: one that no path has."""
    found = []
    for place in map(str, map(Path, within)):
        # What belongs to a session lies in a folder beside its file.
        found += [place] if place.endswith(SUFFIX) else []
        found.append(f"{place.removesuffix(SUFFIX)}{os.sep}")
    return tuple(found) or (os.sep * 2,)


def _list_roots(handle: IndexHandle) -> tuple[str, ...]:
    """Name the beginnings of the paths that were asked about; an index may hold others."""
    return tuple(f"{folder / 'projects'}{os.sep}" for folder in handle.folders)
