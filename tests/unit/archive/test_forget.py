"""A session that is forgotten leaves nothing in what is bough's own, and what stays is said."""

from pathlib import Path

import pytest

from bough import library
from bough.archive.archive_catalog import read_catalog
from bough.archive.archive_folder import ArchiveFolder
from bough.archive.take_in import forget
from bough.config import archive_path, data_dir
from bough.errors import SessionNotFound
from bough.query.index.handle import open_index
from tests.unit.archive.kept_history import OTHER, SESSION, KeptHistory

SECRET = b"a secret that must go"


@pytest.fixture
def history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KeptHistory:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return KeptHistory(tmp_path.resolve())


def entries_of(session: str) -> list[str]:
    entries = read_catalog(ArchiveFolder(archive_path()))
    return [one.header.path for one in entries if one.header.session == session]


def index_of(history: KeptHistory) -> Path:
    return history.claude.parent / "index.sqlite"


def test_archive_index_backups_and_annotations_are_gone(history: KeptHistory) -> None:
    index = index_of(history)
    library.apply(library.rename(history.transcript, SECRET.decode(), claude_dir=history.claude))
    library.apply(library.undo(claude_dir=history.claude))
    history.archive()
    open_index([history.claude], index).close()
    message = library.read_session(history.transcript).conversation().messages[0]
    library.star(SESSION, claude_dir=history.claude)
    library.annotate(SESSION, "a note", message=message.uuid, claude_dir=history.claude)
    library.star(OTHER, claude_dir=history.claude)
    backups = [file for file in (data_dir() / "backups").rglob("*") if file.is_file()]
    assert any(SECRET in file.read_bytes() for file in backups)
    history.delete()

    done = library.forget_archived_session(SESSION, history.claude, index)

    assert done.files == 8  # transcript, meta, result, history, task, todo, picture, prompts
    assert (done.indexed, done.annotations) == (1, 2)
    assert done.backups == len(backups)
    assert entries_of(SESSION) == []
    assert [one.id for one in library.annotations()] == [OTHER]
    assert not any(file.is_file() for file in (data_dir() / "backups").rglob("*"))
    rows = library.sessions(claude_dir=history.claude, index=index, everything=True)
    assert [row.id for row in rows] == [OTHER]


def test_what_cannot_be_removed_is_said(history: KeptHistory) -> None:
    history.archive()

    done = library.forget_archived_session(SESSION, history.claude, index_of(history))

    words = " ".join(done.remaining)
    assert f"The client's own file {history.transcript} is as it was." in words
    assert f"What you typed in it stands in {history.claude / 'history.jsonl'}." in words
    assert "Exports and forks" in words
    assert history.transcript.exists()


def test_every_generation_goes_also_one_that_no_catalog_knows(history: KeptHistory) -> None:
    history.archive()
    history.write(f"projects/-work-shop/{SESSION}.jsonl", b'{"type":"summary"}\n')
    history.archive()
    archive = ArchiveFolder(archive_path())
    transcripts = [
        one
        for one in read_catalog(archive)
        if (one.header.session, one.header.role) == (SESSION, "session")
    ]
    assert [one.generation for one in transcripts] == [1, 2]
    name = transcripts[0].id
    third = archive.name_file(name, "jsonl", 3)
    third.write_bytes(archive.name_file(name, "jsonl", 2).read_bytes())

    forget(archive, SESSION)

    assert list(archive.path.glob(f"v1/*/{name}*")) == []


def test_a_plan_that_another_session_names_stays_with_that_one(history: KeptHistory) -> None:
    history.archive()
    history.delete()
    shared = {"plans/a-quiet-plan.md", "paste-cache/0123456789abcdef.txt"}
    assert shared <= {*entries_of(SESSION)} | {*entries_of(OTHER)}

    for session, other in ((SESSION, OTHER), (OTHER, None)):
        forget(ArchiveFolder(archive_path()), session)
        assert entries_of(session) == []
        if other is not None:
            assert shared <= {*entries_of(other)}
            library.apply(library.restore(other, claude_dir=history.claude))
            assert history.files()["plans/a-quiet-plan.md"] == b"# A plan\n"


def test_a_session_that_only_the_index_knows_can_be_forgotten(history: KeptHistory) -> None:
    index = index_of(history)
    open_index([history.claude], index).close()
    history.delete()

    found = library.find_forgettable_session(SESSION[:6], history.claude, index)
    done = library.forget_archived_session(found, history.claude, index)

    assert (done.session, done.files, done.indexed) == (SESSION, 0, 1)
    assert "bough index --rebuild" in " ".join(done.remaining)
    assert [one.id for one in library.unkept_sessions(history.claude, index)] == [OTHER]


def test_a_session_that_nobody_knows_cannot_be_forgotten(history: KeptHistory) -> None:
    with pytest.raises(SessionNotFound):
        library.forget_archived_session("nobody", history.claude, index_of(history))
