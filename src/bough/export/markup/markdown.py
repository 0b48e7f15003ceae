"""Markdown as HTML, for what Claude wrote.

CommonMark with tables and `~~struck~~` words; tags in it stay text. Only addresses of the web
and of mail become links; nothing is ever loaded from elsewhere, so a picture is a link too.
Text that is long or nested beyond what a person reads is shown as it is.

pulldown-cmark reads, and the HTML is written here. It cannot be told to leave entities,
definitions of links and tags as they were typed; texts that have any are read by
markdown-it-py, which can.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from pyromark import Markdown, Options

from bough.export.markup.code import render_code
from bough.export.markup.escape import escape_attribute, escape_html, escape_words, split_lines

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

LONGEST: Final = 60_000
"""How many characters are still read as Markdown."""

_DEEPEST: Final = 20
_ALLOWED: Final = re.compile(r"(?:https?://|mailto:)[^\s\x00-\x1f]", re.IGNORECASE)
_BARE: Final = re.compile(r"https?://[^\s<>\"'`\\^{|}\x00-\x1f\x7f-\x9f]+", re.IGNORECASE)
_TARGET: Final = '<span class="to">'
_SAID_TWICE: Final = re.compile(
    rf"<span>((?:<code>)?([^<>]+)(?:</code>)?)</span>{_TARGET} \(\2\)</span>"
)
_TRAILING: Final = ".,:;!?*_~'\""
# pulldown-cmark 0.13.5 does not close a block of code at a fence with a tab behind it.
_FENCE_AND_TAB: Final = re.compile(r"(?:```|~~~) *\t\s*?$", re.MULTILINE)
_ENTITY: Final = re.compile(r"&(?:#|\w+;)")
_MARK_IN_TAG: Final = re.compile(r"[*_`~\[\]\\!\n]")
# `~one wave~` is a subscript, so that it is not taken for words that are struck through.
_PARSER: Final = Markdown(
    options=Options.ENABLE_TABLES | Options.ENABLE_STRIKETHROUGH | Options.ENABLE_SUBSCRIPT
)


def render_markdown(text: str) -> str:
    """Render Markdown."""
    if len(text) > LONGEST:
        return _render_plain(text)
    if "\r" in text:
        text = "\n".join(split_lines(text))
    if _needs_markdown_it(text):
        return render_with_markdown_it(text)
    try:
        return _drop_repeated_targets(_EventWriter().render(_PARSER.events(text)))
    except _TooDeepError:
        return _render_plain(text)
    except (_NotForUsError, UnicodeEncodeError):
        return render_with_markdown_it(text)


def render_with_markdown_it(text: str) -> str:
    """Render Markdown that has something in it which pulldown-cmark would swallow; slow."""
    return _drop_repeated_targets(_render_tokens(_other_parser().parse(text), []))


def link_addresses(text: str) -> str:
    """Write text as it is, addresses in it as links."""
    if "://" not in text:
        return escape_words(text)
    out: list[str] = []
    at = 0
    for match in _BARE.finditer(text):
        address = match[0].rstrip(_TRAILING)
        if address.endswith(")") and "(" not in address:
            address = address[:-1].rstrip(_TRAILING)
        if not _ALLOWED.match(address):
            continue
        out += [
            escape_words(text[at : match.start()]),
            _open_link(address),
            escape_html(address),
            "</a>",
        ]
        at = match.start() + len(address)
    out.append(escape_words(text[at:]))
    return "".join(out)


def _needs_markdown_it(text: str) -> bool:
    """Tell whether a text has entities or definitions of links, which would be swallowed.

    What pulldown-cmark is known to read wrongly goes there as well.
    """
    if "\0" in text or ("&" in text and _ENTITY.search(text) is not None):
        return True
    if "\t" in text and _FENCE_AND_TAB.search(text) is not None:
        return True
    return "]:" in text and bool(_PARSER.reference_definitions(text))


def _render_plain(text: str) -> str:
    return f'<div class="plain" dir="auto">{escape_html(text)}</div>'


def _render_code_inline(code: str) -> str:
    return f"<code>{escape_words(code)}</code>"


def _heading_name(level: int) -> str:
    """Name the tag of a heading; the page has headings of its own above them."""
    return "h3" if level == 1 else "h4"


def _open_heading(level: int) -> str:
    return f'<{_heading_name(level)} dir="auto">'


def _close_heading(level: int) -> str:
    return f"</{_heading_name(level)}>"


def _open_numbered_list(start: int) -> str:
    return "<ol>" if start == 1 else f'<ol start="{start}">'


def _open_cell(name: str, side: str) -> str:
    """Open a cell of a table; left is where words are anyway."""
    return f'<{name} class="{side}">' if side in ("right", "center") else f"<{name}>"


def _open_link(address: str, title: str = "") -> str:
    """Open a link that tells nobody where it was followed from."""
    hint = f' title="{escape_attribute(title)}"' if title else ""
    return f'<a href="{escape_attribute(address)}" rel="noreferrer noopener" target="_blank"{hint}>'


def _link_tags(address: str, title: str) -> tuple[str, str]:
    """Give the tags around the words of a link; an address nobody may follow is shown instead."""
    if _ALLOWED.match(address):
        return _open_link(address, title), "</a>"
    shown = f"{_TARGET} ({escape_html(address)})</span>" if address else ""
    return "<span>", f"</span>{shown}"


def _drop_repeated_targets(html: str) -> str:
    """Leave out where a link leads if its words say just that, as a path often does."""
    return _SAID_TWICE.sub(r"\1", html) if _TARGET in html else html


_OPEN_TABLE: Final = '<div class="table" tabindex="0" role="group" aria-label="Table"><table>'
_CLOSE_TABLE: Final = "</table></div>"
_OPEN_QUOTE: Final = '<blockquote dir="auto">'
_START: Final = {
    "Emphasis": "<em>",
    "Item": '<li dir="auto">',
    "Paragraph": '<p dir="auto">',
    "Strikethrough": "<s>",
    "Strong": "<strong>",
}
_END: Final = {
    "Emphasis": "</em>",
    "Item": "</li>",
    "Paragraph": "</p>",
    "Strikethrough": "</s>",
    "Strong": "</strong>",
    "TableHead": "</tr></thead>",
    "TableRow": "</tr>",
}
_ALONE: Final = {"HardBreak": "<br>\n", "Rule": "<hr>", "SoftBreak": "\n"}


class _NotForUsError(Exception):
    """A text has something in it that markdown-it-py has to read."""


class _TooDeepError(Exception):
    """Lists and quotes stand in each other beyond what a person reads."""


class _EventWriter:
    """Writes what pulldown-cmark reads in one text."""

    def __init__(self) -> None:
        self._out: list[str] = []
        self._depth = 0
        self._closing: list[str] = []  # one for each link that is open
        self._code: list[str] | None = None
        self._language = ""
        self._sides: Sequence[str] = ()
        self._columns: Iterator[str] = iter(())
        self._cell = ""

    def render(self, events: Iterator[str | Mapping[str, Any]]) -> str:
        """Write all events of a text."""
        for event in events:
            if isinstance(event, str):
                self._out.append(_ALONE[event])
                continue
            ((kind, value),) = event.items()
            if kind == "Text":
                self._write_text(value)
            elif kind == "Start":
                self._start(value)
            elif kind == "End":
                self._end(value)
            elif kind == "Code":
                self._out.append(_render_code_inline(value))
            elif kind == "InlineHtml" and _MARK_IN_TAG.search(value) is None:
                self._write_text(value)
            else:
                raise _NotForUsError
        return "".join(self._out)

    def _write_text(self, text: str) -> None:
        if self._code is not None:
            self._code.append(text)
        else:
            self._out.append(escape_html(text) if self._closing else link_addresses(text))

    def _start(self, tag: str | Mapping[str, Any]) -> None:
        if not isinstance(tag, str):
            ((name, about),) = tag.items()
            self._start_with(name, about)
        elif tag in _START:
            self._out.append(_START[tag])
        elif tag == "TableCell":
            self._out.append(_open_cell(self._cell, next(self._columns).lower()))
        elif tag in ("TableHead", "TableRow"):
            self._start_row(tag)
        else:
            raise _NotForUsError

    def _start_row(self, tag: str) -> None:
        self._columns = iter(self._sides)
        if tag == "TableHead":
            self._cell = "th"
            self._out.append("<thead><tr>")
        else:
            self._out.append("<tr>" if self._cell == "td" else "<tbody><tr>")
            self._cell = "td"

    def _start_with(self, name: str, about: Any) -> None:
        """Start what has more to it than its name."""
        match name:
            case "List":
                self._go_deeper()
                self._out.append("<ul>" if about is None else _open_numbered_list(about))
            case "BlockQuote":
                self._go_deeper()
                self._out.append(_OPEN_QUOTE)
            case "Heading":
                self._out.append(_open_heading(int(about["level"][1])))
            case "CodeBlock":
                self._code = []
                self._language = "" if about == "Indented" else about["Fenced"].strip()
            case "Link":
                mail = "mailto:" if about["link_type"] == "Email" else ""
                opened, closed = _link_tags(mail + about["dest_url"], about["title"])
                self._closing.append(closed)
                self._out.append(opened)
            case "Table":
                self._sides = about
                self._out.append(_OPEN_TABLE)
            case _:
                raise _NotForUsError

    def _go_deeper(self) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _TooDeepError

    def _end(self, tag: str | Mapping[str, Any]) -> None:
        if not isinstance(tag, str):
            ((name, about),) = tag.items()
            self._end_with(name, about)
        elif tag in _END:
            self._out.append(_END[tag])
        elif tag == "TableCell":
            self._out.append(f"</{self._cell}>")
        elif tag == "CodeBlock":
            self._out.append(render_code("".join(self._code or ()), self._language))
            self._code = None
        elif tag == "Link":
            self._out.append(self._closing.pop())
        elif tag == "Table":
            self._out.append(f"</tbody>{_CLOSE_TABLE}" if self._cell == "td" else _CLOSE_TABLE)

    def _end_with(self, name: str, about: Any) -> None:
        if name == "Heading":
            self._out.append(_close_heading(int(about[1])))
            return
        self._depth -= 1
        numbered = "</ol>" if about else "</ul>"
        self._out.append(numbered if name == "List" else "</blockquote>")


@cache
def _other_parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # noqa: PLC0415 - 40 ms, and few texts need it

    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": 2 * _DEEPEST})
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


def _render_tokens(tokens: "Sequence[Token]", closing: list[str]) -> str:
    """Write what markdown-it-py reads; links that are open wait to be closed."""
    out: list[str] = []
    for token in tokens:
        if token.type == "inline":
            out.append(_render_tokens(token.children or (), []))
        elif (write := _RULES.get(token.type)) is not None:
            out.append(write(token, closing))
        elif not token.hidden:
            out.append(_TAGS.get(token.type) or escape_html(token.content))
    return "".join(out)


def _render_text(token: "Token", closing: list[str]) -> str:
    return escape_html(token.content) if closing else link_addresses(token.content)


def _open_list(token: "Token", _: list[str]) -> str:
    start = token.attrGet("start")
    return _open_numbered_list(1 if start is None else int(start))


def _open_cell_of(token: "Token", _: list[str]) -> str:
    style = str(token.attrGet("style") or "")
    return _open_cell(token.tag, style.removeprefix("text-align:"))


def _open_link_of(token: "Token", closing: list[str]) -> str:
    address, title = token.attrGet("href"), token.attrGet("title")
    opened, closed = _link_tags(str(address or ""), str(title or ""))
    closing.append(closed)
    return opened


def _render_image(token: "Token", _: list[str]) -> str:
    """Name a picture; it is never loaded."""
    address = str(token.attrGet("src") or "")
    words = escape_html(token.content or address)
    if _ALLOWED.match(address):
        return f"{_open_link(address)}{words}</a>"
    return (
        words if not token.content else f'{words}<span class="to"> ({escape_html(address)})</span>'
    )


_TAGS: Final = {
    "blockquote_close": "</blockquote>",
    "blockquote_open": _OPEN_QUOTE,
    "bullet_list_close": "</ul>",
    "bullet_list_open": "<ul>",
    "em_close": _END["Emphasis"],
    "em_open": _START["Emphasis"],
    "hardbreak": _ALONE["HardBreak"],
    "hr": _ALONE["Rule"],
    "list_item_close": _END["Item"],
    "list_item_open": _START["Item"],
    "ordered_list_close": "</ol>",
    "paragraph_close": _END["Paragraph"],
    "paragraph_open": _START["Paragraph"],
    "s_close": _END["Strikethrough"],
    "s_open": _START["Strikethrough"],
    "softbreak": _ALONE["SoftBreak"],
    "strong_close": _END["Strong"],
    "strong_open": _START["Strong"],
    "table_close": _CLOSE_TABLE,
    "table_open": _OPEN_TABLE,
    "tbody_close": "</tbody>",
    "tbody_open": "<tbody>",
    "td_close": "</td>",
    "th_close": "</th>",
    "thead_close": "</thead>",
    "thead_open": "<thead>",
    "tr_close": "</tr>",
    "tr_open": "<tr>",
}
_RULES: Final[dict[str, Callable[["Token", list[str]], str]]] = {
    "code_block": lambda token, _: render_code(token.content, ""),
    "code_inline": lambda token, _: _render_code_inline(token.content),
    "fence": lambda token, _: render_code(token.content, token.info.strip()),
    "heading_close": lambda token, _: _close_heading(int(token.tag[1])),
    "heading_open": lambda token, _: _open_heading(int(token.tag[1])),
    "image": _render_image,
    "link_close": lambda _, closing: closing.pop(),
    "link_open": _open_link_of,
    "ordered_list_open": _open_list,
    "td_open": _open_cell_of,
    "text": _render_text,
    "text_special": _render_text,
    "th_open": _open_cell_of,
}
