"""`bough fork`: a new session that ends at an earlier point of another."""

from typing import TYPE_CHECKING

import click

from bough import library
from bough.cli.arguments import check_name, find_session_file
from bough.cli.claude_client import (
    print_resume_command,
    require_client,
    require_folder,
    start_client,
)
from bough.cli.options import Globals, command, pass_globals
from bough.cli.prompts import make_planner
from bough.cli.travel import TravelOptions, carry_out_plan, report_outcome, travel_options
from bough.cli.travel_documents import resume_document
from bough.errors import Misuse
from bough.library import shorten_id

if TYPE_CHECKING:
    from bough.library import Plan


@command("fork")
@click.argument("session")
@click.option(
    "--at",
    required=True,
    metavar="POINT",
    help="Where it ends: an id or its beginning, words of one turn, or -N for N turns back.",
)
@click.option("--title", metavar="TITLE", help="Its title in the client's list.")
@click.option("--cwd", metavar="DIR", help="The folder it will be resumed in, if another one.")
@click.option("--run", is_flag=True, help="Start the client on it.")
@travel_options(asks=False)
@pass_globals
def fork(  # noqa: PLR0913 - one for each option
    given: Globals,
    session: str,
    *,
    at: str,
    title: str | None,
    cwd: str | None,
    run: bool,
    how: TravelOptions,
) -> int:
    """Write a new session that is SESSION up to a point, and print how to resume it.

    SESSION is a path, the beginning of an id, or latest. No existing file is touched, so
    nothing is asked. What follows the point stays where it is.

    \b
    bough fork latest --at -2
    bough fork 3f9c --at "Write the plan first" --title "Plan, again"
    """  # noqa: D301 - click wants a real backspace
    if run and how.dry_run:
        raise Misuse("--run starts what was written, and a dry run writes nothing. Choose one.")
    if run:
        require_client("Nothing was written. Without --run the command is only printed.")
    path = find_session_file(given, session)
    where = check_name(cwd) if cwd is not None else None

    def plan(aim: "library.PointSpec") -> "Plan":
        made = library.fork(path, aim, title=title, cwd=where)
        return require_folder(made) if run else made

    make = make_planner(path, check_name(at), plan, lambda name: f"--at {name}")
    done = carry_out_plan(given, how, make, asks=False, document=resume_document)
    if done.applied is not None:
        report_outcome(
            done,
            f"Forked {shorten_id(done.plan.session)} to {shorten_id(done.plan.result or '')}.",
        )
        if run and done.plan.resume_command is not None:
            return start_client(done.plan.resume_command)
        if not given.json:
            print_resume_command(done.plan.resume_command)
    return done.code
