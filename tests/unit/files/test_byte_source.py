"""Sources of bytes: a file and something that is no file read the same, at every offset."""

import os
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.errors import Unreadable
from bough.files.byte_source import (
    DISK,
    DiskSource,
    FinderChain,
    find_bytes,
    find_line_start,
    require_source,
)
from bough.files.lines import split_lines
from tests.framed import FramedFinder, FramedSource, pack

DATA = st.lists(st.binary(max_size=12), max_size=12).map(b"\n".join)


def framed(data: bytes, size: int = 1) -> FramedSource:
    return FramedSource("/gone/s.jsonl", 7, pack(data, size))


@given(DATA, st.integers(1, 30), st.integers(0, 160), st.integers(0, 160))
def test_frames_read_as_the_bytes_they_were_made_of(
    data: bytes, size: int, offset: int, length: int
) -> None:
    source = framed(data, size)

    assert source.state().size == len(data)
    assert source.at(offset, length) == data[offset : offset + length]
    assert list(source.lines()) == list(split_lines([data] if data else []))
    with source.open() as file:
        assert file.readall() == data


@given(DATA, st.integers(1, 30))
def test_lines_are_read_from_any_line_on(data: bytes, size: int) -> None:
    every = list(split_lines([data] if data else []))

    for number, line in enumerate(every):
        assert list(framed(data, size).lines(line.offset, line.number)) == every[number:]


@given(DATA, st.binary(min_size=1, max_size=4), st.integers(1, 30))
def test_bytes_are_found_also_where_two_pieces_meet(data: bytes, words: bytes, size: int) -> None:
    assert find_bytes(framed(data, size), words) == data.find(words)


@given(DATA, st.integers(0, 160))
def test_the_start_of_a_line_is_found_from_any_byte_in_it(data: bytes, offset: int) -> None:
    assert find_line_start(framed(data), min(offset, len(data))) == (
        data.rfind(b"\n", 0, min(offset, len(data))) + 1
    )


def test_a_file_and_its_frames_give_the_same(tmp_path: Path) -> None:
    data = b"".join(b"line %d\n" % number for number in range(300_000)) + b"torn"
    path = tmp_path / "s.jsonl"
    path.write_bytes(data)
    disk, packed = DiskSource(str(path)), framed(data, 1 << 16)

    assert disk.state().size == packed.state().size
    assert list(disk.lines(7, 2)) == list(packed.lines(7, 2))
    for place in (0, 5, 1 << 20, len(data) - 3, len(data) + 9):
        assert disk.at(place, 100) == packed.at(place, 100)
        assert find_line_start(disk, place) == find_line_start(packed, place)
    for words in (b"line 0\n", b"line 299999\n", b"torn", b"nowhere"):
        assert find_bytes(disk, words) == find_bytes(packed, words) == data.find(words)


def test_a_line_that_is_longer_than_what_is_read_at_once_has_a_start(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"short\n" + b"x" * (3 << 20))

    assert find_line_start(DiskSource(str(path)), 3 << 20) == 6


def test_the_state_of_a_file_is_what_the_system_says(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"words\n")
    path.chmod(0o600)
    os.utime(path, ns=(5, 12_345_678_900))
    status = path.stat()

    state = DiskSource(str(path)).state()

    assert state.key == (6, 12_345_678_900, status.st_ino)
    assert (state.device, state.mode) == (status.st_dev, 0o600)


def test_a_file_that_is_not_there_is_not_found(tmp_path: Path) -> None:
    gone = str(tmp_path / "gone.jsonl")

    assert DISK.find(gone) is None
    with pytest.raises(Unreadable, match="no such file") as caught:
        require_source(DISK, gone)
    assert caught.value.is_gone
    with pytest.raises(Unreadable, match="no such file"):
        DiskSource(gone).state()


def test_what_is_there_and_no_file_says_so_when_it_is_read(tmp_path: Path) -> None:
    found = DISK.find(str(tmp_path))

    assert found is not None
    with pytest.raises(Unreadable, match="it is a folder"):
        list(found.lines())
    with pytest.raises(Unreadable, match="it is a folder"):
        find_bytes(found, b"x")


def test_a_name_that_no_file_can_have_says_so_when_it_is_read() -> None:
    found = DISK.find("a\0b")

    assert found is not None
    with pytest.raises(Unreadable, match="no file can have this name"):
        found.at(0, 1)
    with pytest.raises(Unreadable, match="no file can have this name"):
        find_bytes(found, b"x")


def test_disk_comes_first_then_what_else_has_the_bytes_then_nothing(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"now\n")
    kept = FramedFinder({str(path): FramedSource(str(path), 0, pack(b"then\n"))})
    chain = FinderChain((DISK, kept))

    there = require_source(chain, path).at(0, 9)
    path.unlink()

    assert there == b"now\n"
    assert require_source(chain, path).at(0, 9) == b"then\n"
    assert chain.find(str(tmp_path / "other.jsonl")) is None


def test_a_finder_goes_to_another_process(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"words\n")

    chain = pickle.loads(pickle.dumps(FinderChain((DISK,))))

    assert require_source(chain, path).at(0, 5) == b"words"
