"""Words as vectors: within the limits of PostgreSQL, and without losing a phrase."""

import re

import pytest

from bough.store.postgres.word_vectors import OVERLAP, build_vectors, find_kinds
from bough.store.query_language import Term
from bough.store.query_language.tsquery import NAME_PARTS, TermQuery, quote_lexeme, to_term_queries


def _positions(vector: str) -> dict[str, list[int]]:
    found = re.findall(r"(?:'((?:[^']|'')*)'|(\w+)):([\d,]+)", vector)
    return {
        quoted or plain: [int(place) for place in places.split(",")]
        for quoted, plain, places in found
    }


def test_words_have_their_places() -> None:
    vectors = list(build_vectors(["Read the file, the FILE", None, "", "née", None, None, None]))

    assert vectors == [(0, 0, "read:1 the:2,4 file:3,5"), (3, 0, "nee:1")]
    assert find_kinds(vectors) == 0b1001


def test_parts_of_names_have_no_places() -> None:
    (vector,) = build_vectors([None, None, None, None, None, None, "import \ue003import"])

    assert vector == (NAME_PARTS, 0, "'import' '\ue003import'")


@pytest.mark.parametrize(
    "text",
    [
        " ".join(f"w{number}" for number in range(20_000)),
        "0 " * 3_000 + "end",
        " ".join(f"{'x' * 300}{number}" for number in range(3_000)),
        "y" * 5_000,
    ],
)
def test_long_texts_are_parts_within_the_limits(text: str) -> None:
    vectors = [vector for _, _, vector in build_vectors([text])]

    for vector in vectors:
        places = _positions(vector)
        assert max(map(max, places.values())) < 16_383
        assert max(map(len, places.values())) <= 256
        assert len(vector.encode()) < 1 << 20
        assert max(len(word.encode()) for word in places) <= 2_046


def test_every_phrase_is_whole_in_some_part() -> None:
    words = [f"w{number % 9_000}" for number in range(20_000)]
    length = OVERLAP
    parts = []
    for _, _, vector in build_vectors([" ".join(words)]):
        by_place = {place: word for word, places in _positions(vector).items() for place in places}
        parts.append([by_place[place] for place in sorted(by_place)])
    runs = {
        tuple(part[start : start + length])
        for part in parts
        for start in range(len(part) - length + 1)
    }

    for start in range(0, len(words) - length, 37):
        assert tuple(words[start : start + length]) in runs


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
