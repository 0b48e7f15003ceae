"""Answers whose columns nobody knows, as tables, CSV and JSON."""

import csv
import io
from collections.abc import Sequence

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from bough.terminal.result_rows import (
    Values,
    format_csv,
    make_names_unique,
    render_rows,
    stream_json,
)
from bough.terminal.style import UNICODE, text_of

value = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(exclude_categories=["Cs"])),
)
tables = st.integers(1, 4).flatmap(lambda n: st.lists(st.tuples(*[value] * n), max_size=5))


def rows_as_text(columns: Sequence[str], rows: Sequence[Values], room: int | None) -> list[str]:
    return [text_of(line) for line in render_rows(columns, rows, UNICODE, room)]


def test_numbers_stand_right_and_nothing_is_a_dash() -> None:
    lines = rows_as_text(["name", "n"], [("a", 7), (None, 100)], None)

    assert lines == ["name    n", "a       7", "-     100"]


def test_a_pipe_gets_long_values_whole_and_a_terminal_what_fits() -> None:
    rows = [("x" * 5000, 1)]

    assert len(rows_as_text(["text", "n"], rows, None)[1]) > 5000
    assert all(len(line) <= 40 for line in rows_as_text(["text", "n"], rows, 40))


def test_more_columns_than_fit_go_down_the_page() -> None:
    columns = [f"column{at}" for at in range(9)]

    lines = rows_as_text(columns, [range(9), range(9)], 80)

    assert lines[:2] == ["column0  0", "column1  1"]
    assert lines[9] == ""
    assert len(lines) == 19


def test_an_answer_without_rows_has_its_titles() -> None:
    assert rows_as_text(["a", "b"], [], 80) == ["a  b"]


def test_bytes_are_written_as_sql_writes_them() -> None:
    assert list(format_csv(["b"], [(b"\x00\xff",)])) == ["b", "x'00ff'"]
    assert b"".join(stream_json(["b"], [(b"\x00\xff",)])) == b'[{"b":"x\'00ff\'"}]\n'


def test_for_a_terminal_csv_loses_what_could_act_on_it() -> None:
    lines = list(format_csv(["a"], [("\x1b[31mred",)], clean_up=True))

    assert lines == ["a", "red"]


@given(tables)
def test_csv_reads_back_as_the_same_texts(rows: list[tuple[object, ...]]) -> None:
    names = [f"c{at}" for at in range(len(rows[0]) if rows else 1)]

    written = "\n".join(format_csv(names, rows))

    read = list(csv.reader(io.StringIO(written, newline=""), strict=True))
    told = [["" if one is None else str(one) for one in row] for row in rows]
    # One empty value is an empty line, which the reader takes for none.
    assert [row or [""] for row in read] == [names, *told]


@given(tables)
def test_json_reads_back_as_the_same_values(rows: list[tuple[object, ...]]) -> None:
    names = [f"c{at}" for at in range(len(rows[0]) if rows else 1)]

    document = b"".join(stream_json(names, rows))

    assert msgspec.json.decode(document) == [dict(zip(names, row, strict=True)) for row in rows]


def test_columns_of_one_name_are_numbered() -> None:
    assert make_names_unique(["n", "n", "n_2", "n"]) == ["n", "n_2", "n_2_2", "n_3"]
