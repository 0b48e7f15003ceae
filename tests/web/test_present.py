"""Present: a conversation slide by slide, on the page and in a file that needs no server."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from bough import read_session
from bough.export.document import export_session
from bough.export.document_options import ExportFormat, ExportOptions
from bough.sample import session
from tests.web.conftest import Opened
from tests.web.screens import dangerous, faults, overlaps, settled, story, until
from tests.web.serving import Served

Keep = Callable[..., None]
# Made up; split, so that no scanner takes it for one that was lost.
TOKEN = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
KINDS = ["prompt", "thought", "steps", "answer", "prompt", "answer", "prompt", "steps", "answer"]
TALK = ["Publish it", "It is out.", "Now the notes", "Three lines.", "And the tag", "Tagged."]


@pytest.fixture(scope="module")
def leaky(tmp_path_factory: pytest.TempPathFactory, nobodys_home: Path) -> Iterator[Served]:
    """Serve a session of three turns in which somebody pasted a token."""
    folder = tmp_path_factory.mktemp("presented")
    told = session("presented").user(f"Publish it with {TOKEN}")
    told.thinking("Better not repeat it.").tool("Bash", {"command": f"push {TOKEN}"}, "pushed")
    told.assistant("It is out. " + "More about how that went. " * 6)
    told.user("Now the notes").assistant("Three lines. <img src=x onerror=alert(1)>")
    told.user("And the tag").tool("Bash", {"command": "git tag"}, "v2").assistant("Tagged.")
    told.title("Publish the release")
    told.write(folder / ".claude")
    with Served(folder / ".claude", folder) as server:
        yield server


def presenting(opened: Opened, server: Served, session_id: str = "", **how: object) -> Page:
    """Open a conversation at its start, and present it from there."""
    name = session_id or server.get("/api/sessions")["rows"][0]["id"]
    page = opened(server, f"/s/{name}", **how)
    expect(page.locator(".slot:not(.waiting)").first).to_be_visible()
    page.keyboard.press("Home")
    settled(page)
    page.keyboard.press("p")
    expect(count(page)).to_have_text(re.compile(r"^1 / \d+$"))
    return page


def count(page: Page) -> Locator:
    return page.locator(".present-count")


def current(page: Page) -> Locator:
    return page.locator(".present-slide[data-current]")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def kinds(page: Page, total: int) -> list[str]:
    """Go through everything, and tell what each slide was."""
    press(page, "Home")
    found = []
    for number in range(1, total + 1):
        expect(count(page)).to_have_text(f"{number} / {total}")
        found.append(current(page).get_attribute("data-kind") or "")
        press(page, "ArrowRight")
    return found


def test_keys_go_through_it_slide_by_slide_and_turn_by_turn(opened: Opened, leaky: Served) -> None:
    page = presenting(opened, leaky)

    assert kinds(page, 9) == KINDS

    press(page, "ArrowRight")
    expect(count(page)).to_have_text("9 / 9")
    press(page, "Home", "Space", "Space")
    expect(count(page)).to_have_text("3 / 9")
    expect(page.locator(".present-slide")).to_have_count(3)
    press(page, "ArrowLeft")
    expect(count(page)).to_have_text("2 / 9")
    expect(page.locator(".present-slide")).to_have_count(2)
    expect(current(page)).to_contain_text("Better not repeat it.")
    press(page, "ArrowDown")
    expect(count(page)).to_have_text("4 / 9")
    press(page, "ArrowDown")
    expect(count(page)).to_have_text("6 / 9")
    expect(page.locator(".present-slide")).to_have_count(2)
    press(page, "ArrowUp")
    expect(count(page)).to_have_text("4 / 9")


@pytest.mark.whole
def test_tools_can_be_hidden_and_all_but_the_talk(opened: Opened, leaky: Served) -> None:
    page = presenting(opened, leaky)
    press(page, "ArrowRight", "ArrowRight")

    press(page, "h")
    expect(count(page)).to_have_text("2 / 7")
    expect(page.get_by_role("button", name="Tools")).to_have_attribute("aria-pressed", "false")
    press(page, "1")
    expect(count(page)).to_have_text("1 / 6")
    words = []
    for number in range(1, len(TALK) + 1):
        expect(count(page)).to_have_text(f"{number} / {len(TALK)}")
        words.append(current(page).inner_text())
        press(page, "ArrowRight")
    press(page, "1", "h")
    expect(count(page)).to_have_text("9 / 9")

    assert all(start in text for start, text in zip(TALK, words, strict=True))


@pytest.mark.whole
def test_every_slide_is_announced(opened: Opened, leaky: Served) -> None:
    page = presenting(opened, leaky)
    live = page.locator(".present-live[aria-live=polite]")

    expect(live).to_have_text(re.compile(r"^1 of 9\. You, .*Publish it with"))
    press(page, "ArrowDown")
    expect(live).to_have_text(re.compile(r"^4 of 9\. Claude, .*It is out\."))
    bar = page.get_by_role("slider", name="Progress")
    expect(bar).to_have_attribute("aria-valuenow", "4")
    expect(bar).to_have_attribute("aria-valuetext", re.compile(r"^4 of 9\. Publish it"))


@pytest.mark.whole
def test_the_bar_is_clicked_by_turn(opened: Opened, leaky: Served) -> None:
    page = presenting(opened, leaky)
    bar = page.get_by_role("slider", name="Progress")
    box = bar.bounding_box()
    assert box is not None

    # The second turn is the fifth and sixth slide of nine.
    bar.click(position={"x": box["width"] * 5.5 / 9, "y": box["height"] / 2})

    expect(count(page)).to_have_text("5 / 9")
    expect(page.locator(".present-name")).to_have_text("Now the notes")


def test_secrets_are_hidden_until_somebody_asks_for_them(opened: Opened, leaky: Served) -> None:
    page = presenting(opened, leaky)
    mark = page.locator(".present-mark")
    expect(mark).to_have_text("Secrets hidden")
    expect(current(page)).to_contain_text("[hidden: GitHub token 1]")
    press(page, "ArrowRight", "ArrowRight")
    current(page).locator("details.step > summary").click()
    expect(current(page).locator("details.step > .body")).to_contain_text("push [hidden")
    assert TOKEN not in page.locator(".present").inner_html()

    mark.click()

    expect(mark).to_have_text("Secrets shown")
    press(page, "Home")
    expect(current(page)).to_contain_text(TOKEN)


@pytest.mark.whole
def test_size_and_theme_are_its_own_and_remembered(opened: Opened, leaky: Served) -> None:
    page = presenting(opened, leaky, theme="light")
    root = page.locator(".present")
    expect(root).to_have_attribute("data-size", "24")

    press(page, "+", "+", "t")
    expect(root).to_have_attribute("data-size", "28")
    expect(root).to_have_css("background-color", "rgb(19, 24, 21)")
    press(page, "Escape")
    expect(root).to_have_count(0)
    expect(page.locator("body")).to_have_css("background-color", "rgb(245, 247, 244)")
    press(page, "p")

    expect(root).to_have_attribute("data-size", "28")
    expect(root).to_have_attribute("data-theme", "dark")
    press(page, *["-"] * 12)
    expect(root).to_have_attribute("data-size", "16")
    press(page, *["+"] * 20)
    expect(root).to_have_attribute("data-size", "40")


@pytest.mark.whole
def test_full_screen_and_the_list_of_keys(opened: Opened, leaky: Served) -> None:
    page = presenting(opened, leaky)

    press(page, "f")
    until(page, lambda: bool(page.evaluate("() => document.fullscreenElement !== null")))
    press(page, "ArrowRight")
    expect(count(page)).to_have_text("2 / 9")
    press(page, "f")
    until(page, lambda: bool(page.evaluate("() => document.fullscreenElement === null")))
    press(page, "?")
    expect(page.locator(".present-keys")).to_contain_text("Only prompts and answers")
    press(page, "Escape")
    expect(page.locator(".present-keys")).to_be_hidden()
    expect(page.locator(".present")).to_have_count(1)


@pytest.mark.whole
def test_esc_leads_back_to_the_message_that_was_shown(opened: Opened, served: Served) -> None:
    page = presenting(opened, served, story(served))
    before = page.locator(".reader > .scroll").evaluate("(one) => one.scrollTop")

    press(page, "Escape")
    expect(page.locator(".present")).to_have_count(0)
    assert page.locator(".reader > .scroll").evaluate("(one) => one.scrollTop") == before

    press(page, "p")
    expect(count(page)).to_be_visible()
    press(page, *["ArrowDown"] * 4)
    message = current(page).get_attribute("data-message")
    press(page, "Escape")

    here = page.locator(f'.slot[data-piece="{message}"]')
    expect(here).to_be_in_viewport()
    press(page, "p")
    expect(current(page)).to_have_attribute("data-message", message or "")


@pytest.mark.parametrize(
    "looks",
    [
        # A phone in one theme, and the other theme where most is seen.
        {("light", "none"): (390,), ("dark", "none"): ()},
        pytest.param(
            dict.fromkeys((("light", "none"), ("dark", "none"), ("light", "active")), (1024, 390)),
            marks=pytest.mark.whole,
        ),
    ],
    ids=["some", "all"],
)
def test_axe_finds_nothing_serious_and_nothing_overlaps(
    opened: Opened,
    served: Served,
    picture: Keep,
    looks: dict[tuple[str, str], tuple[int, ...]],
) -> None:
    found: dict[str, list[str]] = {}
    for (theme, forced), widths in looks.items():
        page = presenting(opened, served, story(served), theme=theme, forced_colors=forced)
        press(page, *["ArrowDown"] * 3, "ArrowRight", "ArrowRight", "ArrowRight")
        settled(page)
        found[f"{theme} {forced}"] = faults(page)
        if forced == "none":
            picture(page, "present" if theme == "light" else "present-dark", docs=theme == "light")
        for width in widths:
            page.set_viewport_size({"width": width, "height": 844})
            settled(page)
            found[f"{theme} {forced} {width}"] = faults(page) + overlaps(page)
        page.context.close()

    assert {name: faults for name, faults in found.items() if faults} == {}


def test_on_a_phone_it_is_swiped_and_tapped(opened: Opened, leaky: Served, picture: Keep) -> None:
    how = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
    name = leaky.get("/api/sessions")["rows"][0]["id"]
    page = opened(leaky, f"/s/{name}", **how)
    expect(page.locator(".slot:not(.waiting)").first).to_be_visible()
    page.get_by_role("button", name="More").tap()
    page.get_by_role("menuitem", name="Present").tap()
    expect(count(page)).to_be_visible()
    press(page, "Home")
    expect(count(page)).to_have_text("1 / 9")

    page.touchscreen.tap(370, 600)
    expect(count(page)).to_have_text("2 / 9")
    page.touchscreen.tap(195, 700)
    page.touchscreen.tap(20, 600)
    expect(count(page)).to_have_text("1 / 9")
    small = page.evaluate(
        """() => [...document.querySelectorAll('.present button, .present-bar')]
            .filter((one) => one.checkVisibility())
            .filter((one) => one.getBoundingClientRect().height < 43.5)
            .map((one) => one.outerHTML)"""
    )
    picture(page, "present-390")

    assert small == []
    page.get_by_role("button", name="Leave").tap()
    expect(page.locator(".present")).to_have_count(0)
    press(page, "p")
    expect(count(page)).to_have_text("1 / 9")
    swipe(page, 300, 80)
    expect(count(page)).to_have_text("2 / 9")
    swipe(page, 80, 300)
    expect(count(page)).to_have_text("1 / 9")


def swipe(page: Page, start: int, end: int) -> None:
    """Move a finger across the slides, as the system tells a browser."""
    protocol = page.context.new_cdp_session(page)
    middle = [{"x": x, "y": 600} for x in (start, (start + end) // 2, end)]
    protocol.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": middle[:1]})
    for point in middle[1:]:
        protocol.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    protocol.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    protocol.detach()


def test_slides_are_an_export_of_the_dialog(
    opened: Opened, leaky: Served, tmp_path: Path, browser: Browser
) -> None:
    name = leaky.get("/api/sessions")["rows"][0]["id"]
    page = opened(leaky, f"/s/{name}", accept_downloads=True)
    expect(page.locator(".slot:not(.waiting)").first).to_be_visible()
    press(page, "e")
    page.get_by_role("radio", name="Slides").check(force=True)
    settled(page)

    with page.expect_download() as download:
        page.get_by_role("link", name="Save").click()

    assert download.value.suggested_filename.endswith(".present.html")
    saved = tmp_path / "saved.html"
    download.value.save_as(saved)
    assert TOKEN not in saved.read_text(encoding="utf-8")


def test_the_file_shows_the_same_slides_without_a_server(
    leaky: Served, browser: Browser, tmp_path: Path, picture: Keep
) -> None:
    row = leaky.get("/api/sessions")["rows"][0]
    path = next((leaky.claude / "projects").rglob(f"{row['id']}.jsonl"))
    made = export_session(read_session(path), ExportOptions(to=ExportFormat.PRESENT))
    file = tmp_path / made.name
    file.write_bytes(made.body)
    context = browser.new_context(
        viewport={"width": 1440, "height": 900}, offline=True, reduced_motion="reduce"
    )
    page = context.new_page()
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(error.message))
    page.on(
        "request", lambda request: wrong.append(request.url) if "file:" not in request.url else None
    )
    page.goto(file.as_uri())

    expect(count(page)).to_have_text("1 / 10")
    cover = current(page)
    expect(cover.get_by_role("heading", level=1)).to_have_text("Publish the release")
    expect(cover).to_contain_text("GitHub token: ghp_… (3 places)")
    expect(page.locator(".present-mark")).to_have_text("Secrets hidden")
    first = faults(page)
    picture(page, "present-file")
    assert kinds(page, 10) == ["cover", *KINDS]
    assert dangerous(page) == []
    press(page, "Home", "ArrowDown")
    expect(count(page)).to_have_text("5 / 10")
    page.locator("details.step > summary").click()
    expect(page.locator("details.step > .body")).to_contain_text("push [hidden")
    page.locator(".present-mark").click()
    expect(count(page)).to_have_text("1 / 10")
    page.set_viewport_size({"width": 390, "height": 844})

    assert [*first, *faults(page), *overlaps(page)] == []
    assert wrong == []
    assert TOKEN not in page.content()
    context.close()


def test_no_other_script_runs_in_the_file(leaky: Served, browser: Browser, tmp_path: Path) -> None:
    row = leaky.get("/api/sessions")["rows"][0]
    path = next((leaky.claude / "projects").rglob(f"{row['id']}.jsonl"))
    made = export_session(read_session(path), ExportOptions(to=ExportFormat.PRESENT))
    text = made.body.decode("utf-8")
    foreign = '<script>document.title = "taken"</script><p onclick="0"></p></main><script type='
    file = tmp_path / "changed.html"
    file.write_text(text.replace("</main><script type=", foreign), encoding="utf-8")
    context = browser.new_context(offline=True)
    page = context.new_page()

    page.goto(file.as_uri())

    expect(count(page)).to_have_text("1 / 10")
    expect(page).to_have_title("Publish the release")
    context.close()
