"""Tree: a session as a graph that is walked with keys, and its files."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.sampled import mark_rest_whole
from tests.web.conftest import Opened
from tests.web.screens import faults, overlaps, settled, story, too_small
from tests.web.serving import Served

Keep = Callable[..., None]


def tree(opened: Opened, served: Served, words: str = "", **more: object) -> Page:
    """Open the tree of the long session; give it when its rows are there."""
    page = opened(served, f"/s/{story(served)}/tree{words}", **more)
    expect(page.get_by_role("treeitem").first).to_be_visible()
    return page


def chosen(page: Page) -> str:
    return page.locator("[role=treeitem][aria-selected=true] .words").inner_text()


def test_the_tree_opens_from_a_conversation_and_its_branches_are_walked_with_keys(
    opened: Opened, served: Served, picture: Keep
) -> None:
    page = opened(served, f"/s/{story(served)}")
    expect(page.get_by_role("heading", level=1)).to_contain_text("CSV import")
    expect(page.locator(".slot:not(.waiting)").first).to_be_visible()

    page.keyboard.press("t")
    rows = page.get_by_role("treeitem")
    expect(rows.first).to_be_visible()
    page.keyboard.press("G")

    expect(rows.filter(has_text="Run the whole suite")).to_have_attribute("aria-selected", "true")
    expect(page.locator(".tree-head")).to_contain_text("3 branches, 13 turns, $6.19")
    expect(rows.filter(has_text="Compacted, 168k")).to_be_visible()
    expect(rows.filter(has_text="find every caller")).to_contain_text("31 steps")
    expect(rows.filter(has_text="Why is the lock held")).to_contain_text("rewound")
    expect(rows.filter(has_text="Forked to")).to_be_visible()
    expect(
        page.get_by_role("list", name="What the signs mean").get_by_role("listitem")
    ).to_have_text(
        ["prompt", "active tip", "left behind", "agent", "forked to a file", "compaction"]
    )
    page.keyboard.press("K")
    assert chosen(page) == "Use new click options for it"
    page.keyboard.press("h")
    assert chosen(page).startswith("Now wire it to the command line")
    page.keyboard.press("l")
    assert chosen(page) == "Use new click options for it"
    page.keyboard.press("K")
    assert chosen(page) == "Use a job table instead"
    page.keyboard.press("j")
    assert chosen(page) == "Add the migration"
    # Until its words are there, those of the row before stand there, marked as old.
    reading = page.locator(".reading")
    expect(reading).to_have_attribute("aria-busy", "false")
    expect(reading).to_contain_text("Add the migration")
    picture(page, "tree", docs=True)


def test_a_branch_is_read_beside_the_tree_and_opened_with_enter(
    opened: Opened, served: Served
) -> None:
    page = tree(opened, served)
    page.get_by_role("treeitem").filter(has_text="Add the migration").click()

    detail = page.get_by_label("What is chosen")
    expect(detail).to_contain_text("Left behind, rewound")
    expect(detail).to_contain_text("Split from “Write the plan first, no code yet”")
    expect(detail).to_contain_text("3 turns, 38 steps, $0.92")
    expect(detail.locator(".piece").first).to_contain_text("Add the migration")
    expect(detail.locator(".piece").filter(has_text="Why is the lock held")).to_be_visible()
    expect(page).to_have_url(re.compile("at=7d10"))
    page.keyboard.press("Enter")

    expect(page).to_have_url(re.compile(r"/s/[^/]+\?.*at=7d10"))
    expect(page.locator(".reader")).to_contain_text("Add the migration")
    page.go_back()
    expect(page.get_by_role("treeitem").filter(has_text="Add the migration")).to_have_attribute(
        "aria-selected", "true"
    )


def test_a_branch_that_left_and_an_agent_open_from_what_is_read_beside_the_tree(
    opened: Opened, served: Served
) -> None:
    page = tree(opened, served)
    page.get_by_role("treeitem").filter(has_text="Write the plan first").click()
    detail = page.get_by_label("What is chosen")
    expect(detail.locator(".piece").first).to_contain_text("Write the plan first")

    detail.locator(".branch-row").filter(has_text="Use a job table instead").click()

    expect(page).to_have_url(re.compile(r"/s/[^/]+\?tip=b41f"))
    expect(page.locator(".reader")).to_contain_text("Why is the lock held so long?")
    page.go_back()
    page.get_by_role("treeitem").filter(has_text="Where do we lose the cursor").click()
    expect(detail.locator(".piece").first).to_contain_text("Where do we lose the cursor")
    detail.get_by_role("button", name="Open as a page").click()

    expect(page).to_have_url(re.compile(r"/s/[^/]+\?agent="))


@pytest.mark.whole
def test_it_is_looked_at_from_afar_and_from_close_by(opened: Opened, served: Served) -> None:
    page = tree(opened, served)
    rows = page.get_by_role("treeitem")
    prompts = rows.count()

    page.keyboard.press("-")
    expect(rows.filter(has_text=re.compile(r"^\s*\d+ turn"))).not_to_have_count(0)
    shape = rows.count()
    page.keyboard.press("+")
    page.keyboard.press("+")
    expect(page.get_by_label("Every message")).to_be_checked()
    expect(rows.filter(has_text="result:").first).to_be_visible()

    assert shape < prompts
    assert chosen(page).startswith("Run the whole suite")
    # Rows that are higher than the screen have the whole shape beside them; a press goes there.
    rail = page.locator(".tree-rail")
    expect(rail.locator("path.rail-left")).to_have_attribute("d", re.compile("M"))
    rail.click(position={"x": 10, "y": 4})
    expect(rows.filter(has_text="The nightly import dies").first).to_be_visible()
    page.set_viewport_size({"width": 1440, "height": 20_000})
    expect(rail).to_have_count(0)


def test_rows_have_the_date_where_a_day_begins_and_the_hour_below_it(
    opened: Opened, served: Served
) -> None:
    page = opened(served, "/s/5fd21db8/tree")  # of one evening, long ago

    times = page.get_by_role("treeitem").locator(".time")
    date, hour = re.compile(r"^(\d{4}-\d\d-\d\d|\d+ \w+)$"), re.compile(r"^\d\d:\d\d$")
    expect(times).to_have_text([date, hour, hour, hour])
    expect(times.nth(1)).to_have_attribute("title", re.compile(r"\d{4}.*\d\d:\d\d"))


def test_the_files_of_a_session_are_a_view_of_their_own(opened: Opened, served: Served) -> None:
    page = tree(opened, served)

    page.keyboard.press("v")

    own = page.locator(".lineage li")
    expect(own).to_have_count(2)
    expect(own.first).to_contain_text("this one")
    expect(own.last).to_contain_text("Forked from 3f9c21d0, 212 records of it copied")
    expect(page.locator("main")).to_contain_text("1 compaction inside this file")
    own.last.get_by_role("link", name="Compare").click()
    expect(page.locator(".parting")).to_contain_text("Together for 7 turns")


@pytest.mark.parametrize("theme", mark_rest_whole(["light", "dark"], {"dark"}))
def test_nothing_is_wrong_with_how_it_looks(opened: Opened, served: Served, theme: str) -> None:
    wide = tree(opened, served, theme=theme)
    settled(wide)
    assert faults(wide) == []
    assert overlaps(wide) == []
    assert too_small(wide) == []


def test_nothing_is_wrong_with_it_on_a_phone(opened: Opened, served: Served) -> None:
    page = tree(opened, served, width=390)
    settled(page)
    assert faults(page) == []
    assert overlaps(page) == []
    assert too_small(page) == []
    page.get_by_role("treeitem").filter(has_text="Why is the lock held").click()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text("Left behind")
    expect(sheet.locator(".piece").first).to_be_visible()
    assert faults(page) == []


def test_nothing_is_wrong_with_its_files_in_forced_colours(opened: Opened, served: Served) -> None:
    files = opened(served, f"/s/{story(served)}/tree?view=files", forced_colors="active")
    expect(files.locator(".lineage li").first).to_be_visible()
    assert faults(files) == []


@pytest.mark.whole
def test_a_session_without_branches_says_so(opened: Opened, served: Served) -> None:
    rows = served.get("/api/sessions?limit=100")["rows"]
    straight = next(row["id"] for row in rows if row["branches"] == 1 and row["turns"] > 1)

    page = opened(served, f"/s/{straight}/tree")

    expect(page.locator("main")).to_contain_text("You never went back in this session.")


@pytest.mark.whole
def test_a_session_that_is_not_there_is_not_said_to_open(opened: Opened, served: Served) -> None:
    page = opened(served, "/s/nosuch/tree", allow=("404",))

    expect(page.get_by_role("heading", level=1)).to_have_text("Tree Not found")
