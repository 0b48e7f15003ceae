"""What SQLite says when it fails, told apart: it has one class of errors for nearly all of it.

Each file of ours words a fault for its own readers; which fault it is, is found here.
"""

from enum import StrEnum
from typing import Final


class SqliteFault(StrEnum):
    """What is wrong with a database."""

    BUSY = "busy"
    FULL = "full"
    READ_ONLY = "read-only"
    NOT_OPENED = "not opened"
    DAMAGED = "damaged"
    OTHER = "other"


_SAID: Final = {
    SqliteFault.BUSY: ("locked", "busy"),
    SqliteFault.FULL: ("disk is full",),
    SqliteFault.READ_ONLY: ("readonly", "read-only"),
    SqliteFault.NOT_OPENED: ("unable to open",),
    SqliteFault.DAMAGED: ("malformed", "not a database", "corrupt"),
}


def find_fault(error: Exception) -> SqliteFault:
    """Tell from its words what an error of SQLite is."""
    said = str(error).lower()
    return next(
        (fault for fault, words in _SAID.items() if any(word in said for word in words)),
        SqliteFault.OTHER,
    )
