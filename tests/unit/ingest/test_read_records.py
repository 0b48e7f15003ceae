"""As much of a file as a question needs."""

from pathlib import Path

from bough.files.byte_source import DiskSource
from bough.ingest.read_records import HEAD, read_first_records, read_last_records, read_records
from bough.sample import session


def test_the_start_of_a_long_file_is_enough_for_a_start(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    builder = session()
    for number in range(400):
        builder.user(f"{number} " + "x" * 900)
    path.write_bytes(builder.bytes())

    first, last = (
        list(read_first_records(DiskSource(str(path)))),
        list(read_last_records(DiskSource(str(path)), path.stat().st_size)),
    )

    assert 0 < sum(len(record.raw) for record in first) <= HEAD
    assert 0 < sum(len(record.raw) for record in last) <= HEAD
    assert first[0].uuid == builder.uuid(1)
    assert last[-1].uuid == builder.uuid(-1)


def test_a_short_file_is_read_whole_from_either_end(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(session().user("a").assistant("b").drop_newline().bytes())

    assert len(list(read_first_records(DiskSource(str(path))))) == 2
    assert len(list(read_last_records(DiskSource(str(path)), path.stat().st_size))) == 2


def test_one_endless_line_has_neither_start_nor_end(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(session().user("x" * 3 * HEAD).bytes())

    assert list(read_first_records(DiskSource(str(path)))) == []
    assert list(read_last_records(DiskSource(str(path)), path.stat().st_size)) == []


def test_what_cannot_be_read_has_nothing_to_say(tmp_path: Path) -> None:
    assert list(read_first_records(DiskSource(str(tmp_path / "nowhere")))) == []
    assert list(read_last_records(DiskSource(str(tmp_path)), 5)) == []


def test_records_and_bad_lines_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(session().user("a").malformed_line().assistant("b").bytes())

    records, bad = read_records(DiskSource(str(path)))

    assert [record.number for record in records] == [1, 3]
    assert [line.number for line in bad] == [2]
