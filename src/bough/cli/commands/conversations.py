"""`bough conversations`: the ways sessions went, newest first."""

import click

from bough.cli import output
from bough.cli.arguments import asked_session, code_of, folders, tell_problems, version, word
from bough.cli.data_source import conversations_seen_by, lists
from bough.cli.options import Globals, command, pass_globals
from bough.errors import NotFound, ProjectNotFound, SessionNotFound
from bough.query.lists.from_files import list_conversations, prompts_of
from bough.query.lists.list_rows import ConversationList
from bough.terminal import clock


@command("conversations")
@click.argument("wanted", metavar="[PROJECT or SESSION]", required=False)
@click.option("--client", metavar="VERSION", help="The tips as this version would choose them.")
@pass_globals
def conversations(given: Globals, wanted: str | None, *, client: str | None) -> int:
    """List conversations: each way from the start of a session to one of its tips.

    Of one SESSION, of one PROJECT, or of all projects; newest first.
    """
    listed = _listed(given, word(wanted) if wanted is not None else None, client)
    screen = output.screen(given.color)
    if given.json:
        output.emit_json(listed.rows, screen)
    elif listed.rows:
        output.page(_table(given, listed), screen)
    output.finish()
    trouble = tell_problems(listed.problems, rest=bool(listed.rows))
    if not listed.rows:
        output.say("No conversation here.")
    return code_of(len(listed.rows), trouble=trouble)


def _listed(given: Globals, wanted: str | None, client: str | None) -> ConversationList:
    """List those of a project, else of a session, whichever goes by that name."""
    if wanted is None:
        return _of_project(given, None, client)
    if wanted.endswith(".jsonl"):
        return _of_session(given, wanted, client)
    try:
        return _of_project(given, wanted, client)
    except ProjectNotFound as missing:
        if wanted.startswith("-"):
            raise
        try:
            return _of_session(given, wanted, client)
        except SessionNotFound as error:
            message = f"No project and no session is called {wanted}."
            nearest = [e.message.partition("Nearest: ")[2] for e in (error, missing)]
            hint = next((f" Nearest: {words}" for words in nearest if words), "")
            raise NotFound(message + hint) from error


def _of_session(given: Globals, wanted: str, client: str | None) -> ConversationList:
    session = asked_session(given, wanted, client)
    return ConversationList(list_conversations(session), [], prompts_of(session))


def _of_project(given: Globals, wanted: str | None, client: str | None) -> ConversationList:
    if client is not None:
        return conversations_seen_by(folders(given), wanted, version(client))
    with lists(given) as found:
        return found.conversations(wanted)


def _table(given: Globals, listed: ConversationList) -> list[str]:
    from bough.cli.tables import conversation_table  # noqa: PLC0415 - JSON needs none of it
    from bough.terminal.canvas import Sheet  # noqa: PLC0415
    from bough.terminal.style import styles_for  # noqa: PLC0415

    screen = output.screen(given.color)
    sheet = Sheet(clock.now(), styles_for(screen), screen.width, clock.time_words())
    return conversation_table(listed, sheet)
