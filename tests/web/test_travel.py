"""Time travel in the browser: seen before it is done, and then on the disk byte for byte."""

import os
import re
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from bough import library
from tests.web.conftest import Opened
from tests.web.screens import WIDTHS, faults, overlaps, settled, too_small
from tests.web.serving import Served
from tests.web.travels import PROMPTS, find_file, list_files, rest, write_history
from tests.web.watching import CUT

Keep = Callable[..., None]
SCREENS = ("fork", "goto", "/health", "/history")
THEMES = ("light", "dark", "forced")
COPY = ["clipboard-read", "clipboard-write"]


@pytest.fixture
def travelled(tmp_path: Path, nobodys_home: Path) -> Iterator[Served]:
    """Serve a made-up history that one test changes."""
    with Served(write_history(tmp_path), tmp_path) as server:
        yield server


def reading(opened: Opened, server: Served, name: str, **how: object) -> Page:
    page = opened(server, f"/s/{find_file(server.claude, name).stem}", permissions=COPY, **how)
    expect(page.locator(".slot:not(.waiting)").first).to_be_visible()
    settled(page)
    return page


def at_prompt(page: Page, words: str) -> None:
    """Go to a prompt by the keyboard."""
    row = page.locator(".slot").filter(has_text=words).first
    for _ in range(12):
        if row.evaluate("(one) => one.contains(document.activeElement)"):
            return
        page.keyboard.press("j")
    raise AssertionError(f"the keyboard never came to {words}")


def dialog(page: Page) -> Locator:
    found = page.get_by_role("dialog")
    expect(found).to_have_count(1)
    settled(page)
    return found


def prompts_of(file: Path) -> list[str]:
    messages = library.read_session(file).conversation().messages
    return [one.text for one in messages if one.kind == "prompt"]


def test_a_fork_is_seen_written_copied_and_undone_by_keys(
    opened: Opened, travelled: Served, picture: Keep
) -> None:
    before = list_files(travelled.claude)
    page = reading(opened, travelled, "plain")
    at_prompt(page, PROMPTS[1])
    page.keyboard.press("f")

    shown = dialog(page)
    expect(shown).to_contain_text("Fork a new session")
    expect(shown.get_by_role("textbox", name="Title")).to_be_focused()
    expect(shown.get_by_role("list", name="Prompts that Claude")).to_contain_text(PROMPTS[1])
    expect(shown.get_by_role("list", name="Prompts that Claude")).not_to_contain_text(PROMPTS[2])
    expect(shown).to_contain_text("no existing file")
    picture(page, "fork", docs=True)
    assert list_files(travelled.claude) == before
    # Enter right behind the last letter counts: it waits for the preview of the whole title.
    page.keyboard.type("Sorted, again")
    page.keyboard.press("Enter")

    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_text("Forked.")).to_be_visible()
    after = list_files(travelled.claude)
    (new,) = (name for name in after if name not in before)
    assert {name: after[name] for name in before} == before
    forked = travelled.claude / new
    assert prompts_of(forked) == list(PROMPTS[:2])
    assert library.read_session(forked).title == "Sorted, again"
    expect(page.get_by_text("Resume command copied.")).to_be_visible()
    assert forked.stem in page.evaluate("navigator.clipboard.readText()")
    # The keyboard is where it was.
    row = page.locator(".slot").filter(has_text=PROMPTS[1]).first
    assert row.evaluate("(one) => one.contains(document.activeElement)")

    page.keyboard.press("U")
    expect(dialog(page)).to_contain_text("Undo a change bough made")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Taken back.")).to_be_visible()
    assert list_files(travelled.claude) == before


@pytest.mark.whole
def test_what_a_fork_ends_with_is_read_in_another_tab(opened: Opened, travelled: Served) -> None:
    page = reading(opened, travelled, "plain")
    at_prompt(page, PROMPTS[1])
    page.keyboard.press("f")
    shown = dialog(page)

    with page.expect_popup() as opening:
        shown.get_by_role("link", name="Read it in another tab").click()
    seen = opening.value

    expect(seen.get_by_text(PROMPTS[1]).first).to_be_visible()
    expect(seen.get_by_text(PROMPTS[2])).to_have_count(0)
    seen.get_by_role("link", name="Read the whole").click()
    expect(seen.get_by_text(PROMPTS[2]).first).to_be_visible()
    seen.close()


@pytest.mark.whole
def test_a_fork_into_another_folder_is_refused_or_named(opened: Opened, travelled: Served) -> None:
    elsewhere = travelled.folder / "elsewhere"
    elsewhere.mkdir()
    page = reading(opened, travelled, "plain")
    at_prompt(page, PROMPTS[1])
    page.keyboard.press("f")

    folder = dialog(page).get_by_label("Folder")
    folder.fill(str(elsewhere / "nowhere"))
    expect(dialog(page).get_by_role("alert")).to_contain_text("There is no folder")
    folder.fill(str(elsewhere))
    expect(dialog(page)).to_contain_text("elsewhere, where it will be resumed")


def test_a_branch_is_made_active_shown_as_such_and_taken_back(
    opened: Opened, travelled: Served, picture: Keep
) -> None:
    file = find_file(travelled.claude, "plain")
    before = list_files(travelled.claude)
    page = reading(opened, travelled, "plain")
    at_prompt(page, PROMPTS[1])
    page.keyboard.press("m")

    shown = dialog(page)
    expect(shown).to_contain_text("2 lines added at its end")
    shown.get_by_role("button", name="One turn earlier").click()
    settled(page)
    expect(shown.get_by_role("list", name="Prompts that Claude")).not_to_contain_text(PROMPTS[1])
    expect(shown.get_by_role("button", name="One turn earlier")).to_be_disabled()
    picture(page, "goto")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert list_files(travelled.claude) == before

    page.keyboard.press("m")
    shown = dialog(page)
    shown.get_by_role("button", name="Make it active").click()
    expect(page.get_by_text("This branch is active now.")).to_be_visible()
    assert prompts_of(file) == list(PROMPTS[:2])
    assert file.read_bytes().startswith(before[str(file.relative_to(travelled.claude))])
    # The page follows: what came after the point is a branch that was left.
    expect(page.locator(".slot").filter(has_text="Drawn.")).to_have_count(0)

    page.get_by_role("button", name="Undo…").click()
    dialog(page).get_by_role("button", name="Undo it").click()
    expect(page.get_by_text("Taken back.")).to_be_visible()
    assert list_files(travelled.claude) == before
    expect(page.locator(".slot").filter(has_text="Drawn.")).to_have_count(1)


@pytest.mark.whole
def test_the_tree_forks_from_the_turn_under_the_cursor(opened: Opened, travelled: Served) -> None:
    before = list_files(travelled.claude)
    page = opened(travelled, f"/s/{find_file(travelled.claude, 'plain').stem}/tree")
    expect(page.get_by_text(PROMPTS[1]).first).to_be_visible()
    settled(page)
    expect(page).to_have_url(re.compile("at="))
    address = page.url
    page.keyboard.press("Home")
    page.keyboard.press("f")

    shown = dialog(page)
    # That the address names the row a moment later closes nothing.
    expect(page).not_to_have_url(address)
    expect(shown.get_by_role("list", name="Prompts that Claude")).to_contain_text(PROMPTS[0])
    expect(shown.get_by_role("list", name="Prompts that Claude")).not_to_contain_text(PROMPTS[1])
    page.keyboard.press("Enter")
    expect(page.get_by_text("Forked.")).to_be_visible()
    after = list_files(travelled.claude)
    (new,) = set(after) - set(before)
    assert prompts_of(travelled.claude / new) == [PROMPTS[0]]
    expect(page.get_by_role("treeitem").filter(has_text="Forked to")).to_be_visible()

    # And by the mouse; what cannot be taken back promises no undo.
    page.get_by_role("button", name="Make active").click()
    expect(dialog(page)).to_contain_text("Make this the active branch")
    page.keyboard.press("Escape")
    page.keyboard.press("End")
    page.get_by_role("button", name="Make active").click()
    shown = dialog(page)
    expect(shown).to_contain_text("Nothing to do.")
    expect(shown).not_to_contain_text("takes it back")
    shown.get_by_role("button", name="Close", exact=True).last.click()


@pytest.mark.whole
def test_a_server_that_was_started_again_is_shown_again_and_travelled_with(
    opened: Opened, travelled: Served
) -> None:
    before = list_files(travelled.claude)
    page = reading(opened, travelled, "plain", allow=(*CUT, "403"))
    page.keyboard.press("f")
    shown = dialog(page)
    expect(shown.get_by_role("button", name="Fork and copy")).to_be_enabled()
    travelled.kill()
    page.keyboard.press("Enter")
    expect(shown.get_by_text("bough does not answer.").first).to_be_visible()
    assert list_files(travelled.claude) == before

    travelled.start()
    expect(shown.get_by_role("button", name="Fork and copy")).to_be_enabled(timeout=20_000)
    page.keyboard.press("Enter")

    expect(page.get_by_text("Forked.")).to_be_visible()
    assert len(list_files(travelled.claude)) == len(before) + 1


def test_what_is_refused_explains_itself_and_offers_the_safe_way(
    opened: Opened, travelled: Served, picture: Keep
) -> None:
    before = list_files(travelled.claude)
    page = reading(opened, travelled, "compacted")
    at_prompt(page, "Go on")
    page.keyboard.press("m")

    shown = dialog(page)
    expect(shown.get_by_role("alert")).to_contain_text("Nothing was changed.")
    expect(shown.get_by_role("button", name="Make it active")).to_have_count(0)
    expect(shown.get_by_role("button", name="Fork a new session instead")).to_be_focused()
    picture(page, "refused")
    shown.get_by_role("button", name="Fork a new session instead").click()
    shown = dialog(page)
    expect(shown).to_contain_text("Fork a new session")
    shown.get_by_role("button", name="Fork and copy").click()
    expect(page.get_by_text("Forked.")).to_be_visible()
    assert len(list_files(travelled.claude)) == len(before) + 1

    file = find_file(travelled.claude, "plain")
    os.utime(file)
    page = reading(opened, travelled, "plain")
    page.keyboard.press("R")
    shown = dialog(page)
    shown.get_by_role("textbox", name="Title").fill("In spite of it")
    expect(shown.get_by_role("alert")).to_contain_text("a client may have it open")
    shown.get_by_role("button", name="No client has it open").click()
    shown = dialog(page)
    expect(shown.get_by_role("textbox", name="Title")).to_have_value("In spite of it")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Renamed.")).to_be_visible()
    assert library.read_session(file).title == "In spite of it"
    expect(page.get_by_role("heading", level=1)).to_have_text("In spite of it")


def test_a_file_that_changed_meanwhile_is_shown_again_and_nothing_is_written(
    opened: Opened, travelled: Served
) -> None:
    file = find_file(travelled.claude, "plain")
    page = reading(opened, travelled, "plain")
    at_prompt(page, PROMPTS[0])
    page.keyboard.press("m")
    shown = dialog(page)
    file.write_bytes(file.read_bytes() + b'{"type":"summary","summary":"late","leafUuid":"x"}\n')
    rest(file)
    now = file.read_bytes()

    shown.get_by_role("button", name="Make it active").click()

    expect(shown.get_by_role("alert")).to_contain_text("This is what would be done now.")
    assert file.read_bytes() == now
    shown.get_by_role("button", name="Make it active").click()
    expect(page.get_by_text("This branch is active now.")).to_be_visible()
    assert file.read_bytes().startswith(now)
    assert prompts_of(file) == [PROMPTS[0]]


def test_health_finds_damage_repairs_it_and_the_history_takes_it_back(
    opened: Opened, travelled: Served, picture: Keep
) -> None:
    torn = find_file(travelled.claude, "torn")
    before = list_files(travelled.claude)
    page = reading(opened, travelled, "torn")
    page.keyboard.press("D")
    shown = dialog(page)
    expect(shown.get_by_role("button", name="Write a repaired copy")).to_be_visible()
    shown.get_by_role("button", name="Write a repaired copy").click()
    expect(dialog(page)).to_contain_text("Title of the copy")
    page.keyboard.press("Escape")
    page.keyboard.press("D")
    dialog(page).get_by_role("link", name="All sessions").click()
    expect(page).to_have_url(f"{travelled.address}/health")

    page.get_by_role("button", name="Check all sessions").click()
    expect(page.get_by_role("status").first).to_contain_text(
        "3 files of sessions looked through: 1 with a"
    )
    article = page.get_by_role("article", name="A torn one")
    expect(article).to_contain_text("Repair:")
    picture(page, "health", docs=True)
    page.keyboard.press("j")
    expect(article.get_by_role("link", name="A torn one")).to_be_focused()
    article.get_by_role("button", name="Repair in place").click()
    dialog(page).get_by_role("button", name="Repair this file").click()
    expect(page.get_by_text("Repaired.")).to_be_visible()
    expect(page.get_by_role("status").first).to_contain_text("0 with a problem")
    assert library.read_session(torn).health.findings == []

    page.get_by_role("link", name="History of changes").click()
    rows = page.get_by_role("list", name="Changes").get_by_role("listitem")
    expect(rows).to_have_count(1)
    picture(page, "changes", docs=True)
    rows.get_by_role("button", name="Undo operation 1").click()
    dialog(page).get_by_role("button", name="Undo it").click()
    expect(rows).to_have_count(2)
    expect(rows.nth(1)).to_contain_text("undone by 2")
    assert list_files(travelled.claude) == before


@pytest.mark.parametrize(
    "looks",
    [
        # Every screen once, at every width where it is light, and every theme.
        [("fork", "light"), ("goto", "dark"), ("/health", "dark"), ("/history", "forced")],
        pytest.param(list(product(SCREENS, THEMES)), marks=pytest.mark.whole),
    ],
    ids=["some", "all"],
)
def test_axe_finds_nothing_and_a_phone_has_room_for_it(
    opened: Opened, travelled: Served, picture: Keep, looks: list[tuple[str, str]]
) -> None:
    travelled.post("/api/health")
    travelled.until(lambda: travelled.get("/api/health")["state"] == "ready")
    shown = {"operation": "rename", "session": find_file(travelled.claude, "plain").stem}
    plan = travelled.post("/api/travel/preview", {**shown, "title": "Orders"})["preview"]
    travelled.post("/api/travel/apply", {"plan": plan["plan"], "digest": plan["digest"]})

    found = {}
    for screen, theme in looks:
        how = {"forced_colors": "active"} if theme == "forced" else {"theme": theme}
        if screen.startswith("/"):
            page = opened(travelled, screen, **how)
            expect(page.get_by_role("heading", level=1)).to_have_count(1)
        else:
            page = reading(opened, travelled, "plain", **how)
            page.keyboard.press(screen[0].replace("g", "m"))
            dialog(page).get_by_text("Every line that is written").click()
        settled(page)
        wrong = faults(page)
        for width in WIDTHS if theme == "light" else (390,):
            page.set_viewport_size({"width": width, "height": 844})
            settled(page)
            wrong += overlaps(page) + too_small(page)
        wrong += faults(page)
        picture(page, f"travel-{screen.strip('/')}-{theme}-390")
        if wrong:
            found[screen, theme] = wrong

    assert found == {}
