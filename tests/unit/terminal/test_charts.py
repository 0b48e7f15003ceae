"""Charts out of characters: nothing is empty, something shows, the most is full."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.terminal.charts import draw_bar, draw_heat_map, draw_sparkline, sum_neighbours
from bough.terminal.text import width

numbers = st.integers(min_value=0, max_value=10**9)


@pytest.mark.parametrize(
    ("value", "drawn"), [(0, ""), (8, "████████"), (4, "████"), (1.5, "█▌"), (0.001, "▏")]
)
def test_a_bar_is_exact_to_an_eighth_of_a_column(value: float, drawn: str) -> None:
    assert draw_bar(value, 8, 8) == drawn


def test_without_unicode_a_bar_is_of_plain_signs() -> None:
    assert draw_bar(4, 8, 8, unicode=False) == "####"
    assert draw_bar(0.001, 8, 8, unicode=False) == "#"


@pytest.mark.parametrize(("largest", "columns"), [(0, 8), (8, 0)])
def test_a_bar_without_room_or_measure_is_empty(largest: float, columns: int) -> None:
    assert draw_bar(3, largest, columns) == ""


@given(numbers, numbers, st.integers(min_value=1, max_value=40), st.booleans())
def test_a_bar_fits_its_column(value: int, largest: int, columns: int, unicode: bool) -> None:
    drawn = draw_bar(value, largest, columns, unicode=unicode)

    assert width(drawn) <= columns
    assert bool(drawn) == (value > 0 and largest > 0)


def test_a_sparkline_shows_empty_days_as_the_axis() -> None:
    assert draw_sparkline([0, 1, 4, 8, 0]) == "─▁▄█─"
    assert draw_sparkline([0, 1, 4, 8, 0], unicode=False) == "_.=%_"
    assert draw_sparkline([]) == ""


@given(st.lists(numbers, min_size=1), st.booleans())
def test_a_sparkline_has_a_column_for_each_value(values: list[int], unicode: bool) -> None:
    drawn = draw_sparkline(values, unicode=unicode)

    assert width(drawn) == len(values)
    assert [mark in "─_" for mark in drawn] == [value == 0 for value in values]


def test_a_heat_map_is_darkest_where_the_most_is() -> None:
    assert draw_heat_map([[0, 1], [4, 16]]) == ["  ░░", "▒▒██"]
    assert draw_heat_map([[0, 16]], unicode=False) == ["  ##"]
    assert draw_heat_map([[0, 0]]) == ["    "]


@given(st.lists(numbers), st.integers(min_value=1, max_value=50))
def test_folding_keeps_the_sum_and_makes_it_fit(values: list[int], columns: int) -> None:
    folded = sum_neighbours(values, columns)

    assert sum(folded) == sum(values)
    assert len(folded) <= max(columns, 0) or len(values) <= columns
