"""Text of a transcript as HTML: escaped, and with nothing in it that acts unseen.

Control characters, marks that turn the direction of the text and invisible tag characters
are shown by their names. A lone half of a pair cannot be written at all and is replaced.
Words in another direction cannot reorder what is around them: blocks of text carry
`dir="auto"`, words inside a sentence stand in `<bdi>`.
"""

import re
from typing import Final

# C0 but tab and newline, DEL, C1; marks, embeddings, overrides and isolates of direction; line
# and paragraph separators; the mark of byte order; tag characters, which nobody can see.
_ODD: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
# A browser ends a line behind any dash: `-` above, `-restart` below.
_OPTION: Final = re.compile(r"(?<![\w-])--[A-Za-z][\w-]{0,30}")
_NEWLINES: Final = re.compile("\r\n?")
_CARET: Final = 0x40
_DEL: Final = 0x7F


def escape_html(text: str) -> str:
    """Write text as HTML, odd characters by their names."""
    text = escape_markup(text)
    return name_odd_characters(normalize_newlines(text)) if has_odd_characters(text) else text


def escape_words(text: str) -> str:
    """Write words that lines are made of as HTML; an option stays on one line with its dashes."""
    html = escape_html(text)
    return _OPTION.sub(r'<span class="option">\g<0></span>', html) if "--" in html else html


def escape_markup(text: str) -> str:
    """Write text as HTML, odd characters as they are."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def name_odd_characters(html: str) -> str:
    """Write the odd characters of some HTML by their names."""
    return _ODD.sub(_name_character, html)


def has_odd_characters(text: str) -> bool:
    """Tell whether a text has characters that are shown by their names."""
    return _ODD.search(text) is not None


def escape_attribute(text: str) -> str:
    """Write text as the value of an attribute, between double quotes."""
    text = escape_markup(text).replace('"', "&quot;")
    return _ODD.sub("\N{REPLACEMENT CHARACTER}", text) if has_odd_characters(text) else text


def isolate_text(text: str) -> str:
    """Write words that stand inside a sentence of ours; their direction stays their own."""
    return escape_html(text) if text.isascii() else f"<bdi>{escape_html(text)}</bdi>"


def normalize_newlines(text: str) -> str:
    """Give text whose lines end as ours do."""
    return text.replace("\r\n", "\n")


def split_lines(text: str) -> list[str]:
    """Split text into lines, at whatever ends a line on any system."""
    return _NEWLINES.sub("\n", text).split("\n")


def _name_character(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xD800 <= code <= 0xDFFF:
        return "\N{REPLACEMENT CHARACTER}"
    name = f"U+{code:04X}"
    # As terminals write them: fonts that have pictures of these characters are rare.
    shown = f"^{chr(code ^ _CARET)}" if code < 0x20 or code == _DEL else name
    return f'<span class="odd" title="{name}">{shown}</span>'
