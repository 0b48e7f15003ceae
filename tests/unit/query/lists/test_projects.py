"""Projects: which there are, what they are called, when they were last worked on."""

import os
from pathlib import Path

import pytest

from bough.errors import ClaudeFolderNotFound
from bough.query.lists.list_rows import Project
from bough.query.lists.projects import list_projects
from bough.sample import SampleSession, session
from bough.sample.data.file_layout import encode_folder_name
from tests.conftest import Home


def write(home: Home, *books: SampleSession) -> list[Path]:
    with home.writing() as folder:
        return [builder.write(folder) for builder in books]


def only(home: Home) -> Project:
    (project,) = list_projects([home])
    return project


def touch(home: Home, path: Path, moment: int) -> None:
    with home.writing():
        os.utime(path, (moment, moment))


def test_a_project_is_called_by_the_path_its_records_name(home: Home) -> None:
    write(home, session(cwd="/home/dev/orchard_shop").user("a").assistant("b"))

    found = only(home)

    assert (found.id, found.path, found.name) == (
        "-home-dev-orchard-shop",
        "/home/dev/orchard_shop",
        "orchard_shop",
    )
    assert found.folder == str(home.projects / found.id)


def test_a_windows_path_is_called_by_its_last_part(home: Home) -> None:
    write(home, session(cwd="C:\\Users\\dev\\tide-table").user("a"))

    assert only(home).name == "tide-table"


def test_the_path_that_fits_the_folders_name_is_surest(home: Home) -> None:
    name = encode_folder_name("/home/dev/shop")
    here = session("here", cwd="/home/dev/shop").user("a")
    moved = session("moved", cwd="/elsewhere/old", project=name).user("b")
    paths = write(home, here, moved)
    touch(home, paths[0], 1_000_000_000)

    assert only(home).path == "/home/dev/shop"


def test_a_folder_that_was_moved_goes_by_its_newest_session(home: Home) -> None:
    write(home, session(cwd="/home/dev/shop", project="-somewhere-else").user("a"))

    assert only(home).path == "/home/dev/shop"


def test_the_start_counts_and_not_where_a_session_went(home: Home) -> None:
    builder = session(cwd="/home/dev/shop", project=encode_folder_name("/home/dev/shop")).user("a")
    write(home, builder.change(cwd="/home/dev/shop/src").assistant("b"))

    assert only(home).path == "/home/dev/shop"


def test_a_drive_letter_may_be_small(home: Home) -> None:
    write(home, session(cwd="C:\\Users\\dev", project="c--Users-dev").user("a"))

    assert only(home).path == "C:\\Users\\dev"


def test_a_project_that_names_no_path_goes_by_its_folder(home: Home) -> None:
    home.add("-home-dev-shop/one.jsonl", b'{"type":"summary","summary":"x","leafUuid":"y"}\n')

    found = only(home)

    assert (found.path, found.name, found.sessions) == (None, "-home-dev-shop", 0)
    assert found.worktree_of is None


def test_only_sessions_with_a_conversation_are_counted(home: Home) -> None:
    talk = session("talk").user("a").assistant("b")
    titles = session("titles").mode().title("x")
    agents = session("agents").mode()
    write(home, talk, titles, agents)

    assert only(home).sessions == 1


def test_a_conversation_that_begins_late_in_the_file_is_counted(home: Home) -> None:
    builder = session()
    for _ in range(600):
        builder.mark("mode", mode="x" * 200)
    write(home, builder.user("a").assistant("b"))

    assert only(home).sessions == 1


def test_what_a_deleted_session_left_is_no_session(home: Home) -> None:
    with home.writing() as folder:
        session(cwd="/home/dev/shop").user("a").agent("Explore", "look").write_companions(folder)

    found = only(home)

    assert (found.sessions, found.path) == (0, "/home/dev/shop")
    assert found.last_active is not None


def test_projects_are_listed_by_what_was_last_said_and_not_by_the_files_times(home: Home) -> None:
    old = session("old", cwd="/home/dev/old").user("a")
    new = session("new", cwd="/home/dev/new").wait(hours=5).user("a")
    first, second = write(home, old, new)
    touch(home, first, 2_000_000_000)
    touch(home, second, 1_900_000_000)

    found = list_projects([home])

    assert [project.name for project in found] == ["new", "old"]
    assert found[0].last_active == "2026-01-05T14:00:00.000Z"


def test_of_many_sessions_the_newest_says_when_a_project_was_active(home: Home) -> None:
    paths = write(home, session("a").user("a"), session("b").wait(hours=9).user("b"))
    touch(home, paths[0], 1_999_999_999)
    touch(home, paths[1], 1_999_999_998)

    assert only(home).last_active == "2026-01-05T18:00:00.000Z"


def test_a_worktree_names_its_repository(home: Home) -> None:
    write(home, session(cwd="/home/dev/shop/.claude/worktrees/fix").user("a"))

    assert only(home).worktree_of == "/home/dev/shop"


def test_a_real_worktree_names_its_repository(home: Home, tmp_path: Path) -> None:
    (tmp_path / "shop" / ".git" / "worktrees" / "fix").mkdir(parents=True)
    (tmp_path / "fix").mkdir()
    link = f"gitdir: {tmp_path}/shop/.git/worktrees/fix"
    (tmp_path / "fix" / ".git").write_text(link, encoding="utf-8")
    write(home, session(cwd=str(tmp_path / "fix")).user("a"))

    assert only(home).worktree_of == str(tmp_path / "shop")


def test_what_cannot_be_listed_is_a_problem_of_its_project(home: Home) -> None:
    write(home, session().user("a"))
    with home.writing():
        (next(home.projects.iterdir()) / "x.jsonl").mkdir()

    found = only(home)

    assert found.sessions == 1
    assert [problem.path.name for problem in found.problems] == ["x.jsonl"]


def test_a_folder_without_projects_has_none(home: Home) -> None:
    assert list_projects([home]) == []


def test_a_missing_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(ClaudeFolderNotFound):
        list_projects([tmp_path / "nowhere"])


def test_several_claude_folders_are_listed_together(home: Home, tmp_path: Path) -> None:
    write(home, session("one", cwd="/home/dev/one").user("a"))
    session("two", cwd="/home/dev/two").user("b").write(tmp_path / "other")

    assert {p.name for p in list_projects([home, tmp_path / "other"])} == {"one", "two"}
