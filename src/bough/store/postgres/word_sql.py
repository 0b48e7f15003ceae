"""Conditions on the words of a record: the one place that reads the table `word`.

Row-level security does not sit on that table, because a condition on words would then be checked
row by row, behind it. So nothing else may name the table, and what is here can be replaced by a
function of the database that knows who asks.
"""

from typing import Final

from bough.store.postgres.condition_sql import ServerConditions
from bough.store.query_language import Term
from bough.store.query_language.bounds import AllBound, AnyBound, BoundTree, LessBound
from bough.store.query_language.tsquery import TermQuery, to_term_queries

_HAS_ROW: Final = """exists (
    select 1 from word w where w.file_id = {record}.file_id and w.offset = {record}.offset
    and ({conditions}))"""
_SCORE: Final = """coalesce((
    select sum(ts_rank(w.v, {query}::tsquery)
        * (array[4.0, 3.0, 2.0, 1.5, 1.0, 0.5, 0.3])[w.kind + 1])
    from word w where w.file_id = {record}.file_id and w.offset = {record}.offset
    and w.v @@ {query}::tsquery), 0)"""


class WordChoice:
    """Which words of a record count: of some kinds or of all, parts of names among them or not."""

    def __init__(self, kinds: tuple[str, ...] | None = None, *, names: bool = True) -> None:
        self.kinds = kinds
        self.names = names

    def find_queries(self, term: Term) -> tuple[TermQuery, ...]:
        """Translate a term."""
        return to_term_queries(term, self.kinds, names=self.names)


def write_word_condition(
    where: ServerConditions, bound: BoundTree, choice: WordChoice, record: str = "r"
) -> str:
    """Write that a record matches an expression of words."""
    match bound:
        case Term():
            return _write_row_condition(where, [bound], choice, record)
        case AllBound():
            parts = (write_word_condition(where, item, choice, record) for item in bound.items)
            return f"({' and '.join(parts)})"
        case AnyBound():
            return _write_any(where, bound, choice, record)
        case LessBound():
            wanted = write_word_condition(where, bound.wanted, choice, record)
            against = write_word_condition(where, bound.against, choice, record)
            return f"({wanted} and not {against})"


def write_score(where: ServerConditions, bound: BoundTree, record: str = "r") -> str:
    """Write how well a record matches: by how often it has the words, and where."""
    queries = [query for term in _list_terms(bound) for query in to_term_queries(term)]
    if not queries:
        return "0"
    joined = where.bind(" | ".join(f"({one.query})" for one in queries))
    return _SCORE.format(query=joined, record=record)


def _write_any(where: ServerConditions, bound: AnyBound, choice: WordChoice, record: str) -> str:
    """Ask for terms in one look at the rows; for what is more, record by record."""
    terms = [item for item in bound.items if isinstance(item, Term)]
    others = [item for item in bound.items if not isinstance(item, Term)]
    parts = [_write_row_condition(where, terms, choice, record)] if terms else []
    if not others:
        return parts[0]
    # As a set of places, so that an index leads to each.
    sets = [
        f"select o.file_id, o.offset from record o where {condition}"
        for condition in (
            *(write_word_condition(where, item, choice, "o") for item in others),
            *([_write_row_condition(where, terms, choice, "o")] if terms else []),
        )
    ]
    return f"({record}.file_id, {record}.offset) in ({' union '.join(sets)})"


def _write_row_condition(
    where: ServerConditions, terms: list[Term], choice: WordChoice, record: str
) -> str:
    conditions: list[str] = []
    by_kinds: dict[tuple[int, ...] | None, list[str]] = {}
    for term in terms:
        for one in choice.find_queries(term):
            by_kinds.setdefault(one.kinds, []).append(one.query)
    for kinds, queries in by_kinds.items():
        query = where.bind(" | ".join(f"({one})" for one in queries))
        condition = f"w.v @@ {query}::tsquery"
        if kinds is not None:
            condition = f"{condition} and w.kind in ({', '.join(map(str, kinds))})"
        conditions.append(condition)
    if not conditions:
        return "false"
    return _HAS_ROW.format(record=record, conditions=" or ".join(conditions))


def _list_terms(bound: BoundTree) -> list[Term]:
    """List the terms that are asked for."""
    match bound:
        case Term():
            return [bound]
        case AllBound() | AnyBound():
            return [term for item in bound.items for term in _list_terms(item)]
        case LessBound():
            return _list_terms(bound.wanted)
