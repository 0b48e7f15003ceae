"""The tags that pieces of Markdown become, whoever reads them."""

import re
from typing import Final

from bough.export.markup.escape import escape_attribute, escape_html

ALLOWED: Final = re.compile(r"(?:https?://|mailto:)[^\s\x00-\x1f]", re.IGNORECASE)
"""How an address begins that may be followed."""

TAGS: Final = {
    "blockquote_close": "</blockquote>",
    "blockquote_open": '<blockquote dir="auto">',
    "bullet_list_close": "</ul>",
    "bullet_list_open": "<ul>",
    "em_close": "</em>",
    "em_open": "<em>",
    "hardbreak": "<br>\n",
    "hr": "<hr>",
    "list_item_close": "</li>",
    "list_item_open": '<li dir="auto">',
    "ordered_list_close": "</ol>",
    "paragraph_close": "</p>",
    "paragraph_open": '<p dir="auto">',
    "s_close": "</s>",
    "s_open": "<s>",
    "softbreak": "\n",
    "strong_close": "</strong>",
    "strong_open": "<strong>",
    "table_close": "</table></div>",
    "table_open": '<div class="table" tabindex="0" role="group" aria-label="Table"><table>',
    "tbody_close": "</tbody>",
    "tbody_open": "<tbody>",
    "td_close": "</td>",
    "th_close": "</th>",
    "thead_close": "</thead>",
    "thead_open": "<thead>",
    "tr_close": "</tr>",
    "tr_open": "<tr>",
}
"""What the parser calls a piece, and the tag that never changes."""


def heading_tags(level: int) -> tuple[str, str]:
    """Give the tags of a heading; the page has headings of its own above them."""
    return ('<h3 dir="auto">', "</h3>") if level == 1 else ('<h4 dir="auto">', "</h4>")


def open_numbered_list(start: int) -> str:
    """Open a list that counts."""
    return "<ol>" if start == 1 else f'<ol start="{start}">'


def open_cell(name: str, side: str) -> str:
    """Open a cell of a table; left is where words are anyway."""
    return f'<{name} class="{side}">' if side in ("right", "center") else f"<{name}>"


def open_link(address: str, title: str = "") -> str:
    """Open a link that tells nobody where it was followed from."""
    told = f' title="{escape_attribute(title)}"' if title else ""
    return f'<a href="{escape_attribute(address)}" rel="noreferrer noopener" target="_blank"{told}>'


def link_tags(address: str, title: str = "") -> tuple[str, str]:
    """Give the tags around the words of a link; an address nobody may follow is shown instead."""
    if ALLOWED.match(address):
        return open_link(address, title), "</a>"
    shown = f'<span class="to"> ({escape_html(address)})</span>' if address else ""
    return "<span>", f"</span>{shown}"
