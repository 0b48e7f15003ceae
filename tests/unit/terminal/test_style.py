"""Roles, colours and glyphs."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.terminal.capabilities import ColorDepth, Terminal
from bough.terminal.style import (
    ASCII,
    UNICODE,
    Role,
    Span,
    glyphs_for,
    line_of,
    make_line,
    strip_line,
    styles_for,
    text_of,
)
from bough.terminal.text import width

SPANS = st.lists(st.tuples(st.sampled_from(list(Role)), st.text(max_size=20)), max_size=6)


@pytest.mark.parametrize("role", list(Role))
def test_a_plain_terminal_gets_no_escape_codes(role: Role) -> None:
    assert styles_for(Terminal(ColorDepth.PLAIN)).paint(role, "words") == "words"


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.CLAUDE])
@pytest.mark.parametrize("depth", [ColorDepth.SIXTEEN, ColorDepth.TRUE])
def test_every_role_but_claude_has_a_colour(role: Role, depth: ColorDepth) -> None:
    painted = styles_for(Terminal(depth)).paint(role, "words")

    assert painted.startswith("\x1b[")
    assert painted.endswith("words\x1b[0m")


def test_claude_is_the_colour_of_the_terminal() -> None:
    assert styles_for(Terminal(ColorDepth.TRUE)).paint(Role.CLAUDE, "words") == "words"


@pytest.mark.parametrize(
    ("depth", "painted"),
    [
        (ColorDepth.ATTRIBUTES, "\x1b[1mwords\x1b[0m"),
        (ColorDepth.SIXTEEN, "\x1b[94mwords\x1b[0m"),
        (ColorDepth.TRUE, "\x1b[38;2;130;180;244mwords\x1b[0m"),
    ],
)
def test_a_prompt_is_blue_or_bold(depth: ColorDepth, painted: str) -> None:
    assert styles_for(Terminal(depth)).paint(Role.PROMPT, "words") == painted


@pytest.mark.parametrize("role", list(Role))
def test_without_colours_there_is_no_colour(role: Role) -> None:
    code = styles_for(Terminal(ColorDepth.ATTRIBUTES)).codes[role]

    assert code in ("", "1", "2", "3", "4", "7")


def test_a_light_ground_has_darker_colours() -> None:
    dark = styles_for(Terminal(ColorDepth.TRUE)).codes
    light = styles_for(Terminal(ColorDepth.TRUE, light=True)).codes

    assert light[Role.PROMPT] == "38;2;27;94;191"
    weights = {Role.CLAUDE, Role.STRONG, Role.EMPHASIS, Role.LINK}
    assert all(dark[role] != light[role] for role in set(Role) - weights)


def test_nothing_is_painted_around_no_text() -> None:
    assert styles_for(Terminal(ColorDepth.TRUE)).paint(Role.ERROR, "") == ""


def test_a_line_has_no_blanks_at_its_end() -> None:
    spans = [(Role.META, "  id "), (Role.CLAUDE, ""), (Role.ERROR, " x  "), (Role.META, " ")]

    assert make_line(spans) == ((Role.META, "  id"), (Role.ERROR, "  x"))
    assert strip_line(spans) == ((Role.META, "  id "), (Role.CLAUDE, ""), (Role.ERROR, " x"))
    assert make_line([(Role.META, "  ")]) == strip_line([(Role.META, "  ")]) == line_of("") == ()


@given(SPANS)
def test_a_line_loses_no_word(spans: list[Span]) -> None:
    words = "".join(text for _, text in spans).rstrip(" ")

    assert text_of(make_line(spans)) == text_of(strip_line(spans)) == words


def test_lines_are_painted_by_their_roles() -> None:
    lines = [((Role.META, "  id"), (Role.CLAUDE, " a"), (Role.ERROR, "  x")), ()]

    assert list(styles_for(Terminal(ColorDepth.SIXTEEN)).paint_lines(lines)) == [
        "\x1b[90m  id\x1b[0m a\x1b[91m  x\x1b[0m",
        "",
    ]
    assert list(styles_for(Terminal()).paint_lines(lines)) == ["  id a  x", ""]


def test_a_locale_without_unicode_gets_plain_glyphs() -> None:
    glyphs = glyphs_for(Terminal(unicode=False))

    assert all(sign.isascii() for sign in msgspec.structs.astuple(glyphs))


def test_the_plain_glyphs_are_those_of_the_guide() -> None:
    wanted = {"●": "*", "○": "o", "◆": "<>", "▢": "[]", "│": "|", "├": "+", "≈": "~", "✗": "x"}
    twins = dict(zip(msgspec.structs.astuple(UNICODE), msgspec.structs.astuple(ASCII), strict=True))

    assert twins | wanted | {"■": "!", "╌": "-"} == twins


def test_every_glyph_takes_one_column() -> None:
    assert {width(sign) for sign in msgspec.structs.astuple(UNICODE) if sign} == {1}
