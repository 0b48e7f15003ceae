"""A fork costs what it spent itself, and says what it copied, alike through every face."""

import contextlib
import io
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import bough
from bough.cli.main import run
from bough.query.index.handle import open_index
from bough.sample import session
from bough.terminal.style import UNICODE
from bough.tui.conversation.side_panes import build_fact_items
from bough.tui.conversation.view import ConversationContent
from tests.faces.conftest import Faces
from tests.web.serving import Served

pytestmark = pytest.mark.slow

BOTH = "$0.40, and $2.10 copied"
ORIGIN, FORK = (2.1, 0.0), (0.4, 2.1)
"""What each spent, and what it copied; at $25 for a million tokens of output."""


class Forked(Faces):
    """A session, and a fork of it that went on."""

    origin = "0a000000-0000-4000-8000-000000000000"
    fork = "0b000000-0000-4000-8000-000000000000"

    def say(self, *words: str) -> str:
        """Ask the command line as a person does."""
        where = ["--claude-dir", str(self.claude), "--index", str(self.index)]
        out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        with contextlib.redirect_stdout(out):
            assert run([*where, *words]) == 0
        out.flush()
        return out.buffer.getvalue().decode()


@pytest.fixture(scope="module")
def forked(tmp_path_factory: pytest.TempPathFactory, nobodys_home: Path) -> Iterator[Forked]:
    folder = tmp_path_factory.mktemp("forked")
    claude = folder / "claude"
    begun = datetime.now(UTC) - timedelta(hours=1)
    origin = session(start=begun, session_id=Forked.origin)
    origin.user("a").assistant("b", usage={"input_tokens": 0, "output_tokens": 84_000})
    fork = origin.fork(session_id=Forked.fork)
    fork.user("c").assistant("d", usage={"input_tokens": 0, "output_tokens": 16_000})
    for builder in (origin, fork):
        builder.write(claude)
    open_index([claude], folder / "index.sqlite").close()
    with Served(claude, folder) as served:
        yield Forked(claude, folder, served)


def costs(row: dict[str, Any], own: str = "cost_usd") -> tuple[object, object]:
    return (
        pytest.approx(row[own], abs=1e-9),
        pytest.approx(row["copied_cost_usd"], abs=1e-9),
    )


def by_id(rows: list[dict[str, Any]], key: str = "id") -> dict[str, tuple[object, object]]:
    return {row[key]: costs(row) for row in rows}


def test_lists_of_sessions_and_conversations_tell_them_apart(forked: Forked) -> None:
    expected = {Forked.origin: ORIGIN, Forked.fork: FORK}
    index = open_index([forked.claude], forked.index)

    assert by_id(forked.json) == expected
    assert by_id(forked.ask("conversations"), "session") == expected
    assert by_id(forked.ask("conversations", Forked.fork), "session") == {Forked.fork: FORK}
    assert {row["resume"].split()[-1]: costs(row) for row in forked.web} == expected
    for rows in (forked.library, bough.sessions(claude_dir=forked.claude, index=index)):
        for row in rows:
            assert [row.cost_usd, row.copied_cost_usd] == pytest.approx(list(expected[row.id]))
    index.close()


def test_a_project_costs_each_call_once_and_says_what_is_copied_in_it(forked: Forked) -> None:
    (project,) = forked.ask("projects")

    assert costs(project) == (2.5, 2.1)
    assert forked.ask("usage", "project")["totals"]["cost_usd"] == pytest.approx(2.5)


def test_live_says_the_same(forked: Forked) -> None:
    expected = {Forked.origin: ORIGIN, Forked.fork: FORK}
    ids = {row["id"]: row["resume"].split()[-1] for row in forked.web}

    assert by_id(forked.ask("status")) == expected
    assert {
        ids[row["id"]]: costs(row) for row in forked.served.get("/api/live")["sessions"]
    } == expected


def test_the_head_of_the_fork_says_both(forked: Forked) -> None:
    web = {row["resume"].split()[-1]: row["id"] for row in forked.web}[Forked.fork]
    facts = forked.served.get(f"/api/sessions/{web}")
    app = ConversationContent(forked.sessions[_path(forked)], glyphs=UNICODE)
    pane = " ".join(
        text for item in build_fact_items(app) for line in item.draw(80) for _, text in line
    )

    assert costs(facts["cost_all"]) == costs(facts["cost_path"]) == FORK
    assert costs(forked.ask("tree", Forked.fork)["tips"][0]) == FORK
    assert BOTH in pane
    for words in (("show",), ("tree",), ("export",)):
        assert BOTH in forked.say(words[0], Forked.fork), words


@pytest.mark.parametrize("command", ["sessions", "status"])
def test_tables_say_both(forked: Forked, command: str) -> None:
    (row,) = (line for line in forked.say(command).splitlines() if line.startswith("0b"))

    assert " $0.40 " in row
    assert "($2.10 copied)" in row


def test_an_origin_copied_nothing_and_says_nothing_of_copies(forked: Forked) -> None:
    assert "copied" not in forked.say("show", Forked.origin)


def _path(forked: Forked) -> str:
    return next(row.path for row in forked.library if row.id == Forked.fork)


def test_what_cowork_did_is_listed_when_the_folder_of_the_app_is_given(tmp_path: Path) -> None:
    app = tmp_path / "Claude"
    for number in (1, 2):
        task = app / "local-agent-mode-sessions" / "account" / "org" / f"local_{number}"
        session(f"task {number}").user("Sort my files").assistant("Sorted.").write(task / ".claude")
    index = tmp_path / "index.sqlite"

    by_files = bough.sessions(claude_dir=app)
    with bough.index(claude_dir=app, index=index) as opened:
        by_index = bough.sessions(claude_dir=app, index=opened)

    assert [row.title for row in by_files] == ["Sort my files"] * 2
    assert by_index == by_files
