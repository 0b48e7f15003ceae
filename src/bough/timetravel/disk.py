"""Every system call that changes a file, one method each.

Whoever writes goes through here, so a test can let any single call fail, or the process die
there, and look at what is left. Nothing here decides anything.
"""

import os
from collections.abc import Callable
from pathlib import Path

from bough.files.directory import sync_folder

_BINARY = getattr(os, "O_BINARY", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY | _NO_LINK
_END = os.O_WRONLY | os.O_APPEND | _BINARY | _NO_LINK


DiskObserver = Callable[[str, str], object]
"""Told of each call and its file before it happens; what it raises happens instead."""


class Disk:
    """The disk, and who watches it."""

    def __init__(self, watch: DiskObserver | None = None) -> None:
        self._watch = watch

    def _announce_call(self, call: str, path: str) -> None:
        if self._watch is not None:
            self._watch(call, path)

    def create(self, path: str, mode: int) -> int:
        """Open a new file for writing; FileExistsError where there is one."""
        self._announce_call("create", path)
        return os.open(path, _NEW, mode)

    def open_for_append(self, path: str) -> int:
        """Open a file that is there for appending."""
        self._announce_call("open", path)
        return os.open(path, _END)

    def open_or_create(self, path: str) -> int:
        """Open one of our own files for appending."""
        self._announce_call("open", path)
        return os.open(path, _END | os.O_CREAT, 0o600)

    def write(self, descriptor: int, data: bytes, path: str) -> int:
        """Write once; tell how much was taken. Who fails names the file, as other calls do."""
        self._announce_call("write", path)
        try:
            return os.write(descriptor, data)
        except OSError as error:
            raise OSError(error.errno, error.strerror, path) from error

    def sync(self, descriptor: int, path: str) -> None:
        """Wait until a file's content is on the disk."""
        self._announce_call("sync", path)
        os.fsync(descriptor)

    def truncate(self, path: str, size: int) -> None:
        """Take the end off a file."""
        self._announce_call("cut", path)
        os.truncate(path, size)

    def link(self, path: str, target: str) -> None:
        """Give a file a second name; FileExistsError where that is taken."""
        self._announce_call("link", target)
        os.link(path, target)

    def move(self, path: str, target: str) -> None:
        """Give a file or folder another name."""
        self._announce_call("move", target)
        os.rename(path, target)  # noqa: PTH104 - replace() is another thing on Windows

    def replace(self, path: str, target: str) -> None:
        """Put a file in the place of another, at once."""
        self._announce_call("replace", target)
        Path(path).replace(target)

    def remove(self, path: str) -> None:
        """Remove a file."""
        self._announce_call("remove", path)
        Path(path).unlink()

    def make_folder(self, path: str) -> None:
        """Make a folder that only its owner can enter."""
        self._announce_call("mkdir", path)
        Path(path).mkdir(mode=0o700)

    def remove_folder(self, path: str) -> None:
        """Remove an empty folder."""
        self._announce_call("rmdir", path)
        Path(path).rmdir()

    def set_mode(self, path: str, mode: int) -> None:
        """Set who may read and write a file."""
        self._announce_call("chmod", path)
        Path(path).chmod(mode)

    def set_time(self, path: str, mtime_ns: int) -> None:
        """Set when a file was last changed; its time of access becomes the same."""
        self._announce_call("utime", path)
        os.utime(path, ns=(mtime_ns, mtime_ns))

    def sync_folder(self, path: str) -> None:
        """Wait until the names in a folder are on the disk, where a system can do that."""
        self._announce_call("sync-folder", path)
        sync_folder(path)
