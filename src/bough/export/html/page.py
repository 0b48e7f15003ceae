"""A session as one HTML file: it opens offline, asks for nothing, and needs no script.

The fragments are those of the web pages, with every fold's body inside. What only a script
could do (copying, opening a page) is taken out of them; links to messages lead to their
places in the same file. The policy in the head lets the browser load nothing but pictures
that are in the file itself. Style sheets are made of parts; the front end's build joins the
same parts in the same order, from the same list.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from bough.export.header import Fact, title_of
from bough.export.html.conversation_view import ConversationView, OutlineRow
from bough.export.markdown.render_document import split_own_contents
from bough.export.markup.escape import escape_attribute, escape_html, isolate_text
from bough.model.outline.branch_names import name_tips

_LOOK: Final = Path(__file__).parent.parent / "look"
_PART: Final = re.compile(r'^@import "\./([\w/-]+\.css)";$', re.MULTILINE)


@cache
def load_document_style() -> str:
    """Return all that a document needs to look like the web pages."""
    return "\n".join(map(load_style_sheet, ("tokens.css", "conversation.css", "document.css")))


def load_style_sheet(name: str) -> str:
    """Read a style sheet, with its parts where they are imported."""
    text = (_LOOK / name).read_text(encoding="utf-8")
    return _PART.sub(lambda part: load_style_sheet(part[1]), text)


POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_BUTTON: Final = '<button type="button"'
_DO: Final = re.compile(r' data-do="([a-z-]+)"')
_KEPT_BUTTONS: Final = frozenset({"file", "lightbox", "side-branch"})
"""Buttons whose words or pictures are a part of what was said."""

_GO: Final = re.compile(r'href="#" data-go="([^"]*)"')
_CLASS: Final = re.compile(r' class="[^"]*"')
_END: Final = "</body></html>\n"


def render_page(
    main: ConversationView, others: Iterable[ConversationView], facts: Sequence[Fact]
) -> Iterator[str]:
    """Write a session, part by part; of other conversations, what is theirs alone."""
    title = title_of(main.session)
    names: dict[str, str] = {}
    yield _render_opening(title)
    yield '<a class="skip" href="#talk">To the talk</a>'
    yield f'{render_header(title, facts)}<div class="document">'
    yield f'{_render_outline(main)}<main class="flow" id="talk">'
    for number, (view, slots) in enumerate(split_own_contents(main, others)):
        if number:
            names = names or name_tips(main.session)
            words = names[view.conversation.tip or ""]
            yield f"<h2>Branch left behind: {isolate_text(words)}</h2>"
        wanted = {id(slot) for slot in slots}
        yield from _render_pieces(view, f"m{number or ''}", wanted)
    yield f"</main></div>{_END}"


def wrap_document(title: str, body: str) -> str:
    """Set a body as a document that stands alone."""
    return f"{_render_opening(title)}{body}{_END}"


def _render_opening(title: str) -> str:
    return render_opening(title, load_document_style(), POLICY)


def render_opening(title: str, style: str, policy: str) -> str:
    """Write what stands before the body of a document that stands alone."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark"><meta name="generator" content="bough">'
        f"<title>{escape_html(title)}</title><style>{style}</style></head><body>"
    )


def render_header(title: str, facts: Sequence[Fact]) -> str:
    """Set the head of a document: its title, and what is known of it."""
    rows = "".join(f"<dt>{fact.name}</dt><dd>{isolate_text(fact.text)}</dd>" for fact in facts)
    return f'<header class="top"><h1>{isolate_text(title)}</h1><dl>{rows}</dl></header>'


def _render_pieces(view: ConversationView, name: str, wanted: set[int]) -> Iterator[str]:
    """Render the pieces, each with a name that links can lead to."""

    def place(match: re.Match[str]) -> str:
        number = view.find_piece(match[1])
        return f'href="#{name}-{number}"' if number is not None else 'href="#talk"'

    for number, slot in enumerate(view.contents):
        if id(slot) not in wanted:
            continue
        html = strip_buttons(view.whole(number, f"{name}-{number}"))
        if "data-go=" in html:
            html = _GO.sub(place, html)
        yield html


def strip_buttons(html: str, left: frozenset[str] = frozenset()) -> str:
    """Take the buttons out of a fragment, but for those that are `left` to do something."""
    head, *rest = html.split(_BUTTON)
    return "".join([head, *(_strip_button(one, left) for one in rest)]) if rest else html


def _strip_button(rest: str, left: frozenset[str]) -> str:
    """Keep the words of a button where they say something, and what follows it."""
    button, _, after = rest.partition("</button>")
    about, _, words = button.partition(">")
    do = _DO.search(about)
    if do is not None and do[1] in left:
        return f"{_BUTTON}{rest}"
    if do is None or do[1] not in _KEPT_BUTTONS:
        return after
    look = _CLASS.search(about)
    return f"<span{look[0] if look else ''}>{words}</span>{after}"


def _render_outline(view: ConversationView) -> str:
    rows = [row for row in view.outline() if row.kind != "side-branch"]
    if not rows:
        return "<nav></nav>"
    inner = "".join(_render_outline_row(view, row) for row in rows)
    return (
        '<nav class="outline" aria-label="Outline"><details open><summary>Outline</summary>'
        f"<ol>{inner}</ol></details></nav>"
    )


def _render_outline_row(view: ConversationView, row: OutlineRow) -> str:
    time = view.render_context.time(row.time)
    words = isolate_text(row.text) or "without words"
    look = escape_attribute(row.kind)
    return f'<li class="{look}"><a href="#m-{row.number}">{time} {words}</a></li>'
