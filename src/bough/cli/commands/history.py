"""`bough history`: everything bough did to sessions."""

from typing import TYPE_CHECKING, Final

import click

from bough import library
from bough.cli import output
from bough.cli.list_options import (
    ListChoice,
    add_list_options,
    check_forms,
    emit_rows,
    report_page,
    write_formatted_rows,
)
from bough.cli.options import Globals, command, pass_globals
from bough.cli.travel import make_canvas
from bough.cli.travel_documents import OPERATION_FIELDS, operations_document
from bough.errors import ExitCode
from bough.terminal.style import Role
from bough.terminal.table import Cell, Column, TableRow, draw_table

if TYPE_CHECKING:
    from bough.library import Operation
    from bough.terminal.canvas import Canvas

_COLUMNS: Final = (
    Column("N", right=True),
    Column("WHEN", leaves=1),
    Column("DID"),
    Column("STATE", leaves=2),
    Column("WHAT", least=24),
)


@command("history")
@click.option("--all", "everything", is_flag=True, help="Also what was not carried out.")
@add_list_options
@pass_globals
def history(given: Globals, *, everything: bool, choice: ListChoice) -> int:
    """List what bough did to sessions, newest first. bough undo N takes it back."""
    check_forms(given, choice, OPERATION_FIELDS)
    operations = library.history(everything=everything)
    page = choice.cut_page(operations, everything, lambda one: str(one.number))
    if given.json:
        emit_rows(page, choice, operations_document(page.rows), given)
    elif choice.template is not None:
        write_formatted_rows(operations_document(page.rows), choice)
    elif operations:
        canvas = make_canvas(given)
        rows = [_render_row(operation, canvas) for operation in page.rows]
        lines = draw_table(_COLUMNS, rows, canvas.glyphs, canvas.columns)
        output.page_lines(lines, output.detect_screen(given.color))
    else:
        output.say("bough has changed nothing yet.")
    report_page(page, "operations")
    return ExitCode.FINE


def _render_row(operation: "Operation", canvas: "Canvas") -> TableRow:
    state = operation.state
    if operation.undone_by is not None:
        state = f"undone by {operation.undone_by}"
    role = Role.CLAUDE if operation.state == "done" else Role.META
    return (
        Cell(str(operation.number), role),
        Cell(canvas.when(operation.at), role),
        Cell(operation.operation, role),
        Cell(state, Role.ACTIVE if operation.state == "done" else Role.META),
        Cell(operation.headline, role, operation.reason),
    )
