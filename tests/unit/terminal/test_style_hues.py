"""Label colours of sessions."""

from bough.terminal.capabilities import ColorDepth, Terminal
from bough.terminal.style import SessionColors, styles_for


def test_a_session_keeps_its_hue() -> None:
    hues = SessionColors()
    first = hues.choose_role("one")

    for number in range(100):
        hues.choose_role(f"other {number}")

    assert hues.choose_role("one") == first


def test_eight_sessions_in_a_row_have_eight_hues() -> None:
    hues = SessionColors()
    roles = [hues.choose_role(f"session {number}") for number in range(100)]

    for start in range(93):
        assert len(set(roles[start : start + 8])) == 8


def test_the_hue_comes_from_the_id() -> None:
    assert SessionColors().choose_role("3f9c21d0") == SessionColors().choose_role("3f9c21d0")


def test_each_depth_has_its_codes_and_a_pipe_has_none() -> None:
    role = SessionColors().choose_role("s")
    painted = {depth: styles_for(Terminal(depth)).paint(role, "label") for depth in ColorDepth}

    assert painted[ColorDepth.PLAIN] == "label"
    assert painted[ColorDepth.ATTRIBUTES] == "\x1b[1mlabel\x1b[0m"
    assert painted[ColorDepth.SIXTEEN] != painted[ColorDepth.TRUE]
    light = styles_for(Terminal(ColorDepth.TRUE, light=True)).paint(role, "label")
    assert light != painted[ColorDepth.TRUE]
