"""Where words that are looked for stand in the lines of an item."""

from bough.terminal.style import Role, StyledLine
from bough.tui.widgets.draw_lines import find_marks


def lines(*texts: str) -> list[StyledLine]:
    return [((Role.ACTIVE, "│ "), (Role.CLAUDE, text)) for text in texts]


def test_words_are_marked_whatever_their_case() -> None:
    assert find_marks(lines("Once a Needle, twice a needle."), "needle") == [[(9, 15), (25, 31)]]


def test_words_that_go_on_in_the_next_line_are_marked_in_both() -> None:
    assert find_marks(lines("the nightly", "  import dies"), "nightly import") == [
        [(6, 13)],
        [(4, 10)],
    ]


def test_words_of_which_a_role_sets_off_some_are_marked() -> None:
    line = ((Role.CLAUDE, "a "), (Role.STRONG, "bold"), (Role.CLAUDE, " word"))

    assert find_marks([line], "bold word") == [[(2, 11)]]


def test_blanks_alone_are_nothing_to_mark() -> None:
    assert find_marks(lines("a b", ""), " ") == [[], []]
