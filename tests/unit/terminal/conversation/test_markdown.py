"""Markdown on a terminal, lightly."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.model.text.code_fences import find_fence
from bough.terminal.conversation.markdown import render_markdown, wrap_source
from bough.terminal.style import UNICODE, Role, Span, choose_glyphs, text_of
from bough.terminal.text import width


def shown(text: str, columns: int | None = None) -> list[str]:
    return [text_of(line) for line in render_markdown(text, UNICODE, columns)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a **b c** d", [(Role.CLAUDE, "a "), (Role.STRONG, "b c"), (Role.CLAUDE, " d")]),
        ("*em*", [(Role.EMPHASIS, "em")]),
        ("_em_", [(Role.EMPHASIS, "em")]),
        ("`x = 1`", [(Role.TOOL, "x = 1")]),
        ("# Title", [(Role.STRONG, "Title")]),
        ("## `code` title ##", [(Role.STRONG, "code title")]),
        ("* item", [(Role.CLAUDE, "- item")]),
        ("12. item", [(Role.CLAUDE, "12. item")]),
        ("> said", [(Role.META, "│ "), (Role.CLAUDE, "said")]),
        ("---", [(Role.META, "───")]),
        ("[text](https://x.org)", [(Role.LINK, "text"), (Role.META, " (https://x.org)")]),
        ("**[text](https://x.org)**", [(Role.STRONG, "text (https://x.org)")]),
        ("# [x.org](x.org)", [(Role.STRONG, "x.org")]),
        ("[`x.py`](x.py)", [(Role.LINK, "x.py")]),
        ("***both***", [(Role.STRONG, "both")]),
        ("# **a `b`**", [(Role.STRONG, "a b")]),
        ("`` `a` ``", [(Role.TOOL, "`a`")]),
        ("> ```", [(Role.META, "│ "), (Role.CLAUDE, "```")]),
        (
            "**a**/**b**",
            [(Role.STRONG, "a"), (Role.CLAUDE, "/"), (Role.STRONG, "b")],
        ),
    ],
)
def test_marks_give_way_to_roles(text: str, expected: list[Span]) -> None:
    assert render_markdown(text, UNICODE, None) == [tuple(expected)]


@pytest.mark.parametrize(
    "text",
    [
        "__init__.py and __main__",
        "f(**a) and g(**b)",
        "src/**/*.py and tests/**/*.ts",
        r"\*as it is\*",
        "this | or that",
        "a * b * c",
        "snake_case_name",
        "2**3",
        "x ** y",
        "**",
        "a_b",
        "| a | b |",
        "5 < 6",
    ],
)
def test_what_is_no_mark_stays(text: str) -> None:
    assert shown(text) == [text]


TABLE = """| Name | What **it** is | n |
|:---|---|--:|
| `job` | one two three four | 3 |
| a \\| b | five | 1,204 |"""


def test_a_table_stands_in_columns_with_its_numbers_right() -> None:
    assert shown(TABLE) == [
        "Name   What it is              n",
        "job    one two three four      3",
        "a | b  five                1,204",
    ]
    head, first, *_ = render_markdown(TABLE, UNICODE, None)
    assert head[0] == (Role.META, "Name")
    assert first[0] == (Role.TOOL, "job")


def test_the_widest_column_of_a_table_gives_way_first() -> None:
    assert shown(TABLE, 26) == [
        "Name   What it is        n",
        "job    one two           3",
        "       three four",
        "a | b  five          1,204",
    ]


def test_a_table_for_which_there_is_no_room_stays_as_it_was_written() -> None:
    wide = "| one and more | two and more | three and more |\n|--|--|--|"

    assert " ".join(shown(wide, 20)).split() == wide.split()


def test_rows_with_too_few_or_too_many_cells_are_rows() -> None:
    assert shown("a | b\n--|--\n1\n1 | 2 | 3") == ["a  b", "1", "1 | 2 | 3"]
    assert shown("a | b\n--|--\n| 1 |\n1 | 2 | 3") == ["a  b", "1", "1  2 | 3"]


def test_a_table_in_a_list_is_as_far_in_as_its_item() -> None:
    assert shown("1. x\n   a | b\n   --|--\n   1 | 2") == ["1. x", "   a  b", "   1  2"]


def test_marks_within_marks_without_end_are_given_up() -> None:
    assert "x" in "".join(shown("*_" * 900 + "x" + "_*" * 900))


def test_a_table_in_code_is_code() -> None:
    assert shown("```\na | b\n--|--\n```") == ["  a | b", "  --|--"]


def test_code_between_fences_is_left_as_it_is() -> None:
    text = "Do:\n```python\nif **x**:\n\n    pass\n```\nDone."

    lines = shown(text, 20)

    assert lines == ["Do:", "  if **x**:", "", "      pass", "Done."]


def test_code_may_hold_fences_of_its_own() -> None:
    text = "````markdown\nDo:\n```python\n**x**\n```\n````\n**Done.**"

    assert shown(text) == ["  Do:", "  ```python", "  **x**", "  ```", "Done."]


def test_a_line_that_begins_with_code_is_no_fence() -> None:
    assert shown("```x``` is **it**") == ["x is it"]


def test_only_a_fence_as_long_closes_code() -> None:
    text = "````md\n```sh\nls\n```\n~~~\n````\nDone."

    assert shown(text) == ["  ```sh", "  ls", "  ```", "  ~~~", "Done."]


def test_code_between_fences_on_one_line_is_no_fence() -> None:
    assert shown("```ls -l```\n**Done.**") == ["ls -l", "Done."]


def test_a_line_does_not_break_where_only_a_mark_begins_or_ends() -> None:
    assert shown("one two (`three`), four", 12) == ["one two", "(three),", "four"]
    assert shown("one **two three**, four", 13) == ["one two", "three, four"]
    assert shown("**粗体**、很长的句子在这里。完", 12) == ["粗体、很长的", "句子在这里。", "完"]


def test_code_within_a_line_keeps_its_marks_where_no_colour_sets_it_off() -> None:
    glyphs = choose_glyphs(unicode=True, colors=False)

    assert [text_of(line) for line in render_markdown("Run `ls` **now**.", glyphs, None)] == [
        "Run `ls` now."
    ]


def test_list_items_hang() -> None:
    lines = shown("- one two three four five", 12)

    assert lines == ["- one two", "  three four", "  five"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("- **項目**は長い説明が続きます", ["- 項目は長い", "  説明が続き", "  ます"]),
        ("これが`code`という名前", ["これがcodeと", "いう名前"]),
        ("12345678901 長い説明", ["12345678901", "長い説明"]),
        ("1234567890 長い説明", ["1234567890", "長い説明"]),
        ("123456789 長い説明", ["123456789 長", "い説明"]),
    ],
)
def test_a_line_breaks_between_wide_characters(text: str, lines: list[str]) -> None:
    assert shown(text, 12) == lines


def test_a_style_goes_on_in_the_next_line() -> None:
    lines = render_markdown("**one two three**", UNICODE, 8)

    assert [text_of(line) for line in lines] == ["one two", "three"]
    assert all((Role.STRONG, line[-1][1]) in line for line in lines)


def test_without_colours_the_text_stays_as_it_was_written() -> None:
    assert wrap_source("# T\n**b** `c`", None) == ["# T", "**b** `c`"]


def test_control_characters_do_not_get_through() -> None:
    assert "\x1b[2J" not in "".join(shown("a \x1b[2J **b**"))


def test_a_line_of_megabytes_is_not_looked_at_for_marks() -> None:
    text = "**x** " * 300_000

    assert shown(text) == [text.strip("\n")]


def test_a_line_of_megabytes_below_a_bar_is_not_looked_at_as_a_table() -> None:
    blank = " " * 1_000_000

    assert shown(f"a | b\n{blank}x") == ["a | b", f"{blank}x"]


@pytest.mark.parametrize(
    "text",
    [
        f"{'|a' * 1_900}\n{'|-' * 1_900}|\n" + "|\n" * 3_000,
        "|-|\n" * 20_000 + "|" * 5_000,
        "|-|\n" + f"{'|' * 5_000}\n" * 200,
    ],
    ids=["columns", "rules", "long rows"],
)
def test_bars_without_end_are_drawn_at_once(text: str) -> None:
    started = process_time()

    assert shown(text, 100)

    assert process_time() - started < 3


def test_a_table_ends_before_a_row_of_kilobytes() -> None:
    long = f"| {'x' * 5_000} |"

    assert shown(f"| a | b |\n|---|---|\n| c | d |\n{long}") == ["a  b", "c  d", long]


@given(st.text(max_size=300), st.integers(12, 60))
def test_no_line_is_wider_than_the_room(text: str, columns: int) -> None:
    for bare in shown(text, columns):
        if not bare.lstrip().startswith("|") and "  " not in bare[:2]:
            assert width(bare) <= columns + 8


@given(st.text(alphabet=st.sampled_from("ab *_`#-\n1.>[]()~|"), max_size=200))
def test_words_are_never_lost(text: str) -> None:
    bare = "".join(shown(text))

    assert bare.count("a") == _leave_out_languages(text).count("a")


def _leave_out_languages(text: str) -> str:
    """Leave out the lines that begin code, or end it: their words name a language."""
    kept, opened = [], ""
    for line in text.split("\n"):
        if fence := find_fence(line, opened):
            opened = "" if opened else fence
        else:
            kept.append(line)
    return "\n".join(kept)
