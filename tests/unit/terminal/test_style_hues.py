"""Label colours of sessions."""

from bough.terminal.capabilities import Depth, Terminal
from bough.terminal.style import Hues


def test_a_session_keeps_its_hue() -> None:
    hues = Hues()
    first = hues.number("one")

    for number in range(100):
        hues.number(f"other {number}")

    assert hues.number("one") == first


def test_eight_sessions_in_a_row_have_eight_hues() -> None:
    hues = Hues()
    numbers = [hues.number(f"session {number}") for number in range(100)]

    for start in range(93):
        assert len(set(numbers[start : start + 8])) == 8


def test_the_hue_comes_from_the_id() -> None:
    assert Hues().number("3f9c21d0") == Hues().number("3f9c21d0")


def test_each_depth_has_its_codes_and_a_pipe_has_none() -> None:
    painted = {depth: Hues().paint("s", "label", Terminal(depth)) for depth in Depth}

    assert painted[Depth.PLAIN] == "label"
    assert painted[Depth.ATTRIBUTES] == "\x1b[1mlabel\x1b[0m"
    assert painted[Depth.SIXTEEN] != painted[Depth.TRUE]
    light = Hues().paint("s", "label", Terminal(Depth.TRUE, light=True))
    assert light != painted[Depth.TRUE]
