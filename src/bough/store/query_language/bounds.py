"""What a full-text index can say of a query: bounds, whatever language the index speaks.

No index of words has regexes, marks such as `->`, or "everything but". So a query becomes two
expressions of words: one that every hit matches, and one that nothing but hits matches. Where the
two are the same, the index says all there is to say; elsewhere each row's text is checked by
`matches`, which is the meaning of a query.
"""

from typing import TypeAlias

from msgspec import Struct

from bough.model.text.search_tokens import fts_phrase
from bough.store.query_language.ast import And, Not, Or, Regex, Term, TextQuery


class AllBound(Struct, frozen=True):
    """All of these, two or more."""

    items: "tuple[BoundTree, ...]"


class AnyBound(Struct, frozen=True):
    """Any of these, two or more."""

    items: "tuple[BoundTree, ...]"


class LessBound(Struct, frozen=True):
    """What the first has and the other has not."""

    wanted: "BoundTree"
    against: "BoundTree"


BoundTree: TypeAlias = Term | AllBound | AnyBound | LessBound
"""An expression of words; a term in it always has a token."""


class QueryBounds(Struct, frozen=True):
    """How to ask an index of words: rows that match `match`, less those that match `exclude`.

    Without `match` all rows are candidates, and only then there is something to `exclude`. When
    not `exact`, ask `matches` about each row's text.
    """

    match: BoundTree | None = None
    exclude: BoundTree | None = None
    exact: bool = True


class _Bounds(Struct, frozen=True):
    """Expressions: rows outside `most` are no hits, rows in `least` are.

    None is what cannot be said: as `most` it is all rows, as `least` none.
    """

    most: BoundTree | None
    least: BoundTree | None


_UNKNOWN = _Bounds(None, None)


def find_bounds(text: TextQuery | None) -> QueryBounds:
    """Find what an index of words can say of the words of a query."""
    if text is None:
        return QueryBounds()
    bounds = _bounds_of(text)
    if bounds.most is not None:
        return QueryBounds(bounds.most, exact=bounds.most == bounds.least)
    items = text.items if isinstance(text, And) else (text,)
    against = [_bounds_of(item.item) for item in items if isinstance(item, Not)]
    exclude = _join_any([bound.least for bound in against if bound.least is not None])
    exact = len(against) == len(items) and all(b.most == b.least is not None for b in against)
    return QueryBounds(None, exclude, exact)


def _bounds_of(text: TextQuery) -> _Bounds:
    match text:
        case Term():
            known = None if fts_phrase(text.text, prefix=text.prefix) is None else text
            return _Bounds(known, known)
        case Regex() | Not():
            return _UNKNOWN
        case And():
            return _bounds_of_all(text)
        case Or():
            return _bounds_of_any(text)


def _bounds_of_all(text: And) -> _Bounds:
    wanted = [_bounds_of(item) for item in text.items if not isinstance(item, Not)]
    against = [_bounds_of(item.item) for item in text.items if isinstance(item, Not)]
    most = _exclude(
        _join_all([bound.most for bound in wanted if bound.most is not None]),
        [bound.least for bound in against if bound.least is not None],
    )
    least_wanted = [bound.least for bound in wanted if bound.least is not None]
    least_against = [bound.most for bound in against if bound.most is not None]
    if len(least_wanted) < len(wanted) or len(least_against) < len(against):
        return _Bounds(most, None)
    return _Bounds(most, _exclude(_join_all(least_wanted), least_against))


def _bounds_of_any(text: Or) -> _Bounds:
    bounds = [_bounds_of(item) for item in text.items]
    most = [bound.most for bound in bounds if bound.most is not None]
    least = [bound.least for bound in bounds if bound.least is not None]
    return _Bounds(_join_any(most) if len(most) == len(bounds) else None, _join_any(least))


def _exclude(wanted: BoundTree | None, against: list[BoundTree]) -> BoundTree | None:
    excluded = _join_any(against)
    if wanted is None or excluded is None:
        return wanted
    return LessBound(wanted, excluded)


def _join_all(items: list[BoundTree]) -> BoundTree | None:
    return AllBound(tuple(items)) if len(items) > 1 else next(iter(items), None)


def _join_any(items: list[BoundTree]) -> BoundTree | None:
    return AnyBound(tuple(items)) if len(items) > 1 else next(iter(items), None)
