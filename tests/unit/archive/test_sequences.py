"""Whatever is done to sources and to their copies, each generation reads back as it was.

A model beside the archive says what has to be there: it knows nothing of frames, notes or rows.
"""

import os
import sys
import tempfile
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import Struct

from bough.archive.intake.take_in import open_writer
from bough.archive.reports.verification import verify_archive
from bough.archive.storage.archive_writer import TAIL_REST
from bough.archive.storage.frame_source import ArchiveSource
from bough.archive.storage.frames import ArchiveHeader, FramePacker, read_frames
from bough.files.byte_source import DiskSource, SourceState, find_line_start
from bough.files.lines import split_lines
from tests.unit.archive.keeping import AT, Keeper

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

LINE = st.binary(max_size=9).map(lambda data: data.replace(b"\n", b"") + b"\n")
TAIL = st.binary(max_size=6).map(lambda data: data.replace(b"\n", b""))
CONTENT = st.tuples(st.lists(LINE, max_size=4).map(b"".join), TAIL).map(b"".join)
MEMORY = Path("/dev/shm")
"""Where a disk has nothing to wait for."""
NAMES = st.sampled_from(["a", "b"])


class Step(Struct, frozen=True):
    """Something that happens to one source, to its copy, or to the whole archive."""

    what: str
    name: str = "a"
    data: bytes = b""
    number: int = 0


STEPS = st.lists(
    st.one_of(
        st.builds(Step, st.sampled_from(["append", "rewrite"]), NAMES, CONTENT),
        st.builds(Step, st.just("shrink"), NAMES, number=st.integers(1, 12)),
        st.builds(Step, st.sampled_from(["take", "take", "take later", "rename"]), NAMES),
        st.builds(Step, st.just("tear"), NAMES, number=st.integers(1, 200)),
        st.builds(Step, st.sampled_from(["seal", "lose catalog", "lose rows", "keep rows"])),
    ),
    max_size=14,
)


class Model:
    """What the sources are, and what has to be kept of them."""

    def __init__(self, folder: Path) -> None:
        self.keeper = Keeper(folder)
        self.folder = folder
        self.sources: dict[str, bytes] = {}
        self.kept: dict[str, list[bytes]] = {}
        self.rows = b""

    def do(self, step: Step) -> None:
        """Do one step to the archive and to the model."""
        match step.what:
            case "append":
                self._write(step.name, self.sources.get(step.name, b"") + step.data)
            case "rewrite":
                self._write(step.name, step.data)
            case "shrink" if step.name in self.sources:
                self._write(step.name, self.sources[step.name][: -step.number])
            case "rename" if step.name in self.sources:
                self._rename(step.name, "b" if step.name == "a" else "a")
            case "take" | "take later" if step.name in self.sources:
                self.keeper.now += TAIL_REST if step.what == "take later" else 0
                self._take(step.name)
            case "seal":
                self._seal()
            case "tear" if step.name in self.kept:
                self._tear(step.name, step.number)
            case _:
                self._lose(step.what)

    def _lose(self, what: str) -> None:
        """Lose the catalog, or its newest rows: a writer may be stopped before it wrote them."""
        match what:
            case "lose catalog":
                self.keeper.archive.catalog.unlink(missing_ok=True)
            case "keep rows" if self.keeper.archive.catalog.exists():
                self.rows = self.keeper.archive.catalog.read_bytes()
            case "lose rows" if self.rows:
                self.keeper.archive.catalog.write_bytes(self.rows)
            case _:
                pass

    def _write(self, name: str, data: bytes) -> None:
        self.keeper.file = self.folder / name
        self.keeper.write(data)
        self.sources[name] = data

    def _rename(self, name: str, other: str) -> None:
        """Give a source another name, and a new time: with its old one it would be as it was."""
        keeper = self.keeper
        keeper.now += 10**9
        (self.folder / name).replace(self.folder / other)
        os.utime(self.folder / other, ns=(keeper.now, keeper.now))
        self.sources[other] = self.sources.pop(name)

    def _take(self, name: str) -> None:
        keeper, data = self.keeper, self.sources[name]
        keeper.file = self.folder / name
        keeper.header = self._header(name)
        rests = keeper.now - keeper.file.stat().st_mtime_ns >= TAIL_REST
        keeper.take()
        found = data if rests else data[: data.rfind(b"\n") + 1]
        generations = self.kept.setdefault(name, [])
        if generations and data.startswith(generations[-1]):
            generations[-1] = max(generations[-1], found, key=len)
        else:
            generations.append(found)

    def _seal(self) -> None:
        keeper = self.keeper
        keeper.now += 25 * 3600 * 10**9
        with open_writer(keeper.archive, lambda: keeper.now) as (writer, catalog):
            newest = {entry.id: entry for entry in catalog.entries()}
            for entry in catalog.entries():
                name = entry.header.path
                is_beside = entry is newest[entry.id] and name in self.sources
                # A generation whose row was lost is the newest all the same.
                is_compared = is_beside and entry.generation == len(self.kept[name])
                source = DiskSource(str(self.folder / name)) if is_beside else None
                assert writer.seal(entry, source, AT)
                if is_compared and not self.sources[name].startswith(self.kept[name][-1]):
                    self.kept[name].append(self.sources[name])

    def _tear(self, name: str, number: int) -> None:
        """Leave behind the newest copy what a writer that was stopped leaves there."""
        archive, kept = self.keeper.archive, self.kept[name][-1]
        entry = archive.name_entry(self._header(name))
        file = archive.name_file(entry, "jsonl", len(self.kept[name]))
        state = SourceState(len(kept) + 15, 1)
        whole = FramePacker().pack(b"never finished\n", len(kept), state).data
        with file.open("r+b") as opened:
            opened.seek(read_frames(opened, name).end)
            opened.write(whole[: min(number, len(whole) - 1)])
            opened.truncate()

    def _header(self, name: str) -> ArchiveHeader:
        return msgspec.structs.replace(self.keeper.header, path=name)

    def check(self) -> None:
        """Read every generation at every offset, whole and by line."""
        archive = self.keeper.archive
        for name, generations in self.kept.items():
            entry = archive.name_entry(self._header(name))
            for number, data in enumerate(generations, 1):
                file = archive.name_file(entry, "jsonl", number)
                check_bytes(ArchiveSource(name, str(file)), data)
            assert not archive.name_file(entry, "jsonl", len(generations) + 1).exists()


def check_bytes(source: ArchiveSource, data: bytes) -> None:
    """Hold what the archive gives at every offset against the bytes that were taken in."""
    lines = list(split_lines([data] if data else []))
    assert source.state().size == len(data)
    assert source.at(0, len(data) + 1) == data
    assert list(source.lines()) == lines
    for line in lines:
        assert list(source.lines(line.offset, line.number)) == lines[line.number - 1 :]
    with source.open() as opened:
        for offset in range(len(data) + 2):
            assert source.at(offset, 5) == data[offset : offset + 5]
            assert find_line_start(source, offset) == data.rfind(b"\n", 0, offset) + 1
            opened.seek(offset)
            assert opened.read() == data[offset:]


def check_sequence(steps: list[Step]) -> None:
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        model = Model(Path(folder))
        for step in steps:
            model.do(step)
            model.check()
        for name in model.sources:
            model.do(Step("take later", name))
        model.do(Step("seal"))
        model.check()
        for name, data in model.sources.items():
            assert model.kept[name][-1] == data
        packed = [file.read_bytes() for file in model.keeper.archive.list_files()]
        generations = [data for kept in model.kept.values() for data in kept]
        assert sorted(map(zstd.decompress, packed)) == sorted(generations)
        assert verify_archive(model.keeper.archive).is_sound


@given(STEPS)
@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
def test_any_sequence_of_what_sources_and_writers_do_reads_back_in_every_generation(
    steps: list[Step],
) -> None:
    check_sequence(steps)


@pytest.mark.slow
@pytest.mark.whole
@given(STEPS)
@settings(
    deadline=None, max_examples=1_500,
    suppress_health_check=[HealthCheck.too_slow],
)  # fmt: skip
def test_a_great_many_sequences_read_back(steps: list[Step]) -> None:
    check_sequence(steps)
