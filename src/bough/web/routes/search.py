"""Search over everything, and completion of the query where the cursor is."""

from collections import Counter
from collections.abc import Mapping
from time import perf_counter
from typing import Final

from bough.errors import ClaudeFolderNotFound, IndexTrouble
from bough.files.discover import main_file_of
from bough.library import (
    Hit,
    IndexHandle,
    Query,
    SearchPage,
    count_facets,
    list_regexes,
    parse_query,
    search,
    suggest_query,
)
from bough.library import (
    complete_query as find_completions,
)
from bough.model.text.formats import format_count, format_plural
from bough.web.responses import ApiError
from bough.web.routes.lists import make_kept_sign
from bough.web.state import AppState, now
from bough.web.wire.about import IndexStatus
from bough.web.wire.hits import (
    CompleteAnswer,
    CompleteQuery,
    Facets,
    FacetValue,
    SearchAnswer,
    SearchCompletion,
    SearchHit,
    SearchQuery,
    SuggestedQuery,
    UncheckedLine,
)

_MOST_VALUES: Final = 500
PATTERN_HEADER: Final = "x-bough-pattern"
"""Says that a person typed the query; no page of another site can send it."""
_WAITS: Final = "An address alone runs no pattern. Press Enter to run it."
_HEADER_HINT: Final = "A program sends the header X-Bough-Pattern: run."
_NO_FACETS: Final = Facets([], [], [], [], [], whole=True)


def may_have_pattern(text: str) -> bool:
    """Tell whether a query might have a pattern in it, without reading it."""
    return "/" in text


def search_everything(state: AppState, query: SearchQuery, *, is_typed: bool) -> SearchAnswer:
    """Search everything that was ever said; a pattern only where a person typed it here.

    Any site can lead a browser to an address of ours, so an address alone runs no pattern.
    """
    asked = parse_query(query.q, now(), may_be_empty=True)
    if list_regexes(asked.text) and not is_typed:
        raise ApiError(409, "pattern_waits", _WAITS, _HEADER_HINT)
    if asked == Query():
        return _empty_answer(query)
    if not state.ready:
        return _empty_answer(query, "Nothing is read yet, so nothing can be found.")
    started = perf_counter()
    try:
        with state.source.lend_handle() as handle:
            return _search_index(state, handle, asked, query, started)
    except ClaudeFolderNotFound:
        return _empty_answer(query)


def _empty_answer(query: SearchQuery, partial: str | None = None) -> SearchAnswer:
    return SearchAnswer(
        query=query.q,
        total=0,
        exact=True,
        sessions=0,
        partial=partial,
        took_ms=0.0,
        facets=_NO_FACETS,
        hits=[],
        next=None,
        suggestion=None,
        skipped=[],
    )


def _search_index(
    state: AppState, handle: IndexHandle, asked: Query, query: SearchQuery, started: float
) -> SearchAnswer:
    page = search(
        asked,
        newest=query.sort == "newest",
        limit=query.limit,
        cursor=query.cursor or None,
        index=handle,
    )
    took = (perf_counter() - started) * 1_000
    spread = count_facets(asked, index=handle)
    facets = _count_on_page(state, page)
    if spread is not None:
        branches = {"active": spread.active, "left": spread.left}
        whose = (spread.machines, spread.members)
        facets = _make_facets(spread.projects, spread.kinds, branches, whose, whole=True)
    in_sessions = spread.sessions if spread is not None else {}
    suggestion = None
    if not page.hits and page.next is None and not query.cursor:
        suggestion = _suggest_query(handle, asked, query.q)
    return SearchAnswer(
        query=query.q,
        total=page.total,
        exact=page.exact,
        sessions=page.sessions,
        partial=_explain_partial(page, state.indexing.status),
        took_ms=round(took, 1),
        facets=_NO_FACETS if query.cursor else facets,
        hits=[_make_hit(state, hit, in_sessions.get(hit.session)) for hit in page.hits],
        next=page.next,
        suggestion=suggestion,
        skipped=[UncheckedLine(one.session, one.uuid, one.line) for one in page.skipped],
    )


def _explain_partial(page: SearchPage, status: IndexStatus) -> str | None:
    sentences = list(page.partial)
    if status.state == "building" and status.total:
        sentences.append(f"Searched {status.done:,} of {status.total:,} files so far.")
    elif status.sentence:
        sentences.append(status.sentence)
    return " ".join(sentences) or None


def _count_on_page(state: AppState, page: SearchPage) -> Facets:
    """Tell how the hits on a page are spread, where there are too many to count all."""
    placed = (hit for hit in page.hits if hit.branch is not None)
    rows = [row for hit in page.hits if (row := state.lists().row(_main_file_of(hit)))]
    return _make_facets(
        Counter(hit.project_name for hit in page.hits),
        Counter(hit.kind for hit in page.hits),
        Counter("active" if hit.active else "left" for hit in placed),
        (
            Counter(row.machine for row in rows if row.machine),
            Counter(row.owner for row in rows if row.owner),
        ),
        whole=page.next is None,
    )


def _make_facets(
    projects: Mapping[str, int],
    kinds: Mapping[str, int],
    branches: Mapping[str, int],
    whose: tuple[Mapping[str, int], Mapping[str, int]],
    *,
    whole: bool,
) -> Facets:
    return Facets(
        _facet_values(projects),
        _facet_values(kinds),
        _facet_values(branches),
        _facet_values(whose[0]),
        _facet_values(whose[1]),
        whole=whole,
    )


def _facet_values(numbers: Mapping[str, int]) -> list[FacetValue]:
    found = Counter({value: number for value, number in numbers.items() if number})
    return [
        FacetValue(value, value.replace("_", " "), number)
        for value, number in found.most_common(_MOST_VALUES)
    ]


def _main_file_of(hit: Hit) -> str:
    return hit.path if hit.agent is None else main_file_of(hit.path, hit.project, hit.session)


def _make_hit(state: AppState, hit: Hit, in_session: int | None) -> SearchHit:
    main = _main_file_of(hit)
    row = state.lists().row(main)
    return SearchHit(
        session=state.session_ids.id_of(main),
        project=hit.project,
        project_name=hit.project_name,
        worktree_of=hit.worktree_of,
        title=hit.title,
        uuid=hit.uuid,
        timestamp=hit.timestamp,
        kind=hit.kind,
        role=hit.role,
        tool=hit.tool,
        snippet=hit.snippet,
        marks=[*hit.marks],
        active=hit.active,
        agent=hit.agent,
        agent_type=hit.agent_type,
        failed=hit.failed,
        in_session=in_session,
        kept=make_kept_sign(row.kept_in) if row is not None else None,
    )


def _suggest_query(handle: IndexHandle, asked: Query, text: str) -> SuggestedQuery | None:
    """Name a query close to this one that has hits."""
    try:
        found = suggest_query(asked, index=handle)
    except IndexTrouble:
        return None
    if found is None:
        return None
    more = "" if found.exact else " or more"
    if found.instead is None:
        words = [word for word in text.split() if not word.startswith(found.what.strip())]
        sentence = f"Without {found.what} it has {format_plural(found.total, 'hit')}{more}."
        return SuggestedQuery(" ".join(words), found.total, sentence)
    better = text.replace(found.what, found.instead)
    return SuggestedQuery(better, found.total, f'"{better}" has {format_count(found.total)}{more}.')


def complete_query(state: AppState, query: CompleteQuery) -> CompleteAnswer:
    """List what could stand at the cursor; nothing here asks the index, it comes with every key."""
    found = find_completions(query.q, query.at, state.lists().vocabulary)
    items = [SearchCompletion(_add_space(item.text), item.about) for item in found.items]
    return CompleteAnswer(found.start, found.end, items)


def _add_space(text: str) -> str:
    """Let a space follow a value; after the name of a field comes its value."""
    return text if text.endswith(":") else f"{text} "
