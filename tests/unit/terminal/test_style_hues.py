"""Label colours of sessions."""

from bough.terminal.capabilities import ColorDepth, Terminal
from bough.terminal.style import SessionColors


def test_a_session_keeps_its_hue() -> None:
    hues = SessionColors()
    first = hues.assign_color("one")

    for number in range(100):
        hues.assign_color(f"other {number}")

    assert hues.assign_color("one") == first


def test_eight_sessions_in_a_row_have_eight_hues() -> None:
    hues = SessionColors()
    numbers = [hues.assign_color(f"session {number}") for number in range(100)]

    for start in range(93):
        assert len(set(numbers[start : start + 8])) == 8


def test_the_hue_comes_from_the_id() -> None:
    assert SessionColors().assign_color("3f9c21d0") == SessionColors().assign_color("3f9c21d0")


def test_each_depth_has_its_codes_and_a_pipe_has_none() -> None:
    painted = {depth: SessionColors().paint("s", "label", Terminal(depth)) for depth in ColorDepth}

    assert painted[ColorDepth.PLAIN] == "label"
    assert painted[ColorDepth.ATTRIBUTES] == "\x1b[1mlabel\x1b[0m"
    assert painted[ColorDepth.SIXTEEN] != painted[ColorDepth.TRUE]
    light = SessionColors().paint("s", "label", Terminal(ColorDepth.TRUE, light=True))
    assert light != painted[ColorDepth.TRUE]
