"""`bough sessions`: sessions, newest first."""

from typing import TYPE_CHECKING

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import check_name, choose_exit_code, report_problems
from bough.cli.data_source import label_projects, open_lists
from bough.cli.options import Globals, command, pass_globals
from bough.terminal import clock
from bough.terminal.style import glyphs_for

if TYPE_CHECKING:
    from bough.library import Catalog, SessionList
    from bough.terminal.style import StyledLine


@command("sessions")
@click.argument("project", required=False)
@click.option("--all", "everything", is_flag=True, help="Also those without any conversation.")
@pass_globals
def sessions(given: Globals, project: str | None, *, everything: bool) -> int:
    """List sessions, newest first, of PROJECT or of all projects.

    PROJECT is a path, a name, or a folder name such as -home-dev-orchard-shop.
    """
    wanted = check_name(project) if project is not None else None
    with open_lists(given) as found:
        listed = found.sessions(wanted, everything=everything)
        screen = output.detect_screen(given.color)
        if given.json:
            costs = found.all_costs("session", clock.now())
            output.emit_json(library.add_session_costs(listed.rows, costs), screen)
        elif listed.rows:
            output.page_lines(_render_table(given, found, listed, wanted), screen)
    output.flush_output()
    trouble = report_problems(listed.problems, rest=bool(listed.rows))
    if not listed.rows:
        hint = "" if everything else " bough sessions --all lists also those without one."
        output.say(f"No session with a conversation here.{hint}")
    return choose_exit_code(len(listed.rows), trouble=trouble)


def _render_table(
    given: Globals, found: "Catalog", listed: "SessionList", project: str | None
) -> "list[StyledLine]":
    from bough.cli.tables import render_sessions  # noqa: PLC0415 - 55 ms; JSON needs none of it
    from bough.terminal.canvas import Canvas  # noqa: PLC0415 - 3 ms, as above

    screen = output.detect_screen(given.color)
    canvas = Canvas(clock.now(), glyphs_for(screen), screen.width, clock.read_time_words())
    costs = found.costs("session", canvas.now)
    names = {} if project is not None else label_projects(found.projects())
    return render_sessions(listed, canvas, costs, names)
