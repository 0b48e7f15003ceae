import errno
import os
import tracemalloc
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.errors import Unreadable
from bough.files import lines
from bough.files.lines import read_at, read_lines, split_lines
from bough.line import Line

contents = st.one_of(
    st.binary(max_size=200),
    st.lists(st.sampled_from([b"\n", b"\r\n", b"{}", b"\0", b"\xef\xbb\xbf"])).map(b"".join),
)


@st.composite
def chunked(draw: st.DrawFn) -> tuple[bytes, list[bytes]]:
    data = draw(contents)
    cuts = sorted(draw(st.lists(st.integers(0, len(data)), max_size=12)))
    edges = [0, *cuts, len(data)]
    return data, [data[a:b] for a, b in pairwise(edges)]


@given(chunked())
def test_any_chunking_gives_the_same_lines(case: tuple[bytes, list[bytes]]) -> None:
    data, chunks = case

    assert list(split_lines(chunks)) == list(split_lines([data]))


@given(chunked())
def test_joined_lines_are_the_file(case: tuple[bytes, list[bytes]]) -> None:
    data, chunks = case

    assert b"".join(line.raw for line in split_lines(chunks)) == data


@given(contents)
def test_every_line_knows_its_place(data: bytes) -> None:
    found = list(split_lines([data]))

    assert [line.number for line in found] == list(range(1, len(found) + 1))
    assert all(data[line.offset :].startswith(line.raw) for line in found)
    assert all(line.ended for line in found[:-1])
    assert all(line.raw.count(b"\n") == line.ended for line in found)


@given(contents, st.data())
def test_reading_on_from_a_line_gives_the_rest(data: bytes, draw: st.DataObject) -> None:
    found = list(split_lines([data]))
    start = draw.draw(st.integers(0, len(found)))
    before, after = found[:start], found[start:]
    offset = sum(len(line.raw) for line in before)

    rest = list(split_lines([data[offset:]], offset, len(before) + 1))

    assert rest == after


def test_a_torn_last_line_is_not_ended() -> None:
    first, torn = split_lines([b'{"a":1}\n{"b"'])

    assert first == Line(0, 1, b'{"a":1}\n')
    assert first.ended
    assert torn == Line(8, 2, b'{"b"')
    assert not torn.ended


@pytest.mark.parametrize(
    ("data", "raws"),
    [
        pytest.param(b"", [], id="an empty file has no lines"),
        pytest.param(b"\n", [b"\n"], id="a blank line is a line"),
        pytest.param(b"a\r\nb\r\n", [b"a\r\n", b"b\r\n"], id="CRLF stays in the line"),
        pytest.param(b"a\rb\n", [b"a\rb\n"], id="a lone CR ends nothing"),
        pytest.param(b"\xef\xbb\xbf{}\n", [b"\xef\xbb\xbf{}\n"], id="a BOM stays"),
        pytest.param(b"a\n\0\0\nb\n", [b"a\n", b"\0\0\n", b"b\n"], id="NULs stay"),
        pytest.param(b"\x0b\x0c\x1c\x85\n", [b"\x0b\x0c\x1c\x85\n"], id="only a newline ends"),
        pytest.param("\u2028\n".encode(), ["\u2028\n".encode()], id="so not U+2028"),
    ],
)
def test_bytes_are_kept_as_they_are(data: bytes, raws: list[bytes]) -> None:
    assert [line.raw for line in split_lines([data])] == raws


def test_a_file_is_read_in_chunks_smaller_than_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = b"".join(b"%d" % n * (n % 7) + b"\n" for n in range(500))
    path = tmp_path / "s.jsonl"
    path.write_bytes(data)
    monkeypatch.setattr(lines, "CHUNK", 11)

    found = list(read_lines(path))

    assert found == list(split_lines([data]))


def test_reading_starts_at_an_offset(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"one\ntwo\nthree")

    found = list(read_lines(path, offset=4, number=2))

    assert found == [Line(4, 2, b"two\n"), Line(8, 3, b"three")]


def test_an_offset_behind_the_end_gives_no_lines(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"one\n")

    assert list(read_lines(path, offset=400, number=9)) == []


def test_a_long_line_needs_memory_for_itself_only(tmp_path: Path) -> None:
    length = 20 << 20
    path = tmp_path / "s.jsonl"
    with path.open("wb") as file:
        for _ in range(3):
            file.write(b"x" * length + b"\n")

    tracemalloc.start()
    try:
        sizes = [len(line.raw) for line in read_lines(path)]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert sizes == [length + 1] * 3
    # Its pieces, the joined line, the line before it that we still hold, and a chunk.
    assert peak < 3 * length + (4 << 20)


def test_reading_changes_no_time(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"one\n")
    os.utime(path, ns=(1_000, 2_000))

    list(read_lines(path))

    assert path.stat().st_mtime_ns == 2_000


def test_a_file_that_shrinks_while_being_read_just_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"0123456\n" * 100)
    monkeypatch.setattr(lines, "CHUNK", 16)
    reader = read_lines(path)
    first = next(reader)

    os.truncate(path, 0)
    rest = list(reader)

    assert [first, *rest] == [Line(0, 1, b"0123456\n"), Line(8, 2, b"0123456\n")]


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps an open file from being removed")
def test_a_file_that_is_removed_while_being_read_is_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"0123456\n" * 4)
    monkeypatch.setattr(lines, "CHUNK", 8)
    reader = read_lines(path)
    next(reader)

    path.unlink()

    assert len(list(reader)) == 3


class Failing:
    """A file whose second read fails, as on a network disk."""

    def __init__(self, number: int) -> None:
        self.answers: Iterator[bytes | OSError] = iter([b"one\ntw", OSError(number, "Broken")])

    def read(self, size: int) -> bytes:
        answer = next(self.answers)
        if isinstance(answer, OSError):
            raise answer
        return answer

    def __enter__(self) -> "Failing":
        return self

    def __exit__(self, *why: object) -> None:
        """Nothing to close."""


def test_a_file_that_vanishes_from_a_network_disk_just_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lines, "_open_file", lambda path: Failing(errno.ESTALE))

    assert list(read_lines("s.jsonl")) == [Line(0, 1, b"one\n"), Line(4, 2, b"tw")]


def test_a_disk_that_fails_while_being_read_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "_open_file", lambda path: Failing(errno.EIO))
    reader = read_lines("s.jsonl")
    next(reader)

    with pytest.raises(Unreadable, match=r"Cannot read s.jsonl: broken\."):
        list(reader)


def test_a_missing_file_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match=r"Cannot read .*gone.jsonl: no such file\.$"):
        list(read_lines(tmp_path / "gone.jsonl"))


def test_a_folder_is_unreadable(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").mkdir()

    with pytest.raises(Unreadable, match=r"x.jsonl: it is a folder\.$"):
        list(read_lines(tmp_path / "x.jsonl"))


def test_a_file_closed_to_us_is_unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(*args: object, **kwargs: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("os.open", denied)

    with pytest.raises(Unreadable, match=r"^Cannot read s.jsonl: permission denied\.$"):
        list(read_lines("s.jsonl"))


def test_a_name_no_file_can_have_is_unreadable() -> None:
    with pytest.raises(Unreadable, match="no file can have this name"):
        list(read_lines("a\0b.jsonl"))


def test_bytes_are_read_back_from_their_place(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"one\ntwo\nthree\n")

    assert [read_at(path, line.offset, len(line.raw)) for line in read_lines(path)] == [
        b"one\n",
        b"two\n",
        b"three\n",
    ]


def test_bytes_behind_the_end_are_not_there(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"one\n")

    assert read_at(path, 2, 100) == b"e\n"
    assert read_at(path, 50, 100) == b""


def test_real_files_come_back_byte_for_byte(shared: Path) -> None:
    files = [*shared.glob("corpus/**/*.jsonl"), *shared.glob("client-files/**/*.jsonl")]

    assert len(files) > 300
    for path in files:
        assert b"".join(line.raw for line in read_lines(path)) == path.read_bytes(), path
