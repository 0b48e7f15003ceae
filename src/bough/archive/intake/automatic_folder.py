"""The archive that is written without being asked each time: where it is, if it is there."""

from collections.abc import Sequence
from pathlib import Path

from bough.archive.intake.archive_memory import load_memory, save_memory
from bough.archive.storage.archive_folder import ArchiveFolder
from bough.config import archive_path
from bough.errors import ArchiveTrouble


def find_automatic_folder(claude_dirs: Sequence[Path]) -> ArchiveFolder:
    """Find the archive that is written without being asked.

    Raises:
        ArchiveTrouble: It was there, and is not any more: its disk may not be.
        Misuse: It would lie inside a Claude folder.
    """
    folder = ArchiveFolder(archive_path(claude_dirs))
    check_archive(folder)
    return folder


def check_archive(folder: ArchiveFolder) -> None:
    """Refuse an archive that was there and is not any more.

    Raises:
        ArchiveTrouble: It is not there; its disk may not be.
    """
    if is_archive_missing(folder):
        raise ArchiveTrouble(
            f"The archive {folder.path} is not there any more, so nothing is kept. Bring it back, "
            "or let bough archive begin a new one."
        )


def is_archive_missing(folder: ArchiveFolder) -> bool:
    """Tell whether an archive was there and is not any more."""
    return not folder.exists() and str(folder.path) in load_memory().made


def remember_archive(folder: ArchiveFolder) -> None:
    """Remember that there is an archive at a place."""
    kept = load_memory()
    if folder.exists() and str(folder.path) not in kept.made:
        kept.made.append(str(folder.path))
        save_memory(kept)
