"""Writing documents to files: whole or not at all, over nothing, and never beside Claude's own.

A document is written under another name first and then put in its place, so that whoever
looks finds the old file, none, or the whole new one. The client keeps its transcripts from
other users of the machine, and so do documents made of them: files are 0600 and folders 0700.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from bough.config import claude_folder_around
from bough.errors import BoughError, Misuse, reason_of

_PRIVATE_FILE: Final = 0o600
_PRIVATE_FOLDER: Final = 0o700


def check_file(path: Path, claude: Sequence[Path] = (), *, force: bool = False) -> None:
    """Refuse a place where nothing may be written.

    Raises:
        Misuse: It is a folder, inside a Claude folder, or a file that is there already.
    """
    if folder := claude_folder_around(path, claude):
        raise Misuse(
            f"{path} would lie inside the Claude folder {folder}, where bough never writes. "
            "Name another place with --output."
        )
    if path.is_dir():
        raise Misuse(f"{path} is a folder. Name a file with --output.")
    if path.exists() and not force:
        raise Misuse(
            f"{path} exists already. Give another name with --output, or --force to write over it."
        )


def check_folder(path: Path, claude: Sequence[Path] = (), *, force: bool = False) -> None:
    """Refuse a folder that nothing may be written into.

    Raises:
        Misuse: It is a file, inside a Claude folder, or has something in it already.
    """
    if folder := claude_folder_around(path, claude):
        raise Misuse(
            f"{path} would lie inside the Claude folder {folder}, where bough never writes. "
            "Name another folder with --output."
        )
    if path.exists() and not path.is_dir():
        raise Misuse(f"{path} is a file. Name a folder with --output.")
    if path.is_dir() and not force and any(path.iterdir()):
        raise Misuse(
            f"{path} is not empty. Name another folder with --output, or give --force to write "
            "into it."
        )


def save_file(path: Path, data: bytes) -> None:
    """Write a file in one step, for its owner alone; its folder has to be there."""
    part = path.with_name(f".{path.name[:100]}.{os.getpid()}.part")
    try:
        try:
            part.unlink(missing_ok=True)  # one that was left behind would keep its own mode
            with open(part, "xb", opener=_open_private) as file:
                file.write(data)
            part.replace(path)
        except BaseException:
            with suppress(OSError):
                part.unlink()
            raise
    except OSError as error:
        reason = reason_of(error)
        if isinstance(error, FileNotFoundError) and not path.parent.is_dir():
            reason = f"there is no folder {path.parent}"
        raise BoughError(f"Cannot write {path}: {reason}. Nothing was written.") from error


def make_folder(path: Path) -> None:
    """Make a folder, with those above it; those that are made are their owner's alone."""
    try:
        for folder in (*reversed(path.parents), path):
            if not folder.is_dir():
                folder.mkdir(mode=_PRIVATE_FOLDER, exist_ok=True)
    except OSError as error:
        raise BoughError(f"Cannot make the folder {path}: {reason_of(error)}.") from error


def _open_private(path: str, flags: int) -> int:
    # Windows has no such modes and leaves who may read to the folder.
    return os.open(path, flags, _PRIVATE_FILE)
