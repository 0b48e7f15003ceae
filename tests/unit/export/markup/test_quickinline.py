"""What is written without the parser is what the parser would have written."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bough.export.markup.escape import escape_html
from bough.export.markup.markdown import link_addresses, render_inline_with_parser
from bough.export.markup.quickinline import quick_inline

MARKED = ("**a**", "*b*", "`x`", "a_b", "**`x`**", " **b**.", " * ", "**", "``", "~~")
LINKS = ("[a](b)", "[a_b](http://c.example/d)", "![a](b)", "](", "<a:b>", "<a@b>", "http://a.b")
ODD = ("\u6f22", "\u3002", "\u3000", "\x1c", "\u200e", "`|", "`{")
PARTS = st.sampled_from([*"*_`~ab1 .,:()!<>&\n\\[]#-@", *MARKED, *LINKS, *ODD])


@settings(max_examples=500)
@given(st.lists(PARTS, max_size=12).map("".join))
def test_both_ways_write_the_same(text: str) -> None:
    quick = quick_inline(text, link_addresses)

    assert quick is None or quick == render_inline_with_parser(text)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Plain words.", "Plain words."),
        ("Run `a < b` now", "Run <code>a &lt; b</code> now"),
        (
            "**Cause:** the `lock` of snake_case",
            "<strong>Cause:</strong> the <code>lock</code> of snake_case",
        ),
        ("two\nlines", "two\nlines"),
        ("an *odd* thing: 2 * 3", "an <em>odd</em> thing: 2 * 3"),
        ("\u6f22**\u5b57**\u6f22", "\u6f22<strong>\u5b57</strong>\u6f22"),
        ("C:\\Users [x] a[0] <b>", "C:\\Users [x] a[0] &lt;b&gt;"),
        ("see [a_b](c.md)", 'see <span>a_b</span><span class="to"> (c.md)</span>'),
    ],
)
def test_the_usual_is_quick(text: str, written: str) -> None:
    assert quick_inline(text, escape_html) == written


@pytest.mark.parametrize(
    "text",
    [
        *("_a_", "~~a~~", "**a", "a** b**", "***a***", "``a`b``", "a\\*b", "a  \nb"),
        *("![a](b)", "[*a*](b)", "[a](b c)", "[a](b&amp;c)", "<http://a>", "<`a@b>`"),
    ],
)
def test_all_else_is_left_to_the_parser(text: str) -> None:
    assert quick_inline(text, escape_html) is None
