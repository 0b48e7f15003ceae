"""Every real file reads, and gives its bytes back."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from bough.model.session import Session
from bough.records.record import BadLine, Record

Files = Mapping[Path, Session]


def test_all_files_are_here(shared: Path, corpus: Files, client_files: Files) -> None:
    written = shared / "client-files"

    assert len(corpus) == 177
    assert {path.relative_to(written).parts[0] for path in client_files} == {
        *("1.0.51", "1.0.128", "2.0.14", "2.0.76", "2.1.50", "2.1.150", "2.1.250", "2.1.325"),
    }


def test_the_records_and_bad_lines_of_a_file_joined_are_the_file(all_files: Files) -> None:
    for path, session in all_files.items():
        items: list[Record | BadLine] = [*session.records, *session.bad_lines]
        items.sort(key=lambda item: item.offset)

        assert b"".join(item.raw for item in items) == path.read_bytes(), path


def test_offsets_point_at_the_bytes(corpus: Files) -> None:
    for path, session in corpus.items():
        data = path.read_bytes()
        for record in session.records:
            assert data.startswith(record.raw, record.offset), (path, record.offset)


def test_no_kind_is_unknown(all_files: Files) -> None:
    unknown = Counter(r.type for session in all_files.values() for r in session.unknown_records)

    assert unknown == {}


def test_only_comments_that_a_publisher_added_are_bad_lines(all_files: Files) -> None:
    bad = {path.name[:8]: len(s.bad_lines) for path, s in all_files.items() if s.bad_lines}

    assert bad == {"035d562e": 2, "cc124518": 2, "9dfbaa31": 2, "b8e36297": 2}
    for session in all_files.values():
        assert all(line.raw.startswith(b"//") for line in session.bad_lines)


def test_the_tree_has_every_record_with_a_uuid_and_no_circle(all_files: Files) -> None:
    for path, session in all_files.items():
        tree = session.tree
        uuids = [record.uuid for record in session.records if record.uuid is not None]

        assert sorted(tree.number) == sorted(set(uuids)), path
        assert sum(map(len, tree.lines)) == len(uuids), path
        assert tree.cycles == 0, path


def test_copies_and_duplicates_are_those_that_were_seen(all_files: Files) -> None:
    copies = {path.stem[:8]: s.tree.copies for path, s in all_files.items() if s.tree.copies}
    repeats = {path.stem: s.tree.duplicates for path, s in all_files.items() if s.tree.duplicates}

    assert copies == {"035d562e": 177, "cc124518": 9, "808f2765": 122}
    assert repeats == {"agent-ae59d9d2b2752159a": 27}
