"""What is opened is a regular file, whatever has its name; nobody waits for anything else."""

import os
import socket
from pathlib import Path

import pytest

from bough.errors import Unreadable
from bough.files.byte_source import DISK
from bough.files.lines import read_at, read_lines
from bough.files.regular_file import NotRegularFileError, open_regular, read_regular
from bough.ingest.live.tail import FileTail
from bough.ingest.sidecars import read_agent_meta, read_title

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs pipes and devices")


def test_a_regular_file_is_read(tmp_path: Path) -> None:
    place = tmp_path / "a"
    place.write_bytes(b"words")

    with open_regular(place) as file:
        assert file.read() == b"words"
    assert read_regular(place, 1, 2) == b"or"
    assert read_regular(place, 3, 9) == b"ds"


def test_a_folder_says_that_it_is_one(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="it is a folder"):
        read_at(tmp_path, 0, 1)


@POSIX
def test_a_pipe_a_device_and_a_socket_are_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s"))

        for place in (tmp_path / "pipe", Path("/dev/zero"), tmp_path / "s"):
            with pytest.raises(Unreadable):
                list(read_lines(place))

    with pytest.raises(NotRegularFileError):
        open_regular(tmp_path / "pipe")
    with pytest.raises(NotRegularFileError):
        read_regular(tmp_path / "pipe", 0, 1)


@POSIX
def test_a_pipe_where_a_note_is_expected_says_nothing(tmp_path: Path) -> None:
    pipe = tmp_path / "note.json"
    os.mkfifo(pipe)

    assert read_title(pipe, DISK) is None
    assert read_agent_meta(pipe, DISK) is None


@POSIX
def test_a_pipe_that_takes_the_place_of_a_watched_file_is_a_problem(tmp_path: Path) -> None:
    place = tmp_path / "s.jsonl"
    place.write_bytes(b"{}\n")
    tail = FileTail(str(place))
    tail.read()
    place.unlink()
    os.mkfifo(place)

    found = tail.read()

    assert found.problem is not None
    assert found.problem.reason == "it is not a regular file"
