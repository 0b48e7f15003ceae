"""Opening the index: settings, migrations, errors in our own words, many rows in one step.

Write-ahead logging lets many read while one writes. Migrations are numbered SQL files;
an index of a newer bough is left alone.

Python lets others have their turn at every row that SQLite finds, and where somebody else
computes it waits for its own again each time: a thousand short waits. Rows that SQLite packs
into one value come in a single step.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from bough.errors import IndexTrouble
from bough.store.sqlite.index_file import (
    ADVICE,
    APPLICATION_ID,
    SCRIPTS,
    require_index_file,
    require_removable,
)
from bough.store.sqlite.index_lock import IndexBusy, WriterLock
from bough.store.sqlite_faults import SqliteFault, find_fault

# Fast path: searches beside two busy threads, 74 ms instead of 92 (medians that vary by a half);
# alone or beside one thread nothing. What it is for is the 99th of 100 in benchmarks/load.py.
_PACKED = (
    "with found({names}) as ({statement}) select json_group_array(json_array({names})) from found"
)


def fetch_all_packed(
    connection: sqlite3.Connection,
    statement: str,
    columns: int,
    values: Mapping[str, object] | None = None,
) -> list[list[Any]]:
    """Give the rows of a statement of so many columns, none of them a blob, in its order."""
    names = ", ".join(f"c{number}" for number in range(columns))
    packed = _PACKED.replace("{names}", names).replace("{statement}", statement)
    text = connection.execute(packed, values or {}).fetchone()[0]
    rows: list[list[Any]] = msgspec.json.decode(text)
    return rows


# Fast path: writing a first index, 0.31 s instead of 0.34 for 50 MB. For every None Python's
# sqlite3 looks for a way to turn it into something else, and before 3.12 makes an error each time
# that nobody sees. It stays what it is.
sqlite3.register_adapter(type(None), {}.get)  # type: ignore[arg-type] # it gives None

_BESIDE = ("-wal", "-shm")
"""What SQLite keeps beside a database."""
_WAIT_SECONDS = 10.0
_AGAIN_SECONDS = 0.01
_PRIVATE = 0o600


def schema_version() -> int:
    """Give the version of the schema that this bough reads."""
    return max(_list_migrations())


def open_index(path: Path, *, create: bool = True) -> sqlite3.Connection:
    """Open the index for reading and writing, made or brought up to date where needed."""
    require_index_file(path)
    if create:
        _make_private(path)
    with translate_errors(path):
        connection = sqlite3.connect(path, timeout=_WAIT_SECONDS, isolation_level=None)
        try:
            _configure(connection)
            _migrate(connection)
        except BaseException:
            connection.close()
            raise
    return connection


def open_read_only(path: Path) -> sqlite3.Connection:
    """Open an index that is there, for questions only."""
    require_index_file(path)
    with translate_errors(path):
        try:
            return _connect_read_only(path, "mode=ro")
        except sqlite3.OperationalError:
            # On a disk that cannot be written SQLite finds no place for what many readers share.
            if not _is_on_read_only_disk(path) or _has_log(path):
                raise
            return _connect_read_only(path, "immutable=1")


def _connect_read_only(path: Path, how: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?{how}"
    connection = sqlite3.connect(uri, uri=True, timeout=_WAIT_SECONDS, isolation_level=None)
    try:
        connection.execute("pragma query_only = on")
        _require_newest(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def can_be_written(path: Path) -> bool:
    """Tell whether an index may be written: it is not there yet, or nothing forbids it."""
    return not path.exists() or (os.access(path, os.W_OK) and not _is_on_read_only_disk(path))


def _is_on_read_only_disk(path: Path) -> bool:
    return not os.access(path.parent, os.W_OK)


def _has_log(path: Path) -> bool:
    """Tell whether something is only in the log beside an index, which nobody can read then."""
    log = path.with_name(path.name + "-wal")
    return log.exists() and log.stat().st_size > 0


def measure_index(path: Path) -> int:
    """Give the bytes of an index with its log, in which most of a fresh one stands for a while."""
    size = 0
    for end in ("", *_BESIDE):
        with suppress(OSError):
            size += path.with_name(path.name + end).stat().st_size
    return size


def remove_index(path: Path) -> None:
    """Remove an index and what SQLite keeps beside it, unless somebody writes it."""
    with _owning(path):
        _remove_files(path, "", *_BESIDE)


def replace_index(path: Path, fill: Callable[[sqlite3.Connection], None]) -> None:
    """Make an index anew in the place of another, unless somebody writes it.

    `fill` writes what it begins with. Whoever is stopped before the end leaves the old one.
    """
    with _owning(path):
        new = path.with_name(f"{path.name}-new")
        _remove_files(new, "", *_BESIDE)
        connection = open_index(new)
        try:
            fill(connection)
        finally:
            connection.close()  # and with it goes the log
        # The log of the old one would be taken for the new one's.
        _remove_files(path, *_BESIDE)
        new.replace(path)


@contextmanager
def _owning(path: Path) -> Iterator[None]:
    """Be the one who may remove an index."""
    require_removable(path)
    with translate_errors(path):
        lock = WriterLock(path)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not lock.acquire():
            raise IndexBusy("")
        try:
            yield
        finally:
            lock.release()


def _remove_files(path: Path, *suffixes: str) -> None:
    for suffix in suffixes:
        path.with_name(path.name + suffix).unlink(missing_ok=True)


@contextmanager
def translate_errors(path: Path) -> Iterator[None]:
    """Turn what SQLite says into what a person can act on."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise IndexTrouble(_describe_error(path, error)) from error
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise IndexTrouble(f"Cannot open the index {path}: {reason}. {ADVICE}") from error


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Keep everything that is written inside, or nothing."""
    connection.execute("begin immediate")
    try:
        yield
    except BaseException:
        if connection.in_transaction:
            connection.execute("rollback")
        raise
    connection.execute("commit")


def version_of(connection: sqlite3.Connection) -> tuple[int, int]:
    """Tell states of the index apart, as this connection sees them; it costs nothing."""
    written_by_others: int = connection.execute("pragma data_version").fetchone()[0]
    return written_by_others, connection.total_changes


def _describe_error(path: Path, error: sqlite3.DatabaseError) -> str:
    match find_fault(error):
        case SqliteFault.BUSY:
            return "The index is being written by another bough. Try again in a moment."
        case SqliteFault.FULL:
            return f"Disk full while writing the index {path}. Make room and run bough index again."
        case SqliteFault.READ_ONLY:
            return (
                f"The index {path} cannot be written: it is read-only. Name another with --index."
            )
        case SqliteFault.NOT_OPENED:
            return f"Cannot open the index {path}. {ADVICE}"
        case SqliteFault.DAMAGED:
            return f"The index {path} is damaged. Make it again: bough index --rebuild."
        case SqliteFault.OTHER:
            return f"The index {path} failed: {error}. If it stays so: bough index --rebuild."


def _make_private(path: Path) -> None:
    """Make the file before SQLite does, so that nobody else can read it."""
    with translate_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not path.exists():
            path.touch(mode=_PRIVATE)


def _configure(connection: sqlite3.Connection) -> None:
    # Fast path: a first index, a tenth cheaper. Takes effect on an empty file only.
    connection.execute("pragma page_size = 16384")
    # Before logging ahead begins, so that it stands in the file itself from the first moment on.
    _claim(connection)
    _enable_wal(connection)
    connection.execute("pragma synchronous = normal")
    # What is larger than the cache is sorted in a file: two million ids, or half a million calls,
    # would take more memory than all the rest.
    connection.execute("pragma temp_store = file")
    connection.execute("pragma cache_size = -32000")


def _claim(connection: sqlite3.Connection) -> None:
    """Let the first page say whose it is; where somebody writes just now, the next one says it."""
    if connection.execute("pragma application_id").fetchone()[0] == APPLICATION_ID:
        return
    connection.execute("pragma busy_timeout = 0")
    try:
        connection.execute(f"pragma application_id = {APPLICATION_ID}")
    except sqlite3.OperationalError as error:
        if "locked" not in str(error):
            raise
    finally:
        connection.execute(f"pragma busy_timeout = {int(_WAIT_SECONDS * 1000)}")


def _enable_wal(connection: sqlite3.Connection) -> None:
    """Log ahead; SQLite itself does not wait for another who turns that on at the same moment."""
    end = time.monotonic() + _WAIT_SECONDS
    while True:
        try:
            connection.execute("pragma journal_mode = wal")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > end:
                raise
            time.sleep(_AGAIN_SECONDS)
        else:
            return


def _list_migrations() -> dict[int, Path]:
    scripts = (file for file in SCRIPTS.iterdir() if file.suffix == ".sql")
    return {int(file.name.partition("_")[0]): file for file in scripts}


def _check_version(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("pragma user_version").fetchone()[0]
    newest = schema_version()
    if version > newest:
        raise IndexTrouble(
            f"The index was made by a newer bough (schema {version}, this one reads {newest}). "
            "Update bough, or bough index --rebuild."
        )
    return version


def _require_newest(connection: sqlite3.Connection, path: Path) -> None:
    if _check_version(connection) < schema_version():
        raise IndexTrouble(
            f"The index {path} was made by an older bough and cannot be brought up to date, "
            "because it is read-only. Name another place with --index."
        )


def _migrate(connection: sqlite3.Connection) -> None:
    version = _check_version(connection)
    for number, script in sorted(_list_migrations().items()):
        if number <= version:
            continue
        # executescript would commit first; statement by statement it stays one transaction.
        with transaction(connection):
            # Somebody else may have opened a new index at the same moment, and been first.
            if number <= _check_version(connection):
                continue
            for statement in _split_statements(script.read_text(encoding="utf-8")):
                connection.execute(statement)
            connection.execute(f"pragma user_version = {number}")
            connection.execute(f"pragma application_id = {APPLICATION_ID}")


def _split_statements(script: str) -> Iterator[str]:
    pending = ""
    for line in script.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            yield pending
            pending = ""
