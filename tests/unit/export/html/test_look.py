"""The look: every colour is readable on every ground it stands on, in both themes."""

import re
from importlib.resources import files

import pytest

from bough.export.html.page import load_style_sheet

LOOK = files("bough.export") / "look"
TOKENS = load_style_sheet("tokens.css")
STYLES = load_style_sheet("conversation.css")
PAIRS = {
    name: (light, dark)
    for name, light, dark in re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);", TOKENS)
}
GROUNDS = ("bg", "surface", "sunken", "hover")

# The name, what it has to reach, and the worst contrast in light and in dark.
TEXTS = [
    ("edge", 3.0, 3.21, 3.59),
    ("text", 4.5, 14.2, 12.2),
    ("text2", 4.5, 7.1, 7.8),
    ("text3", 4.5, 4.85, 5.0),
    ("user", 4.5, 5.25, 6.86),
    ("thinking", 4.5, 5.63, 6.87),
    ("tool", 4.5, 6.24, 7.10),
    ("error", 4.5, 5.63, 6.30),
    ("agent", 4.5, 5.41, 7.28),
    ("compaction", 4.5, 6.10, 6.79),
    ("active", 4.5, 5.06, 7.31),
    ("waiting", 4.5, 5.62, 8.29),
]
# Words on a ground that is theirs alone.
ONLY = [
    ("text3", ("added-ground", "removed-ground"), 4.5, 4.94, 5.29),
    ("text", ("added-words", "removed-words"), 4.5, 10.6, 6.7),
    ("text", ("match",), 4.5, 13.0, 6.0),
    ("surface", ("active",), 4.5, 5.95, 8.92),
    ("text", ("surface",), 4.5, 16.6, 14.9),
]


def luminance(colour: str) -> float:
    """Measure a colour as WCAG 2 does."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Compare two colours."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def worst(name: str, grounds: tuple[str, ...], theme: int) -> float:
    """Find the ground on which a colour is read worst."""
    return min(contrast(PAIRS[name][theme], PAIRS[ground][theme]) for ground in grounds)


@pytest.mark.parametrize(("name", "least", "light", "dark"), TEXTS)
def test_a_colour_is_readable_wherever_it_may_stand(
    name: str, least: float, light: float, dark: float
) -> None:
    own = (f"{name}-ground",) if f"{name}-ground" in PAIRS else ()

    found = [worst(name, (*GROUNDS, *own), theme) for theme in (0, 1)]

    assert min(found) >= least
    assert found == pytest.approx([light, dark], abs=0.06)


@pytest.mark.parametrize(("name", "grounds", "least", "light", "dark"), ONLY)
def test_words_are_readable_on_grounds_of_their_own(
    name: str, grounds: tuple[str, ...], least: float, light: float, dark: float
) -> None:
    found = [worst(name, grounds, theme) for theme in (0, 1)]

    assert min(found) >= least
    assert found == pytest.approx([light, dark], abs=0.06)


@pytest.mark.parametrize("hue", ["thinking", "active", "user", "text3", "agent", "error", "text2"])
def test_code_is_readable_on_lines_that_came_and_went(hue: str) -> None:
    grounds = ("added-ground", "removed-ground", "sunken", "surface")

    assert min(worst(hue, grounds, theme) for theme in (0, 1)) >= 4.5


@pytest.mark.parametrize("name", ["text", "text2", "text3", "user", "error", "active", "tool"])
def test_quiet_words_are_readable_on_every_tint(name: str) -> None:
    grounds = tuple(ground for ground in PAIRS if ground.endswith("-ground"))

    assert min(worst(name, grounds, theme) for theme in (0, 1)) >= 4.5


def test_no_style_loads_anything() -> None:
    assert not re.search(r"url\(|@import|@font-face|https?:", TOKENS + STYLES)


def test_every_part_of_the_conversation_is_in_its_sheet() -> None:
    parts = [part.read_text("utf-8") for part in (LOOK / "conversation").iterdir()]

    assert parts
    assert [part for part in parts if part.strip() not in STYLES] == []


def test_colours_are_named_in_one_place() -> None:
    printed = STYLES.partition("@media print")[0]

    assert re.findall(r"#[0-9a-fA-F]{3,8}\b", printed) == []


def test_nothing_is_smaller_than_twelve_pixels() -> None:
    sizes = re.findall(r"font(?:-size)?: [^;]*?(\d+(?:\.\d+)?)px", TOKENS + STYLES)

    assert [size for size in sizes if float(size) < 12] == []


def test_every_custom_property_in_use_is_defined() -> None:
    defined = set(re.findall(r"(--[\w-]+):", TOKENS + STYLES))

    assert set(re.findall(r"var\((--[\w-]+)", TOKENS + STYLES)) - defined == set()
