"""`bough projects`: projects, newest first, worktrees below their repository."""

import os
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from bough.sample import session
from tests.cli.screens import objects, on_screen, piped
from tests.conftest import Home

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
FIELDS = [
    *("id", "path", "name", "sessions", "last_active", "worktree_of", "cost_usd"),
    *("copied_cost_usd", "unpriced_models", "starred", "hidden"),
]


@POSIX
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (160, 50)])
def test_the_table_on_a_terminal(
    demo: Path, columns: int, rows: int, snapshot: SnapshotAssertion
) -> None:
    code, shown = on_screen("projects", claude=demo, columns=columns, rows=rows)

    assert code == 0
    assert shown == snapshot


def test_json_has_the_fields_of_the_contract(demo: Path) -> None:
    rows = objects("projects", claude=demo)

    assert [list(row) for row in rows] == [FIELDS] * len(rows)
    names = {str(row["name"]): row for row in rows}
    assert names["resume-import"]["worktree_of"] == "/home/dev/code/orchard-shop"
    assert names["paper-lantern"]["sessions"] == 5
    active = [str(row["last_active"]) for row in rows]
    assert active == sorted(active, reverse=True)


def test_the_index_gives_the_same_list(demo: Path) -> None:
    before = objects("projects", claude=demo)
    assert piped("index", claude=demo).returncode == 0

    assert objects("projects", claude=demo) == before


def test_a_path_below_home_is_told_from_there(home: Home, tmp_path: Path) -> None:
    with home.writing():
        session(cwd=str(tmp_path / "user" / "code" / "shop")).user("a").assistant("b").write(home)

    assert piped("projects").stdout.splitlines()[1].endswith("shop     ~/code/shop")


def test_a_worktree_that_is_there_is_not_called_gone(home: Home, tmp_path: Path) -> None:
    repository = tmp_path / "shop"
    worktree = repository / ".claude" / "worktrees" / "fix"
    worktree.mkdir(parents=True)
    with home.writing():
        session("a", cwd=str(repository)).user("a").assistant("b").write(home)
        session("b", cwd=str(worktree)).user("a").assistant("b").write(home)

    lines = piped("projects").stdout.splitlines()

    assert lines[2].split()[-2:] == ["fix", "worktree"]


def test_without_any_project_one_sentence_says_so(home: Home) -> None:
    done = piped("projects")

    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "No projects yet: Claude Code has saved nothing here.\n"
    assert piped("projects", "--json").stdout == "[]\n"


def test_costs_are_left_out_where_they_would_take_long(home: Home) -> None:
    with home.writing():
        path = session().user("a").assistant("b").write(home)
        with path.open("ab") as file:
            file.truncate(30_000_000)

    assert "COST" not in piped("projects").stdout.splitlines()[0]
