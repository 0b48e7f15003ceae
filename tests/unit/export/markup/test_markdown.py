"""Markdown as HTML: rendered, and never a tag, a script or a request of its own."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.export.markup.escape import escape_html
from bough.export.markup.markdown import LONGEST, link_addresses, render_markdown
from tests.unit.export.fragments import read, seen
from tests.unit.export.markup.test_escape import ANYTHING

PIECES = st.sampled_from(
    [
        "# ",
        "## ",
        "- ",
        "1. ",
        "> ",
        "```py\n",
        "```\n",
        "~~~",
        "`",
        "``",
        "**",
        "__",
        "*",
        "_",
        "~~",
        "~",
        "[",
        "](",
        ")",
        "![",
        "<",
        ">",
        "&lt;",
        "\\",
        "\n",
        "\n\n",
        "    ",
        "http://a.example/x",
        "javascript:alert(1)",
        "data:text/html;base64",
        "<script>",
        "</div>",
        "on=",
        ": ",
        "---\n",
        "===\n",
        "[a]: http://b.example\n",
        "<http://c.example>",
    ]
)
MARKDOWN = st.lists(PIECES | st.text(max_size=12), max_size=30).map("".join)
WORD = re.compile(r"[a-zA-Z]{2,}")


@given(MARKDOWN | ANYTHING)
def test_whatever_is_rendered_is_sound_and_safe(text: str) -> None:
    read(render_markdown(text))


@given(MARKDOWN)
def test_no_word_is_lost(text: str) -> None:
    reader = read(render_markdown(text))

    everything = reader.text + " ".join(reader.aside)
    assert [word for word in WORD.findall(text) if word not in everything] == []


@given(MARKDOWN | ANYTHING)
def test_text_with_links_is_seen_as_it_is_written(text: str) -> None:
    assert WORD.findall(seen(link_addresses(text))) == WORD.findall(seen(escape_html(text)))


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "data:text/html;base64,PHNjcmlwdD4=",
        "file:///etc/passwd",
        "vbscript:x",
        "//evil.example/x",
        "src/main.py",
        "https:evil",
    ],
)
def test_only_addresses_of_web_and_mail_are_links(address: str) -> None:
    fragment = render_markdown(f"see [the file](<{address}>)")

    assert "<a" not in fragment
    assert seen(fragment) == f"see the file ({address})"


def test_an_address_in_disguise_is_no_link_either() -> None:
    assert "<a" not in render_markdown("[x](java&#115;cript:alert(1)) [y](<\tjavascript:alert(1)>)")


def test_links_open_apart_and_tell_nobody_where_from() -> None:
    fragment = render_markdown("[docs](https://a.example/x?a=1&b=2)")

    assert (
        '<a href="https://a.example/x?a=1&amp;b=2" rel="noreferrer noopener" target="_blank">docs'
        in fragment
    )


def test_a_bare_address_is_a_link_without_the_full_stop_behind_it() -> None:
    fragment = render_markdown("Look at https://a.example/x.")

    assert ">https://a.example/x</a>." in fragment


def test_a_picture_is_never_loaded() -> None:
    fragment = render_markdown("![a cat](https://a.example/cat.png)")

    assert "<img" not in fragment
    assert '<a href="https://a.example/cat.png"' in fragment
    assert seen(fragment) == "a cat"


def test_tags_stay_text() -> None:
    text = "<b onclick=x>bold</b> <!-- hidden --> &amp; <script>alert(1)</script>"

    assert seen(render_markdown(text)) == text


def test_one_wave_strikes_nothing_through() -> None:
    assert "<s>" not in render_markdown("about ~5 minutes or ~6")
    assert "<s>gone</s>" in render_markdown("~~gone~~ now")


def test_headings_stay_below_the_title_of_the_page() -> None:
    fragment = render_markdown("# One\n\n## Two\n\n###### Six")

    assert [tag for tag, _ in read(fragment).tags] == ["h3", "h4", "h4"]


def test_tables_are_tables() -> None:
    fragment = render_markdown("| a | b |\n|---|--:|\n| 1 | 2 |")

    assert [tag for tag, _ in read(fragment).tags].count("td") == 2
    assert '<td class="right">2</td>' in fragment


def test_a_definition_of_a_link_is_not_swallowed() -> None:
    assert "a.example" in seen(render_markdown("[x]: https://a.example"))


def test_a_block_of_code_says_its_language_and_can_be_copied() -> None:
    fragment = render_markdown("```python\nif x:\n    pass\n```")

    assert '<span class="lang">python</span>' in fragment
    assert 'data-do="copy"' in fragment
    assert '<i class="k">if' in fragment


def test_text_beyond_reading_is_shown_as_it_is() -> None:
    text = "**no**" * (LONGEST // 6 + 1)

    assert "<strong>" not in render_markdown(text)
    assert seen(render_markdown(text)) == text


def test_an_unfinished_fence_loses_nothing() -> None:
    assert "half" in seen(render_markdown("```py\nhalf"))


def test_a_link_to_nowhere_closes_what_it_opened() -> None:
    assert render_markdown("[a]()") == '<p dir="auto"><span>a</span></p>'
