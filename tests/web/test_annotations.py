"""Stars, notes and hidden projects on the page, and the way from session to session."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from bough.sample.demo import write_demo
from tests.web.conftest import Opened
from tests.web.screens import settled
from tests.web.serving import Served

Keep = Callable[..., None]


@pytest.fixture
def noted(tmp_path: Path, nobodys_home: Path) -> Iterator[Served]:
    """Serve a made-up history of which one test says something."""
    with Served(write_demo(tmp_path, datetime.now(UTC)), tmp_path) as server:
        yield server


def test_a_star_is_set_in_a_list_and_stands_in_the_head(opened: Opened, noted: Served) -> None:
    page = opened(noted, "/sessions")
    row = page.locator("tr.session[data-session^='3f9c21d0']")
    row.get_by_role("button", name=re.compile("^Star ")).click()
    expect(row.get_by_role("button", name=re.compile("^Star "))).to_have_attribute(
        "aria-pressed", "true"
    )

    row.locator(".session-link").click()
    star = page.get_by_role("button", name="Star this session")
    expect(star).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("*")
    expect(star).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("*")
    expect(star).to_have_attribute("aria-pressed", "true")
    page.goto(f"{noted.address}/sessions?starred=true")
    expect(page.locator("tr.session")).to_have_count(1)


@pytest.mark.whole
def test_a_note_on_a_session_is_written_in_the_head(opened: Opened, noted: Served) -> None:
    page = opened(noted, "/s/3f9c")
    expect(page.get_by_role("button", name="Star this session")).to_be_visible()

    page.keyboard.press("M")
    page.get_by_label("Note on this session").fill("ask Ana first")
    page.keyboard.press("Enter")

    expect(page.locator(".session-note")).to_have_text("ask Ana first")
    page.goto(f"{noted.address}/sessions")
    expect(page.locator("tr.session .session-note")).to_have_text("ask Ana first")


def test_a_note_on_a_message_stands_under_it_and_comes_back(
    opened: Opened, noted: Served, picture: Keep
) -> None:
    page = opened(noted, "/s/3f9c")
    last = page.locator(".prompt", has_text="Run the whole suite and fix what breaks")
    slot = page.locator(".slot").filter(has=last)
    slot.locator(".prompt").hover()
    slot.get_by_role("button", name="More about this message").click()
    page.get_by_role("menuitem", name=re.compile("Write a note on this message")).click()
    page.get_by_label("Note on this message").fill("<b>why</b> this?")
    page.keyboard.press("Enter")

    expect(slot.locator(".annotation-note")).to_have_text("<b>why</b> this?")
    slot.get_by_role("button", name="More about this message").click()
    page.get_by_role("menuitem", name=re.compile("Star this message")).click()
    expect(slot.locator(".annotation-star")).to_be_visible()
    settled(page)
    picture(page)
    page.reload()
    expect(page.locator(".annotation-note")).to_have_text("<b>why</b> this?")
    expect(page.locator(".annotation")).to_have_count(1)


@pytest.mark.whole
def test_a_note_that_is_left_empty_leaves_the_message_as_it_was(
    opened: Opened, noted: Served
) -> None:
    page = opened(noted, "/s/3f9c")
    expect(page.locator(".slot:not(.waiting)").first).to_be_visible()
    page.keyboard.press("K")
    page.keyboard.press("M")
    expect(page.get_by_label("Note on this message")).to_be_focused()

    page.keyboard.press("Escape")

    expect(page.get_by_label("Note on this message")).to_have_count(0)
    assert page.evaluate("document.activeElement.closest('.slot') !== null")


def test_a_hidden_project_comes_back_from_its_line(
    opened: Opened, noted: Served, picture: Keep
) -> None:
    page = opened(noted)
    row = page.get_by_role("row").filter(has_text="paper-lantern")
    row.hover()
    row.get_by_role("button", name="Hide paper-lantern on Home").click()

    expect(row).to_have_count(0)
    expect(page.locator(".recent-row").filter(has_text="paper-lantern")).to_have_count(0)
    page.get_by_role("button", name="1 hidden project").click()
    settled(page)
    picture(page)
    page.get_by_role("button", name="Show again").click()
    expect(row).to_have_count(1)
    expect(page.get_by_role("button", name="1 hidden project")).to_have_count(0)


def current(page: Page) -> str:
    return page.locator(".session-list [aria-current] .words").inner_text()


@pytest.mark.whole
def test_the_left_pane_lists_the_sessions_of_the_project(
    opened: Opened, noted: Served, picture: Keep
) -> None:
    page = opened(noted, "/s/3f9c")
    page.get_by_role("tab", name=re.compile("Sessions")).click()
    listed = noted.get("/api/sessions/3f9c")["row"]
    rows = noted.get(f"/api/sessions?limit=500&sort=state&project={listed['project']}")["rows"]

    expect(page.locator(".session-list li")).to_have_count(len(rows))
    assert [title.strip() for title in page.locator(".session-list .words").all_inner_texts()] == [
        row["title"] for row in rows
    ]
    assert current(page) == listed["title"]
    settled(page)
    picture(page)


@pytest.mark.whole
def test_braces_go_to_the_next_and_the_previous_session(opened: Opened, noted: Served) -> None:
    page = opened(noted, "/s/3f9c")
    page.get_by_role("tab", name=re.compile("Sessions")).click()
    titles = page.locator(".session-list .words")
    expect(titles.first).to_be_visible()
    names = titles.all_inner_texts()
    at = names.index(current(page))
    by = 1 if at + 1 < len(names) else -1

    page.keyboard.press("}" if by > 0 else "{")
    expect(page.locator(".session-list [aria-current] .words")).to_have_text(names[at + by])
    expect(page.get_by_role("heading", level=1)).to_have_text(names[at + by])
    page.keyboard.press("{" if by > 0 else "}")
    expect(page.get_by_role("heading", level=1)).to_have_text(names[at])


def test_another_tab_hears_of_a_star(opened: Opened, noted: Served) -> None:
    first, second = opened(noted, "/s/3f9c"), opened(noted, "/s/3f9c")
    star = second.get_by_role("button", name="Star this session")
    expect(star).to_have_attribute("aria-pressed", "false")

    first.get_by_role("button", name="Star this session").click()

    expect(star).to_have_attribute("aria-pressed", "true")
