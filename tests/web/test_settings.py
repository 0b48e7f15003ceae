"""The page of settings: what is chosen there holds at once, here and after the next start."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, expect

from tests.web.conftest import Opened
from tests.web.serving import Served

Keep = Callable[..., None]


@pytest.fixture(autouse=True)
def no_choices_left(served: Served) -> Iterator[None]:
    yield
    served.choices.unlink(missing_ok=True)
    served.config.unlink(missing_ok=True)


def test_keys_lead_to_the_page_and_a_choice_is_kept(
    opened: Opened, served: Served, picture: Keep
) -> None:
    page = opened(served)
    page.keyboard.press("g")
    page.keyboard.press(",")
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()

    row = page.locator("[data-setting=density]")
    row.get_by_text("Compact").click()
    expect(row.get_by_role("button", name="Reset Density")).to_be_visible()
    expect(page.locator(":root")).to_have_attribute("data-density", "compact")
    page.locator("[data-setting=text_size] input").fill("18")
    page.locator("[data-setting=text_size] input").press("Enter")
    expect(page.locator("[data-setting=text_size]").get_by_role("button")).to_be_visible()
    picture(page, "settings")

    other = opened(served, "/settings")
    expect(other.locator(":root")).to_have_attribute("data-density", "compact")
    size = other.evaluate(
        "getComputedStyle(document.documentElement).getPropertyValue('--read-size')"
    )
    assert size == "18px"


def test_zone_and_clock_are_those_of_lists_and_of_conversations(
    opened: Opened, served: Served
) -> None:
    page = opened(served, "/settings")
    page.locator("[data-setting=zone] select").select_option("Asia/Tokyo")
    expect(page.get_by_role("button", name="Reset Time zone")).to_be_visible()
    page.locator("[data-setting=clock]").get_by_text("12 h").click()
    expect(page.get_by_role("button", name="Reset Clock")).to_be_visible()

    session = served.get("/api/sessions")["rows"][0]["id"]
    reading = opened(served, f"/s/{session}")
    expect(reading.locator(".piece time").filter(has_text="M").first).to_be_visible()
    # A line of a new day is a time too, and the moment of no message.
    moment = reading.locator(".piece time[title]").first
    expect(moment).to_have_attribute("title", re.compile("JST$"))


def test_weeks_begin_on_the_chosen_day_in_the_heat_maps(opened: Opened, served: Served) -> None:
    def rows_of(name: str) -> Locator:
        return page.get_by_role("region", name=name).locator("svg text.tick[x='0']")

    page = opened(served, "/usage")
    expect(rows_of("Activity by day")).to_have_text(["Mon", "Wed", "Fri", "Sun"])

    page.goto(f"{served.address}/settings")
    page.locator("[data-setting=week_start]").get_by_text("Sunday").click()
    expect(page.get_by_role("button", name="Reset Weeks begin on")).to_be_visible()
    page.goto(f"{served.address}/usage")

    for name in ("Activity by day", "Activity by hour of the week"):
        expect(rows_of(name)).to_have_text(["Sun", "Tue", "Thu", "Sat"])


@pytest.mark.whole
def test_what_config_toml_sets_cannot_be_chosen_and_says_so(opened: Opened, served: Served) -> None:
    served.config.parent.mkdir(parents=True, exist_ok=True)
    served.config.write_text('theme = "dark"\nbackup_days = 120\ncolour = 1\n')
    page = opened(served, "/settings")

    theme = page.locator("[data-setting=theme]")
    expect(theme).to_contain_text("config.toml, which wins. Change it there.")
    expect(theme.get_by_role("radio").first).to_be_disabled()
    expect(page.locator("[data-setting=backup_days] input")).to_be_disabled()
    expect(page.locator(":root")).to_have_attribute("data-theme", "dark")
    expect(page.get_by_text("No setting is called colour")).to_be_visible()


def test_folders_and_prices_are_added_and_removed(opened: Opened, served: Served) -> None:
    page = opened(served, "/settings")
    folders = page.locator("[data-setting=claude_dirs]")
    folders.get_by_label("Another folder").fill("~/.claude-work")
    folders.get_by_role("button", name="Add a folder").click()
    expect(folders.locator("code")).to_have_text("~/.claude-work")
    folders.get_by_role("button", name="Remove").click()
    expect(folders).to_contain_text("The usual ones.")

    prices = page.locator("[data-setting=prices]")
    prices.get_by_label("Model").fill("claude-lab-9")
    prices.get_by_label("Input price").fill("4")
    prices.get_by_label("Output price").fill("20,5")
    prices.get_by_role("button", name="Add a price").click()
    expect(prices.locator("tbody tr")).to_contain_text("$20.5")
    prices.get_by_role("button", name="Remove the price of claude-lab-9").click()
    expect(prices.locator("tbody tr")).to_have_count(0)


@pytest.mark.whole
def test_a_phone_has_the_page_too(opened: Opened, served: Served, picture: Keep) -> None:
    page = opened(served, "/settings", width=390, height=844)

    expect(page.locator("[data-setting=theme]")).to_be_visible()
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390
    picture(page, "settings-phone")


@pytest.mark.whole
def test_words_leave_the_settings_that_have_them(opened: Opened, served: Served) -> None:
    page = opened(served, "/settings")
    expect(page.locator("[data-setting=theme]")).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("clock")

    expect(page.locator("[data-setting]")).to_have_count(1)


@pytest.mark.whole
def test_a_hidden_project_is_listed_and_shown_again(opened: Opened, served: Served) -> None:
    project = served.get("/api/projects")["projects"][0]
    served.post("/api/annotations", {"kind": "project", "id": project["id"], "hidden": True})
    page = opened(served, "/settings")

    page.get_by_role("button", name=f"Show {project['name']}").click()

    expect(page.get_by_text("None. A project is hidden on Home.")).to_be_visible()
    assert not any(one["hidden"] for one in served.get("/api/projects")["projects"])
