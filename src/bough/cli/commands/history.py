"""`bough history`: everything bough did to sessions, and how long it can be taken back."""

from typing import TYPE_CHECKING, Final

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import get_claude_folders
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
from bough.cli.travel_documents import OPERATION_FIELDS, backups_document, operations_document
from bough.errors import ExitCode, with_tilde
from bough.model.text.formats import format_plural, format_size
from bough.terminal.style import Role
from bough.terminal.table import Cell, Column, TableRow, draw_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bough.library import Backup, Operation
    from bough.terminal.canvas import Canvas

_COLUMNS: Final = (
    Column("N", right=True),
    Column("WHEN", leaves=1),
    Column("DID"),
    Column("STATE", leaves=2),
    Column("WHAT", least=24),
)
_FOLDER: Final = Column("CLAUDE FOLDER", least=16)
_BACKUPS: Final = (
    Column("N", right=True),
    Column("WHEN", leaves=1),
    Column("SIZE", right=True),
    Column("WHY", least=24),
    Column("WHAT", leaves=2, least=24),
)


@command("history")
@click.option("--all", "everything", is_flag=True, help="Include what was not carried out.")
@click.option("--all-folders", is_flag=True, help="Include what was done in other Claude folders.")
@click.option("--prune", is_flag=True, help="Remove backups that are past their time.")
@click.option(
    "--dry-run",
    "-n",
    is_flag=True,
    help="With --prune: show what would be removed; remove nothing.",
)
@add_list_options
@pass_globals
def history(
    given: Globals,
    *,
    everything: bool,
    all_folders: bool,
    prune: bool,
    dry_run: bool,
    choice: ListChoice,
) -> int:
    """List what bough did to sessions, newest first. bough undo N takes it back.

    Only what was done in the Claude folder that is read: the usual one, or --claude-dir.

    --prune removes backups that the settings give no more time, of every Claude folder; each
    operation that bough carries out does it too. What can still be undone stays for 90 days.
    """
    if prune:
        return _prune(given, dry_run=dry_run)
    if dry_run:
        raise click.UsageError("--dry-run shows what --prune would remove. Give both")
    check_forms(given, choice, OPERATION_FIELDS)
    operations = library.history(
        everything=everything, all_folders=all_folders, claude_dir=get_claude_folders(given)
    )
    page = choice.cut_page(operations, (everything, all_folders), lambda one: str(one.number))
    if given.json:
        emit_rows(page, choice, operations_document(page.rows), given)
    elif choice.template is not None:
        write_formatted_rows(operations_document(page.rows), choice)
    elif operations:
        canvas = make_canvas(given)
        output.page_lines(
            _render_history(page.rows, canvas, all_folders=all_folders),
            output.detect_screen(given.color),
        )
    elif not all_folders and library.history(everything=everything, all_folders=True):
        output.say(
            "bough has changed nothing in this Claude folder. bough history --all-folders lists "
            "what it did in others."
        )
    else:
        output.say("bough has changed nothing yet.")
    report_page(page, "operations")
    return ExitCode.FINE


def _prune(given: Globals, *, dry_run: bool) -> int:
    """Remove backups, or tell which would go."""
    report = library.prune_backups(dry_run=dry_run)
    screen = output.detect_screen(given.color)
    if given.json:
        output.emit_json(backups_document(report, dry_run=dry_run), screen)
        return ExitCode.FINE
    if report.removed:
        canvas = make_canvas(given)
        rows = [_render_backup(backup, canvas) for backup in report.removed]
        output.write_lines(draw_table(_BACKUPS, rows, canvas.glyphs, canvas.columns), screen)
        output.flush_output()
    size = sum(backup.bytes for backup in report.removed)
    verb = "Would remove" if dry_run else "Removed"
    removed = f"{verb} {format_plural(len(report.removed), 'backup')}, {format_size(size)}"
    output.say(
        f"{removed if report.removed else 'No backup is past its time'}. "
        f"{report.kept:,} kept, {format_size(report.kept_bytes)}."
    )
    return ExitCode.FINE


def _render_history(
    operations: "Sequence[Operation]", canvas: "Canvas", *, all_folders: bool
) -> "list[tuple[tuple[Role, str], ...]]":
    """Set the list; with several folders in it each row names its own."""
    columns = (*_COLUMNS[:-1], _FOLDER, _COLUMNS[-1]) if all_folders else _COLUMNS
    rows = [_render_row(one, canvas, all_folders=all_folders) for one in operations]
    return draw_table(columns, rows, canvas.glyphs, canvas.columns)


def _render_row(operation: "Operation", canvas: "Canvas", *, all_folders: bool) -> TableRow:
    state = operation.state
    if operation.undone_by is not None:
        state = f"undone by {operation.undone_by}"
    role = Role.CLAUDE if operation.state == "done" else Role.META
    folder = (Cell(with_tilde(operation.claude_dir), Role.META),) if all_folders else ()
    return (
        Cell(str(operation.number), role),
        Cell(canvas.when(operation.at), role),
        Cell(operation.operation, role),
        Cell(state, Role.ACTIVE if operation.state == "done" else Role.META),
        *folder,
        Cell(operation.headline, role, operation.reason),
    )


def _render_backup(backup: "Backup", canvas: "Canvas") -> TableRow:
    return (
        str(backup.number),
        canvas.when(backup.at),
        format_size(backup.bytes),
        backup.why,
        Cell(backup.headline, Role.META),
    )
