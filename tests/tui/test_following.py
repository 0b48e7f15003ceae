"""What is said while one reads is put behind it, long before all of it is read again."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from bough.query.index.handle import open_index
from bough.sample import SampleSession, session
from bough.tui.app.app import Bough
from bough.tui.screens.conversation.screen import ConversationScreen
from tests.conftest import Home
from tests.tui.conftest import show, text_of
from tests.tui.settling import settle


@pytest.fixture
def told() -> SampleSession:
    builder = session("following")
    for number in range(40):
        builder.user(f"Prompt {number}").tool("Bash", {"command": "ls"}, "x\n")
        builder.assistant(f"Answer {number}")
    return builder


@pytest.fixture
def path(told: SampleSession, home: Home) -> Path:
    with home.writing():
        return told.write(home.path)


@pytest.fixture
def app(
    home: Home, path: Path, clock: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Bough:
    # All of it is never read again, so what is seen was put behind it.
    monkeypatch.setattr("bough.tui.screens.conversation.follow._QUIET", 600.0)
    open_index([home.path], tmp_path / "index.sqlite").close()
    return Bough([str(home.path)], str(tmp_path / "index.sqlite"))


def write(home: Home, path: Path, told: SampleSession | None) -> None:
    """Write a session as far as it is told, or take its file away."""
    with home.writing():
        if told is None:
            path.unlink()
        else:
            path.write_bytes(told.bytes())


async def opened(pilot: Pilot[None], path: Path, *presses: str) -> ConversationScreen:
    screen = ConversationScreen(str(path))
    await show(pilot, screen, *presses)
    return screen


async def comes(pilot: Pilot[None], words: str) -> bool:
    for _ in range(300):
        await pilot.pause(0.02)
        assert isinstance(pilot.app, Bough)
        if any(words in line for line in text_of(pilot.app)):
            return True
    return False


async def test_turn_after_turn_is_seen_and_folding_does_not_lose_it(
    app: Bough, told: SampleSession, path: Path, home: Home
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, path, "G")
        seen = []
        for words in ("First news", "Second news", "Third news"):
            told.user(f"About {words}").assistant(words)
            write(home, path, told)
            seen.append(await comes(pilot, words))
        await pilot.press("X")
        await settle(pilot)
        unfolded = "\n".join(text_of(app))

    assert seen == [True, True, True]
    assert "Third news" in unfolded


async def test_what_was_said_behind_another_screen_is_there_on_the_way_back(
    app: Bough, told: SampleSession, path: Path, home: Home
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, path, "G")
        await pilot.press("question_mark")
        told.user("About the news").assistant("Said behind the help")
        write(home, path, told)
        for _ in range(300):
            await pilot.pause(0.02)
            if screen.has_missed_events:
                break
        heard = screen.has_missed_events
        await pilot.press("escape")
        seen = await comes(pilot, "Said behind the help")

    assert heard
    assert seen


async def test_what_is_new_is_counted_for_who_reads_above(
    app: Bough, told: SampleSession, path: Path, home: Home
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, path, "g g")
        before = text_of(app)[1:20]
        told.user("One more").assistant("Of course.")
        write(home, path, told)
        counted = await comes(pilot, "new ↓")
        after = text_of(app)[1:20]
        await pilot.press("G")
        await settle(pilot)
        gone = screen.follow.new_count

    assert counted
    assert after == before
    assert gone == 0


async def test_a_file_that_goes_away_does_not_end_the_reading(
    app: Bough, told: SampleSession, path: Path, home: Home
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, path, "G")
        write(home, path, None)
        screen.follow.catch_up()
        await settle(pilot)
        told.user("Back again").assistant("So it is.")
        write(home, path, told)
        screen.follow.catch_up()

        assert await comes(pilot, "So it is.")
