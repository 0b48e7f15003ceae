"""The command that goes on with a session, wherever it is pasted.

A client looks for a session only among those of the folder it is started in: the folder below
`projects` that is named for it. So the command goes there first. Every face takes it from here. A
session that the client deleted cannot be resumed: what brings it back is given instead. One of
a team's store lies on another machine: what fetches it is given.
"""

import os
import sys
from enum import StrEnum
from pathlib import Path
from shlex import quote
from typing import Final

from msgspec import Struct

from bough.config import is_client_folder
from bough.errors import with_tilde
from bough.files.byte_source import SourceFinder
from bough.files.directory import is_of_machine
from bough.files.discover import encode_cwd, list_project_files
from bough.files.worktrees import is_existing_folder
from bough.ingest.project_names import find_project_path, read_cwds
from bough.model.interpret.kept_places import KeptPlace
from bough.query.byte_sources import USUAL_SOURCES

CLIENT = "claude"
_SHORT: Final = 8


class ResumeKind(StrEnum):
    """What a command does for a session: the client goes on with it, or bough brings it first."""

    RESUME = "resume"
    RESTORE = "restore"
    PULL = "pull"
    NONE = "none"

    @property
    def label(self) -> str:
        """Name the command; empty where there is none."""
        return f"{self} command" if self is not ResumeKind.NONE else ""


_KINDS: Final = {
    KeptPlace.FILE: ResumeKind.RESUME,
    KeptPlace.ARCHIVE: ResumeKind.RESTORE,
    KeptPlace.INDEX: ResumeKind.NONE,
}


class ResumeCommand(Struct, frozen=True):
    """How a session is resumed: in which folder, and with which Claude folder if not the usual.

    `kept` says what there is of it: where its file is gone, no client can resume it. Where it
    `is_sent`, it is a session of a team's store.
    """

    session: str
    folder: str | None = None
    claude_dir: str | None = None
    kept: KeptPlace = KeptPlace.FILE
    is_sent: bool = False

    @property
    def kind(self) -> ResumeKind:
        """Tell what the command does."""
        if self.is_sent and self.kept is not KeptPlace.INDEX:
            return ResumeKind.PULL
        return _KINDS[self.kept]

    @property
    def text(self) -> str:
        """Write it for the shell of this system; empty where nothing brings the session back."""
        if self.kind is ResumeKind.NONE:
            return ""
        if self.kind is ResumeKind.PULL:
            return f"bough pull {quote(self.session)} --cwd ."
        if self.kind is ResumeKind.RESTORE:
            place = f" --claude-dir {quote(self.claude_dir)}" if self.claude_dir else ""
            return f"bough restore {quote(self.session)}{place}"
        return format_resume_command(self, powershell=sys.platform == "win32")

    @property
    def is_folder_gone(self) -> bool:
        """Tell whether the client can not be started where it would find the session."""
        return self.folder is not None and not is_existing_folder(self.folder)

    @property
    def note(self) -> str:
        """Say what is in the way, in a sentence; empty where nothing is."""
        if self.kind is ResumeKind.PULL:
            return (
                "It brings the session to your machine: run it there, in the folder in which it "
                "is to go on, and then resume it."
            )
        gone = f"The file of session {self.session[:_SHORT]} is gone"
        if self.kind is ResumeKind.RESTORE:
            return (
                f"{gone}, so no client can resume it. bough restore {self.session[:_SHORT]} "
                "brings it back from the archive."
            )
        if self.kind is ResumeKind.NONE:
            return f"{gone} and the archive does not have it, so no client can resume it."
        if self.folder is None or not self.is_folder_gone:
            return ""
        return (
            f"The folder {with_tilde(self.folder)} is gone, and the client finds the session only "
            "there. Make it again, or let the sessions follow it with bough move."
        )


def make_resume_command(
    session: str,
    folder: str | None,
    claude_dir: str | Path | None = None,
    kept: KeptPlace = KeptPlace.FILE,
) -> ResumeCommand:
    """Give the command for a session that is found from a folder.

    Args:
        session: Its id.
        folder: The folder its project is named for; see `find_resume_folder`.
        claude_dir: The Claude folder it lies in; named in the command where clients use another.
        kept: What there is of it.
    """
    usual = claude_dir is None or is_client_folder(Path(claude_dir))
    return ResumeCommand(session, folder, None if usual else str(claude_dir), kept)


def make_command_for_file(
    path: Path, known: str | None = None, kept: KeptPlace = KeptPlace.FILE
) -> ResumeCommand:
    """Give the command for a session by its file, also for one that is gone.

    Args:
        path: Its file.
        known: The folder that the records of its project name, where that was read already.
        kept: What there is of it.
    """
    if is_of_machine(path):
        # Whether its folders are here would tell of this machine.
        return ResumeCommand(path.stem, kept=kept, is_sent=True)
    if not _lies_in_project(path):
        return make_resume_command(path.stem, find_resume_folder(path), kept=kept)
    folder = choose_resume_folder(path.parent.name, known) if known else find_resume_folder(path)
    return make_resume_command(path.stem, folder, path.parent.parent.parent, kept)


def find_resume_folder(path: Path, sources: SourceFinder = USUAL_SOURCES) -> str | None:
    """Find the folder in which a client finds the session that lies in a file.

    Most sessions name it themselves. One that was begun elsewhere has its project's.
    """
    name = path.parent.name
    first = None
    for cwd in read_cwds(path, sources):
        if _is_named_for(name, cwd):
            return cwd
        first = first or cwd
    if not _lies_in_project(path):
        return first
    listing = list_project_files(str(path.parent), sources)
    return choose_resume_folder(name, find_project_path(listing, sources))


def choose_resume_folder(name: str, known: str | None) -> str | None:
    """Choose the folder that one below `projects` is named for.

    Args:
        name: The name of the folder below `projects`.
        known: The folder that its records name. After a move it is another one: then the disk
            is asked which folder would be called so.
    """
    if known is not None and _is_named_for(name, known):
        return known
    return _find_named(Path(os.sep), name) or known


def _lies_in_project(path: Path) -> bool:
    return path.parent.parent.name == "projects"


def _is_named_for(name: str, cwd: str) -> bool:
    return encode_cwd(cwd).casefold() == name.casefold()


def _find_named(above: Path, rest: str) -> str | None:
    """Find a folder by what the client makes of its path; only folders that fit are entered."""
    try:
        inside = sorted(entry for entry in os.listdir(above) if entry)  # noqa: PTH208 - names alone
    except OSError:
        return None
    for entry in inside:
        code, below = encode_cwd(os.sep + entry), above / entry
        if rest == code and below.is_dir():
            return str(below)
        if rest.startswith(f"{code}-") and (found := _find_named(below, rest[len(code) :])):
            return found
    return None


def format_resume_command(command: ResumeCommand, *, powershell: bool) -> str:
    """Write the command for a shell: a POSIX one, or PowerShell."""
    if powershell:
        return _format_for_powershell(command)
    client = f"{CLIENT} --resume {quote(command.session)}"
    if command.claude_dir is not None:
        client = f"CLAUDE_CONFIG_DIR={quote(command.claude_dir)} {client}"
    # Quoted also where no shell needs it: people see at once what is one word.
    return client if command.folder is None else f"cd {_quote_path(command.folder)} && {client}"


def _quote_path(path: str) -> str:
    quoted = quote(path)
    return quoted if quoted != path else f"'{path}'"


def _format_for_powershell(command: ResumeCommand) -> str:
    """Write it for PowerShell; versions before 7 know no `&&`."""
    client = f"{CLIENT} --resume {command.session}"
    if command.claude_dir is not None:
        client = f"$env:CLAUDE_CONFIG_DIR = {_quote_for_powershell(command.claude_dir)}; {client}"
    if command.folder is None:
        return client
    folder = _quote_for_powershell(command.folder)
    return f"Set-Location -LiteralPath {folder}; if ($?) {{ {client} }}"


def _quote_for_powershell(text: str) -> str:
    # PowerShell ends a string at any of these.
    for mark in "'‘’‚‛":  # noqa: RUF001
        text = text.replace(mark, mark * 2)
    return f"'{text}'"
