"""From bytes to records; the only place that parses JSON.

msgspec does the work. It is stricter than the clients: it refuses lone surrogates, NaN,
bad UTF-8, deep nesting, and a field of another type than expected. Such lines take the
slow way through the standard library (`bough.records.tolerant`), where the offending field
is left out and the rest is kept. Nothing here raises, whatever the bytes.
"""

import json
import re
from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import islice, pairwise
from operator import or_
from typing import Any, TypeVar

import msgspec
from msgspec import Raw, Struct

from bough.line import Line
from bough.records.blocks import KNOWN_BLOCKS, AnyBlock, Message, Text
from bough.records.record import BadLine, Record
from bough.records.tolerant import DEPTH, clean, fitted, salvaged_content, shallow
from bough.records.types import (
    KINDS,
    Assistant,
    Attachment,
    AttachmentData,
    Progress,
    ProgressData,
    Unknown,
    User,
)

_BOM = b"\xef\xbb\xbf"
_T = TypeVar("_T", bound=Struct)

_decode_known = msgspec.json.Decoder(reduce(or_, KINDS.values())).decode
_decode_unknown = msgspec.json.Decoder(Unknown).decode
_decode_message = msgspec.json.Decoder(Message).decode
_decode_blocks = msgspec.json.Decoder(str | list[KNOWN_BLOCKS]).decode
_FAILURES = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)

_RECORD_START = re.compile(r'\{"(?:type|parentUuid)":')
_SPACE = re.compile(r"[ \t\r\n]*")
_TRIES = 1_000
"""How many places in a broken line are tried as the start of a record."""


def decode(line: Line) -> Record | BadLine:
    """Decode a line that holds one record; see `records` for lines that hold more."""
    raw = line.raw
    try:
        record: Record = _decode_known(raw)
    except _FAILURES:
        found = _decode_otherwise(line)
        if isinstance(found, BadLine):
            return found
        record = found
    record.raw = raw
    record.offset = line.offset
    record.number = line.number
    record.body = None
    return record


def decode_kept(raw: bytes) -> Record | None:
    """Decode a record that we wrote ourselves, with its place in it; None if it is none."""
    try:
        record: Record = _decode_known(raw)
    except _FAILURES:
        try:
            record = _decode_unknown(raw)
        except _FAILURES:
            return None
    record.raw = raw
    return record


def records(lines: Iterable[Line]) -> Iterator[Record | BadLine]:
    """Decode lines, taking glued records apart."""
    for line in lines:
        found = decode(line)
        if isinstance(found, BadLine) and line.raw.find(b"{", 1) > 0:
            yield from _unglued(line) or [found]
        else:
            yield found


def message_of(record: User | Assistant) -> Message:
    """Give the message of a user or assistant record, decoded on first use."""
    if record.body is None:
        record.body = _message(record.message_json)
    body: Message = record.body
    return body


def progress_of(record: Progress) -> ProgressData:
    """Give what a progress record reports."""
    if record.body is None:
        record.body = part(record.data_json, ProgressData)
    body: ProgressData = record.body
    return body


def attachment_of(record: Attachment) -> AttachmentData:
    """Give what an attachment holds."""
    if record.body is None:
        record.body = part(record.attachment_json, AttachmentData)
    body: AttachmentData = record.body
    return body


def blocks_of(content: Raw) -> list[AnyBlock]:
    """Give the blocks of a tool result's content, be it text or a list."""
    if not content:
        return []
    try:
        value = _decode_blocks(content)
    except _FAILURES:
        value = salvaged_content(plain(content))
    if isinstance(value, str):
        return [Text(text=value)]
    return value or []


def part(raw: Raw, cls: type[_T]) -> _T:
    """Decode a raw part of a record as `cls`, leaving out what does not fit."""
    try:
        return msgspec.json.decode(raw, type=cls) if raw else cls()
    except _FAILURES:
        return fitted(plain(raw), cls)


def plain(raw: Raw | bytes) -> Any:
    """Decode any JSON into plain values; None where it is none.

    Values are never nested deeper than `lenient.DEPTH`.
    """
    text = shallow(bytes(raw)) if len(raw) > DEPTH else raw
    try:
        return msgspec.json.decode(text) if text else None
    except _FAILURES:
        pass
    try:
        return clean(_load(bytes(text)))
    except (ValueError, RecursionError):
        return None


def _message(raw: Raw) -> Message:
    try:
        return _decode_message(raw) if raw else Message()
    except _FAILURES:
        value = plain(raw)
    if not isinstance(value, dict):
        return Message(content=salvaged_content(value))
    content = value.pop("content", None)
    message = fitted(value, Message)
    message.content = salvaged_content(content)
    return message


def _decode_otherwise(line: Line) -> Record | BadLine:
    """Decode a kind nobody knows, or what msgspec refused."""
    text = line.raw.removeprefix(_BOM) if line.offset == 0 else line.raw
    for fast in (_decode_known, _decode_unknown):
        try:
            record: Record = fast(text)
        except _FAILURES:
            continue
        if not isinstance(record, Unknown) or record.type not in KINDS:
            return record
    try:
        value = clean(_load(text))
    except ValueError as error:
        return _bad(line, _reason(error))
    except RecursionError:
        return _bad(line, "nested too deep to read")
    if not isinstance(value, dict):
        return _bad(line, "not a JSON object")
    kind = value.get("type")
    return fitted(value, KINDS.get(kind, Unknown) if isinstance(kind, str) else Unknown)


def _load(text: bytes) -> object:
    """Parse as the standard library does, which takes more than msgspec."""
    loaded: object = json.loads(
        shallow(text).decode("utf-8", "replace"), strict=False, parse_int=_whole
    )
    return loaded


def _whole(digits: str) -> int | float:
    """Read a whole number; Python refuses those with thousands of digits."""
    return int(digits) if len(digits) < 400 else float(digits)


def _reason(error: ValueError) -> str:
    if not isinstance(error, json.JSONDecodeError):
        return "not valid JSON"
    return f"not valid JSON: {error.msg.removesuffix(' at')} at character {error.pos + 1}"


def _bad(line: Line, reason: str) -> BadLine:
    stripped = line.raw.strip(b" \t\r\n")
    blank = not stripped or stripped == _BOM
    if blank:
        reason = "an empty line"
    elif not stripped.strip(b"\0"):
        reason = "NUL bytes, as a crash of the machine leaves them"
    torn = not line.ended and not blank
    if torn:
        reason = f"torn: the line has no end ({reason})"
    return BadLine(line.offset, line.number, line.raw, reason, torn=torn, blank=blank)


def _unglued(line: Line) -> list[Record | BadLine]:
    """Take apart a line on which clients wrote several times; empty where none did.

    A client that finds the last line without an end writes on behind it: behind a whole
    record, or behind what a crash left of one. Latin-1 maps each byte to one character, so
    places in the text are offsets.
    """
    text = line.raw.decode("latin-1")
    start = len(_BOM) if line.offset == 0 and line.raw.startswith(_BOM) else 0
    edges = [0, *_ends(text, start)]
    whole = edges[-1] == len(text)
    if not whole:
        edges += _behind_fragment(text, edges[-1])
        edges += [len(text)] * (edges[-1] < len(text))
    if len(edges) == 2:
        return []
    found = [
        decode(Line(line.offset + first, line.number, line.raw[first:last]))
        for first, last in pairwise(edges)
    ]
    # Beside rubbish, only what is surely a record is taken for one.
    return [] if not whole and any(isinstance(item, Unknown) for item in found) else found


def _ends(text: str, start: int) -> list[int]:
    """Find where the objects end that stand one behind the other from `start` on."""
    scan = json.JSONDecoder(strict=False, parse_int=_whole).raw_decode
    ends: list[int] = []
    while text.startswith("{", start):
        try:
            _, end = scan(text, start)
        except (ValueError, RecursionError):
            break
        space = _SPACE.match(text, end)
        start = end if space is None else space.end()
        ends.append(start)
    return ends


def _behind_fragment(text: str, start: int) -> list[int]:
    """Find where whole objects begin and end behind a piece of one; they fill the line."""
    for match in islice(_RECORD_START.finditer(text, start + 1), _TRIES):
        ends = _ends(text, match.start())
        if ends and ends[-1] == len(text):
            return [match.start(), *ends]
    return []
