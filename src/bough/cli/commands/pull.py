"""`bough pull`: write a session of a team's database here, to continue it."""

from typing import Final

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import check_name, get_claude_folders
from bough.cli.options import Globals, command, pass_globals
from bough.cli.travel import TravelOptions, carry_out_plan, report_outcome, travel_options
from bough.cli.travel_documents import change_document

_SHORT: Final = 8


@command("pull")
@click.argument("session")
@click.option("--cwd", metavar="DIR", required=True, help="The folder to continue it in.")
@click.option("--to", metavar="DIR", help="Write it to this Claude folder.")
@travel_options(asks=False)
@pass_globals
def pull(given: Globals, session: str, *, cwd: str, to: str | None, how: TravelOptions) -> int:
    """Write SESSION of a team's database here, so that it can be continued in DIR.

    SESSION is an id or the beginning of one, of any machine; of several the newest counts. Its
    agents and tool results come with it. What was hidden when it was sent stays hidden, and
    thinking in which something was hidden is left out: a model refuses it. Nothing that is here
    is written over, and bough undo takes it back.

    The database is named by --store, $BOUGH_STORE or the setting team_store.
    """
    wanted, dirs = check_name(session), get_claude_folders(given)
    folder = check_name(to) if to is not None else None
    done = carry_out_plan(
        given,
        how,
        lambda: library.pull(
            wanted, check_name(cwd), store=given.store, to=folder, claude_dir=dirs
        ),
        asks=False,
        document=change_document,
    )
    report_outcome(done, "It is here.", claude_dir=folder)
    if done.applied is not None:
        output.say(f"Continue it: bough resume {done.plan.session[:_SHORT]}")
    return done.code
