"""Where the strings of a line of JSON stand in its bytes.

Nothing is decoded that nobody asks for, and nothing is refused: a line that is torn, or that is
no JSON at all, has the strings that stand between its quotes, the last one without its end.
"""

import re
from typing import Final

import msgspec
from msgspec import Struct, field

_TOKEN: Final = re.compile(rb'"([^"\\]*+(?:\\.[^"\\]*+)*+)"?|[{}\[\]:,]', re.DOTALL)
_PIECE: Final = re.compile(
    rb"[^\\]++|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|\\",
    re.DOTALL,
)
_ESCAPES: Final = {b"b": "\b", b"f": "\f", b"n": "\n", b"r": "\r", b"t": "\t"}
_decode_text = msgspec.json.Decoder(str).decode


class JsonGroup(Struct, eq=False):
    """An object or a list that strings stand in.

    `name` is that of the field whose value it is; items of a list go by it. `has_only_strings`
    is asked of lists.
    """

    is_object: bool
    name: str
    fields: "dict[str, JsonString]" = field(default_factory=dict)
    strings: "list[JsonString]" = field(default_factory=list)
    has_only_strings: bool = True


class JsonString(Struct, eq=False):
    """A string between its quotes, and the name of the field that it is the value of."""

    start: int
    end: int
    name: str
    group: JsonGroup
    is_key: bool = False


def find_strings(raw: bytes) -> list[JsonString]:
    """Find all strings of a line, in its order."""
    found: list[JsonString] = []
    outside = JsonGroup(is_object=False, name="")
    stack = [outside]
    name = ""
    is_value = False
    for token in _TOKEN.finditer(raw):
        group = stack[-1]
        match token[0][:1]:
            case b'"':
                is_key = group.is_object and not is_value
                own = name if group.is_object and is_value else group.name
                one = JsonString(token.start(1), token.end(1), "" if is_key else own, group, is_key)
                found.append(one)
                if is_key:
                    name = decode_text(token[1])
                elif group.is_object:
                    group.fields[name] = one
                else:
                    group.strings.append(one)
            case b":":
                is_value = True
            case b",":
                is_value = False
            case b"{" | b"[":
                group.has_only_strings = False
                inherited = name if group.is_object else group.name
                stack.append(JsonGroup(is_object=token[0] == b"{", name=inherited))
                is_value = False
            case _:
                if len(stack) > 1:
                    stack.pop()
    return found


def decode_text(inner: bytes) -> str:
    """Give the text that stands between two quotes; bytes that are no text stay what they were."""
    if b"\\" not in inner:
        return inner.decode("utf-8", "surrogateescape")
    try:
        return _decode_text(b'"%b"' % inner)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return "".join(_decode_piece(piece[0]) for piece in _PIECE.finditer(inner))


def locate_characters(inner: bytes, *, is_escaped: bool = True) -> list[int]:
    """Give where each character of a text begins in its bytes, and where the last one ends."""
    if inner.isascii() and not (is_escaped and b"\\" in inner):
        return list(range(len(inner) + 1))
    starts: list[int] = []
    at = 0
    pieces = (match[0] for match in _PIECE.finditer(inner)) if is_escaped else iter((inner,))
    for piece in pieces:
        if is_escaped and piece.startswith(b"\\"):
            starts.append(at)
            at += len(piece)
            continue
        for character in piece.decode("utf-8", "surrogateescape"):
            starts.append(at)
            at += _count_bytes(ord(character))
    return [*starts, at]


def _count_bytes(code: int) -> int:
    # A byte that is no text stands for itself, as a half of a pair that no text can have.
    if code < 0x80 or 0xDC80 <= code < 0xDD00:
        return 1
    return 2 if code < 0x800 else 3 if code < 0x10000 else 4


def _decode_piece(piece: bytes) -> str:
    if not piece.startswith(b"\\"):
        return piece.decode("utf-8", "surrogateescape")
    if len(piece) == 12:
        high, low = int(piece[2:6], 16), int(piece[8:], 16)
        return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    if len(piece) == 6:
        return chr(int(piece[2:].decode(), 16))
    return _ESCAPES.get(piece[1:], (piece[1:] or piece).decode("utf-8", "surrogateescape"))
