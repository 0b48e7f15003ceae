"""Lines cut and broken to some columns, the looks of roles, and the names of keys."""

from hypothesis import given
from hypothesis import strategies as st

from bough.terminal.style import Role, text_of
from bough.terminal.text import clean, width
from bough.tui.keymap import Keymap, format_press, name_press
from bough.tui.style.style import break_line, cut_line, styles_of_theme

WORDS = st.text(max_size=60).map(clean).map(lambda text: text.replace("\n", " "))
SPANS = st.lists(st.tuples(st.sampled_from(list(Role)), WORDS), max_size=6)


@given(SPANS, st.integers(1, 50))
def test_a_cut_line_fits(spans: list[tuple[Role, str]], columns: int) -> None:
    assert width(text_of(cut_line(spans, columns))) <= columns


@given(WORDS, st.integers(10, 50))
def test_a_broken_line_fits_and_keeps_every_character(text: str, columns: int) -> None:
    lines = break_line(((Role.CLAUDE, text),), columns)

    assert all(width(text_of(line)) <= columns for line in lines)
    assert "".join(text_of(line) for line in lines).replace(" ", "") == text.replace(" ", "")


def test_every_role_has_a_look_in_every_theme_and_no_colour_where_there_is_none() -> None:
    for mode in ("dark", "light", "plain"):
        ink = styles_of_theme(mode)

        assert set(ink.styles) == set(Role)
    assert all(
        style.color is None and style.bgcolor is None
        for style in styles_of_theme("plain").styles.values()
    )


def test_sequences_are_found_step_by_step() -> None:
    keymap = Keymap()

    assert keymap.prefixes == {"g", "y"}
    assert keymap.name("g u") == "usage"
    assert keymap.name("g") is None
    assert {press for press, _ in keymap.list_continuations("y")} == {"r", "i", "l", "p", "m"}


def test_keys_are_named_as_people_write_them() -> None:
    assert format_press("g comma") == "g ,"
    assert format_press("ctrl+d") == "Ctrl D"
    assert name_press("upper_g", "G") == "G"
    assert name_press("slash", "/") == "slash"
    assert name_press("left_square_bracket", "[") == "["
