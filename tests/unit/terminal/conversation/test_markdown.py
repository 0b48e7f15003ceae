"""Markdown on a terminal, lightly."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.terminal.capabilities import ColorDepth, Terminal
from bough.terminal.conversation.markdown import render_markdown
from bough.terminal.style import PLAIN, styles_for
from bough.terminal.text import width

STYLES = styles_for(Terminal(ColorDepth.SIXTEEN))
CODES = re.compile(r"\x1b\[[\d;]*m")


def shown(text: str, columns: int | None = None) -> list[str]:
    return render_markdown(text, STYLES, columns)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a **b c** d", "a \x1b[1mb c\x1b[0m d"),
        ("*em*", "\x1b[3mem\x1b[0m"),
        ("_em_", "\x1b[3mem\x1b[0m"),
        ("`x = 1`", "\x1b[36mx = 1\x1b[0m"),
        ("# Title", "\x1b[1mTitle\x1b[0m"),
        ("## `code` title ##", "\x1b[1mcode title\x1b[0m"),
        ("* item", "- item"),
        ("12. item", "12. item"),
        ("> said", "\x1b[90m│ \x1b[0msaid"),
        ("---", "\x1b[90m───\x1b[0m"),
        ("[text](https://x.org)", "\x1b[4mtext\x1b[0m\x1b[90m (https://x.org)\x1b[0m"),
    ],
)
def test_marks_give_way_to_looks(text: str, expected: str) -> None:
    assert shown(text) == [expected]


@pytest.mark.parametrize(
    "text", ["a * b * c", "snake_case_name", "2**3", "x ** y", "**", "a_b", "| a | b |", "5 < 6"]
)
def test_what_is_no_mark_stays(text: str) -> None:
    assert shown(text) == [text]


def test_code_between_fences_is_left_as_it_is() -> None:
    text = "Do:\n```python\nif **x**:\n\n    pass\n```\nDone."

    lines = [CODES.sub("", line) for line in shown(text, 20)]

    assert lines == ["Do:", "  if **x**:", "", "      pass", "Done."]


def test_list_items_hang() -> None:
    lines = shown("- one two three four five", 12)

    assert lines == ["- one two", "  three four", "  five"]


def test_a_style_goes_on_in_the_next_line() -> None:
    lines = shown("**one two three**", 8)

    assert [CODES.sub("", line) for line in lines] == ["one two", "three"]
    assert all("\x1b[1m" in line for line in lines)


def test_without_colours_the_text_stays_as_it_was_written() -> None:
    assert render_markdown("# T\n**b** `c`", PLAIN, None) == ["# T", "**b** `c`"]


def test_control_characters_do_not_get_through() -> None:
    assert "\x1b[2J" not in "".join(shown("a \x1b[2J **b**"))


def test_a_line_of_megabytes_is_not_looked_at_for_marks() -> None:
    text = "**x** " * 300_000

    assert shown(text) == [text.strip("\n")]


@given(st.text(max_size=300), st.integers(12, 60))
def test_no_line_is_wider_than_the_room(text: str, columns: int) -> None:
    for line in shown(text, columns):
        bare = CODES.sub("", line)
        if not bare.lstrip().startswith("|") and "  " not in bare[:2]:
            assert width(bare) <= columns + 8


@given(st.text(alphabet=st.sampled_from("ab *_`#-\n1.>[]()~|"), max_size=200))
def test_words_are_never_lost(text: str) -> None:
    bare = CODES.sub("", "".join(shown(text)))

    assert bare.count("a") == _outside_fence_marks(text).count("a")


def _outside_fence_marks(text: str) -> str:
    """Leave out the lines that open and close code, whose words name a language."""
    return "\n".join(
        line for line in text.split("\n") if not line.lstrip().startswith(("```", "~~~"))
    )
