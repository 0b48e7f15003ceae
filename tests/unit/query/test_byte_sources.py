"""Every question is answered from bytes that no file has as it is from files, byte for byte."""

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from bough.errors import Unreadable
from bough.export.document import export_session
from bough.export.document_options import ExportFormat, ExportOptions
from bough.files.byte_source import DISK, FinderChain, SourceFinder
from bough.model.outline.session_outline import outline_of
from bough.model.session import Session
from bough.query.byte_sources import USUAL_SOURCES
from bough.query.index.handle import IndexHandle, open_index
from bough.query.json_documents import conversation_document
from bough.query.lists.related import list_forks
from bough.query.search.search import search
from bough.query.sessions.incremental import GrowingSession
from bough.query.sessions.load_part import (
    find_start_before,
    is_small,
    open_first,
    open_from,
    open_part,
    open_range,
)
from bough.query.sessions.load_session import read_session
from bough.query.sessions.resume_command import find_resume_folder
from bough.query.sessions.stored_outputs import list_stored_outputs, read_output
from bough.query.usage.explain import explain, explanation_document
from bough.query.usage.report import REPORTS, UsageQuestion, report_usage, usage_document
from bough.query.usage.sources import FileUsageSource, IndexUsageSource
from bough.sample import session
from bough.sample.demo import write_demo
from bough.timetravel.apply import apply
from bough.timetravel.operations import fork, goto, rename, repair
from bough.timetravel.plan import Create, Plan
from bough.timetravel.session_file import list_lines
from tests.framed import FramedFinder, FramedSource, pack, pack_folder
from tests.searched import NOW, asked
from tests.unit.timetravel.making import desk_in, long_talk

QUERIES = (
    "checkpoint", '"import job"', "/impor[t]/", "tool:Edit", "kind:prompt the", "-import job",
)  # fmt: skip
EXPORTS = (
    ExportOptions(to=ExportFormat.HTML, all_branches=True),
    ExportOptions(to=ExportFormat.MARKDOWN, redact=True),
    ExportOptions(to=ExportFormat.JSON, all_branches=True),
    ExportOptions(for_llm=True),
)


class Asked(msgspec.Struct, frozen=True):
    """A history that can be asked: its index, its sessions, and where their bytes are."""

    index: IndexHandle
    paths: tuple[str, ...]

    @property
    def sources(self) -> SourceFinder:
        return self.index.sources

    def sessions(self) -> Iterator[Session]:
        return (read_session(path, sources=self.sources) for path in self.paths)


class Histories(msgspec.Struct, frozen=True):
    """Answers from files, and the same history when its files hold nothing any more."""

    from_files: dict[str, object]
    framed: Asked


def show(history: Asked) -> object:
    return [
        [
            each.title,
            [msgspec.to_builtins(conversation_document(each, c)) for c in each.conversations],
        ]
        for each in history.sessions()
    ]


def raw_lines(history: Asked) -> object:
    return [
        [(item.offset, item.number, item.raw) for item in list_lines(each)]
        for each in history.sessions()
    ]


def agents(history: Asked) -> object:
    return [
        [
            (one.id, one.path, one.type, one.description, [record.raw for record in one.records])
            for one in each.agents
        ]
        for each in history.sessions()
    ]


def tree(history: Asked) -> object:
    return [
        (outline_of(each), list_forks(each, history.sources), each.origin)
        for each in history.sessions()
    ]


def search_pages(history: Asked) -> object:
    pages = [
        search(history.index.store, asked(words), limit=50, sources=history.sources)
        for words in QUERIES
    ]
    assert all(page.hits and all(hit.snippet for hit in page.hits) for page in pages)
    return pages


def usage(history: Asked) -> object:
    read = FileUsageSource(history.index.folders, history.sources)
    indexed = IndexUsageSource(history.index)
    reports = [
        usage_document(report_usage(UsageQuestion(report=report), source, now=NOW))
        for source in (read, indexed)
        for report in REPORTS
    ]
    explained = [
        explanation_document(explain(path, source, now=NOW))
        for source in (read, indexed)
        for path in history.paths[:6]
    ]
    return reports, msgspec.to_builtins(explained), read.project_names()


def exports(history: Asked) -> object:
    return [
        export_session(each, include, history.sources)
        for each in history.sessions()
        for include in EXPORTS
    ]


def outputs(history: Asked) -> object:
    found = [
        read_output(place, 1_000_000, history.sources)
        for each in history.sessions()
        for place in list_stored_outputs(each)
    ]
    assert found
    assert all(found)
    return found


def resume_folders(history: Asked) -> object:
    return [find_resume_folder(Path(path), history.sources) for path in history.paths]


def sql(history: Asked) -> object:
    question = "select session, offset, json from record_json order by session, offset"
    with history.index.store.sql(question, history.sources) as answer:
        rows = list(answer.rows)
    assert sum(row[2] is not None for row in rows) > len(history.paths)
    return rows


QUESTIONS: tuple[Callable[[Asked], object], ...] = (
    show, raw_lines, agents, tree, search_pages, usage, exports, outputs, resume_folders, sql,
)  # fmt: skip


@pytest.fixture(scope="module")
def histories(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Histories]:
    folder = tmp_path_factory.mktemp("framed").resolve()
    claude = write_demo(folder, NOW)
    _write_what_only_other_files_tell(claude)
    with open_index([claude], folder / "index.sqlite") as handle:
        frames = pack_folder(claude)
        paths = tuple(
            str(path)
            for path in sorted((claude / "projects").glob("*/*.jsonl"))
            if not path.name.startswith("agent-")
        )
        files = Asked(handle, paths)
        answers = {question.__name__: question(files) for question in QUESTIONS}
        # The names stay, so that folders can be listed; whoever reads a file reads nothing.
        for path in frames.found:
            Path(path).write_bytes(b"")
        index = IndexHandle(handle.store, handle.path, handle.folders, None, handle.report, frames)
        yield Histories(answers, Asked(index, paths))


def _write_what_only_other_files_tell(claude: Path) -> None:
    """Write a title of its own file, one in another session, and an agent no call describes."""
    named = session("named").user("Hello").assistant("Hi").write(claude)
    named.with_suffix("").mkdir()
    (named.with_suffix("") / "custom-title.json").write_bytes(b'{"customTitle":"By hand"}')
    old = session("old", version="1.0.40").user("b").assistant("B", name="B")
    old.write(claude)
    session("new", version="1.0.40").summary("A summary", leaf=old.uuid("B")).user("c").write(
        claude
    )
    lone = session("lone").user("Go").side_agent("aside", "Look aside", "Seen").assistant("Gone")
    file = lone.write(claude)
    for agent in file.with_suffix("").rglob("agent-*.jsonl"):
        note = b'{"agentType":"looker","description":"told beside it only"}'
        agent.with_suffix(".meta.json").write_bytes(note)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.__name__)
def test_a_question_is_answered_from_frames_as_it_was_from_files(
    histories: Histories, question: Callable[[Asked], object]
) -> None:
    assert question(histories.framed) == histories.from_files[question.__name__]


def test_the_history_has_what_only_other_files_tell(histories: Histories) -> None:
    titles = str(histories.from_files["show"])

    assert "By hand" in titles
    assert "A summary" in titles
    assert "told beside it only" in str(histories.from_files["agents"])


def test_where_nothing_has_the_bytes_a_session_says_so_and_a_hit_has_no_words(
    histories: Histories,
) -> None:
    nothing = FramedFinder({})
    history = histories.framed

    with pytest.raises(Unreadable, match="no such file"):
        read_session(history.paths[0], sources=nothing)
    page = search(history.index.store, asked("checkpoint"), sources=nothing)

    assert page.hits
    assert {hit.snippet for hit in page.hits} == {None}


# -- parts, and what grows ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, FramedFinder]:
    """A session that is too large to be read whole at once, as a file and in frames."""
    builder = session()
    for number in range(400):
        builder.user(f"Question {number}").assistant(f"Answer {number}. " * 250)
    folder = tmp_path_factory.mktemp("large")
    return str(builder.write(folder)), pack_folder(folder, 1 << 15)


def raw(part: Session) -> list[tuple[int, bytes]]:
    return [(record.offset, record.raw) for record in part.records]


def test_a_part_of_frames_is_that_part_of_the_file(large: tuple[str, FramedFinder]) -> None:
    path, frames = large
    uuids = [record.uuid for record in read_session(path).records if record.uuid]
    start = find_start_before(path, uuids[300])

    assert start is not None
    assert start > 0
    assert find_start_before(path, uuids[300], sources=frames) == start
    assert find_start_before(path, "none", sources=frames) is None
    assert not is_small(path, frames)
    assert raw(open_first(path, sources=frames)[0]) == raw(open_first(path)[0])
    assert raw(open_part(path, start, frames)) == raw(open_part(path, start))
    assert raw(open_from(path, start, frames)) == raw(open_from(path, start))
    assert raw(open_range(path, start + 9, start + 90_000, frames)) == raw(
        open_range(path, start + 9, start + 90_000)
    )


def test_a_session_in_frames_is_read_on_as_frames_are_added(tmp_path: Path) -> None:
    builder = long_talk(session())
    path = str(builder.write(tmp_path))
    finder = pack_folder(tmp_path, 300)
    growing = GrowingSession(path, finder)
    first = growing.session.records[-1].uuid
    builder.user("One more").assistant("And its answer")
    data = builder.bytes()

    finder.found[path] = FramedSource(path, 9, pack(data, 300))

    assert growing.refresh()
    assert not growing.refresh()
    assert growing.over == 0
    assert first in growing.session.tree.number
    assert b"".join(record.raw for record in growing.session.records) == data


# -- time travel --------------------------------------------------------------------------------


def created(plan: Plan) -> list[bytes]:
    return [step.data for step in plan.steps if isinstance(step, Create)]


def test_a_session_whose_file_is_gone_is_forked_from_what_else_has_its_bytes(
    tmp_path: Path,
) -> None:
    claude = (tmp_path / "claude").resolve()
    path = long_talk(session()).write(claude)
    original = pack_folder(claude)
    from_file = fork(path, "-1", environment=desk_in(tmp_path / "one"))
    path.unlink()
    desk = desk_in(tmp_path / "two")
    desk.sources = FinderChain((DISK, original))

    plan = fork(path, "-1", environment=desk)
    done = apply(plan, desk)

    assert created(plan) == created(from_file)
    assert [Path(done.path or "").read_bytes()] == created(from_file)
    assert not path.exists()


def test_a_copy_that_is_repaired_comes_from_what_else_has_the_bytes(tmp_path: Path) -> None:
    claude = (tmp_path / "claude").resolve()
    builder = session().user("one").assistant("first").split(60).user("two").assistant("second")
    path = builder.write(claude)
    original = pack_folder(claude)
    from_file = repair(path, environment=desk_in(tmp_path / "one"))
    path.unlink()
    desk = desk_in(tmp_path / "two")
    desk.sources = original

    assert created(repair(path, environment=desk)) == created(from_file)


def test_a_file_that_is_gone_cannot_be_changed_whatever_else_has_its_bytes(tmp_path: Path) -> None:
    claude = tmp_path / "claude"
    path = long_talk(session()).write(claude)
    desk = desk_in(tmp_path / "desk")
    desk.sources = FinderChain((DISK, pack_folder(claude)))
    path.unlink()

    with pytest.raises(Unreadable, match="no such file"):
        goto(path, "-1", environment=desk)
    with pytest.raises(Unreadable, match="no such file"):
        rename(path, "Other", environment=desk)
    with pytest.raises(Unreadable, match="no such file"):
        repair(path, in_place=True, environment=desk)


def test_by_default_questions_look_at_the_disk(tmp_path: Path) -> None:
    path = long_talk(session()).write(tmp_path)

    assert read_session(path, sources=USUAL_SOURCES).records == read_session(path).records
    path.unlink()
    assert USUAL_SOURCES.find(str(path)) is None
