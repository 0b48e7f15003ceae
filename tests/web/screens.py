"""The screens by name, and what must be true of how each of them looks."""

import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.web.chromium import ROOT

STORY = "3f9c21d0"
WIDTHS = (1440, 1024, 760, 390)

_SIDEWAYS = """() => Math.max(0, ...[...document.querySelectorAll('html, .scroller')]
    .map((one) => one.scrollWidth - one.clientWidth - 1))"""
_TWO_FRAMES = "() => new Promise(go => requestAnimationFrame(() => requestAnimationFrame(go)))"


def settled(page: Page) -> None:
    """Wait until the page has its data and its fonts, and two frames were drawn."""
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    page.evaluate("() => document.fonts.ready.then(() => 0)")
    page.evaluate(_TWO_FRAMES)


def overlaps(page: Page) -> list[str]:
    """List texts that lie over each other, and how far the page runs out to the side."""
    found: list[str] = page.evaluate(_probe("overlaps"))
    sideways = page.evaluate(_SIDEWAYS)
    return [*found, *([f"{sideways} px to the side"] if sideways else [])]


def too_small(page: Page) -> list[str]:
    """List texts below 12 px."""
    found: list[str] = page.evaluate(_probe("small"))
    return found


def marked(page: Page) -> list[str]:
    """List the words that are marked and can be seen."""
    found: list[str] = page.evaluate(_probe("marked"))
    return found


def until(page: Page, true: Callable[[], bool], seconds: float = 8) -> None:
    """Wait for something that no locator can tell."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it never came"
        page.wait_for_timeout(25)


def scroll_words(page: Page, pixels: int) -> None:
    """Turn the wheel over a conversation, and wait until its words stand still."""
    top = "() => document.querySelector('.reader > .scroll').scrollTop"
    places: list[float] = [page.evaluate(top)]

    def stands_elsewhere() -> bool:
        places.append(page.evaluate(top))
        return places[-1] == places[-2] != places[0]

    page.mouse.move(700, 500)
    page.mouse.wheel(0, pixels)
    until(page, stands_elsewhere)
    settled(page)


def longest_line(page: Page) -> tuple[int, str]:
    """Give the longest line of prose, and how many characters it has."""
    characters, line = page.evaluate(_probe("longest"))
    return int(characters), str(line)


def unfocused(page: Page) -> str | None:
    """Give what has the focus without showing it."""
    told: str | None = page.evaluate(_probe("focus"))
    return told


def dangerous(page: Page) -> list[str]:
    """List elements and attributes that could run, fetch or send something."""
    found: list[str] = page.evaluate(_probe("dangerous"))
    return found


def faults(page: Page) -> list[str]:
    """List what axe calls serious or critical."""
    page.evaluate(_axe())
    found: list[str] = page.evaluate(_probe("axe"))
    return found


@cache
def _probe(name: str) -> str:
    return (Path(__file__).parent / "probes" / f"{name}.js").read_text(encoding="utf-8")


@cache
def _axe() -> str:
    source = (ROOT / "frontend/node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")
    return f"() => {{ if (!window.axe) {{ {source} }} }}"


def story(server: Any) -> str:
    """Give the id of the session with two rewinds, two agents, a compaction and a fork."""
    rows = server.get("/api/sessions?limit=100")["rows"]
    return next(str(row["id"]) for row in rows if row["id"].startswith(STORY))
