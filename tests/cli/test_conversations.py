"""`bough conversations`: the ways sessions went."""

import os
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from bough.sample import session
from tests.cli.screens import objects, on_screen, piped
from tests.conftest import Home

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
FIELDS = [
    *("session", "tip", "active", "title", "turns", "messages", "started_at", "ended_at"),
    *("branch_point", "cost_usd", "copied_cost_usd", "unpriced_models"),
]


@POSIX
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (160, 50)])
def test_the_table_on_a_terminal(
    demo: Path, columns: int, rows: int, snapshot: SnapshotAssertion
) -> None:
    code, shown = on_screen("conversations", "3f9c", claude=demo, columns=columns, rows=rows)

    assert code == 0
    assert shown == snapshot


def test_json_has_the_fields_of_the_contract(demo: Path) -> None:
    rows = objects("conversations", "3f9c", claude=demo)

    assert [list(row) for row in rows] == [FIELDS] * 3
    assert [row["active"] for row in rows] == [True, False, False]


def test_all_sessions_projects_and_one_session(demo: Path) -> None:
    everything = objects("conversations", claude=demo)
    project = objects("conversations", "resume-import", claude=demo)
    single = objects("conversations", "3f9c", claude=demo)

    assert len(everything) > len(project) > len(single) == 3
    assert [row for row in project if row["session"] == single[0]["session"]] == single


def test_the_index_gives_the_same_list(demo: Path) -> None:
    before = objects("conversations", claude=demo)
    assert piped("index", claude=demo).returncode == 0

    after = objects("conversations", claude=demo)

    def key(row: dict[str, object]) -> tuple[str, str]:
        return str(row["session"]), str(row["tip"])

    assert sorted(after, key=key) == sorted(before, key=key)


def test_another_client_would_choose_other_tips(home: Home) -> None:
    builder = session(version="2.1.325").user("one").assistant("a", name="A").user("two")
    builder.assistant("b", name="B").at("A").user("three").assistant("c", name="C")
    with home.writing():
        builder.last_prompt("two", leaf=builder.uuid("B")).write(home)

    def active(*words: str) -> list[str]:
        return [str(row["tip"]) for row in objects("conversations", *words) if row["active"]]

    assert active() == active("latest", "--client", "2.1.325") == [builder.uuid("B")]
    assert active("--client", "2.1.50") == active("latest", "--client", "2.1.50")
    assert active("--client", "2.1.50") == [builder.uuid("C")]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nothing-at-all", "No project and no session is called nothing-at-all."),
        ("3f9d", "Nearest: 3f9c21d0 Make the CSV import resumable."),
        ("-home-dev-none", "No project is called -home-dev-none."),
    ],
)
def test_what_is_not_there_is_said(demo: Path, name: str, said: str) -> None:
    done = piped("conversations", name, claude=demo)

    assert (done.returncode, done.stdout) == (1, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
