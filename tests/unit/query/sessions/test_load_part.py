"""A stretch of a large session."""

from pathlib import Path

import pytest

from bough.errors import Unreadable
from bough.query.sessions import load_part
from bough.query.sessions.load_part import find_start_before, is_small, open_from, open_part
from bough.sample import session


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    draft = session("large")
    for number in range(900):
        draft.user(f"question {number} " + "words " * 150).assistant(f"answer {number}")
    path = tmp_path_factory.mktemp("large") / "large.jsonl"
    path.write_bytes(draft.bytes())
    return path


def test_small_files_are_read_whole(large: Path, tmp_path: Path) -> None:
    small = tmp_path / "s.jsonl"
    small.write_bytes(b"{}\n")

    assert is_small(small)
    assert is_small(tmp_path / "gone")
    assert not is_small(large)


def test_the_end_is_what_is_read_first(large: Path) -> None:
    part = open_part(large)

    messages = part.conversation().messages
    assert messages[-1].text == "answer 899"
    assert len(part.records) < 1_000
    assert part.bad_lines == []


def test_a_part_knows_where_the_session_was_started(large: Path, tmp_path: Path) -> None:
    lines = large.read_bytes().replace(b'"cwd":"/home/dev/code/', b'"cwd":"/tmp/', -1)
    moved = tmp_path / "moved.jsonl"
    first = large.read_bytes().partition(b"\n")[0]
    moved.write_bytes(first + b"\n" + lines.partition(b"\n")[2])

    assert open_part(moved).cwd == open_part(large, 0).cwd
    assert open_part(moved).records[0].cwd != open_part(large, 0).cwd


def test_a_message_is_in_its_stretch_with_what_stands_before(large: Path) -> None:
    whole = open_part(large, 0)
    wanted = whole.conversation().messages[600]

    part = open_part(large, find_start_before(large, wanted.uuid or ""))

    uuids = [record.uuid for record in part.records]
    assert wanted.uuid in uuids
    assert uuids.index(wanted.uuid) > 50
    assert part.bad_lines == []


def test_a_message_that_is_nowhere_has_no_place(large: Path) -> None:
    assert find_start_before(large, "00000000-0000-0000-0000-000000000000") is None
    assert find_start_before(large, '","x":"') is None


def test_an_empty_file_has_no_places(tmp_path: Path) -> None:
    empty = tmp_path / "e.jsonl"
    empty.write_bytes(b"")

    assert find_start_before(empty, "x") is None


def test_what_cannot_be_read_says_so(tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        find_start_before(tmp_path, "x")


def test_what_is_read_anew_while_it_grows_counts_as_made_anew(
    large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[int] = []
    monkeypatch.setattr(load_part, "count_renewed", counted.append)

    start = open_part(large, large.stat().st_size).records[0].offset
    open_from(large, start)

    assert counted == [large.stat().st_size - start]
