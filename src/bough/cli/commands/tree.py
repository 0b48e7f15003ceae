"""`bough tree`: a session as a graph of its branches."""

from typing import TYPE_CHECKING

import click

from bough.cli import output
from bough.cli.arguments import asked_message, asked_session
from bough.cli.options import Globals, command, pass_globals
from bough.errors import ExitCode
from bough.query.json_documents import tree_document
from bough.terminal import clock

if TYPE_CHECKING:
    from bough.model.session import Session


@command("tree")
@click.argument("session")
@click.option("--around", metavar="UUID", help="Draw only what is near this message.")
@click.option("--reverse", is_flag=True, help="Draw the newest first.")
@click.option("--client", metavar="VERSION", help="The tip as this version would choose it.")
@pass_globals
def tree(
    given: Globals, session: str, *, around: str | None, reverse: bool, client: str | None
) -> int:
    """Draw SESSION as a graph: each prompt, where it parts, agents, compactions, forks.

    SESSION is a path, the beginning of an id, or latest.
    """
    asked = asked_session(given, session, client)
    near = asked_message(asked, around) if around is not None else None
    if given.json:
        output.emit_json(tree_document(asked), output.screen(given.color))
        return ExitCode.FINE
    if not asked.tips:
        output.say(f"Session {asked.id[:8]} holds no conversation.")
        return ExitCode.FAILED
    return _print_graph(given, asked, near, reverse=reverse)


def _print_graph(given: Globals, session: "Session", near: str | None, *, reverse: bool) -> int:
    # JSON needs none of it.
    from bough.terminal.canvas import Sheet  # noqa: PLC0415
    from bough.terminal.style import styles_for  # noqa: PLC0415
    from bough.terminal.tree.tree import tree_drawn  # noqa: PLC0415

    screen = output.screen(given.color)
    sheet = Sheet(clock.now(), styles_for(screen), screen.width, clock.time_words())
    drawn = tree_drawn(session, sheet, near=near, reverse=reverse)
    output.page(drawn.lines, screen, drawn.opening(screen.height))
    return ExitCode.FINE
