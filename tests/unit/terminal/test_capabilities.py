"""What stdout can do."""

import io

import pytest

from bough.terminal.capabilities import (
    ColorChoice,
    ColorDepth,
    Terminal,
    can_show_unicode,
    choose_color_depth,
    detect_terminal,
    is_terminal,
)


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> io.TextIOWrapper:
    """Offer a stream a person looks at."""
    stream = io.TextIOWrapper(io.BytesIO(), "utf-8")
    monkeypatch.setattr(stream, "isatty", lambda: True)
    return stream


@pytest.mark.parametrize(
    ("environ", "color", "shown", "depth"),
    [
        ({}, "auto", True, ColorDepth.SIXTEEN),
        ({}, "auto", False, ColorDepth.PLAIN),
        ({"COLORTERM": "truecolor"}, "auto", True, ColorDepth.TRUE),
        ({"COLORTERM": "24bit"}, "auto", True, ColorDepth.TRUE),
        ({"COLORTERM": "truecolor"}, "never", True, ColorDepth.PLAIN),
        ({}, "always", False, ColorDepth.SIXTEEN),
        ({"NO_COLOR": "1"}, "auto", True, ColorDepth.ATTRIBUTES),
        ({"NO_COLOR": "1"}, "auto", False, ColorDepth.PLAIN),
        ({"NO_COLOR": ""}, "auto", True, ColorDepth.SIXTEEN),
        ({"NO_COLOR": "1"}, "always", False, ColorDepth.SIXTEEN),
        ({"CLICOLOR_FORCE": "1"}, "auto", False, ColorDepth.SIXTEEN),
        ({"CLICOLOR_FORCE": "0"}, "auto", False, ColorDepth.PLAIN),
        ({"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, "auto", False, ColorDepth.PLAIN),
        ({"CLICOLOR_FORCE": "1", "TERM": "dumb"}, "auto", True, ColorDepth.SIXTEEN),
        ({"CLICOLOR": "0"}, "auto", True, ColorDepth.ATTRIBUTES),
        ({"TERM": "dumb"}, "auto", True, ColorDepth.PLAIN),
        ({"TERM": "dumb"}, "always", True, ColorDepth.SIXTEEN),
    ],
)
def test_colours_follow_the_option_then_the_customs(
    environ: dict[str, str], color: ColorChoice, shown: bool, depth: ColorDepth
) -> None:
    assert choose_color_depth(environ, color, shown=shown) == depth


@pytest.mark.parametrize(
    ("encoding", "environ", "speaks"),
    [
        ("utf-8", {}, True),
        ("UTF-8", {"LC_ALL": "en_US.UTF-8"}, True),
        ("utf-8", {"LC_ALL": "C"}, False),
        ("utf-8", {"LC_ALL": "POSIX"}, False),
        ("iso8859-1", {}, False),
        ("ascii", {}, False),
        (None, {}, False),
    ],
)
def test_glyphs_need_a_locale_of_utf_8(
    encoding: str | None, environ: dict[str, str], speaks: bool
) -> None:
    assert can_show_unicode(encoding, environ) is speaks


def test_a_pipe_has_no_width() -> None:
    found = detect_terminal(io.TextIOWrapper(io.BytesIO(), "utf-8"), {}, "auto")

    assert found == Terminal()


def test_a_terminal_has_the_width_of_its_window(
    screen: io.TextIOWrapper, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "132")
    monkeypatch.setenv("LINES", "43")

    found = detect_terminal(screen, {}, "auto")

    assert (found.width, found.height) == (132, 43)


@pytest.mark.parametrize(
    ("value", "light"), [("0;15", True), ("0;default;7", True), ("15;0", False), ("", False)]
)
def test_a_terminal_may_say_that_its_ground_is_light(
    screen: io.TextIOWrapper, value: str, light: bool
) -> None:
    assert detect_terminal(screen, {"COLORFGBG": value}, "auto").light is light


def test_a_stream_that_is_closed_or_missing_is_no_terminal() -> None:
    closed = io.StringIO()
    closed.close()

    assert not is_terminal(closed)
    assert not is_terminal(None)
    assert detect_terminal(None, {}, "always") == Terminal()
