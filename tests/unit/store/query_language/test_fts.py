"""The translation to FTS5 against SQLite itself: no syntax error, no hit lost, none added."""

import re
import sqlite3
import unicodedata
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.model.interpret.searchable_text import TEXT
from bough.model.text.identifiers import list_parts
from bough.model.text.match_patterns import WordPattern
from bough.model.text.search_tokens import encode_text, fts_text, split_tokens
from bough.store.query_language import (
    WHOLE_WORDS,
    FtsQuery,
    Regex,
    Term,
    TextQuery,
    all_of,
    any_of,
    list_marked_terms,
    matches,
    negation_of,
    parse,
    to_fts,
)

NOW = datetime(2026, 11, 15, 14, 30, tzinfo=UTC)
COLUMNS = ", ".join((*WHOLE_WORDS, "parts"))
CREATE = f"""
    create virtual table t using fts5({COLUMNS}, tokenize = 'unicode61 remove_diacritics 2')
"""


@pytest.fixture(scope="module")
def table() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.execute(CREATE)
        db.execute("create virtual table v using fts5vocab(t, 'instance')")
        yield db


def fill(db: sqlite3.Connection, texts: list[str]) -> None:
    db.execute("delete from t")
    rows = (
        (i, fts_text(text), list_parts(encode_text(text), TEXT)) for i, text in enumerate(texts)
    )
    db.executemany("insert into t(rowid, text, parts) values (?, ?, ?)", rows)


def rows_for(db: sqlite3.Connection, question: FtsQuery) -> set[int]:
    rows = {row for (row,) in db.execute("select rowid from t")}
    if question.match is not None:
        rows &= matching(db, question.match)
    if question.exclude is not None:
        rows -= matching(db, question.exclude)
    return rows


def matching(db: sqlite3.Connection, expression: str) -> set[int]:
    return {row for (row,) in db.execute("select rowid from t where t match ?", (expression,))}


def words(text: str) -> TextQuery | None:
    return parse(text, NOW, UTC).text


# Few letters, so that texts and queries meet; every kind of character that matters.
ALPHABET = 'aAbBé1_.-> \n"黒猫カ한ΣσйИ🤖\u0301\uff21'
# Three accents on one letter are nobody's word.
short = st.text(alphabet=ALPHABET, max_size=12).filter(lambda text: "\u0301" * 3 not in text)
terms: st.SearchStrategy[TextQuery] = st.builds(
    Term, st.text(alphabet=ALPHABET, min_size=1, max_size=4).filter(str.strip), st.booleans()
)
regexes: st.SearchStrategy[TextQuery] = st.sampled_from(["a+", "^b", "猫$", r"\d"]).map(Regex)


def joined(children: st.SearchStrategy[TextQuery]) -> st.SearchStrategy[TextQuery]:
    several = st.lists(children, min_size=2, max_size=3)
    both = several.map(lambda items: all_of(items) or items[0])
    return both | several.map(any_of) | children.map(negation_of)


expressions = st.recursive(terms | regexes, joined, max_leaves=6)


@given(texts=st.lists(short, min_size=1, max_size=6), expression=expressions)
def test_fts_and_the_check_together_give_what_the_query_means(
    table: sqlite3.Connection, texts: list[str], expression: TextQuery
) -> None:
    fill(table, texts)
    meant = {i for i, text in enumerate(texts) if matches(expression, text)}

    question = to_fts(expression)
    found = rows_for(table, question)

    assert meant <= found
    assert not question.exact or meant == found
    assert rows_for(table, to_fts(expression, ("prompt", "text"))) == found
    if question.match is not None and "NOT" not in question.match:
        assert rows_for(table, to_fts(expression, ("prompt", "note"))) == set()


@given(st.text(min_size=1), st.booleans())
def test_no_text_is_a_syntax_error(table: sqlite3.Connection, text: str, prefix: bool) -> None:
    question = to_fts(Term(text, prefix))

    assert isinstance(rows_for(table, question), set)


def test_a_thousand_words_are_asked_at_once(table: sqlite3.Connection) -> None:
    many = [f"w{i}" for i in range(1000)]
    fill(table, [" ".join(many), "w1 w2"])

    assert rows_for(table, to_fts(words(" ".join(many)))) == {0}
    assert rows_for(table, to_fts(words(" OR ".join(many)))) == {0, 1}


@pytest.mark.parametrize(
    ("opening", "times"), [("a OR (b c -d e OR f ", 9), ("(a OR b -c OR d ", 9), ("-(a ", 5)]
)
def test_the_deepest_query_is_not_too_deep(
    table: sqlite3.Connection, opening: str, times: int
) -> None:
    fill(table, ["a b c"])

    question = to_fts(words(opening * times + "z" + ")" * times))

    assert rows_for(table, question) <= {0}


BEFORE_2003 = st.characters(exclude_categories=["Cs"]).filter(
    lambda char: unicodedata.ucd_3_2_0.category(char) != "Cn"
)


@given(st.text(alphabet=BEFORE_2003))
def test_tokens_are_those_sqlite_keeps(table: sqlite3.Connection, text: str) -> None:
    fill(table, [text])

    asked = "select term from v where col = 'text' order by offset"
    kept = [term for (term,) in table.execute(asked)]

    assert split_tokens(text) == kept


@pytest.mark.parametrize(
    ("query", "match"),
    [
        ("checkpoint", '"checkpoint"'),
        ("check*", '"check"*'),
        ('"exact words"', '"exact words"'),
        ("a b", '("a" AND "b")'),
        ("a OR b", '("a" OR "b")'),
        ("a -b -c", '("a" NOT ("b" OR "c"))'),
        ("黒猫が", '" 黒猫 猫が"'),
        ("猫", '" 猫"*'),
    ],
)
def test_words_become_fts5(query: str, match: str) -> None:
    assert to_fts(words(query)) == FtsQuery(match)


def test_only_negatives_become_what_to_exclude() -> None:
    assert to_fts(words("-a -b")) == FtsQuery(None, '("a" OR "b")')


@pytest.mark.parametrize("query", ["/x/", "->", "-/x/", "a OR -b"])
def test_what_fts5_cannot_say_asks_for_a_check(query: str) -> None:
    assert to_fts(words(query)) == FtsQuery(None, None, exact=False)


def test_a_check_is_done_only_on_what_the_words_leave() -> None:
    assert to_fts(words("a -b /x/")) == FtsQuery('("a" NOT "b")', exact=False)


def test_no_words_ask_for_every_row() -> None:
    assert to_fts(None) == FtsQuery()
    assert matches(None, "anything")


def test_what_was_excluded_is_not_marked() -> None:
    assert list_marked_terms(words("a -b (c* OR /x/i)")) == (
        WordPattern("a"),
        WordPattern("c", prefix=True),
        re.compile("x", re.MULTILINE | re.IGNORECASE),
    )
