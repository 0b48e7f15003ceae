"""Words with code and bold ones in them, written without the parser.

Nine of ten lines of Markdown hold nothing more, and one look tells. For all others there is
the parser; both ways give the very same HTML, which a test says.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

from bough.export.markup.text import escaped

Words = Callable[[str], str]
"""Writes plain words, addresses in them as links."""

_SLOT: Final = "\N{OBJECT REPLACEMENT CHARACTER}"
# Anything that could be a link, a picture, a tag, an escape, struck words or a hard break.
_ODD: Final = re.compile(r"[\\\[\]<\t\r\0]|~~| \n|\n ")
# An underscore inside a word means nothing; elsewhere it may.
_UNDER: Final = re.compile(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_CODE: Final = re.compile(r"`([^`\n]+)`")
_BOLD: Final = re.compile(r"(?:(?<=[\s(])|\A)\*\*([^\s*](?:[^*\n]*[^\s*])?)\*\*(?=[\s.,:;)!?]|\Z)")


def quick_inline(text: str, words: Words) -> str | None:
    """Write a stretch of Markdown; None where it needs the parser."""
    if text != text.strip() or _SLOT in text:
        return None
    if "`" not in text:
        return None if _ODD.search(text) else _marked(text, iter(()), words)
    parts = _CODE.split(text)
    bare = _SLOT.join(parts[::2])
    if "`" in bare or "``" in text or _ODD.search(bare):
        return None
    return _marked(bare, iter(parts[1::2]), words)


def _marked(bare: str, codes: Iterator[str], words: Words) -> str | None:
    """Write text whose code was taken out, a slot standing for each."""
    if "_" in bare and _UNDER.search(bare):
        return None
    if "*" not in bare:
        return _filled(bare, codes, words)
    pieces = _BOLD.split(bare)
    if any("*" in piece for piece in pieces[::2]):
        return None
    return "".join(
        f"<strong>{_filled(piece, codes, words)}</strong>"
        if number % 2
        else _filled(piece, codes, words)
        for number, piece in enumerate(pieces)
    )


def _filled(bare: str, codes: Iterator[str], words: Words) -> str:
    first, *rest = bare.split(_SLOT)
    out = [words(first)]
    for part in rest:
        inner = next(codes)
        if inner[0] == inner[-1] == " " and inner.strip(" "):
            inner = inner[1:-1]
        out += [f"<code>{escaped(inner)}</code>", words(part)]
    return "".join(out)
