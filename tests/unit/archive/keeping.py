"""An archive to try things on: its folder, a source that changes, and a clock that is set."""

import os
from pathlib import Path

from bough.archive.intake.take_in import open_writer
from bough.archive.storage.archive_catalog import CatalogEntry, file_of, read_catalog
from bough.archive.storage.archive_folder import ArchiveFolder
from bough.archive.storage.archive_writer import SEAL_REST, Taken
from bough.archive.storage.frame_source import ArchiveSource
from bough.archive.storage.frames import ArchiveHeader
from bough.files.byte_source import DiskSource

START = 1_800_000_000 * 10**9
AT = "2027-01-15T08:00:00.000Z"
MINUTE = 60 * 10**9


class Keeper:
    """Archives one source, whose time is when it was written."""

    def __init__(self, folder: Path, *, kind: str = "jsonl") -> None:
        self.archive = ArchiveFolder(folder / "archive")
        self.file = folder / "source.jsonl"
        self.now = START
        self.header = ArchiveHeader(
            "projects/-p/s.jsonl", kind=kind, session="s", folder="/claude", machine="m"
        )

    def write(self, data: bytes) -> None:
        """Let the source be these bytes, a second later."""
        self.now += 10**9
        self.file.write_bytes(data)
        os.utime(self.file, ns=(self.now, self.now))

    def take(self) -> Taken:
        with open_writer(self.archive, lambda: self.now) as (writer, _):
            return writer.take(self.header, DiskSource(str(self.file)), AT)

    def seal(self, *, beside_source: bool = True) -> list[bool]:
        """Seal every generation, a day later."""
        self.now += SEAL_REST
        source = DiskSource(str(self.file)) if beside_source and self.file.exists() else None
        with open_writer(self.archive, lambda: self.now) as (writer, catalog):
            entries = catalog.entries()
            return [
                writer.seal(entry, source if entry is entries[-1] else None, AT)
                for entry in entries
            ]

    def entries(self) -> list[CatalogEntry]:
        return sorted(read_catalog(self.archive), key=lambda entry: entry.generation)

    def kept(self) -> list[bytes]:
        """Read every generation whole."""
        return [
            ArchiveSource("s.jsonl", str(file_of(self.archive, entry))).at(0, 1 << 30)
            for entry in self.entries()
        ]

    def newest_file(self) -> Path:
        return file_of(self.archive, self.entries()[-1])
