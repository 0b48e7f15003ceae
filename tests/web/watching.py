"""A page under watch: whatever it complains of, and whoever else it asks, fails the test."""

from urllib.parse import urlsplit

from playwright.sync_api import ConsoleMessage, Error, Page, Request, Response

# What leaving a page or typing on cancels is no failure.
_CANCELLED = "net::ERR_ABORTED"
# What a browser says of a server that was stopped, or of a network that was taken away.
CUT = ("ERR_INTERNET_DISCONNECTED", "ERR_CONNECTION", "ERR_NETWORK", "ERR_EMPTY", "ERR_INCOMPLETE")


class Watch:
    """Keeps what went wrong in a page."""

    def __init__(self, page: Page, address: str) -> None:
        self._host = urlsplit(address).netloc
        self._allowed: list[str] = []
        self._wrong: list[str] = []
        self._page = page
        page.on("console", self._console)
        page.on("pageerror", self._error)
        page.on("request", self._request)
        page.on("requestfailed", self._failed)
        page.on("response", self._response)

    def end(self) -> None:
        """Stop watching."""
        self._page.remove_listener("console", self._console)
        self._page.remove_listener("pageerror", self._error)
        self._page.remove_listener("request", self._request)
        self._page.remove_listener("requestfailed", self._failed)
        self._page.remove_listener("response", self._response)

    def allow(self, *parts: str) -> None:
        """Let pass what holds one of these words: the test brings it about on purpose."""
        self._allowed += parts

    @property
    def wrong(self) -> list[str]:
        """Give what went wrong and was not brought about on purpose."""
        return [what for what in self._wrong if not any(part in what for part in self._allowed)]

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning", "assert"):
            place = message.location.get("url", "")
            self._wrong.append(f"console {message.type}: {message.text} ({place})")

    def _error(self, error: Error) -> None:
        self._wrong.append(f"uncaught: {error.message}")

    def _request(self, request: Request) -> None:
        url = urlsplit(request.url)
        if url.scheme in ("http", "https", "ws", "wss") and url.netloc != self._host:
            self._wrong.append(f"asked another host: {request.url}")

    def _failed(self, request: Request) -> None:
        if request.failure != _CANCELLED:
            self._wrong.append(f"failed: {request.url}: {request.failure}")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self._wrong.append(f"answered {response.status}: {response.url}")
