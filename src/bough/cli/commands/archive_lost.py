"""`bough archive lost`: the sessions of which only the prompts are left, and those prompts."""

from collections.abc import Iterator
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
from bough.cli.options import BoughCommand, Globals, pass_globals
from bough.cli.travel import make_canvas
from bough.errors import ExitCode, with_tilde
from bough.model.text.formats import format_plural, to_one_line
from bough.terminal.style import Role
from bough.terminal.table import Cell, Column, TableRow, draw_table
from bough.terminal.text import clean

if TYPE_CHECKING:
    from bough.library import LostSession
    from bough.terminal.canvas import Canvas

_SHORT: Final = 8
_COLUMNS: Final = (
    Column("ID"),
    Column("WHEN"),
    Column("PROMPTS", right=True, leaves=1),
    Column("PROJECT", leaves=2, least=16),
    Column("FIRST PROMPT", least=24),
)


_FIELDS: Final = ("id", "project", "first_prompt", "first_at", "last_at", "prompts", "claude_dir")


@click.command("lost", cls=BoughCommand)
@add_list_options
@pass_globals
def lost(given: Globals, *, choice: ListChoice) -> int:
    """List sessions that were deleted before bough saw them.

    The client keeps what you typed in history.jsonl, also of sessions that it deleted. Listed
    are those that have no transcript on disk and none in the archive; bough show ID prints
    their prompts. The answers are gone.
    """
    check_forms(given, choice, _FIELDS)
    found = library.lost_sessions(get_claude_folders(given))
    page = choice.cut_page(found, "lost", lambda one: one.id)
    if given.json:
        emit_rows(page, choice, [_make_row(one) for one in page.rows], given)
        report_page(page, "sessions")
        return ExitCode.FINE
    if choice.template is not None:
        write_formatted_rows([_make_row(one) for one in page.rows], choice)
        report_page(page, "sessions")
        return ExitCode.FINE
    if not found:
        output.say("No session is lost: each that history.jsonl names has a transcript.")
        return ExitCode.FINE
    canvas = make_canvas(given)
    rows = [_draw_row(one, canvas) for one in page.rows]
    screen = output.detect_screen(given.color)
    output.page_lines(draw_table(_COLUMNS, rows, canvas.glyphs, canvas.columns), screen)
    output.flush_output()
    report_page(page, "sessions")
    output.say(
        f"{format_plural(len(found), 'session')}. {library.explain_lost()} "
        "bough show ID prints the prompts."
    )
    return ExitCode.FINE


def print_lost_session(given: Globals, session: "LostSession") -> int:
    """Print the prompts that are left of a session."""
    screen = output.detect_screen(given.color)
    if given.json:
        document = {
            **_make_row(session),
            "prompts": session.prompts,
            "lost": library.explain_lost(),
        }
        output.emit_json(document, screen)
        return ExitCode.FINE
    output.page_text(_describe_session(session, make_canvas(given)), screen)
    return ExitCode.FINE


def _make_row(session: "LostSession") -> dict[str, object]:
    return {
        "id": session.id,
        "project": session.project,
        "first_prompt": _first_prompt(session),
        "first_at": session.first_at,
        "last_at": session.last_at,
        "prompts": len(session.prompts),
        "claude_dir": session.claude_dir,
    }


def _first_prompt(session: "LostSession") -> str:
    return to_one_line(session.prompts[0].text)


def _draw_row(session: "LostSession", canvas: "Canvas") -> TableRow:
    project = with_tilde(session.project) if session.project else ""
    return (
        Cell(session.id[:_SHORT], Role.META),
        Cell(canvas.when(session.last_at), Role.CLAUDE),
        Cell(f"{len(session.prompts):,}", Role.CLAUDE),
        Cell(clean(project), Role.META),
        Cell(clean(_first_prompt(session)), Role.CLAUDE),
    )


def _describe_session(session: "LostSession", canvas: "Canvas") -> Iterator[str]:
    where = f" in {with_tilde(session.project)}" if session.project else ""
    yield clean(f"Session {session.id}{where}")
    yield f"{format_plural(len(session.prompts), 'prompt')}. {library.explain_lost()}"
    for prompt in session.prompts:
        yield ""
        yield canvas.when(prompt.at) if prompt.at else "at some time"
        yield from clean(prompt.text).split("\n")
        for pasted in prompt.pasted:
            yield from (f"    {line}" for line in clean(pasted.rstrip("\n")).split("\n"))
