"""Words with code, bold ones and links in them, written without the parser.

Nearly all lines of Markdown hold nothing more, and a few looks tell. For all others there is
the parser; both ways give the very same HTML, which a test says.
"""

import re
from collections.abc import Callable
from typing import Final

from bough.export.markup.escape import escape_html
from bough.export.markup.tags import TAGS, link_tags

Words = Callable[[str], str]
"""Writes plain words, addresses in them as links; a backtick is left alone."""

# Once code is taken out, a backtick is free to stand for it and for tags; no address holds one.
_SLOT, _STRONG, _STRONG_END, _EM, _EM_END = "`|", "`{", "`}", "`[", "`]"
# Each pattern begins with the character it is about: they are looked for at once.
_MARK: Final = re.compile("[`*_\\\\<~\\]\n\t\r\0]")
_BREAK: Final = re.compile("[\t\r\0]|\n(?:(?<= \n)|(?= ))")
# An underscore inside a word means nothing; elsewhere it may.
_UNDER: Final = re.compile(r"_(?:(?<![A-Za-z0-9]_)|(?![A-Za-z0-9]))")
_ESCAPE: Final = re.compile(r"\\(?![A-Za-z0-9 ])")
_ADDRESS: Final = re.compile(r"<[^<>\s:@`]*+[:@`]")
_HELD: Final = re.compile(
    r"[`[](?:(?<=(?<!`)`)([^`\n]+)`(?!`)"
    r"|(?<=(?<!!)\[)((?:[^][`*~<\\\n\t_]|(?<=[A-Za-z0-9])_(?=[A-Za-z0-9]))++)\]"
    r"\(([^][\s()<>\\`&\x00-\x1f\x7f]+)\))"
)
# Words are loud where the stars touch letters inside, or nothing but space and stops outside.
_LOUD: Final = re.compile(
    r"\*(?<!\*\*)(?:(?<![^ \n(]\*)|(?=\*?[^\W_]))(\*?)(?=[^\s*])([^*\n]++)(?<=[^\s*])\*\1(?!\*)"
    r"(?:(?<=[^\W_]\*\*)|(?<=[^\W_]\*)|(?=[ \n.,:;)!?]|\Z))"
)


def quick_inline(text: str, words: Words) -> str | None:
    """Write a stretch of Markdown; None where it needs the parser."""
    if text != text.strip():
        return None
    if _MARK.search(text) is None:
        return words(text)
    bare, held = _held(text)
    if bare.count("`") != len(held) or _is_odd(bare):
        return None
    if "*" not in bare:
        return _filled(words(bare), held)
    bare = _LOUD.sub(_stands, bare)
    if "*" in bare.replace(" * ", ""):
        return None
    return _filled(_tagged(words(bare)), held)


def _held(text: str) -> tuple[str, list[str]]:
    """Write code and links, and put a slot where each was."""
    if "`" not in text and "](" not in text:
        return text, []
    parts = _HELD.split(text)
    return _SLOT.join(parts[::4]), list(map(_written, parts[1::4], parts[2::4], parts[3::4]))


def _is_odd(bare: str) -> bool:
    """Tell whether anything is left that the parser may know more about."""
    return (
        "](" in bare
        or "~~" in bare
        or ("_" in bare and _UNDER.search(bare) is not None)
        or ("\\" in bare and _ESCAPE.search(bare) is not None)
        or ("<" in bare and _ADDRESS.search(bare) is not None)
        or (not bare.isprintable() and _BREAK.search(bare) is not None)
    )


def _written(code: str | None, label: str | None, address: str | None) -> str:
    if code is None:
        opened, closed = link_tags(address or "")
        return f"{opened}{escape_html(label or '')}{closed}"
    if code[0] == code[-1] == " " and code.strip(" "):
        code = code[1:-1]
    return f"<code>{escape_html(code)}</code>"


def _stands(match: re.Match[str]) -> str:
    if match[1]:
        return f"{_STRONG}{match[2]}{_STRONG_END}"
    return f"{_EM}{match[2]}{_EM_END}"


def _tagged(html: str) -> str:
    return (
        html.replace(_STRONG, TAGS["strong_open"])
        .replace(_STRONG_END, TAGS["strong_close"])
        .replace(_EM, TAGS["em_open"])
        .replace(_EM_END, TAGS["em_close"])
    )


def _filled(html: str, held: list[str]) -> str:
    if not held:
        return html
    out = [""] * (2 * len(held) + 1)
    out[::2] = html.split(_SLOT)
    out[1::2] = held
    return "".join(out)
