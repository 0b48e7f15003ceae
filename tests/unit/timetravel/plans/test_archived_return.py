"""A session comes back from the archive with all that belongs to it, and over nothing."""

from pathlib import Path

import msgspec
import pytest

from bough import library
from bough.archive.reports.archived_sessions import find_kept_sessions
from bough.archive.storage.archive_catalog import read_catalog
from bough.archive.storage.archive_folder import ArchiveFolder
from bough.config import archive_path, data_dir
from bough.errors import Misuse, SessionNotFound
from bough.files.discover import encode_cwd
from bough.timetravel.errors import AlreadyThere, OutsideClaude
from bough.timetravel.plan import Append, Create, MakeFolder, Plan, RemoveFolder
from bough.timetravel.session_file import take_snapshot
from tests.unit.archive.kept_history import OLD, OTHER, PROJECT, SESSION, KeptHistory


@pytest.fixture
def history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KeptHistory:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    made = KeptHistory(tmp_path.resolve())
    made.archive()
    return made


def test_every_file_of_a_deleted_session_comes_back_also_from_folders_beside_projects(
    history: KeptHistory,
) -> None:
    before = history.files(session=SESSION)
    modes = {name: (history.claude / name).stat().st_mode for name in before}
    history.delete()

    library.apply(library.restore(SESSION[:8], claude_dir=history.claude))

    assert history.files() == before
    assert {name.split("/")[0] for name in before} == {
        "projects", "file-history", "tasks", "todos", "plans", "paste-cache", "image-cache",
    }  # fmt: skip
    assert {name: (history.claude / name).stat().st_mode for name in before} == modes
    assert all((history.claude / name).stat().st_mtime_ns > OLD for name in before)


def test_a_plan_and_a_paste_that_two_sessions_name_come_back_with_either(
    history: KeptHistory,
) -> None:
    history.delete()

    library.apply(library.restore(OTHER, claude_dir=history.claude))

    assert {name.split("/")[0] for name in history.files()} == {"projects", "plans", "paste-cache"}


def test_the_undo_takes_all_of_it_away_and_the_archive_still_has_it(history: KeptHistory) -> None:
    history.delete()
    library.apply(library.restore(SESSION, claude_dir=history.claude))

    library.apply(library.undo(claude_dir=history.claude))

    assert history.files() == {}
    assert library.read_session(history.transcript).records
    library.apply(library.restore(SESSION, claude_dir=history.claude))
    assert history.transcript.exists()


def test_files_get_their_old_times_where_that_is_wanted(history: KeptHistory) -> None:
    history.delete()

    library.apply(library.restore(SESSION, keep_times=True, claude_dir=history.claude))

    assert {(history.claude / name).stat().st_mtime_ns for name in history.files()} == {OLD}


def test_only_what_is_gone_comes_back_beside_a_transcript_that_is_there(
    history: KeptHistory,
) -> None:
    before = history.files()
    history.delete("file-history", "tasks")

    plan = library.restore(SESSION, claude_dir=history.claude)
    library.apply(plan)

    assert len(plan.creates) == 2
    assert "2 files that belong to aaaaaaaa" in plan.headline
    assert history.files() == before


def test_a_session_that_is_there_whole_has_nothing_to_bring_back(history: KeptHistory) -> None:
    with pytest.raises(AlreadyThere, match="is there as the archive has it"):
        library.restore(SESSION, keep_times=True, claude_dir=history.claude)


def test_another_transcript_by_its_name_is_refused(history: KeptHistory, tmp_path: Path) -> None:
    other = tmp_path / "other"
    taken = other / "projects" / PROJECT / f"{SESSION}.jsonl"
    taken.parent.mkdir(parents=True)
    taken.write_bytes(b"{}\n")

    with pytest.raises(AlreadyThere, match="nothing is written over"):
        library.restore(SESSION, to=other, claude_dir=history.claude)

    assert history.files(other) == {f"projects/{PROJECT}/{SESSION}.jsonl": b"{}\n"}


def test_a_companion_that_is_there_and_different_stays_and_is_named(history: KeptHistory) -> None:
    history.delete()
    history.write("plans/a-quiet-plan.md", b"# Another plan\n")

    plan = library.restore(SESSION, claude_dir=history.claude)
    library.apply(plan)

    assert any("a-quiet-plan.md is there and different" in note for note in plan.notes)
    assert history.files()["plans/a-quiet-plan.md"] == b"# Another plan\n"
    assert history.transcript.exists()


def test_it_goes_to_another_claude_folder_and_to_the_place_where_its_project_lies_now(
    history: KeptHistory, tmp_path: Path
) -> None:
    other, cwd = tmp_path.resolve() / "other", tmp_path.resolve() / "moved here"
    other.mkdir()
    cwd.mkdir()
    before = history.files(session=SESSION)

    plan = library.restore(SESSION, to=other, cwd=cwd, claude_dir=history.claude)
    library.apply(plan)

    assert history.files(other) == {
        name.replace(PROJECT, encode_cwd(str(cwd))): data for name, data in before.items()
    }
    assert history.files(session=SESSION) == before
    assert plan.resume_command is not None
    assert plan.resume_command.folder == str(cwd)
    library.apply(library.undo(claude_dir=other))
    assert history.files(other) == {}


def test_a_session_that_is_there_is_not_written_a_second_time_for_another_project(
    history: KeptHistory, tmp_path: Path
) -> None:
    (tmp_path / "moved").mkdir()

    with pytest.raises(AlreadyThere, match="bough move"):
        library.restore(SESSION, cwd=tmp_path / "moved", claude_dir=history.claude)


def test_a_session_of_another_machine_needs_a_folder_to_go_to(
    history: KeptHistory, tmp_path: Path
) -> None:
    (data_dir() / "machine-id").write_text("another\n")
    history.delete()
    other = tmp_path / "other"
    other.mkdir()

    with pytest.raises(Misuse, match=r"of another machine.*--to"):
        library.restore(SESSION[:8], claude_dir=history.claude)
    library.apply(library.restore(SESSION[:8], to=other, claude_dir=history.claude))

    assert (other / "projects" / PROJECT / f"{SESSION}.jsonl").exists()


def test_a_session_that_the_archive_does_not_have_is_not_found(history: KeptHistory) -> None:
    with pytest.raises(SessionNotFound):
        library.restore("nobody", to=history.claude, claude_dir=history.claude)


def test_a_folder_that_is_not_there_is_no_claude_folder(history: KeptHistory) -> None:
    with pytest.raises(Misuse, match="There is no folder"):
        library.restore(SESSION, to=history.claude / "nowhere", claude_dir=history.claude)


@pytest.mark.parametrize(
    "name",
    [
        "settings.json",
        "projects/../settings.json",
        "tasks/../../elsewhere",
        "/etc/passwd",
        "projects/-other/agent-a.jsonl",
        "plans",
    ],
)
def test_what_an_archive_says_of_files_elsewhere_is_left_out(
    history: KeptHistory, name: str
) -> None:
    archive = ArchiveFolder(archive_path())
    entries = read_catalog(archive)
    own = next(one for one in entries if one.header.role == "task")
    header = msgspec.structs.replace(own.header, path=name)
    entries.append(msgspec.structs.replace(own, id="0" * 32, header=header))

    (kept,) = find_kept_sessions(archive, entries, SESSION)

    assert name not in {str(file.name) for file in kept.files}


@pytest.mark.parametrize(
    "place", ["settings.json", "tasks/../settings.json", "shell-snapshots/s.sh", "tasks"]
)
def test_nothing_is_written_outside_the_folders_of_sessions(
    history: KeptHistory, place: str
) -> None:
    step = Create(f"{history.claude}/{place}", b"{}")
    plan = Plan(
        operation="restore",
        session=SESSION,
        headline="",
        projects=str(history.claude / "projects"),
        steps=(step,),
    )

    with pytest.raises(OutsideClaude):
        library.apply(plan)

    assert not (history.claude / "settings.json").exists()


def test_beside_projects_files_are_made_and_never_changed(history: KeptHistory) -> None:
    file = history.claude / "tasks" / SESSION / "1.json"
    for step in (
        Append(str(file), b"x", take_snapshot(file)),
        MakeFolder(str(history.claude / "hooks")),
        RemoveFolder(str(history.claude)),
    ):
        plan = Plan(
            operation="restore",
            session=SESSION,
            headline="",
            projects=str(history.claude / "projects"),
            steps=(step,),
        )
        with pytest.raises(OutsideClaude):
            library.apply(plan)
