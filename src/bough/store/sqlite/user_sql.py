"""Questions in SQL from outside: read-only, whatever they say.

Three locks: the file is opened for reading, SQLite is told to change nothing, and every
step of a statement is checked before it runs. The last is the one that also keeps other
files safe: `vacuum into` writes a new one from a database that is read-only.

The index keeps where a record is, not its bytes. A function of ours reads them from the
user's file when a question asks for them, so `json_extract` works on everything the
client wrote. It takes a file's number and no path: nothing but indexed files can be read.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NoReturn

import msgspec

from bough.errors import IndexTrouble, Misuse, Unreadable
from bough.files.byte_source import DISK, SourceFinder
from bough.records.decode import decode_plain
from bough.store.rows import SqlResult, TableColumns
from bough.store.sqlite.connection import open_read_only, translate_errors

VIEW = "record_json"
_FUNCTION = "bough_record"
_MAKE_VIEW = f"""
    create temp view {VIEW} as
    select record.*, file.path, file.session,
        {_FUNCTION}(record.file_id, record.offset, record.length) as json
    from record join file on file.id = record.file_id
"""


def add_json_view(connection: sqlite3.Connection, sources: SourceFinder) -> None:
    """Add the view `record_json`: the records with the JSON that the client wrote."""
    connection.create_function(_FUNCTION, 3, _make_reader(connection, sources))
    connection.execute(_MAKE_VIEW)


def _make_reader(
    connection: sqlite3.Connection, sources: SourceFinder
) -> Callable[[int, int, int], str | None]:
    rows = connection.execute("select id, path from file where deleted_at is null")
    paths: dict[int, str] = dict(rows.fetchall())

    def read(file: int, offset: int, length: int) -> str | None:
        path = paths.get(file)
        source = sources.find(path) if path is not None else None
        if source is None:
            return None
        try:
            return _as_json(source.at(offset, length))
        except Unreadable:
            return None

    return read


def _as_json(raw: bytes) -> str | None:
    """Give bytes as JSON that SQLite takes; None where they are none.

    SQLite fails a whole question over one text that is no JSON, and files change between
    two readings, so each is looked at first.
    """
    text = raw.strip()
    try:
        msgspec.json.decode(text)
        return text.decode()
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        value = decode_plain(text)
        return None if value is None else msgspec.json.encode(value).decode()


_ALLOWED: Final = frozenset(
    {
        sqlite3.SQLITE_SELECT,
        sqlite3.SQLITE_READ,
        sqlite3.SQLITE_FUNCTION,
        sqlite3.SQLITE_RECURSIVE,
    }
)
# They load code, or take an address of some as bytes.
_FORBIDDEN_FUNCTIONS: Final = frozenset({"load_extension", "fts3_tokenizer"})
_READ_PRAGMAS: Final = frozenset(
    {
        *("compile_options", "data_version", "index_info", "index_list", "index_xinfo"),
        *("page_count", "page_size", "table_info", "table_list", "table_xinfo", "user_version"),
    }
)
# What is wrong with the question; everything else is wrong with the index.
_OF_THE_QUESTION: Final = frozenset(
    {
        sqlite3.SQLITE_ERROR,
        sqlite3.SQLITE_TOOBIG,
        sqlite3.SQLITE_MISMATCH,
        sqlite3.SQLITE_RANGE,
    }
)
_FORBIDDEN: Final = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_AUTH})
_STEPS_BETWEEN_LOOKS: Final = 100_000
_OWN_TABLES: Final = """
    select name from sqlite_master
    where type = 'table'
    and name not like 'sqlite!_%' escape '!' and name not like 'words!_%' escape '!'
    order by name
"""


@contextmanager
def run_user_sql(path: Path, question: str, sources: SourceFinder) -> Iterator[SqlResult]:
    """Ask a question in SQL; its rows can be read as long as the context lasts.

    Raises:
        Misuse: SQLite does not understand the question, or it would change something.
    """
    with _open_locked_down(path, sources) as connection:
        with _translate_errors(path):
            cursor = connection.execute(question)
        if cursor.description is None:
            raise Misuse("That asks for nothing. A question begins with select.")
        yield SqlResult(
            tuple(column[0] for column in cursor.description), _iterate_rows(path, cursor)
        )


def list_tables(path: Path) -> Sequence[TableColumns]:
    """List the tables and their columns, and the view with the JSON."""
    with _open_locked_down(path, DISK) as connection, translate_errors(path):
        names = [name for (name,) in connection.execute(_OWN_TABLES)]
        return [TableColumns(name, _list_columns(connection, name)) for name in (*names, VIEW)]


def _list_columns(connection: sqlite3.Connection, table: str) -> tuple[str, ...]:
    rows = connection.execute("select name from pragma_table_info(?)", (table,))
    return tuple(name for (name,) in rows)


@contextmanager
def _open_locked_down(path: Path, sources: SourceFinder) -> Iterator[sqlite3.Connection]:
    connection = open_read_only(path)
    try:
        with translate_errors(path):
            # A temporary view changes no file, but SQLite makes none while told to change nothing.
            connection.execute("pragma query_only = off")
            connection.execute("pragma temp_store = memory")
            add_json_view(connection, sources)
            connection.execute("pragma query_only = on")
        connection.set_authorizer(_authorize_action)
        # Without it, no interrupt is seen before the last row is found.
        connection.set_progress_handler(_check_limit, _STEPS_BETWEEN_LOOKS)
        yield connection
    finally:
        connection.close()


def _authorize_action(
    action: int, first: str | None, second: str | None, _database: str | None, _by: str | None
) -> int:
    """Decide about one step of a statement."""
    allowed = action in _ALLOWED
    if action == sqlite3.SQLITE_FUNCTION:
        allowed = (second or "").lower() not in _FORBIDDEN_FUNCTIONS
    elif action == sqlite3.SQLITE_PRAGMA:
        allowed = first in _READ_PRAGMAS
    elif action == sqlite3.SQLITE_UPDATE:
        # So SQLite calls it when a virtual table, such as the full-text index, is connected.
        allowed = first == "sqlite_master"
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def _check_limit() -> int:
    return 0


def _iterate_rows(path: Path, cursor: sqlite3.Cursor) -> Iterator[tuple[object, ...]]:
    with _translate_errors(path):
        # `yield from` would close the cursor where a reader such as head has gone, and the
        # connection is closed by then.
        for row in cursor:  # noqa: UP028
            yield row


@contextmanager
def _translate_errors(path: Path) -> Iterator[None]:
    """Tell a question that makes no sense from an index that does not work."""
    try:
        yield
    except (sqlite3.ProgrammingError, sqlite3.Warning) as error:
        raise Misuse(_describe_error(str(error))) from error
    except UnicodeEncodeError as error:
        raise Misuse("The query is not UTF-8 text.") from error
    except sqlite3.Error as error:
        _raise_translated(path, error)


def _raise_translated(path: Path, error: sqlite3.Error) -> NoReturn:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code == sqlite3.SQLITE_INTERRUPT:
        raise KeyboardInterrupt from error
    if code in _FORBIDDEN:
        raise Misuse(f"bough sql only reads: {error}.") from error
    if code in _OF_THE_QUESTION:
        raise Misuse(_describe_error(str(error))) from error
    with translate_errors(path):
        raise error
    raise IndexTrouble(str(error)) from error


def _describe_error(said: str) -> str:
    return f"{said.rstrip('.')}. bough sql without a question lists the tables."
