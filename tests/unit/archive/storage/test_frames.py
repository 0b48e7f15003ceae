"""The form of the archive: what was put in comes out at every offset, whatever was done."""

import io
import shutil
import struct
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Literal
from zlib import crc32

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bough.archive.storage.frame_source import ArchiveSource
from bough.archive.storage.frames import (
    FORM,
    SEALED_LENGTH,
    ArchiveHeader,
    FrameNote,
    FramePacker,
    cut_at_lines,
    pack_header,
    read_frames,
    seal_frames,
    unpack_frame,
)
from bough.errors import Unreadable
from bough.files.byte_source import SourceState, find_bytes, find_line_start
from bough.files.lines import split_lines
from tests.sampled import scale_examples

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

HEADER = ArchiveHeader("projects/-p/s.jsonl", session="s", mtime_ns=5, mode=0o640)
WRITTEN = "/home/ada/.claude/projects/-p/s.jsonl"

LINES = st.lists(st.binary(max_size=9).map(lambda b: b.replace(b"\n", b"") + b"\n"), max_size=5)
TAIL = st.binary(min_size=1, max_size=6).map(lambda b: b.replace(b"\n", b"x"))
STEPS = st.lists(
    st.one_of(
        LINES.map(lambda lines: ("append", b"".join(lines))),
        TAIL.map(lambda tail: ("tail", tail)),
        st.just(("seal", b"")),
        st.just(("rewrite", b"")),
    ),
    max_size=8,
)
Step = tuple[Literal["append", "tail", "seal", "rewrite"], bytes]


def pack_one(data: bytes, offset: int, source: SourceState) -> bytes:
    return FramePacker().pack(data, offset, source).data


class Kept:
    """One generation of a transcript: the bytes of its source, and those of the archive."""

    def __init__(self) -> None:
        self.source = b""
        self.archive = pack_header(HEADER)
        self._whole = 0

    def append(self, data: bytes) -> None:
        """Let the source grow, and archive what is new; a line without end comes again."""
        self.source += data
        new = self.source[self._whole :]
        if not new:
            return
        state = SourceState(len(self.source), len(self.source) + 100)
        for stretch in cut_at_lines([new], 8):
            self.archive += pack_one(stretch, self._whole, state)
            self._whole += len(stretch) if stretch.endswith(b"\n") else 0

    def seal(self) -> None:
        """Write the archive anew."""
        file = io.BytesIO(self.archive)
        self.archive = b"".join(seal_frames(file, read_frames(file, WRITTEN)))


def run(steps: list[Step]) -> list[Kept]:
    generations = [Kept()]
    for step, data in steps:
        match step:
            case "append" | "tail":
                generations[-1].append(data)
            case "seal":
                generations[-1].seal()
            case "rewrite":
                generations.append(Kept())
    return generations


@settings(max_examples=scale_examples(60), deadline=None)
@given(steps=STEPS)
def test_any_appends_seals_and_rewrites_read_back_in_every_generation(
    tmp_path_factory: pytest.TempPathFactory, steps: list[Step]
) -> None:
    for number, kept in enumerate(run(steps)):
        file = tmp_path_factory.getbasetemp() / f"{number}.jsonl.zst"
        file.write_bytes(kept.archive)
        source, data = ArchiveSource(WRITTEN, str(file)), kept.source
        every = list(split_lines([data] if data else []))

        assert source.at(0, len(data) + 1) == data
        assert source.state().size == len(data)
        assert list(source.lines()) == every
        for line in every:
            rest = list(source.lines(line.offset, line.number))
            assert rest == every[line.number - 1 :]
        for offset in range(len(data) + 2):
            assert source.at(offset, 5) == data[offset : offset + 5]
            assert find_line_start(source, offset) == data.rfind(b"\n", 0, offset) + 1
        assert find_bytes(source, b"\n") == data.find(b"\n")


@settings(max_examples=scale_examples(40), deadline=None)
@given(steps=STEPS)
def test_what_is_sealed_is_read_by_zstd_alone(steps: list[Step]) -> None:
    for kept in run(steps):
        kept.seal()

        assert zstd.decompress(kept.archive) == kept.source


@settings(max_examples=scale_examples(25), deadline=None)
@given(steps=STEPS, more=LINES)
def test_an_archive_that_was_cut_anywhere_is_a_beginning_of_the_source(
    steps: list[Step], more: list[bytes]
) -> None:
    kept = run(steps)[-1]
    before, known = len(kept.archive), kept.source
    kept.append(b"".join(more) or b"more\n")

    for cut in range(before, len(kept.archive) + 1):
        file = io.BytesIO(kept.archive[:cut])
        archived = read_frames(file, WRITTEN)
        data = b"".join(unpack_frame(file, frame, WRITTEN) for frame in archived.frames)

        assert kept.source.startswith(data)
        assert len(data) >= len(known)
        assert archived.end <= cut


@pytest.mark.parametrize("bit", [0x01, 0x10, 0x80])
def test_no_flipped_bit_gives_other_bytes_or_costs_more_than_one_frame(bit: int) -> None:
    kept = Kept()
    for number in range(5):
        kept.append(b"line %d of some length\n" % number)
    whole = read(kept.archive)

    for place in range(len(pack_header(HEADER)), len(kept.archive)):
        spoilt = bytearray(kept.archive)
        spoilt[place] ^= bit
        found = read(bytes(spoilt))

        assert found.items() <= whole.items(), place
        assert len(found) >= len(whole) - 1, place
    for place in range(len(pack_header(HEADER))):
        spoilt = bytearray(kept.archive)
        spoilt[place] ^= bit
        with pytest.raises(Unreadable):
            read(bytes(spoilt))


def read(archive: bytes) -> dict[int, bytes]:
    """Read what can be read of a file of the archive, by offset."""
    file = io.BytesIO(archive)
    found = {}
    for frame in read_frames(file, WRITTEN).frames:
        with suppress(Unreadable):
            found[frame.note.offset] = unpack_frame(file, frame, WRITTEN)
    return found


def test_bytes_behind_a_hole_are_read_and_the_hole_says_what_it_is(tmp_path: Path) -> None:
    state = SourceState(30, 1)
    first, second, third = (pack_one(b"line %d...\n" % n, n * 10, state) for n in range(3))
    file = tmp_path / "s.jsonl.zst"
    file.write_bytes(pack_header(HEADER) + first + b"\0" * len(second) + third)
    source = ArchiveSource(WRITTEN, str(file))

    assert source.at(0, 10) == b"line 0...\n"
    assert source.at(20, 10) == b"line 2...\n"
    with pytest.raises(Unreadable, match="bytes 10 to 20 of its archived copy are damaged"):
        source.at(0, 30)


def test_a_line_that_gets_its_end_takes_the_place_of_what_was_kept_of_it() -> None:
    kept = Kept()
    kept.append(b"one\ntw")
    kept.append(b"o\nthree\n")
    file = io.BytesIO(kept.archive)

    archived = read_frames(file, WRITTEN)

    assert [frame.note.is_open for frame in archived.frames].count(True) == 0
    assert archived.frames[-1].note.end == len(kept.source)
    assert archived.frames[-1].note.source_size == len(kept.source)


def test_a_sealed_file_has_frames_of_a_megabyte_and_copies_those_it_has() -> None:
    kept = Kept()
    lines = [b"%07d\n" % number for number in range(400_000)]
    for start in range(0, len(lines), 40_000):
        kept.archive += pack_one(
            b"".join(lines[start : start + 40_000]), start * 8, SourceState(0, 0)
        )
    kept.seal()
    file = io.BytesIO(kept.archive)
    archived = read_frames(file, WRITTEN)
    once = kept.archive

    kept.seal()

    assert max(frame.note.length for frame in archived.frames) <= SEALED_LENGTH
    assert len(archived.frames) == 4
    assert zstd.decompress(once) == b"".join(lines)
    assert read_frames(io.BytesIO(kept.archive), WRITTEN).frames[:3] == archived.frames[:3]


@pytest.mark.skipif(shutil.which("zstd") is None, reason="needs the zstd of the system")
def test_the_zstd_of_the_system_reads_a_sealed_file(tmp_path: Path) -> None:
    kept = Kept()
    kept.append(b'{"uuid":"a"}\n' * 3_000 + b'{"torn')
    kept.append(b'":1}\n{"last":"without end"}')
    kept.seal()
    file = tmp_path / "s.jsonl.zst"
    file.write_bytes(kept.archive)

    done = subprocess.run(["zstd", "-dc", str(file)], capture_output=True, check=True)

    assert done.stdout == kept.source


def test_stretches_are_whole_lines_and_the_last_without_end_stands_alone() -> None:
    assert list(cut_at_lines([b"a\nbb\nccc", b"c\ndd"], 5)) == [b"a\nbb\n", b"cccc\n", b"dd"]
    assert list(cut_at_lines([b"long line\nb\n"], 3)) == [b"long line\n", b"b\n"]
    assert list(cut_at_lines([])) == []


def test_a_source_in_the_archive_has_the_state_its_file_had(tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl.zst"
    file.write_bytes(pack_header(HEADER))
    source = ArchiveSource(WRITTEN, str(file))

    assert source.path == WRITTEN
    assert source.state() == SourceState(0, 5, mode=0o640)
    with file.open("ab") as archive:
        archive.write(pack_one(b"one\n", 0, SourceState(4, 77)))
    assert source.state() == SourceState(4, 77, mode=0o640)


def test_a_file_that_is_sealed_while_it_is_read_is_read_to_its_end(tmp_path: Path) -> None:
    kept = Kept()
    kept.append(b"".join(b"line %d\n" % number for number in range(200)))
    file = tmp_path / "s.jsonl.zst"
    file.write_bytes(kept.archive)
    source = ArchiveSource(WRITTEN, str(file))
    reader = source.lines()
    found = [next(reader).raw]
    kept.seal()
    other = tmp_path / "new"
    other.write_bytes(kept.archive)

    other.replace(file)
    found += [line.raw for line in reader]

    assert b"".join(found) == kept.source
    assert source.at(0, 10_000) == kept.source


def test_foreign_files_and_those_of_a_newer_bough_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl.zst"
    source = ArchiveSource(WRITTEN, str(file))

    for data in (b"", b"words\n", zstd.compress(b"words\n"), pack_header(HEADER)[:20]):
        file.write_bytes(data)
        with pytest.raises(Unreadable, match="it is not a file of the archive"):
            source.at(0, 1)
    file.write_bytes(pack_header(ArchiveHeader("x", form=FORM + 1)))
    with pytest.raises(Unreadable, match="a newer bough wrote its archived copy"):
        source.state()


@pytest.mark.parametrize(
    ("offset", "length"), [(0, 1 << 40), (-5, 6), (0, -1)], ids=["too long", "before", "negative"]
)
def test_a_note_that_no_bough_wrote_is_not_believed(offset: int, length: int) -> None:
    packed = zstd.compress(b"words\n")
    payload = msgspec.msgpack.encode(FrameNote(offset, length, b"", len(packed), 6, 0))
    note = b"\x51\x2a\x4d\x18" + struct.pack("<II", len(payload) + 4, crc32(payload)) + payload

    assert read_frames(io.BytesIO(pack_header(HEADER) + packed + note), "s").frames == ()


def test_a_file_of_the_archive_that_is_gone_says_so(tmp_path: Path) -> None:
    source = ArchiveSource(WRITTEN, str(tmp_path / "gone.zst"))

    with pytest.raises(Unreadable, match="no such file"):
        source.at(0, 1)
    with pytest.raises(Unreadable, match="no such file"):
        source.state()
    with pytest.raises(OSError, match="No such file"):
        source.open()
