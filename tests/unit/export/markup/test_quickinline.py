"""What is written without the parser is what the parser would have written."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bough.export.markup.quickinline import quick_inline
from bough.export.markup.text import escaped

READER = MarkdownIt("commonmark", {"html": False}).enable("strikethrough").disable("entity")
PARTS = st.sampled_from(
    [*"*_`~ab1 .,:()!<>&\n\\[]#-", "**", "``", "**a**", "`x`", "a_b", "**`x`**", " **b**.", "~~"]
)


def parsed(text: str) -> str:
    """Write a stretch of Markdown as the parser sees it."""
    names = {"strong": "strong", "em": "em", "s": "s"}
    out = []
    for token in READER.parseInline(text)[0].children or ():
        kind, _, side = token.type.partition("_")
        if token.type == "code_inline":
            out.append(f"<code>{escaped(token.content)}</code>")
        elif kind in names and side in ("open", "close"):
            out.append(f"<{'/' * (side == 'close')}{names[kind]}>")
        elif token.type == "softbreak":
            out.append("\n")
        else:
            out.append(escaped(token.content) if token.type.startswith("text") else token.type)
    return "".join(out)


@settings(max_examples=500)
@given(st.lists(PARTS, max_size=12).map("".join))
def test_both_ways_write_the_same(text: str) -> None:
    quick = quick_inline(text, escaped)

    assert quick is None or quick == parsed(text)


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
    ],
)
def test_the_usual_is_quick(text: str, written: str) -> None:
    assert quick_inline(text, escaped) == written


@pytest.mark.parametrize(
    "text", ["*a*", "_a_", "[a](b)", "a\\*b", "<http://a>", "``a`b``", "a  \nb", "**a", "~~a~~"]
)
def test_all_else_is_left_to_the_parser(text: str) -> None:
    assert quick_inline(text, escaped) is None
