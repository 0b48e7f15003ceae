"""Bytes in memory, read as a file without a buffer is."""

import os
from io import BytesIO, RawIOBase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import override
else:

    def override(method: object) -> object:
        """Stand for `typing.override`, which Python 3.11 does not have."""
        return method


class HeldBytes(RawIOBase):
    """Some bytes of a file; the first stands at `start`, and nothing before it can be read."""

    def __init__(self, data: bytes, start: int = 0) -> None:
        """Hold the bytes."""
        self._file = BytesIO(data)
        self._start = start

    @override
    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    @override
    def seekable(self) -> bool:
        """Tell that places can be gone to."""
        return True

    @override
    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        """Go to a place, counted as in the file."""
        if whence == os.SEEK_SET:
            return self._file.seek(offset - self._start) + self._start
        return self._file.seek(offset, whence) + self._start

    @override
    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override] # any buffer is one
        """Read into a buffer."""
        return self._file.readinto(buffer)
