"""From words to FTS5, and the check for what FTS5 cannot say.

FTS5 is asked for the bounds of a query (`bounds`). Where these say all there is to say, the rows
are the answer; elsewhere each row's text is checked by `matches`, which is the meaning of a query.
"""

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from bough.model.text.identifiers import mark_kind
from bough.model.text.match_patterns import WordPattern
from bough.model.text.search_tokens import fts_phrase, split_tokens
from bough.model.text.snippets import SearchPattern, TextMatches
from bough.store.query_language.ast import And, Not, Or, Regex, Term, TextQuery
from bough.store.query_language.bounds import (
    AllBound,
    AnyBound,
    BoundTree,
    LessBound,
    find_bounds,
)

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


def to_fts(text: TextQuery | None, kinds: Sequence[str] | None = None) -> FtsQuery:
    """Translate the words of a query to FTS5, in some kinds of words or in all.

    Never a syntax error there.
    """
    found = find_bounds(text)
    return FtsQuery(
        None if found.match is None else _write_bound(found.match, kinds),
        None if found.exclude is None else _write_bound(found.exclude, kinds),
        found.exact,
    )


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


def _write_bound(bound: BoundTree, kinds: Sequence[str] | None) -> str:
    match bound:
        case Term():
            return _write_phrase(bound, kinds)
        case AllBound():
            return f"({' AND '.join(_write_bound(item, kinds) for item in bound.items)})"
        case AnyBound():
            return f"({' OR '.join(_write_bound(item, kinds) for item in bound.items)})"
        case LessBound():
            against = _write_bound(bound.against, kinds)
            return f"({_write_bound(bound.wanted, kinds)} NOT {against})"


def _write_phrase(text: Term, kinds: Sequence[str] | None) -> str:
    """Translate a term; a part of a name has the mark of its kind, where only some count."""
    phrase = fts_phrase(text.text, prefix=text.prefix) or '""'
    if kinds is None:
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
