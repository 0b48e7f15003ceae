"""Sessions: one row each; filters, order and place are in the address."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Opened
from tests.web.screens import settled
from tests.web.serving import Served

Keep = Callable[..., None]


def titles(page: Page) -> list[str]:
    return page.locator("tr.session .session-link").all_inner_texts()


def test_every_session_is_one_row_with_all_that_is_known(
    opened: Opened, served: Served, picture: Keep
) -> None:
    rows = served.get("/api/sessions?limit=100")
    page = opened(served, "/sessions")

    expect(page.locator("tr.session")).to_have_count(rows["total"])
    row = page.locator("tr.session").filter(has_text="Make the CSV import resumable").first
    expect(row).to_contain_text("resume-import")
    expect(row.locator(".branches")).to_contain_text("3")
    expect(row.locator(".cost")).to_contain_text("$6.19")
    expect(row.locator("time")).to_have_count(1)
    settled(page)
    picture(page, "sessions", docs=True)


def test_on_a_phone_star_and_copy_stand_beside_the_words(opened: Opened, served: Served) -> None:
    page = opened(served, "/sessions", width=390, height=844, has_touch=True)
    rows = page.locator("tr.session")
    expect(rows.first).to_be_visible()
    settled(page)

    for row in rows.all()[:6]:
        outer = row.bounding_box()
        words = row.locator(".session-line").bounding_box()
        assert outer
        assert words
        for button in (row.locator(".star"), row.locator(".do .button")):
            box = button.bounding_box()
            assert box
            assert min(box["width"], box["height"]) >= 44
            assert box["x"] >= words["x"] + words["width"] - 1
            assert outer["y"] - 1 <= box["y"]
            assert box["y"] + box["height"] <= outer["y"] + outer["height"] + 1


def test_on_a_phone_no_row_is_higher_than_its_place(opened: Opened, served: Served) -> None:
    page = opened(served, "/sessions", width=390, height=844, has_touch=True)
    expect(page.locator("tr.session").first).to_be_visible()

    tight = page.locator("tr.session").evaluate_all(
        """(rows) => rows.filter((row) => {
            const { top, bottom } = row.getBoundingClientRect()
            const words = [...row.querySelectorAll('.session-line, td:not(.do)')]
                .map((one) => one.getBoundingClientRect()).filter((box) => box.width > 0)
            return Math.min(...words.map((box) => box.top)) < top + 3
                || Math.max(...words.map((box) => box.bottom)) > bottom - 3
        }).map((row) => row.innerText)"""
    )

    assert tight == []


@pytest.mark.whole
def test_no_title_is_a_tag_or_an_agent(opened: Opened, served: Served) -> None:
    page = opened(served, "/sessions")
    expect(page.locator("tr.session").first).to_be_visible()

    assert [title for title in titles(page) if title.startswith(("<", "agent-", "Caveat"))] == []


@pytest.mark.whole
def test_plan_and_implementation_name_each_other(opened: Opened, served: Served) -> None:
    page = opened(served, "/sessions")

    plan = page.locator("tr.session").filter(has_text="Rounding of tax on refunds")
    plan.get_by_role("link", name="Write the commit").first.click()

    expect(page).to_have_url(f"{served.address}/s/{session(served, 'd8b8c79f')}")


def test_typing_filters_and_stands_in_the_address(opened: Opened, served: Served) -> None:
    page = opened(served, "/sessions")
    expect(page.locator("tr.session").first).to_be_visible()

    page.keyboard.press("/")
    page.keyboard.type("tax")

    expect(page).to_have_url(f"{served.address}/sessions?filter=tax")
    expect(page.locator("tr.session").filter(has_text="Deploy notes")).to_have_count(0)
    page.reload()
    expect(
        page.locator("tr.session").filter(has_text="Why the tax rounding drifts")
    ).to_be_visible()
    expect(page.get_by_role("searchbox", name="Filter sessions")).to_have_value("tax")


@pytest.mark.whole
def test_a_choice_is_one_step_and_back_undoes_it(opened: Opened, served: Served) -> None:
    page = opened(served, "/sessions")
    total = page.locator(".page-head").get_by_role("status")
    before = str(served.get("/api/sessions")["total"])
    expect(total).to_contain_text(before)

    page.get_by_role("combobox", name="Project").select_option(label="paper-lantern")
    expect(total).not_to_contain_text(before)
    page.go_back()

    expect(total).to_contain_text(before)
    expect(page).to_have_url(f"{served.address}/sessions")


@pytest.mark.whole
def test_sorting_by_cost_puts_the_dearest_first(opened: Opened, served: Served) -> None:
    page = opened(served, "/sessions")

    page.get_by_role("columnheader", name="Cost").get_by_role("button").click()

    expect(page.locator("tr.session").first).to_contain_text("$7.45")
    expect(page).to_have_url(f"{served.address}/sessions?sort=cost")
    header = page.get_by_role("columnheader", name="Cost")
    expect(header).to_have_attribute("aria-sort", "descending")


@pytest.mark.whole
def test_filters_that_give_nothing_can_be_cleared(opened: Opened, served: Served) -> None:
    page = opened(served, "/sessions?filter=nosuchwordanywhere")

    expect(page.get_by_text("No session matches.")).to_be_visible()
    page.get_by_role("button", name="Clear filters").click()

    expect(page.locator("tr.session").first).to_be_visible()


def test_keys_walk_the_rows_and_open_one_and_back_keeps_the_row(
    opened: Opened, served: Served
) -> None:
    page = opened(served, "/sessions", height=500)
    expect(page.locator("tr.session").first).to_be_visible()

    for _ in range(12):
        page.keyboard.press("j")
    focused = page.evaluate("() => document.activeElement.closest('tr')?.dataset.session")
    scroller = page.locator(".scroller")
    before = scroller.evaluate("(element) => element.scrollTop")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{served.address}/s/{focused}")
    page.go_back()

    expect(page.locator(f"tr[data-session='{focused}']")).to_be_in_viewport()
    assert abs(scroller.evaluate("(element) => element.scrollTop") - before) <= 2


def test_d_goes_down_half_a_page_of_rows_and_u_back_up(opened: Opened, served: Served) -> None:
    page = opened(served, "/sessions", height=600)
    expect(page.locator("tr.session").first).to_be_visible()
    focused = "() => document.activeElement.closest('tr')?.dataset.session"
    page.keyboard.press("j")
    first = page.evaluate(focused)
    walked = [first]
    for _ in range(12):
        page.keyboard.press("j")
        walked.append(page.evaluate(focused))
    page.keyboard.press("g")
    page.keyboard.press("g")
    expect(page.locator(f"tr[data-session='{first}'] .session-link")).to_be_focused()

    page.keyboard.press("d")
    down = page.evaluate(focused)
    page.keyboard.press("u")

    assert walked.index(down) > 1
    assert page.evaluate(focused) == first


def test_t_opens_the_tree_of_the_session_in_focus(opened: Opened, served: Served) -> None:
    page = opened(served, "/sessions")
    expect(page.locator("tr.session").first).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("j")
    focused = page.evaluate("() => document.activeElement.closest('tr').dataset.session")

    page.keyboard.press("t")

    expect(page).to_have_url(f"{served.address}/s/{focused}/tree")
    expect(page.get_by_role("treeitem").first).to_be_visible()


def session(server: Served, prefix: str) -> str:
    rows = server.get("/api/sessions?limit=100")["rows"]
    return next(str(row["id"]) for row in rows if row["id"].startswith(prefix))
