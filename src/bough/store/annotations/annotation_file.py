"""The file `annotations.sqlite`: whose it is, its schema, and the copies that are kept of it.

What stands in it exists nowhere else and cannot be made again. So it is no part of the index:
nothing rebuilds, prunes or resets it. Every process that writes makes a copy first, once. Each
change is one short transaction, and SQLite lets one process write at a time; there is no log
beside the file, so that the file alone is always the whole.
"""

import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from bough.config import data_dir
from bough.errors import AnnotationTrouble, reason_of
from bough.store.sqlite_faults import SqliteFault, find_fault

APPLICATION_ID: Final = 0x626F7561
"""Stands in the first page; that of the index is another."""
SCHEMA: Final = 1
_CREATE: Final = """
create table annotation (
  kind text not null,
  id text not null,
  field text not null,
  value text not null,
  changed_at text not null,
  session text not null default '',
  primary key (kind, id, field)
) without rowid
"""
_MAGIC: Final = b"SQLite format 3\x00"
_HEADER_BYTES: Final = 100
_WAIT_SECONDS: Final = 10.0
_PRIVATE: Final = 0o600
_COPIES: Final = 20
_COPY_DAYS: Final = 14
"""Kept are the last copies, and beyond them the last of each of so many days."""
_copied: set[tuple[int, Path]] = set()
_copying: Final = threading.Lock()


class FileMark(msgspec.Struct, frozen=True):
    """What tells two states of the file apart without opening it as a database."""

    inode: int
    changes: int
    size: int


class EarlierStars(msgspec.Struct):
    """What the terminal app kept in `tui.json` before there was this file."""

    stars: list[str] = []


def annotations_path() -> Path:
    """Name the file with the annotations, which need not exist."""
    return data_dir() / "annotations.sqlite"


def copies_folder(path: Path) -> Path:
    """Name the folder with the copies that are kept of a file with annotations."""
    return path.with_name("annotations-backups")


def read_copy(path: Path) -> bytes:
    """Give the bytes of a file with annotations as they are at one moment, whoever writes it.

    Raises:
        AnnotationTrouble: It cannot be read, or is not ours.
    """
    with open_for_reading(path) as connection:
        data: bytes = connection.serialize()
        return data


def list_copies(path: Path) -> list[Path]:
    """List the copies of a file with annotations, the newest first."""
    try:
        return sorted(copies_folder(path).glob("annotations-*.sqlite"), reverse=True)
    except OSError:
        return []


def read_mark(path: Path) -> FileMark | None:
    """Read which state a file with annotations is in; None where there is none yet.

    Raises:
        AnnotationTrouble: It cannot be read, is another program's or of a newer bough.
    """
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER_BYTES)
            status = os.fstat(file.fileno())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise AnnotationTrouble(f"Cannot read {path}: {reason_of(error)}.") from error
    if not header:
        return None
    if not header.startswith(_MAGIC) or len(header) < _HEADER_BYTES:
        raise AnnotationTrouble(_describe_damage(path))
    if _number(header, 68) != APPLICATION_ID:
        raise AnnotationTrouble(
            f"{path} is the database of another program, and is left as it is. Move it away."
        )
    if _number(header, 60) > SCHEMA:
        raise AnnotationTrouble(
            f"{path} was written by a newer bough, and is left as it is. Update bough."
        )
    return FileMark(status.st_ino, _number(header, 24), status.st_size)


def has_earlier_stars(path: Path) -> bool:
    """Tell whether the terminal app kept stars that are still to be taken over."""
    return not path.exists() and bool(_load_earlier_stars(path).stars)


@contextmanager
def open_for_reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a file that is there; what a crash left half-written is taken back first."""
    with _translate_errors(path), closing(_connect(path, "mode=rw")) as connection:
        connection.execute("pragma query_only = on")
        yield connection


@contextmanager
def open_for_writing(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the file in a transaction that keeps everything or nothing; it is made if needed.

    Before a process writes for the first time, a copy is made of what is there.
    """
    read_mark(path)
    with _translate_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not path.exists():
            path.touch(mode=_PRIVATE)
        with closing(_connect(path, "mode=rw")) as connection:
            connection.execute("pragma synchronous = full")
            _copy_once(path, connection)
            connection.execute("begin immediate")
            try:
                _create_schema(path, connection)
                yield connection
            except BaseException:
                if connection.in_transaction:
                    connection.execute("rollback")
                raise
            connection.execute("commit")


def _connect(path: Path, how: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?{how}"
    return sqlite3.connect(uri, uri=True, timeout=_WAIT_SECONDS, isolation_level=None)


def _create_schema(path: Path, connection: sqlite3.Connection) -> None:
    """Make the table of a new file, and take over what the terminal app kept, once."""
    if connection.execute("pragma user_version").fetchone()[0]:
        return
    connection.execute(_CREATE)
    connection.execute(f"pragma user_version = {SCHEMA}")
    connection.execute(f"pragma application_id = {APPLICATION_ID}")
    rows = [
        ("session" if _is_uuid(one) else "project", one, "starred", "1", _earlier_moment(path))
        for one in dict.fromkeys(_load_earlier_stars(path).stars)
    ]
    connection.executemany(
        "insert into annotation (kind, id, field, value, changed_at) values (?, ?, ?, ?, ?)", rows
    )


def _load_earlier_stars(path: Path) -> EarlierStars:
    try:
        return msgspec.json.decode(_earlier_path(path).read_bytes(), type=EarlierStars)
    except (OSError, msgspec.MsgspecError, RecursionError):
        return EarlierStars()


def _earlier_path(path: Path) -> Path:
    return path.with_name("tui.json")


def _earlier_moment(path: Path) -> str:
    return format_moment(datetime.fromtimestamp(_earlier_path(path).stat().st_mtime, UTC))


def format_moment(moment: datetime) -> str:
    """Write a moment as it stands in the file: such texts are in the order of time."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _is_uuid(text: str) -> bool:
    """Tell the id of a session from the folder's name of a project."""
    return [len(part) for part in text.split("-")] == [8, 4, 4, 4, 12]


def _copy_once(path: Path, connection: sqlite3.Connection) -> None:
    """Copy the file before this process writes it for the first time."""
    key = (os.getpid(), path.absolute())
    with _copying:
        if key in _copied:
            return
        if not connection.execute("pragma user_version").fetchone()[0]:
            _copied.add(key)
            return
        folder = copies_folder(path)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
        copy = folder / f"annotations-{moment}-{os.getpid()}.sqlite"
        unfinished = copy.with_suffix(".part")
        unfinished.touch(mode=_PRIVATE)
        with closing(_connect(unfinished, "mode=rw")) as target:
            connection.backup(target)
        unfinished.replace(copy)
        _copied.add(key)
        for old in _choose_old(list_copies(path)):
            old.unlink(missing_ok=True)


def _choose_old(newest_first: Sequence[Path]) -> list[Path]:
    days: dict[str, Path] = {}
    for copy in newest_first:
        days.setdefault(copy.name[:20], copy)
    kept = {*newest_first[:_COPIES], *list(days.values())[:_COPY_DAYS]}
    return [copy for copy in newest_first if copy not in kept]


@contextmanager
def _translate_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise AnnotationTrouble(_describe_error(path, error)) from error
    except OSError as error:
        raise AnnotationTrouble(f"Cannot write {path}: {reason_of(error)}.") from error


def _describe_error(path: Path, error: sqlite3.DatabaseError) -> str:
    match find_fault(error):
        case SqliteFault.BUSY:
            return f"{path} is being written by another bough. Try again in a moment."
        case SqliteFault.READ_ONLY:
            return f"{path} cannot be written: it is read-only."
        case SqliteFault.FULL:
            return f"The disk is full, so {path} stays as it was. Make room and try again."
        case SqliteFault.DAMAGED:
            return _describe_damage(path)
        case _:
            return f"{path} failed: {error}."


def _describe_damage(path: Path) -> str:
    copies: Sequence[Path] = ()
    with suppress(OSError):
        copies = list_copies(path)
    advice = f"Put its newest copy in its place: {copies[0]}." if copies else "Move it away."
    return f"The stars and notes in {path} are damaged. {advice}"


def _number(header: bytes, start: int) -> int:
    return int.from_bytes(header[start : start + 4], "big")
