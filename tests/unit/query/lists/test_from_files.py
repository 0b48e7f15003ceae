"""Lists of sessions and conversations, straight from the files."""

import os
from pathlib import Path

import msgspec
import pytest

from bough.errors import ProjectNotFound
from bough.query.lists.from_files import list_all_conversations, list_conversations, list_sessions
from bough.query.lists.list_rows import SessionRow
from bough.query.sessions.load_session import read_session
from bough.sample import SampleSession, session
from tests.conftest import Home


def write(home: Home, *books: SampleSession) -> list[Path]:
    with home.writing() as folder:
        return [builder.write(folder) for builder in books]


def only(home: Home, *, everything: bool = False) -> SessionRow:
    (row,) = list_sessions([home], everything=everything).rows
    return row


def titles(home: Home, **chosen: object) -> list[str]:
    return [row.title for row in list_sessions([home], **chosen).rows]  # type: ignore[arg-type]


# -- one row -------------------------------------------------------------------------------------


def test_a_row_says_what_a_session_is(home: Home) -> None:
    builder = (
        session(branch="topic", version="2.1.250").user("a", name="P").assistant("b", name="A")
    )
    builder.user("c").assistant("d").at("A").user("e").agent("Explore", "look").assistant("f")
    builder.title("The title").unknown("pulse").malformed_line()
    (path,) = write(home, builder)

    row = only(home)

    assert (row.id, row.path, row.project) == (path.stem, str(path), path.parent.name)
    assert (row.title, row.title_source) == ("The title", "custom-title")
    assert row.started_at == builder.record_of("P")["timestamp"]
    assert row.ended_at == builder.record_of(-1)["timestamp"]
    assert (row.records, row.bad_lines, row.unknown_records) == (len(builder.records()), 1, 1)
    assert (row.turns, row.messages, row.branch_points) == (2, 5, 1)
    assert (row.tips, row.agents) == (2, 1)
    assert (row.models, row.git_branch, row.version) == (["claude-opus-4-6"], "topic", "2.1.250")
    assert (row.kind, row.bytes) == ("main", path.stat().st_size)


def test_turns_are_those_of_the_active_conversation(home: Home) -> None:
    builder = session().user("a", name="P").assistant("b", name="A")
    for _ in range(5):
        builder.user("more").assistant("and more")
    write(home, builder.at("A").user("back").assistant("c"))

    assert (only(home).turns, only(home).messages) == (2, 4)


@pytest.mark.parametrize("version", ["2.0.14", "2.0.60", "2.1.250"])
def test_agents_of_every_layout_are_counted(home: Home, version: str) -> None:
    builder = session(version=version).user("a").agent("Explore", "one")
    write(home, builder.wait(5).agent("Explore", "two").assistant("b"))

    assert only(home).agents == 2


def test_times_without_any_record_are_null(home: Home) -> None:
    write(home, session().mode().title("x"))

    row = only(home, everything=True)

    assert (row.started_at, row.ended_at, row.turns, row.tips) == (None, None, 0, 0)


# -- kinds ---------------------------------------------------------------------------------------


def test_a_session_is_led_by_a_person_or_a_program(home: Home) -> None:
    write(home, session("one", entrypoint="cli").user("a"))
    write(home, session("two", entrypoint="sdk-ts").user("b"))

    found = {row.title: row.kind for row in list_sessions([home]).rows}

    assert found == {"a": "main", "b": "sdk"}


def test_plans_and_implementations_are_told_by_their_slug(home: Home) -> None:
    write(home, session("one", slug="a-b-c").user("Plan it").assistant("1."))
    write(home, session("two", slug="a-b-c").implement("1.").assistant("Done."))
    write(home, session("three").user("neither").assistant("x"))
    write(home, session("four", slug="a-b-c", cwd="/elsewhere").user("elsewhere").assistant("x"))

    found = {row.title[:9]: row.kind for row in list_sessions([home]).rows}

    assert found == {
        "Plan it": "plan",
        "Implement": "implementation",
        "neither": "main",
        "elsewhere": "main",
    }


# -- which, and in which order -------------------------------------------------------------------


def test_the_newest_session_comes_first_whatever_the_files_times(home: Home) -> None:
    paths = write(
        home,
        session("one").user("one"),
        session("two").wait(hours=2).user("two"),
        session("three").wait(hours=1).user("three"),
    )
    with home.writing():
        os.utime(paths[0], (2_000_000_000, 2_000_000_000))

    assert titles(home) == ["two", "three", "one"]


def test_sessions_without_a_conversation_are_listed_only_when_everything_is(home: Home) -> None:
    write(home, session("talk").user("talk"))
    write(home, session("titles").mode().title("only a title"))
    write(home, session("hooks").hook("SessionStart", "s.sh"))

    assert titles(home) == ["talk"]
    assert len(titles(home, everything=True)) == 3


def test_agent_files_are_never_sessions(home: Home) -> None:
    write(home, session("flat", version="2.0.60").user("a").agent("Explore", "look").warmup())
    write(home, session("folder").user("b").agent("Explore", "look"))

    assert sorted(titles(home, everything=True)) == ["a", "b"]


def test_what_a_deleted_session_left_is_no_session(home: Home) -> None:
    write(home, session("one").user("one"))
    with home.writing() as folder:
        session("two").user("two").agent("Explore", "look").write_companions(folder)

    assert titles(home, everything=True) == ["one"]


def test_one_project_may_be_chosen(home: Home) -> None:
    write(home, session("one", cwd="/home/dev/one").user("one"))
    write(home, session("two", cwd="/home/dev/two").user("two"))

    assert titles(home, project="two") == ["two"]
    with pytest.raises(ProjectNotFound):
        list_sessions([home], "three")


# -- what cannot be read -------------------------------------------------------------------------


def test_a_file_that_cannot_be_read_is_a_problem_and_the_rest_is_listed(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed, _ = write(home, session("one").user("one"), session("two").user("two"))
    deny(monkeypatch, closed, PermissionError(13, "denied"))

    found = list_sessions([home])

    assert [row.title for row in found.rows] == ["two"]
    (problem,) = found.problems
    assert problem.path == closed
    assert problem.reason.endswith("permission denied.")


def test_a_file_that_vanishes_while_it_is_read_is_a_problem(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone, _ = write(home, session("one").user("one"), session("two").user("two"))
    deny(monkeypatch, gone, FileNotFoundError(2, "gone"))

    found = list_sessions([home])

    assert [row.title for row in found.rows] == ["two"]
    assert [problem.path for problem in found.problems] == [gone]


def deny(monkeypatch: pytest.MonkeyPatch, path: Path, error: OSError) -> None:
    """Let the system refuse one file; as root no mode does."""
    really = os.open

    def refuse(file: object, *args: object, **words: object) -> object:
        if str(file) == str(path):
            raise error
        return really(file, *args, **words)  # type: ignore[arg-type]

    monkeypatch.setattr("os.open", refuse)


def test_a_folder_and_a_link_to_nowhere_are_problems_and_the_rest_is_listed(home: Home) -> None:
    (path,) = write(home, session().user("one"))
    with home.writing():
        (path.parent / "x.jsonl").mkdir()
        (path.parent / "y.jsonl").symlink_to(path.parent / "nowhere")

    found = list_sessions([home])

    assert [row.title for row in found.rows] == ["one"]
    assert sorted(problem.path.name for problem in found.problems) == ["x.jsonl", "y.jsonl"]


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\0" * 99, b"\xff\xfe garbage", b"[1,2]\n"])
def test_any_bytes_are_a_session_without_a_conversation(home: Home, data: bytes) -> None:
    home.add("-p/one.jsonl", data)

    assert titles(home) == []
    assert len(titles(home, everything=True)) == 1


def test_listing_opens_no_agents_file(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    write(home, session().user("a").agent("Explore", "look").tool("Bash", {}, "x").assistant("b"))
    opened: list[str] = []
    really = os.open

    def watched(file: object, *args: object, **words: object) -> object:
        opened.append(Path(str(file)).name)
        return really(file, *args, **words)  # type: ignore[arg-type]

    monkeypatch.setattr("os.open", watched)

    assert only(home).agents == 1
    assert opened
    assert not any(name.startswith("agent-") for name in opened)


# -- conversations -------------------------------------------------------------------------------


def test_each_way_of_a_session_is_a_row_newest_first(home: Home) -> None:
    builder = session().user("a").assistant("b", name="A").user("old way").assistant("d", name="D")
    builder.at("A").user("new way").assistant("f", name="F")
    (path,) = write(home, builder)

    newest, oldest = list_conversations(read_session(path))

    assert (newest.title, oldest.title) == ("new way", "old way")
    assert (newest.tip, oldest.tip) == (builder.uuid("F"), builder.uuid("D"))
    assert (newest.active, oldest.active) == (True, False)
    assert (newest.turns, newest.messages, newest.branch_point) == (2, 4, builder.uuid("A"))
    assert newest.session == path.stem
    assert newest.started_at == builder.record_of(1)["timestamp"]
    assert newest.ended_at == builder.record_of("F")["timestamp"]


def test_a_session_with_one_way_lends_it_its_title(home: Home) -> None:
    (path,) = write(home, session().user("a").assistant("b").title("The title"))

    (row,) = list_conversations(read_session(path))

    assert (row.title, row.branch_point) == ("The title", None)


def test_conversations_of_all_sessions_are_listed_newest_first(home: Home) -> None:
    write(home, session("one").user("one").assistant("x"))
    write(home, session("two", cwd="/home/dev/two").wait(hours=1).user("two").assistant("x"))

    assert [row.title for row in list_all_conversations([home]).rows] == ["two", "one"]
    assert [row.title for row in list_all_conversations([home], "two").rows] == ["two"]


def test_a_row_has_the_fields_of_the_contract(home: Home) -> None:
    write(home, session().user("a").assistant("b"))

    row = msgspec.to_builtins(only(home))

    assert " ".join(row) == (
        "id project path title title_source started_at ended_at records bad_lines "
        "unknown_records turns messages branch_points tips agents models git_branch version kind "
        "run bytes cost_usd copied_cost_usd unpriced_models"
    )
