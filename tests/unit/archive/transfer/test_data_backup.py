"""All of bough's own data goes into one file and comes back, whole or not at all."""

import io
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from bough import library
from bough.archive.reports.verification import verify_archive
from bough.archive.storage.archive_folder import ArchiveFolder
from bough.archive.transfer.data_backup import BackupTrouble, read_backup
from bough.config import archive_path, data_dir, settings_path
from bough.errors import Misuse, Unreadable
from bough.query.index.handle import open_index
from tests.file_size import limited_file_size
from tests.unit.archive.kept_history import SESSION, KeptHistory

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


@pytest.fixture
def history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KeptHistory:
    """A history, and some of everything that bough keeps itself."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    made = KeptHistory(tmp_path.resolve())
    made.archive()
    settings_path().parent.mkdir(parents=True)
    settings_path().write_text("backup_days = 120\n")
    library.apply(library.rename(made.transcript, "A title", claude_dir=made.claude))
    library.star(SESSION, claude_dir=made.claude)
    open_index([made.claude]).close()
    return made


def own_files() -> dict[str, bytes]:
    """Read what must come back; the annotations are compared by what they say."""
    left_out = ("index.sqlite", "catalog.sqlite", "writer", "timetravel.lock", "annotations")
    return {
        path.relative_to(data_dir()).as_posix(): path.read_bytes()
        for path in sorted(data_dir().rglob("*"))
        if path.is_file() and not path.name.startswith(left_out)
    }


def lose_everything() -> None:
    shutil.rmtree(data_dir())
    settings_path().unlink()


def test_everything_comes_back_but_the_index(history: KeptHistory, tmp_path: Path) -> None:
    before, file = own_files(), tmp_path / "backup.tar.zst"
    assert {name.split("/")[0] for name in before} >= {"archive", "backups", "journal.jsonl"}
    contents = library.back_up(file)
    lose_everything()

    done = library.restore_backup(file)

    assert (done.files, done.aside) == (len(contents.files), ())
    assert own_files() == before
    assert settings_path().read_text() == "backup_days = 120\n"
    assert [one.id for one in library.annotations()] == [SESSION]
    assert verify_archive(ArchiveFolder(archive_path())).is_sound
    assert not (data_dir() / "index.sqlite").exists()
    library.apply(library.undo(claude_dir=history.claude))
    history.delete()
    assert library.read_session(history.transcript).records


def test_nobody_else_can_read_it_and_tar_can(history: KeptHistory, tmp_path: Path) -> None:
    file = tmp_path / "backup.tar.zst"
    contents = library.back_up(file)

    assert file.stat().st_mode & 0o777 == 0o600
    assert not list(tmp_path.glob("*.part"))
    names = [one.name for one in contents.files]
    assert not any("index.sqlite" in name or "catalog" in name for name in names)
    if shutil.which("zstd") is None:
        pytest.skip("there is no zstd on this machine")
    plain = subprocess.run(["zstd", "-dc", file], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(plain)) as tar:
        assert tar.getnames() == [*names, "bough-backup.json"]


def test_data_that_is_there_is_refused_or_put_aside(history: KeptHistory, tmp_path: Path) -> None:
    file = tmp_path / "backup.tar.zst"
    library.back_up(file)
    library.unstar(SESSION, claude_dir=history.claude)
    before = own_files()

    with pytest.raises(Misuse, match="--replace"):
        library.restore_backup(file)
    assert own_files() == before

    done = library.restore_backup(file, replace=True)

    assert [one.id for one in library.annotations()] == [SESSION]
    assert len(done.aside) == 2
    kept = Path(next(place for place in done.aside if "config" not in place))
    assert (kept / "annotations.sqlite").exists()
    assert {name: (kept / name).read_bytes() for name in before} == before


@pytest.mark.parametrize("damage", ["short", "flipped", "empty", "other", "climbing", "link"])
def test_what_is_not_whole_or_not_ours_changes_nothing(
    history: KeptHistory, tmp_path: Path, damage: str
) -> None:
    file = tmp_path / "backup.tar.zst"
    library.back_up(file)
    data = bytearray(file.read_bytes())
    match damage:
        case "short":
            data = data[: len(data) // 2]
        case "flipped":
            data[len(data) // 2] ^= 0xFF
        case "empty":
            data = bytearray()
        case "other":
            data = bytearray(b"notes of mine")
        case _:
            data = bytearray(make_tar(damage))
    file.write_bytes(data)
    lose_everything()

    with pytest.raises(Unreadable):
        library.restore_backup(file)

    assert not data_dir().exists()
    assert not settings_path().exists()
    assert not list(data_dir().parent.glob("bough.*"))


def make_tar(damage: str) -> bytes:
    info = tarfile.TarInfo("data/../../../evil" if damage == "climbing" else "data/evil")
    if damage == "link":
        info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as tar:
        tar.addfile(info)
    return zstd.compress(plain.getvalue())


def test_a_file_that_is_no_backup_is_not_written_over_and_an_older_backup_is(
    history: KeptHistory, tmp_path: Path
) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("mine")
    with pytest.raises(Misuse, match="not a backup of bough"):
        library.back_up(notes)
    assert notes.read_text() == "mine"

    file = tmp_path / "backup.tar.zst"
    first = library.back_up(file)
    history.write(f"tasks/{SESSION}/2.json", b'{"id":"2"}')
    history.archive()
    second = library.back_up(file)
    assert len(second.files) == len(first.files) + 1
    found = read_backup(file)
    assert (found.at, found.version, found.files) == (second.at, second.version, second.files)


@pytest.mark.skipif(os.name != "posix", reason="sizes of files are limited on POSIX")
def test_a_backup_that_finds_no_room_leaves_the_older_one(
    history: KeptHistory, tmp_path: Path
) -> None:
    file = tmp_path / "backup.tar.zst"
    library.back_up(file)
    before = file.read_bytes()
    history.write(f"tasks/{SESSION}/2.json", os.urandom(100_000))
    history.archive()

    with limited_file_size(50_000), pytest.raises(BackupTrouble, match="Cannot write"):
        library.back_up(file)

    assert file.read_bytes() == before
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.skipif(os.name != "posix", reason="sizes of files are limited on POSIX")
def test_a_backup_that_finds_no_room_to_come_back_to_changes_nothing(
    history: KeptHistory, tmp_path: Path
) -> None:
    history.write(f"tasks/{SESSION}/2.json", os.urandom(100_000))
    history.archive()
    file = tmp_path / "backup.tar.zst"
    library.back_up(file)
    before = own_files()

    # The last write to a file is taken in part there, and the system says nothing.
    with limited_file_size(50_000), pytest.raises(BackupTrouble, match="Cannot write"):
        library.restore_backup(file, replace=True)

    assert own_files() == before
    assert [path.name for path in data_dir().parent.iterdir()] == [data_dir().name]


def test_places_that_are_none_for_a_backup_are_refused(
    history: KeptHistory, tmp_path: Path
) -> None:
    with pytest.raises(Misuse, match="inside the Claude folder"):
        library.back_up(history.claude / "backup", claude_dir=history.claude)
    with pytest.raises(Misuse, match="inside bough's own data"):
        library.back_up(data_dir() / "backup")
    with pytest.raises(Misuse, match="cannot be a file"):
        library.back_up(tmp_path / "nowhere" / "backup")
    with pytest.raises(Unreadable):
        library.restore_backup(tmp_path / "nothing")


def test_an_archive_elsewhere_is_in_it_and_the_place_is_said(
    history: KeptHistory, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    (data_dir() / "archive").rename(elsewhere)
    settings_path().write_text(f'archive_dir = "{elsewhere}"\n')
    file = tmp_path / "backup.tar.zst"
    library.back_up(file)
    lose_everything()

    done = library.restore_backup(file)

    assert (data_dir() / "archive" / "v1").is_dir()
    assert any(str(elsewhere) in note for note in done.notes)


def test_a_backup_without_the_archive_that_there_was_says_so(
    history: KeptHistory, tmp_path: Path
) -> None:
    library.archive_sessions(history.claude)
    archive_path().rename(tmp_path / "unplugged")

    done = library.back_up(tmp_path / "gone.tar.zst")

    (note,) = done.notes
    assert note.startswith(f"The archive {archive_path()} is not there, so it is not in the backup")
    assert not any("/archive/" in one.name for one in done.files)
