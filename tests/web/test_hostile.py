"""A transcript may hold anything; nothing of it runs, leaves or leaks."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, expect

from tests.sampled import mark_rest_whole
from tests.web.conftest import Opened
from tests.web.hostile import NAME, SECRET, write_hostile
from tests.web.screens import dangerous, settled
from tests.web.serving import Served

_ALARMS = """
for (const name of ['alert', 'confirm', 'prompt', 'open']) {
    window[name] = () => { window.owned = (window.owned || 0) + 1 }
}
"""
LISTS = ("/", "/sessions", "/search?q=prompt", "/search?q=script", "/live")
ELSEWHERE = ("../../secret.txt", "..%2fsecret.txt", "/etc/passwd", "..\\secret.txt", "../x")


class Hostile:
    """A server on the hostile history, and the session in which everything is."""

    def __init__(self, server: Served, session: str) -> None:
        self.server = server
        self.session = session


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory, nobodys_home: Path) -> Iterator[Hostile]:
    folder = tmp_path_factory.mktemp("hostile")
    claude = folder / ".claude"
    claude.mkdir()
    session = write_hostile(claude)
    with Served(claude, folder) as server:
        yield Hostile(server, session)


def visited(opened: Opened, hostile: Hostile, path: str) -> Page:
    page = opened(hostile.server, "/api/about", kept=False)
    page.add_init_script(_ALARMS)
    page.goto(hostile.server.address + path)
    return page


def unharmed(page: Page) -> None:
    assert page.evaluate("() => window.owned") is None
    assert dangerous(page) == []


@pytest.mark.parametrize(
    "path",
    mark_rest_whole(
        ["/", "/sessions", "/search?q=prompt", "/search?q=script", "/live"],
        {"/sessions", "/search?q=script"},
    ),
)
def test_nothing_of_it_runs_in_a_list(opened: Opened, hostile: Hostile, path: str) -> None:
    page = visited(opened, hostile, path)

    expect(page.get_by_role("main")).to_contain_text("script")
    settled(page)
    unharmed(page)


def test_nothing_of_it_runs_in_the_conversation(opened: Opened, hostile: Hostile) -> None:
    page = visited(opened, hostile, f"/s/{hostile.session}")
    expect(page.locator(".slot:not(.waiting)").first).to_be_visible()

    page.keyboard.press("Home")
    expect(page.get_by_text("prompt <script>").first).to_be_visible()
    page.keyboard.press("X")
    for _ in range(30):
        page.keyboard.press("d")
        page.wait_for_timeout(40)
        unharmed(page)
    page.keyboard.press("End")
    expect(page.get_by_text("the end").first).to_be_visible()
    page.keyboard.press("r")
    expect(page.get_by_role("dialog", name="Raw record")).to_contain_text("uuid")

    unharmed(page)


def test_a_file_with_a_name_like_a_path_is_no_session(opened: Opened, hostile: Hostile) -> None:
    page = opened(hostile.server, f"/s/{quote(NAME, safe='')}", allow=("404",))

    expect(page.get_by_role("main")).to_contain_text("No session")
    unharmed(page)


def kind_of(address: str) -> str:
    try:
        with urlopen(address) as answer:
            return str(answer.headers["Content-Type"])
    except HTTPError as refused:
        return str(refused.code)


def test_pictures_come_as_what_they_are_or_not_at_all(hostile: Hostile) -> None:
    """No answer of the picture route is ever a document that could run something."""
    told = hostile.server.get(f"/api/sessions/{hostile.session}/conversation?whole=1")
    server = hostile.server
    found = set()
    for first in range(0, told["count"], 40):
        path = f"/api/sessions/{hostile.session}/pieces?from={first}&count=40"
        for piece in server.get(path)["pieces"]:
            found |= set(re.findall(r'src="(/api/[^"]*picture[^"]*)"', piece["html"]))
    kinds = {kind_of(server.address + path.replace("&amp;", "&")) for path in found}

    assert kinds <= {"image/png", "image/jpeg", "image/gif", "image/webp", "400", "404"}


@pytest.mark.parametrize(
    "name",
    ["../../secret.txt", "../secret.txt", "..%2fsecret.txt", "/etc/passwd", "..\\secret.txt"],
)
def test_a_kept_output_is_never_read_from_elsewhere(hostile: Hostile, name: str) -> None:
    path = f"/api/sessions/{hostile.session}/output?name={quote(name, safe='')}"

    with pytest.raises(HTTPError) as refused:
        urlopen(hostile.server.address + path)

    assert refused.value.code in (400, 403, 404)
    assert SECRET.encode() not in refused.value.read()


@pytest.mark.parametrize(
    "name", ["..%2f..%2fsecret", "%2e%2e%2fsecret.txt", "..%5csecret", "%00", "a%2fb", "."]
)
def test_no_session_is_found_by_a_path(hostile: Hostile, name: str) -> None:
    with pytest.raises(HTTPError) as refused:
        urlopen(f"{hostile.server.address}/api/sessions/{name}/conversation")

    assert refused.value.code in (400, 404)
    assert SECRET.encode() not in refused.value.read()


def test_a_whole_hostile_session_exports_as_a_page_that_runs_nothing(
    opened: Opened, hostile: Hostile, tmp_path: Path
) -> None:
    path = f"/api/sessions/{hostile.session}/export?to=html&thinking=1&tools=1&results=1&agents=1"
    with urlopen(hostile.server.address + path) as answer:
        saved = tmp_path / "saved.html"
        saved.write_bytes(answer.read())
    page = visited(opened, hostile, "/api/about")

    page.goto(saved.as_uri())

    expect(page.get_by_text("prompt <script>").first).to_be_visible()
    assert page.evaluate("() => window.owned") is None
    assert SECRET not in page.content()
