"""Rows of words: within the limits of PostgreSQL, and without losing a phrase."""

import pytest

from bough.store.postgres.word_rows import LONGEST_PART, OVERLAP, build_word_rows, find_kinds
from bough.store.query_language import Term
from bough.store.query_language.tsquery import (
    LONGEST_TOKEN,
    NAME_PARTS,
    TermQuery,
    quote_lexeme,
    to_term_queries,
)


def test_words_stand_in_their_order() -> None:
    rows = list(
        build_word_rows([b"Read the file, the FILE", None, b"", "née".encode(), None, None, None])
    )

    assert rows == [(0, 0, "read the file the file"), (3, 0, "nee")]
    assert find_kinds(rows) == 0b1001


def test_parts_of_names_stand_there_once() -> None:
    parts = "import \ue003import import".encode()
    (row,) = build_word_rows([None, None, None, None, None, None, parts])

    assert row == (NAME_PARTS, 0, "import \ue003import")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (" ".join(f"w{number}" for number in range(20_000)), 22),
        ("0 " * 900 + "end", 1),
        (" ".join(f"{'x' * 300}{number}" for number in range(3_000)), 5),
        ("y" * 5_000, 1),
        (" ".join(f"{'語' * 3_000}{number}" for number in range(3)), 1),
    ],
)
def test_long_texts_are_parts_within_the_limits(text: str, parts: int) -> None:
    rows = [words for _, _, words in build_word_rows([text.encode()])]

    assert len(rows) == parts
    for words in rows:
        tokens = words.split(" ")
        assert "" not in tokens
        assert len(tokens) <= LONGEST_PART
        assert len(words.encode()) < 1 << 20
        assert max(map(len, tokens)) <= LONGEST_TOKEN


def test_every_phrase_is_whole_in_some_part() -> None:
    words = [f"w{number % 9_000}" for number in range(20_000)]
    runs = {
        tuple(tokens[start : start + OVERLAP])
        for _, _, text in build_word_rows([" ".join(words).encode()])
        for tokens in [text.split(" ")]
        for start in range(len(tokens) - OVERLAP + 1)
    }

    for start in range(0, len(words) - OVERLAP, 37):
        assert tuple(words[start : start + OVERLAP]) in runs


@pytest.mark.parametrize(
    ("term", "kinds", "expected"),
    [
        (Term("Files"), None, (TermQuery("'files'"),)),
        (Term("foo_bar baz"), None, (TermQuery("'foo' <-> 'bar' <-> 'baz'"),)),
        (Term("check", prefix=True), None, (TermQuery("'check':*"),)),
        (Term("->"), None, ()),
        (Term("日本語"), None, (TermQuery("'日本' <-> '本語'"),)),
        (Term("日"), None, (TermQuery("'日':*"),)),
        (
            Term("job"),
            ["text"],
            (TermQuery("'job'", (1,)), TermQuery("'\ue001job'", (NAME_PARTS,))),
        ),
        (Term("two words"), ["text"], (TermQuery("'two' <-> 'words'", (1,)),)),
    ],
)
def test_terms_become_queries(
    term: Term, kinds: list[str] | None, expected: tuple[TermQuery, ...]
) -> None:
    assert to_term_queries(term, kinds) == expected


def test_nothing_in_a_word_is_syntax() -> None:
    assert quote_lexeme("it's\\") == "'it''s\\\\'"
