"""Search: answers while typing, every hit, and a jump that lands on the words."""

import re
from collections.abc import Callable
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.web.conftest import Opened
from tests.web.screens import marked, settled, until
from tests.web.serving import Served

Keep = Callable[..., None]
# Answers to short queries take longer than those to long ones.
_SLOW_AT_FIRST = """
const own = window.fetch
window.fetch = async (...given) => {
    const answer = await own(...given)
    if (/q=check(&|$)/.test(String(given[0]))) await new Promise((go) => setTimeout(go, 900))
    return answer
}
"""


_FROM_MARK = """(all) => all.map((words) => {
    const range = document.createRange()
    range.setStartBefore(words.querySelector('mark'))
    range.setEndAfter(words.lastChild)
    return range.toString()
})"""
_READ_ON = """() => {
    const [range] = CSS.highlights.get('hit-now') ?? []
    const piece = range?.startContainer.parentElement?.closest('.piece')
    if (!piece) return ''
    const rest = document.createRange()
    rest.setStart(range.startContainer, range.startOffset)
    rest.setEndAfter(piece)
    return rest.toString().slice(0, 200)
}"""


def box(page: Page) -> Locator:
    return page.get_by_role("combobox", name="Search everything")


def searching(opened: Opened, server: Served, **how: object) -> Page:
    page = opened(server, "/search", **how)
    expect(box(page)).to_be_focused()
    return page


def test_hits_come_while_typing_grouped_by_session(
    opened: Opened, served: Served, picture: Keep
) -> None:
    page = searching(opened, served)

    page.keyboard.type("checkpoint", delay=30)

    summary = page.get_by_role("status").filter(has_text="hits")
    told = served.get("/api/search?q=checkpoint")
    expect(summary).to_contain_text(f"{told['total']} hits")
    expect(summary).to_contain_text("ms")
    group = page.locator("section.group").filter(has_text="Make the CSV import resumable").first
    expect(group.locator("mark").first).to_have_text(re.compile("checkpoint", re.IGNORECASE))
    expect(page).to_have_url(f"{served.address}/search?q=checkpoint")
    settled(page)
    picture(page, "search", docs=True)


@pytest.mark.whole
def test_a_message_that_a_fork_took_along_is_shown_once(opened: Opened, served: Served) -> None:
    words = "Keep a checkpoint file next to the CSV"
    told = served.get(f"/api/search?q={quote(words)}&limit=100")
    same = [hit for hit in told["hits"] if hit["snippet"] == words]
    assert len({hit["uuid"] for hit in same}) == 1
    assert len({hit["session"] for hit in same}) == 2

    page = opened(served, f"/search?q={quote(words)}")

    shown = page.locator("a.hit").filter(has=page.get_by_text("You")).filter(has_text=words)
    expect(shown).to_have_count(1)
    expect(shown).to_contain_text("also in 1 other session")


def test_old_answers_never_replace_newer_ones(opened: Opened, served: Served) -> None:
    page = opened(served, "/api/about", kept=False)
    page.add_init_script(_SLOW_AT_FIRST)
    page.goto(f"{served.address}/search")
    expect(box(page)).to_be_focused()

    page.keyboard.type("check")
    page.wait_for_timeout(250)
    page.keyboard.type("point tool:Edit")
    page.wait_for_timeout(1_500)

    told = served.get("/api/search?q=checkpoint%20tool%3AEdit")
    summary = page.get_by_role("status").filter(has_text="hit")
    expect(summary).to_contain_text(f"{told['total']} hit")


def test_a_wrong_query_says_where_and_keeps_the_last_answer(opened: Opened, served: Served) -> None:
    page = searching(opened, served)
    page.keyboard.type("checkpoint")
    # Of the whole word: on the way to it there is one without hits.
    total = served.get("/api/search?q=checkpoint")["total"]
    expect(page.get_by_role("status").filter(has_text="hit")).to_contain_text(f"{total} hit")
    expect(page.locator(".hit").first).to_be_visible()

    page.keyboard.type(" (")

    wrong = page.get_by_role("alert")
    expect(wrong).to_contain_text("Each ( wants a )")
    expect(wrong).to_contain_text("character 12")
    expect(box(page)).to_have_attribute("aria-invalid", "true")
    expect(page.locator(".hit").first).to_be_visible()
    expect(page.locator(".results")).to_have_class(re.compile("dimmed"))


def test_words_after_a_colon_are_completed(opened: Opened, served: Served) -> None:
    page = searching(opened, served)

    page.keyboard.type("tool:Ba")
    offer = page.get_by_role("listbox", name="Completions")
    expect(offer.get_by_role("option").first).to_contain_text("Bash")
    page.keyboard.press("Tab")

    expect(box(page)).to_have_value(re.compile("^tool:Bash"))
    expect(page.locator(".hit").first).to_be_visible()


@pytest.mark.whole
def test_a_facet_narrows_and_back_undoes_it(opened: Opened, served: Served) -> None:
    page = opened(served, "/search?q=checkpoint")
    kinds = page.get_by_role("group", name="Kind")
    expect(kinds).to_be_visible()
    before = page.get_by_role("status").filter(has_text="hits").inner_text()

    kinds.get_by_role("button").last.click()
    expect(page).to_have_url(re.compile("kind%3A|kind:"))
    page.go_back()

    expect(box(page)).to_have_value("checkpoint")
    expect(page.get_by_role("status").filter(has_text="hits")).to_contain_text(
        before.split(" hits")[0]
    )


@pytest.mark.whole
def test_nothing_found_names_a_better_query(opened: Opened, served: Served) -> None:
    page = opened(served, "/search?q=chekpoint")

    expect(page.get_by_text("No hit for")).to_be_visible()
    page.get_by_role("button", name="Search for checkpoint").click()

    expect(page.locator(".hit").first).to_be_visible()


def test_enter_lands_on_the_words_marked_and_unfolded(opened: Opened, served: Served) -> None:
    page = opened(served, "/search?q=checkpoint%20kind%3Atool_result")
    expect(page.locator(".hit").first).to_be_visible()

    page.locator(".hit").first.click()

    expect(page).to_have_url(re.compile(r"/s/.+at="))
    until(page, lambda: "checkpoint" in [word.lower() for word in marked(page)])


def hold_requests(page: Page, address: str) -> list[Route]:
    """Hold requests until they are let go on."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(re.compile(address), hold)
    return held


def press_at_end(page: Page) -> bool:
    complete = page.locator(".more-hits").count() == 0
    page.keyboard.press("G")
    return complete


def test_keys_go_to_the_first_hit_and_to_the_last_and_by_half_pages(
    opened: Opened, served: Served
) -> None:
    page = opened(served, "/search?q=checkpoint")
    hits = page.locator(".hit")
    expect(hits.first).to_be_visible()
    hits.first.focus()

    # The end coming near loads the next page: at the end is who stands at it and finds no more.
    until(page, lambda: press_at_end(page))
    expect(hits.last).to_be_focused()
    page.keyboard.press("g")
    page.keyboard.press("g")
    expect(hits.first).to_be_focused()

    # Now that no more come, which puts rows elsewhere, half a page back is where one was.
    page.keyboard.press("d")
    expect(hits.first).not_to_be_focused()
    expect(page.locator(".hit:focus")).to_have_count(1)
    page.keyboard.press("u")

    expect(hits.first).to_be_focused()


def test_keys_go_on_after_an_order_was_chosen(opened: Opened, served: Served) -> None:
    page = opened(served, "/search?q=checkpoint")
    order = page.get_by_role("radiogroup", name="Order")
    order.get_by_text("Newest").click()
    expect(page).to_have_url(re.compile("sort=newest"))
    page.keyboard.press("ArrowLeft")
    expect(order.get_by_role("radio", name="Best")).to_be_checked()
    expect(page.locator(".hit").first).to_be_visible()

    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/search"))
    page.keyboard.press("j")

    expect(page.locator(".hit:focus")).to_have_count(1)


def test_focus_stays_among_the_hits_when_others_come_in_their_place(
    opened: Opened, served: Served
) -> None:
    page = opened(served, "/search?q=checkpoint")
    hits = page.locator(".hit")
    expect(hits.first).to_be_visible()
    waiting = hold_requests(page, "/api/search.*sort=newest")
    page.get_by_role("radiogroup", name="Order").get_by_text("Newest").click()
    until(page, lambda: bool(waiting))
    before = hits.all_inner_texts()

    page.keyboard.press("j")
    expect(hits.first).to_be_focused()
    with page.expect_response(re.compile("/api/search.*sort=newest")):
        waiting[0].continue_()

    until(page, lambda: hits.all_inner_texts() != before)
    expect(page.locator(".hit:focus")).to_have_count(1)


def test_the_hit_in_focus_keeps_it_when_the_next_page_comes(opened: Opened, served: Served) -> None:
    page = opened(served, "/")
    waiting = hold_requests(page, "/api/search.*cursor=")
    page.goto(f"{served.address}/search?q=checkpoint")
    until(page, lambda: bool(waiting))
    hits = page.locator(".hit")
    hits.last.focus()
    at, count = hits.last.get_attribute("href"), hits.count()

    waiting[0].continue_()

    until(page, lambda: hits.count() > count)
    expect(page.locator(".hit:focus")).to_have_attribute("href", at or "")


def test_the_hit_in_focus_keeps_it_when_another_is_put_above_it(
    opened: Opened, served: Served
) -> None:
    told = served.get("/api/search?q=checkpoint")
    everywhere = [hit["uuid"] for hit in told["hits"]]
    late = next(  # of no fork, which would show it in its place
        hit
        for hit in told["hits"][1:]
        if hit["session"] == told["hits"][0]["session"] and everywhere.count(hit["uuid"]) == 1
    )
    early = [hit for hit in told["hits"] if hit is not late]
    waiting: list[Route] = []

    def give_in_two_pages(route: Route) -> None:
        if "cursor=" in route.request.url:
            waiting.append(route)
        else:
            route.fulfill(json=told | {"hits": early, "next": "more"})

    page = opened(served, "/")
    page.route(re.compile("/api/search"), give_in_two_pages)
    page.goto(f"{served.address}/search?q=checkpoint")
    group = page.locator("section.group").nth(1)
    hit = group.locator(".hit").nth(1)
    hit.focus()
    at = hit.get_attribute("href")
    until(page, lambda: bool(waiting))

    waiting[0].fulfill(json=told | {"hits": [late], "next": None})

    expect(page.locator(".more-hits")).to_have_count(0)
    expect(page.locator(".hit:focus")).to_have_attribute("href", at or "")


def test_keys_walk_the_hits_and_n_goes_on_across_sessions(opened: Opened, served: Served) -> None:
    page = opened(served, "/search?q=checkpoint&sort=newest")
    expect(page.locator(".hit").first).to_be_visible()
    page.locator(".hit").first.focus()

    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/s/"))
    expect(page.locator(".slot:not(.waiting)").first).to_be_visible()
    places = {page.url}
    sessions = {session_in(page)}
    for _ in range(40):
        page.keyboard.press("n")
        page.wait_for_timeout(120)
        places.add(page.url)
        sessions.add(session_in(page))
        if len(sessions) > 1:
            break

    assert len(places) > 1
    assert len(sessions) > 1


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).lower()


def test_the_words_one_lands_on_are_those_of_the_hit_and_not_the_first_of_the_message(
    opened: Opened, served: Served
) -> None:
    page = opened(served, "/search?q=checkpoint%20kind%3Atext%20session%3A3f9c21d0")
    expect(page.locator(".hit").first).to_be_visible()
    expect(page.locator(".more-hits")).to_have_count(0)
    said = [letters(text) for text in page.locator(".hit-words").evaluate_all(_FROM_MARK)]
    assert len(said) > 3

    page.locator(".hit").first.click()
    for text in said:
        until(page, lambda text=text: letters(page.evaluate(_READ_ON)).startswith(text[:20]))  # type: ignore[misc]
        page.keyboard.press("n")


@pytest.mark.whole
def test_escape_returns_to_the_hits(opened: Opened, served: Served) -> None:
    page = opened(served, "/search?q=checkpoint")
    page.locator(".hit").first.click()
    expect(page.locator(".slot:not(.waiting)").first).to_be_visible()

    page.go_back()

    expect(page.locator(".hit").first).to_be_visible()
    expect(box(page)).to_have_value("checkpoint")


def session_in(page: Page) -> str:
    found = re.search(r"/s/([^?]+)", page.url)
    assert found is not None
    return found[1]


def test_a_pattern_that_comes_with_an_address_waits_for_enter(
    opened: Opened, served: Served
) -> None:
    page = opened(served, "/search?q=%2Fcheck.oint%2F")

    expect(box(page)).to_have_value("/check.oint/")
    expect(page.get_by_text("An address alone runs no pattern. Press Enter")).to_be_visible()
    expect(page.locator(".results mark")).to_have_count(0)

    page.keyboard.press("Enter")

    expect(page.locator(".results mark").first).to_have_text(re.compile("checkpoint"))
    expect(page.get_by_text("Press Enter to run it")).to_have_count(0)


@pytest.mark.whole
def test_after_a_jump_the_search_stays_until_escape_goes_back_to_the_hits(
    opened: Opened, served: Served
) -> None:
    told = served.get("/api/search?q=job%20table")
    page = opened(served, "/search?q=job%20table")
    page.locator(".hit").nth(2).click()

    bar = page.get_by_role("search", name="Hits of the search")
    expect(bar).to_contain_text("job table")
    expect(bar).to_contain_text(f"3 of {told['total']}, session 1 of {told['sessions']}")
    until(page, lambda: "job table" in [word.lower() for word in marked(page)])
    bar.get_by_role("button", name="Next hit").click()
    expect(bar).to_contain_text(f"4 of {told['total']}")
    bar.get_by_role("button", name="Previous hit").click()
    expect(bar).to_contain_text(f"3 of {told['total']}")
    page.keyboard.press("Escape")

    expect(page).to_have_url(re.compile("/search"))
    expect(page.locator(".hit").nth(2)).to_be_focused()


@pytest.mark.whole
def test_filters_are_folded_on_a_phone_and_the_first_hit_is_near_the_top(
    opened: Opened, served: Served
) -> None:
    page = opened(served, "/search?q=checkpoint")
    page.set_viewport_size({"width": 390, "height": 844})
    first = page.locator(".hit").first
    kinds = page.get_by_role("group", name="Kind")

    expect(kinds).to_be_hidden()
    place = first.bounding_box()
    assert place is not None
    assert place["y"] < 360
    page.get_by_role("button", name="Filters").click()
    expect(kinds).to_be_visible()
    page.get_by_role("button", name="Filters").click()
    expect(kinds).to_be_hidden()


@pytest.mark.whole
def test_counts_say_the_total_and_every_kind_is_offered(opened: Opened, served: Served) -> None:
    told = served.get("/api/search?q=checkpoint")
    page = opened(served, "/search?q=checkpoint")

    first = told["hits"][0]
    group = page.locator("section.group").first
    expect(group.locator(".group-count")).to_have_text(f"{first['in_session']} hits")
    kinds = page.get_by_role("group", name="Kind")
    for kind in told["facets"]["kind"]:
        expect(kinds).to_contain_text(f"{kind['label']} {kind['count']}")
