"""The Chromium of one worker: it stays from one module to the next.

To start it, and to compile all of our script in it for the first time, takes longer than the tests
of most modules.
"""

import os
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.web.chromium import ROOT, NoBrowser, launch
from tests.web.kept_pages import KeptPages


class KeptBrowser:
    """A Chromium that is started when a test first asks for it, and again where it has died."""

    def __init__(self) -> None:
        self._browser: Browser | None = None
        self._pages: KeptPages | None = None
        self._open = ExitStack()

    @property
    def running(self) -> Browser:
        """Give the browser."""
        if self._browser is None or not self._browser.is_connected():
            self.end()
            self._browser = self._launch()
        return self._browser

    @property
    def pages(self) -> KeptPages:
        """Give its pages that are kept open between tests."""
        if self._pages is None:
            self._pages = KeptPages(self.running)
        return self._pages

    def end(self) -> None:
        """End the browser and what drives it."""
        self._browser = self._pages = None
        self._open.close()

    def _launch(self) -> Browser:
        os.environ.setdefault("PLAYWRIGHT_BROWSERS_PATH", str(ROOT / ".venv" / "browsers"))
        playwright = self._open.enter_context(sync_playwright())
        try:
            browser = launch(playwright.chromium)
        except NoBrowser as trouble:
            pytest.fail(str(trouble), pytrace=False)
        self._open.callback(browser.close)
        return browser
