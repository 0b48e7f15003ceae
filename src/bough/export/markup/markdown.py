"""Markdown as HTML, for what Claude wrote.

CommonMark with tables and `~~struck~~` words; tags in it stay text. Only addresses of the web
and of mail become links; nothing is ever loaded from elsewhere, so a picture is a link too.
Text that is long beyond what a person reads is shown as it is.
"""

import re
from collections.abc import Callable, MutableMapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from bough.export.markup.code import render_code
from bough.export.markup.escape import escape_html
from bough.export.markup.quickblocks import quick_blocks
from bough.export.markup.quickinline import quick_inline
from bough.export.markup.tags import (
    ALLOWED,
    TAGS,
    heading_tags,
    link_tags,
    open_cell,
    open_link,
    open_numbered_list,
)

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

LONGEST: Final = 60_000
"""How many characters are still read as Markdown."""

_BARE: Final = re.compile(r"https?://[^\s<>\"'`\\^{|}\x00-\x1f\x7f-\x9f]+", re.IGNORECASE)
_TRAILING: Final = ".,:;!?*_~'\""
_MARKS: Final = re.compile(r"[\\`*_~\[\]<>#|&!\n\r]|^\s|^[-+>]|\d[.)]\s|https?://")


def render_markdown(text: str) -> str:
    """Render Markdown."""
    if len(text) > LONGEST:
        return f'<div class="plain" dir="auto">{escape_html(text)}</div>'
    if not _MARKS.search(text):
        # Most of what is said between two steps is a plain sentence.
        return f'<p dir="auto">{escape_html(text)}</p>'
    quick = quick_blocks(text, render_inline)
    return quick if quick is not None else render_with_parser(text)


def render_with_parser(text: str) -> str:
    """Render Markdown as the parser reads it; slow, and right about everything."""
    return _render_tokens(_block_parser().parse(text), {"open": []})


def link_addresses(text: str) -> str:
    """Write text as it is, addresses in it as links."""
    if "://" not in text:
        return escape_html(text)
    out: list[str] = []
    at = 0
    for match in _BARE.finditer(text):
        address = match[0].rstrip(_TRAILING)
        if address.endswith(")") and "(" not in address:
            address = address[:-1].rstrip(_TRAILING)
        if not ALLOWED.match(address):
            continue
        out += [
            escape_html(text[at : match.start()]),
            open_link(address),
            escape_html(address),
            "</a>",
        ]
        at = match.start() + len(address)
    out.append(escape_html(text[at:]))
    return "".join(out)


@cache
def _block_parser() -> "MarkdownIt":
    """Give a parser that leaves the words of blocks alone."""
    parser = _new_parser()
    parser.core.ruler.disable(["inline"])
    return parser


@cache
def _inline_parser() -> "MarkdownIt":
    return _new_parser()


def _new_parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # noqa: PLC0415 - 40 ms, for those who render only

    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": 20})
    parser.enable(["table", "strikethrough"])
    # A definition of a link would be swallowed, and `&lt;` would not be what was written.
    parser.disable(["reference", "entity", "html_block"])
    # What becomes a link is decided when it is written, so that nothing typed is lost.
    for name, decide in (
        ("validateLink", lambda url: True),  # noqa: ARG005 - the parser's name for it
        ("normalizeLink", lambda url: url),
        ("normalizeLinkText", lambda link: link),
    ):
        setattr(parser, name, decide)
    return parser


def _render_tokens(tokens: "Sequence[Token]", env: MutableMapping[str, Any]) -> str:
    out: list[str] = []
    for token in tokens:
        if token.type == "inline":
            out.append(render_inline(token.content))
        elif (write := _RULES.get(token.type)) is not None:
            out.append(write(token, env))
        elif token.hidden:
            continue
        elif token.type in TAGS:
            out.append(TAGS[token.type])
        else:
            out.append(escape_html(token.content))
    return "".join(out)


def render_inline(text: str) -> str:
    """Write the words of a block; most need no parser."""
    quick = quick_inline(text, link_addresses)
    return quick if quick is not None else render_inline_with_parser(text)


def render_inline_with_parser(text: str) -> str:
    """Write the words of a block as the parser reads them."""
    (token,) = _inline_parser().parseInline(text)
    return _render_tokens(token.children or (), {"open": []})


def _render_text(token: "Token", env: MutableMapping[str, Any]) -> str:
    return escape_html(token.content) if env["open"] else link_addresses(token.content)


def _render_code_inline(token: "Token", _: MutableMapping[str, Any]) -> str:
    return f"<code>{escape_html(token.content)}</code>"


def _render_fence(token: "Token", _: MutableMapping[str, Any]) -> str:
    return render_code(token.content, token.info.strip())


def _heading_open(token: "Token", _: MutableMapping[str, Any]) -> str:
    return heading_tags(int(token.tag[1]))[0]


def _heading_close(token: "Token", _: MutableMapping[str, Any]) -> str:
    return heading_tags(int(token.tag[1]))[1]


def _list_open(token: "Token", _: MutableMapping[str, Any]) -> str:
    start = token.attrGet("start")
    return open_numbered_list(1 if start is None else int(start))


def _cell_open(token: "Token", _: MutableMapping[str, Any]) -> str:
    style = str(token.attrGet("style") or "")
    return open_cell(token.tag, style.removeprefix("text-align:"))


def _link_open(token: "Token", env: MutableMapping[str, Any]) -> str:
    address, title = token.attrGet("href"), token.attrGet("title")
    opened, closed = link_tags(str(address or ""), str(title or ""))
    env["open"].append(closed)
    return opened


def _link_close(_: "Token", env: MutableMapping[str, Any]) -> str:
    return str(env["open"].pop())


def _render_image(token: "Token", _: MutableMapping[str, Any]) -> str:
    """Name a picture; it is never loaded."""
    address = str(token.attrGet("src") or "")
    words = escape_html(token.content or address)
    if ALLOWED.match(address):
        return f"{open_link(address)}{words}</a>"
    return (
        words if not token.content else f'{words}<span class="to"> ({escape_html(address)})</span>'
    )


_RULES: Final[dict[str, Callable[["Token", MutableMapping[str, Any]], str]]] = {
    "code_block": lambda token, _: render_code(token.content, ""),
    "code_inline": _render_code_inline,
    "fence": _render_fence,
    "heading_close": _heading_close,
    "heading_open": _heading_open,
    "image": _render_image,
    "link_close": _link_close,
    "link_open": _link_open,
    "ordered_list_open": _list_open,
    "td_open": _cell_open,
    "text": _render_text,
    "text_special": _render_text,
    "th_open": _cell_open,
}
