"""Branches in their lanes."""

import pytest

from bough.terminal.style import PLAIN, UNICODE
from bough.terminal.tree.graph_items import Agent, Branch, Fork, Split, Turn
from bough.terminal.tree.graph_rows import draw
from bough.terminal.tree.lanes import rows_of


def turn(name: str, *, tip: bool = False) -> Turn:
    return Turn(name, "", name, tip=tip)


def drawn(*branches: Branch) -> list[str]:
    """Draw without ids: the signs and the words are what lanes are about."""
    rows = rows_of(branches, UNICODE)
    return [
        "".join(text for _, text in row.lead) + f"{row.sign} {row.text}".rstrip() for row in rows
    ]


def test_two_ways_from_one_point_use_the_same_lane() -> None:
    trunk = Branch(
        (turn("a"), Split((Branch((turn("b"),)), Branch((turn("c"),)))), turn("d", tip=True)), True
    )

    assert drawn(trunk) == ["● a", "├─╮", "│ ○ b", "├─╮", "│ ○ c", "◉ d"]


def test_a_way_may_split_again() -> None:
    way = Branch((turn("b"), Split((Branch((turn("c"),)),)), turn("d")))

    assert drawn(Branch((turn("a"), Split((way,)), turn("e", tip=True)), True)) == [
        "● a",
        "├─╮",
        "│ ○ b",
        "│ ├─╮",
        "│ │ ○ c",
        "│ ○ d",
        "◉ e",
    ]


def test_a_branch_that_ends_in_a_split_has_no_bar_beside_the_last_way() -> None:
    ways = Split((Branch((turn("b"),)), Branch((turn("c"), turn("d")))))

    assert drawn(Branch((turn("a"), ways))) == ["○ a", "├─╮", "│ ○ b", "╰─╮", "  ○ c", "  ○ d"]


def test_what_leaves_the_end_of_a_branch_closes_it() -> None:
    assert drawn(Branch((turn("a"), Agent("x"), Fork("y")))) == ["○ a", "├─◆ x", "╰─▢ y"]


def test_what_follows_the_active_tip_is_left_behind() -> None:
    assert drawn(Branch((turn("a"), turn("b", tip=True), turn("c")), True)) == ["● a", "◉ b", "○ c"]


def test_every_root_starts_at_the_left() -> None:
    assert drawn(Branch((turn("a"),)), Branch((turn("b", tip=True),), True)) == ["○ a", "◉ b"]


def test_a_split_without_ways_is_nothing() -> None:
    assert drawn(Branch((turn("a"), Split(()), turn("b")))) == ["○ a", "○ b"]


def test_very_deep_lanes_say_how_deep_they_are() -> None:
    branch = Branch((turn("end"),))
    for _ in range(30):
        branch = Branch((turn("x"), Split((branch,)), turn("y")))

    lines = drawn(branch)

    assert "│ " * 12 + "○ x" in lines
    assert "│ " * 11 + "…13 ○ x" in lines
    assert "│ " * 11 + "…30 ○ end" in lines


def test_ten_thousand_levels_are_drawn() -> None:
    branch = Branch((turn("end"),))
    for _ in range(10_000):
        branch = Branch((turn("x"), Split((branch,))))

    drawing = draw([branch], PLAIN, 80)

    assert len(drawing.lines) == 20_001


@pytest.mark.parametrize("columns", [80, None])
def test_a_thousand_ways_are_drawn(columns: int | None) -> None:
    ways = tuple(Branch((turn(str(number)),)) for number in range(1_000))

    lines = draw(
        [Branch((turn("a"), Split(ways), turn("z", tip=True)), True)], PLAIN, columns
    ).lines

    assert len(lines) == 2_002
    assert lines[-1].startswith("◉  z")
