"""The folder of the archive: what its files are called, and every way in which they change.

    v1/<aa>/<id>.jsonl.zst       lines; the next generation of the same source is <id>.2.jsonl.zst
    v1/<aa>/<id>.zst             any other file
    forgotten/<digest>.json      a session that a person wants no copy of
    catalog.sqlite               what the files say of themselves, for quick answers

A new file is written under another name, read by nobody, and renamed when it is whole. After
that it only grows at its end, until it is sealed: that is a new file again.
"""

import hashlib
import os
import re
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from bough.archive.storage.frames import ArchiveHeader
from bough.config import data_dir
from bough.errors import ArchiveTrouble, reason_of
from bough.files.directory import sync_folder

_PRIVATE_FILE: Final = 0o600
_PRIVATE_FOLDER: Final = 0o700
_UNFINISHED: Final = ".part"
_FILE_NAME: Final = re.compile(r"([0-9a-f]{32})(?:\.([1-9][0-9]*))?(?:\.jsonl)?\.zst")
_BINARY: Final = getattr(os, "O_BINARY", 0)


class ForgottenSession(Struct, frozen=True):
    """A session of which no copy is wanted, and since when."""

    session: str
    at: str


class NewFile(Struct, frozen=True):
    """A whole file under a name that nobody reads; its bytes may not be on the disk yet."""

    opened: FileIO
    path: Path


class ArchiveFolder(Struct, frozen=True):
    """A folder that is, or will be, an archive."""

    path: Path

    @property
    def catalog(self) -> Path:
        """Name the catalog."""
        return self.path / "catalog.sqlite"

    @property
    def lock(self) -> Path:
        """Name the file whose lock the writer holds."""
        return self.path / "writer"

    def exists(self) -> bool:
        """Tell whether anything was ever archived here."""
        try:
            return (self.path / "v1").is_dir()
        except OSError as error:
            raise _read_trouble(self.path, error) from error

    def name_entry(self, header: ArchiveHeader) -> str:
        """Give the id of a source: the same for all of its generations."""
        words = f"{header.machine}\0{header.folder}\0{header.path}"
        return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:32]

    def name_file(self, entry: str, kind: str, generation: int) -> Path:
        """Name the file of one generation of a source."""
        number = f".{generation}" if generation > 1 else ""
        ending = ".jsonl.zst" if kind == "jsonl" else ".zst"
        # Fast path: each part of a path that is put together alone costs as much as the whole.
        return Path(f"{self.path}/v1/{entry[:2]}/{entry}{number}{ending}")

    def list_files(self) -> Iterator[Path]:
        """List the files whose names are those of archived ones; other files are not ours."""
        try:
            folders = sorted((self.path / "v1").iterdir())
        except FileNotFoundError:
            return
        except OSError as error:
            raise _read_trouble(self.path, error) from error
        for folder in folders:
            try:
                names = sorted(os.listdir(folder)) if folder.is_dir() else []  # noqa: PTH208
            except OSError as error:
                raise _read_trouble(self.path, error) from error
            yield from (folder / name for name in names if _FILE_NAME.fullmatch(name))

    # -- writing ----------------------------------------------------------------------------

    def prepare(self) -> None:
        """Make the folder, for nobody else to read."""
        with self.writing():
            if not (self.path / "v1").is_dir():
                _make_folder(self.path / "v1")
                sync_folder(self.path)
            if os.name == "posix":
                self.path.chmod(_PRIVATE_FOLDER)

    def remove_unfinished(self) -> None:
        """Remove what a writer that was stopped left; only the holder of the lock may."""
        with self.writing():
            for left in (self.path / "v1").glob(f"*/*{_UNFINISHED}"):
                if _FILE_NAME.fullmatch(left.name.removesuffix(_UNFINISHED)):
                    left.unlink()

    def write_file(self, file: Path, pieces: Iterable[bytes]) -> Path:
        """Write a whole file under a name that nobody reads; `finish_file` lets it count."""
        left = self.write_unsynced(file, pieces)
        try:
            self.sync_file(left)
        except BaseException:
            self.discard_unsynced(left)
            raise
        return left.path

    def write_unsynced(self, file: Path, pieces: Iterable[bytes]) -> NewFile:
        """Write a whole file as `write_file` does, and let `sync_file` wait for the disk."""
        with self.writing():
            path = Path(f"{file}{_UNFINISHED}")
            try:
                number = _open_new(path)
            except FileNotFoundError:
                _make_folder(file.parent)
                number = _open_new(path)
            left = NewFile(FileIO(number, "wb"), path)
            try:
                _write_pieces(left.opened, pieces)
            except BaseException:
                self.discard_unsynced(left)
                raise
            return left

    def sync_file(self, left: NewFile) -> None:
        """Have the bytes of a file on the disk; one that was open before would not be renamed."""
        with self.writing(), left.opened:
            os.fsync(left.opened.fileno())

    def discard_unsynced(self, left: NewFile) -> None:
        """Remove a file that shall not count, as far as it is there."""
        with suppress(OSError):
            left.opened.close()
        with suppress(OSError):
            left.path.unlink()

    def finish_file(self, left: Path) -> None:
        """Let a file count that was written whole, in the place of the one before."""
        self.rename_file(left)
        self.sync_names([left.parent])

    def rename_file(self, left: Path) -> None:
        """Let a file count, as `finish_file` does; its name is on the disk only once synced."""
        with self.writing():
            os.replace(left, str(left).removesuffix(_UNFINISHED))  # noqa: PTH105 - thousands

    def sync_names(self, folders: Iterable[Path]) -> None:
        """Have the names of the files in some folders on the disk, and those of the folders."""
        named = dict.fromkeys(folders)
        named |= {folder.parent: None for folder in named if folder != self.path}
        with self.writing():
            for folder in named:
                sync_folder(folder)

    def sync_bytes(self, file: Path) -> None:
        """Have the bytes of a file on the disk whose writer ended before it waited for that."""
        with self.writing(), FileIO(os.open(file, os.O_RDWR | _BINARY), "r+b") as written:
            os.fsync(written.fileno())

    def discard_file(self, left: Path) -> None:
        """Remove a file that was written and shall not count."""
        with self.writing():
            left.unlink(missing_ok=True)

    def append(self, file: Path, end: int, pieces: Iterable[bytes]) -> None:
        """Write at the end of a file; what stands there unfinished behind `end` is cut off."""
        with (
            self.writing(),
            FileIO(os.open(file, os.O_RDWR | _BINARY), "r+b") as written,
        ):
            written.truncate(end)
            written.seek(end)
            try:
                _write_pieces(written, pieces)
                os.fsync(written.fileno())
            except BaseException:
                with suppress(OSError):
                    written.truncate(end)
                raise

    def remove_entries(self, entries: Iterable[str]) -> None:
        """Remove every generation of some sources for good, also what no catalog knows yet."""
        removed_from: dict[Path, None] = {}
        with self.writing():
            for entry in entries:
                for file in (self.path / "v1" / entry[:2]).glob(f"{entry}*"):
                    file.unlink(missing_ok=True)
                    removed_from[file.parent] = None
            # A catalog that is made again lists whatever is there after a crash.
            for folder in removed_from:
                sync_folder(folder)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Word what the system says when it lets nobody write here."""
        try:
            yield
        except OSError as error:
            raise _trouble(self.path, error) from error

    # -- what is not wanted -----------------------------------------------------------------

    def forget(self, stone: ForgottenSession) -> None:
        """Remember that no copy of a session is wanted."""
        name = hashlib.sha256(stone.session.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        file = self.path / "forgotten" / f"{name}.json"
        self.finish_file(self.write_file(file, [msgspec.json.encode(stone)]))

    def list_forgotten(self) -> frozenset[str]:
        """List the sessions of which no copy is wanted."""
        found = set()
        for file in (self.path / "forgotten").glob("*.json"):
            with suppress(OSError, msgspec.MsgspecError):
                found.add(msgspec.json.decode(file.read_bytes(), type=ForgottenSession).session)
        return frozenset(found)


def read_file_name(file: Path) -> tuple[str, int] | None:
    """Read the id and the generation in the name of an archived file; None for other names."""
    found = _FILE_NAME.fullmatch(file.name)
    return (found[1], int(found[2] or 1)) if found else None


def machine_id(*, make: bool = False) -> str:
    """Give what this machine is called in an archive; empty where it has no name yet."""
    file = data_dir() / "machine-id"
    try:
        return file.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        if not make:
            return ""
    try:
        _make_folder(file.parent)
        name = uuid.uuid4().hex
        with suppress(FileExistsError):  # another bough was faster: its name counts
            number = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, _PRIVATE_FILE)
            with FileIO(number, "wb") as written:
                written.write(f"{name}\n".encode())
        return file.read_text("ascii").strip()
    except OSError as error:
        raise _trouble(file.parent, error) from error


def _make_folder(folder: Path) -> None:
    """Make a folder, and those above it that are missing; their names are on the disk then."""
    try:
        folder.mkdir(mode=_PRIVATE_FOLDER, exist_ok=True)
    except FileNotFoundError:
        # `parents` would give those in between the usual mode.
        _make_folder(folder.parent)
        sync_folder(folder.parent.parent)
        folder.mkdir(mode=_PRIVATE_FOLDER, exist_ok=True)


def _open_new(path: Path) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _BINARY, _PRIVATE_FILE)


def _write_pieces(file: FileIO, pieces: Iterable[bytes]) -> None:
    """Write all of it: one call may take less."""
    for piece in pieces:
        with memoryview(piece) as view:
            done = 0
            while done < len(view):
                done += file.write(view[done:])


def _trouble(folder: Path, error: OSError) -> ArchiveTrouble:
    return ArchiveTrouble(f"Cannot write the archive {folder}: {reason_of(error)}.")


def _read_trouble(folder: Path, error: OSError) -> ArchiveTrouble:
    return ArchiveTrouble(f"Cannot read the archive {folder}: {reason_of(error)}.")
