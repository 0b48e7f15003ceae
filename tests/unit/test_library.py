"""What `import bough` offers."""

from collections.abc import Callable
from pathlib import Path

import pytest

import bough
from bough.errors import ClaudeFolderNotFound, Misuse
from bough.model.session import Session
from bough.sample import session
from tests.conftest import Home


def test_projects_are_those_of_the_usual_places(home: Home) -> None:
    with home.writing() as folder:
        session(cwd="/home/dev/shop").user("a").write(folder)

    assert [project.name for project in bough.projects()] == ["shop"]


@pytest.mark.parametrize("form", [str, Path, lambda path: [path], lambda path: (str(path),)])
def test_a_claude_folder_may_be_named_in_many_ways(home: Home, form: object) -> None:
    assert callable(form)
    with home.writing() as folder:
        session(cwd="/home/dev/shop").user("a").write(folder)

    named = form(home.path)

    assert [project.name for project in bough.projects(named)] == ["shop"]
    assert [row.title for row in bough.sessions(claude_dir=named)] == ["a"]
    assert [row.title for row in bough.sessions("shop", named)] == ["a"]


def test_sessions_without_a_conversation_are_asked_for(home: Home) -> None:
    with home.writing() as folder:
        session().mode().title("silent").write(folder)

    assert bough.sessions() == []
    assert [row.title for row in bough.sessions(everything=True)] == ["silent"]


def test_a_folder_that_is_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(ClaudeFolderNotFound):
        bough.projects(tmp_path / "nowhere")


def test_usage_of_several_sessions_counts_each_call_once(home: Home) -> None:
    origin = session("origin").user("a").assistant("b")
    fork = origin.fork(seed="fork").user("c").assistant("d")
    with home.writing() as folder:
        read = [bough.read_session(builder.write(folder)) for builder in (origin, fork)]

    found = bough.sum_usage(read)

    assert found.calls == 2
    assert sum(session_.usage.calls for session_ in read) == 3


def test_the_promise_of_the_issue_holds(home: Home) -> None:
    builder = (
        session().user("a").tool("Bash", {"command": "ls"}, "out").assistant("b").malformed_line()
    )
    with home.writing() as folder:
        path = builder.write(folder)

    found = bough.read_session(path)

    assert [type(record.offset) for record in found.records] == [int] * 4
    assert found.records[0].raw == builder.lines()[0]
    assert [line.raw for line in found.bad_lines] == [builder.lines()[-1]]
    assert len(found.tree.nodes) == 4
    assert found.conversations[0].tip == found.conversation().tip
    block = found.conversation().messages[1].blocks[0]
    assert isinstance(block, bough.ToolBlock)
    assert block.result is not None
    assert (block.name, block.input, block.result.text) == ("Bash", {"command": "ls"}, "out")
    assert found.agents == []
    assert found.title == "a"
    assert found.usage.calls == 2
    assert [finding.kind for finding in found.health.findings] == ["bad-line"]


@pytest.fixture
def history(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """Two sessions of one project, and places of their own for what bough writes."""
    monkeypatch.setenv("BOUGH_INDEX", str(tmp_path / "index.sqlite"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with home.writing() as folder:
        shop = session("first", cwd="/home/dev/shop").user("find the cursor", name="P")
        shop.assistant("it is lost", name="A").user("one").assistant("b")
        shop.at("A").user("two").assistant("c").write(folder)
        session("second", cwd="/home/dev/shop").user("something else").assistant("d").write(folder)
    return home


def newest() -> str:
    return bough.sessions()[0].path


@pytest.mark.usefixtures("history")
def test_lists_are_the_same_with_an_index_and_without() -> None:
    before = (bough.projects(), bough.sessions(), bough.conversations())
    with bough.index() as index:
        assert (bough.projects(), bough.sessions(), bough.conversations()) == before
        assert (bough.projects(index=index), bough.sessions(index=index)) == before[:2]


@pytest.mark.usefixtures("history")
def test_conversations_are_those_of_a_project_or_of_a_session() -> None:
    (path,) = [row.path for row in bough.sessions() if row.tips == 2]

    assert len(bough.conversations("shop")) == 3
    for named in (path, Path(path), bough.read_session(path), Path(path).stem):
        assert len(bough.conversations(named)) == 2
    with pytest.raises(bough.BoughError, match="No project and no session is called nowhere"):
        bough.conversations("nowhere")


@pytest.mark.usefixtures("history")
def test_an_open_index_answers_several_questions() -> None:
    with bough.index() as index:
        assert bough.search("cursor", index=index).total == 1
        assert bough.stats(index=index).activity.prompts == 4  # type: ignore[union-attr]
        assert bough.usage("session", index=index).total.calls == 4
        with bough.sql("select count(*) from session", index=index) as answer:
            assert list(answer.rows) == [(2,)]


@pytest.mark.usefixtures("history")
@pytest.mark.parametrize(
    "ask",
    [
        lambda: bough.search("  "),
        lambda: bough.find(" "),
        lambda: bough.stats("nonsense"),
        lambda: bough.usage("nonsense"),
        lambda: bough.status(since="whenever"),
        lambda: bough.watch(since="whenever"),
        lambda: bough.watch(only=["nonsense"]),
        lambda: bough.sql("").__enter__(),
        lambda: bough.export(newest(), budget="much"),
        lambda: bough.read_session(newest(), client="nonsense"),
        lambda: bough.repair(newest(), in_place=True, title="x"),
        lambda: bough.fork(Session("unwritten", []), "-1"),
    ],
)
def test_a_question_that_cannot_be_answered_is_misuse(ask: Callable[[], object]) -> None:
    with pytest.raises(Misuse):
        ask()


@pytest.mark.usefixtures("history")
def test_words_are_found_in_all_sessions_or_in_one() -> None:
    (found,) = bough.find("cursor")

    assert found.session.title == "find the cursor"
    assert [match.kind for match in found.matches] == ["prompt"]
    (again,) = bough.find("cursor", found.session)
    assert again.matches == found.matches
    told: list[tuple[int, int]] = []
    assert list(bough.find("nowhere", progress=lambda *counted: told.append(counted))) == []
    assert [done for done, _ in told] == list(range(told[0][1]))


@pytest.mark.usefixtures("history")
def test_a_prompt_stands_for_its_turn_when_branches_are_compared() -> None:
    (path,) = [row.path for row in bough.sessions() if row.tips == 2]
    read = bough.read_session(path)
    one = next(node for node in read.tree.nodes if b'"one"' in node.raw)

    seen = bough.compare(read, one.uuid or "", "active")

    assert (seen.shared, len(seen.a.turns), len(seen.b.turns)) == (1, 1, 1)


@pytest.mark.usefixtures("history")
def test_a_stream_ends_when_it_is_closed() -> None:
    with bough.watch(since="2020-01-01", no_index=True) as stream:
        events = []
        for event in stream:
            events.append(event)
            if event.text == "c":
                stream.close()

    assert {event.kind for event in events} >= {"title", "prompt", "text"}


@pytest.mark.writes_home
@pytest.mark.usefixtures("history")
def test_nothing_is_written_before_a_plan_is_applied_and_undo_takes_it_back() -> None:
    path = newest()
    plan = bough.fork(path, "-0")
    assert plan.path is not None
    assert not Path(plan.path).exists()
    assert "no existing file" in bough.preview(plan)
    assert "+++" in bough.preview(plan, diff=True)

    done = bough.apply(plan)

    assert Path(plan.path).exists()
    assert [one.number for one in bough.history()] == [done.number]
    bough.apply(bough.undo(done.number))
    assert not Path(plan.path).exists()


@pytest.mark.usefixtures("history")
def test_a_document_is_given_or_written(tmp_path: Path) -> None:
    made = bough.export(newest(), tmp_path / "a.html")

    assert made.media_type.startswith("text/html")
    assert (tmp_path / "a.html").read_bytes() == made.body
    with pytest.raises(Misuse, match="exists already"):
        bough.export(newest(), tmp_path / "a.html")
    assert bough.export(newest(), tmp_path / "a.html", to="md", force=True).name.endswith(".md")


def test_a_session_without_talk_has_no_document(home: Home) -> None:
    with home.writing() as folder:
        path = session().mode().write(folder)

    with pytest.raises(bough.BoughError, match="holds no conversation"):
        bough.export(path)
