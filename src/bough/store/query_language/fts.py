"""From words to FTS5, and the check for what FTS5 cannot say.

FTS5 has no regexes, no marks such as `->`, and no "everything but". So the translation
gives bounds: an expression that every hit matches, and one that no hit matches. Where the
two say all there is to say, the rows are the answer; elsewhere each row's text is checked
by `matches`, which is the meaning of a query.
"""

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct

from bough.model.text.match_patterns import WordPattern
from bough.model.text.search_tokens import fts_phrase
from bough.model.text.snippets import SearchPattern, TextMatches
from bough.store.query_language.ast import And, Not, Or, Regex, Term, TextQuery

FoundMatches: TypeAlias = Mapping[tuple[Regex, str], tuple[tuple[int, int], ...]]
"""Where a regex matches a text; nowhere: an empty tuple, or none."""


class FtsQuery(Struct, frozen=True):
    """How to ask FTS5: rows that MATCH `match`, less those that MATCH `exclude`.

    Without `match` all rows are candidates; FTS5 itself cannot exclude from all rows, so
    `exclude` comes only then. When not `exact`, ask `matches` about each row's text.
    """

    match: str | None = None
    exclude: str | None = None
    exact: bool = True


class _Bounds(Struct, frozen=True):
    """Expressions: rows outside `most` are no hits, rows in `least` are.

    None is what cannot be said: as `most` it is all rows, as `least` none.
    """

    most: str | None
    least: str | None


_UNKNOWN = _Bounds(None, None)


def to_fts(text: TextQuery | None) -> FtsQuery:
    """Translate the words of a query to FTS5; never a syntax error there."""
    if text is None:
        return FtsQuery()
    bounds = _find_bounds(text)
    if bounds.most is not None:
        return FtsQuery(bounds.most, exact=bounds.most == bounds.least)
    items = text.items if isinstance(text, And) else (text,)
    against = [_find_bounds(item.item) for item in items if isinstance(item, Not)]
    exclude = _join_expressions("OR", [bound.least for bound in against if bound.least is not None])
    exact = len(against) == len(items) and all(b.most == b.least is not None for b in against)
    return FtsQuery(None, exclude, exact)


def matches(text: TextQuery | None, written: str, found: FoundMatches | None = None) -> bool:
    """Tell whether a text is what the words of a query ask for.

    What its regexes match is looked up in `found`; where that is None they are matched here,
    for as long as it takes, so only those that nobody typed.
    """
    match text:
        case None:
            return True
        case Term():
            return WordPattern(text.text, text.prefix).is_in(written)
        case Regex():
            return _is_regex_in(text, written, found)
        case Not():
            return not matches(text.item, written, found)
        case And():
            return all(matches(item, written, found) for item in text.items)
        case Or():
            return any(matches(item, written, found) for item in text.items)


def _is_regex_in(regex: Regex, written: str, found: FoundMatches | None) -> bool:
    if found is not None:
        return bool(found.get((regex, written)))
    return regex.compile_pattern().search(written) is not None


def list_regexes(text: TextQuery | None) -> tuple[Regex, ...]:
    """List the regexes of a query, each once."""
    match text:
        case None | Term():
            return ()
        case Regex():
            return (text,)
        case Not():
            return list_regexes(text.item)
        case And() | Or():
            return tuple(dict.fromkeys(one for item in text.items for one in list_regexes(item)))


def list_marked_terms(
    text: TextQuery | None, written: str = "", found: FoundMatches | None = None
) -> tuple[SearchPattern, ...]:
    """List what to mark in a hit: everything asked for, nothing that was excluded.

    For a regex these are the places `found` in the text; where that is None, the regex.
    """
    match text:
        case None | Not():
            return ()
        case Term():
            return (WordPattern(text.text, text.prefix),)
        case Regex() if found is not None:
            return (TextMatches(found.get((text, written), ())),)
        case Regex():
            return (text.compile_pattern(),)
        case And() | Or():
            return tuple(
                one for item in text.items for one in list_marked_terms(item, written, found)
            )


def _find_bounds(text: TextQuery) -> _Bounds:
    match text:
        case Term():
            phrase = fts_phrase(text.text, prefix=text.prefix)
            return _Bounds(phrase, phrase)
        case Regex() | Not():
            return _UNKNOWN
        case And():
            return _bounds_of_all(text)
        case Or():
            return _bounds_of_any(text)


def _bounds_of_all(text: And) -> _Bounds:
    wanted = [_find_bounds(item) for item in text.items if not isinstance(item, Not)]
    against = [_find_bounds(item.item) for item in text.items if isinstance(item, Not)]
    most = _exclude_expression(
        _join_expressions("AND", [bound.most for bound in wanted if bound.most is not None]),
        [bound.least for bound in against if bound.least is not None],
    )
    least_wanted = [bound.least for bound in wanted if bound.least is not None]
    least_against = [bound.most for bound in against if bound.most is not None]
    if len(least_wanted) < len(wanted) or len(least_against) < len(against):
        return _Bounds(most, None)
    return _Bounds(most, _exclude_expression(_join_expressions("AND", least_wanted), least_against))


def _bounds_of_any(text: Or) -> _Bounds:
    bounds = [_find_bounds(item) for item in text.items]
    most = [bound.most for bound in bounds if bound.most is not None]
    least = [bound.least for bound in bounds if bound.least is not None]
    return _Bounds(
        _join_expressions("OR", most) if len(most) == len(bounds) else None,
        _join_expressions("OR", least),
    )


def _exclude_expression(wanted: str | None, against: list[str]) -> str | None:
    excluded = _join_expressions("OR", against)
    if wanted is None or excluded is None:
        return wanted
    return f"({wanted} NOT {excluded})"


def _join_expressions(operator: str, expressions: list[str]) -> str | None:
    if len(expressions) < 2:
        return next(iter(expressions), None)
    return f"({f' {operator} '.join(expressions)})"
