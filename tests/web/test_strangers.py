"""Pages of others, in a real browser, get nothing from a bough that runs on the same machine."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser, Page

from bough.backports import override
from tests.web.chromium import launch
from tests.web.serving import Served

_ANSWERED = """async ([address, options]) => {
    try {
        const answer = await fetch(address, options)
        return `${answer.type} ${answer.status} ${await answer.text()}`
    } catch (trouble) {
        return 'refused'
    }
}"""
_LISTENED = """address => new Promise(done => {
    const source = new EventSource(address)
    source.onopen = () => done('open')
    source.onerror = () => { source.close(); done('refused') }
})"""
_FRAMED = """address => new Promise(done => {
    const frame = document.createElement('iframe')
    frame.onload = () => {
        try { done(frame.contentDocument?.body.innerHTML ?? 'closed') }
        catch { done('closed') }
    }
    frame.src = address
    document.body.append(frame)
})"""
_TAKEN_AS_SCRIPT = """address => new Promise(done => {
    const script = document.createElement('script')
    script.onload = () => done('loaded')
    script.onerror = () => done('refused')
    script.src = address
    document.body.append(script)
})"""


class _Stranger(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>stranger</title><body>another page")

    @override
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def stranger() -> Iterator[str]:
    """Serve a page of somebody else on this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Stranger)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def other_page(browser: Browser) -> Iterator[Page]:
    """Open a page for somebody else."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


@pytest.fixture
def elsewhere(other_page: Page, stranger: str) -> Page:
    """Load the other page anew."""
    other_page.context.clear_cookies()
    other_page.goto(stranger)
    return other_page


@pytest.mark.parametrize("mode", ["cors", "no-cors"])
@pytest.mark.parametrize("path", ["/", "/api/about", "/api/sessions", "/api/search?q=the"])
def test_another_page_cannot_read(elsewhere: Page, served: Served, mode: str, path: str) -> None:
    options = {"mode": mode, "credentials": "include"}

    said = elsewhere.evaluate(_ANSWERED, [served.address + path, options])

    assert said in ("refused", "opaque 0 ")


@pytest.mark.parametrize("headers", [{}, {"Content-Type": "text/plain"}, {"X-Bough-Token": "x"}])
def test_another_page_cannot_write(
    elsewhere: Page, served: Served, headers: dict[str, str]
) -> None:
    seen: list[int] = []
    elsewhere.on("response", lambda answer: seen.append(answer.status))
    options = {"method": "POST", "body": "{}", "headers": headers}

    said = elsewhere.evaluate(_ANSWERED, [f"{served.address}/api/ready", options])

    assert said == "refused"
    assert all(status == 403 for status in seen)


def test_a_form_of_another_page_cannot_write(elsewhere: Page, served: Served) -> None:
    statuses: list[int] = []
    elsewhere.on("response", lambda answer: statuses.append(answer.status))
    form = f"<form method=post action='{served.address}/api/ready'><button>go</button></form>"
    elsewhere.evaluate("form => { document.body.innerHTML = form }", form)

    elsewhere.get_by_role("button").click()
    elsewhere.wait_for_load_state()

    assert statuses[-1] == 403


def test_another_page_cannot_listen(elsewhere: Page, served: Served) -> None:
    assert elsewhere.evaluate(_LISTENED, f"{served.address}/api/events") == "refused"


def test_another_page_cannot_frame_ours(elsewhere: Page, served: Served) -> None:
    assert elsewhere.evaluate(_FRAMED, served.address) == "closed"
    assert all("Search everything" not in frame.content() for frame in elsewhere.frames)


def test_data_is_no_script_of_another_page(elsewhere: Page, served: Served) -> None:
    assert elsewhere.evaluate(_TAKEN_AS_SCRIPT, f"{served.address}/api/sessions") == "refused"


def test_a_window_that_another_page_opened_is_out_of_its_reach(
    elsewhere: Page, served: Served
) -> None:
    with elsewhere.expect_popup() as popup:
        elsewhere.evaluate("address => { window.theirs = window.open(address) }", served.address)
    popup.value.wait_for_load_state()

    assert elsewhere.evaluate("() => window.theirs === null || window.theirs.closed")


def test_a_name_that_somebody_points_at_this_machine_is_refused(
    browser: Browser, served: Served
) -> None:
    # What a site does that answers for its own name with 127.0.0.1 (DNS rebinding).
    rebound = launch(browser.browser_type, "--host-resolver-rules=MAP evil.example 127.0.0.1")
    try:
        page = rebound.new_page()
        answer = page.goto(f"http://evil.example:{served.port}/")
        assert answer is not None
        assert answer.status == 403
        assert served.token not in page.content()
        said = page.evaluate(_ANSWERED, ["/api/sessions", {}])
        assert "403" in said
        assert "rows" not in said
    finally:
        rebound.close()


def test_our_own_page_may_do_all_that(browser: Browser, served: Served) -> None:
    page = browser.new_page()
    try:
        page.goto(served.address)
        said = page.evaluate(_ANSWERED, ["/api/sessions", {}])
        headers = {"X-Bough-Token": served.token}
        ready = page.evaluate(_ANSWERED, ["/api/ready", {"method": "POST", "headers": headers}])
        listening = page.evaluate(_LISTENED, "/api/events")
    finally:
        page.close()

    assert "rows" in said
    assert ready.startswith("basic 2")
    assert listening == "open"


def test_a_write_without_the_token_is_refused_even_to_our_page(
    browser: Browser, served: Served
) -> None:
    page = browser.new_page()
    try:
        page.goto(served.address)
        said = page.evaluate(_ANSWERED, ["/api/ready", {"method": "POST"}])
    finally:
        page.close()

    assert said.startswith("basic 403")
