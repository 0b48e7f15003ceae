"""What can go wrong, in one tree.

    BoughError
    ├─ NotFound            1  404   what was asked for is not there
    │  ├─ ClaudeFolderNotFound
    │  ├─ ProjectNotFound
    │  ├─ SessionNotFound
    │  └─ TipNotFound
    ├─ Misuse              2  400   the question itself cannot be answered
    │  ├─ AmbiguousProject
    │  └─ AmbiguousSession
    ├─ Unreadable          1  500   a file is there, and the system does not give it to us
    ├─ AnnotationTrouble   1  500   stars and notes cannot be read or written
    ├─ ScheduleTrouble     1  500   what the system is to run cannot be set up
    ├─ ArchiveTrouble      3  503   the archive cannot be written, or not read
    └─ IndexTrouble        3  503   the index is locked, damaged, or of another version

A message says what happened, why, and what to do now, in whole sentences a face can show
as they are. Bad data is never an error: a damaged line is a value. Faces take the exit
code and the HTTP status from the class; nobody maps them a second time.
"""

import errno
import os
from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import ClassVar

LATEST = "latest"
"""The word for the newest session, wherever one is named: where there is none, no other is near."""
_SHOWN = 4
_SHORT_ID = 8

# The system's own words ("Is a directory") speak of calls, not of what a person did.
_REASONS = {
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.ENOENT: "no such file",
    errno.ENOTDIR: "a part of its path is not a folder",
    errno.EISDIR: "it is a folder",
    errno.ELOOP: "its link leads back to itself",
    errno.ENAMETOOLONG: "the name is too long",
}


class ExitCode(IntEnum):
    """How the command line ends."""

    FINE = 0
    FAILED = 1
    MISUSE = 2
    INDEX = 3
    INTERRUPTED = 130


class BoughError(Exception):
    """Anything bough gives up on, with a message for people."""

    exit_code: ClassVar[ExitCode] = ExitCode.FAILED
    http_status: ClassVar[int] = 500

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class NotFound(BoughError):
    """Say that what was asked for is not there."""

    http_status = 404


class ClaudeFolderNotFound(NotFound):
    """Say that none of these places holds a Claude folder."""

    def __init__(self, places: Iterable[str | os.PathLike[str]]) -> None:
        self.places = tuple(os.fspath(place) for place in places)
        where = " or ".join(with_tilde(place) for place in self.places)
        super().__init__(
            f"No Claude folder at {where}. Name one with --claude-dir, or try bough demo."
        )


class ProjectNotFound(NotFound):
    """Say that no project goes by this path, name or folder name."""

    def __init__(self, wanted: str, nearest: Sequence[str] = ()) -> None:
        self.wanted = wanted
        hint = _nearest(nearest) or "bough projects lists them."
        super().__init__(f"No project is called {wanted}. {hint}")


class SessionNotFound(NotFound):
    """Say that no session begins with this; `nearest` holds ids, each with its title."""

    def __init__(self, wanted: str, nearest: Sequence[str] = ()) -> None:
        self.wanted = wanted
        self.nearest = tuple(nearest)
        if wanted == LATEST:
            super().__init__("There is no session with a conversation here yet.")
            return
        hint = _nearest(nearest) or "bough sessions lists them."
        super().__init__(f"No session begins with {wanted}. {hint}")


class TipNotFound(NotFound):
    """Say that this session has no such message to read a branch to."""

    def __init__(self, wanted: str, session: str) -> None:
        self.wanted = wanted
        self.session = session
        short = session[:_SHORT_ID]
        super().__init__(
            f"No message of session {short} begins with {wanted}. bough tree {short} shows them."
        )


class Misuse(BoughError):
    """Say that the question itself cannot be answered."""

    exit_code = ExitCode.MISUSE
    http_status = 400


class AmbiguousProject(Misuse):
    """Say that several projects go by this name; `matches` holds their folder names."""

    def __init__(self, wanted: str, matches: Sequence[str]) -> None:
        self.wanted = wanted
        self.matches = tuple(matches)
        listed = _join_names(self.matches)
        super().__init__(
            f'"{wanted}" fits {len(matches)} projects: {listed}. Give the path or the folder name.'
        )


class AmbiguousSession(Misuse):
    """Say that several sessions begin with this; `matches` holds their ids.

    `titles` are those of the first of them, for faces that show them.
    """

    def __init__(self, wanted: str, matches: Sequence[str], titles: Sequence[str] = ()) -> None:
        self.wanted = wanted
        self.matches = tuple(matches)
        self.titles = tuple(titles)
        # One session copied to two folders: no number of characters tells the two apart.
        copies = len(set(self.matches)) < len(self.matches)
        advice = "Give the file's path." if copies else "Give more characters."
        listed = _join_names(_shorten_ids(self.matches))
        super().__init__(f'"{wanted}" fits {len(matches)} sessions: {listed}. {advice}')


class Unreadable(BoughError):
    """Say that a file or folder cannot be read, and why."""

    def __init__(self, path: str | os.PathLike[str], reason: str) -> None:
        self.path = os.fspath(path)
        self.reason = reason
        self.is_gone = reason == _REASONS[errno.ENOENT]
        super().__init__(f"Cannot read {with_tilde(self.path)}: {reason}.")


class AnnotationTrouble(BoughError):
    """Say that stars and notes cannot be read or written."""


class ArchiveTrouble(BoughError):
    """Say that the archive cannot be written, or not read."""

    exit_code = ExitCode.INDEX
    http_status = 503


class ScheduleTrouble(BoughError):
    """Say that what the system is to run cannot be set up, or not taken away."""


class IndexTrouble(BoughError):
    """Say that the index cannot be used."""

    exit_code = ExitCode.INDEX
    http_status = 503


def reason_of(error: OSError) -> str:
    """Word what the system says about a file, for the end of a sentence."""
    if error.errno in _REASONS:
        return _REASONS[error.errno]
    text = error.strerror or "the system gives no reason"
    return text[:1].lower() + text[1:]


def with_tilde(path: str) -> str:
    """Shorten a path below the home folder as people write it."""
    home = os.path.expanduser("~")  # noqa: PTH111 - Path.home() raises where there is none
    if home not in ("~", os.sep) and path.startswith(home + os.sep):
        return "~" + path[len(home) :]
    return path


def _nearest(names: Sequence[str]) -> str:
    return f"Nearest: {_join_names(names)}." if names else ""


def _join_names(names: Sequence[str]) -> str:
    more = len(names) - _SHOWN
    # A folder's name may have line breaks in it, and an error is a sentence.
    shown = (" ".join(name.split()) for name in names[:_SHOWN])
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def _shorten_ids(ids: Sequence[str]) -> list[str]:
    """Cut ids to the length at which they differ, and no shorter than people know them."""
    longest = max(map(len, ids), default=0)
    for length in range(_SHORT_ID, longest):
        if len({one[:length] for one in ids}) == len(set(ids)):
            return [one[:length] for one in ids]
    return list(ids)
