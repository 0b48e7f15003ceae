"""Usage: every number is that of the command line, says where it comes from, and leads on."""

import csv
import io
import re
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.sampled import mark_rest_whole
from tests.web.conftest import Opened
from tests.web.screens import faults, overlaps, settled, story, until
from tests.web.serving import Served
from tests.web_api.test_routes import cli

Keep = Callable[..., None]
CHARTS = (
    "Cost by day",
    "Five-hour blocks",
    "Costliest sessions",
    "Branches and work left behind",
    "Tools",
    "Hooks",
    "Errors and retries",
    "Compactions",
    "Files",
    "Activity by day",
    "Activity by hour of the week",
)
LOOKS = list(
    product(("charts", "tables", "behind", "explanation"), ("light", "dark", "forced"), (1440, 390))
)
# Each once.
SOME_LOOKS = {
    *(("charts", "light", 390), ("tables", "dark", 1440), ("behind", "forced", 1440)),
    ("explanation", "dark", 390),
}


def chart(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name, exact=True)


def saved_csv(page: Page, name: str) -> list[list[str]]:
    with page.expect_download() as download:
        page.get_by_role("button", name=f"Save {name} as CSV").click()
    text = Path(download.value.path()).read_bytes().decode()
    return list(csv.reader(io.StringIO(text)))


def test_the_keys_lead_to_usage_and_all_its_charts_are_there(
    opened: Opened, served: Served, picture: Keep
) -> None:
    page = opened(served, height=1400)
    expect(page.get_by_role("heading", level=1)).to_be_visible()

    page.keyboard.press("g")
    page.keyboard.press("u")

    expect(page).to_have_url(f"{served.address}/usage")
    for name in CHARTS:
        expect(chart(page, name)).to_be_visible()
    settled(page)
    picture(page, "usage", docs=True)


@pytest.mark.parametrize("since", mark_rest_whole(["29d", "364d"], {"29d"}))
def test_every_chart_has_a_sentence_and_a_table_of_the_same_numbers(
    opened: Opened, served: Served, since: str
) -> None:
    page = opened(served, f"/usage?since={since}")
    expect(chart(page, "Tools")).to_be_visible()
    settled(page)
    sentences = page.locator(".sentence").all_inner_texts()

    page.keyboard.press("v")

    expect(page.locator("section.chart table")).to_have_count(len(CHARTS))
    captions = page.locator("section.chart table caption").all_text_contents()
    assert [text.strip() for text in captions] == sentences
    assert all(sentences)
    printed = cli(served, "stats", "tools", "--since", since)["rows"]
    rows = chart(page, "Tools").get_by_role("row")
    expect(rows).to_have_count(len(printed) + 1)
    assert rows.nth(1).get_by_role("rowheader").inner_text() == printed[0]["tool"]


def test_what_is_saved_as_csv_is_what_the_command_line_prints(
    opened: Opened, served: Served
) -> None:
    page = opened(served, "/usage?since=6d&zone=Asia/Tokyo")
    expect(chart(page, "Cost by day")).to_be_visible()
    settled(page)
    asked = ("--since", "6d", "--zone", "Asia/Tokyo")

    days = saved_csv(page, "Cost by day")
    hooks = saved_csv(page, "Hooks")

    spent = cli(served, "usage", "daily", *asked)["rows"]
    assert [(row[0], float(row[1] or 0), int(row[3])) for row in days[1:]] == [
        (row["key"], row["cost_usd"] or 0, row["output_tokens"]) for row in spent
    ]
    ran = cli(served, "stats", "hooks", *asked)["rows"]
    assert [(row[1], int(row[2]), float(row[8])) for row in hooks[1:]] == [
        (row["command"], row["runs"], row["waited_ms"]) for row in ran
    ]


@pytest.mark.whole
def test_rows_that_have_no_room_are_counted_and_stand_in_table_and_csv(
    opened: Opened, served: Served
) -> None:
    printed = cli(served, "usage", "branch", "--since", "29d")["rows"]
    page = opened(served, "/usage")
    branches = chart(page, "Branches and work left behind")

    expect(branches).to_contain_text(f"Show 25 of {len(printed)}")
    assert len(saved_csv(page, "Branches and work left behind")) == len(printed) + 1

    branches.get_by_role("button", name="Table").click()
    expect(branches.get_by_role("row")).to_have_count(len(printed) + 1)


def test_a_bar_leads_to_its_sessions_and_they_add_up_to_it(opened: Opened, served: Served) -> None:
    page = opened(served, "/usage")
    bar = chart(page, "Cost by day").locator("svg a").last
    label = bar.get_attribute("aria-label") or ""
    bar.focus()
    page.keyboard.press("Enter")

    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".much").first).to_be_visible()
    told = [text for text in dialog.locator(".much").all_inner_texts() if text.startswith("$")]
    expect(page).to_have_url(re.compile("behind=daily"))

    wanted = re.search(r"\$([\d.]+)", label)
    assert wanted is not None
    assert sum(float(text[1:].split()[0]) for text in told) == pytest.approx(
        float(wanted[1]), abs=0.005 * (len(told) + 1)
    )
    dialog.get_by_role("link").first.click()
    expect(page).to_have_url(re.compile("/s/"))
    page.go_back()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page).to_have_url(f"{served.address}/usage")


@pytest.mark.whole
def test_arrows_walk_from_mark_to_mark_and_the_chart_is_one_stop(
    opened: Opened, served: Served
) -> None:
    page = opened(served, "/usage")
    marks = chart(page, "Cost by day").locator("svg a")
    expect(marks.first).to_be_attached()

    expect(chart(page, "Cost by day").locator("svg a[tabindex='0']")).to_have_count(1)
    marks.last.focus()
    page.keyboard.press("ArrowLeft")

    assert page.evaluate("() => document.activeElement.getAttribute('aria-label')") == marks.nth(
        marks.count() - 2
    ).get_attribute("aria-label")


@pytest.mark.whole
def test_a_tool_leads_to_the_sessions_that_called_it(opened: Opened, served: Served) -> None:
    page = opened(served, "/usage")
    tools = cli(served, "stats", "tools", "--since", "29d")["rows"]

    chart(page, "Tools").get_by_role("link").first.click()

    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(f"Sessions behind {tools[0]['tool']}")
    expect(dialog.get_by_role("listitem")).to_have_count(tools[0]["sessions"])


@pytest.mark.whole
def test_ranges_breakdowns_and_measures_are_in_the_address(opened: Opened, served: Served) -> None:
    page = opened(served, "/usage")
    expect(chart(page, "Cost by day")).to_be_visible()

    page.get_by_role("radio", name="Year").check(force=True)
    expect(page).to_have_url(f"{served.address}/usage?since=364d")
    expect(chart(page, "Cost by week")).to_be_visible()
    page.get_by_role("radio", name="Project").check(force=True)
    page.get_by_role("radio", name="Tokens").check(force=True)
    expect(chart(page, "Tokens by week")).to_contain_text("orchard-shop")
    expect(page).to_have_url(f"{served.address}/usage?since=364d&by=project&measure=tokens")

    page.go_back()
    expect(chart(page, "Cost by week")).to_be_visible()


def test_what_the_rest_share_has_a_colour_of_no_role(opened: Opened, served: Served) -> None:
    page = opened(served, "/usage?since=364d&by=agent")

    rest = chart(page, "Cost by week").get_by_role("listitem").filter(has_text=" others")

    edge = rest.evaluate("one => getComputedStyle(one).getPropertyValue('--edge')")
    assert edge
    hue = "one => getComputedStyle(one).getPropertyValue('--hue')"
    assert rest.locator("rect").evaluate(hue) == edge


@pytest.mark.whole
def test_days_can_be_named_as_on_the_command_line(opened: Opened, served: Served) -> None:
    page = opened(served, "/usage", allow=("400",))
    page.get_by_role("radio", name="Other").check(force=True)
    page.get_by_role("textbox", name="From").fill("20d")
    page.get_by_role("textbox", name="to", exact=True).fill("yesterday")
    page.get_by_role("button", name="Show", exact=True).click()

    total = cli(served, "usage", "--since", "20d", "--until", "yesterday")["totals"]
    shown = page.locator(".totals .figure")
    expect(shown).to_contain_text(f"${total['cost_usd']:.2f}")

    page.get_by_role("textbox", name="From").fill("soon")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_role("alert").first).to_contain_text("--since takes a time")


def test_a_cost_says_where_it_comes_from(opened: Opened, served: Served, picture: Keep) -> None:
    page = opened(served, "/usage")
    page.locator(".totals .figure button").click()

    dialog = page.get_by_role("dialog")
    for row in cli(served, "usage", "model", "--since", "29d")["rows"]:
        expect(dialog.locator(f"th[title='{row['key']}']")).to_have_count(1)
    expect(dialog).to_contain_text("no price")
    expect(dialog).to_contain_text("bough usage model --since 29d")
    settled(page)
    picture(page, "explanation", docs=True)


@pytest.mark.parametrize(
    "path",
    mark_rest_whole(
        [
            "/",
            "/sessions",
            "/live",
            "/usage?behind=daily&key={day}",
            "/s/3f9c21d0",
            "/s/3f9c21d0?tip={left}",
            "/s/3f9c21d0?agent={agent}",
            "/s/3f9c21d0/tree?at={left}",
            "/s/3f9c21d0/tree?view=files",
            "/s/3f9c21d0/compare?a=active&b={left}&view=cost",
        ],
        {
            *("/sessions", "/usage?behind=daily&key={day}"),
            *("/s/3f9c21d0?tip={left}", "/s/3f9c21d0/tree?at={left}"),
        },
    ),
)
def test_an_explanation_sums_to_the_cost_that_was_pressed(
    opened: Opened, served: Served, path: str
) -> None:
    facts = served.get(f"/api/sessions/{story(served)}")
    left = next(one["tip"] for one in facts["branches"] if not one["active"])
    day = served.get("/api/usage?report=daily&since=29d")["rows"][-1]["key"]
    page = opened(served, path.format(left=left, day=day, agent=facts["agents"][0]["id"]))
    place = page.get_by_role("dialog") if "behind" in path else page.get_by_role("main")
    costs = place.locator(".cost-button:visible, .foot .act:visible")
    expect(costs.first).to_be_visible()
    if path.startswith("/s/3f9c21d0") and "tree" not in path and "compare" not in path:
        expect(page.locator(".slot:not(.waiting)").first).to_be_visible()
        page.keyboard.press("Home")
        expect(page.locator("header .cost-button").first).to_be_visible()

    # What comes late stands before what is here, or moves it.
    settled(page)
    dialog = page.get_by_role("dialog", name="Where the cost comes from")
    for number in range(min(6, costs.count())):
        cost = costs.nth(number).element_handle()
        shown = cost.inner_text()
        cost.click()
        expect(dialog.locator(".told .num")).to_have_text(shown.partition(",")[0])
        expect(dialog.get_by_role("columnheader", name="Model").first).to_be_visible()
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)


@pytest.mark.whole
def test_the_explanation_of_a_branch_lists_its_calls(opened: Opened, served: Served) -> None:
    page = opened(served, "/s/3f9c21d0")
    expect(page.locator(".slot:not(.waiting)").first).to_be_visible()
    page.keyboard.press("Home")
    page.locator("header .cost-button").first.click()

    dialog = page.get_by_role("dialog")
    tip = served.get(f"/api/sessions/{story(served)}")["branches"][0]["tip"]
    calls = cli(served, "usage", "--explain", "3f9c21d0", "--tip", tip)["calls"]
    expect(dialog).to_contain_text(f"--tip {tip}")
    rows = dialog.get_by_role("table").nth(1).get_by_role("row")
    expect(rows).to_have_count(min(100, len(calls)) + 1)
    expect(rows.nth(1)).to_contain_text(f"line {calls[0]['lines'][0]['line']}")


@pytest.mark.whole
def test_home_has_today_this_week_and_30_days_in_one_strip(opened: Opened, served: Served) -> None:
    page = opened(served)

    strip = page.get_by_role("region", name="Usage")
    month = cli(served, "usage", "--since", "29d")["totals"]["cost_usd"]
    expect(strip).to_contain_text(f"${month:.2f}")
    expect(strip.get_by_role("link")).to_have_text(["Today", "This week", "30 days"])
    strip.get_by_role("link", name="30 days").click()
    expect(page).to_have_url(f"{served.address}/usage?since=29d")


@pytest.mark.parametrize(
    "shown", mark_rest_whole(LOOKS, SOME_LOOKS), ids=lambda shown: "-".join(map(str, shown))
)
def test_axe_finds_nothing_serious(
    opened: Opened, served: Served, picture: Keep, shown: tuple[str, str, int]
) -> None:
    what, look, width = shown
    forced = {"forced_colors": "active"} if look == "forced" else {"theme": look}
    path = "/usage?behind=tools&key=Bash" if what == "behind" else "/usage"
    page = opened(served, path, **forced)
    expect(chart(page, "Activity by day")).to_be_attached()
    if what == "tables":
        page.keyboard.press("v")
    if what == "explanation":
        page.locator(".totals .figure button").click()
        expect(page.get_by_role("dialog")).to_contain_text("calls")
    settled(page)
    picture(page, f"usage-{what}-{look}")
    page.set_viewport_size({"width": width, "height": 844})
    settled(page)

    assert faults(page) + overlaps(page) == []


def test_a_range_that_is_none_is_said_once(opened: Opened, served: Served) -> None:
    page = opened(served, "/usage?since=nonsense")

    expect(page.get_by_role("alert")).to_contain_text("not nonsense")
    expect(page.get_by_role("alert")).to_have_count(1)
    expect(page.get_by_role("heading", name="Cost by day")).to_have_count(0)
    page.get_by_role("radiogroup", name="Range").get_by_text("7 days").click()
    expect(page.get_by_role("heading", name="Cost by day")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_range_that_is_none_is_said_once_also_where_another_part_fails_first(
    opened: Opened, served: Served
) -> None:
    page = opened(served, "/usage", allow=("400",))
    held: list[Route] = []
    page.route("**/api/usage?*", lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks its handlers

    with page.expect_response("**/api/stats/hooks?*"):
        page.goto(f"{served.address}/usage?since=nonsense")
    expect(chart(page, "Hooks")).to_be_visible()
    page.wait_for_timeout(100)
    assert page.get_by_role("alert").count() == 0
    for route in held:
        route.continue_()

    expect(page.get_by_role("alert")).to_have_count(1)
    page.unroute("**/api/usage?*")


def test_a_part_that_fails_leaves_the_others(opened: Opened, served: Served) -> None:
    page = opened(served, "/usage", allow=("500", "Failed to load"))
    page.route("**/api/stats/hooks**", lambda route: route.fulfill(status=500, body="{}"))
    page.reload()

    expect(chart(page, "Hooks").get_by_role("alert")).to_contain_text("500")
    expect(chart(page, "Tools").get_by_role("link").first).to_be_visible()
    page.unroute("**/api/stats/hooks**")
    chart(page, "Hooks").get_by_role("button", name="Try again").click()
    until(page, lambda: chart(page, "Hooks").get_by_role("alert").count() == 0)
