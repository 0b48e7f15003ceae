"""Lines keep their words and their roles on the way from the command line to the app."""

from hypothesis import given
from hypothesis import strategies as st

from bough.tui.keymap import Keymap, pressed, shown
from bough.tui.style.style import (
    Role,
    broken,
    clean,
    cut,
    ink_for,
    spans_of,
    spans_styles,
    text_of,
    width,
)

WORDS = st.text(max_size=60).map(clean).map(lambda text: text.replace("\n", " "))
SPANS = st.lists(st.tuples(st.sampled_from(list(Role)), WORDS), max_size=6)


@given(SPANS)
def test_a_painted_line_is_taken_apart_without_losing_a_word(
    spans: list[tuple[Role, str]],
) -> None:
    painted = spans_styles().line(spans)

    assert text_of(spans_of(painted)) == "".join(text for _, text in spans).rstrip(" ")


def test_roles_survive_the_painting() -> None:
    spans = [(Role.PROMPT, "You"), (Role.META, "  14:38"), (Role.ERROR, "!")]

    assert list(spans_of(spans_styles().line(spans))) == [
        (Role.PROMPT, "You"),
        (Role.META, "  14:38"),
        (Role.ERROR, "!"),
    ]


@given(SPANS, st.integers(1, 50))
def test_a_cut_line_fits(spans: list[tuple[Role, str]], columns: int) -> None:
    assert width(text_of(cut(spans, columns))) <= columns


@given(WORDS, st.integers(10, 50))
def test_a_broken_line_fits_and_keeps_every_character(text: str, columns: int) -> None:
    lines = broken(((Role.CLAUDE, text),), columns)

    assert all(width(text_of(line)) <= columns for line in lines)
    assert "".join(text_of(line) for line in lines).replace(" ", "") == text.replace(" ", "")


def test_every_role_has_a_look_in_every_theme_and_no_colour_where_there_is_none() -> None:
    for mode in ("dark", "light", "plain"):
        ink = ink_for(mode)

        assert set(ink.styles) == set(Role)
    assert all(
        style.color is None and style.bgcolor is None for style in ink_for("plain").styles.values()
    )


def test_sequences_are_found_step_by_step() -> None:
    keymap = Keymap()

    assert keymap.prefixes == {"g", "y"}
    assert keymap.name("g u") == "usage"
    assert keymap.name("g") is None
    assert {press for press, _ in keymap.after("y")} == {"r", "i", "l", "p", "m"}


def test_keys_are_named_as_people_write_them() -> None:
    assert shown("g comma") == "g ,"
    assert shown("ctrl+d") == "Ctrl D"
    assert pressed("upper_g", "G") == "G"
    assert pressed("slash", "/") == "slash"
    assert pressed("left_square_bracket", "[") == "["
