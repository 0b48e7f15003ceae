"""Adopting: what an archive has of another machine becomes this machine's, and is listed here.

A machine has a random name, made once in its data folder. An archive that was carried, or whose
data folder was lost, has sessions under another name than this machine's. Each such file is
written anew with another header in front of the same frames, under the name that it then has. It
is removed where it was once all that is on the disk: whoever is stopped has too much, never less.
"""

from collections import defaultdict
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from bough.archive.intake.take_in import open_writer
from bough.archive.storage.archive_catalog import CatalogEntry, file_of, read_catalog
from bough.archive.storage.archive_folder import ArchiveFolder, machine_id
from bough.archive.storage.contents import ArchiveContents, count_contents
from bough.archive.storage.frames import pack_header, read_frames
from bough.archive.transfer.carried_files import (
    ArchiveImport,
    CarriedFile,
    ImportRun,
    read_carried_file,
)
from bough.errors import Misuse, Unreadable
from bough.files.directory import Problem

_LIST: Final = "bough archive adopt lists the machines that there are."


class KnownMachine(Struct, frozen=True, kw_only=True):
    """A machine that an archive has files of, and the Claude folder that they were in there."""

    machine: str
    folder: str
    is_own: bool
    contents: ArchiveContents


def list_machines(archive: ArchiveFolder) -> list[KnownMachine]:
    """List the machines that an archive has files of, this one first, by their Claude folders."""
    found: defaultdict[tuple[str, str], list[CatalogEntry]] = defaultdict(list)
    for entry in read_catalog(archive):
        found[entry.header.machine, entry.header.folder].append(entry)
    own = machine_id()
    machines = [
        KnownMachine(
            machine=machine,
            folder=folder,
            is_own=machine == own,
            contents=count_contents(entries),
        )
        for (machine, folder), entries in found.items()
    ]
    return sorted(machines, key=lambda one: (not one.is_own, one.machine, one.folder))


def find_machine(archive: ArchiveFolder, wanted: str) -> str:
    """Find another machine by its name or the beginning of it.

    Raises:
        Misuse: There is none that is called so, or it is this one, or several are.
    """
    names = {one.machine for one in list_machines(archive) if one.machine.startswith(wanted)}
    if not names or not wanted:
        raise Misuse(f"The archive has no machine called {wanted or 'nothing'}. {_LIST}")
    if len(names) > 1:
        raise Misuse(f"Several machines have names that begin with {wanted}. {_LIST}")
    (name,) = names
    if name == machine_id():
        raise Misuse(f"{wanted} is this machine: its sessions are listed already.")
    return name


def adopt_machine(
    archive: ArchiveFolder,
    machine: str,
    claude_dir: Path,
    progress: Callable[[int, int], None] | None = None,
) -> ArchiveImport:
    """Make what is kept of another machine this machine's, as if it had lain in a Claude folder.

    Where the archive has other bytes of the same source already, both stay as they are.

    Raises:
        ArchiveBusy: Another bough writes the archive.
        ArchiveTrouble: It cannot be written.
    """
    report = ArchiveImport()
    folder, own = str(claude_dir.resolve()), machine_id(make=True)
    with open_writer(archive) as (_, catalog):
        run = ImportRun(archive, catalog, report)
        adopted: list[str] = []
        found: defaultdict[str, list[CatalogEntry]] = defaultdict(list)
        for entry in catalog.entries():
            if entry.header.machine == machine:
                found[entry.id].append(entry)
        for number, (name, generations) in enumerate(found.items()):
            if progress is not None:
                progress(number, len(found))
            try:
                renamed = [_rename(archive, one, own, folder) for one in generations]
            except Unreadable as error:
                report.problems.append(Problem(file_of(archive, generations[0]), error.message))
                continue
            if all([run.take(one) for one in renamed]):  # noqa: C419 - each is taken
                catalog.remove(name)
                adopted.append(name)
        # First the rows: one without a file would be damage, a file without a row is only twice.
        catalog.commit()
        archive.remove_entries(adopted)
    return report


def _rename(archive: ArchiveFolder, entry: CatalogEntry, machine: str, folder: str) -> CarriedFile:
    """Read a file, and give it the header and the id that it has on another machine."""
    file = file_of(archive, entry)
    carried = read_carried_file(archive, file, None)
    before = carried.archived.header
    header = msgspec.structs.replace(before, machine=machine, folder=folder)
    data = pack_header(header) + carried.data[len(pack_header(before)) :]
    archived = read_frames(BytesIO(data), str(file))
    renamed = msgspec.structs.replace(
        carried.entry, id=archive.name_entry(header), header=header, packed=archived.end
    )
    return CarriedFile(renamed, data, archived)
