"""A conversation is exported after one has seen what is in it and what is hidden."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from bough import library
from bough.query.index.handle import open_index
from bough.sample import session
from bough.tui.app.app import Bough
from bough.tui.screens.conversation.screen import ConversationScreen
from bough.tui.screens.export import ExportScreen
from tests.conftest import Home
from tests.tui.conftest import show, text_of
from tests.tui.settling import settle

SECRET = "ghp_" + "a8K2m9Qx7Lr4Tz6Wv1Yb3Nc5Hd0Jf2Gs8Pk4"


@pytest.fixture
def path(home: Home) -> Path:
    told = session("exported").user(f"The token is {SECRET}").assistant("I will not repeat it.")
    with home.writing():
        return told.write(home.path)


@pytest.fixture
def app(
    home: Home, path: Path, clock: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Bough:
    open_index([home.path], tmp_path / "index.sqlite").close()
    place = tmp_path / "here"
    place.mkdir()
    monkeypatch.chdir(place)
    return Bough([str(home.path)], str(tmp_path / "index.sqlite"), live=False)


async def press(pilot: Pilot[None], path: Path, *presses: str) -> None:
    await show(pilot, ConversationScreen(str(path)), *presses)


async def test_what_is_hidden_is_seen_before_anything_is_written(
    app: Bough, path: Path, tmp_path: Path
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, path, "e")
        words = "\n".join(text_of(app))

        assert isinstance(app.screen, ExportScreen)
        assert "Hides" in words
        assert "GitHub token, 2 places: ghp_" in words
        assert SECRET not in "\n".join(text_of(app)[2:])
        assert list((tmp_path / "here").iterdir()) == []


async def test_enter_writes_the_file_and_another_gets_another_name(
    app: Bough, path: Path, tmp_path: Path
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, path, "e", "enter", "e", "enter")

    first, second = sorted((tmp_path / "here").iterdir(), key=lambda one: len(one.name))
    assert second.name == f"{first.stem}-2.md"
    assert "I will not repeat it." in first.read_text()
    assert SECRET not in first.read_text()


async def test_choices_change_what_would_be_written(app: Bough, path: Path, tmp_path: Path) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, path, "e", "space", "j j j j j j", "space")
        words = "\n".join(text_of(app))
        await pilot.press("enter")
        await settle(pilot)

    [written] = (tmp_path / "here").iterdir()
    assert "HTML" in words
    assert "nothing. It may hold passwords and keys." in words
    assert written.suffix == ".html"
    assert SECRET in written.read_text()


async def test_slides_are_written_as_the_command_line_writes_them(
    app: Bough, path: Path, tmp_path: Path
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, path, "e", "space", "space", "space")
        words = "\n".join(text_of(app))
        await pilot.press("enter")
        await settle(pilot)

    [written] = (tmp_path / "here").iterdir()
    assert "Slides, one HTML file to present" in words
    assert "Other branches" not in words
    assert written.read_bytes() == library.export(path, to="present").body
    assert SECRET not in written.read_text()


async def test_escape_writes_nothing(app: Bough, path: Path, tmp_path: Path) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, path, "e", "escape")

        assert isinstance(app.screen, ConversationScreen)
    assert list((tmp_path / "here").iterdir()) == []


async def test_a_place_inside_the_claude_folder_is_refused(
    app: Bough, path: Path, home: Home
) -> None:
    before = sorted(home.path.rglob("*"))
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, path, "e")
        app.screen.query_one("#title").value = str(home.path / "x.md")  # type: ignore[attr-defined]
        await pilot.press("enter")
        await settle(pilot)

        assert any("where bough never writes" in n.message for n in app._notifications)
    assert sorted(home.path.rglob("*")) == before
