"""`bough status`: the sessions that are going on, and where each stands."""

import os
from pathlib import Path

import msgspec
import pytest
from syrupy.assertion import SnapshotAssertion

from bough.sample import session
from tests.cli.screens import objects, on_screen, piped
from tests.conftest import Home

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX system")
ALL = ("--since", "2000-01-01")
FIELDS = [
    *("id", "project", "name", "path", "title", "state", "sure", "asks", "since", "active_at"),
    *(
        "model",
        "context_tokens",
        "context_window",
        "cost_usd",
        "copied_cost_usd",
        "unpriced_models",
        "partial",
        "thought",
    ),
    *("agents", "pid", "version", "git_branch", "permission_mode", "thinking"),
    *("todos", "doing", "doing_since", "output", "budget"),
]


@POSIX
@pytest.mark.parametrize(("columns", "rows"), [(80, 40), (160, 50)])
def test_the_table_on_a_terminal(
    demo: Path, columns: int, rows: int, snapshot: SnapshotAssertion
) -> None:
    code, shown = on_screen("status", *ALL, claude=demo, columns=columns, rows=rows)

    assert code == 0
    assert shown == snapshot


def test_json_has_the_fields_of_the_contract(demo: Path) -> None:
    rows = objects("status", *ALL, claude=demo)

    assert list(rows[0]) == FIELDS


def test_a_client_that_waits_comes_first_and_says_what_it_asks(home: Home) -> None:
    asks = session("asks", cwd="/home/dev/shop", version="2.1.325").user("Ship it")
    asks.tool("Bash", {"command": "make ship"}, None)
    note = {"pid": os.getpid(), "sessionId": asks.session_id, "status": "waiting"}
    with home.writing():
        asks.write(home.path)
        session("done", cwd="/home/dev/other").user("x").assistant("y").write(home.path)
        (home.path / "sessions").mkdir()
        (home.path / "sessions" / f"{os.getpid()}.json").write_bytes(msgspec.json.encode(note))

    rows = objects("status", *ALL)
    line = piped("status", "--line", *ALL).stdout

    assert (rows[0]["state"], rows[0]["sure"], rows[0]["asks"]) == (
        "waiting",
        True,
        "run make ship?",
    )
    assert rows[0]["pid"] == os.getpid()
    assert line == "■ 1 waits  ✓ 1 finished  shop: asks run make ship?\n"


def test_nothing_is_running(home: Home) -> None:
    done = piped("status")

    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "Nothing is running. Start claude anywhere and it appears here.\n"
    assert objects("status") == []
    assert piped("status", "--line").stdout == "\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [(("--line", "--json"), "Give --line or --json"), (("--since", "x"), "--since takes a time")],
)
def test_misuse_is_told(home: Home, words: tuple[str, ...], said: str) -> None:
    done = piped("status", *words)

    assert done.returncode == 2
    assert said in done.stderr


@POSIX
@pytest.mark.parametrize("columns", [60, 80, 120])
def test_the_question_and_the_id_are_never_cut_away(home: Home, columns: int) -> None:
    question = "run make ship TARGET=production VERSION=2.3.0 NOTES=docs/notes-of-the-release.md"
    asks = session("asks", cwd="/home/dev/orchard-shop", version="2.1.325").user("Ship it")
    asks.tool("Bash", {"command": question.removeprefix("run ")}, None)
    note = {"pid": os.getpid(), "sessionId": asks.session_id, "status": "waiting"}
    with home.writing():
        asks.write(home.path)
        (home.path / "sessions").mkdir()
        (home.path / "sessions" / f"{os.getpid()}.json").write_bytes(msgspec.json.encode(note))

    _, shown = on_screen("status", *ALL, "--color", "never", columns=columns, rows=30)

    assert asks.session_id[:8] in shown
    assert f"asks: {question}?" in " ".join(shown.split())


@POSIX
def test_a_failure_says_why_and_asks_nothing(home: Home) -> None:
    failed = session("failed", cwd="/home/dev/shop", version="2.1.325").user("Ship it")
    failed.api_error("Not logged in")
    with home.writing():
        failed.write(home.path)

    _, shown = on_screen("status", *ALL, columns=80, rows=30)
    line = piped("status", "--line", *ALL).stdout

    assert "Not logged in" in shown
    assert "asks" not in shown + line
