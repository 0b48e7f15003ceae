"""The screen of settings: changed by Enter, kept for both apps, fixed where config.toml sets it."""

from pathlib import Path

import msgspec
import pytest

from bough.config import app_settings_path, load_settings, settings_path
from bough.library import change_setting, hide_project
from bough.tui.app.app import Bough
from bough.tui.screens.settings import SettingsScreen
from bough.tui.widgets.list_view import ListView
from tests.tui.conftest import press, show, text_of

SIZE = (100, 60)


def rows_to(name: str) -> tuple[str, ...]:
    """Press down to a setting, from the first."""
    names = [
        "theme",
        "text_size",
        "density",
        "zone",
        "clock",
        "week_start",
        "claude_dirs",
        "prices",
    ]
    return ("j",) * names.index(name)


def typed(text: str) -> tuple[str, ...]:
    """Give the keys that write a text."""
    return tuple("space" if letter == " " else letter for letter in text)


def line_with(app: Bough, words: str) -> str:
    return next((line for line in text_of(app) if words in line), "")


async def test_enter_goes_through_the_choices_and_keeps_them(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await show(pilot, SettingsScreen(), *rows_to("density"), "enter")
        assert "Compact" in line_with(app, "Density")

    assert msgspec.json.decode(app_settings_path().read_bytes()) == {"density": "compact"}


async def test_the_theme_changes_at_once(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        seen = [app.mode]
        await show(pilot, SettingsScreen())
        for _ in range(3):
            await press(pilot, "enter")
            seen.append(app.mode)

    assert seen == ["dark", "light", "dark", "dark"]

    assert load_settings().theme == "system"


async def test_a_zone_and_a_clock_reach_the_lists(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await show(pilot, SettingsScreen(), *rows_to("zone"), "enter", *"Asia/Tokyo", "enter")
        assert "Asia/Tokyo" in line_with(app, "Time zone")
        await press(pilot, "j", "enter", "enter", "escape", "g s")
        screen = "\n".join(text_of(app))

    assert (load_settings().zone, load_settings().clock) == ("Asia/Tokyo", "12h")
    assert " AM" in screen


async def test_what_is_typed_without_sense_is_refused_and_nothing_takes_a_choice_back(
    app: Bough,
) -> None:
    change_setting("text_size", 18)
    async with app.run_test(size=SIZE) as pilot:
        await show(pilot, SettingsScreen(), *rows_to("text_size"), "enter", "9", "9", "enter")
        assert load_settings().text_size == 18
        await press(pilot, "enter", "backspace", "backspace", "backspace", "enter")

    assert load_settings().text_size == 15


async def test_escape_leaves_the_box_and_then_the_screen(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await show(pilot, SettingsScreen(), *rows_to("zone"), "enter", "U", "escape")
        shown = [type(app.screen).__name__]
        await press(pilot, "escape")
        shown.append(type(app.screen).__name__)

    assert shown == ["SettingsScreen", "HomeScreen"]

    assert load_settings().zone is None


async def test_what_config_toml_sets_is_shown_as_set_there_and_stays(app: Bough) -> None:
    settings_path().parent.mkdir(parents=True)
    settings_path().write_text('density = "compact"\ncolour = 1\n')
    async with app.run_test(size=SIZE) as pilot:
        await show(pilot, SettingsScreen(), *rows_to("density"), "enter")
        screen = "\n".join(text_of(app))

    assert "which wins" in screen
    assert "No setting is called colour" in screen
    assert load_settings().density == "compact"
    assert not app_settings_path().exists()


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_the_app_starts_in_the_theme_that_was_chosen(app: Bough, theme: str) -> None:
    change_setting("theme", theme)

    again = Bough(app.source.dirs, app.source.index, live=False, light=theme == "dark")

    assert again.mode == theme


async def test_prices_are_added_changed_and_taken_back(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await show(
            pilot, SettingsScreen(), *rows_to("prices"), "enter", *typed("lab-9 3 15"), "enter"
        )
        added = load_settings().prices
        shown = line_with(app, "lab-9  ")
        await press(pilot, "j", "enter", "end", *("backspace",) * 4, *typed("4 16"), "enter")
        changed = load_settings().prices
        await press(pilot, "enter", "end", *("backspace",) * 4, "enter")

    assert added == {"lab-9": {"input": 3.0, "output": 15.0}}
    assert "3 input, 15 output" in shown
    assert changed == {"lab-9": {"input": 4.0, "output": 16.0}}
    assert not load_settings().prices


async def test_a_price_without_sense_is_refused(app: Bough) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await show(
            pilot, SettingsScreen(), *rows_to("prices"), "enter", *typed("lab-9 much"), "enter"
        )
        told = [notice.message for notice in app._notifications]

    assert not load_settings().prices
    assert any("A price is typed as MODEL INPUT OUTPUT" in words for words in told)


async def test_hidden_projects_are_listed_and_shown_again(app: Bough, demo: Path) -> None:
    hide_project("dotfiles", claude_dir=demo)
    async with app.run_test(size=SIZE) as pilot:
        screen = SettingsScreen()
        await show(pilot, screen)
        listed = line_with(app, "dotfiles")
        rows = screen.query_one("#list", ListView)
        at = next(n for n, item in enumerate(rows.pieces) if item.kind == "hidden")
        rows.go_to(at, top=False)
        await press(pilot, "enter")
        left = line_with(app, "dotfiles")

    assert "/home/dev/dotfiles" in listed
    assert left == ""
