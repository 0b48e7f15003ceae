"""Blocks that are written without the parser are what the parser would have written."""

from time import process_time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bough.export.markup.escape import escape_html
from bough.export.markup.markdown import LONGEST, link_addresses, render_inline, render_with_parser
from bough.export.markup.quickblocks import quick_blocks
from bough.export.markup.quickinline import quick_inline

INDENTS = st.sampled_from(["", "", "", "", " ", "  ", "   ", "    ", "      ", "\t", " \t"])
MARKS = st.sampled_from(
    ["", "", "", "- ", "* ", "1. ", "2. ", "10) ", "-", "1.", "-     ", "> ", ">", "# ", "## "]
)
PLAIN = (*"ab|#>", "two words", "**b** `c`", "a  ", "[a](b)", "\xa0", "\u3000c", "", "", "  ")
FENCES = ("```", "```py", "````", "~~~", "```\t", "``` a`b")
RULES = ("---", "- - -", "***", "===", "-", "=", "-\ta", "1.\tx", "# h #")
TABLES = ("| a | b |", "|---|:-:|", "|---|", "| a \\| b", "a | b", "---|---", "||")
WORDS = st.sampled_from([*PLAIN, *FENCES, *RULES, *TABLES])
P = '<p dir="auto">{}</p>'
LINES = st.lists(st.tuples(INDENTS, MARKS, WORDS).map("".join), max_size=9)


def inline_if_quick(text: str) -> str:
    """Write words, or nothing where the parser would."""
    return quick_inline(text, link_addresses) or ""


@settings(max_examples=1000)
@given(LINES.map("\n".join))
@example("- a\n\n  b\nc\n  - d\ne\n\nf")
@example("1. a\n   ```\n   b\n  c\n   ```")
@example("- | a |\n  |---|\n- | a |\n  |---|---|")
@example("- a\n    - b\n\n- c\n\n\n---\nd")
@example("> - a\n>\n>   b\n- c\n> d")
def test_both_ways_write_the_same(text: str) -> None:
    quick = quick_blocks(text, render_inline)

    assert quick is None or quick == render_with_parser(text)


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
    ],
)
def test_the_usual_is_quick(text: str, written: str) -> None:
    assert quick_blocks(text, escape_html) == written


def test_a_table_keeps_its_sides_and_the_bars_that_are_words() -> None:
    written = quick_blocks("| a | b |\n|--:|:--|\n| c \\| d |\n", escape_html)

    assert written is not None
    assert '<th class="right">a</th><th>b</th>' in written
    assert '<td class="right">c | d</td><td></td>' in written


def test_code_loses_the_indent_of_its_fence_only() -> None:
    written = quick_blocks("- x\n\n  ```\n    a\n\n  ```", escape_html)

    assert written is not None
    assert "<code>  a\n</code>" in written


@pytest.mark.parametrize(
    "text",
    [
        "    code",
        "a\n---",
        "a\n===",
        "```\nnever closed",
        "-\ta",
        "-",
        "-      a",
        "> a\nb",
        "- > a\nb",
        "- ```\nb\n  ```",
        "| a |\n|---|---|",
        "# a | b\n---|---",
        "# a #",
        "- " * 20 + "a",
        "a\0b",
    ],
)
def test_all_else_is_left_to_the_parser(text: str) -> None:
    assert quick_blocks(text, escape_html) is None


@pytest.mark.parametrize(
    "piece",
    [
        *("- a\n", "- ", "- - ", "1. a\nb\n", "- a\n  - b\n    - c\n", "> ", "> a\n\n", "a\n"),
        *("| ", "|-\n", "|a|\n|-|\n\n", "```\n", "```\n```\n", "`", "````\n```\n", "* ", "_ "),
        *("[a", "[a](", "`a", "**a", "*a ", "<a", "a_", "\\", "0"),
    ],
)
def test_time_grows_as_the_text_does(piece: str) -> None:
    start = process_time()

    quick_blocks((piece * LONGEST)[:LONGEST], inline_if_quick)

    assert process_time() - start < 1


def test_a_short_text_does_not_become_a_table_without_end() -> None:
    columns = 2_000
    table = "| a " * columns + "|\n" + "|-" * columns + "|\n" + "|\n" * 2_000

    assert quick_blocks(table, escape_html) is None
