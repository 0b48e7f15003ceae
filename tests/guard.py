"""Who writes where: an audit hook that stops writes below guarded folders.

Python reports every open, rename and removal to audit hooks, whoever asks for it. Ours
fails the test, with a BaseException that nobody swallows. A hook cannot be removed again,
so there is one for the whole run, and it looks at `_GUARDED`. It does not see other
processes, nor SQLite's own writes: `fingerprint` finds those afterwards.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import pytest

Fingerprint: TypeAlias = dict[str, tuple[int, int, int, int]]

_WRITING_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_TRUNC

# Which of an event's arguments are paths that would change.
_CHANGES = {
    "os.chflags": (0,),
    "os.chmod": (0,),
    "os.chown": (0,),
    "os.link": (0, 1),
    "os.mkdir": (0,),
    "os.remove": (0,),
    "os.removexattr": (0,),
    "os.rename": (0, 1),
    "os.rmdir": (0,),
    "os.setxattr": (0,),
    "os.symlink": (1,),
    "os.truncate": (0,),
    "os.utime": (0,),
    "shutil.rmtree": (0,),
    "sqlite3.connect": (0,),
}

_GUARDED: dict[str, list[str]] = {}


@contextmanager
def guarded(folder: Path) -> Iterator[list[str]]:
    """Stop every write below `folder`; the list says what was tried."""
    key = os.path.realpath(folder)
    outer = _GUARDED.get(key)
    tried: list[str] = []
    _GUARDED[key] = tried
    try:
        yield tried
    finally:
        _GUARDED.pop(key, None)
        if outer is not None:
            _GUARDED[key] = outer


@contextmanager
def unguarded(folder: Path) -> Iterator[None]:
    """Allow writes below `folder` for a while."""
    key = os.path.realpath(folder)
    tried = _GUARDED.pop(key, None)
    try:
        yield
    finally:
        if tried is not None:
            _GUARDED[key] = tried


def fingerprint(folder: Path) -> Fingerprint:
    """Describe everything below a folder, so that any change shows."""
    found: Fingerprint = {}
    for parent, folders, files in os.walk(folder):
        for name in ("", *folders, *files):
            path = Path(parent, name)
            status = path.lstat()
            found[str(path)] = (status.st_mode, status.st_size, status.st_mtime_ns, status.st_ino)
    return found


def install() -> None:
    """Start watching; once per process, because an audit hook stays for ever."""
    sys.addaudithook(_watch)


def _watch(event: str, args: tuple[object, ...]) -> None:
    if event in ("socket.connect", "socket.sendto"):
        _refuse_network(event, args[1])
    elif event == "socket.getaddrinfo":
        _refuse_network(event, args)
    elif not _GUARDED:
        return
    elif event == "open":
        if _opens_for_writing(args):
            _refuse_below(event, args[0])
    else:
        for place in _CHANGES.get(event, ()):
            _refuse_below(event, args[place])


def _opens_for_writing(args: tuple[object, ...]) -> bool:
    _, mode, flags = args
    if isinstance(mode, str) and set("wax+") & set(mode):
        return True
    return isinstance(flags, int) and bool(flags & _WRITING_FLAGS)


def _refuse_below(event: str, path: object) -> None:
    if not isinstance(path, (str, bytes, os.PathLike)):
        return  # a descriptor: opening it was reported already
    place = os.path.realpath(os.fsdecode(path))
    for folder, tried in _GUARDED.items():
        if place == folder or place.startswith(folder + os.sep):
            tried.append(f"{event} {place}")
            pytest.fail(f"{event} of {place}: nobody writes below {folder}")


def _refuse_network(event: str, address: object) -> None:
    host = address[0] if isinstance(address, tuple) and address else None
    if host in (None, "", "127.0.0.1", "::1", "localhost") or isinstance(address, (str, bytes)):
        return
    pytest.fail(f"{event} to {host!r}: tests have no network")
