"""What to try when nothing was found: another spelling, or one filter less."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from bough.model.text.search_tokens import has_token
from bough.store import query_language as searchql
from bough.store.protocol import Store
from bough.store.query_language import And, Not, Or, Query, Term, TextQuery, to_fts
from bough.store.search_protocol import SearchRequest


class Suggestion(Struct, frozen=True):
    """A change that finds something: `instead` of `what`, or, without it, leaving that out."""

    what: str
    instead: str | None
    total: int
    exact: bool


def suggest_query(store: Store, query: Query, roots: Sequence[str] = ()) -> Suggestion | None:
    """Find a query close to this one that has hits; None where none is near."""
    if not to_fts(query.text).exact:
        return None
    tried = (_try_change(store, one, roots) for one in _list_respellings(store, query, roots))
    found = next((one for one in tried if one.total), None)
    if found is not None:
        return found
    wider = [_try_change(store, one, roots) for one in _drop_one_filter(query)]
    return max((one for one in wider if one.total), key=lambda one: one.total, default=None)


class _Change(Struct, frozen=True):
    query: Query
    what: str
    instead: str | None = None


def _try_change(store: Store, change: _Change, roots: Sequence[str]) -> Suggestion:
    found = store.search(SearchRequest(change.query, limit=1, roots=tuple(roots)))
    return Suggestion(change.what, change.instead, found.total, found.exact)


def _list_respellings(store: Store, query: Query, roots: Sequence[str]) -> Iterator[_Change]:
    """Replace a word that is nowhere by the nearest one that is somewhere."""
    for term in _list_terms(query.text):
        alone = SearchRequest(Query(term), limit=1, roots=tuple(roots))
        if not has_token(term.text) or store.search(alone).total:
            continue
        word = store.nearest_word(term.text)
        if word is not None and query.text is not None:
            better = _replace_term(query.text, term, Term(word))
            yield _Change(replace(query, text=better), term.text, word)


def _list_terms(text: TextQuery | None) -> Iterator[Term]:
    match text:
        case Term():
            yield text
        case And() | Or():
            for item in text.items:
                yield from _list_terms(item)
        case _:
            return


def _replace_term(text: TextQuery, old: Term, new: Term) -> TextQuery:
    match text:
        case And() | Or():
            return type(text)(tuple(_replace_term(item, old, new) for item in text.items))
        case Not():
            return text
        case _:
            return new if text == old else text


def _drop_one_filter(query: Query) -> Iterator[_Change]:
    for one in query.filters:
        rest = tuple(other for other in query.filters if other != one)
        yield _Change(replace(query, filters=rest), searchql.format_query(Query(filters=(one,))))
    if query.after is not None:
        yield _Change(replace(query, after=None), "after:")
    if query.before is not None:
        yield _Change(replace(query, before=None), "before:")
