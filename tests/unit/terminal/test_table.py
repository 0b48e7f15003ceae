"""Tables on a terminal and in a pipe."""

from collections.abc import Sequence

import pytest

from bough.terminal.style import UNICODE, Role, text_of
from bough.terminal.table import Cell, Column, TableRow, draw_table
from bough.terminal.text import width

SESSIONS = (
    Column("ID"),
    Column("STATE", leaves=2),
    Column("WHEN"),
    Column("TURNS", right=True, leaves=3),
    Column("WAYS", right=True, leaves=1),
    Column("COST", right=True, leaves=4),
    Column("TITLE", least=20),
)
ROWS = (
    ("3f9c21d0", "● working", "now", "9", "3", "$6.19", "Make the CSV import resumable"),
    ("a80b77e1", "■ waits 4 min", "14:40", "4", "", "$0.88", "Deploy notes for 2.3"),
    (
        *("51d0c9aa", "✓ finished", "Tue 16:20", "12", "2", "$2.10"),
        Cell("Rounding of tax on refund", note="(plan)"),
    ),
    (
        *("0c44f1b2", "- deleted", "2 Oct", "20", "1", "$3.30"),
        Cell("Old import notes", note="(archived copy)"),
    ),
)
PROJECTS = (
    Column("LAST"),
    Column("SESSIONS", right=True),
    Column("PROJECT", least=12),
    Column(least=8),
)


def lines_of_table(
    columns: Sequence[Column], rows: Sequence[TableRow], room: int | None
) -> list[str]:
    return [text_of(line) for line in draw_table(columns, rows, UNICODE, room)]


def test_a_wide_terminal_shows_every_column() -> None:
    assert lines_of_table(SESSIONS, ROWS, 120) == [
        "ID        STATE          WHEN       TURNS  WAYS   COST  TITLE",
        "3f9c21d0  ● working      now            9     3  $6.19  Make the CSV import resumable",
        "a80b77e1  ■ waits 4 min  14:40          4        $0.88  Deploy notes for 2.3",
        "51d0c9aa  ✓ finished     Tue 16:20     12     2  $2.10  Rounding of tax on refund  (plan)",
        "0c44f1b2  - deleted      2 Oct         20     1  $3.30  Old import notes  (archived copy)",
    ]


def test_the_title_is_cut_before_a_column_leaves() -> None:
    lines = lines_of_table(SESSIONS, ROWS, 80)

    assert lines[0] == "ID        STATE          WHEN       TURNS  WAYS   COST  TITLE"
    assert lines[1].endswith("  $6.19  Make the CSV import res…")
    assert max(map(width, lines)) <= 80


def test_a_note_stays_while_the_words_before_it_have_room() -> None:
    assert lines_of_table(SESSIONS, ROWS, 86)[3].endswith("  $2.10  Rounding of tax on re…  (plan)")
    assert lines_of_table(SESSIONS, ROWS, 80)[3].endswith("  $2.10  Rounding of tax on refu…")


@pytest.mark.parametrize(
    ("columns", "titles"),
    [
        (75, "ID        STATE          WHEN       TURNS   COST  TITLE"),
        (65, "ID        WHEN       TURNS   COST  TITLE"),
        (50, "ID        WHEN        COST  TITLE"),
        (42, "ID        WHEN       TITLE"),
    ],
)
def test_columns_leave_in_their_order(columns: int, titles: str) -> None:
    lines = lines_of_table(SESSIONS, ROWS, columns)

    assert lines[0] == titles
    assert max(map(width, lines)) <= columns


@pytest.mark.parametrize("columns", [24, 30, 40, 60, 80, 100, 200])
def test_no_line_is_wider_than_the_terminal(columns: int) -> None:
    assert max(map(width, lines_of_table(SESSIONS, ROWS, columns))) <= columns


def test_a_pipe_gets_everything() -> None:
    title = "Make the CSV import resumable " * 20

    lines = lines_of_table(SESSIONS, [(*ROWS[0][:6], title)], None)

    assert lines[1].endswith(title.rstrip())


def test_a_long_name_makes_no_row_of_a_pipe_as_wide() -> None:
    columns = [Column("NAME"), Column("TITLE")]
    name = "n" * 5_000

    lines = lines_of_table(columns, [(name, name), ("short", "title")], None)

    assert [len(line) for line in lines] == [307, 1302, 307]
    assert lines[1].endswith("n…")


def test_what_is_asked_for_whole_is_not_cut_in_a_pipe() -> None:
    columns = [Column("NAME"), Column("TITLE")]
    name = "n" * 5_000

    lines = draw_table(columns, [(name, name)], UNICODE, None, whole=True)

    assert text_of(lines[1]) == f"{name}  {name}"


def test_a_column_without_a_title_stands_under_nothing() -> None:
    rows = [
        ("now", "64", "orchard-shop", "~/code/orchard-shop"),
        ("12 Nov", "2", "└ fix-tax", "worktree, folder is gone"),
    ]

    assert lines_of_table(PROJECTS, rows, 100) == [
        "LAST    SESSIONS  PROJECT",
        "now           64  orchard-shop  ~/code/orchard-shop",
        "12 Nov         2  └ fix-tax     worktree, folder is gone",
    ]


def test_a_table_without_titles_has_no_first_line() -> None:
    assert lines_of_table([Column(), Column(right=True)], [("a", "1"), ("bb", "22")], 80) == [
        "a    1",
        "bb  22",
    ]


def test_a_table_without_rows_is_its_titles() -> None:
    assert lines_of_table(PROJECTS, [], 80) == ["LAST  SESSIONS  PROJECT"]


def test_wide_characters_keep_the_columns_straight() -> None:
    lines = lines_of_table([Column("A"), Column("B")], [("中文", "x"), ("abc", "y")], 80)

    assert lines == ["A     B", "中文  x", "abc   y"]


def test_a_cell_is_one_line_whatever_it_holds() -> None:
    lines = lines_of_table([Column("A")], [("two\nlines \x1b[2Jand more",)], None)

    assert lines == ["A", "two lines and more"]


def test_a_cell_has_its_role_and_blanks_have_none() -> None:
    rows = [(Cell("bad", Role.ERROR), "1"), (Cell("better", Role.ACTIVE, "now"), "2")]

    assert draw_table([Column("A"), Column("B", right=True)], rows, UNICODE, 80) == [
        ((Role.HEADER, "A"), (Role.CLAUDE, "            "), (Role.HEADER, "B")),
        ((Role.ERROR, "bad"), (Role.CLAUDE, "          1")),
        ((Role.ACTIVE, "better"), (Role.META, "  now"), (Role.CLAUDE, "  2")),
    ]


def test_texts_of_a_column_have_its_role_and_cells_their_own() -> None:
    columns = (Column("ID", role=Role.META), Column("TITLE"))
    rows = (("3f9c21d0", "Import"), (Cell("a80b77e1", Role.ACTIVE), "Deploy"))

    _, first, second = draw_table(columns, rows, UNICODE, None)

    assert first == ((Role.META, "3f9c21d0"), (Role.CLAUDE, "  Import"))
    assert second == ((Role.ACTIVE, "a80b77e1"), (Role.CLAUDE, "  Deploy"))
