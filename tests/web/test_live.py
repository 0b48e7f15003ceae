"""Live: what is written appears, what is read stays, and a cut connection heals."""

import re
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from bough.sample import SampleCall
from bough.sample.demo import write_demo
from tests.web.conftest import Opened
from tests.web.growing import Growing
from tests.web.screens import scroll_words, settled
from tests.web.serving import Served
from tests.web.watching import CUT

Keep = Callable[..., None]
RUN = SampleCall(tool="Bash", given={"command": "pytest -q"}, result=None)
_FIRST_LINE = """() => {
    const scroller = document.querySelector('main .scroller, main [data-scroller]') ?? document.body
    const top = 160
    for (const slot of document.querySelectorAll('.slot:not(.waiting)')) {
        const box = slot.getBoundingClientRect()
        if (box.bottom > top) return [slot.dataset.piece, Math.round(box.top)]
    }
    return null
}"""


@pytest.fixture
def growing(living: Served, request: pytest.FixtureRequest) -> Growing:
    """Begin a session, and wait until the server lists it."""
    session = Growing(living.claude, request.node.name)
    living.until(lambda: any(row["id"] == session.id for row in rows(living)))
    return session


def rows(server: Served) -> list[dict[str, object]]:
    found: list[dict[str, object]] = server.get("/api/sessions?limit=100")["rows"]
    return found


def reading(opened: Opened, server: Served, session: Growing, **how: object) -> Page:
    page = opened(server, f"/s/{session.id}", **how)
    expect(page.get_by_text("turnword30x").last).to_be_visible()
    settled(page)
    return page


def test_what_is_appended_appears_at_the_end(
    opened: Opened, living: Served, growing: Growing
) -> None:
    page = reading(opened, living, growing)

    word = growing.turn()
    growing.write()

    expect(page.get_by_text(f"Answer {word}").first).to_be_in_viewport()


@pytest.mark.whole
def test_a_session_named_by_the_beginning_of_its_id_is_followed_to_its_end(
    opened: Opened, living: Served, growing: Growing
) -> None:
    page = opened(living, f"/s/{growing.id[:13]}")
    expect(page.get_by_text("turnword30x").last).to_be_visible()
    expect(page.get_by_role("button", name="Star this session")).to_be_visible()
    settled(page)

    word = growing.turn()
    growing.write()
    expect(told(page, word)).to_have_count(1)

    growing.path.unlink()
    expect(page.get_by_text("Deleted by the client just now.")).to_be_visible()


def test_the_line_that_is_read_stays_while_the_session_goes_on(
    opened: Opened, living: Served, growing: Growing
) -> None:
    page = reading(opened, living, growing)
    scroll_words(page, -2_000)
    before = page.evaluate(_FIRST_LINE)

    words = [growing.turn() for _ in range(3)]
    growing.write()

    expect(page.get_by_role("button", name=re.compile(r"\d+ new"))).to_be_visible()
    key, top = page.evaluate(_FIRST_LINE)
    assert key == before[0]
    assert abs(top - before[1]) <= 2
    page.get_by_role("button", name=re.compile(r"\d+ new")).click()
    expect(page.get_by_text(f"Answer {words[-1]}").first).to_be_in_viewport()


def test_a_connection_that_was_cut_heals_without_gap_or_double(
    opened: Opened, living: Served, growing: Growing
) -> None:
    page = reading(opened, living, growing, allow=CUT)
    seen = growing.turn()
    growing.write()
    expect(page.get_by_text(f"Answer {seen}").first).to_be_visible()

    page.context.set_offline(True)
    missed = [growing.turn() for _ in range(4)]
    growing.write()
    page.wait_for_timeout(1_500)
    assert told(page, missed[0]).count() == 0
    page.context.set_offline(False)

    for word in (seen, *missed):
        expect(told(page, word)).to_have_count(1, timeout=15_000)
    assert in_order(page, [seen, *missed])


def test_a_call_that_runs_has_a_clock_and_the_last_line_says_what_claude_does(
    opened: Opened, living: Served, growing: Growing
) -> None:
    page = reading(opened, living, growing)

    call = growing.now().user("Run it").ask(RUN)
    growing.told.bash_progress(call, "collected 12 items")
    growing.write()

    expect(page.locator(".step .o").last).to_have_text(re.compile(r"running \d+:\d\d"))
    line = page.locator(".live-line")
    expect(line).to_have_text(re.compile(r"working: Bash pytest -q, \d+:\d\d"))
    expect(line).to_contain_text("collected 12 items")
    before = line.inner_text()
    expect(line).not_to_have_text(before)
    growing.now().bash_progress(call, "12 passed")
    growing.write()
    expect(line).to_contain_text("12 passed")


@pytest.mark.whole
def test_a_link_to_a_call_that_is_folded_away_opens_what_is_on_the_way(
    opened: Opened, living: Served, growing: Growing
) -> None:
    told = growing.now().user("Run them all")
    for number in range(12):
        told.tool("Bash", {"command": f"run part{number}x"}, "fine", name=f"part{number}")
    told.assistant("All of them ran.")
    growing.write()

    page = opened(living, f"/s/{growing.id}?at={told.uuid('part5')}")

    row = page.locator("details.step", has_text="run part5x")
    expect(row).to_be_in_viewport()
    expect(row.locator(".body").first).to_be_visible()
    page.keyboard.press("z")
    expect(row).to_be_hidden()
    page.reload()
    expect(page.locator("article.prompt:visible").first).to_be_visible()
    page.goto(f"{living.address}/s/{growing.id}?at={told.uuid('part7')}")
    expect(page.locator("details.step", has_text="run part7x")).to_be_in_viewport()


@pytest.mark.whole
def test_a_turn_that_grows_below_says_how_many_steps_are_new(
    opened: Opened, living: Served, growing: Growing
) -> None:
    growing.now().user("Run them all").tool("Bash", {"command": "pytest -q"}, "ok")
    growing.write()
    page = reading(opened, living, growing)
    page.keyboard.press("Home")
    expect(page.get_by_text("turnword1x").first).to_be_in_viewport()

    for number in range(3):
        growing.now().tool("Bash", {"command": f"run {number}"}, "ok")
    growing.write()

    expect(page.get_by_role("button", name="3 new steps")).to_be_visible()
    page.keyboard.press("End")
    expect(page.get_by_role("button", name=re.compile("new step"))).to_have_count(0)


def test_a_server_that_was_killed_and_started_again_is_found_again(
    opened: Opened, living: Served, growing: Growing
) -> None:
    page = reading(opened, living, growing, allow=(*CUT, "409"))

    living.kill()
    expect(page.get_by_text("bough has stopped.")).to_be_visible(timeout=15_000)
    expect(page.get_by_text("turnword30x").last).to_be_visible()
    missed = [growing.turn() for _ in range(3)]
    growing.write()
    living.start()

    for word in missed:
        expect(told(page, word)).to_have_count(1, timeout=20_000)
    expect(page.get_by_text("bough has stopped.")).to_have_count(0)
    assert in_order(page, missed)


@pytest.mark.parametrize("key", ["Enter", "g ,"], ids=["a conversation", "settings"])
def test_what_was_opened_while_the_server_was_gone_comes_when_it_is_back(
    opened: Opened, living: Served, key: str
) -> None:
    page = opened(living, "/sessions", allow=CUT)
    expect(page.locator("tr.session").first).to_be_visible()
    living.kill()
    expect(page.get_by_text("bough has stopped.")).to_be_visible(timeout=15_000)

    page.keyboard.press("j")
    for one in key.split():
        page.keyboard.press(one)
    expect(page.get_by_text("bough does not answer.")).to_be_visible()
    expect(page.get_by_role("heading", name="Not found")).to_have_count(0)
    living.start()

    expect(page.get_by_text("bough does not answer.")).to_have_count(0, timeout=20_000)
    expect(page.locator(".slot:not(.waiting), .setting").first).to_be_visible()


@pytest.mark.whole
def test_several_tabs_follow_at_once(opened: Opened, living: Served, growing: Growing) -> None:
    first = reading(opened, living, growing)
    others = [first.context.new_page() for _ in range(7)]
    for page in others:
        page.goto(f"{living.address}/s/{growing.id}")
        expect(page.get_by_text("turnword30x").last).to_be_visible()

    word = growing.turn()
    growing.write()

    for page in (first, *others):
        expect(page.get_by_text(f"Answer {word}").first).to_be_visible()


def test_the_cockpit_shows_what_runs_and_what_it_says(
    opened: Opened, tmp_path: Path, nobodys_home: Path, picture: Keep
) -> None:
    claude = write_demo(tmp_path, datetime.now(UTC))
    with Served(claude, tmp_path) as server:
        page = opened(server, "/live", allow=CUT)
        expect(page.get_by_text("Deploy notes for 2.3").first).to_be_visible()
        tax = Growing(claude, "cockpit-tax", 0, title="Round the tax of refunds")
        search = Growing(claude, "cockpit-search", 0, title="Search orders by customer")

        tax.now().user("Use half even everywhere").thinking("The refunds round each line alone.")
        tax.told.tool("Bash", {"command": "pytest -q tests/tax"}, None)
        tax.write()
        search.now().user("Show the slowest query").thinking("The index misses the customer.")
        search.told.tool("Grep", {"pattern": "customer_id"}, None)
        search.write()

        card = page.locator("li.card").filter(has_text="Round the tax of refunds")
        expect(card).to_contain_text("pytest -q tests/tax")
        expect(card).to_contain_text("Probably working")
        expect(card).to_contain_text("The refunds round each line alone.")
        expect(page.get_by_text("2 working").first).to_be_visible()
        settled(page)
        picture(page, "live", docs=True)


def test_a_session_appears_in_the_list_when_it_is_begun(opened: Opened, living: Served) -> None:
    page = opened(living, "/sessions")
    expect(page.locator("tr.session").first).to_be_visible()

    session = Growing(living.claude, f"begun-{time.time_ns()}", turns=1)

    expect(page.locator(f"tr[data-session='{session.id}']")).to_be_visible(timeout=10_000)


def told(page: Page, word: str) -> Locator:
    return page.locator(".slot").get_by_text(f"Answer {word}.")


def in_order(page: Page, words: list[str]) -> bool:
    text = page.locator(".strip").inner_text()
    places = [text.index(f"Answer {word}.") for word in words]
    return places == sorted(places)
