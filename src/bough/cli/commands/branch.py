"""`bough branch`: go on from a message, by the way that is safe."""

from typing import TYPE_CHECKING

import click

from bough import library
from bough.cli.arguments import check_name, find_session_file
from bough.cli.claude_client import print_resume_command
from bough.cli.options import Globals, command, pass_globals
from bough.cli.prompts import make_planner
from bough.cli.travel import TravelOptions, carry_out_plan, report_outcome, travel_options
from bough.cli.travel_documents import resume_document
from bough.library import shorten_id

if TYPE_CHECKING:
    from bough.library import Plan


@command("branch")
@click.argument("session")
@click.argument("point", metavar="UUID")
@travel_options(asks=True)
@pass_globals
def branch(given: Globals, session: str, point: str, *, how: TravelOptions) -> int:
    """Make SESSION continue at UUID, or fork it there where that is not safe.

    SESSION is a path, the beginning of an id, or latest. UUID is a message, by its id, its
    beginning or words of its turn.

    Going in place shows what it will do and asks once; without a terminal it needs --yes. A
    fork touches no existing file and never asks.
    """
    path = find_session_file(given, session)

    def plan(aim: "library.PointSpec") -> "Plan":
        return library.branch(path, aim)

    def document(made: "Plan", number: int | None) -> dict[str, object]:
        return {"way": made.operation, **resume_document(made, number)}

    make = make_planner(
        path, check_name(point), plan, lambda name: f"bough branch {session} {name}", yes=how.yes
    )
    done = carry_out_plan(given, how, make, document=document)
    if done.applied is not None:
        report_outcome(done, _describe_outcome(done.plan))
        if not given.json:
            print_resume_command(done.plan.resume_command)
    return done.code


def _describe_outcome(plan: "Plan") -> str:
    if plan.operation == "goto":
        return f"{shorten_id(plan.session)} continues there from now on."
    new = shorten_id(plan.result or "")
    return f"In place is not safe here, so {shorten_id(plan.session)} was forked to {new}."
