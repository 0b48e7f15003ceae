"""All of bough's own data in one file: a tar, packed with zstd, that `tar --zstd` reads too.

Its last member lists the others with their digests: a file without it is not whole. What was
written is read back before it counts, and read through before anything of it is brought back.
"""

import hashlib
import os
import sys
import tarfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import IO, Final

import msgspec
from msgspec import Struct

from bough.errors import BoughError, Misuse, Unreadable, reason_of
from bough.files.directory import sync_folder
from bough.files.regular_file import open_regular

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_FORM: Final = 1
_CONTENTS: Final = "bough-backup.json"
_PRIVATE_FILE: Final = 0o600
_PRIVATE_FOLDER: Final = 0o700
_CHUNK: Final = 1 << 20
_UNFINISHED: Final = ".part"
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)


class BackupEntry(Struct, frozen=True):
    """A file in a backup, or to be put into one: its name there, and the bytes or their place."""

    name: str
    place: Path | None = None
    data: bytes = b""

    def open(self) -> IO[bytes]:
        """Open the bytes."""
        return BytesIO(self.data) if self.place is None else open_regular(self.place)


class _ListedEntry(Struct, frozen=True):
    name: str
    size: int
    sha256: str


class BackupContents(Struct, frozen=True, kw_only=True):
    """What a backup holds, when it was made, and by which bough."""

    form: int = _FORM
    at: str = ""
    version: str = ""
    files: tuple[_ListedEntry, ...] = ()

    @property
    def bytes(self) -> int:
        """Give how many bytes the files have."""
        return sum(one.size for one in self.files)


class BackupTrouble(BoughError):
    """Say that a backup cannot be written or brought back."""


def write_backup(
    file: Path, members: Iterable[BackupEntry], at: str, version: str
) -> BackupContents:
    """Write a backup in the place of an older one; what is no backup is not written over.

    Raises:
        Misuse: Something else is there.
        BackupTrouble: It cannot be written, or does not read back as it was written.
    """
    _require_own(file)
    left = file.with_name(f"{file.name}{_UNFINISHED}")
    try:
        with os.fdopen(os.open(left, _NEW, _PRIVATE_FILE), "wb") as written:
            contents = _write_members(written, members, at, version)
            written.flush()
            os.fsync(written.fileno())
        if read_backup(left) != contents:
            raise BackupTrouble(f"{file} does not read back as it was written. Is the disk sound?")
        left.replace(file)
        sync_folder(file.parent)
    except OSError as error:
        raise BackupTrouble(f"Cannot write {file}: {reason_of(error)}.") from error
    finally:
        with suppress(OSError):
            left.unlink(missing_ok=True)
    return contents


def read_backup(
    file: Path, take: Callable[[str, Iterator[bytes]], None] | None = None
) -> BackupContents:
    """Read a backup through; `take` is given each file with its bytes, which it must read.

    Raises:
        Unreadable: It cannot be read, is no backup, or is not whole.
    """
    found: list[_ListedEntry] = []
    contents: BackupContents | None = None
    try:
        with _open_packed(file) as tar:
            for member in tar:
                opened = tar.extractfile(member) if member.isreg() else None
                if opened is None or contents is not None or not _is_safe(member.name):
                    raise Unreadable(file, "it is not a backup of bough")
                if member.name == _CONTENTS:
                    contents = _decode_contents(file, opened.read())
                    continue
                digest = hashlib.sha256()
                chunks = _read_chunks(opened, digest.update)
                if take is not None:
                    take(member.name, chunks)
                for _ in chunks:
                    pass
                found.append(_ListedEntry(member.name, member.size, digest.hexdigest()))
    except OSError as error:
        raise Unreadable(file, reason_of(error)) from error
    except (tarfile.TarError, zstd.ZstdError, EOFError) as error:
        raise Unreadable(file, "it is not a backup of bough, or is damaged") from error
    if contents is None or list(contents.files) != found:
        raise Unreadable(file, "it is not whole")
    return contents


def unpack_backup(file: Path, folder: Path) -> BackupContents:
    """Write the files of a backup into a new folder, for nobody else to read.

    Raises:
        Unreadable: The backup is not whole; what was written so far is left.
        BackupTrouble: They cannot be written.
    """

    def take(name: str, chunks: Iterator[bytes]) -> None:
        place = folder.joinpath(*PurePosixPath(name).parts)
        try:
            _make_folder(place.parent)
            with os.fdopen(os.open(place, _NEW | os.O_EXCL, _PRIVATE_FILE), "wb") as written:
                written.writelines(chunks)
                written.flush()
                os.fsync(written.fileno())
        except OSError as error:
            raise BackupTrouble(f"Cannot write {place}: {reason_of(error)}.") from error

    return read_backup(file, take)


def put_in_place(new: Path, place: Path, aside: Path) -> bool:
    """Rename a file or folder to its place, and what is there aside; tell whether there was any.

    Raises:
        BackupTrouble: The system does not let us; what was there is there again.
    """
    try:
        _make_folder(place.parent)
        was_there = os.path.lexists(place)
        if was_there:
            place.replace(aside)
        try:
            new.replace(place)
        except OSError:
            if was_there:
                aside.replace(place)
            raise
        sync_folder(place.parent)
    except OSError as error:
        raise BackupTrouble(f"Cannot write {place}: {reason_of(error)}.") from error
    return was_there


def remove_folder(folder: Path) -> None:
    """Remove what was unpacked and shall not count."""
    for place, folders, names in os.walk(folder, topdown=False):
        for name in names:
            Path(place, name).unlink(missing_ok=True)
        for name in folders:
            Path(place, name).rmdir()
    with suppress(OSError):
        folder.rmdir()


def list_own_files(folder: Path, left_out: Callable[[str], bool]) -> list[BackupEntry]:
    """List the regular files below a folder by their names in it; links are not followed."""
    found = []
    for place, folders, names in os.walk(folder):
        top = Path(place).relative_to(folder)
        folders[:] = sorted(name for name in folders if not left_out((top / name).as_posix()))
        for name in sorted(names):
            path, inside = Path(place, name), (top / name).as_posix()
            if not left_out(inside) and path.is_file() and not path.is_symlink():
                found.append(BackupEntry(inside, path))
    return found


def _write_members(
    file: IO[bytes], members: Iterable[BackupEntry], at: str, version: str
) -> BackupContents:
    listed: list[_ListedEntry] = []
    options: dict[int, int] = {zstd.CompressionParameter.checksum_flag: 1}
    with (
        zstd.ZstdFile(file, "w", options=options) as packed,
        tarfile.open(fileobj=packed, mode="w|", format=tarfile.PAX_FORMAT) as tar,
    ):
        for member in members:
            with member.open() as opened:
                data = opened.read()
            listed.append(_ListedEntry(member.name, len(data), hashlib.sha256(data).hexdigest()))
            _add_member(tar, member.name, data)
        contents = BackupContents(at=at, version=version, files=tuple(listed))
        _add_member(tar, _CONTENTS, msgspec.json.encode(contents))
    return contents


def _add_member(tar: tarfile.TarFile, name: str, data: bytes) -> None:
    info = tarfile.TarInfo(name)
    info.size, info.mode = len(data), _PRIVATE_FILE
    tar.addfile(info, BytesIO(data))


@contextmanager
def _open_packed(file: Path) -> Iterator[tarfile.TarFile]:
    with (
        open_regular(file) as opened,
        zstd.ZstdFile(opened, "r") as packed,
        tarfile.open(fileobj=packed, mode="r|") as tar,
    ):
        yield tar


def _read_chunks(opened: IO[bytes], look: Callable[[bytes], object]) -> Iterator[bytes]:
    while chunk := opened.read(_CHUNK):
        look(chunk)
        yield chunk


def _decode_contents(file: Path, data: bytes) -> BackupContents:
    try:
        contents = msgspec.json.decode(data, type=BackupContents)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Unreadable(file, "it is not a backup of bough") from error
    if contents.form > _FORM:
        raise Unreadable(file, "a newer bough wrote it")
    return contents


def _is_safe(name: str) -> bool:
    """Tell whether a name stays where it is unpacked."""
    parts: Sequence[str] = name.split("/")
    return all(part not in ("", ".", "..") and os.sep not in part for part in parts) and (
        not PurePosixPath(name).is_absolute() and ":" not in name.split("/", 1)[0]
    )


def _require_own(file: Path) -> None:
    """Refuse to write over what is no backup."""
    if not os.path.lexists(file):
        return
    try:
        read_backup(file)
    except Unreadable as error:
        raise Misuse(
            f"{file} exists and is not a backup of bough. Remove it, or name another file."
        ) from error


def _make_folder(folder: Path) -> None:
    if not folder.is_dir():
        _make_folder(folder.parent)
        folder.mkdir(mode=_PRIVATE_FOLDER, exist_ok=True)
