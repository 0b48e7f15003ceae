"""As much of a file as a question needs."""

from pathlib import Path

from bough.ingest.read_records import HEAD, ending, opening, read_records
from bough.sample import session


def test_the_start_of_a_long_file_is_enough_for_a_start(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    book = session()
    for number in range(400):
        book.user(f"{number} " + "x" * 900)
    path.write_bytes(book.bytes())

    first, last = list(opening(path)), list(ending(path, path.stat().st_size))

    assert 0 < sum(len(record.raw) for record in first) <= HEAD
    assert 0 < sum(len(record.raw) for record in last) <= HEAD
    assert first[0].uuid == book.uuid(1)
    assert last[-1].uuid == book.uuid(-1)


def test_a_short_file_is_read_whole_from_either_end(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(session().user("a").assistant("b").unended().bytes())

    assert len(list(opening(path))) == 2
    assert len(list(ending(path, path.stat().st_size))) == 2


def test_one_endless_line_has_neither_start_nor_end(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(session().user("x" * 3 * HEAD).bytes())

    assert list(opening(path)) == []
    assert list(ending(path, path.stat().st_size)) == []


def test_what_cannot_be_read_has_nothing_to_say(tmp_path: Path) -> None:
    assert list(opening(tmp_path / "nowhere")) == []
    assert list(ending(tmp_path, 5)) == []


def test_records_and_bad_lines_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(session().user("a").malformed().assistant("b").bytes())

    records, bad = read_records(path)

    assert [record.number for record in records] == [1, 3]
    assert [line.number for line in bad] == [2]
