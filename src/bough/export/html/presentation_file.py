"""A presentation as one HTML file: it opens offline, and no script runs in it but ours.

The script is named in the policy by its hash, so nothing that a transcript holds can run. The
first page says which conversation this is and what was hidden in it. Where scripts are switched
off, all slides are there one after the other.
"""

import base64
import hashlib
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

from bough.export.document_options import SecretFinding
from bough.export.header import Fact
from bough.export.html.page import load_style_sheet, render_opening
from bough.export.markup.escape import escape_html, isolate_text
from bough.model.text.formats import format_plural

_LOOK: Final = Path(__file__).parent.parent / "look"
_STYLES: Final = (
    "tokens.css",
    "conversation.css",
    "presentation.css",
    "presentation-cover.css",
)
_SCRIPTS: Final = ("presentation.js", "presentation-file.js")
_MOST_MASKED: Final = 12
_TURN: Final = re.compile(r' data-turn="(\d+)"')


class PresentationHeader(Struct, frozen=True):
    """What the first page of a file says: which conversation, and what was hidden in it."""

    title: str
    facts: tuple[Fact, ...]
    is_redacted: bool
    findings: tuple[SecretFinding, ...] = ()
    pictures_left_out: int = 0


def render_file(cover: PresentationHeader, slides: Sequence[str]) -> list[str]:
    """Write the file, part by part; the cover is a turn of its own before all others."""
    style = "\n".join(map(load_style_sheet, _STYLES))
    script = _load_script()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; "
        "style-src 'unsafe-inline'; img-src data:"
    )
    opening = render_opening(cover.title, style, policy)
    redacted = "yes" if cover.is_redacted else "no"
    return [
        opening.replace("<body>", f'<body data-redacted="{redacted}">'),
        '<main class="present-source">',
        _render_cover(cover),
        *map(_count_cover, slides),
        f'</main><script type="module">{script}</script></body></html>\n',
    ]


@cache
def _load_script() -> str:
    # Browsers hash what they parsed, and they parse every line end as a line feed.
    texts = ((_LOOK / name).read_text(encoding="utf-8") for name in _SCRIPTS)
    return "\n".join(texts).replace("\r\n", "\n")


def _count_cover(slide: str) -> str:
    return _TURN.sub(lambda match: f' data-turn="{int(match[1]) + 1}"', slide, count=1)


def _render_cover(cover: PresentationHeader) -> str:
    rows = "".join(
        f"<dt>{fact.name}</dt><dd>{isolate_text(fact.text)}</dd>" for fact in cover.facts
    )
    return (
        '<div class="present-slide" data-kind="cover" data-turn="0" data-name="First page">'
        f'<section class="present-cover" aria-label="First page">'
        f"<h1>{isolate_text(cover.title)}</h1><dl>{rows}</dl>"
        f"<h2>Hidden</h2>{_render_hidden(cover)}{_render_pictures(cover)}"
        "<h2>Keys</h2><p>→ or Space goes on, ← back, ↓ to the end of the turn; ? lists all keys. "
        "On a phone, swipe, or tap the right or the left third.</p></section></div>"
    )


def _render_hidden(cover: PresentationHeader) -> str:
    if not cover.is_redacted:
        return (
            '<p class="open">Nothing was hidden. Passwords and keys in this conversation can be '
            "read.</p>"
        )
    if not cover.findings:
        return "<p>Nothing in it looked like a secret.</p>"
    return f"<ul>{''.join(map(_render_finding, cover.findings))}</ul>"


def _render_finding(finding: SecretFinding) -> str:
    masked = [escape_html(one) for one in dict.fromkeys(finding.masked)]
    more = len(masked) - _MOST_MASKED
    shown = ", ".join(masked[:_MOST_MASKED]) + (f" and {more:,} more" if more > 0 else "")
    places = format_plural(finding.count, "place")
    return f"<li>{escape_html(finding.kind)}: <code>{shown}</code> ({places})</li>"


def _render_pictures(cover: PresentationHeader) -> str:
    if not cover.pictures_left_out:
        return ""
    count = format_plural(cover.pictures_left_out, "picture")
    return f"<p>{count} left out: all pictures together take 20 MB at most.</p>"
