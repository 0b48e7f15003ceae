"""An archive that is carried elsewhere comes in there once, whole, and makes nothing less."""

import sys
from pathlib import Path

import pytest

from bough import library
from bough.archive.reports.verification import verify_archive
from bough.archive.storage.archive_catalog import file_of, read_catalog
from bough.archive.storage.archive_folder import ArchiveFolder, ForgottenSession
from bough.archive.storage.frame_source import ArchiveSource
from bough.config import archive_path
from bough.errors import Misuse, ProjectNotFound
from tests.unit.archive.kept_history import OTHER, PROJECT, SESSION, KeptHistory


class Machine:
    """Switches between the data folders of two machines."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self._folder = folder
        self._patch = patch
        self.go("home")

    def go(self, name: str) -> None:
        self._patch.setenv("XDG_DATA_HOME", str(self._folder / name))


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path.resolve(), monkeypatch)


@pytest.fixture
def history(machine: Machine, tmp_path: Path) -> KeptHistory:
    made = KeptHistory(tmp_path.resolve())
    made.archive()
    return made


def kept() -> dict[tuple[str, int], bytes]:
    archive = ArchiveFolder(archive_path())
    return {
        (one.header.path, one.generation): ArchiveSource("", str(file_of(archive, one))).at(
            0, 1 << 30
        )
        for one in read_catalog(archive)
    }


def test_everything_comes_in_on_another_machine_and_is_restored_there(
    history: KeptHistory, machine: Machine, tmp_path: Path
) -> None:
    before, files = kept(), history.files(session=SESSION)
    done = library.export_archive(tmp_path / "stick")
    assert (done.sessions, done.files) == (2, len(before))
    machine.go("away")

    came = library.import_archive(tmp_path / "stick")

    assert (came.files, came.same, came.different) == (len(before), 0, [])
    assert came.sessions == {SESSION, OTHER}
    assert kept() == before
    assert verify_archive(ArchiveFolder(archive_path())).is_sound
    other = tmp_path / "other"
    other.mkdir()
    library.apply(library.restore(SESSION, to=other, claude_dir=other))
    assert history.files(other) == files


def test_doing_it_twice_changes_nothing(
    history: KeptHistory, machine: Machine, tmp_path: Path
) -> None:
    library.export_archive(tmp_path / "stick")
    again = library.export_archive(tmp_path / "stick")
    assert (again.files, again.same) == (0, len(kept()))
    machine.go("away")
    library.import_archive(tmp_path / "stick")
    before = {file: file.read_bytes() for file in archive_path().glob("v1/*/*")}

    came = library.import_archive(tmp_path / "stick")

    assert (came.files, came.grown, came.same, came.bytes) == (0, 0, len(before), 0)
    assert {file: file.read_bytes() for file in archive_path().glob("v1/*/*")} == before


def test_what_has_grown_comes_in_and_what_is_shorter_takes_nothing_away(
    history: KeptHistory, machine: Machine, tmp_path: Path
) -> None:
    library.export_archive(tmp_path / "old")
    data = history.transcript.read_bytes() + b'{"type":"summary","summary":"more"}\n'
    history.write(f"projects/{PROJECT}/{SESSION}.jsonl", data)
    history.archive()
    library.export_archive(tmp_path / "new")
    machine.go("away")
    library.import_archive(tmp_path / "old")

    came = library.import_archive(tmp_path / "new")

    path = f"projects/{PROJECT}/{SESSION}.jsonl"
    assert (came.grown, came.different) == (1, [])
    assert kept()[path, 1] == data
    assert library.import_archive(tmp_path / "old").different == []
    assert kept()[path, 1] == data


def test_other_bytes_of_the_same_source_are_left_out_and_named(
    history: KeptHistory, machine: Machine, tmp_path: Path
) -> None:
    path = f"projects/{PROJECT}/{SESSION}.jsonl"
    library.export_archive(tmp_path / "stick")
    archive = ArchiveFolder(archive_path())
    own = next(one for one in read_catalog(archive) if one.header.path == path)
    library.forget_archived_session(SESSION, history.claude, tmp_path / "index.sqlite")
    for stone in archive.path.glob("forgotten/*"):
        stone.unlink()
    history.write(path, history.transcript.read_bytes().replace(b"plan", b"nalp"))
    history.archive()
    before = kept()[path, 1]

    came = library.import_archive(tmp_path / "stick")

    assert came.different == [path]
    assert kept()[path, own.generation] == before


def test_a_session_that_was_forgotten_does_not_come_in(
    history: KeptHistory, machine: Machine, tmp_path: Path
) -> None:
    library.export_archive(tmp_path / "stick")
    machine.go("away")
    ArchiveFolder(archive_path()).forget(ForgottenSession(SESSION, "2026-01-01T00:00:00.000Z"))

    came = library.import_archive(tmp_path / "stick")

    assert came.sessions == {OTHER}
    assert came.forgotten >= 8
    assert not any(SESSION in path for path, _ in kept())


def test_one_project_goes_with_all_that_belongs_to_its_sessions(
    history: KeptHistory, tmp_path: Path
) -> None:
    copy = history.transcript.read_bytes().replace(SESSION.encode(), b"d" * 36)
    history.write(f"projects/-elsewhere/{'d' * 36}.jsonl", copy)
    history.archive()

    done = library.export_archive(tmp_path / "stick", project=PROJECT, claude_dir=history.claude)

    paths = {one.header.path for one in read_catalog(ArchiveFolder(tmp_path / "stick"))}
    assert done.sessions == 2
    assert f"file-history/{SESSION}/0011223344556677@v1" in paths
    assert "plans/a-quiet-plan.md" in paths
    assert not any("-elsewhere" in path for path in paths)
    with pytest.raises(ProjectNotFound):
        library.export_archive(tmp_path / "no", project="nowhere", claude_dir=history.claude)


@pytest.mark.parametrize("damage", ["flipped", "short", "renamed", "foreign"])
def test_what_is_damaged_or_not_what_it_says_stays_out(
    history: KeptHistory, machine: Machine, tmp_path: Path, damage: str
) -> None:
    library.export_archive(tmp_path / "stick")
    file = max((tmp_path / "stick").glob("v1/*/*.zst"), key=lambda one: one.stat().st_size)
    data = bytearray(file.read_bytes())
    match damage:
        case "flipped":
            data[len(data) // 2] ^= 0xFF
            file.write_bytes(data)
        case "short":
            file.write_bytes(data[:40])
        case "renamed":
            file.rename(file.with_name(f"{'0' * 32}.jsonl.zst"))
        case _:
            file.write_bytes(b"something else")
    machine.go("away")

    came = library.import_archive(tmp_path / "stick")

    assert len(came.problems) == 1
    assert len(kept()) == came.files > 3
    assert verify_archive(ArchiveFolder(archive_path())).is_sound


def test_places_where_nothing_may_be_written_are_refused(
    history: KeptHistory, tmp_path: Path
) -> None:
    with pytest.raises(Misuse, match="inside the Claude folder"):
        library.export_archive(history.claude / "stick", claude_dir=history.claude)
    with pytest.raises(Misuse, match="inside the archive"):
        library.export_archive(archive_path() / "stick")
    with pytest.raises(Misuse, match="holds no files of an archive"):
        library.import_archive(tmp_path / "nowhere")


def test_an_archive_with_nothing_in_it_is_not_carried(machine: Machine, tmp_path: Path) -> None:
    with pytest.raises(Misuse, match="Nothing is archived yet"):
        library.export_archive(tmp_path / "stick")
    assert not (tmp_path / "stick").exists()


# -- encrypted ----------------------------------------------------------------------------------


def test_an_encrypted_copy_is_opened_by_age_itself_and_by_the_import(
    history: KeptHistory, machine: Machine, tmp_path: Path
) -> None:
    age = pytest.importorskip("pyrage", reason="the extra bough[age] is not installed")
    key = age.x25519.Identity.generate()
    (tmp_path / "key.txt").write_text(f"# a key\n{key}\n")
    before = kept()

    library.export_archive(tmp_path / "stick", recipient=str(key.to_public()))

    encrypted = sorted((tmp_path / "stick").glob("v1/*/*"))
    own = {file.name: file.read_bytes() for file in archive_path().glob("v1/*/*")}
    opened = {file.stem: age.decrypt(file.read_bytes(), [key]) for file in encrypted}
    assert opened == own
    assert all(file.stat().st_mode & 0o777 == 0o600 for file in encrypted)
    assert not any(SESSION.encode() in file.read_bytes() for file in encrypted)
    machine.go("away")
    with pytest.raises(Misuse, match="--identity"):
        library.import_archive(tmp_path / "stick")
    library.import_archive(tmp_path / "stick", identity=tmp_path / "key.txt")
    assert kept() == before


def test_another_key_opens_nothing(history: KeptHistory, machine: Machine, tmp_path: Path) -> None:
    age = pytest.importorskip("pyrage", reason="the extra bough[age] is not installed")
    (tmp_path / "key.txt").write_text(str(age.x25519.Identity.generate()))
    (tmp_path / "none.txt").write_text("# nothing\n")
    (tmp_path / "odd.txt").write_text("AGE-SECRET-KEY-1NONSENSE\n")
    public = str(age.x25519.Identity.generate().to_public())
    library.export_archive(tmp_path / "stick", recipient=public)
    machine.go("away")

    came = library.import_archive(tmp_path / "stick", identity=tmp_path / "key.txt")

    assert (came.files, kept()) == (0, {})
    assert "No key in" in str(came.problems[0].reason)
    for name in ("none.txt", "odd.txt"):
        with pytest.raises(Misuse, match="holds no key of age"):
            library.import_archive(tmp_path / "stick", identity=tmp_path / name)
    with pytest.raises(Misuse, match="is not a recipient"):
        library.export_archive(tmp_path / "stick", recipient="age1nonsense")


def test_without_the_extra_it_is_said_how_to_get_it(
    history: KeptHistory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyrage", None)

    with pytest.raises(Misuse, match=r"pip install 'bough\[age\]'"):
        library.export_archive(tmp_path / "stick", recipient="age1x")

    assert not (tmp_path / "stick").exists()
