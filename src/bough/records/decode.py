"""From bytes to records; the only place that parses JSON.

msgspec does the work. It is stricter than the clients: it refuses lone surrogates, NaN,
bad UTF-8, deep nesting, and a field of another type than expected. Such lines take the
slow way through the standard library, where the offending field is left out and the rest
is kept. Nothing here raises, whatever the bytes.
"""

import json
import math
from collections.abc import Iterable, Iterator
from functools import reduce
from operator import or_
from typing import Any, TypeVar

import msgspec
from msgspec import Raw, Struct

from bough.line import Line
from bough.records.blocks import KNOWN_BLOCKS, AnyBlock, Message, Text, UnknownBlock
from bough.records.record import BadLine, Record
from bough.records.types import (
    KINDS,
    Attachment,
    AttachmentData,
    Assistant,
    Progress,
    ProgressData,
    Unknown,
    User,
)

_BOM = b"\xef\xbb\xbf"
_MANY = 1_000_000
_T = TypeVar("_T", bound=Struct)

_decode_known = msgspec.json.Decoder(reduce(or_, KINDS.values())).decode
_decode_unknown = msgspec.json.Decoder(Unknown).decode
_decode_message = msgspec.json.Decoder(Message).decode
_decode_block = msgspec.json.Decoder(KNOWN_BLOCKS).decode
_decode_blocks = msgspec.json.Decoder(str | list[KNOWN_BLOCKS]).decode
_FAILURES = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


def decode(line: Line) -> Record | BadLine:
    """Decode a line that holds one record; see `records` for lines that hold more."""
    raw = line.raw
    try:
        record: Record = _decode_known(raw)
    except _FAILURES:
        return _decode_slowly(line)
    record.raw = raw
    record.offset = line.offset
    record.number = line.number
    record.body = None
    return record


def records(lines: Iterable[Line]) -> Iterator[Record | BadLine]:
    """Decode lines, taking glued records apart."""
    for line in lines:
        found = decode(line)
        if isinstance(found, BadLine) and not found.blank and b"}{" in line.raw:
            yield from _unglue(line, found)
        else:
            yield found


def message_of(record: User | Assistant) -> Message:
    """Give the message of a user or assistant record, decoded on first use."""
    if record.body is None:
        record.body = _part(record.message_json, _decode_message, _salvage_message)
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
        value = _salvage_content(plain(content))
    if isinstance(value, str):
        return [Text(text=value)]
    return value or []


def part(raw: Raw, cls: type[_T]) -> _T:
    """Decode a raw part of a record as `cls`, leaving out what does not fit."""
    try:
        return msgspec.json.decode(raw, type=cls) if raw else cls()
    except _FAILURES:
        return _fitting(plain(raw), cls)


def plain(raw: Raw | bytes) -> Any:
    """Decode any JSON into plain values; None where it is none."""
    if not raw:
        return None
    try:
        return msgspec.json.decode(raw)
    except _FAILURES:
        pass
    try:
        return _clean(json.loads(bytes(raw).decode("utf-8", "replace"), strict=False))
    except (ValueError, RecursionError):
        return None


def _part(raw: Raw, fast: Any, slow: Any) -> Any:
    try:
        return fast(raw) if raw else Message()
    except _FAILURES:
        return slow(plain(raw))


def _salvage_message(value: Any) -> Message:
    """Keep of a message what can be kept."""
    if not isinstance(value, dict):
        return Message()
    content = value.pop("content", None)
    message = _fitting(value, Message)
    message.content = _salvage_content(content)
    return message


def _salvage_content(content: Any) -> Any:
    """Turn plain content into text or blocks, unknown blocks included."""
    if isinstance(content, str) or content is None:
        return content
    items = content if isinstance(content, list) else [content]
    return [_salvage_block(item) for item in items]


def _salvage_block(item: Any) -> AnyBlock:
    if isinstance(item, str):
        return Text(text=item)
    as_json = msgspec.json.encode(item)
    try:
        block: AnyBlock = _decode_block(as_json)
    except _FAILURES:
        name = item.get("type") if isinstance(item, dict) else None
        return UnknownBlock(type=name if isinstance(name, str) else "", json=as_json)
    return block


def _fitting(value: Any, cls: type[_T]) -> _T:
    """Make a `cls` from the fields of `value` that have the right type."""
    if not isinstance(value, dict):
        return cls()
    tag = cls.__struct_config__.tag
    fixed = {} if tag is None else {"type": tag}
    kept = dict(fixed)
    for field in msgspec.structs.fields(cls):
        key = field.encode_name
        if key not in value or key in fixed:
            continue
        try:
            msgspec.json.decode(msgspec.json.encode(fixed | {key: value[key]}), type=cls)
        except _FAILURES:
            continue
        kept[key] = value[key]
    return msgspec.json.decode(msgspec.json.encode(kept), type=cls)


def _decode_slowly(line: Line) -> Record | BadLine:
    """Decode what the fast way refused."""
    raw = line.raw
    text = raw.removeprefix(_BOM) if line.offset == 0 else raw
    value = _load(text)
    if isinstance(value, _Refused):
        return _bad(line, value.reason)
    if not isinstance(value, dict):
        return _bad(line, "not a JSON object")
    kind = value.get("type")
    try:
        cls: type[Record] = KINDS.get(kind, Unknown) if isinstance(kind, str) else Unknown
        record = _record_as(cls, text, value)
    except RecursionError:
        return _bad(line, "nested too deep to read")
    record.raw = raw
    record.offset = line.offset
    record.number = line.number
    record.body = None
    return record


def _record_as(cls: type[Record], text: bytes, value: dict[str, Any]) -> Record:
    """Decode as `cls`, from the bytes themselves where they allow it."""
    try:
        record: Record = (_decode_unknown if cls is Unknown else _decode_known)(text)
    except _FAILURES:
        return _fitting(_clean(value), cls)
    return record


class _Refused(Struct, frozen=True):
    reason: str


def _load(text: bytes) -> Any:
    try:
        return json.loads(text.decode("utf-8", "replace"), strict=False)
    except ValueError as error:
        position = getattr(error, "pos", None)
        message = getattr(error, "msg", "not JSON")
        where = "" if position is None else f" at character {position + 1}"
        return _Refused(f"not valid JSON: {message}{where}")
    except RecursionError:
        return _Refused("nested too deep to read")


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


def _unglue(line: Line, whole: BadLine) -> Iterator[Record | BadLine]:
    """Take apart records that a client wrote on one line.

    Latin-1 maps each byte to one character, so positions in the text are offsets.
    """
    text = line.raw.decode("latin-1")
    start, pieces = 0, []
    scan = json.JSONDecoder(strict=False).raw_decode
    try:
        while start < len(text.rstrip()):
            _, end = scan(text, start)
            pieces.append((start, end))
            start = end + len(text[end:]) - len(text[end:].lstrip())
    except (ValueError, RecursionError):
        yield whole
        return
    edges = [0, *(end for _, end in pieces[:-1]), len(text)]
    for first, last in zip(edges, edges[1:], strict=False):
        yield decode(Line(line.offset + first, line.number, line.raw[first:last]))


def _clean(value: Any) -> Any:
    """Replace what JSON in UTF-8 cannot hold: lone surrogates, NaN, infinity."""
    match value:
        case str():
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case float():
            return value if math.isfinite(value) else None
        case int() if not isinstance(value, bool):
            return value if abs(value) < 2**63 else float(value)
        case dict():
            return {_clean(key): _clean(item) for key, item in value.items()}
        case list():
            return [_clean(item) for item in value]
        case _:
            return value
