"""Home: what waits, what was worked on, and every project with its worktrees."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from tests.web.conftest import Opened
from tests.web.screens import settled
from tests.web.serving import Served

Keep = Callable[..., None]


def test_projects_stand_with_their_worktrees_below_them(
    opened: Opened, served: Served, picture: Keep
) -> None:
    page = opened(served)

    rows = page.get_by_role("table").get_by_role("row")
    expect(rows.locator(".project-name").first).to_be_visible()
    names = rows.locator(".project-name").all_inner_texts()
    at = names.index("orchard-shop")
    assert set(names[at + 1 : at + 3]) == {"resume-import", "fix-tax"}
    expect(rows.filter(has_text="fix-tax")).to_contain_text("worktree")
    settled(page)
    picture(page, "home", docs=True)


@pytest.mark.whole
def test_every_project_says_when_how_many_and_what_it_cost(opened: Opened, served: Served) -> None:
    page = opened(served)

    row = page.get_by_role("row").filter(has_text="paper-lantern")
    expect(row.locator("time")).to_have_count(1)
    expect(row.get_by_role("img")).to_have_attribute("aria-label", re.compile("active day"))
    expect(row).to_contain_text("$")


def test_one_session_count_stands_on_every_screen(opened: Opened, served: Served) -> None:
    total = served.get("/api/sessions")["total"]
    about = served.get("/api/about")["sessions"]
    projects = served.get("/api/projects")
    page = opened(served, "/sessions")

    shown = page.locator(".page-head").get_by_role("status")

    expect(shown).to_contain_text(str(total))
    assert total == about == projects["sessions"]
    assert total == sum(project["sessions"] for project in projects["projects"])


def test_nothing_is_said_to_cost_nothing_before_the_first_indexing_has_listed_anything(
    opened: Opened, served: Served
) -> None:
    held: list[Route] = []

    def say_that_it_indexes(route: Route) -> None:
        about = route.fetch().json()
        route.fulfill(json=about | {"index": about["index"] | {"state": "building"}})

    def hold(route: Route) -> None:
        held.append(route)

    page = opened(served, "/live", kept=False)
    page.route("**/api/about", say_that_it_indexes)
    page.route("**/api/projects", hold)

    with page.expect_response("**/api/usage/totals"):
        page.goto(served.address)
    expect(page.get_by_text("Lists fill as it goes")).to_be_visible()

    expect(page.get_by_role("region", name="Usage")).to_have_count(0)
    held[0].continue_()
    expect(page.get_by_role("region", name="Usage")).to_be_visible()


@pytest.mark.whole
def test_the_filter_leaves_what_has_the_word(opened: Opened, served: Served) -> None:
    page = opened(served)
    expect(page.get_by_role("row").filter(has_text="tide-table").first).to_be_visible()

    page.keyboard.press("/")
    page.keyboard.type("lantern")

    expect(page.locator(".project-name")).to_have_text(["paper-lantern"])


def test_a_project_opens_its_sessions_and_back_returns(opened: Opened, served: Served) -> None:
    page = opened(served)

    # What was done last has links of that name too, and may be there first.
    page.get_by_role("table").get_by_role("link", name="paper-lantern").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("paper-lantern")
    page.go_back()

    expect(page.locator(".project-name").first).to_be_visible()


@pytest.mark.whole
def test_the_keyboard_goes_through_recent_sessions_and_projects(
    opened: Opened, served: Served
) -> None:
    page = opened(served)
    expect(page.locator("[data-row]").first).to_be_visible()

    page.keyboard.press("j")
    page.keyboard.press("j")
    focused = page.evaluate("() => document.activeElement.closest('[data-row]') !== null")
    page.keyboard.press("Enter")

    assert focused
    expect(page).not_to_have_url(f"{served.address}/")


@pytest.mark.whole
def test_the_resume_command_of_the_first_session_is_two_keys_away(
    opened: Opened, served: Served
) -> None:
    page = opened(served, permissions=["clipboard-read", "clipboard-write"])
    expect(page.locator("[data-session]").first).to_be_visible()
    expect(page.get_by_role("heading", name="Recent")).to_be_visible()

    page.keyboard.press("y")
    page.keyboard.press("r")

    expect(page.get_by_text("copied", exact=False).first).to_be_visible()
    assert "claude --resume" in page.evaluate("() => navigator.clipboard.readText()")


def test_the_box_in_the_bar_searches_everything(opened: Opened, served: Served) -> None:
    page = opened(served)

    page.keyboard.press("s")
    page.keyboard.type("checkpoint")

    expect(page).to_have_url(f"{served.address}/search?q=checkpoint")
    expect(page.get_by_role("main")).to_contain_text("hits")
