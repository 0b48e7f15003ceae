"""Text inside Markdown: nothing breaks out of a fence, nothing is swallowed as a tag."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bough.export.markdown.fences import (
    escape_inline,
    escape_markdown,
    fence_code,
    make_details,
    quote_text,
)

READER = MarkdownIt("commonmark")
TRICKY = st.text(alphabet="`~a <>\n#-*|\\", max_size=120)


@given(TRICKY)
def test_a_fence_holds_any_text(text: str) -> None:
    tokens = READER.parse(fence_code(text, "text"))

    assert [token.type for token in tokens] == ["fence"]
    assert tokens[0].content.strip("\n") == text.strip("\n")


@given(TRICKY)
def test_open_text_never_leaves_a_fence_open(text: str) -> None:
    tokens = READER.parse(f"{escape_markdown(text)}\n\n## The next turn")

    assert [t.content for t in tokens if t.type == "inline"][-1] == "The next turn"


def test_a_fence_that_was_left_open_is_closed() -> None:
    assert escape_markdown("So:\n```py\nx = 1") == "So:\n```py\nx = 1\n```"


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("see <command-name>", r"see \<command-name>"),
        ("1 < 2 and <3", "1 < 2 and <3"),
        ("`<b>` and <b>", r"`<b>` and \<b>"),
        ("``<b>`` ` <i>", r"``<b>`` ` \<i>"),
        ("<https://example.com>", "<https://example.com>"),
        ("```\n<b>\n```", "```\n<b>\n```"),
    ],
)
def test_tags_are_escaped_outside_code_only(text: str, safe: str) -> None:
    assert escape_markdown(text) == safe


def test_a_summary_is_plain_text() -> None:
    text = make_details("grep <b> & \n more", "body")

    assert "<summary>grep &lt;b&gt; &amp; more</summary>" in text


@given(st.text(max_size=60))
def test_words_inside_a_sentence_stay_one_line_and_mean_nothing(text: str) -> None:
    line = escape_inline(text)

    assert "\n" not in line
    assert re.sub(r"\\(.)", r"\1", line) == " ".join(text.split())


def test_a_quotation_marks_every_line() -> None:
    assert quote_text("a\n\nb") == "> a\n>\n> b"
