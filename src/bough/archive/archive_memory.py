"""What is remembered of the archive between runs, in a small file of its own.

Archives that were made, so that one that is gone is not begun anew in silence; whether the command
line has said its one sentence; and what an hourly run was installed with.
"""

from pathlib import Path

import msgspec

from bough.config import data_dir
from bough.files.state_file import load_state, save_state


class ArchiveMemory(msgspec.Struct):
    """Places of archives, whether the sentence was said, and digests of installed files."""

    made: list[str] = []
    asked: bool = False
    installed: dict[str, str] = {}


def load_memory() -> ArchiveMemory:
    """Read what is remembered."""
    return load_state(_memory_path(), ArchiveMemory)


def save_memory(memory: ArchiveMemory) -> None:
    """Keep it for the next run, where it can be kept."""
    save_state(_memory_path(), memory)


def is_archive_asked() -> bool:
    """Tell whether the command line has said its sentence."""
    return load_memory().asked


def _memory_path() -> Path:
    return data_dir() / "archive.json"
