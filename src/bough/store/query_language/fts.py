"""From words to FTS5, and the check for what FTS5 cannot say.

FTS5 has no regexes, no marks such as `->`, and no "everything but". So the translation
gives bounds: an expression that every hit matches, and one that no hit matches. Where the
two say all there is to say, the rows are the answer; elsewhere each row's text is checked
by `matches`, which is the meaning of a query.
"""

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from bough.model.text.identifiers import mark_kind
from bough.model.text.match_patterns import WordPattern
from bough.model.text.search_tokens import fts_phrase, split_tokens
from bough.model.text.snippets import SearchPattern, TextMatches
from bough.store.query_language.ast import And, Not, Or, Regex, Term, TextQuery

FoundMatches: TypeAlias = Mapping[tuple[Regex, str], tuple[tuple[int, int], ...]]
"""Where a regex matches a text; nowhere: an empty tuple, or none."""


WHOLE_WORDS: Final = ("prompt", "text", "thinking", "tool_input", "tool_result", "note")
"""The columns of words as they were written, by kind; `parts` of names stand beside them."""
_NEAR: Final = 8
"""So many words may stand between words that are close to each other."""


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


def to_fts(text: TextQuery | None, kinds: Sequence[str] | None = None) -> FtsQuery:
    """Translate the words of a query to FTS5, in some kinds of words or in all.

    Never a syntax error there.
    """
    if text is None:
        return FtsQuery()
    bounds = _find_bounds(text, kinds)
    if bounds.most is not None:
        return FtsQuery(bounds.most, exact=bounds.most == bounds.least)
    items = text.items if isinstance(text, And) else (text,)
    against = [_find_bounds(item.item, kinds) for item in items if isinstance(item, Not)]
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

    Words that stand together as they were typed are one mark.
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
            phrase = join_words(text)
            own = (WordPattern(phrase.text, phrase.prefix),) if phrase is not None else ()
            words = (one for item in text.items for one in list_marked_terms(item, written, found))
            return (*own, *words)


def _find_bounds(text: TextQuery, kinds: Sequence[str] | None) -> _Bounds:
    match text:
        case Term():
            phrase = _find_phrase(text, kinds)
            return _Bounds(phrase, phrase)
        case Regex() | Not():
            return _UNKNOWN
        case And():
            return _bounds_of_all(text, kinds)
        case Or():
            return _bounds_of_any(text, kinds)


def _find_phrase(text: Term, kinds: Sequence[str] | None) -> str | None:
    """Translate a term; a part of a name has the mark of its kind, where only some count."""
    phrase = fts_phrase(text.text, prefix=text.prefix)
    if phrase is None or kinds is None:
        return phrase
    whole = f"{{{' '.join(kinds)}}} : {phrase}"
    tokens = split_tokens(text.text)
    if len(tokens) > 1 or not tokens[0].isascii():
        return whole
    marks = [mark_kind(WHOLE_WORDS.index(kind)) for kind in kinds]
    end = "*" if text.prefix else ""
    parts = " OR ".join(f'"{mark}{tokens[0]}"{end}' for mark in marks)
    return f"({whole} OR parts : ({parts}))"


def join_words(text: TextQuery | None) -> Term | None:
    """Join the words of a query to the phrase they would be in quotes; None where they are none."""
    if not isinstance(text, And) or any(isinstance(item, Or | And) for item in text.items):
        return None
    terms = [item for item in text.items if isinstance(item, Term)]
    if len(terms) < 2 or any(term.prefix for term in terms[:-1]):
        return None
    return Term(" ".join(term.text for term in terms), terms[-1].prefix)


def join_near(text: TextQuery | None) -> str | None:
    """Ask FTS5 for the words of a query close to each other, in any order."""
    if join_words(text) is None or not isinstance(text, And):
        return None
    terms = [item for item in text.items if isinstance(item, Term)]
    phrases = [fts_phrase(term.text, prefix=term.prefix) for term in terms]
    known = [phrase for phrase in phrases if phrase is not None]
    return f"NEAR({' '.join(known)}, {_NEAR})" if len(known) > 1 else None


def _bounds_of_all(text: And, kinds: Sequence[str] | None) -> _Bounds:
    wanted = [_find_bounds(item, kinds) for item in text.items if not isinstance(item, Not)]
    against = [_find_bounds(item.item, kinds) for item in text.items if isinstance(item, Not)]
    most = _exclude_expression(
        _join_expressions("AND", [bound.most for bound in wanted if bound.most is not None]),
        [bound.least for bound in against if bound.least is not None],
    )
    least_wanted = [bound.least for bound in wanted if bound.least is not None]
    least_against = [bound.most for bound in against if bound.most is not None]
    if len(least_wanted) < len(wanted) or len(least_against) < len(against):
        return _Bounds(most, None)
    return _Bounds(most, _exclude_expression(_join_expressions("AND", least_wanted), least_against))


def _bounds_of_any(text: Or, kinds: Sequence[str] | None) -> _Bounds:
    bounds = [_find_bounds(item, kinds) for item in text.items]
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
