import base64
from hashlib import sha512

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.model.text.search_tokens import (
    fold_text,
    fts_phrase,
    fts_text,
    has_token,
    split_tokens,
    strip_base64,
)


def bytes_of(size: int) -> bytes:
    blocks = (sha512(bytes([i])).digest() for i in range(size // 64 + 1))
    return b"".join(blocks)[:size]


PAYLOAD = base64.b64encode(bytes_of(900)).decode()


@pytest.mark.parametrize("text", ["", "plain words", "naïve — ✓ done", "Привет, мир", "हिन्दी"])
def test_text_with_spaces_between_its_words_is_indexed_as_it_is(text: str) -> None:
    assert fts_text(text) == text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("黒猫が", ["黒猫", "猫が", "が"]),
        ("猫", ["猫"]),
        ("かな カナ", ["かな", "な", "カナ", "ナ"]),
        ("한국어 x", ["한국", "국어", "어", "x"]),
        ("abc猫def", ["abc", "猫", "def"]),
        ("ภาษา", ["ภา", "าษ", "ษา", "า"]),
        ("猫。犬", ["猫", "犬"]),
        ("\uff21\uff30\uff29 \uff76\uff9e", ["api", "ガ"]),
        ("foo_bar.baz", ["foo", "bar", "baz"]),
        ("Crème BRÛLÉE cafe\u0301", ["creme", "brulee", "cafe"]),
        ("фаи\u0306л", ["файл"]),
        ("\u1f71 5\u212a", ["\u03ac", "5k"]),
        ("done🤖now", ["done", "now"]),
        ("lone \ud800 half", ["lone", "half"]),
        ("-> … 🎉", []),
    ],
)
def test_text_is_cut_into_tokens(text: str, kept: list[str]) -> None:
    assert split_tokens(text) == kept


MANY_LETTERS = " ".join(filter(str.isalpha, map(chr, range(0xC0, 0x180))))


@given(st.text(alphabet="aB3_ -—→éŁßİµ\u0301\u0345ǅж黒ｱ²\ue000\ud800٣") | st.text())
def test_tokens_are_those_of_the_text_whatever_else_it_has(text: str) -> None:
    assert split_tokens(f"{text} {MANY_LETTERS}") == split_tokens(text) + split_tokens(MANY_LETTERS)


@given(st.text() | st.text(alphabet="a\ud800\udfff黒\u0301"))
def test_indexed_text_can_be_stored(text: str) -> None:
    indexed = fts_text(text)

    assert indexed.encode().decode() == indexed


ODD_LETTERS = (
    "a \u1f71\u0958e=é—\u212b\u0387か\u3099\uff76\uff9e黒、"
    "\uac00\u1100\u1161🎉\ud800\uff45ก\u1025\u102e\0"
)


@given(st.text() | st.text(alphabet=ODD_LETTERS))
def test_a_line_is_indexed_alike_whatever_the_next_one_says(text: str) -> None:
    accented = "cafe\u0301"

    assert fts_text(f"{text}\n{accented}") == f"{fts_text(text)}\n{fts_text(accented)}"


def test_a_letter_with_two_codes_is_one_word() -> None:
    assert fts_phrase("\u1f71") == fts_phrase("\u03ac") == '"\u03ac"'


@given(st.text())
def test_text_without_tokens_gives_no_phrase(text: str) -> None:
    assert (fts_phrase(text) is None) == (not has_token(text))


@pytest.mark.parametrize(
    ("text", "prefix", "phrase"),
    [
        ("word", False, '"word"'),
        ("wor", True, '"wor"*'),
        ('a"b', False, '"a b"'),
        ("a\0b", False, '"a b"'),
        ("OR", False, '"OR"'),
        ("東京都", False, '" 東京 京都"'),
        ("東京", True, '" 東京"'),
        ("x猫", False, '"x 猫"*'),
        ("猫x", False, '" 猫 x"'),
        ("->", False, None),
    ],
)
def test_searched_text_becomes_a_phrase(text: str, prefix: bool, phrase: str | None) -> None:
    assert fts_phrase(text, prefix=prefix) == phrase


@pytest.mark.parametrize(
    ("char", "folded"),
    [("É", "e"), ("Ǆ", "ǆ"), ("ς", "\u03c3"), ("ß", "ß"), ("İ", "i"), ("Й", "й")],
)
def test_letters_fold_as_in_sqlite(char: str, folded: str) -> None:
    assert fold_text(char) == folded


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"see {PAYLOAD} there", "see   there"),
        (f"{PAYLOAD}", " "),
        (f'{{"data":"{PAYLOAD}"}}', '{"data":" "}'),
        (f"before\n{base64.encodebytes(bytes_of(400)).decode()}after", "before\n \nafter"),
        ("url(data:image/png;base64,iVBORw0KGgo=) end", "url( ) end"),
        (f"{base64.b64encode(bytes(300)).decode()} zeros", "  zeros"),
        (f"{base64.urlsafe_b64encode(bytes_of(300)).decode()} ok", "  ok"),
    ],
)
def test_base64_is_dropped(text: str, left: str) -> None:
    assert strip_base64(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "words " * 100,
        "/home/someone/code/a-project/src/components/header/" * 6,
        "a_rather_long_name_in_snake_case_" * 10,
        "src/model/tree\nsrc/model/turns\n" * 20,
        "data:text/plain,hello",
        sha512(b"x").hexdigest(),
        PAYLOAD[:150],
        "-" * 500,
    ],
)
def test_what_a_person_may_search_for_is_kept(text: str) -> None:
    assert strip_base64(text) == text


@pytest.mark.parametrize("offset", range(0, 100, 7))
def test_base64_is_seen_wherever_it_begins(offset: int) -> None:
    text = "x " * offset + PAYLOAD[:200] + " end"

    assert strip_base64(text) == "x " * offset + "  end"


@given(
    st.lists(st.sampled_from([PAYLOAD, PAYLOAD[:76], "word", "\n", " ", "a/b", "="]), max_size=30)
)
def test_dropping_base64_twice_is_dropping_it_once(parts: list[str]) -> None:
    once = strip_base64("".join(parts))

    assert strip_base64(once) == once
