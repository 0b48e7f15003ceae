"""Where the words of a session are: in its file, in the archive, or nowhere any more.

The client deletes files. What the archive keeps of one is read as before; of others only the
index knows that they were there.
"""

from enum import StrEnum
from typing import Final


class KeptPlace(StrEnum):
    """What there is of a session; every list says so with the same words."""

    FILE = "file"
    ARCHIVE = "archive"
    INDEX = "index"

    @property
    def label(self) -> str:
        """Name it in a list; nothing where the file is there."""
        return _LABELS[self]

    @property
    def words(self) -> str:
        """Say what became of the file; nothing where it is there."""
        return _WORDS[self]


def place_of_gone(deleted_at: str | None) -> KeptPlace:
    """Tell what there is of a session whose file is gone: without that time it is archived."""
    return KeptPlace.ARCHIVE if deleted_at is None else KeptPlace.INDEX


_LABELS: Final = {
    KeptPlace.FILE: "",
    KeptPlace.ARCHIVE: "archived",
    KeptPlace.INDEX: "index only",
}
_WORDS: Final = {
    KeptPlace.FILE: "",
    KeptPlace.ARCHIVE: "kept in the archive; its file was deleted by the client",
    KeptPlace.INDEX: "known to the index only; its file was deleted by the client",
}
