"""The archive in a browser: what is kept, what goes next; keeping, verifying, bringing back."""

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from bough.library import KeptPlace
from bough.sample.demo import write_demo
from tests.web.conftest import Opened
from tests.web.screens import faults, overlaps, settled, too_small
from tests.web.serving import Served

Keep = Callable[..., None]
ARCHIVED = "3f9c"
TITLE = "Make the CSV import resumable"
LOOKS: dict[str, dict[str, object]] = {
    "dark": {"theme": "dark"},
    "forced": {"forced_colors": "active"},
    "phone": {"width": 390, "height": 844, "has_touch": True, "is_mobile": True},
}


@pytest.fixture(scope="module")
def sweeping(tmp_path_factory: pytest.TempPathFactory, nobodys_home: Path) -> Iterator[Served]:
    """A history of its own that the client keeps three days of, and nothing archived yet."""
    folder = tmp_path_factory.mktemp("sweeping")
    claude = write_demo(folder, datetime.now(UTC))
    (claude / "settings.json").write_text('{"cleanupPeriodDays": 3}')
    with Served(claude, folder) as served:
        yield served


def delete_session(served: Served) -> None:
    """Delete a session's file, as the client does; wait until lists know it."""
    (file,) = (served.claude / "projects").glob(f"*/{ARCHIVED}*.jsonl")
    file.unlink()
    served.until(lambda: any(row["kept"] for row in served.get("/api/sessions?limit=500")["rows"]))


def check_looks(page: Page) -> None:
    settled(page)
    assert faults(page) == []
    assert overlaps(page) == []


def test_copies_are_kept_verified_brought_back_and_forgotten(
    opened: Opened, sweeping: Served, picture: Keep
) -> None:
    page = opened(sweeping)
    line = page.locator(".forecast")
    expect(line).to_contain_text("will be deleted by the client within 7 days, none of them kept")
    picture(page, "home-not-kept")
    page.keyboard.press("g")
    page.keyboard.press("a")
    expect(page.get_by_role("heading", name="Archive", exact=True)).to_be_visible()
    expect(page.get_by_text("Nothing is archived yet")).to_be_visible()
    picture(page, "archive-empty")
    check_looks(page)

    page.get_by_role("button", name="Keep copies now").click()
    expect(page.get_by_text("archived, ")).to_be_visible()
    expect(page.get_by_text("all kept")).to_be_visible()
    page.keyboard.press("Shift+V")
    expect(page.get_by_text("All of it is as it was written.").first).to_be_visible()

    delete_session(sweeping)
    page.reload()
    gone = page.locator("li[data-gone]", has_text=TITLE)
    expect(gone).to_be_visible()
    picture(page, "archive")
    gone.get_by_role("button", name="Bring back").click()
    dialog = page.get_by_role("dialog", name="Bring back a session")
    expect(dialog.get_by_text("no existing file")).to_be_visible()
    dialog.get_by_role("button", name="Bring it back").click()
    expect(page.get_by_text("Brought back.")).to_be_visible()
    assert list((sweeping.claude / "projects").glob(f"*/{ARCHIVED}*.jsonl"))
    expect(gone).to_have_count(0)


def test_what_the_client_deleted_is_marked_wherever_it_is_listed(
    opened: Opened, sweeping: Served, picture: Keep
) -> None:
    sweeping.post("/api/archive/work", {"do": "keep"})
    sweeping.until(lambda: sweeping.get("/api/archive/work")["state"] == "done")
    delete_session(sweeping)

    page = opened(sweeping)
    expect(page.locator(".recent-row", has_text=TITLE).locator(".kept-sign")).to_be_visible()
    page = opened(sweeping, "/sessions")
    row = page.locator("tr.session", has_text=TITLE)
    expect(row.locator(".kept-sign")).to_contain_text("▤ archived")
    expect(row.locator(".kept-sign .unseen")).to_have_text(KeptPlace.ARCHIVE.words)
    expect(row.get_by_role("button", name=f"Copy the restore command of {TITLE}")).to_be_visible()
    check_looks(page)
    page = opened(sweeping, "/search?q=checkpoint")
    expect(page.locator(".group", has_text=TITLE).locator(".kept-sign").first).to_be_visible()
    row_id = next(
        one["id"] for one in sweeping.get("/api/sessions?limit=500")["rows"] if one["kept"]
    )
    allowed = ["clipboard-read", "clipboard-write"]
    page = opened(sweeping, f"/s/{row_id}", permissions=allowed)
    expect(page.locator(".head .kept-sign")).to_be_visible()
    expect(page.get_by_text("This session is kept in the archive")).to_be_visible()
    picture(page, "archived-conversation")
    check_looks(page)
    page.get_by_role("button", name="Copy restore command").click()
    expect(page.locator(".toast")).to_contain_text("Restore command copied. The file of session")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(f"bough restore {ARCHIVED}")

    page.get_by_role("link", name="Archive", exact=True).click()
    page.locator("li[data-gone]", has_text=TITLE).get_by_role("button", name="Forget").click()
    dialog = page.get_by_role("dialog", name="Forget every copy of this session")
    expect(dialog).to_contain_text("cannot be undone")
    picture(page, "archive-forget")
    dialog.get_by_role("button", name="Remove every copy").click()
    expect(page.get_by_text("Removed")).to_be_visible()
    expect(page.locator("li[data-gone]", has_text=TITLE)).to_have_count(0)


@pytest.mark.parametrize(
    "looks",
    [("dark", "phone"), pytest.param(LOOKS, marks=pytest.mark.whole)],
    ids=["some", "all"],
)
def test_the_page_is_readable_in_every_look(
    opened: Opened, sweeping: Served, picture: Keep, looks: Iterable[str]
) -> None:
    for look in looks:
        page = opened(sweeping, "/archive", **LOOKS[look])
        expect(page.get_by_role("heading", name="Deleted next")).to_be_visible()
        picture(page, f"archive-{look}")
        check_looks(page)
        assert look != "phone" or too_small(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_first_run_asks_once_and_says_what_the_answer_did(
    opened: Opened, tmp_path: Path, nobodys_home: Path, picture: Keep
) -> None:
    claude = write_demo(tmp_path, datetime.now(UTC))
    (claude / "settings.json").write_text('{"cleanupPeriodDays": 3}')
    with Served(claude, tmp_path, ready=False, is_named=False) as served:
        page = opened(served)
        page.get_by_role("button", name="Read them").click()
        question = page.get_by_role("region", name="Archive")
        expect(question).to_contain_text("Keep a copy?")
        line = page.locator(".forecast")
        expect(line).to_contain_text("none of them kept")
        expect(line.get_by_role("button", name="Keep copies")).to_have_count(0)
        picture(page, "home-archive-question")
        check_looks(page)

        question.get_by_role("button", name="Keep a copy").press("Enter")

        expect(question).to_have_count(0)
        expect(page.get_by_text("Copies are kept from now on.")).to_be_visible()
        expect(page.get_by_role("main")).to_be_focused()
        expect(line).to_contain_text("all kept")


@pytest.mark.whole
def test_an_archive_that_is_switched_off_says_so_with_and_without_copies(
    opened: Opened, tmp_path: Path, nobodys_home: Path, picture: Keep
) -> None:
    claude = write_demo(tmp_path, datetime.now(UTC))
    with Served(claude, tmp_path) as served:
        served.post("/api/settings", {"name": "archive", "value": False})
        page = opened(served, "/archive")
        expect(
            page.get_by_text("The archive is switched off, and nothing is kept yet.")
        ).to_be_visible()
        expect(page.get_by_role("link", name="Switch it on")).to_have_attribute("href", "/settings")
        picture(page, "archive-off-empty")
        check_looks(page)

        page.get_by_role("button", name="Keep copies now").click()

        expect(
            page.get_by_text("It is switched off: nothing is kept automatically.")
        ).to_be_visible()
        expect(page.get_by_role("button", name="Archive now")).to_be_enabled()
        picture(page, "archive-off")
        check_looks(page)


@pytest.mark.whole
def test_home_says_that_copies_cannot_be_taken_in(
    opened: Opened, tmp_path: Path, nobodys_home: Path
) -> None:
    claude = write_demo(tmp_path, datetime.now(UTC))
    (claude / "settings.json").write_text('{"cleanupPeriodDays": 3}')
    (tmp_path / "data" / "bough").mkdir(parents=True)
    (tmp_path / "data" / "bough" / "archive").write_text("no folder")
    with Served(claude, tmp_path) as served:
        page = opened(served)
        keep = page.locator(".forecast").get_by_role("button", name="Keep copies")
        keep.click()

        expect(page.locator(".toast.failed")).to_be_visible()
        expect(keep).to_be_enabled()
