"""A session whose file the client deleted is restored first, before somebody goes on with it."""

import shutil
from pathlib import Path

import pytest

from bough import library
from bough.archive.storage.archive_catalog import read_catalog
from bough.archive.storage.archive_folder import ArchiveFolder
from bough.archive.storage.contents import count_contents
from bough.config import archive_path
from bough.timetravel.errors import SessionDeleted
from tests.unit.archive.kept_history import PROJECT, SESSION, KeptHistory

RESTORE_FIRST = rf"Restore it first: bough restore {SESSION[:8]} brings it back"


@pytest.fixture
def history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KeptHistory:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    made = KeptHistory(tmp_path.resolve())
    made.archive()
    return made


def test_what_would_change_it_says_that_it_has_to_be_restored_first(history: KeptHistory) -> None:
    history.transcript.unlink()
    with pytest.raises(SessionDeleted, match=RESTORE_FIRST):
        library.rename(history.transcript, "Another title", claude_dir=history.claude)
    with pytest.raises(SessionDeleted, match=RESTORE_FIRST):
        library.goto(history.transcript, "active", claude_dir=history.claude)


def test_its_resume_command_is_the_one_that_restores_it(history: KeptHistory) -> None:
    assert library.resume_command(history.transcript).kind == "resume"
    history.transcript.unlink()

    found = library.resume_command(history.transcript)

    assert (found.kind, found.kind.label) == ("restore", "restore command")
    assert found.text == f"bough restore {SESSION} --claude-dir {history.claude}"
    assert f"bough restore {SESSION[:8]} brings it back" in found.note


def test_one_that_nothing_has_gets_no_command_and_a_reason(history: KeptHistory) -> None:
    history.transcript.unlink()
    shutil.rmtree(archive_path())

    found = library.resume_command(history.transcript)

    assert (found.kind, found.text) == ("none", "")
    assert "the archive does not have it" in found.note


def test_one_of_which_only_agents_are_kept_is_counted_apart(history: KeptHistory) -> None:
    other = "cccccccc-0000-4000-8000-000000000003"
    agent = f"projects/{PROJECT}/{other}/subagents/agent-a2.jsonl"
    history.write(agent, b'{"type":"user","isSidechain":true}\n')

    done = history.archive()

    assert done.contents == count_contents(read_catalog(ArchiveFolder(archive_path())))
    assert (done.contents.sessions, done.contents.partial) == (2, 1)
    status = library.archive_status(history.claude)
    assert (status.sessions, status.partial) == (2, 1)
    assert library.describe_contents(status).startswith("2 sessions safe and parts of 1 more, ")
