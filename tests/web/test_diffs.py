"""Diffs: from top to bottom, and side by side where the words have the room."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from bough.sample import session
from tests.web.conftest import Opened
from tests.web.screens import faults, overlaps, settled
from tests.web.serving import Served

Keep = Callable[..., None]

_LONG = "        # so that a run that is stopped goes on where it was, whatever stopped it: " * 2
_PATCH = {
    "oldStart": 84,
    "newStart": 84,
    "lines": [
        " def rows(path: Path) -> Iterator[Order]:",
        "     with path.open() as file:",
        "-        for row in csv.reader(file):",
        "-            yield Order.from_row(row)",
        "+        for row in csv.reader(file, strict=True):",
        f"+{_LONG}",
        "+            offset = file.tell()",
        "+            yield Order.from_row(row), offset",
        " ",
        " def count(path: Path) -> int:",
        "-    # slow",
        "     return sum(1 for _ in rows(path))",
    ],
}


@pytest.fixture(scope="module")
def edited(tmp_path_factory: pytest.TempPathFactory, nobodys_home: Path) -> Iterator[Served]:
    """Serve a session with an edit."""
    folder = tmp_path_factory.mktemp("edited")
    told = session("edited").user("Yield the offset").assistant("I change the reader.")
    given = {"file_path": "/a/reader.py", "old_string": "a", "new_string": "b"}
    told.tool("Edit", given, "ok", structured={"structuredPatch": [_PATCH]})
    told.tool("Bash", {"command": "pytest -q"}, "4 passed").assistant("It yields the offset.")
    told.write(folder / ".claude")
    with Served(folder / ".claude", folder) as server:
        yield server


@pytest.fixture
def diff(opened: Opened, edited: Served) -> Callable[..., Locator]:
    """Open the edit in a window of some width, and give its diff."""

    def open_edit(width: int, theme: str = "light") -> Locator:
        row = edited.get("/api/sessions")["rows"][0]
        page = opened(edited, f"/s/{row['id']}", width=width, theme=theme)
        step = page.locator("details.step").filter(has_text="reader.py").first
        step.locator("summary").first.click()
        shown = step.get_by_role("group", name="Change to")
        expect(shown).to_be_visible()
        settled(page)
        return shown

    return open_edit


def box(one: Locator) -> FloatRect:
    found = one.bounding_box()
    assert found is not None
    return found


def stays(diff: Locator) -> Locator:
    return diff.locator(".r:not(.a):not(.d)").first


def drawn_before(row: Locator) -> str:
    """Give what the style sheet draws at the start of a row."""
    return str(row.evaluate("row => getComputedStyle(row, '::before').content"))


def is_side_by_side(diff: Locator) -> bool:
    return box(diff.locator(".r.d").first)["y"] == box(diff.locator(".r.a").first)["y"]


@pytest.mark.parametrize("theme", ["dark", pytest.param("light", marks=pytest.mark.whole)])
def test_old_and_new_stand_side_by_side_where_there_is_room(
    diff: Callable[..., Locator], picture: Keep, theme: str
) -> None:
    shown = diff(1920, theme)

    went, came = box(shown.locator(".r.d").first), box(shown.locator(".r.a").first)
    assert is_side_by_side(shown)
    assert abs(went["x"] + went["width"] - came["x"]) <= 1
    assert abs(went["width"] - came["width"]) <= 1
    assert drawn_before(stays(shown)).startswith('"def rows(path')
    assert box(stays(shown).locator("span"))["x"] > came["x"]
    assert box(shown)["width"] > 880
    assert overlaps(shown.page) == []
    assert faults(shown.page) == []
    picture(shown.page, f"diff-side-by-side-{theme}")


@pytest.mark.whole
def test_lines_that_only_went_leave_the_other_side_empty(diff: Callable[..., Locator]) -> None:
    shown = diff(1920)

    alone = shown.locator(".r.d").last

    assert "# slow" in alone.inner_text()
    assert box(alone)["width"] == pytest.approx(box(shown)["width"] / 2, abs=1)
    assert box(stays(shown))["width"] == pytest.approx(box(shown)["width"], abs=1)


@pytest.mark.whole
def test_with_less_room_new_stands_below_old(diff: Callable[..., Locator], picture: Keep) -> None:
    shown = diff(1440)

    went, came = box(shown.locator(".r.d").last), box(shown.locator(".r.a").first)
    assert not is_side_by_side(shown)
    assert went["x"] == came["x"]
    assert drawn_before(stays(shown)) == "none"
    picture(shown.page, "diff-below")


@pytest.mark.whole
def test_folding_a_pane_away_makes_the_room(diff: Callable[..., Locator], picture: Keep) -> None:
    shown = diff(1440)
    page: Page = shown.page

    page.keyboard.press("i")
    expect(page.locator(".with-facts")).to_have_count(0)
    settled(page)

    assert is_side_by_side(shown)
    assert overlaps(page) == []
    picture(page, "diff-without-facts")


def test_a_line_that_stayed_is_in_the_page_once(diff: Callable[..., Locator]) -> None:
    shown = diff(1920)

    assert str(shown.evaluate("diff => diff.textContent")).count("def count(path") == 1
