"""Words are found where they stand: folded, inside agents, on other branches."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from bough.query.index.handle import open_index
from bough.sample import session
from bough.tui.app.app import Bough
from bough.tui.screens.conversation.screen import ConversationScreen
from tests.conftest import Home
from tests.tui.conftest import press, show, text_of

SIZE = (100, 30)


@pytest.fixture
def path(home: Home) -> Path:
    """Write a session of two branches, of which one sent an agent out."""
    told = session("finding").user("Begin", name="begin").assistant("I begin.", name="begun")
    told.user("Take the table").assistant("A needle on the way that was left.", name="left")
    told.at("begun").user("Take the file")
    told.thinking("Perhaps a needle in a thought.")
    told.tool("Bash", {"command": "ls"}, "nothing\nhere\n")
    told.agent("Explore", "look around", work=_work, answer="Found it.")
    told.assistant("Done, no more.")
    with home.writing():
        return told.write(home.path)


def _work(agent: object) -> None:
    agent.tool("Grep", {"pattern": "x"}, "a needle in the hay\n")  # type: ignore[attr-defined]


@pytest.fixture
def app(home: Home, clock: object, tmp_path: Path) -> Bough:
    open_index([home.path], tmp_path / "index.sqlite").close()
    return Bough([str(home.path)], str(tmp_path / "index.sqlite"), live=False)


async def opened(pilot: Pilot[None], path: Path, *presses: str) -> ConversationScreen:
    screen = ConversationScreen(str(path))
    await show(pilot, screen, *presses)
    return screen


def words(pilot: Pilot[None]) -> str:
    assert isinstance(pilot.app, Bough)
    return "\n".join(text_of(pilot.app))


async def test_a_hit_inside_an_agent_opens_the_agent_and_the_step(app: Bough, path: Path) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot, path, "g g", "slash", "n e e d l e", "enter")
        thought = words(pilot)
        await press(pilot, "n")
        inside = words(pilot)
        await press(pilot, "escape")
        folded = words(pilot)

    assert "1 of 2" in thought
    assert "Perhaps a needle in a thought." in thought
    assert "a needle in the hay" in inside
    assert "2 of 2" in inside
    assert "a needle in the hay" not in folded
    assert not screen.folds.opened_for_match


async def test_a_thought_is_found_where_thinking_is_hidden(app: Bough, path: Path) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await opened(pilot, path, "H", "g g", "slash", "t h o u g h t", "enter")

        assert "Perhaps a needle in a thought." in words(pilot)


async def test_other_branches_are_searched_when_asked_and_shown(app: Bough, path: Path) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot, path, "g g", "slash", "n e e d l e", "tab", "enter")
        here = words(pilot)
        await press(pilot, "n", "n")
        there = words(pilot)
        tip = screen.source.tip
        await press(pilot, "n")
        back = words(pilot)

    assert "1 of 2, 1 on other branches" in here
    assert "A needle on the way that was left." in there
    assert "branch left behind" in there
    assert tip is not None
    assert "Perhaps a needle in a thought." in back
    assert "branch left behind" not in back


async def test_what_is_not_there_is_a_sentence(app: Bough, path: Path) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await opened(pilot, path, "slash", "h a y s t a c k", "enter")

        assert 'No hit for "haystack" on this branch.' in [n.message for n in app._notifications]


async def test_a_step_inside_an_agent_folds_and_unfolds(app: Bough, path: Path) -> None:
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(pilot, path)
        agent = next(piece for piece in screen.reader.pieces if piece.kind == "agent")
        screen.reader.go_to_key(agent.key)
        await press(pilot, "l")
        step = next(p for p in screen.reader.pieces if p.kind == "tool" and "/" in p.key)
        screen.reader.go_to_key(step.key)
        await press(pilot, "l")
        open_step = words(pilot)
        await press(pilot, "h")
        shut_step = words(pilot)

    assert "a needle in the hay" in open_step
    assert "a needle in the hay" not in shut_step


async def test_words_are_found_as_they_are_shown_without_the_marks_of_markdown(
    app: Bough, home: Home, clock: object
) -> None:
    with home.writing():
        path = (
            session("marks").user("Begin").assistant("Run **the** `pytest` twice.").write(home.path)
        )
    async with app.run_test(size=SIZE) as pilot:
        screen = await opened(
            pilot, path, "slash", "t h e space p y t e s t space t w i c e", "enter"
        )

        assert len(screen.find.matches) == 1
        assert any(screen.reader.marks_at(screen.reader.cursor))
