"""Text as HTML: nothing in it acts, nothing of it is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.export.markup.escape import (
    escape_attribute,
    escape_html,
    has_odd_characters,
    isolate_text,
    split_lines,
)
from tests.unit.export.fragments import read, seen

ANYTHING = st.text(alphabet=st.characters(codec=None), max_size=200)
# Some numbers among the tag characters have no category yet, and are shown as tags are.
PLAIN = st.text(
    alphabet=st.characters(
        blacklist_categories=("Cc", "Cf", "Cs", "Zl", "Zp"), max_codepoint=0xDFFFF
    )
    | st.sampled_from("\n\t<>&\"'`")
)


@given(ANYTHING)
def test_any_text_is_sound_html_that_can_be_written(text: str) -> None:
    fragment = escape_html(text)

    read(fragment)
    fragment.encode("utf-8")


@given(PLAIN)
def test_text_without_odd_characters_is_seen_as_it_is(text: str) -> None:
    assert seen(escape_html(text)) == text


@given(ANYTHING)
def test_any_text_is_one_value_of_an_attribute(text: str) -> None:
    reader = read(f'<span title="{escape_attribute(text)}"></span>')

    assert len(reader.tags) == 1
    assert list(reader.tags[0][1]) == ["title"]


def test_control_characters_are_shown_as_terminals_write_them() -> None:
    assert seen(escape_html("a\x1b[31mb\x00\x7f")) == "a^[[31mb^@^?"


@pytest.mark.parametrize("odd", ["\x00", "\r", "\x7f", "\x9b", "\u2028", "\udc80", "\U000e0041"])
def test_an_odd_character_is_found_wherever_it_stands(odd: str) -> None:
    assert has_odd_characters(odd)
    assert has_odd_characters(f"é\n{odd}\t")
    assert odd not in escape_html(f"a\n{odd}")


def test_what_can_be_seen_is_not_odd() -> None:
    assert not has_odd_characters("a\tb\né 😀\n\u200b")


def test_marks_of_direction_are_shown_by_their_numbers_and_do_not_act() -> None:
    fragment = escape_html("user\u202enimda")

    assert "\u202e" not in fragment
    assert seen(fragment) == "userU+202Enimda"


def test_invisible_tag_characters_become_visible() -> None:
    assert "U+E0041" in seen(escape_html("hello\U000e0041"))


def test_half_a_pair_is_replaced() -> None:
    assert escape_html("\ud83d!") == "\ufffd!"


def test_words_of_another_script_keep_their_direction_to_themselves() -> None:
    assert isolate_text("שלום") == "<bdi>שלום</bdi>"
    assert isolate_text("src/a.py") == "src/a.py"


def test_lines_end_as_on_any_system() -> None:
    assert split_lines("a\r\nb\rc\nd") == ["a", "b", "c", "d"]
