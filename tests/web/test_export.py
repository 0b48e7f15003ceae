"""Export: nothing leaves before one has seen what is in it and what is hidden."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from bough.sample import session
from tests.web.conftest import Opened
from tests.web.screens import settled
from tests.web.serving import Served

Keep = Callable[..., None]
# Made up; split, so that no scanner takes it for one that was lost.
TOKEN = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
FORMS = [("Markdown", "md"), ("Web page", "html"), ("JSON", "json")]
MAIL = "ann@orchard.example"


@pytest.fixture(scope="module")
def leaky(tmp_path_factory: pytest.TempPathFactory, nobodys_home: Path) -> Iterator[Served]:
    """Serve a session in which somebody pasted a token."""
    folder = tmp_path_factory.mktemp("leaky")
    told = session("leaky").user(f"Publish it. Use {TOKEN} and write to {MAIL}")
    told.thinking("Better not repeat it.").tool("Bash", {"command": "ls"}, "README.md")
    told.assistant("Done.").title("Publish the release")
    told.write(folder / ".claude")
    with Served(folder / ".claude", folder) as server:
        yield server


def exporting(opened: Opened, server: Served) -> Page:
    row = server.get("/api/sessions")["rows"][0]
    page = opened(server, f"/s/{row['id']}", accept_downloads=True)
    expect(page.locator(".slot:not(.waiting)").first).to_be_visible()
    page.keyboard.press("e")
    expect(page.get_by_role("dialog")).to_be_visible()
    settled(page)
    return page


def test_what_is_hidden_is_listed_before_anything_is_saved(
    opened: Opened, leaky: Served, picture: Keep
) -> None:
    page = exporting(opened, leaky)

    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("will be hidden")
    found = dialog.locator(".export-list")
    expect(found).to_contain_text("ghp_")
    expect(found).not_to_contain_text(TOKEN)
    picture(page, "export", docs=True)


@pytest.mark.parametrize(
    ("form", "end"),
    [
        pytest.param("Markdown", "md", marks=pytest.mark.whole),
        ("Web page", "html"),
        pytest.param("JSON", "json", marks=pytest.mark.whole),
    ],
)
def test_the_saved_document_has_no_secret_in_it(
    opened: Opened, leaky: Served, tmp_path: Path, form: str, end: str
) -> None:
    page = exporting(opened, leaky)
    page.get_by_role("radio", name=re.compile(form)).check(force=True)
    settled(page)

    with page.expect_download() as download:
        page.get_by_role("link", name="Save").click()
    saved = tmp_path / "saved"
    download.value.save_as(saved)

    assert download.value.suggested_filename.endswith(f".{end}")
    text = saved.read_text(encoding="utf-8")
    assert TOKEN not in text
    assert "write to" in text


@pytest.mark.whole
def test_e_mail_addresses_are_hidden_by_choice(opened: Opened, leaky: Served) -> None:
    page = exporting(opened, leaky)

    page.get_by_label("E-mail addresses").check()
    settled(page)

    expect(page.get_by_role("dialog").locator(".export-list")).to_contain_text(
        re.compile("e-mail", re.IGNORECASE)
    )


@pytest.mark.whole
def test_saving_everything_openly_warns(opened: Opened, leaky: Served) -> None:
    page = exporting(opened, leaky)

    page.get_by_label("What looks like a secret").uncheck()

    expect(page.get_by_role("dialog")).to_contain_text("Nothing is hidden")


def test_a_saved_page_opens_offline_and_its_folds_work(
    opened: Opened, leaky: Served, tmp_path: Path, picture: Keep
) -> None:
    page = exporting(opened, leaky)
    page.get_by_role("radio", name=re.compile("Web page")).check(force=True)
    settled(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Save").click()
    saved = tmp_path / "saved.html"
    download.value.save_as(saved)

    page.context.set_offline(True)
    page.goto(saved.as_uri())
    thought = page.locator("details").filter(has_text="Thought").first
    thought.locator("summary").first.click()

    expect(thought).to_contain_text("Better not repeat it.")
    picture(page, "exported-page")


@pytest.mark.whole
def test_cancel_saves_nothing(opened: Opened, leaky: Served) -> None:
    page = exporting(opened, leaky)

    page.get_by_role("button", name="Cancel").click()

    expect(page.get_by_role("dialog")).to_have_count(0)
