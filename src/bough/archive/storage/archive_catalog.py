"""The catalog: what each file of the archive says of itself, for quick answers.

All of it can be made again from the files: `read_entry` reads one, `scan_files` all. A catalog
that is missing or damaged costs time and nothing else: a checksum over all rows tells, as a
database reads changed bytes without a word. Whoever only reads never changes it.
"""

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final
from zlib import crc32

import msgspec
from msgspec import Struct

from bough.archive.storage.archive_folder import ArchiveFolder, NewFile, read_file_name
from bough.archive.storage.frame_source import ArchiveSource
from bough.archive.storage.frames import ArchiveFile, ArchiveHeader, read_frames
from bough.archive.storage.named_files import NameFinder
from bough.errors import ArchiveTrouble, Unreadable, reason_of
from bough.files.regular_file import open_regular

_APPLICATION_ID: Final = 0x626F7563
_SCHEMA: Final = 3
_EVERY_NAME_SCHEMA: Final = 2
"""Of that form names were never null; all else is the same."""
_CREATE_WHOLE: Final = "create table whole (rows integer not null, checksum integer not null)"
_CREATE_ENTRY: Final = """
create table entry (
  id text not null,
  generation integer not null,
  header blob not null,
  size integer not null,
  packed integer not null,
  frames integer not null,
  source_size integer not null,
  source_mtime_ns integer not null,
  names text,
  sha256 blob,
  sealed_at text,
  gone_at text,
  primary key (id, generation)
) without rowid
"""
_PRIVATE: Final = 0o600
_CHUNK: Final = 1 << 20
_MOST_UNSYNCED: Final = 64
_UNSYNCED_BYTES: Final = 8 << 20
"""So many files, or bytes of them, are written before the disk is waited for.

Each is open meanwhile, and written anew by the next run if this one is killed.
"""

_encode = msgspec.msgpack.Encoder().encode
_decode_header = msgspec.msgpack.Decoder(ArchiveHeader).decode


class CatalogEntry(Struct, frozen=True, kw_only=True):
    """One generation of a source, as its file says.

    `size` bytes are kept of it, in `packed` ones; `source_size` and `source_mtime_ns` are the state
    in which the source was last looked at. `names` are files that its bytes name, None where nobody
    has looked for them. `sha256` is that of all bytes, known since they were last written as a
    whole.
    """

    id: str
    header: ArchiveHeader
    size: int
    packed: int
    frames: int
    source_size: int
    source_mtime_ns: int
    names: tuple[str, ...] | None = None
    sha256: bytes | None = None
    sealed_at: str | None = None
    gone_at: str | None = None

    @property
    def generation(self) -> int:
        """Give which generation of its source it is, from 1."""
        return self.header.generation

    @property
    def is_behind(self) -> bool:
        """Tell whether the source had more bytes than were taken in."""
        return self.size != self.source_size


class ArchiveBusy(ArchiveTrouble):
    """Say that another bough writes the archive; asked again later it can be done."""

    http_status = 409

    def __init__(self) -> None:
        super().__init__("Another bough is writing the archive. Try again when it is done.")


class ArchiveCatalog:
    """The catalog of an archive, open for the holder of its lock."""

    def __init__(self, folder: ArchiveFolder) -> None:
        self._folder = folder
        self._entries: dict[str, list[CatalogEntry]] = {}
        self._changed: dict[tuple[str, int], CatalogEntry] = {}
        self._unsynced: list[tuple[NewFile, CatalogEntry]] = []
        self._new_names_in: dict[Path, None] = {}
        self._connection, found = self._open_file()
        for entry in found:
            self._entries.setdefault(entry.id, []).append(entry)
        self._checksum = _sum_rows(found)

    def close(self) -> None:
        """Keep what was put, and let go of the file."""
        with closing(self._connection):
            self.commit()

    def entries(self) -> list[CatalogEntry]:
        """List all entries, every generation of each."""
        return [entry for generations in self._entries.values() for entry in generations]

    def newest(self, entry: str) -> CatalogEntry | None:
        """Give the newest generation of a source; None where none is known."""
        return self._entries[entry][-1] if entry in self._entries else None

    def put(self, entry: CatalogEntry) -> None:
        """Keep an entry in the place of what was known of that generation."""
        before = self._entries.get(entry.id, [])
        known = [one for one in before if one.generation != entry.generation]
        self._checksum += _sum_rows([entry]) - _sum_rows(before) + _sum_rows(known)
        if len(known) == len(before):
            # Also of a file that a writer left which ended before its row was written.
            self._new_names_in[file_of(self._folder, entry).parent] = None
        known.append(entry)
        self._entries[entry.id] = sorted(known, key=lambda one: one.generation)
        self._changed[entry.id, entry.generation] = entry

    def put_unsynced(self, left: NewFile, entry: CatalogEntry) -> None:
        """Keep an entry whose file is written, but not on the disk: many are waited for at once.

        It is not there for readers before `finish_files`, or a commit.
        """
        self.put(entry)
        self._unsynced.append((left, entry))
        size = sum(one.packed for _, one in self._unsynced)
        if len(self._unsynced) >= _MOST_UNSYNCED or size >= _UNSYNCED_BYTES:
            self.finish_files()

    def finish_files(self) -> None:
        """Let the files count that were put."""
        unsynced, self._unsynced = self._unsynced, []
        try:
            for left, _ in unsynced:
                self._folder.sync_file(left)
            for left, _ in unsynced:
                self.finish_file(left.path)
        except BaseException:
            for left, entry in unsynced:
                self._folder.discard_unsynced(left)
                self._drop(entry)
            raise

    def finish_file(self, left: Path) -> None:
        """Let a file count that is on the disk; its name is there too before rows are."""
        self._folder.rename_file(left)
        self._new_names_in[left.parent] = None

    def remove(self, entry: str) -> None:
        """Drop all generations of a source."""
        removed = self._entries.pop(entry, [])
        self._checksum -= _sum_rows(removed)
        for one in removed:
            self._changed.pop((one.id, one.generation), None)
        with _wording(self._folder):
            self._connection.execute("delete from entry where id = ?", (entry,))

    def commit(self) -> None:
        """Let others see what was put."""
        self.finish_files()
        # A row whose file is not there after a crash would say that its bytes are kept.
        self._folder.sync_names(self._new_names_in)
        self._new_names_in.clear()
        with _wording(self._folder):
            _insert_rows(self._connection, self._changed.values())
            self._changed.clear()
            if self._connection.in_transaction:
                rows = sum(map(len, self._entries.values()))
                _note_checksum(self._connection, rows, self._checksum)
            self._connection.commit()

    def _drop(self, entry: CatalogEntry) -> None:
        """Take back an entry that was put: a file without a row is only written once more."""
        before = self._entries.pop(entry.id)
        if known := [one for one in before if one.generation != entry.generation]:
            self._entries[entry.id] = known
        self._checksum += _sum_rows(known) - _sum_rows(before)
        self._changed.pop((entry.id, entry.generation), None)

    def _open_file(self) -> tuple[sqlite3.Connection, list[CatalogEntry]]:
        """Open the file; one that is missing, damaged or of an older form is made from the files.

        Raises:
            ArchiveTrouble: A newer bough wrote it; there may be more in it than in the files.
        """
        file = self._folder.catalog
        schema = 0
        if file.exists():
            with suppress(sqlite3.DatabaseError):
                connection = sqlite3.connect(file)
                try:
                    schema = _read_schema(connection)
                    return connection, _renew_rows(connection)
                except BaseException:
                    connection.close()
                    raise
        if schema > _SCHEMA:
            raise ArchiveTrouble(
                f"A newer bough wrote the archive {self._folder.path}. Update bough to write it."
            )
        return self._make_file(file)

    def _add_names(self, entry: CatalogEntry) -> CatalogEntry:
        """Read again which files the bytes of an entry name: no header says that."""
        if entry.header.kind != "jsonl":
            return entry
        file = self._folder.name_file(entry.id, entry.header.kind, entry.generation)
        finder = NameFinder(entry.header.role)
        with suppress(Unreadable, OSError):
            source = ArchiveSource(entry.header.path, str(file))
            with source.open() as opened:
                while data := opened.read(_CHUNK):
                    finder.read(data)
        return msgspec.structs.replace(entry, names=finder.names)

    def _make_file(self, file: Path) -> tuple[sqlite3.Connection, list[CatalogEntry]]:
        with _wording(self._folder):
            for name in (file.name, f"{file.name}-journal"):
                file.with_name(name).unlink(missing_ok=True)
            file.touch(mode=_PRIVATE)
            connection = sqlite3.connect(file)
            connection.execute("begin")
            connection.execute(f"pragma application_id = {_APPLICATION_ID}")
            connection.execute(_CREATE_WHOLE)
            connection.execute(_CREATE_ENTRY)
            found = [self._add_names(entry) for entry in scan_files(self._folder)]
            self._folder.sync_names({file_of(self._folder, entry).parent for entry in found})
            _insert_rows(connection, found)
            _note_checksum(connection, len(found), _sum_rows(found))
            connection.execute(f"pragma user_version = {_SCHEMA}")
            connection.commit()
            return connection, found


@contextmanager
def hold_lock(folder: ArchiveFolder) -> Iterator[None]:
    """Be the one writer of an archive; the lock ends with the process, however that ends.

    Raises:
        ArchiveBusy: Another process is.
    """
    with _wording(folder):
        if not folder.lock.exists():
            folder.lock.touch(mode=_PRIVATE)
        connection = sqlite3.connect(folder.lock, timeout=0, isolation_level=None)
    with closing(connection):
        try:
            connection.execute("begin exclusive")
        except sqlite3.Error as error:
            if "locked" in str(error):
                raise ArchiveBusy from error
            raise ArchiveTrouble(f"Cannot write the archive {folder.path}: {error}.") from error
        yield


def read_catalog(folder: ArchiveFolder) -> list[CatalogEntry]:
    """List all entries without changing anything, from the files where there is no catalog."""
    found = _try_catalog(folder)
    return list(scan_files(folder)) if found is None else found


def is_catalog_sound(folder: ArchiveFolder) -> bool:
    """Tell whether the catalog is as it was written; one that is not there is made again."""
    return not os.path.exists(folder.catalog) or _try_catalog(folder) is not None  # noqa: PTH110


def _try_catalog(folder: ArchiveFolder) -> list[CatalogEntry] | None:
    if os.path.exists(folder.catalog):  # noqa: PTH110 - what cannot be looked at is not there
        with suppress(sqlite3.DatabaseError):
            address = f"{folder.catalog.absolute().as_uri()}?mode=ro"
            with closing(sqlite3.connect(address, uri=True)) as connection:
                return _read_sound_rows(connection)
    return None


def scan_files(folder: ArchiveFolder) -> Iterator[CatalogEntry]:
    """Read from every file of an archive what it keeps; foreign and damaged ones are left out."""
    for file in folder.list_files():
        with suppress(Unreadable):
            yield read_entry(file)


def read_entry(file: Path) -> CatalogEntry:
    """Read from a file of the archive what it keeps.

    Raises:
        Unreadable: It is no file of the archive, of a newer form, or not ours to read.
    """
    named = read_file_name(file)
    try:
        with open_regular(file) as opened:
            archived = read_frames(opened, str(file))
    except OSError as error:
        raise Unreadable(file, reason_of(error)) from error
    if named is None or named[1] != archived.header.generation:
        raise Unreadable(file, "it is not a file of the archive")
    return describe_entry(named[0], archived)


def describe_entry(entry: str, archived: ArchiveFile) -> CatalogEntry:
    """Describe what a file of the archive keeps."""
    last = archived.frames[-1].note if archived.frames else None
    return CatalogEntry(
        id=entry,
        header=archived.header,
        size=archived.size,
        packed=archived.end,
        frames=len(archived.frames),
        source_size=last.source_size if last else 0,
        source_mtime_ns=last.source_mtime_ns if last else archived.header.mtime_ns,
        names=None if archived.header.kind == "jsonl" else (),
    )


def file_of(folder: ArchiveFolder, entry: CatalogEntry) -> Path:
    """Name the file that an entry is kept in."""
    return folder.name_file(entry.id, entry.header.kind, entry.generation)


def path_of(entry: CatalogEntry) -> str:
    """Name where the client wrote what an entry keeps."""
    return os.path.join(entry.header.folder, *entry.header.path.split("/"))  # noqa: PTH118 - thousands


def keep_newest(entries: Iterable[CatalogEntry]) -> list[CatalogEntry]:
    """Keep the newest generation of each source."""
    newest: dict[str, CatalogEntry] = {}
    for entry in entries:
        if entry.id not in newest or newest[entry.id].generation < entry.generation:
            newest[entry.id] = entry
    return list(newest.values())


def _read_schema(connection: sqlite3.Connection) -> int:
    """Read which form a catalog has; 0 where it is none, or was not finished."""
    is_ours = connection.execute("pragma application_id").fetchone()[0] == _APPLICATION_ID
    found: int = connection.execute("pragma user_version").fetchone()[0] if is_ours else 0
    return found


def _read_sound_rows(connection: sqlite3.Connection) -> list[CatalogEntry]:
    """Read all entries.

    Raises:
        sqlite3.DatabaseError: It is no catalog of this form, or not as it was written.
    """
    if _read_schema(connection) not in (_EVERY_NAME_SCHEMA, _SCHEMA):
        raise sqlite3.DatabaseError("another form")
    connection.execute("begin")
    try:
        noted = connection.execute("select rows, checksum from whole").fetchall()
        found = list(_read_rows(connection))
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError) as error:
        raise sqlite3.DatabaseError("no entry") from error
    finally:
        connection.rollback()
    if noted != [(len(found), _sum_rows(found))]:
        raise sqlite3.DatabaseError("other rows than were written")
    return found


_COLUMNS: Final = CatalogEntry.__struct_fields__


def _read_rows(connection: sqlite3.Connection) -> Iterator[CatalogEntry]:
    names = ", ".join(_COLUMNS)
    for row in connection.execute(f"select {names} from entry order by id, generation"):
        values = dict(zip(_COLUMNS, row, strict=True))
        values["header"] = _decode_header(values["header"])
        if (names := values["names"]) is not None:
            values["names"] = tuple(names.split("\n")) if names else ()
        yield CatalogEntry(**values)


def _sum_rows(entries: Iterable[CatalogEntry]) -> int:
    """Add up a checksum of each entry, in whatever order."""
    return sum(crc32(_encode(entry)) for entry in entries)


def _note_checksum(connection: sqlite3.Connection, rows: int, checksum: int) -> None:
    connection.execute("delete from whole")
    connection.execute("insert into whole values (?, ?)", (rows, checksum))


def _renew_rows(connection: sqlite3.Connection) -> list[CatalogEntry]:
    """Read all entries as `_read_sound_rows`; of the form before they are written in today's."""
    found = _read_sound_rows(connection)
    if _read_schema(connection) == _EVERY_NAME_SCHEMA:
        connection.execute("begin")
        connection.execute("drop table entry")
        connection.execute(_CREATE_ENTRY)
        _insert_rows(connection, found)
        connection.execute(f"pragma user_version = {_SCHEMA}")
        connection.commit()
    return found


def _insert_rows(connection: sqlite3.Connection, entries: Iterable[CatalogEntry]) -> None:
    columns = (*_COLUMNS, "generation")
    places = ", ".join("?" for _ in columns)
    connection.executemany(
        f"insert or replace into entry ({', '.join(columns)}) values ({places})",
        (_make_row(entry) for entry in entries),
    )


def _make_row(entry: CatalogEntry) -> Sequence[object]:
    values = {name: getattr(entry, name) for name in _COLUMNS}
    values["header"] = _encode(entry.header)
    values["names"] = None if entry.names is None else "\n".join(entry.names)
    return (*values.values(), entry.generation)


@contextmanager
def _wording(folder: ArchiveFolder) -> Iterator[None]:
    """Word what the system or the database says when nothing can be written."""
    try:
        yield
    except OSError as error:
        raise ArchiveTrouble(
            f"Cannot write the archive {folder.path}: {reason_of(error)}."
        ) from error
    except sqlite3.Error as error:
        raise ArchiveTrouble(f"Cannot write the archive {folder.path}: {error}.") from error
