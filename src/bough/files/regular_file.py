"""Opening a file that may be anything: the one place where bough opens what is not its own.

Below a Claude folder a name may belong to a pipe, a device or a socket. Opening a pipe waits for
somebody to write into it, and reading a device may never end. So a file is opened without
waiting, and refused unless it is a regular one. Some regular files of the system, such as the
kernel's log, make a reader wait as well; without waiting they just end.
"""

import errno
import os
import stat
from io import FileIO
from os import PathLike

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


class NotRegularFileError(OSError):
    """Say that something is there, but no file that can be read from its start to its end."""

    def __init__(self) -> None:
        super().__init__(errno.EINVAL, "it is not a regular file")


def open_regular(path: str | PathLike[str]) -> FileIO:
    """Open a regular file for reading, without a buffer.

    Raises:
        OSError: It cannot be opened, or is something else; `NotRegularFileError` then.
        ValueError: No file can have this name.
    """
    number = os.open(path, _FLAGS)
    try:
        _require_regular(os.fstat(number).st_mode)
        return FileIO(number, "rb")
    except BaseException:
        os.close(number)
        raise


def read_regular(path: str | PathLike[str], offset: int, length: int) -> bytes:
    """Read a short stretch of a regular file; less where it ends before. It raises as above.

    Fast path: `bough status` where all files are recent, a quarter less than through a FileIO.
    """
    number = os.open(path, _FLAGS)
    try:
        _require_regular(os.fstat(number).st_mode)
        os.lseek(number, offset, os.SEEK_SET)
        return os.read(number, length)
    finally:
        os.close(number)


def _require_regular(mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(mode):
        raise NotRegularFileError
