"""`bough restore`: give a session the content it had before bough first changed it."""

import click

from bough import library
from bough.cli.arguments import check_name, get_claude_folders
from bough.cli.options import Globals, command, pass_globals
from bough.cli.travel import TravelOptions, carry_out_plan, report_outcome, travel_options
from bough.cli.travel_documents import change_document


@command("restore")
@click.argument("session")
@travel_options(asks=True, forcible=True)
@pass_globals
def restore(given: Globals, session: str, *, how: TravelOptions) -> int:
    """Give SESSION the content it had before bough first changed it.

    SESSION is a path, the beginning of an id, or latest. What clients wrote since stays. A
    session whose file is gone comes back from the archive (bough archive) with its agents and
    tool results; where that has none, as bough last saw it, and one that bough never changed
    from the copy that another program left beside it (.jsonl.backup).

    It shows what it will do and asks once. Without a terminal it needs --yes.
    """
    wanted, dirs = check_name(session), get_claude_folders(given)
    done = carry_out_plan(
        given,
        how,
        lambda: library.restore(wanted, claude_dir=dirs),
        asks=True,
        document=change_document,
    )
    report_outcome(done, "It is as it was.")
    return done.code
