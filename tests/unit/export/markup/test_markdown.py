"""Markdown as HTML: rendered, and never a tag, a script or a request of its own."""

import re
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bough.export.markup.escape import escape_html
from bough.export.markup.markdown import (
    LONGEST,
    link_addresses,
    render_markdown,
    render_with_markdown_it,
)
from tests.sampled import scale_examples
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
P = '<p dir="auto">{}</p>'

MARKED = ("**a**", "*b*", "`x`", "a_b", "**`x`**", " **b**.", " * ", "**", "``", " ~~s~~ ")
LINKS = ("[a](b)", "[a_b](http://c.example/d)", "![a](b)", "](", "<a:b>", "<a@b>", "http://a.b")
ODD = ("\u6f22", "\u3002", "\u20ac", "\u2019", "<b>", "&lt;", "]: b", "\n[a]: b\n")
INLINE = st.sampled_from([*"*_`ab1 .,:()!<>&\n[]#-@", *MARKED, *LINKS, *ODD])
INDENTS = st.sampled_from(["", "", "", "  ", "   "])
MARKS = st.sampled_from(["", "", "", "- ", "* ", "1. ", "2. ", "10) ", "> ", ">", "# ", "## "])
PLAIN = ("a", "b", "two words", "**b** `c`", "a  ", "[a](b)", "", "", "a | b")
RULES = ("---", "- - -", "***", "===", "# h #")
LINES = st.tuples(INDENTS, MARKS, st.sampled_from([*PLAIN, *RULES])).map("".join)


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


@settings(max_examples=scale_examples(300))
@given(
    st.lists(INLINE, max_size=12).map("".join) | st.lists(LINES, max_size=8).map("\n".join),
)
def test_both_parsers_read_what_is_usual_alike(text: str) -> None:
    assert render_markdown(text) == render_with_markdown_it(text)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("one\ntwo\n\nthree", '<p dir="auto">one\ntwo</p><p dir="auto">three</p>'),
        ("# One\n## Two", '<h3 dir="auto">One</h3><h4 dir="auto">Two</h4>'),
        ("a\n***\nb", '<p dir="auto">a</p><hr><p dir="auto">b</p>'),
        ("- a\n- b", '<ul><li dir="auto">a</li><li dir="auto">b</li></ul>'),
        ("3. a\n   - b", '<ol start="3"><li dir="auto">a<ul><li dir="auto">b</li></ul></li></ol>'),
        ("- a\n\n  b", f'<ul><li dir="auto">{"".join(map(P.format, "ab"))}</li></ul>'),
        ("- a\nb", '<ul><li dir="auto">a\nb</li></ul>'),
        ("> a\n> b", '<blockquote dir="auto"><p dir="auto">a\nb</p></blockquote>'),
        ("a  \nb\r\nc", P.format("a<br>\nb\nc")),
        ("Run `a < b` now", P.format("Run <code>a &lt; b</code> now")),
        ("**Cause:** snake_case", P.format("<strong>Cause:</strong> snake_case")),
        ("an *odd* thing: 2 * 3", P.format("an <em>odd</em> thing: 2 * 3")),
        ("\u6f22**\u5b57**\u6f22", P.format("\u6f22<strong>\u5b57</strong>\u6f22")),
        ("C:\\Users [x] a[0] <b>", P.format("C:\\Users [x] a[0] &lt;b&gt;")),
        ("see [c.md](c.md)", P.format("see c.md")),
        ("see [`a/c.md`](a/c.md)", P.format("see <code>a/c.md</code>")),
        ("see [a_b](c.md)", P.format('see <span>a_b</span><span class="to"> (c.md)</span>')),
    ],
)
def test_markdown_becomes_the_tags_of_the_page(text: str, written: str) -> None:
    assert render_markdown(text) == written


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("with --dry-run it", 'with <span class="option">--dry-run</span> it'),
        ("`make --jobs=2`", '<code>make <span class="option">--jobs</span>=2</code>'),
        ("a -- b, x--y, ---", "a -- b, x--y, ---"),
    ],
)
def test_an_option_stays_on_one_line_with_its_dashes(text: str, written: str) -> None:
    assert render_markdown(text) == P.format(written)


def test_a_table_keeps_its_sides_and_the_bars_that_are_words() -> None:
    fragment = render_markdown("| a | b |\n|--:|:--|\n| c \\| d |\n")

    assert '<thead><tr><th class="right">a</th><th>b</th></tr></thead><tbody>' in fragment
    assert '<td class="right">c | d</td><td></td>' in fragment


def test_a_table_without_rows_has_no_body() -> None:
    assert "<tbody>" not in render_markdown("| a |\n|---|")


def test_code_loses_the_indent_of_its_fence_only() -> None:
    assert "<code>  a\n</code>" in render_markdown("- x\n\n  ```\n    a\n\n  ```")


@pytest.mark.parametrize("mark", ["```", "~~~", "````"])
def test_a_fence_with_a_tab_behind_it_ends_the_code(mark: str) -> None:
    assert render_markdown(f"{mark}\na\n{mark} \t\n*b*").endswith(P.format("<em>b</em>"))


def test_an_address_of_mail_is_a_link() -> None:
    assert '<a href="mailto:a@b.example"' in render_markdown("<a@b.example>")


@pytest.mark.parametrize(
    "text",
    [
        *("a &amp; b", "&#35;1", "[x]: https://a.example", "> [x]: y", "<div>*a*</div>"),
        *('<b class="*x*">', "<!-- a -->", "![a\\*b](c)", "~a~", "a\0b", "a\ud800b"),
    ],
)
def test_what_would_be_swallowed_is_read_by_the_other_parser(text: str) -> None:
    assert render_markdown(text) == render_with_markdown_it(text)


def test_a_quote_in_very_many_quotes_is_shown_as_it_is() -> None:
    text = "> " * 21 + "word"

    assert "<blockquote" not in render_markdown(text)
    assert seen(render_markdown(text)) == text
    assert render_markdown(text[2:]).count("<blockquote") == 20


@pytest.mark.parametrize(
    "piece",
    [
        *("- a\n", "- ", "- - ", "1. a\nb\n", "- a\n  - b\n    - c\n", "> ", "> a\n\n", "a\n"),
        *("| ", "|-\n", "|a|\n|-|\n\n", "```\n", "```\n```\n", "`", "````\n```\n", "* ", "_ "),
        *("[a", "[a](", "`a", "**a", "*a ", "<a", "a_", "\\", "0", "~", "~~a", "a]:", "&a"),
    ],
)
def test_time_grows_as_the_text_does(piece: str) -> None:
    start = process_time()

    render_markdown((piece * LONGEST)[:LONGEST])

    assert process_time() - start < 1


def test_a_short_text_does_not_become_a_table_without_end() -> None:
    columns = 2_000
    table = "| a " * columns + "|\n" + "|-" * columns + "|\n" + "|\n" * 2_000

    assert len(render_markdown(table)) < 10 * len(table)


def test_a_wide_space_that_begins_a_paragraph_stays() -> None:
    assert render_markdown("a\n\n\u3000b") == P.format("a") + P.format("\u3000b")
