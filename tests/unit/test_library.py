"""What `import bough` offers."""

from pathlib import Path

import pytest

import bough
from bough.errors import ClaudeFolderNotFound
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
        read = [bough.read_session(book.write(folder)) for book in (origin, fork)]

    found = bough.usage(read)

    assert found.calls == 2
    assert sum(session_.usage.calls for session_ in read) == 3


def test_the_promise_of_the_issue_holds(home: Home) -> None:
    book = (
        session().user("a").tool("Bash", {"command": "ls"}, "out").assistant("b").malformed_line()
    )
    with home.writing() as folder:
        path = book.write(folder)

    found = bough.read_session(path)

    assert [type(record.offset) for record in found.records] == [int] * 4
    assert found.records[0].raw == book.lines()[0]
    assert [line.raw for line in found.bad_lines] == [book.lines()[-1]]
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
