"""Questions about the words of records: the one place that asks for them.

Nobody may read the table of words. The database has a function, `found`, that gives the records
with some words among those that whoever asks may read. Everybody asks it, whoever they are. It
takes no SQL: queries, the kinds of words that each is about, and a group for each. Of a group any
query has to match, of all groups above zero each, of those below zero none. What is more than that
is put together of the sets it gives.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from bough.store.postgres.administration.word_dialect import WordDialect
from bough.store.postgres.condition_sql import ServerConditions
from bough.store.postgres.record_bodies import clean_text
from bough.store.query_language import Term
from bough.store.query_language.bounds import AllBound, AnyBound, BoundTree, LessBound
from bough.store.query_language.tsquery import TermQuery, to_term_queries

_CALL: Final = "{name}({queries}::tsquery[], {kinds}::integer[], {groups}::integer[]{more})"
_AT_PLACES: Final = ", at_files => %(files)s::bigint[], at_offsets => %(offsets)s::bigint[]"
_NONE: Final = "select null::bigint, null::bigint where false"
_ALL_KINDS: Final = 127
_EXCLUDED: Final = -1
_FULL: Final = WordDialect()


class WordChoice:
    """Which words of a record count: of some kinds or of all, parts of names among them or not."""

    def __init__(
        self,
        kinds: tuple[str, ...] | None = None,
        *,
        names: bool = True,
        dialect: WordDialect = _FULL,
    ) -> None:
        self.kinds = kinds
        self.names = names
        self.dialect = dialect

    def find_queries(self, term: Term) -> tuple[TermQuery, ...]:
        """Translate a term."""
        found = to_term_queries(term, self.kinds, names=self.names)
        return tuple(one for query in found for one in _adapt(query, self.dialect))


class WordQuestion(Struct, frozen=True):
    """What one call of the function is asked: queries, their kinds and groups, side by side."""

    queries: tuple[str, ...] = ()
    kinds: tuple[int, ...] = ()
    groups: tuple[int, ...] = ()
    is_impossible: bool = False

    def add_terms(self, group: int, terms: Sequence[Term], choice: WordChoice) -> "WordQuestion":
        """Ask for any of some terms too, or, below zero, for none of them."""
        found = [one for term in terms for one in choice.find_queries(term)]
        return WordQuestion(
            self.queries + tuple(clean_text(one.query) for one in found),
            self.kinds + tuple(_mask_kinds(one.kinds) for one in found),
            self.groups + (group,) * len(found),
            self.is_impossible or (group > 0 and not found),
        )

    def write_call(self, where: ServerConditions, more: str = "") -> str:
        """Write the call, and what it is asked beside words."""
        return self._write("found", where, more)

    def write_count(self, where: ServerConditions, most: int) -> str:
        """Write the call that counts: up to so many."""
        return self._write("count_found", where, f", {where.bind(most)}::bigint")

    def write_page(self, where: ServerConditions, most: int, more: str = "") -> str:
        """Write the call that gives a page and counts: up to so many."""
        limits = f", newest => %(limit)s, most => {where.bind(most)}::bigint"
        return self._write("found_page", where, limits + more)

    def _write(self, name: str, where: ServerConditions, more: str) -> str:
        return _CALL.format(
            name=name,
            queries=where.bind(list(self.queries)),
            kinds=where.bind(list(self.kinds)),
            groups=where.bind(list(self.groups)),
            more=more,
        )


def plan_question(bound: BoundTree, choice: WordChoice) -> WordQuestion | None:
    """Put an expression of words into one call; None where it takes several."""
    if not choice.dialect.joins_words:
        return None
    if isinstance(bound, LessBound):
        wanted = plan_question(bound.wanted, choice)
        against = _list_alternatives(bound.against)
        # Two exclusions, one in the other, are one.
        if wanted is None or against is None:
            return None
        return wanted.add_terms(_EXCLUDED, against, choice)
    question = WordQuestion()
    for group, item in enumerate(bound.items if isinstance(bound, AllBound) else (bound,), 1):
        terms = _list_alternatives(item)
        if terms is None:
            return None
        question = question.add_terms(group, terms, choice)
    return question


def write_word_condition(
    where: ServerConditions,
    bound: BoundTree,
    choice: WordChoice,
    record: str = "r",
    *,
    at_places: bool = False,
) -> str:
    """Write that a record matches an expression of words; of the places named, if asked for."""
    found = _write_set(where, bound, choice, _AT_PLACES if at_places else "")
    return f"({record}.file_id, {record}.offset) in ({found})"


def write_score_query(bound: BoundTree, dialect: WordDialect = _FULL) -> str | None:
    """Write the words by which records are put in order; None where there are none."""
    choice = WordChoice(dialect=dialect)
    queries = [query for term in _list_terms(bound) for query in choice.find_queries(term)]
    return clean_text(" | ".join(f"({one.query})" for one in queries)) if queries else None


def _write_set(where: ServerConditions, bound: BoundTree, choice: WordChoice, more: str) -> str:
    if isinstance(bound, Term) and not choice.dialect.joins_words:
        return _write_single_words(where, bound, choice, more)
    question = plan_question(bound, choice)
    if question is not None:
        if question.is_impossible:
            return _NONE
        return f'select file_id, "offset" from {question.write_call(where, more)}'
    joint, items = _split_set(bound)
    return joint.join(f"({_write_set(where, item, choice, more)})" for item in items)


def _write_single_words(where: ServerConditions, term: Term, choice: WordChoice, more: str) -> str:
    """Ask for each alternative of a term by itself."""
    calls = [
        WordQuestion((clean_text(one.query),), (_mask_kinds(one.kinds),), (1,))
        for one in choice.find_queries(term)
    ]
    found = [f'select file_id, "offset" from {one.write_call(where, more)}' for one in calls]
    return " union ".join(found) or _NONE


def _adapt(query: TermQuery, dialect: WordDialect) -> tuple[TermQuery, ...]:
    """Write a query as an engine can take it: without phrases, one alternative at a time."""
    text = query.query if dialect.has_phrases else query.query.replace(" <-> ", " & ")
    # No word has a space in it.
    parts = [text] if dialect.joins_words else text.split(" | ")
    return tuple(TermQuery(one, query.kinds) for one in parts)


def _split_set(bound: BoundTree) -> tuple[str, Sequence[BoundTree]]:
    match bound:
        case LessBound():
            return " except ", (bound.wanted, bound.against)
        case AllBound():
            return " intersect ", bound.items
        case AnyBound():
            return " union ", bound.items
        case Term():  # pragma: no cover - one call suffices
            return "", (bound,)


def _list_alternatives(bound: BoundTree) -> list[Term] | None:
    """List terms of which any has to match; None where it is more than that."""
    items = bound.items if isinstance(bound, AnyBound) else (bound,)
    terms = [item for item in items if isinstance(item, Term)]
    return terms if len(terms) == len(items) else None


def _mask_kinds(kinds: Sequence[int] | None) -> int:
    return _ALL_KINDS if kinds is None else sum(1 << kind for kind in set(kinds))


def _list_terms(bound: BoundTree) -> list[Term]:
    """List the terms that are asked for."""
    match bound:
        case Term():
            return [bound]
        case AllBound() | AnyBound():
            return [term for item in bound.items for term in _list_terms(item)]
        case LessBound():
            return _list_terms(bound.wanted)
