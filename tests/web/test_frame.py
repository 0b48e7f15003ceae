"""The page as it is served: where it comes from, under which rules, and that it needs no other."""

import re
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import expect

from tests.sampled import mark_rest_whole
from tests.web.conftest import Opened
from tests.web.screens import overlaps, settled
from tests.web.serving import Served


def headers(address: str) -> dict[str, str]:
    with urlopen(address) as answer:
        return {name.lower(): value for name, value in answer.headers.items()}


def test_the_page_allows_no_inline_script_and_no_other_host(served: Served) -> None:
    policy = headers(served.address)["content-security-policy"]

    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";") if rule.strip())
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == rules["style-src"] == rules["connect-src"] == "'self'"
    assert rules["frame-ancestors"] == rules["base-uri"] == "'none'"
    assert "unsafe" not in policy
    assert "http" not in policy


def test_the_page_holds_nothing_inline(served: Served) -> None:
    with urlopen(served.address) as answer:
        page = answer.read().decode()

    assert re.findall(r"<script(?![^>]*\ssrc=)[^>]*>", page) == []
    assert re.findall(r"<style|\sstyle=|\son\w+=", page) == []
    assert re.findall(r"(?:src|href)=\"(?!/)[^\"]*\"", page) == []


def test_every_answer_forbids_guessing_its_type(served: Served) -> None:
    for path in ("/", "/api/about", "/api/nothing", "/icon.svg"):
        try:
            found = headers(served.address + path)
        except HTTPError as refused:
            found = {name.lower(): value for name, value in refused.headers.items()}
        assert found["x-content-type-options"] == "nosniff", path


def test_hashed_files_are_kept_and_the_page_is_not(served: Served) -> None:
    with urlopen(served.address) as answer:
        script = re.search(r'src="(/assets/[^"]+)"', answer.read().decode())
    assert script is not None

    assert "immutable" in headers(served.address + script[1])["cache-control"]
    assert "no-" in headers(served.address)["cache-control"]


@pytest.mark.parametrize("path", ["/../pyproject.toml", "/assets/../../wire.py", "/%2e%2e/wire.py"])
def test_nothing_outside_the_page_is_served(served: Served, path: str) -> None:
    try:
        with urlopen(Request(served.address + path)) as answer:
            body = answer.read()
    except HTTPError as refused:
        body = refused.read()

    assert b"hatchling" not in body
    assert b"import " not in body


@pytest.mark.parametrize(
    "path", mark_rest_whole(["/", "/sessions", "/search", "/live"], {"/", "/search"})
)
def test_every_place_loads_without_a_word_on_the_console(
    opened: Opened, served: Served, path: str
) -> None:
    page = opened(served, path)

    expect(page.get_by_role("main")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.get_by_role("banner")).to_be_visible()


@pytest.mark.parametrize("width", [1440, 1240, 1101, 1100, 390])
def test_archive_and_settings_are_in_the_bar_or_behind_the_mark(
    opened: Opened, served: Served, width: int
) -> None:
    page = opened(served, width=width)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    settled(page)

    mark = page.get_by_role("button", name="Places and theme")
    place = page.get_by_role("banner")
    if mark.is_visible():
        mark.click()
        place = page.get_by_role("dialog", name="Places")

    for name in ("Archive", "Settings"):
        expect(place.get_by_role("link", name=name, exact=True)).to_be_visible()
    assert overlaps(page) == []


def test_an_address_that_is_none_says_so(opened: Opened, served: Served) -> None:
    page = opened(served, "/no/such/place")

    expect(page.get_by_role("main")).to_contain_text("There is no page at /no/such/place")
    expect(page.get_by_role("link", name="Home").first).to_be_visible()
