"""`bough sessions`: sessions, newest first."""

from typing import TYPE_CHECKING, Final

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import (
    annotate_rows,
    check_name,
    choose_exit_code,
    get_claude_folders,
    report_problems,
)
from bough.cli.data_source import label_projects, open_lists
from bough.cli.list_options import (
    ListChoice,
    add_list_options,
    check_forms,
    emit_rows,
    report_page,
    write_formatted_rows,
)
from bough.cli.options import Globals, command, pass_globals
from bough.config import load_settings
from bough.errors import ExitCode
from bough.terminal import clock
from bough.terminal.style import glyphs_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bough.library import Catalog, ListPage, SessionFilter, SessionRow
    from bough.terminal.canvas import Canvas
    from bough.terminal.style import StyledLine
    from bough.terminal.table import Cell


_WITH_STATE: Final = 60
"""Of so many sessions, the newest, a list on a screen says where they stand."""


@command("sessions")
@click.argument("project", required=False)
@click.option(
    "--since", metavar="TIME", help="Only sessions active at this time or later: 7d, yesterday."
)
@click.option(
    "--until", metavar="TIME", help="Only sessions that began by this time, that day included."
)
@click.option(
    "--state",
    "states",
    metavar="STATE",
    multiple=True,
    help="Only in this state: waiting, working, failed, interrupted, finished, deleted, live "
    "(whatever goes on) and more; several with commas.",
)
@click.option("--model", metavar="NAME", help="Only with a model whose name contains this.")
@click.option("--branch", metavar="NAME", help="Only on this git branch; * is anything.")
@click.option("--machine", metavar="NAME", help="With --store: only of this machine.")
@click.option("--member", metavar="NAME", help="With --store: only of this member of the team.")
@click.option("--starred", is_flag=True, help="Only those with a star; see bough notes.")
@click.option(
    "--sort",
    type=click.Choice(library.SESSION_SORTS),
    default="newest",
    metavar="ORDER",
    help="newest, oldest, cost, turns or title.",
)
@click.option(
    "--all", "everything", is_flag=True, help="Include sessions without any conversation."
)
@add_list_options
@pass_globals
def sessions(  # noqa: PLR0913 - one for each option
    given: Globals,
    project: str | None,
    *,
    since: str | None,
    until: str | None,
    states: tuple[str, ...],
    model: str | None,
    branch: str | None,
    machine: str | None,
    member: str | None,
    starred: bool,
    sort: str,
    everything: bool,
    choice: ListChoice,
) -> int:
    """List sessions, newest first, of PROJECT or of all projects.

    PROJECT is a path, a name, or a folder name such as -home-dev-orchard-shop.
    """
    check_forms(given, choice, library.SessionRow.__struct_fields__)
    wanted = check_name(project) if project is not None else None
    asked = library.SessionFilter(
        since=since,
        until=until,
        model=model,
        branch=branch,
        starred=starred,
        machine=machine,
        member=member,
    )
    in_state = library.parse_states(states) if states else None
    with open_lists(given) as found:
        listed = found.sessions(wanted, everything=everything)
        annotated = annotate_rows(listed.rows, required=starred)
        rows = _choose_rows(given, found, annotated, asked, in_state, sort)
        question = (wanted, everything, asked, sorted(in_state or ()), sort)
        page = choice.cut_page(rows, question, lambda row: row.path)
        _show_page(given, found, page, wanted, choice)
    output.flush_output()
    trouble = report_problems(listed.problems, rest=bool(listed.rows))
    report_page(page, "sessions")
    _mention_states(given, page.rows, choice)
    if not listed.rows:
        hint = "" if everything else " bough sessions --all lists also those without one."
        output.say(f"No session with a conversation here.{hint}")
    elif not page.rows:
        output.say(f"No session matches. There are {len(listed.rows):,} in all.")
    found_nothing = bool(listed.rows) and not page.rows
    return ExitCode.FAILED if found_nothing else choose_exit_code(len(listed.rows), trouble=trouble)


def _choose_rows(
    given: Globals,
    found: "Catalog",
    rows: "Sequence[SessionRow]",
    asked: "SessionFilter",
    in_state: "frozenset[str] | None",
    sort: str,
) -> "Sequence[SessionRow]":
    """Keep what was asked for, in the order that was asked for."""
    if asked != library.SessionFilter():
        zone = library.find_zone(load_settings().zone)
        rows = library.filter_sessions(rows, asked, clock.now(), zone)
    if in_state is not None:
        states = library.find_session_states(rows, get_claude_folders(given), clock.now())
        rows = [row for row in rows if states[row.path].name in in_state]
    if sort == "newest":
        return rows
    costs = found.all_costs("session", clock.now()) if sort == "cost" else {}
    return library.sort_sessions(rows, sort, costs)


def _show_page(
    given: Globals,
    found: "Catalog",
    page: "ListPage[SessionRow]",
    project: str | None,
    choice: ListChoice,
) -> None:
    if given.json or choice.template is not None:
        costs = found.all_costs("session", clock.now())
        rows = library.add_session_costs(page.rows, costs, library.load_budgets())
        if given.json:
            emit_rows(page, choice, rows, given)
        else:
            write_formatted_rows(rows, choice)
    elif page.rows:
        lines = _render_table(given, found, page.rows, project)
        output.page_lines(lines, output.detect_screen(given.color))


def _render_table(
    given: Globals, found: "Catalog", rows: "Sequence[SessionRow]", project: str | None
) -> "list[StyledLine]":
    from bough.cli.tables import render_sessions  # noqa: PLC0415 - 55 ms; JSON needs none of it
    from bough.terminal.canvas import Canvas  # noqa: PLC0415 - 3 ms, as above

    screen = output.detect_screen(given.color)
    canvas = Canvas(clock.now(), glyphs_for(screen), screen.width, clock.read_time_words())
    costs = found.costs("session", canvas.now)
    if costs is not None:
        rows = library.add_session_costs(rows, costs, library.load_budgets())
    names = {} if project is not None else label_projects(found.projects())
    states = _render_states(given, rows, canvas) if screen.width is not None else {}
    return render_sessions(rows, canvas, costs, names, states)


def _mention_states(given: Globals, rows: "Sequence[SessionRow]", choice: ListChoice) -> None:
    """Say why old sessions have no state, where a table shows some that have none."""
    is_table = not given.json and choice.template is None
    if is_table and len(rows) > _WITH_STATE and output.detect_screen(given.color).width is not None:
        output.say(f"STATE is that of the newest {_WITH_STATE}. --state finished lists all of one.")


def _render_states(
    given: Globals, rows: "Sequence[SessionRow]", canvas: "Canvas"
) -> "dict[str, Cell]":
    """Say where the newest sessions stand, by file.

    The state of a session is in the end of its file: a screenful of files is opened for people
    who look, none for a pipe, which has `--state`.
    """
    from bough.terminal.state_cells import render_listed_state  # noqa: PLC0415

    newest = sorted(rows, key=lambda row: row.ended_at or "", reverse=True)[:_WITH_STATE]
    states = library.find_session_states(newest, get_claude_folders(given), canvas.now)
    return {path: render_listed_state(state, canvas.glyphs) for path, state in states.items()}
