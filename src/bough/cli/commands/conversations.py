"""`bough conversations`: the branches of sessions, newest first."""

from typing import TYPE_CHECKING

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import (
    check_name,
    choose_exit_code,
    get_claude_folders,
    load_session,
    report_problems,
)
from bough.cli.data_source import open_lists
from bough.cli.list_options import (
    ListChoice,
    add_list_options,
    check_forms,
    emit_rows,
    report_page,
    write_formatted_rows,
)
from bough.cli.options import Globals, command, pass_globals
from bough.errors import ProjectNotFound, SessionNotFound
from bough.terminal import clock

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bough.library import ConversationList, ConversationRow
    from bough.terminal.style import StyledLine


@command("conversations")
@click.argument("wanted", metavar="[PROJECT or SESSION]", required=False)
@click.option("--client", metavar="VERSION", help="The tips as this version would choose them.")
@add_list_options
@pass_globals
def conversations(
    given: Globals, wanted: str | None, *, client: str | None, choice: ListChoice
) -> int:
    """List conversations: each branch of a session, from its start to one of its tips.

    Of one SESSION, of one PROJECT, or of all projects; newest first.
    """
    check_forms(given, choice, library.ConversationRow.__struct_fields__)
    name = check_name(wanted) if wanted is not None else None
    costs = given.json or choice.template is not None
    listed = _list_conversations(given, name, client, costs=costs)
    page = choice.cut_page(listed.rows, (name, client), lambda row: f"{row.session} {row.tip}")
    if given.json:
        emit_rows(page, choice, page.rows, given)
    elif choice.template is not None:
        write_formatted_rows(page.rows, choice)
    elif listed.rows:
        output.page_lines(_render_table(given, page.rows), output.detect_screen(given.color))
    output.flush_output()
    trouble = report_problems(listed.problems, rest=bool(listed.rows))
    report_page(page, "conversations")
    if not listed.rows:
        output.say("No conversation here.")
    return choose_exit_code(len(listed.rows), trouble=trouble)


def _list_conversations(
    given: Globals, wanted: str | None, client: str | None, *, costs: bool
) -> "ConversationList":
    """List those of a project, else of a session, whichever goes by that name."""
    if wanted is None:
        return _list_of_project(given, None, client, costs=costs)
    if wanted.endswith(".jsonl"):
        return _list_of_session(given, wanted, client, costs=costs)
    try:
        return _list_of_project(given, wanted, client, costs=costs)
    except ProjectNotFound as missing:
        if wanted.startswith("-"):
            raise
        try:
            return _list_of_session(given, wanted, client, costs=costs)
        except SessionNotFound as error:
            raise library.explain_missing(wanted, error, missing) from error


def _list_of_session(
    given: Globals, wanted: str, client: str | None, *, costs: bool
) -> "ConversationList":
    session = load_session(given, wanted, client)
    place = library.find_kept_place(session.path or "")
    rows = library.list_conversations(session, costs=costs, kept_in=place)
    return library.ConversationList(rows, [])


def _list_of_project(
    given: Globals, wanted: str | None, client: str | None, *, costs: bool
) -> "ConversationList":
    if client is not None:
        dirs, seen_by = get_claude_folders(given), library.check_version(client)
        return library.list_all_conversations(dirs, wanted, client=seen_by, costs=costs)
    with open_lists(given) as found:
        listed = found.conversations(wanted)
        if not costs:
            return listed
        counted = found.all_costs("branch", clock.now())
        rows = library.add_conversation_costs(listed.rows, counted)
        return library.ConversationList(rows, listed.problems)


def _render_table(given: Globals, rows: "Sequence[ConversationRow]") -> "list[StyledLine]":
    from bough.cli.tables import render_conversations  # noqa: PLC0415 - JSON needs none of it
    from bough.terminal.canvas import Canvas  # noqa: PLC0415
    from bough.terminal.style import glyphs_for  # noqa: PLC0415

    screen = output.detect_screen(given.color)
    canvas = Canvas(clock.now(), glyphs_for(screen), screen.width, clock.read_time_words())
    return render_conversations(rows, canvas)
