"""The question whether sessions are archived by themselves, in the words of every face.

It is asked in place and waits for nobody: until it is answered nothing is archived by itself. Of
folders that were named for once nobody is asked; the answer would hold for one's own.
"""

from typing import Final

from msgspec import Struct

from bough.archive.intake.archive_memory import load_memory, save_memory
from bough.archive.reports.retention import read_retention
from bough.config import claude_dirs, load_settings
from bough.errors import BoughError, ClaudeFolderNotFound
from bough.files.discover import discover_projects, find_claude_folders
from bough.library.parameters import ClaudeDir, as_dirs
from bough.library.settings_functions import change_setting
from bough.model.text.formats import format_plural, format_size

_RATIO: Final = 7
"""So many bytes of sessions are one of the archive, about."""


class ArchiveConsent(Struct, frozen=True, kw_only=True):
    """The question, its two answers, and the sentence of the command line, which asks nothing.

    `days` is how long the client keeps sessions, `bytes` about how large their copies would be.
    """

    days: int
    bytes: int
    question: str
    keep: str
    decline: str
    sentence: str


def find_archive_consent(claude_dir: ClaudeDir = None) -> ArchiveConsent | None:
    """Word the question; None where it is answered, and where nobody is to be asked.

    Args:
        claude_dir: Folders that were named for once, of which nobody is asked.
    """
    if as_dirs(claude_dir) or load_settings().archive is not None:
        return None
    try:
        folders = find_claude_folders(claude_dirs())
    except ClaudeFolderNotFound:
        return None
    size = sum(
        session.size + sum(agent.size for agent in session.agents)
        for folder in folders
        for project in discover_projects(folder)
        for session in project.sessions
    )
    if not size:
        return None
    days = min(read_retention(folder.resolve()).days for folder in folders)
    packed = max(1, size // _RATIO)
    fact = f"The client deletes sessions after {format_plural(days, 'day')}."
    return ArchiveConsent(
        days=days,
        bytes=packed,
        question=f"{fact} Keep a copy? (about {format_size(packed)})",
        keep="Keep a copy",
        decline="No copies",
        sentence=f"{fact} `bough archive on` keeps a copy (about {format_size(packed)}); "
        "`bough archive off` stops this line.",
    )


class ArchiveQuestion:
    """The question for an app that shows it as long as it is open.

    It is worded once: how large the copies would be takes a look at all files.
    """

    def __init__(self, claude_dir: ClaudeDir = None) -> None:
        """Take the folders that were named for once, if any."""
        self._claude_dir = claude_dir
        self._known: list[ArchiveConsent | None] = []

    def find(self) -> ArchiveConsent | None:
        """Give the question; None where it is answered, in this app or elsewhere."""
        try:
            if load_settings().archive is not None:
                return None
            if not self._known:
                self._known.append(find_archive_consent(self._claude_dir))
        except BoughError:
            return None  # who needs the settings says what is wrong with them
        return self._known[0]


def answer_archive_consent(*, keeps: bool) -> None:
    """Keep the answer for all faces.

    Raises:
        Misuse: `config.toml` says otherwise.
        BoughError: The answer cannot be kept.
    """
    if load_settings().archive is not keeps:
        change_setting("archive", keeps)


def take_archive_sentence(claude_dir: ClaudeDir = None) -> str:
    """Give the sentence of the command line the first time it is due; empty ever after."""
    memory = load_memory()
    found = None if memory.asked else find_archive_consent(claude_dir)
    if found is None:
        return ""
    memory.asked = True
    save_memory(memory)
    return found.sentence
