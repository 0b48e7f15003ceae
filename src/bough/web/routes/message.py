"""What hangs on a message: its records as they lie in the file, pictures, kept outputs."""

import codecs
from pathlib import Path
from typing import Final

from bough.errors import NotFound
from bough.files.byte_source import ByteSource
from bough.library import find_output, list_stored_outputs, read_picture
from bough.model.session import Session
from bough.model.tree.message_tree import NONE
from bough.records.record import BadLine, Record
from bough.web.responses import BinaryResponse
from bough.web.routes.conversation import find_open_session
from bough.web.state import AppState
from bough.web.wire.pieces import (
    OutputAnswer,
    OutputQuery,
    PictureQuery,
    RawAnswer,
    RawQuery,
    RawRecord,
)

_MOST: Final = 200
_LONGEST: Final = 2_000_000


def get_raw_records(state: AppState, session: str, query: RawQuery) -> RawAnswer:
    """Give the records of a message, or the line at an offset, as they lie in the file."""
    inner = find_open_session(state, session).session_or_agent(query.agent or None)
    if query.uuid:
        found = _records_of(inner, query.uuid)
    else:
        everything: list[Record | BadLine] = [*inner.records, *inner.bad_lines]
        found = [item for item in everything if item.offset == query.offset]
    if not found:
        raise NotFound(f"This session has no record {query.uuid[:40] or query.offset}.")
    return RawAnswer([_encode_raw(item) for item in found[:_MOST]])


def get_picture(state: AppState, session: str, query: PictureQuery) -> BinaryResponse:
    """Give the bytes of a picture, as what they are."""
    inner = find_open_session(state, session).session_or_agent(query.agent or None)
    found = read_picture(inner, query.offset, query.n)
    if found is None:
        raise NotFound("There is no picture here that a page can show.")
    return BinaryResponse(found.data, found.media_type)


def get_output(state: AppState, session: str, query: OutputQuery) -> OutputAnswer:
    """Give a stretch of an output that the client moved to a file of its own."""
    inner = find_open_session(state, session).session_or_agent(query.agent or None)
    source = _find_stored_output(inner, query.name)
    if source is None:
        raise NotFound("This session has no such output, or its file is gone.")
    size = source.state().size
    data = source.at(query.from_, query.count)
    text, used = _decode_whole_characters(data, at_end=query.from_ + len(data) >= size)
    return OutputAnswer(query.name, size, query.from_, query.from_ + used, text)


def _decode_whole_characters(data: bytes, *, at_end: bool) -> tuple[str, int]:
    """Read bytes as text; a character that is cut at the end is left to the next stretch."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    text = decoder.decode(data)
    left = len(decoder.getstate()[0])
    if at_end or left == len(data):
        return text + decoder.decode(b"", final=True), len(data)
    return text, len(data) - left


def _records_of(session: Session, uuid: str) -> list[Record | BadLine]:
    """Find a record, and those that are the same message: one may be written in many lines."""
    number = session.tree.number.get(uuid)
    if number is None:
        return []
    mark = session.message_tree.group_of[number]
    own = session.message_tree.groups[mark].nodes if mark != NONE else (number,)
    nodes = own if number in own else (number,)
    return [line for node in nodes for line in session.tree.lines[node]]


def _encode_raw(item: Record | BadLine) -> RawRecord:
    text = item.raw[:_LONGEST].decode("utf-8", "replace").rstrip("\r\n")
    return RawRecord(item.number, item.offset, text)


def _find_stored_output(session: Session, name: str) -> ByteSource | None:
    """Find a kept output by the name that a call of this very session gives it.

    The name is compared with the names of files that were listed; it never becomes a path.
    """
    if not name:
        return None
    for one in (session, *session.agents):
        for persisted in list_stored_outputs(one):
            if Path(persisted).name == name:
                return find_output(persisted)
    return None
