"""The graph of `bough tree`."""

import pytest

from bough.terminal.header import render_headline
from bough.terminal.style import ASCII, UNICODE, Role, text_of
from bough.terminal.text import width
from bough.terminal.tree.graph_items import (
    GraphAgent,
    GraphBranch,
    GraphCompaction,
    GraphFork,
    GraphSplit,
    GraphTurn,
)
from bough.terminal.tree.graph_rows import GraphDrawing, draw_graph

JOB_TABLE = GraphBranch(
    (
        GraphTurn("c2a9", "13:40", "Use a job table instead", steps=9, cost="$0.24"),
        GraphTurn("7d10", "13:52", "Add the migration", steps=17, cost="$0.39"),
        GraphTurn(
            "b41f",
            "13:58",
            "Why is the lock held so long?",
            note="rewound 14:02",
            steps=12,
            cost="$0.29",
        ),
    )
)
NEW_OPTIONS = GraphBranch(
    (
        GraphTurn(
            "66d8",
            "14:36",
            "Use new click options for it",
            note="interrupted",
            steps=2,
            cost="$0.05",
        ),
    )
)
# Two rewinds, two agents, a compaction and a fork.
SESSION = GraphBranch(
    active=True,
    items=(
        GraphTurn(
            "8a1f",
            "13:02",
            "The nightly import dies half way. Make it resumable.",
            steps=22,
            cost="$0.84",
        ),
        GraphTurn("51c3", "13:19", "Where do we lose the cursor today?", steps=14, cost="$0.51"),
        GraphAgent("Explore: where the cursor is lost", ok=True, steps=18, cost="$0.17"),
        GraphTurn("0e77", "13:31", "Write the plan first, no code yet", steps=3, cost="$0.22"),
        GraphSplit((JOB_TABLE,)),
        GraphTurn(
            "94be", "14:05", "Keep a checkpoint file next to the CSV", steps=31, cost="$1.40"
        ),
        GraphCompaction("14:31", "Compacted, 168k → 22k tokens, 6 messages kept, 84 dropped"),
        GraphTurn(
            "2f60",
            "14:33",
            "Now wire it to the command line, with @cli/main.py",
            steps=2,
            cost="$0.09",
        ),
        GraphSplit((NEW_OPTIONS,)),
        GraphTurn("e9a4", "14:38", "Use the existing flags, no new ones", steps=5, cost="$0.72"),
        GraphAgent("Explore: find every caller of ImportJob", ok=True, steps=31, cost="$0.41"),
        GraphTurn(
            "13cc",
            "14:51",
            "What happens when the CSV changes between two runs?",
            steps=6,
            cost="$0.31",
        ),
        GraphFork("forked to 7c2e91ab, Checkpoint in object storage", "14:55"),
        GraphTurn("5b02", "14:58", "/review src/import", steps=40, cost="$1.02"),
        GraphTurn(
            "d07e",
            "15:10",
            "Run the whole suite and fix what breaks",
            note="working",
            note_role=Role.ACTIVE,
            steps=4,
            cost="$0.11",
            tip=True,
        ),
    ),
)

PICTURE = """\
●  8a1f  13:02  The nightly import dies half way. Make it resumable.       22 steps  $0.84
●  51c3  13:19  Where do we lose the cursor today?                         14 steps  $0.51
├─◆             Explore: where the cursor is lost                       ✓  18 steps  $0.17
●  0e77  13:31  Write the plan first, no code yet                           3 steps  $0.22
├─╮
│ ○  c2a9  13:40  Use a job table instead                                   9 steps  $0.24
│ ○  7d10  13:52  Add the migration                                        17 steps  $0.39
│ ○  b41f  13:58  Why is the lock held so long?            rewound 14:02   12 steps  $0.29
●  94be  14:05  Keep a checkpoint file next to the CSV                     31 steps  $1.40
┊╌╌╌╌╌╌  14:31  Compacted, 168k → 22k tokens, 6 messages kept, 84 dropped ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌
●  2f60  14:33  Now wire it to the command line, with @cli/main.py          2 steps  $0.09
├─╮
│ ○  66d8  14:36  Use new click options for it               interrupted    2 steps  $0.05
●  e9a4  14:38  Use the existing flags, no new ones                         5 steps  $0.72
├─◆             Explore: find every caller of ImportJob                 ✓  31 steps  $0.41
●  13cc  14:51  What happens when the CSV changes between two runs?         6 steps  $0.31
├─▢             forked to 7c2e91ab, Checkpoint in object storage   14:55
●  5b02  14:58  /review src/import                                         40 steps  $1.02
◉  d07e  15:10  Run the whole suite and fix what breaks          working    4 steps  $0.11
""".splitlines()


def texts(drawing: GraphDrawing) -> list[str]:
    return [text_of(line) for line in drawing.lines]


def test_the_drawing_is_the_one_of_the_guide() -> None:
    assert texts(draw_graph([SESSION], UNICODE, 100)) == PICTURE


@pytest.mark.parametrize("columns", [90, 91, 120, 250])
def test_more_room_than_the_words_need_changes_nothing(columns: int) -> None:
    drawing = draw_graph([SESSION], UNICODE, columns)

    assert texts(drawing) == PICTURE
    assert drawing.width == 90


def test_eighty_columns_cut_words_and_keep_the_rest() -> None:
    lines = texts(draw_graph([SESSION], UNICODE, 80))

    assert lines[:12] == [
        "●  8a1f  13:02  The nightly import dies half way. Make it res…   22 steps  $0.84",
        "●  51c3  13:19  Where do we lose the cursor today?               14 steps  $0.51",
        "├─◆             Explore: where the cursor is lost             ✓  18 steps  $0.17",
        "●  0e77  13:31  Write the plan first, no code yet                 3 steps  $0.22",
        "├─╮",
        "│ ○  c2a9  13:40  Use a job table instead                         9 steps  $0.24",
        "│ ○  7d10  13:52  Add the migration                              17 steps  $0.39",
        "│ ○  b41f  13:58  Why is the lock held so lon…   rewound 14:02   12 steps  $0.29",
        "●  94be  14:05  Keep a checkpoint file next to the CSV           31 steps  $1.40",
        "┊╌╌╌╌╌╌  14:31  Compacted, 168k → 22k tokens, 6 messages kept, 84 dropped ╌╌╌╌╌╌",
        "●  2f60  14:33  Now wire it to the command line, with @cli/ma…    2 steps  $0.09",
        "├─╮",
    ]


@pytest.mark.parametrize("columns", [40, 50, 60, 70, 80, 89])
def test_no_line_is_wider_than_the_terminal(columns: int) -> None:
    assert max(map(width, texts(draw_graph([SESSION], UNICODE, columns)))) <= columns


def test_steps_and_cost_leave_a_narrow_terminal_before_the_words() -> None:
    lines = texts(draw_graph([SESSION], UNICODE, 50))

    assert lines[0] == "●  8a1f  13:02  The nightly import dies h…   $0.84"
    narrow = texts(draw_graph([SESSION], UNICODE, 42))
    assert narrow[0] == "●  8a1f  13:02  The nightly import dies…"


def test_a_pipe_gets_every_word() -> None:
    long = "Explain " * 40
    branch = GraphBranch((GraphTurn("aaaa", "09:00", long, note="rewound", steps=1, cost="$0.10"),))

    (line,) = texts(draw_graph([branch], UNICODE, None))

    assert long.strip() in line
    assert line.endswith("  rewound   1 step   $0.10")


def test_the_drawing_names_the_line_of_the_tip() -> None:
    assert draw_graph([SESSION], UNICODE, 100).tip_line == 19
    assert draw_graph([SESSION], UNICODE, 100, reverse=True).tip_line == 1
    assert draw_graph([JOB_TABLE], UNICODE, 100).tip_line is None


def test_newest_first_turns_the_corners() -> None:
    lines = texts(draw_graph([SESSION], UNICODE, 100, reverse=True))

    assert lines == [line.replace("╮", "╯") for line in reversed(PICTURE)]


def test_a_locale_without_unicode_gets_a_plain_drawing() -> None:
    drawing = draw_graph(
        [
            GraphBranch(
                (GraphTurn("a", "1", "x"), GraphAgent("y", ok=True), GraphCompaction("2", "z"))
            )
        ],
        ASCII,
        40,
    )

    assert texts(drawing) == ["o  a  1  x", "+-<>     y   ok", ":---  2  z ----"]


def test_what_is_active_and_what_was_left_behind_differ_by_their_roles() -> None:
    lines = draw_graph([SESSION], UNICODE, 100).lines

    assert lines[0][0] == (Role.ACTIVE, "●")
    assert lines[5][:2] == ((Role.ACTIVE, "│"), (Role.LEFT, " ○"))


def test_the_headline_is_as_wide_as_the_drawing() -> None:
    line = render_headline(
        "Make the CSV import resumable", "3f9c21d0  orchard-shop/resume-import", 90, UNICODE
    )

    assert text_of(line) == (
        "Make the CSV import resumable                         3f9c21d0  orchard-shop/resume-import"
    )


def test_a_headline_without_room_keeps_its_facts() -> None:
    line = render_headline(
        "Make the CSV import resumable and then some more", "3f9c21d0  shop", 50, UNICODE
    )

    assert text_of(line) == "Make the CSV import resumable and…  3f9c21d0  shop"


def test_nothing_draws_nothing() -> None:
    assert draw_graph([], UNICODE, 80).lines == ()
