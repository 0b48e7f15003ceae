"""A real Chromium on a real `bough web`, and the made-up history behind it."""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from bough.sample.demo import write_demo
from tests.web.chromium import ROOT
from tests.web.kept_browser import KeptBrowser
from tests.web.kept_pages import KeptPages, LentPage
from tests.web.serving import Served
from tests.web.watching import Watch

ARTEFACTS = Path(__file__).parent / "artefacts"
PICTURES = ROOT / "docs" / "pictures"
WIDE = (1440, 900)
FAILED = pytest.StashKey[bool]()
KEPT = pytest.StashKey[KeptBrowser]()

expect.set_options(timeout=8_000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every one of these drives a browser, so all of them are slow."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="module")
def browser(nobodys_home: Path, request: pytest.FixtureRequest) -> Browser:
    """Offer the Chromium of these tests."""
    return request.config.stash.setdefault(KEPT, KeptBrowser()).running


# Playwright keeps a loop running in this thread, which tests of other folders would trip over:
# so it ends with the last test of this folder that a worker has in a row.
@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """End the browser behind the last test that may need it."""
    try:
        return (yield)
    finally:
        is_last = nextitem is None or not nextitem.path.is_relative_to(Path(__file__).parent)
        if is_last and KEPT in item.config.stash:
            item.config.stash[KEPT].end()


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory, nobodys_home: Path) -> Iterator[Served]:
    """Serve the made-up history; tests that share it only read."""
    folder = tmp_path_factory.mktemp("served")
    with Served(write_demo(folder, datetime.now(UTC)), folder) as server:
        yield server


@pytest.fixture(scope="module")
def living(tmp_path_factory: pytest.TempPathFactory, nobodys_home: Path) -> Iterator[Served]:
    """Serve a made-up history that the tests of one module write to."""
    folder = tmp_path_factory.mktemp("living")
    with Served(write_demo(folder, datetime.now(UTC)), folder) as server:
        yield server


Opened = Callable[..., Page]


@pytest.fixture(scope="module")
def kept_pages(browser: Browser, request: pytest.FixtureRequest) -> KeptPages:
    """Keep pages open between tests."""
    return request.config.stash[KEPT].pages


@pytest.fixture
def opened(kept_pages: KeptPages, request: pytest.FixtureRequest) -> Iterator[Opened]:
    """Open pages under watch; the test fails with what any of them complained of.

    A test that adds a script to a page says `kept=False`: no other test may have that page.
    """
    lent: list[LentPage] = []

    def open_page(
        server: Served,
        path: str = "/",
        *,
        width: int = WIDE[0],
        height: int = WIDE[1],
        theme: str = "light",
        allow: tuple[str, ...] = (),
        kept: bool = True,
        **more: object,
    ) -> Page:
        one = kept_pages.lend(server, {"width": width, "height": height}, theme, more)
        one.is_spoilt = not kept
        one.watch = Watch(one.page, server.address)
        one.watch.allow(*allow)
        lent.append(one)
        one.page.goto(server.address + path)
        return one.page

    yield open_page
    wrong = [what for one in lent for what in one.wrong]
    for one in lent:
        one.is_spoilt |= bool(wrong) or request.node.stash.get(FAILED, False)
        kept_pages.take_back(one)
    assert wrong == []


@pytest.fixture
def picture(request: pytest.FixtureRequest) -> Callable[..., None]:
    """Keep a screenshot where BOUGH_PICTURES is set; one of the docs becomes theirs."""

    def keep(page: Page, name: str | None = None, *, docs: bool = False) -> None:
        if not os.environ.get("BOUGH_PICTURES"):
            return
        ARTEFACTS.mkdir(exist_ok=True)
        plain = re.sub(r"[^\w-]+", "-", name or request.node.name).strip("-")
        place = ARTEFACTS / f"{plain}.png"
        page.screenshot(path=place)
        if docs:
            PICTURES.mkdir(exist_ok=True)
            shutil.copy(place, PICTURES / place.name)

    return keep


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Keep what the pages of a failed test looked like."""
    report = yield
    pages = getattr(item, "funcargs", {}).get("opened")
    if call.when == "call" and call.excinfo is not None and pages is not None:
        item.stash[FAILED] = True
        _last_looks(item)
    return report


def _last_looks(item: pytest.Item) -> None:
    browser: Browser = item.funcargs["browser"]  # type: ignore[attr-defined]
    ARTEFACTS.mkdir(exist_ok=True)
    name = re.sub(r"[^\w-]+", "-", item.name)[:100]
    for number, page in enumerate(page for context in browser.contexts for page in context.pages):
        # A page that hangs cannot be drawn; the test has failed already.
        with suppress(Error):
            page.screenshot(path=ARTEFACTS / f"failed-{name}-{number}.png", timeout=3_000)
