"""Keys: everything has one, `?` tells the truth, and none acts while somebody types."""

import pytest
from playwright.sync_api import expect

from tests.sampled import mark_rest_whole
from tests.web.conftest import Opened
from tests.web.screens import settled, unfocused
from tests.web.serving import Served

PLACES = {"g s": "/sessions", "g l": "/live", "2": "/sessions", "3": "/search", "4": "/live"}


@pytest.mark.parametrize(
    "pressed", mark_rest_whole(PLACES.items(), {("g l", "/live"), ("3", "/search")}), ids=" ".join
)
def test_every_place_has_a_key(opened: Opened, served: Served, pressed: tuple[str, str]) -> None:
    keys, place = pressed
    page = opened(served)
    expect(page.get_by_role("heading", level=1)).to_be_visible()

    for key in keys.split():
        page.keyboard.press(key)

    expect(page).to_have_url(served.address + place)


def test_question_mark_lists_the_keys_of_this_screen(opened: Opened, served: Served) -> None:
    page = opened(served, "/sessions")
    expect(page.locator("tr.session").first).to_be_visible()

    page.keyboard.press("?")

    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_role("heading", name="Sessions")).to_be_visible()
    expect(dialog).to_contain_text("Filter sessions")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


@pytest.mark.whole
def test_after_a_prefix_what_may_follow_is_listed(opened: Opened, served: Served) -> None:
    page = opened(served, "/sessions")
    expect(page.locator("tr.session").first).to_be_visible()

    page.keyboard.press("y")

    expect(page.get_by_text("Copy the resume command")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("Copy the resume command")).to_have_count(0)


def test_letters_are_dead_while_typing(opened: Opened, served: Served) -> None:
    page = opened(served, "/sessions")
    expect(page.locator("tr.session").first).to_be_visible()

    page.keyboard.press("/")
    page.keyboard.type("g s?4")

    expect(page.get_by_role("searchbox", name="Filter sessions")).to_have_value("g s?4")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert "/sessions" in page.url


@pytest.mark.whole
def test_letters_can_be_switched_off(opened: Opened, served: Served) -> None:
    page = opened(served)
    page.get_by_role("button", name="Keys and help").click()

    page.get_by_label("Single-key shortcuts").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("4")

    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page).to_have_url(f"{served.address}/")


def test_the_palette_finds_sessions_projects_and_actions(opened: Opened, served: Served) -> None:
    page = opened(served)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.keyboard.press("Control+k")
    box = page.get_by_role("combobox", name="Action, session or project")

    box.fill("resumable")
    options = page.get_by_role("option")
    expect(options.filter(has_text="Make the CSV import resumable")).to_be_visible()
    box.fill("lantern")
    expect(options.filter(has_text="paper-lantern").first).to_be_visible()
    expect(options.last).to_contain_text("Search for")
    box.fill("Go to Live")
    expect(options.first).to_contain_text("Go to Live")
    page.keyboard.press("Enter")

    expect(page).to_have_url(f"{served.address}/live")


def test_the_first_tab_stop_skips_to_the_content(opened: Opened, served: Served) -> None:
    page = opened(served, "/sessions")
    expect(page.locator("tr.session").first).to_be_visible()

    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")

    assert page.evaluate("() => document.activeElement.closest('main') !== null")


@pytest.mark.parametrize(
    "path", mark_rest_whole(["/", "/sessions", "/search?q=checkpoint", "/live"], {"/sessions"})
)
def test_focus_can_always_be_seen(opened: Opened, served: Served, path: str) -> None:
    page = opened(served, path)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    settled(page)

    unseen = []
    for _ in range(14):
        page.keyboard.press("Tab")
        told = unfocused(page)
        if told is not None:
            unseen.append(told)

    assert unseen == []
