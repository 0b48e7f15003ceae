"""Branches in their lanes."""

import pytest

from bough.terminal.style import UNICODE, text_of
from bough.terminal.tree.graph_items import (
    GraphAgent,
    GraphBranch,
    GraphFork,
    GraphSplit,
    GraphTurn,
)
from bough.terminal.tree.graph_rows import draw_graph
from bough.terminal.tree.lanes import build_graph_rows


def turn(name: str, *, tip: bool = False) -> GraphTurn:
    return GraphTurn(name, "", name, tip=tip)


def drawn(*branches: GraphBranch) -> list[str]:
    """Draw without ids: the signs and the words are what lanes are about."""
    rows = build_graph_rows(branches, UNICODE)
    return [
        "".join(text for _, text in row.lead) + f"{row.sign} {row.text}".rstrip() for row in rows
    ]


def test_two_ways_from_one_point_use_the_same_lane() -> None:
    trunk = GraphBranch(
        (
            turn("a"),
            GraphSplit((GraphBranch((turn("b"),)), GraphBranch((turn("c"),)))),
            turn("d", tip=True),
        ),
        True,
    )

    assert drawn(trunk) == ["● a", "├─╮", "│ ○ b", "├─╮", "│ ○ c", "◉ d"]


def test_a_way_may_split_again() -> None:
    way = GraphBranch((turn("b"), GraphSplit((GraphBranch((turn("c"),)),)), turn("d")))

    assert drawn(GraphBranch((turn("a"), GraphSplit((way,)), turn("e", tip=True)), True)) == [
        "● a",
        "├─╮",
        "│ ○ b",
        "│ ├─╮",
        "│ │ ○ c",
        "│ ○ d",
        "◉ e",
    ]


def test_a_branch_that_ends_in_a_split_has_no_bar_beside_the_last_way() -> None:
    ways = GraphSplit((GraphBranch((turn("b"),)), GraphBranch((turn("c"), turn("d")))))

    assert drawn(GraphBranch((turn("a"), ways))) == ["○ a", "├─╮", "│ ○ b", "╰─╮", "  ○ c", "  ○ d"]


def test_what_leaves_the_end_of_a_branch_closes_it() -> None:
    assert drawn(GraphBranch((turn("a"), GraphAgent("x"), GraphFork("y")))) == [
        "○ a",
        "├─◆ x",
        "╰─▢ y",
    ]


def test_what_follows_the_active_tip_is_left_behind() -> None:
    assert drawn(GraphBranch((turn("a"), turn("b", tip=True), turn("c")), True)) == [
        "● a",
        "◉ b",
        "○ c",
    ]


def test_every_root_starts_at_the_left() -> None:
    assert drawn(GraphBranch((turn("a"),)), GraphBranch((turn("b", tip=True),), True)) == [
        "○ a",
        "◉ b",
    ]


def test_a_split_without_ways_is_nothing() -> None:
    assert drawn(GraphBranch((turn("a"), GraphSplit(()), turn("b")))) == ["○ a", "○ b"]


def test_very_deep_lanes_say_how_deep_they_are() -> None:
    branch = GraphBranch((turn("end"),))
    for _ in range(30):
        branch = GraphBranch((turn("x"), GraphSplit((branch,)), turn("y")))

    lines = drawn(branch)

    assert "│ " * 12 + "○ x" in lines
    assert "│ " * 11 + "…13 ○ x" in lines
    assert "│ " * 11 + "…30 ○ end" in lines


def test_ten_thousand_levels_are_drawn() -> None:
    branch = GraphBranch((turn("end"),))
    for _ in range(10_000):
        branch = GraphBranch((turn("x"), GraphSplit((branch,))))

    drawing = draw_graph([branch], UNICODE, 80)

    assert len(drawing.lines) == 20_001


@pytest.mark.parametrize("columns", [80, None])
def test_a_thousand_ways_are_drawn(columns: int | None) -> None:
    ways = tuple(GraphBranch((turn(str(number)),)) for number in range(1_000))

    lines = draw_graph(
        [GraphBranch((turn("a"), GraphSplit(ways), turn("z", tip=True)), True)], UNICODE, columns
    ).lines

    assert len(lines) == 2_002
    assert text_of(lines[-1]).startswith("◉  z")
