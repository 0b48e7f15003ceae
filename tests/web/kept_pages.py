"""Pages that stay open from one test to the next.

A new page costs a process of the browser and all of our script compiled anew: more than what most
tests do in it. What a page that is kept had stored is gone; what cannot be taken back, a script
that runs before any other, spoils it, and `opened` is told so.
"""

from typing import Literal

from playwright.sync_api import Browser, BrowserContext, Error, Page, ViewportSize

from tests.web.serving import Served
from tests.web.watching import Watch

_FORGET = "() => { localStorage.clear(); sessionStorage.clear() }"


class LentPage:
    """A page under watch that one test has, and what it was opened with."""

    def __init__(self, page: Page, kind: str, server: Served) -> None:
        self.page = page
        self.kind = kind
        self.server = server
        self.is_spoilt = False
        self.watch: Watch | None = None

    @property
    def wrong(self) -> list[str]:
        """Give what the page complained of."""
        return self.watch.wrong if self.watch else []

    def leave(self) -> bool:
        """Leave it as it was when it was new; tell whether that could be done."""
        if self.watch is not None:
            self.watch.end()
        if self.is_spoilt or self.page.is_closed():
            return False
        try:
            self._reset(self.page.context)
        except Error:
            return False
        return True

    def _reset(self, context: BrowserContext) -> None:
        for other in context.pages:
            if other is not self.page:
                other.close()
        self.page.unroute_all(behavior="ignoreErrors")
        context.set_offline(False)
        context.clear_cookies()
        # Still at its address: what is stored belongs to that, and the browser keeps the process.
        self.page.goto(f"{self.server.address}/api/about")
        self.page.evaluate(_FORGET)
        self.page.mouse.move(-1, -1)  # so that nothing of the next page is under it


class KeptPages:
    """The pages of one browser that no test has at the moment, by what they were opened with."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[str, list[Page]] = {}

    def lend(
        self, server: Served, viewport: ViewportSize, theme: str, more: dict[str, object]
    ) -> LentPage:
        """Lend a page on which nothing of ours is open or stored."""
        kind = repr(sorted(more.items()))
        free = self._free.get(kind)
        if not free:
            return LentPage(self._make(viewport, theme, more), kind, server)
        page = free.pop()
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=_scheme(theme))
        return LentPage(page, kind, server)

    def take_back(self, lent: LentPage) -> None:
        """Keep a page for another test, or close it where it cannot be made as new."""
        if lent.leave():
            self._free.setdefault(lent.kind, []).append(lent.page)
        else:
            lent.page.context.close()

    def _make(self, viewport: ViewportSize, theme: str, more: dict[str, object]) -> Page:
        context = self._browser.new_context(
            viewport=viewport,
            color_scheme=_scheme(theme),
            reduced_motion="reduce",
            locale="en-GB",
            timezone_id="UTC",
            **more,  # type: ignore[arg-type]
        )
        context.set_default_timeout(8_000)
        return context.new_page()


def _scheme(theme: str) -> Literal["dark", "light"]:
    return "dark" if theme == "dark" else "light"
