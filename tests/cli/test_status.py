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
    *("agents", "pid", "version", "git_branch"),
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
    [(("--line", "--json"), "Give --line or --json"), (("--since", "x"), "--since wants a time")],
)
def test_misuse_is_told(home: Home, words: tuple[str, ...], said: str) -> None:
    done = piped("status", *words)

    assert done.returncode == 2
    assert said in done.stderr
