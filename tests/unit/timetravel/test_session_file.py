from pathlib import Path

import pytest

from bough.errors import Unreadable
from bough.sample import session
from bough.timetravel.errors import InsideAgent, OutsideClaude
from bough.timetravel.session_file import count_lines, open_session, take_snapshot
from tests.unit.timetravel.making import Shelf, long_talk


def test_the_state_is_that_of_the_bytes_that_were_read(shelf: Shelf) -> None:
    file = shelf.put(long_talk(session()).tear_line())

    source = open_session(file)

    assert source.state == take_snapshot(file)
    assert source.projects == str(shelf.folder / "projects")
    assert not source.ends_with_newline


def test_an_empty_file_is_a_session_too(shelf: Shelf) -> None:
    source = open_session(shelf.put_bytes(b""))

    assert (source.state.size, source.state.lines, source.ends_with_newline) == (0, 0, True)


def test_a_file_that_is_not_there_cannot_be_read(shelf: Shelf) -> None:
    with pytest.raises(Unreadable, match="no such file"):
        open_session(shelf.folder / "projects" / "-p" / "gone.jsonl")


def test_a_file_outside_a_claude_folder_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl"
    file.write_bytes(b"{}\n")

    with pytest.raises(OutsideClaude, match="not in a Claude folder"):
        open_session(file)


def test_a_link_out_of_the_claude_folder_is_refused(shelf: Shelf, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "s.jsonl").write_bytes(b"{}\n")
    (shelf.folder / "projects" / "-p").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(OutsideClaude, match="through a link"):
        open_session(shelf.folder / "projects" / "-p" / "s.jsonl")


def test_a_claude_folder_that_is_a_link_itself_is_fine(shelf: Shelf, tmp_path: Path) -> None:
    shelf.put_bytes(b"{}\n")
    (tmp_path / "link").symlink_to(shelf.folder)

    source = open_session(tmp_path / "link" / "projects" / "-p" / "s.jsonl")

    assert source.projects == str(shelf.folder / "projects")


def test_an_agents_file_is_no_session(shelf: Shelf) -> None:
    file = shelf.put_bytes(b"{}\n", "agent-a1b2")

    with pytest.raises(InsideAgent):
        open_session(file)


@pytest.mark.parametrize(("data", "count"), [(b"", 0), (b"a", 1), (b"a\n", 1), (b"a\nb", 2)])
def test_lines_are_counted_with_a_last_one_that_is_open(data: bytes, count: int) -> None:
    assert count_lines(data) == count
