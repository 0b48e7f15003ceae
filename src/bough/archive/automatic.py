"""Archiving without being asked each time: whether it is wanted, where, and what is remembered.

Nothing is archived by itself until a person answered, in the settings or in an app. What is
remembered lies in a small file of its own: archives that were made, so that one that is gone is
not begun anew in silence, and whether the command line has said its one sentence.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from bough.archive.archive_folder import ArchiveFolder
from bough.config import archive_path, data_dir
from bough.errors import ArchiveTrouble
from bough.files.state_file import load_state, save_state


class ArchiveMemory(msgspec.Struct):
    """What is remembered: `made` are archives that were there, `asked` that a sentence was said."""

    made: list[str] = []
    asked: bool = False


def find_automatic_folder(claude_dirs: Sequence[Path]) -> ArchiveFolder:
    """Find the archive that is written without being asked.

    Raises:
        ArchiveTrouble: It was there, and is not any more: its disk may not be.
        Misuse: It would lie inside a Claude folder.
    """
    folder = ArchiveFolder(archive_path(claude_dirs))
    if not folder.exists() and str(folder.path) in load_memory().made:
        raise ArchiveTrouble(
            f"The archive {folder.path} is not there any more, so nothing is kept. Bring it back, "
            "or let bough archive begin a new one."
        )
    return folder


def remember_archive(folder: ArchiveFolder) -> None:
    """Remember that there is an archive at a place."""
    kept = load_memory()
    if folder.exists() and str(folder.path) not in kept.made:
        kept.made.append(str(folder.path))
        save_state(_memory_path(), kept)


def remember_asked() -> None:
    """Remember that the command line has said its sentence."""
    kept = load_memory()
    kept.asked = True
    save_state(_memory_path(), kept)


def load_memory() -> ArchiveMemory:
    """Read what is remembered."""
    return load_state(_memory_path(), ArchiveMemory)


def _memory_path() -> Path:
    return data_dir() / "archive.json"
