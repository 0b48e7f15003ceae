"""An archive that is carried elsewhere: to another disk, or to another machine.

library.export_archive("/media/stick/sessions", recipient="age1...")
library.import_archive("/media/stick/sessions", identity="key.txt")
"""

from pathlib import Path

from bough.archive.intake.automatic_folder import check_archive
from bough.archive.storage.archive_catalog import CatalogEntry, read_catalog
from bough.archive.storage.archive_folder import ArchiveFolder
from bough.archive.transfer.adoption import KnownMachine, find_machine, list_machines
from bough.archive.transfer.adoption import adopt_machine as adopt_files
from bough.archive.transfer.carried_files import ArchiveExport, ArchiveImport
from bough.archive.transfer.carried_files import export_archive as export_files
from bough.archive.transfer.carried_files import import_archive as import_files
from bough.archive.transfer.encryption import make_decryptor, make_encryptor
from bough.config import archive_path, claude_dirs, claude_folder_around
from bough.errors import Misuse, ProjectNotFound
from bough.files.discover import find_claude_folders
from bough.library.parameters import ClaudeDir, Folder, Progress, as_dirs
from bough.query.lists.projects import project_listings
from bough.query.lookup import find_project


def export_archive(
    folder: Folder,
    *,
    project: str | None = None,
    recipient: str | None = None,
    claude_dir: ClaudeDir = None,
    progress: Progress | None = None,
) -> ArchiveExport:
    """Write the files of the archive to a folder, to be carried elsewhere.

    Args:
        folder: Where to; made where it is not there. What is there as it is now stays.
        project: Only the sessions of this project, by its path, name or folder name.
        recipient: Encrypt each file for this recipient of age.
        claude_dir: Where the project is looked for; by default the usual places.
        progress: Is told how many files of how many were looked at.

    Raises:
        Misuse: The folder lies in a Claude folder or in the archive, or cannot be encrypted.
        ArchiveTrouble: The folder cannot be written.
    """
    archive, target = ArchiveFolder(archive_path()), Path(folder).expanduser().absolute()
    if around := claude_folder_around(target, [Path(one) for one in as_dirs(claude_dir)]):
        raise Misuse(f"{target} lies inside the Claude folder {around}, where bough never writes.")
    if target.resolve().is_relative_to(archive.path.resolve()):
        raise Misuse(f"{target} lies inside the archive itself. Name another folder.")
    encrypt = make_encryptor(recipient) if recipient is not None else None
    check_archive(archive)
    entries = read_catalog(archive)
    if not entries:
        raise Misuse("Nothing is archived yet. bough archive makes copies of all sessions.")
    sessions = _list_sessions(entries, project, claude_dir) if project is not None else None
    return export_files(
        archive, ArchiveFolder(target), sessions=sessions, encrypt=encrypt, progress=progress
    )


def import_archive(
    folder: Folder, *, identity: Folder | None = None, progress: Progress | None = None
) -> ArchiveImport:
    """Take in the files of a folder that `export_archive` wrote; doing it twice changes nothing.

    Args:
        folder: Where they are.
        identity: The file with the key that opens them, where they are encrypted.
        progress: Is told how many files of how many were looked at.

    Raises:
        Misuse: There are none, or they are encrypted and there is no key.
        ArchiveTrouble: The archive cannot be written, or another bough is at it.
    """
    decrypt = make_decryptor(Path(identity).expanduser()) if identity is not None else None
    archive = ArchiveFolder(archive_path())
    return import_files(archive, Path(folder).expanduser(), decrypt=decrypt, progress=progress)


def archive_machines() -> list[KnownMachine]:
    """List the machines that the archive has files of; this one's are listed with the sessions."""
    archive = ArchiveFolder(archive_path())
    check_archive(archive)
    return list_machines(archive)


def adopt_machine(
    machine: str, claude_dir: ClaudeDir = None, *, progress: Progress | None = None
) -> ArchiveImport:
    """Make what the archive has of another machine this one's: it is listed and read like the rest.

    Args:
        machine: The name of the machine, or the beginning of it; `archive_machines` lists them.
        claude_dir: The Claude folder that its sessions are then of; by default the usual one.
        progress: Is told how many files of how many were looked at.

    Raises:
        Misuse: There is no such machine, or it is this one.
        ArchiveTrouble: The archive cannot be written, or another bough is at it.
    """
    archive = ArchiveFolder(archive_path())
    check_archive(archive)
    folder = find_claude_folders(claude_dirs([Path(one) for one in as_dirs(claude_dir)]))[0]
    return adopt_files(archive, find_machine(archive, machine), folder, progress)


def _list_sessions(
    entries: list[CatalogEntry], project: str, claude_dir: ClaudeDir
) -> frozenset[str]:
    """List the sessions of a project that the archive has, also of another machine's."""
    names = {
        one.header.session: one.header.path.split("/")[1]
        for one in entries
        if one.header.role == "session" and one.header.path.count("/") > 1
    }
    try:
        wanted = find_project(project, project_listings(as_dirs(claude_dir))).dir
    except ProjectNotFound:
        if project not in names.values():
            raise
        wanted = project
    return frozenset(session for session, name in names.items() if name == wanted)
