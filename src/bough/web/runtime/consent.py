"""What the web app remembers between runs: that a person agreed to be shown their transcripts.

A file of its own beside what bough keeps. Where it cannot be written the question is asked again.
"""

from pathlib import Path

import msgspec

from bough.config import data_dir
from bough.files.state_file import recall, remember


class Kept(msgspec.Struct):
    """What is kept: the indexes whose histories may be read."""

    ready: list[str] = []


def is_ready(index: Path) -> bool:
    """Tell whether a history may be read: a person said so, or it was read before."""
    if str(index) in _load().ready:
        return True
    try:
        return index.stat().st_size > 0
    except OSError:
        return False


def make_ready(index: Path) -> None:
    """Remember that a history may be read."""
    kept = _load()
    if str(index) in kept.ready:
        return
    kept.ready.append(str(index))
    remember(_path(), kept)


def _path() -> Path:
    return data_dir() / "web.json"


def _load() -> Kept:
    return recall(_path(), Kept)
