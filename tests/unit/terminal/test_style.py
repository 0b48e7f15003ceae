"""Roles, colours and glyphs."""

import msgspec
import pytest

from bough.terminal.capabilities import ColorDepth, Terminal
from bough.terminal.style import ASCII, PLAIN, UNICODE, Role, styles_for
from bough.terminal.text import width


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
    assert all(dark[role] != light[role] for role in set(Role) - {Role.CLAUDE})


def test_nothing_is_painted_around_no_text() -> None:
    assert styles_for(Terminal(ColorDepth.TRUE)).paint(Role.ERROR, "") == ""


def test_a_line_has_no_blanks_at_its_end() -> None:
    styles = styles_for(Terminal(ColorDepth.SIXTEEN))

    line = styles.paint_line(
        [(Role.META, "  id "), (Role.CLAUDE, ""), (Role.ERROR, " x  "), (Role.META, " ")]
    )

    assert line == "\x1b[90m  id\x1b[0m\x1b[91m  x\x1b[0m"
    assert PLAIN.paint_line([(Role.META, "  ")]) == ""


def test_a_locale_without_unicode_gets_plain_glyphs() -> None:
    glyphs = styles_for(Terminal(unicode=False)).glyphs

    assert all(sign.isascii() for sign in msgspec.structs.astuple(glyphs))


def test_the_plain_glyphs_are_those_of_the_guide() -> None:
    wanted = {"●": "*", "○": "o", "◆": "<>", "▢": "[]", "│": "|", "├": "+", "≈": "~", "✗": "x"}
    twins = dict(zip(msgspec.structs.astuple(UNICODE), msgspec.structs.astuple(ASCII), strict=True))

    assert twins | wanted | {"■": "!", "╌": "-"} == twins


def test_every_glyph_takes_one_column() -> None:
    assert {width(sign) for sign in msgspec.structs.astuple(UNICODE)} == {1}
