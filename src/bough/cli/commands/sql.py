"""`bough sql`: questions to the index in its own language, read-only."""

import sys
from typing import TYPE_CHECKING

import click

from bough import library
from bough.cli import output
from bough.cli.options import Globals, command, pass_globals
from bough.cli.progress import open_current_index, report_index_state
from bough.errors import ExitCode, Misuse
from bough.terminal.capabilities import Terminal
from bough.terminal.result_rows import (
    format_csv,
    make_names_unique,
    object_of,
    render_rows,
    stream_json,
)
from bough.terminal.style import Role, glyphs_for
from bough.terminal.table import Cell, Column, draw_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bough.library import SqlResult, TableColumns


@command("sql")
@click.argument("query", required=False)
@click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values.")
@pass_globals
def sql(given: Globals, *, query: str | None, as_csv: bool) -> ExitCode:
    """Ask the index in SQL.

    QUERY is one statement that begins with select or with; - reads it from stdin. Without
    one, the tables and their columns are listed; bough docs index says what they hold. The view
    record_json has each record's JSON as the client wrote it, for json_extract. Nothing can
    be changed.
    """
    if as_csv and given.json:
        raise Misuse("Give --json or --csv, not both.")
    terminal = output.detect_screen(given.color)
    with open_current_index(given) as index:
        report_index_state(index)
        if query is None:
            _show_shapes(library.tables(index=index), terminal, as_json=given.json)
            return ExitCode.FINE
        with library.sql(_read_stdin() if query == "-" else query, index=index) as answer:
            _show_answer(answer, terminal, as_json=given.json, as_csv=as_csv)
    return ExitCode.FINE


def _read_stdin() -> str:
    # What is no UTF-8 goes on as it is: whoever asks is told so, like for any other question.
    return sys.stdin.buffer.read().decode("utf-8-sig", "surrogateescape")


def _show_answer(answer: "SqlResult", terminal: Terminal, *, as_json: bool, as_csv: bool) -> None:
    if as_json and terminal.height:
        names = make_names_unique(answer.columns)
        output.emit_json([object_of(names, row) for row in answer.rows], terminal)
    elif as_json:
        for piece in stream_json(answer.columns, answer.rows):
            output.emit_bytes(piece)
    elif as_csv:
        clean_up = bool(terminal.height)
        output.page_text(format_csv(answer.columns, answer.rows, clean_up=clean_up), terminal)
    else:
        lines = render_rows(answer.columns, list(answer.rows), glyphs_for(terminal), terminal.width)
        output.page_lines(lines, terminal)


def _show_shapes(shapes: "Sequence[TableColumns]", terminal: Terminal, *, as_json: bool) -> None:
    if as_json:
        output.emit_json(shapes, terminal)
        return
    columns = (Column("TABLE"), Column("COLUMNS", least=20))
    rows = [(Cell(shape.table, Role.TOOL), ", ".join(shape.columns)) for shape in shapes]
    output.page_lines(draw_table(columns, rows, glyphs_for(terminal), None, whole=True), terminal)
