"""Every way in which the archive is written, on a small history, ready to be disturbed.

What is judged is on the disk: a copy is a beginning of its source and never less than it was;
whoever says that all went well has everything; and the next run makes good what was stopped.
"""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

from bough.archive.intake.take_in import take_in
from bough.archive.reports.verification import verify_archive
from bough.archive.storage.archive_catalog import CatalogEntry, keep_newest, path_of, read_catalog
from bough.archive.storage.archive_folder import ArchiveFolder
from bough.archive.storage.frame_source import ArchiveSource
from bough.errors import BoughError, Unreadable

MINUTE = 60 * 10**9
DAY = 24 * 3600 * 10**9
START = 1_800_000_000 * 10**9
FIRST = b"".join(b'{"type":"user","number":%d,"text":"the first words"}\n' % n for n in range(4))
MORE = b'{"type":"user","text":"more words"}\n'
TAIL = b'{"type":"user","text":"without its en'
OTHER = b'{"type":"user","text":"written anew"}\n' * 3


class ArchiveWorld:
    """A Claude folder with one session and a tool result of it, an archive, and a clock."""

    def __init__(self, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        os.environ["XDG_DATA_HOME"] = str(folder / "data")
        self.folder = folder
        self.claude = folder / ".claude"
        self.archive = ArchiveFolder(folder / "archive")
        self.now = START
        self.file = self.claude / "projects" / "-p" / "s.jsonl"
        self.result = self.file.with_suffix("") / "tool-results" / "out.txt"
        self.result.parent.mkdir(parents=True)
        self.write(self.result, b"what a tool said")
        self.write(self.file, FIRST)
        self.versions = [FIRST]

    def write(self, file: Path, data: bytes) -> None:
        """Write a source, a minute later."""
        self.now += MINUTE
        file.write_bytes(data)
        os.utime(file, ns=(self.now, self.now))

    def change(self, data: bytes) -> None:
        """Let the session be these bytes, which have rested when they are taken in."""
        self.write(self.file, data)
        self.versions.append(data)
        self.now += 2 * MINUTE

    def take(self) -> list[str]:
        """Take in what is new; give what could not be read."""
        return [
            one.reason
            for one in take_in(self.archive, [self.claude], now=lambda: self.now).problems
        ]

    def damage(self, where: float) -> None:
        """Spoil a byte of the session's copy, so far from its beginning to its end."""
        file = self.copy_of(self.file)
        data = bytearray(file.read_bytes())
        data[int(len(data) * where)] ^= 0x10
        file.write_bytes(data)

    def copy_of(self, source: Path) -> Path:
        """Name the newest copy of a source."""
        entry = next(one for one in self.newest() if path_of(one) == str(source))
        return self.archive.name_file(entry.id, entry.header.kind, entry.generation)

    def newest(self) -> list[CatalogEntry]:
        return keep_newest(read_catalog(self.archive))

    def read_copies(self) -> dict[str, bytes]:
        """Read every copy there is, by its name; what cannot be read is not there."""
        found = {}
        for file in self.archive.list_files():
            try:
                found[file.name] = ArchiveSource(file.name, str(file)).at(0, 1 << 30)
            except Unreadable:
                continue
        return found


class ArchiveCase:
    """One way to write: what leads to it, and what is disturbed; that says what it could not do."""

    def __init__(
        self,
        name: str,
        *before: Callable[[ArchiveWorld], object],
        carry_out: Callable[[ArchiveWorld], list[str]] = ArchiveWorld.take,
    ) -> None:
        self.name = name
        self.before = before
        self.carry_out = carry_out

    def prepare(self, folder: Path) -> ArchiveWorld:
        """Make a world in which it is about to happen."""
        world = ArchiveWorld(folder)
        for step in self.before:
            step(world)
        return world


def _grow(world: ArchiveWorld) -> None:
    world.change(world.file.read_bytes() + MORE)


def _grow_unended(world: ArchiveWorld) -> None:
    world.change(world.file.read_bytes() + MORE + TAIL)


def _rewrite(world: ArchiveWorld) -> None:
    world.change(OTHER)


def _shrink(world: ArchiveWorld) -> None:
    world.change(FIRST[: len(FIRST) // 2])


def _rest(world: ArchiveWorld) -> None:
    world.now += DAY + MINUTE


def _lose_catalog(world: ArchiveWorld) -> None:
    world.archive.catalog.unlink()


def _damage_header(world: ArchiveWorld) -> None:
    world.damage(0.02)


def _damage_frame(world: ArchiveWorld) -> None:
    world.damage(0.6)


def _repair(world: ArchiveWorld) -> list[str]:
    report = verify_archive(world.archive, repair=True)
    return [one.reason for one in report.damage if not one.is_repaired]


_TAKE = ArchiveWorld.take

ARCHIVE_CASES = (
    ArchiveCase("archive, the first time"),
    ArchiveCase("archive what grew", _TAKE, _grow_unended),
    ArchiveCase("archive behind a tail", _TAKE, _grow_unended, _TAKE, _grow),
    ArchiveCase("archive what was rewritten", _TAKE, _rewrite),
    ArchiveCase("archive what shrank", _TAKE, _shrink),
    ArchiveCase("archive without a catalog", _TAKE, _grow, _lose_catalog),
    ArchiveCase("archive beside damage", _TAKE, _damage_header, _grow),
    ArchiveCase("seal", _TAKE, _grow, _TAKE, _grow_unended, _TAKE, _rest),
    ArchiveCase("seal, the first time", _rest),
    ArchiveCase("repair a frame", _TAKE, _grow, _TAKE, _damage_frame, carry_out=_repair),
    ArchiveCase("repair a header", _TAKE, _damage_header, carry_out=_repair),
    ArchiveCase("repair what is sealed", _TAKE, _rest, _TAKE, _damage_frame, carry_out=_repair),
)


class ArchiveJudgement:
    """What one trial left behind."""

    def __init__(self, world: ArchiveWorld) -> None:
        self.world = world
        self.before = world.read_copies()

    def judge_end(self, problems: list[str] | None) -> list[str]:
        """Look at what was left, and whether who said that all is well was right.

        `problems` are what the writer said that it could not do; None where it did not end well.
        """
        found = self._judge_copies()
        if problems == [] and self._list_missing():
            found.append(f"lie: all was well, and {self._list_missing()} is not kept")
        return found

    def judge_next_run(self) -> list[str]:
        """Let the next bough come, and look whether everything is made good."""
        world = self.world
        try:
            world.take()
            verify_archive(world.archive, repair=True)
            report = verify_archive(world.archive, deep=True)
        except BoughError as error:
            return [f"no recovery: {error.message}"]
        found = self._judge_copies()
        # A copy whose source was written anew since has nothing that could repair it.
        spoilt = [one.reason for one in report.damage if Path(one.file) == self._newest_copy()]
        found += [f"no recovery: {reason}" for reason in spoilt]
        found += [f"no recovery: {name} is not kept" for name in self._list_missing()]
        left = [path.name for path in world.archive.path.rglob("*.part")]
        return found + [f"left behind: {name}" for name in left]

    def _newest_copy(self) -> Path:
        return self.world.copy_of(self.world.file)

    def _judge_copies(self) -> list[str]:
        """Hold every copy against its source, and against what it was."""
        now = self.world.read_copies()
        found = []
        allowed = [*self.world.versions, self.world.file.read_bytes()]
        allowed.append(self.world.result.read_bytes())
        for name, data in now.items():
            if not any(version.startswith(data) for version in allowed):
                found.append(f"lost: {name} is no beginning of its source: {data!r}")
        for name, data in self.before.items():
            if not now.get(name, b"").startswith(data):
                found.append(f"lost: {name} is less than it was")
        return found

    def _list_missing(self) -> list[str]:
        """List the sources of which not everything is kept."""
        try:
            copies = {path_of(one): one for one in self.world.newest()}
        except BoughError:
            copies = {}
        missing = []
        for file in (self.world.file, self.world.result):
            entry = copies.get(str(file))
            name = (
                self.world.archive.name_file(entry.id, entry.header.kind, entry.generation).name
                if entry
                else ""
            )
            if self.world.read_copies().get(name) != file.read_bytes():
                missing.append(file.name)
        return missing
