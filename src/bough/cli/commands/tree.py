"""`bough tree`: a session as a graph of its branches."""

from typing import TYPE_CHECKING

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import find_message, load_newest
from bough.cli.options import Globals, command, pass_globals
from bough.errors import ExitCode
from bough.memory import pause_collector
from bough.terminal import clock
from bough.terminal.canvas import Canvas
from bough.terminal.style import glyphs_for

if TYPE_CHECKING:
    from bough.model.session import Session


@command("tree")
@click.argument("session")
@click.option("--around", metavar="UUID", help="Draw only what is near this message.")
@click.option("--reverse", is_flag=True, help="Draw the newest first.")
@click.option("--client", metavar="VERSION", help="The tip as this version would choose it.")
@click.option("--whole", is_flag=True, help="Draw every record, also of 50,000 branches and more.")
@pass_globals
def tree(
    given: Globals,
    session: str,
    *,
    around: str | None,
    reverse: bool,
    client: str | None,
    whole: bool,
) -> int:
    """Draw SESSION as a graph: each prompt, where it parts, agents, compactions, forks.

    SESSION is a path, the beginning of an id, or latest.
    """
    asked = load_newest(given, session, client, whole=whole or around is not None)
    near = find_message(asked, around) if around is not None else None
    if given.json:
        output.emit_json(library.tree_document(asked), output.detect_screen(given.color))
        return ExitCode.FINE
    if not asked.tips:
        output.say(f"Session {asked.id[:8]} holds no conversation.")
        return ExitCode.FAILED
    return _print_graph(given, asked, near, reverse=reverse)


def _print_graph(given: Globals, session: "Session", near: str | None, *, reverse: bool) -> int:
    # JSON needs none of it.
    from bough.terminal.tree.tree import draw_tree  # noqa: PLC0415 - 55 ms; JSON needs none of it

    screen = output.detect_screen(given.color)
    canvas = Canvas(clock.now(), glyphs_for(screen), screen.width, clock.read_time_words())
    with pause_collector():
        drawn = draw_tree(session, canvas, near=near, reverse=reverse)
    output.page_lines(drawn.lines, screen, drawn.choose_start(screen.height))
    return ExitCode.FINE
