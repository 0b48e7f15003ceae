"""A session that the client deleted is answered from the archive as it was from its files."""

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from bough import library
from bough.archive.intake.take_in import forget, take_in
from bough.archive.storage.archive_folder import ArchiveFolder
from bough.config import archive_path
from bough.errors import BoughError
from bough.export.document_options import ExportFormat, ExportOptions
from bough.library import KeptPlace
from bough.query.index.handle import open_index
from bough.query.lists.catalog import FileCatalog
from bough.sample.demo import write_demo
from tests.searched import NOW

WORDS = ("checkpoint", '"import job"', "/impor[t]/", "tool:Edit")


class History(msgspec.Struct, frozen=True):
    """A Claude folder, an index that knows it, and the sessions in it."""

    claude: Path
    index: Path
    paths: tuple[str, ...]

    @property
    def long_session(self) -> str:
        """Name the session in which most was said."""
        return max(self.paths, key=lambda path: len(library.read_session(path).records))

    def delete_everything(self) -> None:
        """Delete what the client deletes: sessions with all that belongs to them."""
        for name in ("projects", "todos", "tasks", "plans", "file-history", "image-cache"):
            shutil.rmtree(self.claude / name, ignore_errors=True)


@pytest.fixture
def history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> History:
    folder = tmp_path.resolve()
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
    claude = write_demo(folder / "demo", NOW)
    paths = tuple(
        str(path)
        for path in sorted((claude / "projects").glob("*/*.jsonl"))
        if not path.name.startswith("agent-")
    )
    return History(claude, folder / "index.sqlite", paths)


def list_rows(history: History) -> object:
    listed = library.sessions(claude_dir=history.claude, index=history.index)
    # Where the words are is what changes; the rest must not.
    rows = [msgspec.structs.replace(row, kept_in=KeptPlace.FILE) for row in listed]
    return rows, library.projects(claude_dir=history.claude)


def show(history: History) -> object:
    return [
        [
            session.title,
            session.todo_lists,
            session.plan_files,
            [(agent.id, agent.description) for agent in session.agents],
            [(record.offset, record.raw) for record in session.records],
        ]
        for session in map(library.read_session, history.paths)
    ]


def outline(history: History) -> object:
    return [library.outline(path) for path in history.paths]


def find_words(history: History) -> object:
    pages = [
        library.search(words, claude_dir=history.claude, index=history.index) for words in WORDS
    ]
    assert all(page.hits and all(hit.snippet for hit in page.hits) for page in pages)
    return pages


def usage(history: History) -> object:
    return library.usage(claude_dir=history.claude, index=history.index)


def export(history: History) -> object:
    options = ExportOptions(to=ExportFormat.HTML, all_branches=True)
    return [library.export_session(library.read_session(path), options) for path in history.paths]


QUESTIONS: tuple[Callable[[History], object], ...] = (
    list_rows, show, outline, find_words, usage, export,
)  # fmt: skip


def ask(history: History) -> dict[str, object]:
    return {question.__name__: question(history) for question in QUESTIONS}


def test_every_answer_is_the_same_when_the_files_are_gone_also_from_a_new_index(
    history: History,
) -> None:
    take_in(ArchiveFolder(archive_path()), [history.claude])
    before = ask(history)

    history.delete_everything()
    after = ask(history)
    history.index.unlink()
    anew = ask(history)

    for name, answer in before.items():
        assert after[name] == answer, name
        assert anew[name] == answer, name
    with_index = library.sessions(claude_dir=history.claude, index=history.index)
    from_files = FileCatalog([history.claude]).sessions().rows
    assert {row.kept_in for row in (*with_index, *from_files)} == {KeptPlace.ARCHIVE}
    assert not (history.claude / "projects").exists()


def test_a_folder_that_is_named_by_a_link_has_its_deleted_sessions_too(
    history: History, tmp_path: Path
) -> None:
    take_in(ArchiveFolder(archive_path()), [history.claude])
    link = tmp_path / "link"
    link.symlink_to(history.claude)
    before = library.projects(claude_dir=link)
    path = history.paths[0].replace(str(history.claude), str(link))
    raw = [record.raw for record in library.read_session(path).records]

    history.delete_everything()

    assert library.projects(claude_dir=link) == before
    session = library.read_session(path)
    assert [record.raw for record in session.records] == raw
    assert session.path == path


def test_a_session_that_was_moved_by_hand_is_listed_once_after_the_next_run(
    history: History,
) -> None:
    archive = ArchiveFolder(archive_path())
    take_in(archive, [history.claude])
    file = Path(history.paths[0])
    moved = history.claude / "projects" / "-elsewhere" / file.name
    moved.parent.mkdir()
    file.rename(moved)

    take_in(archive, [history.claude])

    rows = library.sessions(claude_dir=history.claude, index=history.index)
    assert [row.path for row in rows if row.id == file.stem] == [str(moved)]


def test_what_bough_moved_is_not_found_at_its_old_place(history: History, tmp_path: Path) -> None:
    take_in(ArchiveFolder(archive_path()), [history.claude])
    project = next(one for one in library.projects(claude_dir=history.claude) if one.sessions)
    before = {row.id for row in library.sessions(project.id, claude_dir=history.claude)}
    target = tmp_path / "new-place"
    target.mkdir()

    library.apply(library.move(project.id, target, claude_dir=history.claude))

    assert project.id not in {one.id for one in library.projects(claude_dir=history.claude)}
    rows = library.sessions(claude_dir=history.claude)
    assert {row.id for row in rows} >= before
    assert len({row.id for row in rows}) == len(rows)


def test_a_tool_result_that_is_gone_of_a_session_that_is_there_is_read(history: History) -> None:
    kept = sorted(history.claude.glob("projects/*/*/tool-results/*"))
    assert kept
    take_in(ArchiveFolder(archive_path()), [history.claude])
    before = show(history), export(history)
    for file in kept:
        file.unlink()

    assert (show(history), export(history)) == before


def test_a_session_that_is_gone_can_be_forked(history: History) -> None:
    take_in(ArchiveFolder(archive_path()), [history.claude])
    history.delete_everything()

    plan = library.fork(history.long_session, "-1")

    assert plan.creates


def test_without_an_archive_what_is_gone_is_gone(history: History) -> None:
    history.delete_everything()

    with pytest.raises(BoughError):
        library.read_session(history.paths[0])
    assert library.projects(claude_dir=history.claude) == []


def test_a_session_that_is_forgotten_is_found_no_more(history: History) -> None:
    archive = ArchiveFolder(archive_path())
    take_in(archive, [history.claude])
    history.delete_everything()
    session = Path(history.paths[0]).stem
    assert library.read_session(history.paths[0]).id == session

    forget(archive, session)

    with pytest.raises(BoughError):
        library.read_session(history.paths[0])
    with open_index([history.claude], history.index) as handle:
        assert all(not path.startswith(history.paths[0]) for path in handle.store.states())


def test_a_fork_that_was_undone_does_not_come_back_from_the_archive(history: History) -> None:
    done = library.apply(library.fork(history.long_session, "-1"))
    made = done.path or ""
    take_in(ArchiveFolder(archive_path()), [history.claude])
    library.apply(library.undo(claude_dir=history.claude))

    assert not Path(made).exists()
    with pytest.raises(BoughError):
        library.read_session(made)


def test_a_file_that_is_there_again_as_it_was_is_no_longer_called_archived(
    history: History,
) -> None:
    take_in(ArchiveFolder(archive_path()), [history.claude])
    list_rows(history)
    file = Path(history.paths[0])
    aside = file.rename(file.with_suffix(".aside"))
    gone = find_place(history, file.stem)

    aside.rename(file)

    assert gone is KeptPlace.ARCHIVE
    assert find_place(history, file.stem) is KeptPlace.FILE


def find_place(history: History, session: str) -> KeptPlace:
    rows = library.sessions(claude_dir=history.claude, index=history.index)
    (place,) = (row.kept_in for row in rows if row.id == session)
    return place
