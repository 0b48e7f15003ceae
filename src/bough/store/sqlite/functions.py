"""The raw JSON of records, within SQL.

The index keeps where a record is, not its bytes. A function of ours reads them from the
user's file when a question asks for them, so `json_extract` works on everything the
client wrote. It takes a file's number and no path: nothing but indexed files can be read.
"""

import sqlite3
from collections.abc import Callable

import msgspec

from bough.errors import Unreadable
from bough.files.lines import read_at
from bough.records.decode import plain

VIEW = "record_json"
_FUNCTION = "bough_record"
_MAKE_VIEW = f"""
    create temp view {VIEW} as
    select record.*, file.path, file.session,
        {_FUNCTION}(record.file_id, record.offset, record.length) as json
    from record join file on file.id = record.file_id
"""


def offer_json(connection: sqlite3.Connection) -> None:
    """Add the view `record_json`: the records with the JSON that the client wrote."""
    connection.create_function(_FUNCTION, 3, _reader(connection))
    connection.execute(_MAKE_VIEW)


def _reader(connection: sqlite3.Connection) -> Callable[[int, int, int], str | None]:
    rows = connection.execute("select id, path from file where deleted_at is null")
    paths: dict[int, str] = dict(rows.fetchall())

    def read(file: int, offset: int, length: int) -> str | None:
        path = paths.get(file)
        if path is None:
            return None
        try:
            return _json(read_at(path, offset, length))
        except Unreadable:
            return None

    return read


def _json(raw: bytes) -> str | None:
    """Give bytes as JSON that SQLite takes; None where they are none.

    SQLite fails a whole question over one text that is no JSON, and files change between
    two readings, so each is looked at first.
    """
    text = raw.strip()
    try:
        msgspec.json.decode(text)
        return text.decode()
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        value = plain(text)
        return None if value is None else msgspec.json.encode(value).decode()
