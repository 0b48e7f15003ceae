"""One writer at a time, also across processes.

The lock is a transaction in a small database of its own: it ends with the process that
holds it, however that ends, on every system.
"""

import sqlite3
from pathlib import Path

from bough.errors import IndexTrouble


class IndexReadOnly(IndexTrouble):
    """Say that the index is on a disk, or in a file, that cannot be written."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"The index {path} is read-only, so what is new since it was written is not in it. "
            "Name another place with --index."
        )


class IndexBusy(IndexTrouble):
    """Say that another bough is writing the index."""

    def __init__(self, who: str) -> None:
        super().__init__(
            f"The index is being built by another bough{who}. Try again when it is done."
        )


def lock_path(index: Path) -> Path:
    """Name the file whose lock the writer of an index holds; it stays beside the index."""
    return index.with_name(index.name + "-writer")


class WriterLock:
    """Holds the right to write an index until it is released."""

    def __init__(self, index: Path) -> None:
        self._path = lock_path(index)
        self._connection: sqlite3.Connection | None = None

    def acquire(self) -> bool:
        """Try to become the writer; tell whether it worked."""
        if not self._path.exists():
            self._path.touch(mode=0o600)
        connection = sqlite3.connect(self._path, timeout=0, isolation_level=None)
        try:
            connection.execute("begin exclusive")
        except sqlite3.OperationalError as error:
            connection.close()
            if "locked" in str(error):
                return False
            raise
        self._connection = connection
        return True

    def release(self) -> None:
        """Let others write."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
