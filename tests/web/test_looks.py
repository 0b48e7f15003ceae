"""How every screen looks: nothing overlaps, nothing is too small, axe finds nothing serious."""

from collections.abc import Callable
from itertools import product

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.sampled import mark_rest_whole
from tests.web.conftest import Opened
from tests.web.screens import WIDTHS, faults, overlaps, settled, story, too_small
from tests.web.serving import Served

Keep = Callable[..., None]
# 200% zoom of a window of 1440 by 900: half the pixels, each twice as large.
HALVED: ViewportSize = {"width": 720, "height": 450}
SCREENS = (
    "home",
    "sessions",
    "conversation",
    "search",
    "live",
    "usage",
    "keys",
    "palette",
    "export",
)
PHONE = 390
LOOKS = list(product(SCREENS, ("light", "dark"), (1440, PHONE)))
# Every screen once; a conversation, which has the most colours, in both themes.
SOME_LOOKS = {
    *(("home", "light", 1440), ("sessions", "dark", PHONE), ("conversation", "light", PHONE)),
    *(("conversation", "dark", 1440), ("search", "light", PHONE), ("live", "dark", 1440)),
    *(("usage", "dark", PHONE), ("keys", "light", 1440), ("palette", "dark", 1440)),
    ("export", "light", PHONE),
}


def shown(opened: Opened, server: Served, name: str, **how: object) -> Page:
    """Open a screen by its name, and wait until all of it is there."""
    path = {
        "sessions": "/sessions",
        "conversation": f"/s/{story(server)}",
        "export": f"/s/{story(server)}",
        "search": "/search?q=checkpoint",
        "live": "/live",
        "usage": "/usage",
    }.get(name, "/")
    page = opened(server, path, **how)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    if path.startswith("/s/"):
        expect(page.locator(".slot:not(.waiting)").first).to_be_visible()
    if name in ("keys", "palette", "export"):
        page.keyboard.press({"keys": "?", "palette": "Control+k", "export": "e"}[name])
        expect(page.get_by_role("dialog")).to_be_visible()
    settled(page)
    return page


@pytest.mark.parametrize(
    "look", mark_rest_whole(LOOKS, SOME_LOOKS), ids=lambda look: "-".join(map(str, look))
)
def test_axe_finds_nothing_serious_on_a_screen(
    opened: Opened, served: Served, look: tuple[str, str, int]
) -> None:
    name, theme, width = look
    page = shown(opened, served, name, theme=theme)
    if width == PHONE:
        page.set_viewport_size({"width": PHONE, "height": 844})
        settled(page)

    assert faults(page) == []


@pytest.mark.parametrize(
    "widths",
    [(1440, PHONE), pytest.param(WIDTHS, marks=pytest.mark.whole)],
    ids=["some widths", "all widths"],
)
@pytest.mark.parametrize("name", SCREENS)
def test_nothing_overlaps_at_any_width(
    opened: Opened, served: Served, picture: Keep, name: str, widths: tuple[int, ...]
) -> None:
    page = shown(opened, served, name)

    found = {}
    for width in widths:
        page.set_viewport_size({"width": width, "height": 844 if width == PHONE else 900})
        settled(page)
        found[width] = overlaps(page) + too_small(page)
        picture(page, f"{name}-{width}")
    page.set_viewport_size(HALVED)
    settled(page)

    assert found == {width: [] for width in widths}
    assert overlaps(page) == []


@pytest.mark.parametrize("name", mark_rest_whole(SCREENS, {"conversation", "usage"}))
def test_nothing_overlaps_at_twice_the_size(
    opened: Opened, served: Served, picture: Keep, name: str
) -> None:
    page = shown(opened, served, name, **HALVED, device_scale_factor=2)

    picture(page, f"{name}-zoomed")

    assert overlaps(page) == []


@pytest.mark.parametrize("name", mark_rest_whole(SCREENS[:6], {"home", "conversation", "usage"}))
def test_what_is_touched_on_a_phone_is_large_enough(
    opened: Opened, served: Served, name: str
) -> None:
    page = shown(opened, served, name, width=390, height=844, has_touch=True, is_mobile=True)

    small = page.evaluate(
        """() => [...document.querySelectorAll('nav a, header button, .bottombar a, .button')]
            .filter((one) => one.checkVisibility() && one.getBoundingClientRect().width > 0)
            .filter((one) => one.getBoundingClientRect().height < 43.5)
            .map((one) => one.outerHTML.slice(0, 120))"""
    )

    assert small == []


@pytest.mark.whole
def test_dark_pictures_for_the_guide(opened: Opened, served: Served, picture: Keep) -> None:
    for name in ("home", "conversation"):
        page = shown(opened, served, name, theme="dark")

        ground = page.evaluate("() => getComputedStyle(document.body).backgroundColor")

        assert ground == "rgb(13, 17, 15)"
        picture(page, f"{name}-dark", docs=name == "conversation")


def test_the_theme_can_be_chosen_and_is_remembered(opened: Opened, served: Served) -> None:
    page = opened(served)
    page.get_by_role("radio", name="Dark").check(force=True)
    dark = page.evaluate("() => getComputedStyle(document.body).backgroundColor")

    page.reload()
    expect(page.get_by_role("heading", level=1)).to_be_visible()

    assert dark == "rgb(13, 17, 15)"
    assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") == dark
    # The server keeps it, and other tests read there.
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.get_by_role("radio", name="System").check(force=True)


def test_forced_colours_keep_borders_and_words(
    opened: Opened, served: Served, picture: Keep
) -> None:
    page = shown(opened, served, "sessions", forced_colors="active")

    expect(page.locator("tr.session .state .glyph").first).to_be_visible()
    picture(page, "sessions-forced-colours")


def test_without_motion_nothing_moves(opened: Opened, served: Served) -> None:
    page = shown(opened, served, "live")

    running = page.evaluate(
        "() => document.getAnimations().filter((one) => one.playState === 'running').length"
    )

    assert running == 0
