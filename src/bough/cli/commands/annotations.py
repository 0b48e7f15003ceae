"""`bough notes`: stars and short notes on sessions and messages, and projects hidden on Home."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import check_name, get_claude_folders
from bough.cli.list_options import (
    ListChoice,
    add_list_options,
    check_forms,
    emit_rows,
    report_page,
    write_formatted_rows,
)
from bough.cli.options import (
    SETTINGS,
    BoughCommand,
    BoughGroup,
    Globals,
    pass_globals,
)
from bough.errors import ExitCode, Misuse, Unreadable, reason_of
from bough.model.text.formats import format_plural
from bough.terminal import clock
from bough.terminal.style import glyphs_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bough.library import Annotation
    from bough.terminal.style import StyledLine

_SHORT: Final = 8
_STDIN: Final = "-"


@click.group("notes", cls=BoughGroup, invoke_without_command=True, context_settings=SETTINGS)
@click.pass_context
def notes(ctx: click.Context) -> int | None:
    """Star sessions and messages, and write short notes on them.

    They stand in a file of their own in the data folder, annotations.sqlite, which nothing
    rebuilds or prunes; sessions are not changed. bough sessions --starred lists what is starred.
    Without a command everything is listed.
    """
    if ctx.invoked_subcommand is not None:
        return None
    code: int = ctx.invoke(list_annotations, limit=None, cursor=None, template=None)
    return code


_MESSAGE: Final = click.option(
    "--message", metavar="UUID", help="A message of it, by the beginning of its uuid."
)


@notes.command("list", cls=BoughCommand)
@add_list_options
@pass_globals
def list_annotations(given: Globals, *, choice: ListChoice) -> int:
    """List everything that is starred, noted or hidden, newest first."""
    check_forms(given, choice, library.Annotation.__struct_fields__)
    found = library.annotations()
    page = choice.cut_page(found, "notes", lambda one: f"{one.kind} {one.id}")
    if given.json:
        emit_rows(page, choice, page.rows, given)
    elif choice.template is not None:
        write_formatted_rows(page.rows, choice)
    elif page.rows:
        output.page_lines(_render_table(given, page.rows), output.detect_screen(given.color))
    output.flush_output()
    report_page(page)
    if not found:
        output.say("Nothing is starred or noted yet. bough notes star SESSION stars a session.")
    return ExitCode.FINE


@notes.command("star", cls=BoughCommand)
@click.argument("session")
@_MESSAGE
@pass_globals
def star(given: Globals, session: str, message: str | None) -> int:
    """Star SESSION, or a message of it."""
    wanted = check_name(message) if message is not None else None
    dirs = get_claude_folders(given)
    return _report_change(
        given, library.star(check_name(session), message=wanted, claude_dir=dirs), "Starred"
    )


@notes.command("unstar", cls=BoughCommand)
@click.argument("session")
@_MESSAGE
@pass_globals
def unstar(given: Globals, session: str, message: str | None) -> int:
    """Remove the star from SESSION, or from a message of it."""
    wanted = check_name(message) if message is not None else None
    dirs = get_claude_folders(given)
    return _report_change(
        given, library.unstar(check_name(session), message=wanted, claude_dir=dirs), "No star on"
    )


@notes.command("set", cls=BoughCommand)
@click.argument("session")
@click.argument("text")
@_MESSAGE
@pass_globals
def set_note(given: Globals, session: str, text: str, message: str | None) -> int:
    """Write a note on SESSION, or on a message of it.

    TEXT is the note, or - for stdin.
    """
    note = sys.stdin.read() if text == _STDIN else text
    if not note.strip():
        raise Misuse("The note is empty. bough notes remove takes a note away.")
    return _write_note(given, session, message, note, "Noted on")


@notes.command("remove", cls=BoughCommand)
@click.argument("session")
@_MESSAGE
@pass_globals
def remove_note(given: Globals, session: str, message: str | None) -> int:
    """Remove the note on SESSION, or on a message of it."""
    return _write_note(given, session, message, "", "No note on")


@notes.command("hide", cls=BoughCommand)
@click.argument("project")
@pass_globals
def hide(given: Globals, project: str) -> int:
    """Hide PROJECT on Home, in the web app and the terminal app.

    The command line lists it all the same, unless bough projects --visible is asked.
    """
    dirs = get_claude_folders(given)
    return _report_change(given, library.hide_project(check_name(project), claude_dir=dirs), "Hid")


@notes.command("unhide", cls=BoughCommand)
@click.argument("project")
@pass_globals
def unhide(given: Globals, project: str) -> int:
    """Show PROJECT on Home again."""
    dirs = get_claude_folders(given)
    found = library.hide_project(check_name(project), hidden=False, claude_dir=dirs)
    return _report_change(given, found, "On Home again:")


@notes.command("export", cls=BoughCommand)
def export_notes() -> int:
    """Write everything to stdout, as JSON Lines."""
    output.write(library.export_annotations())
    return ExitCode.FINE


@notes.command("import", cls=BoughCommand)
@click.argument("file")
@pass_globals
def import_notes(given: Globals, file: str) -> int:
    """Merge what export wrote; the newer value stays.

    FILE is what export wrote, or - for stdin.
    """
    try:
        data = sys.stdin.buffer.read() if file == _STDIN else Path(check_name(file)).read_bytes()
    except OSError as error:
        raise Unreadable(file, reason_of(error)) from error
    report = library.import_annotations(data.splitlines())
    if given.json:
        output.emit_json(report, output.detect_screen(given.color))
        output.flush_output()
    kept = f"{report.older:,} older than yours, {report.same:,} the same"
    output.say(f"{report.added:,} new, {report.changed:,} newer than yours, {kept}.")
    if report.unreadable:
        output.say(f"{format_plural(report.unreadable, 'line')} could not be read; the rest was.")
    return ExitCode.FAILED if report.unreadable else ExitCode.FINE


def _write_note(given: Globals, session: str, message: str | None, note: str, did: str) -> int:
    wanted = check_name(message) if message is not None else None
    dirs = get_claude_folders(given)
    found = library.annotate(check_name(session), note, message=wanted, claude_dir=dirs)
    return _report_change(given, found, did)


def _report_change(given: Globals, changed: "Annotation", did: str) -> int:
    if given.json:
        output.emit_json(changed, output.detect_screen(given.color))
        output.flush_output()
    else:
        output.say(f"{did} {changed.kind} {_shorten(changed)}.")
    return ExitCode.FINE


def _shorten(about: "Annotation") -> str:
    return about.id if about.kind == "project" else about.id[:_SHORT]


def _render_table(given: Globals, rows: "Sequence[Annotation]") -> "list[StyledLine]":
    from bough.terminal.canvas import Canvas  # noqa: PLC0415 - JSON needs none of it
    from bough.terminal.style import Role  # noqa: PLC0415 - as above
    from bough.terminal.table import Cell, Column, draw_table  # noqa: PLC0415 - as above

    screen = output.detect_screen(given.color)
    canvas = Canvas(clock.now(), glyphs_for(screen), screen.width, clock.read_time_words())
    columns = [
        Column("WHEN", leaves=2),
        Column("WHAT"),
        Column("ID"),
        Column("SESSION", leaves=1),
        Column("STAR"),
        Column("NOTE", least=24),
    ]
    return draw_table(
        columns,
        [
            [
                canvas.when(one.changed_at),
                one.kind,
                Cell(_shorten(one), Role.META),
                Cell(one.session[:_SHORT], Role.META),
                "*" if one.starred else "",
                "hidden on Home" if one.hidden else one.note,
            ]
            for one in rows
        ],
        canvas.glyphs,
        canvas.columns,
    )
