"""`bough undo`: take back what bough did to a session."""

import click

from bough import library
from bough.cli.arguments import get_claude_folders
from bough.cli.options import Globals, command, pass_globals
from bough.cli.travel import TravelOptions, carry_out_plan, report_outcome, travel_options
from bough.cli.travel_documents import change_document


@command("undo")
@click.argument("number", metavar="[N]", type=click.IntRange(1), required=False)
@travel_options(asks=True, forcible=True)
@pass_globals
def undo(given: Globals, number: int | None, *, how: TravelOptions) -> int:
    """Take back the last operation, or operation N of bough history.

    Only what was done in the Claude folder that is read: the usual one, or --claude-dir.
    What was written since by anyone stays. Where that leans on what would go, it is refused.
    An undo is an operation itself and can be undone.

    It shows what it will do and asks once. Without a terminal it needs --yes.
    """
    done = carry_out_plan(
        given,
        how,
        lambda: library.undo(number, claude_dir=get_claude_folders(given)),
        asks=True,
        document=change_document,
    )
    numbers = ", ".join(map(str, done.plan.undoes))
    report_outcome(done, f"Operation {numbers} was undone.", again=True)
    return done.code
