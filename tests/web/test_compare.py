"""Compare: two branches side by side, and the same numbers as `bough diff`."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from tests.web.conftest import Opened
from tests.web.screens import faults, overlaps, settled, story, too_small
from tests.web.serving import Served

Keep = Callable[..., None]
SIDES = "/compare?a=b41f&b=active"


def test_a_branch_of_the_tree_is_compared_with_the_active_one(
    opened: Opened, served: Served, picture: Keep
) -> None:
    page = opened(served, f"/s/{story(served)}/tree")
    page.get_by_role("treeitem").filter(has_text="Use a job table instead").click()

    page.keyboard.press("c")

    expect(page.locator(".parting")).to_contain_text(
        "Together for 3 turns, to “Write the plan first, no code yet”"
    )
    a, b = page.get_by_label("Side A"), page.get_by_label("Side B")
    expect(a).to_contain_text("left behind, 3 turns, $0.92")
    expect(b).to_contain_text("active, 6 turns, $3.65")
    pairs = page.locator(".pairs > li")
    expect(pairs).to_have_count(6)
    expect(pairs.first.locator("[data-side=a]")).to_contain_text("Use a job table instead")
    expect(pairs.first.locator("[data-side=b]")).to_contain_text("Keep a checkpoint file")
    # An answer reads as in the conversation: a list is a list, a name of code is code.
    expect(pairs.first.locator("[data-side=b] .prose li")).to_have_count(3)
    expect(pairs.first.locator("[data-side=b] .prose code").first).to_have_text(
        "src/import/checkpoint.py"
    )
    expect(pairs.first).not_to_contain_text("`")
    page.keyboard.press("n")
    expect(page.locator("[data-side=a] article").first).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("[data-side=b] article").first).to_be_focused()
    picture(page, "compare", docs=True)
    page.keyboard.press("x")
    expect(a).to_contain_text("active, 6 turns, $3.65")
    page.go_back()
    expect(page.get_by_role("treeitem").first).to_be_visible()


def test_a_long_prompt_is_scrolled_and_hides_no_turn_below_it(
    opened: Opened, served: Served
) -> None:
    def lengthen(route: Route) -> None:
        told = route.fetch().json()
        told["pairs"][0]["a"]["prompt"] = "A line of a log.<br>" * 200
        route.fulfill(json=told)

    page = opened(served, "/", kept=False)
    page.route(re.compile(r"/api/.*/compare\?"), lengthen)

    page.goto(f"{served.address}/s/{story(served)}{SIDES}")

    prompts = page.locator(".pairs [data-side=a] .prompt")
    box = prompts.first.bounding_box()
    assert box is not None
    assert box["height"] <= 240
    expect(prompts.first).to_have_attribute("tabindex", "0")
    expect(prompts.nth(1)).not_to_have_attribute("tabindex", "0")
    assert faults(page) == []


def test_tab_goes_from_a_turn_to_the_other_side_and_back_and_catches_nobody(
    opened: Opened, served: Served
) -> None:
    page = opened(served, f"/s/{story(served)}{SIDES}")
    a, b = page.locator("[data-side=a] article"), page.locator("[data-side=b] article")
    expect(b).to_have_count(6)
    page.keyboard.press("G")
    expect(b.last).to_be_focused()

    page.keyboard.press("Tab")
    expect(a.last).to_be_focused()
    page.keyboard.press("Tab")
    expect(b.nth(a.count() - 1)).to_be_focused()
    page.keyboard.press("Shift+Tab")

    assert page.evaluate("() => document.activeElement.matches('a')")
    page.keyboard.press("Tab")
    expect(page.locator("article a:focus")).to_have_count(1)


def test_l_shows_the_diff_of_a_file_and_h_closes_it_and_l_on_a_turn_reads_it(
    opened: Opened, served: Served
) -> None:
    page = opened(served, f"/s/{story(served)}{SIDES}&view=files")
    files = page.locator("details.compared-file")
    expect(files.first).to_be_visible()

    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("l")
    expect(files.nth(1)).to_have_attribute("open", "")
    expect(page.locator("details.compared-file[open]")).to_have_count(1)
    page.keyboard.press("h")
    expect(page.locator("details.compared-file[open]")).to_have_count(0)
    page.goto(f"{served.address}/s/{story(served)}{SIDES}")
    expect(page.locator("[data-side=a] article").first).to_be_visible()
    page.keyboard.press("n")
    page.keyboard.press("l")

    expect(page).to_have_url(re.compile(r"/s/[^/]+\?.*at="))


@pytest.mark.whole
def test_two_points_are_marked_and_compared(opened: Opened, served: Served) -> None:
    page = opened(served, f"/s/{story(served)}/tree")
    page.get_by_role("treeitem").filter(has_text="Why is the lock held").click()
    page.keyboard.press("a")
    page.get_by_role("treeitem").filter(has_text="Use new click options").click()
    page.keyboard.press("b")

    page.get_by_role("link", name="Compare A and B").click()

    expect(page.get_by_label("Side B")).to_contain_text("Use new click options for it")
    expect(page.get_by_label("Side B")).to_contain_text("left behind")


def test_files_are_shown_with_their_diffs_and_costs_in_one_table(
    opened: Opened, served: Served
) -> None:
    page = opened(served, f"/s/{story(served)}{SIDES}")

    page.get_by_text("Files", exact=True).click()
    page.get_by_text("migrations/0042_import_job.py").click()
    expect(page.locator("details[open] .diff")).to_contain_text("import_job")
    expect(page.locator("section").filter(has_text="Only B")).to_contain_text("src/import/job.py")
    page.get_by_text("Cost", exact=True).click()

    cost = page.get_by_role("row").filter(has_text="Cost")
    expect(cost).to_have_text(re.compile(r"\$0\.92\s*\$3\.65"))
    expect(page.get_by_role("row").filter(has_text="Time")).to_contain_text("22 min 1 s")


@pytest.mark.whole
def test_a_branch_compared_with_itself_is_said_to_be_the_same(
    opened: Opened, served: Served
) -> None:
    page = opened(served, f"/s/{story(served)}/compare")

    expect(page.locator(".parting")).to_contain_text("A and B are the same")
    page.get_by_role("link", name="Mark two branches in the tree").click()
    expect(page.get_by_role("treeitem").first).to_be_visible()


@pytest.mark.parametrize(
    ("width", "theme", "view"),
    [
        (1440, "light", ""),
        (1440, "dark", "&view=files"),
        pytest.param(390, "light", "", marks=pytest.mark.whole),
        (390, "dark", "&view=cost"),
    ],
)
def test_nothing_is_wrong_with_how_it_looks(
    opened: Opened, served: Served, width: int, theme: str, view: str
) -> None:
    page = opened(served, f"/s/{story(served)}{SIDES}{view}", width=width, theme=theme)
    expect(page.locator(".parting")).to_be_visible()
    settled(page)

    assert faults(page) == []
    assert overlaps(page) == []
    assert too_small(page) == []


def test_a_phone_shows_one_side_at_a_time(opened: Opened, served: Served) -> None:
    page = opened(served, f"/s/{story(served)}{SIDES}", width=390)
    expect(page.locator("[data-side=a]").first).to_be_visible()
    expect(page.locator("[data-side=b]")).to_have_count(0)

    page.get_by_label("B", exact=True).check()

    expect(page.locator("[data-side=b]").first).to_contain_text("Keep a checkpoint file")
