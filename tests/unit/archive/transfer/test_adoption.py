"""What an archive has of another machine becomes this machine's, whole, and is listed here."""

from pathlib import Path

import pytest

from bough import library
from bough.archive.reports.sentences import describe_equal
from bough.archive.reports.verification import verify_archive
from bough.archive.storage.archive_catalog import file_of, read_catalog
from bough.archive.storage.archive_folder import ArchiveFolder, machine_id
from bough.archive.storage.frame_source import ArchiveSource
from bough.config import archive_path
from bough.errors import Misuse
from tests.unit.archive.kept_history import OTHER, PROJECT, SESSION, KeptHistory


@pytest.fixture
def history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KeptHistory:
    """Give a history whose archive was carried to a machine that has none of its files."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    made = KeptHistory(tmp_path.resolve())
    made.archive()
    library.export_archive(tmp_path / "stick")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "away"))
    library.import_archive(tmp_path / "stick")
    return made


def read_kept() -> dict[str, bytes]:
    archive = ArchiveFolder(archive_path())
    return {
        one.header.path: ArchiveSource("", str(file_of(archive, one))).at(0, 1 << 30)
        for one in read_catalog(archive)
    }


def find_other() -> str:
    return next(one.machine for one in library.archive_machines() if not one.is_own)


def make_folder(tmp_path: Path) -> Path:
    folder = tmp_path.resolve() / "here"
    (folder / "projects").mkdir(parents=True)
    return folder


def test_what_was_imported_is_listed_and_read_once_it_is_adopted(
    history: KeptHistory, tmp_path: Path
) -> None:
    folder, before = make_folder(tmp_path), read_kept()
    whole = history.transcript.read_bytes()
    assert not library.sessions(claude_dir=folder)

    done = library.adopt_machine(find_other()[:6], folder)

    assert (done.files, done.different, done.problems) == (len(before), [], [])
    assert read_kept() == before
    assert {row.id for row in library.sessions(claude_dir=folder)} == {SESSION, OTHER}
    (only,) = library.archive_machines()
    assert (only.is_own, only.folder, only.machine) == (True, str(folder), machine_id())
    assert verify_archive(ArchiveFolder(archive_path())).is_sound
    library.apply(library.restore(SESSION, claude_dir=folder))
    assert (folder / "projects" / PROJECT / f"{SESSION}.jsonl").read_bytes() == whole


def test_what_both_machines_have_is_reported_by_verify_and_kept_once_after(
    history: KeptHistory,
) -> None:
    history.archive()
    other, files = find_other(), len(read_kept())
    (equal,) = verify_archive(ArchiveFolder(archive_path())).equal
    assert (equal.machine, equal.other, equal.files) == (other, machine_id(), files)
    assert f"bough archive adopt {other[:8]} joins them" in describe_equal(equal)

    done = library.adopt_machine(other, history.claude)

    assert (done.files, done.same) == (0, files)
    assert len(read_catalog(ArchiveFolder(archive_path()))) == files
    assert not verify_archive(ArchiveFolder(archive_path())).equal


def test_other_bytes_of_the_same_session_stay_with_the_other_machine(
    history: KeptHistory,
) -> None:
    history.transcript.write_bytes(b'{"type":"user","text":"another"}\n')
    history.archive()
    other = find_other()

    done = library.adopt_machine(other, history.claude)

    name = f"projects/{PROJECT}/{SESSION}.jsonl"
    assert done.different == [name]
    left = read_catalog(ArchiveFolder(archive_path()))
    assert [one.header.path for one in left if one.header.machine == other] == [name]
    assert verify_archive(ArchiveFolder(archive_path())).is_sound


def test_what_grew_here_and_what_grew_there_both_keep_the_longer(history: KeptHistory) -> None:
    whole = history.transcript.read_bytes()
    history.transcript.write_bytes(whole[: whole.index(b"\n") + 1])
    history.archive()

    done = library.adopt_machine(find_other(), history.claude)

    assert (done.grown, done.different) == (1, [])
    assert read_kept()[f"projects/{PROJECT}/{SESSION}.jsonl"] == whole


def test_a_forgotten_session_is_not_adopted(history: KeptHistory, tmp_path: Path) -> None:
    folder = make_folder(tmp_path)
    library.forget_archived_session(OTHER, folder)
    library.adopt_machine(find_other(), folder)
    assert {row.id for row in library.sessions(claude_dir=folder)} == {SESSION}


@pytest.mark.parametrize("name", ["", "nobody"])
def test_a_machine_that_is_not_there_is_a_sentence(history: KeptHistory, name: str) -> None:
    with pytest.raises(Misuse, match=r"no machine called .* lists the machines"):
        library.adopt_machine(name, history.claude)


def test_this_machine_needs_no_adoption(history: KeptHistory) -> None:
    history.archive()
    with pytest.raises(Misuse, match="is this machine"):
        library.adopt_machine(machine_id()[:8], history.claude)
