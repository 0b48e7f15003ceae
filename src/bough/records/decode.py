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
from itertools import pairwise
from operator import or_
from typing import Any, TypeVar

import msgspec
from msgspec import Raw, Struct

from bough.line import Line
from bough.records.blocks import KNOWN_BLOCKS, AnyBlock, ApiMessage, Text
from bough.records.record import BadLine, Record
from bough.records.tolerant import DEPTH, clean_value, cut_depth, fit_struct, salvage_content
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
_decode_message = msgspec.json.Decoder(ApiMessage).decode
_decode_blocks = msgspec.json.Decoder(str | list[KNOWN_BLOCKS]).decode
_FAILURES = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)

_RECORD_START = re.compile(r'\{"(?:type|parentUuid)":')
_SPACE = re.compile(r"[ \t\r\n]*")
_COUNTED_AT_ONCE = 16
_COST_OF_DEPTH = 10_000
"""Giving up on a nest takes as long as reading so many characters."""
_MOST_SCANS = 8
"""How often, all in all, a broken line is looked through for the start of a record."""


def decode(line: Line) -> Record | BadLine:
    """Decode a line that holds one record; see `decode_lines` for lines that hold more."""
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


def decode_stored(raw: bytes) -> Record | None:
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


def decode_lines(lines: Iterable[Line]) -> Iterator[Record | BadLine]:
    """Decode lines, taking glued records apart."""
    for line in lines:
        found = decode(line)
        if type(found) is BadLine and line.raw.find(b"{", 1) > 0:
            yield from _split_glued(line) or [found]
        else:
            yield found


def find_session_id(lines: Iterable[Line]) -> str | None:
    """Name the session that lines belong to: the first record that names one says so."""
    found = (item.session_id for item in decode_lines(lines) if not isinstance(item, BadLine))
    return next(filter(None, found), None)


def message_of(record: User | Assistant) -> ApiMessage:
    """Give the message of a user or assistant record, decoded on first use."""
    if record.body is None:
        record.body = _decode_message_tolerantly(record.message_json)
    body: ApiMessage = record.body
    return body


def progress_of(record: Progress) -> ProgressData:
    """Give what a progress record reports."""
    if record.body is None:
        record.body = decode_part(record.data_json, ProgressData)
    body: ProgressData = record.body
    return body


def attachment_of(record: Attachment) -> AttachmentData:
    """Give what an attachment holds."""
    if record.body is None:
        record.body = decode_part(record.attachment_json, AttachmentData)
    body: AttachmentData = record.body
    return body


def blocks_of(content: Raw) -> list[AnyBlock]:
    """Give the blocks of a tool result's content, be it text or a list."""
    if not content:
        return []
    try:
        value = _decode_blocks(content)
    except _FAILURES:
        value = salvage_content(decode_plain(content))
    if isinstance(value, str):
        return [Text(text=value)]
    return value or []


def decode_part(raw: Raw, cls: type[_T]) -> _T:
    """Decode a raw part of a record as `cls`, leaving out what does not fit."""
    try:
        return msgspec.json.decode(raw, type=cls) if raw else cls()
    except _FAILURES:
        return fit_struct(decode_plain(raw), cls)


def decode_plain(raw: Raw | bytes) -> Any:
    """Decode any JSON into plain values; None where it is none.

    Values are never nested deeper than `lenient.DEPTH`.
    """
    text = cut_depth(bytes(raw)) if len(raw) > DEPTH else raw
    try:
        return msgspec.json.decode(text) if text else None
    except _FAILURES:
        pass
    try:
        return clean_value(_parse_json(bytes(text)))
    except (ValueError, RecursionError):
        return None


def _decode_message_tolerantly(raw: Raw) -> ApiMessage:
    try:
        return _decode_message(raw) if raw else ApiMessage()
    except _FAILURES:
        value = decode_plain(raw)
    if not isinstance(value, dict):
        return ApiMessage(content=salvage_content(value))
    content = value.pop("content", None)
    message = fit_struct(value, ApiMessage)
    message.content = salvage_content(content)
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
        value = clean_value(_parse_json(text))
    except ValueError as error:
        return _make_bad_line(line, _error_reason(error))
    except RecursionError:
        return _make_bad_line(line, "nested too deep to read")
    if not isinstance(value, dict):
        return _make_bad_line(line, "not a JSON object")
    kind = value.get("type")
    return fit_struct(value, KINDS.get(kind, Unknown) if isinstance(kind, str) else Unknown)


def _parse_json(text: bytes) -> object:
    """Parse as the standard library does, which takes more than msgspec."""
    loaded: object = json.loads(
        cut_depth(text).decode("utf-8", "replace"), strict=False, parse_int=_parse_int
    )
    return loaded


def _parse_int(digits: str) -> int | float:
    """Read a whole number; Python refuses those with thousands of digits."""
    return int(digits) if len(digits) < 400 else float(digits)


def _error_reason(error: ValueError) -> str:
    if not isinstance(error, json.JSONDecodeError):
        return "not valid JSON"
    return f"not valid JSON: {error.msg.removesuffix(' at')} at character {error.pos + 1}"


def _make_bad_line(line: Line, reason: str) -> BadLine:
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


def _split_glued(line: Line) -> list[Record | BadLine]:
    """Take apart a line on which clients wrote several times; empty where none did.

    A client that finds the last line without an end writes on behind it: behind a whole
    record, or behind what a crash left of one. Latin-1 maps each byte to one character, so
    places in the text are offsets.
    """
    text = line.raw.decode("latin-1")
    start = len(_BOM) if line.offset == 0 and line.raw.startswith(_BOM) else 0
    edges = [0, *_find_ends(text, start)]
    whole = edges[-1] == len(text)
    behind = [] if whole else _find_behind_fragment(text, edges[-1])
    # What a piece of a record ends with may be whole, such as a block of its content.
    while behind and isinstance(_decode_stretch(line, *behind[:2]), Unknown):
        behind = behind[1:] if len(behind) > 2 else []
    edges += behind
    edges += [len(text)] * (edges[-1] < len(text))
    if len(edges) == 2:
        return []
    found = [_decode_stretch(line, first, last) for first, last in pairwise(edges)]
    # Beside rubbish, only what is surely a record is taken for one.
    return [] if not whole and any(isinstance(item, Unknown) for item in found) else found


def _decode_stretch(line: Line, first: int, last: int) -> Record | BadLine:
    return decode(Line(line.offset + first, line.number, line.raw[first:last]))


def _find_ends(text: str, start: int) -> list[int]:
    """Find where the objects end that stand one behind the other from `start` on."""
    ends, _ = _scan_objects(text, start)
    return ends


def _scan_objects(text: str, start: int) -> tuple[list[int], int]:
    """Find where objects end that stand one behind the other, and how far that was looked for."""
    scan = json.JSONDecoder(strict=False, parse_int=_parse_int).raw_decode
    ends: list[int] = []
    while text.startswith("{", start):
        try:
            _, end = scan(text, start)
        except json.JSONDecodeError as error:
            # An error counts the lines before it, which is quick, yet not for nothing.
            return ends, error.pos + error.pos // _COUNTED_AT_ONCE
        except (ValueError, RecursionError):
            return ends, start + _COST_OF_DEPTH
        space = _SPACE.match(text, end)
        start = end if space is None else space.end()
        ends.append(start)
    return ends, start


def _find_behind_fragment(text: str, start: int) -> list[int]:
    """Find where whole objects begin and end behind a piece of one; they fill the line.

    Objects that stand one behind the other end at one place, whichever is begun with, so a place
    inside such a row is not tried again. What a hostile line makes us read in vain is bounded.
    """
    left = _MOST_SCANS * len(text)
    tried: set[int] = set()
    for match in _RECORD_START.finditer(text, start + 1):
        if match.start() in tried:
            continue
        ends, reached = _scan_objects(text, match.start())
        if ends and ends[-1] == len(text):
            return [match.start(), *ends]
        tried.update(ends)
        left -= reached - match.start()
        if left < 0:
            break
    return []
