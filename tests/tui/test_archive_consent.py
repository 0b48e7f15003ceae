"""The question about the archive on Home: a line with its answers, which nobody gives by habit."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from bough.config import load_settings, settings_path
from bough.library import find_archive_consent
from bough.tui.app.app import Bough
from bough.tui.screens.home import HomeScreen
from bough.tui.widgets.list_view import ListView
from tests.tui.conftest import press, text_of
from tests.tui.settling import settle

SIZE = (110, 40)


@pytest.fixture
def app(demo: Path, tmp_path: Path) -> Bough:
    """Make the app on one's own history: no folder is named."""
    return Bough([], str(tmp_path / "index.sqlite"), live=False)


@pytest.mark.parametrize("keeps", [True, False])
async def test_home_asks_in_place_and_enter_answers(app: Bough, keeps: bool) -> None:
    consent = find_archive_consent()
    assert consent is not None
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, HomeScreen)
        assert any(consent.question in line for line in text_of(app))
        rows = app.screen.query_one("#list", ListView)
        assert rows.picked is not None
        assert rows.picked.kind == "project"

        rows.go_to_key(f"consent/{consent.keep if keeps else consent.decline}")
        await press(pilot, "enter")

        assert load_settings().archive is keeps
        assert not any(consent.question in line for line in text_of(app))


async def test_what_config_toml_sets_is_not_asked(app: Bough) -> None:
    settings_path().parent.mkdir(parents=True, exist_ok=True)
    settings_path().write_text("archive = false\n")

    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert not any("Keep a copy" in line for line in text_of(app))


async def test_before_there_are_projects_no_answer_has_the_cursor(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        home = app.screen
        assert isinstance(home, HomeScreen)
        rows = home.query_one("#list", ListView)
        known = home.found
        assert known is not None
        rows.show([])
        home.found, home.listed = replace(known, projects=[]), None
        home.draw()
        assert rows.picked is None or rows.picked.kind != "answer"
        home.found = known
        home.draw()
        assert rows.picked is not None
        assert rows.picked.kind == "project"
