"""The session of the made-up history that has everything in it, open in a page."""

from typing import Final

from playwright.sync_api import Page, expect

from tests.web.conftest import Opened
from tests.web.screens import settled, story
from tests.web.serving import Served

TOP_OF: Final = "(element) => Math.round(element.getBoundingClientRect().top)"


def reading(opened: Opened, server: Served, query: str = "", **how: object) -> Page:
    """Open the session, and wait until its words are there."""
    page = opened(server, f"/s/{story(server)}{query}", **how)
    expect(page.locator(".slot:not(.waiting)").first).to_be_visible()
    settled(page)
    return page


def at(server: Served, words: str) -> str:
    """Address the prompt that begins so."""
    told = server.get(f"/api/sessions/{story(server)}/conversation?whole=1")
    uuid = next(str(row["uuid"]) for row in told["outline"] if words in row["text"])
    return f"?at={uuid}"
