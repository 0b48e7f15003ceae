"""Branches, agents and compactions: what leaves the line one reads, and how to come back to it."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Opened
from tests.web.screens import scroll_words, settled, story
from tests.web.serving import Served
from tests.web.storyreading import TOP_OF, at, reading

Keep = Callable[..., None]


def test_an_agent_answers_at_a_glance_and_opens_in_place(
    opened: Opened, served: Served, picture: Keep
) -> None:
    page = reading(opened, served, at(served, "Use the existing flags"))
    agent = page.locator("section.agent").filter(has_text="find every caller of ImportJob")
    expect(agent).to_contain_text("31 steps")
    expect(agent).not_to_contain_text("agentId:")

    agent.get_by_text("Open its 31 steps here").click()

    expect(agent.locator("details.inside .piece").first).to_be_visible()
    picture(page, "agent-in-place")


@pytest.mark.whole
def test_an_agent_opens_as_a_page_and_back_returns(opened: Opened, served: Served) -> None:
    page = reading(opened, served, at(served, "Use the existing flags"))
    agent = page.locator("section.agent").filter(has_text="find every caller of ImportJob")

    agent.get_by_role("button", name="Open as a page").click()
    expect(page).to_have_url(re.compile("agent="))
    expect(page.get_by_role("heading", level=1)).to_contain_text("find every caller")
    page.go_back()

    expect(agent).to_be_in_viewport()


def test_a_compaction_says_what_was_kept_and_lists_what_was_dropped(
    opened: Opened, served: Served, picture: Keep
) -> None:
    page = reading(opened, served, at(served, "Now wire it to the command line"))
    scroll_words(page, -400)
    compaction = page.locator("section.compaction")
    expect(compaction).to_contain_text("168k → 22k")

    compaction.get_by_text("What was dropped").click()
    dropped = compaction.locator("details.panel").last
    expect(dropped).to_contain_text("The nightly import dies half way")
    compaction.get_by_text("What was kept").click()
    expect(compaction.locator("details.panel").first).to_contain_text("summar", ignore_case=True)
    picture(page, "compaction")

    dropped.get_by_text("The nightly import dies half way").first.click()
    expect(page.locator("article.prompt.first")).to_be_in_viewport()


@pytest.mark.parametrize("width", [1440, 390])
def test_what_a_compaction_kept_and_dropped_closes_where_it_was_opened(
    opened: Opened, served: Served, width: int
) -> None:
    page = reading(opened, served, at(served, "Now wire it to the command line"), width=width)
    compaction = page.locator("section.compaction")
    compaction.scroll_into_view_if_needed()
    for words in ("What was kept", "What was dropped"):
        panel = compaction.locator("details.panel").filter(has_text=words)
        link = panel.locator("summary")
        link.scroll_into_view_if_needed()
        settled(page)
        closed = link.bounding_box()

        link.click()
        expect(panel.locator(".body")).not_to_be_empty()
        settled(page)

        assert link.bounding_box() == closed
        link.click()
        expect(panel).not_to_have_attribute("open")


@pytest.mark.parametrize("width", [1440, 390])
def test_the_summary_that_a_compaction_kept_is_laid_out_and_not_cut(
    opened: Opened, served: Served, width: int
) -> None:
    page = reading(opened, served, at(served, "Now wire it to the command line"), width=width)
    compaction = page.locator("section.compaction")

    compaction.get_by_text("What was kept").click()

    row = compaction.locator(".prose ol > li").first
    expect(row).to_have_css("display", "list-item")
    expect(row).to_have_css("list-style-type", "decimal")
    body, box = (compaction.locator(one).first.bounding_box() for one in (".panel .body", ".box"))
    assert body is not None
    assert box is not None
    assert body["x"] + body["width"] <= box["x"] + box["width"]


def test_another_branch_opens_in_one_click_and_back_returns_to_the_same_line(
    opened: Opened, served: Served, picture: Keep
) -> None:
    page = reading(opened, served, at(served, "Keep a checkpoint file next to the CSV"))
    scroll_words(page, -150)
    side_branch = page.locator("section.side-branch").filter(has_text="Use a job table instead")
    before = side_branch.evaluate(TOP_OF)

    side_branch.get_by_role("button").first.click()
    expect(page).to_have_url(re.compile("tip="))
    expect(page.get_by_text("You are reading a branch left")).to_be_visible()
    expect(page.get_by_text("Why is the lock held so long?").last).to_be_attached()
    expect(page.locator("article.prompt").filter(has_text="Use the existing flags")).to_have_count(
        0
    )
    picture(page, "left-behind-branch")
    page.go_back()

    expect(side_branch).to_be_in_viewport()
    settled(page)
    assert abs(side_branch.evaluate(TOP_OF) - before) <= 2


@pytest.mark.whole
def test_the_band_leads_back_to_the_active_branch(opened: Opened, served: Served) -> None:
    tip = next(
        branch["tip"]
        for branch in served.get(f"/api/sessions/{story(served)}")["branches"]
        if not branch["active"]
    )
    page = reading(opened, served, f"?tip={tip}")

    page.get_by_text("Go to active").click()

    expect(page.get_by_text("You are reading a branch left")).to_have_count(0)
