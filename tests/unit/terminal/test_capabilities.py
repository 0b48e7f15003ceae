"""What stdout can do."""

import io

import pytest

from bough.terminal.capabilities import (
    ColorChoice,
    Depth,
    Terminal,
    color_depth,
    is_terminal,
    speaks_unicode,
    terminal_of,
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
        ({}, "auto", True, Depth.SIXTEEN),
        ({}, "auto", False, Depth.PLAIN),
        ({"COLORTERM": "truecolor"}, "auto", True, Depth.TRUE),
        ({"COLORTERM": "24bit"}, "auto", True, Depth.TRUE),
        ({"COLORTERM": "truecolor"}, "never", True, Depth.PLAIN),
        ({}, "always", False, Depth.SIXTEEN),
        ({"NO_COLOR": "1"}, "auto", True, Depth.ATTRIBUTES),
        ({"NO_COLOR": "1"}, "auto", False, Depth.PLAIN),
        ({"NO_COLOR": ""}, "auto", True, Depth.SIXTEEN),
        ({"NO_COLOR": "1"}, "always", False, Depth.SIXTEEN),
        ({"CLICOLOR_FORCE": "1"}, "auto", False, Depth.SIXTEEN),
        ({"CLICOLOR_FORCE": "0"}, "auto", False, Depth.PLAIN),
        ({"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, "auto", False, Depth.PLAIN),
        ({"CLICOLOR_FORCE": "1", "TERM": "dumb"}, "auto", True, Depth.SIXTEEN),
        ({"CLICOLOR": "0"}, "auto", True, Depth.ATTRIBUTES),
        ({"TERM": "dumb"}, "auto", True, Depth.PLAIN),
        ({"TERM": "dumb"}, "always", True, Depth.SIXTEEN),
    ],
)
def test_colours_follow_the_option_then_the_customs(
    environ: dict[str, str], color: ColorChoice, shown: bool, depth: Depth
) -> None:
    assert color_depth(environ, color, shown=shown) == depth


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
    assert speaks_unicode(encoding, environ) is speaks


def test_a_pipe_has_no_width() -> None:
    found = terminal_of(io.TextIOWrapper(io.BytesIO(), "utf-8"), {}, "auto")

    assert found == Terminal()


def test_a_terminal_has_the_width_of_its_window(
    screen: io.TextIOWrapper, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "132")
    monkeypatch.setenv("LINES", "43")

    found = terminal_of(screen, {}, "auto")

    assert (found.width, found.height) == (132, 43)


@pytest.mark.parametrize(
    ("value", "light"), [("0;15", True), ("0;default;7", True), ("15;0", False), ("", False)]
)
def test_a_terminal_may_say_that_its_ground_is_light(
    screen: io.TextIOWrapper, value: str, light: bool
) -> None:
    assert terminal_of(screen, {"COLORFGBG": value}, "auto").light is light


def test_a_stream_that_is_closed_or_missing_is_no_terminal() -> None:
    closed = io.StringIO()
    closed.close()

    assert not is_terminal(closed)
    assert not is_terminal(None)
    assert terminal_of(None, {}, "always") == Terminal()
