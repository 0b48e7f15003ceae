"""Transcript text on its way to a terminal."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.terminal.text import (
    clean,
    clean_lines,
    lines_of,
    make_harmless,
    measure_lines,
    one_line,
    width,
)

ACTING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[?25lhidden cursor", "hidden cursor"),
        ("\x1b]0;a title\x07after", "after"),
        ("\x1b]52;c;c2VjcmV0\x1b\\after", "after"),
        ("\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1bPdevice\x1b\\after", "after"),
        ("\x1b(Bcharset", "charset"),
        ("\x9b31mred", "red"),
        ("\x9d0;a title\x9cafter", "after"),
    ],
)
def test_an_escape_sequence_goes_whole(text: str, shown: str) -> None:
    assert clean(text) == shown


def test_a_sequence_without_its_end_loses_no_words() -> None:
    assert clean("before \x1b]0;not a title") == "before 0;not a title"


def test_a_sequence_does_not_reach_into_the_next_line() -> None:
    assert clean("\x1b]0;half\nwhole line\x07") == "0;half\nwhole line"


def test_direction_cannot_be_overridden() -> None:
    assert clean("user\u202enimda\u202c \u2066x\u2069") == "usernimda x"


def test_text_written_from_right_to_left_keeps_its_marks() -> None:
    assert clean("שלום\u200f, עולם") == "שלום\u200f, עולם"


def test_bells_backspaces_and_nulls_go() -> None:
    assert clean("a\x07b\x08c\x00d\x7fe") == "abcde"


def test_newlines_and_tabs_stay() -> None:
    assert clean("a\tb\nc") == "a\tb\nc"


@pytest.mark.parametrize("end", ["\r\n", "\r", "\x85", "\u2028", "\u2029"])
def test_every_kind_of_line_end_is_a_newline(end: str) -> None:
    assert clean(f"a{end}b") == "a\nb"


def test_a_lone_surrogate_becomes_a_replacement_sign() -> None:
    assert clean("a\ud83db") == "a\ufffdb"


def test_one_line_has_single_spaces_and_no_ends() -> None:
    assert one_line("  a\n\n b\t\tc \x1b[1md\x1b[0m ") == "a b c d"


def test_lines_have_spaces_for_tabs() -> None:
    assert lines_of("a\tb\r\nc") == ["a   b", "c"]


@given(st.text())
def test_nothing_that_acts_on_a_terminal_is_left(text: str) -> None:
    assert ACTING.search(clean(text)) is None


@given(st.text(alphabet=st.characters(codec="utf-8")))
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@pytest.mark.alone
@pytest.mark.parametrize("text", ["\x1b]", "\x1b[1;", "\x1b[31mx", "\x9d", "a\r"])
def test_a_megabyte_of_sequences_takes_linear_time(text: str) -> None:
    def seconds(times: int) -> float:
        start = time.perf_counter()
        clean(text * times)
        return time.perf_counter() - start

    seconds(1_000)

    # Sixteen times the text: 16 times the work when linear, 256 when every sequence looks ahead.
    assert seconds(160_000) < 80 * max(seconds(10_000), 0.01)


@given(st.text(max_size=80))
def test_a_piece_of_a_line_acts_on_no_terminal(text: str) -> None:
    line = make_harmless(text)

    assert not re.search("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]", line)
    assert make_harmless(line) == line


def test_what_is_harmless_stays_as_it_is() -> None:
    assert make_harmless("plain, wörds 日本 │") == "plain, wörds 日本 │"


@given(texts=st.lists(st.text(alphabet="ab |\t\x1b[é漢") | st.text()))
def test_many_texts_are_cleaned_and_measured_as_each_is(texts: list[str]) -> None:
    cleaned = clean_lines(texts)

    assert cleaned == [one_line(text) for text in texts]
    assert measure_lines(cleaned) == [width(text) for text in cleaned]
