"""`bough conversations`: the ways sessions went, newest first."""

import click

from bough.cli import output
from bough.cli.arguments import (
    check_name,
    check_version,
    choose_exit_code,
    get_claude_folders,
    load_session,
    report_problems,
)
from bough.cli.data_source import open_lists
from bough.cli.options import Globals, command, pass_globals
from bough.cli.tables import render_conversations
from bough.errors import ProjectNotFound, SessionNotFound
from bough.query.lists.from_files import (
    count_prompts,
    list_all_conversations,
    list_conversations,
)
from bough.query.lists.list_rows import ConversationList
from bough.query.lookup import explain_missing
from bough.terminal import clock
from bough.terminal.canvas import Canvas
from bough.terminal.style import styles_for


@command("conversations")
@click.argument("wanted", metavar="[PROJECT or SESSION]", required=False)
@click.option("--client", metavar="VERSION", help="The tips as this version would choose them.")
@pass_globals
def conversations(given: Globals, wanted: str | None, *, client: str | None) -> int:
    """List conversations: each way from the start of a session to one of its tips.

    Of one SESSION, of one PROJECT, or of all projects; newest first.
    """
    listed = _list_conversations(given, check_name(wanted) if wanted is not None else None, client)
    screen = output.detect_screen(given.color)
    if given.json:
        output.emit_json(listed.rows, screen)
    elif listed.rows:
        output.page_lines(_render_table(given, listed), screen)
    output.flush_output()
    trouble = report_problems(listed.problems, rest=bool(listed.rows))
    if not listed.rows:
        output.say("No conversation here.")
    return choose_exit_code(len(listed.rows), trouble=trouble)


def _list_conversations(given: Globals, wanted: str | None, client: str | None) -> ConversationList:
    """List those of a project, else of a session, whichever goes by that name."""
    if wanted is None:
        return _list_of_project(given, None, client)
    if wanted.endswith(".jsonl"):
        return _list_of_session(given, wanted, client)
    try:
        return _list_of_project(given, wanted, client)
    except ProjectNotFound as missing:
        if wanted.startswith("-"):
            raise
        try:
            return _list_of_session(given, wanted, client)
        except SessionNotFound as error:
            raise explain_missing(wanted, error, missing) from error


def _list_of_session(given: Globals, wanted: str, client: str | None) -> ConversationList:
    session = load_session(given, wanted, client)
    return ConversationList(list_conversations(session), [], count_prompts(session))


def _list_of_project(given: Globals, wanted: str | None, client: str | None) -> ConversationList:
    if client is not None:
        return list_all_conversations(
            get_claude_folders(given), wanted, client=check_version(client)
        )
    with open_lists(given) as found:
        return found.conversations(wanted)


def _render_table(given: Globals, listed: ConversationList) -> list[str]:
    screen = output.detect_screen(given.color)
    sheet = Canvas(clock.now(), styles_for(screen), screen.width, clock.read_time_words())
    return render_conversations(listed, sheet)
