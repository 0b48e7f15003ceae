"""`bough sessions`: sessions, newest first."""

from typing import TYPE_CHECKING

import click

from bough.cli import output
from bough.cli.arguments import code_of, tell_problems, word
from bough.cli.data_source import labels, lists
from bough.cli.options import Globals, command, pass_globals
from bough.terminal import clock

if TYPE_CHECKING:
    from bough.cli.data_source import Lists
    from bough.query.lists.list_rows import SessionList


@command("sessions")
@click.argument("project", required=False)
@click.option("--all", "everything", is_flag=True, help="Also those without any conversation.")
@pass_globals
def sessions(given: Globals, project: str | None, *, everything: bool) -> int:
    """List sessions, newest first, of PROJECT or of all projects.

    PROJECT is a path, a name, or a folder name such as -home-dev-orchard-shop.
    """
    wanted = word(project) if project is not None else None
    with lists(given) as found:
        listed = found.sessions(wanted, everything=everything)
        screen = output.screen(given.color)
        if given.json:
            output.emit_json(listed.rows, screen)
        elif listed.rows:
            output.page(_table(given, found, listed, wanted), screen)
    output.finish()
    trouble = tell_problems(listed.problems, rest=bool(listed.rows))
    if not listed.rows:
        hint = "" if everything else " bough sessions --all lists also those without one."
        output.say(f"No session with a conversation here.{hint}")
    return code_of(len(listed.rows), trouble=trouble)


def _table(given: Globals, found: "Lists", listed: "SessionList", project: str | None) -> list[str]:
    from bough.cli.tables import session_table  # noqa: PLC0415 - JSON needs none of it
    from bough.terminal.canvas import Sheet  # noqa: PLC0415
    from bough.terminal.style import styles_for  # noqa: PLC0415

    screen = output.screen(given.color)
    sheet = Sheet(clock.now(), styles_for(screen), screen.width, clock.time_words())
    costs = found.costs("session", sheet.now)
    names = {} if project is not None else labels(found.projects())
    return session_table(listed, sheet, costs, names)
