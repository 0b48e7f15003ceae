"""Which file or folder a path leads to, whatever it is called."""

import os

Identity = tuple[int, int]
NOTHING: Identity = (-1, -1)
"""What a path leads to where there is nothing."""


def identity_of(path: str | os.PathLike[str]) -> Identity:
    """Tell files and folders apart by what the system counts them by."""
    try:
        return identity_in(os.stat(path))  # noqa: PTH116 - a Path costs more than the call
    except (OSError, ValueError):
        return NOTHING


def identity_in(status: os.stat_result) -> Identity:
    """Take the identity from what the system said of a file."""
    return status.st_dev, status.st_ino
