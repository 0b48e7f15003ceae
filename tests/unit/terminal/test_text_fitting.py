"""Text in the columns of a terminal."""

import pytest
import wcwidth
from hypothesis import example, given
from hypothesis import strategies as st

from bough.terminal import text as fitting
from bough.terminal.text import clean, fit, pad, width, wrap

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
PIECES = ["a", "word", " ", "é", "e\u0301", "中", "字符", "한", FAMILY, "…", "\u200d", "-", "\n"]
# Marks come with their letter: alone at the start of a line, they would join its indent.
LETTERS = st.characters(codec="utf-8", exclude_categories=["Cs", "Mc", "Me", "Mn"])
TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), LETTERS), max_size=60).map("".join).map(clean)
LINES = TEXTS.map(lambda text: text.replace("\n", " ").replace("\t", " "))


def test_what_is_called_narrow_takes_one_column() -> None:
    narrow = [chr(code) for code in range(0x110000) if fitting._NARROW.fullmatch(chr(code))]

    assert len(narrow) > 2_000
    assert [one for one in narrow if wcwidth.wcwidth(one) != 1] == []


def test_what_is_called_wide_takes_two_columns() -> None:
    wide = [chr(code) for code in range(0x110000) if fitting._wide_pattern().fullmatch(chr(code))]

    assert len(wide) > 30_000
    assert [one for one in wide if wcwidth.wcwidth(one) != 2] == []


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("abc", 3),
        ("é", 1),
        ("e\u0301", 1),
        ("中文", 4),
        (FAMILY, 2),
        ("a中", 3),
        ("◆ ✓ ╌", 5),
        ("", 0),
    ],
)
def test_a_text_is_as_wide_as_it_looks(text: str, columns: int) -> None:
    assert width(text) == columns


def test_a_text_that_fits_stays() -> None:
    assert fit("Deploy notes", 12) == "Deploy notes"


def test_a_text_that_does_not_fit_ends_with_an_ellipsis() -> None:
    assert fit("Deploy notes for 2.3", 12) == "Deploy note…"


def test_no_blank_stands_before_the_ellipsis() -> None:
    assert fit("Deploy notes", 8) == "Deploy…"


def test_a_wide_character_is_not_cut_in_half() -> None:
    assert fit("中文字符", 6) == "中文…"


def test_an_accent_stays_with_its_letter() -> None:
    assert fit("cafe\u0301 au lait", 5) == "cafe\u0301…"


def test_the_ellipsis_may_be_plain() -> None:
    assert fit("Deploy notes for 2.3", 12, "...") == "Deploy no..."


def test_no_room_gives_nothing() -> None:
    assert fit("abc", 0) == ""


def test_padding_counts_columns_not_characters() -> None:
    assert pad("中文", 6) == "中文  "
    assert pad("中文", 6, right=True) == "  中文"


def test_a_line_breaks_at_its_spaces() -> None:
    assert wrap("the nightly import dies half way", 12) == [
        "the nightly",
        "import dies",
        "half way",
    ]


def test_every_line_stands_behind_the_indent() -> None:
    assert wrap("the nightly import", 12, "    ") == ["    the", "    nightly", "    import"]


def test_lines_and_their_own_indent_stay() -> None:
    assert wrap("def f():\n    return 1\n\nend", 20) == ["def f():", "    return 1", "", "end"]


def test_tabs_become_spaces() -> None:
    assert wrap("a\tb", 20) == ["a   b"]


def test_a_word_longer_than_a_line_is_broken() -> None:
    assert wrap("x" * 25, 10) == ["x" * 10, "x" * 10, "x" * 5]


def test_ideographs_break_anywhere_and_fill_the_line() -> None:
    assert wrap("see 中文字符中文字符", 10) == ["see 中文字", "符中文字符"]


def test_no_line_begins_with_a_mark_that_closes_or_ends_with_one_that_opens() -> None:
    assert wrap("中文字符中。文字", 10) == ["中文字符", "中。文字"]
    assert wrap("中文字符「中文」", 10) == ["中文字符", "「中文」"]
    assert wrap("中文字符code」。文", 12) == ["中文字符", "code」。文"]


@given(LINES, st.integers(min_value=0, max_value=40))
def test_a_fitted_text_is_never_wider_than_its_room(text: str, columns: int) -> None:
    assert width(fit(text, columns)) <= columns


@example("a\U0001f3fb", 4)
@given(TEXTS, st.integers(min_value=4, max_value=40))
def test_a_wrapped_line_is_never_wider_than_its_room(text: str, columns: int) -> None:
    assert all(width(line) <= columns for line in wrap(text, columns, "  "))


@example("\u200d\t", 2)
@given(TEXTS, st.integers(min_value=2, max_value=40))
def test_wrapping_loses_nothing_but_blanks(text: str, columns: int) -> None:
    kept = "".join("".join(wrap(text, columns)).split())

    assert kept == "".join(text.split())
