"""`bough diff`: two branches of a session side by side."""

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import check_name, load_session
from bough.cli.options import Globals, command, pass_globals
from bough.cli.travel import make_canvas
from bough.cli.travel_documents import comparison_document
from bough.errors import ExitCode


@command("diff")
@click.argument("session")
@click.argument("tip1", required=False)
@click.argument("tip2", default="active")
@click.option("--other", metavar="SESSION", help="TIP2 is a message of this session.")
@pass_globals
def diff(given: Globals, session: str, tip1: str | None, tip2: str, other: str | None) -> int:
    """Compare two branches of SESSION: where they part, and what each said, wrote and cost.

    SESSION is a path, the beginning of an id, or latest. TIP1 and TIP2 are messages by their
    ids, as bough tree and bough conversations show them, or active. A message of a branch that
    was left stands for all of it, one of the active branch for its turn. Without TIP2 the
    active branch is meant, and without TIP1 the one beside it, where there is one. Two sessions
    are compared with --other. Wide terminals show both side by side, others one after the other.
    """
    asked = load_session(given, session)
    second = load_session(given, other) if other is not None else None
    first = check_name(tip1) if tip1 is not None else None
    seen = library.compare(asked, first, check_name(tip2), other=second)
    screen = output.detect_screen(given.color)
    if given.json:
        output.emit_json(comparison_document(seen), screen)
        return ExitCode.FINE
    from bough.terminal.reports.branch_diff import render_comparison  # noqa: PLC0415 - 17 ms; JSON needs none of it

    output.page_lines(render_comparison(asked, seen, make_canvas(given)), screen)
    return ExitCode.FINE
