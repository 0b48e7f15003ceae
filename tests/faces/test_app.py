"""The terminal app paints what the library says: its lists and the head of a conversation."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest

import bough
from bough.model.text.formats import format_cost
from bough.query.index.handle import open_index
from bough.sample.demo import write_demo
from bough.tui.app.app import Bough
from bough.tui.screens.conversation.screen import ConversationScreen
from bough.tui.screens.sessions import SessionsScreen
from tests.tui.conftest import show, text_of
from tests.tui.settling import rest

pytestmark = pytest.mark.slow


@pytest.fixture
def claude(tmp_path: Path, nobodys_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("textual.app.wait_for_idle", rest)
    monkeypatch.setattr("textual.pilot.wait_for_idle", rest)
    made = write_demo(tmp_path, datetime.now(UTC))
    open_index([made], tmp_path / "index.sqlite").close()
    return made


def test_the_painted_rows_of_sessions_are_those_of_the_library(
    claude: Path, tmp_path: Path
) -> None:
    async def painted() -> list[str]:
        app = Bough([str(claude)], str(tmp_path / "index.sqlite"), live=False)
        async with app.run_test(size=(200, 60)) as pilot:
            await show(pilot, SessionsScreen())
            return text_of(app)

    lines = asyncio.run(painted())

    at = -1
    for row in bough.sessions(claude_dir=claude):
        title = row.title[:40]  # at its start: the preview beside the list has titles too
        at = next(n for n, line in enumerate(lines) if n > at and title in line[:60])
        cost = format_cost(row.cost_usd, partly_unknown=bool(row.unpriced_models), in_table=True)
        assert f" {row.turns} " in lines[at]
        assert f" {cost} " in lines[at]


def test_the_painted_head_of_a_conversation_counts_its_turns(claude: Path, tmp_path: Path) -> None:
    newest = next(row for row in bough.sessions(claude_dir=claude) if row.id.startswith("3f9c"))

    async def painted() -> list[str]:
        app = Bough([str(claude)], str(tmp_path / "index.sqlite"), live=False)
        async with app.run_test(size=(200, 60)) as pilot:
            await show(pilot, ConversationScreen(newest.path, title=newest.title))
            return text_of(app)

    lines = asyncio.run(painted())

    assert any(f"Prompts {newest.turns}" in line for line in lines)
    assert any(f"this one, {newest.turns} turns" in line for line in lines)
    assert any(newest.title in line for line in lines)
