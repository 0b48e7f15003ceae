"""Changing fields of a record without touching the rest of its bytes.

A copied record must say what the original said, to the byte, so it is never decoded and
encoded again: the values of a few top-level fields are replaced where they stand, new ones
are added at the end. msgspec takes ordinary lines apart; for the others there is a scanner
that accepts what the clients' parser accepts. A line that is none of that (NaN, a raw
control character) is written anew as what was read from it.
"""

import re
from collections.abc import Iterator, Mapping

import msgspec

from bough.records.decode import decode_plain

_decode_parts = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_BOM = b"\xef\xbb\xbf"
_TOKEN = re.compile(
    rb"[ \t\r\n]*+"
    rb'("[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+"'
    rb"|[{}\[\]:,]|-?\d++(?:\.\d++)?(?:[eE][+-]?\d++)?|true|false|null)"
)


class _Member:
    """Where a top-level member of an object stands: its key, and the span of its value."""

    __slots__ = ("end", "key", "start")

    def __init__(self, key: bytes, start: int, end: int) -> None:
        self.key = key
        self.start = start
        self.end = end


def set_fields(raw: bytes, fields: Mapping[str, object]) -> bytes:
    """Give a record's line with some of its top-level fields set to other values.

    The result has no newline. A field that is not there is added at the end.
    """
    text = raw.removeprefix(_BOM).strip(b" \t\r\n")
    values = {name: msgspec.json.encode(value) for name, value in fields.items()}
    if (parts := _split_fields(text)) is not None:
        return _join_fields(parts | values)
    members = _find_members(text)
    if members is None:
        text = msgspec.json.encode(decode_plain(text))
        members = _find_members(text) or []
    return _splice_fields(text, members, values)


def _split_fields(text: bytes) -> dict[str, bytes] | None:
    """Take a line apart the fast way; None where it would not be the same put together."""
    try:
        parts: dict[str, bytes] = {k: bytes(v) for k, v in _decode_parts(text).items()}
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return parts if _join_fields(parts) == text else None


def _join_fields(parts: Mapping[str, bytes]) -> bytes:
    return b"{%b}" % b",".join(msgspec.json.encode(k) + b":" + v for k, v in parts.items())


def encode_line(fields: Mapping[str, object]) -> bytes:
    """Write a new record, with its newline."""
    return msgspec.json.encode(fields) + b"\n"


def _splice_fields(text: bytes, members: list[_Member], values: dict[str, bytes]) -> bytes:
    by_key = {b'"%b"' % name.encode(): value for name, value in values.items()}
    parts: list[bytes] = []
    at = 0
    found = set()
    for member in members:
        if member.key in by_key:
            parts += [text[at : member.start], by_key[member.key]]
            at = member.end
            found.add(member.key)
    added = [key + b":" + value for key, value in by_key.items() if key not in found]
    body = text[at:].rstrip(b" \t\r\n").removesuffix(b"}").rstrip(b" \t\r\n")
    if added:
        body += b"," if members else b""
        body += b",".join(added)
    return b"".join(parts) + body + b"}"


def _find_members(text: bytes) -> list[_Member] | None:
    """Find the members of the object that a text is; None where it is no plain JSON."""
    found: list[_Member] = []
    depth = 0
    key: bytes | None = None
    start = -1
    last_string = b""
    for token, begin, end in _split_tokens(text):
        if token is None:
            return None
        if depth == 1 and start < 0:
            if token[:1] == b'"':
                last_string = token
            elif token == b":":
                key, start = last_string, end
        elif depth == 1 and token in (b",", b"}") and key is not None:
            found.append(_Member(key, *_trim_span(text, start, begin)))
            key, start = None, -1
        if token in (b"{", b"["):
            depth += 1
        elif token in (b"}", b"]"):
            depth -= 1
    return found if depth == 0 else None


def _trim_span(text: bytes, start: int, end: int) -> tuple[int, int]:
    value = text[start:end]
    return start + len(value) - len(value.lstrip()), end - (len(value) - len(value.rstrip()))


def _split_tokens(text: bytes) -> Iterator[tuple[bytes | None, int, int]]:
    """Cut a text into its tokens; None where there is something else between them."""
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            yield (None, at, at)
            return
        yield (match[1], match.start(1), match.end())
        at = match.end()
