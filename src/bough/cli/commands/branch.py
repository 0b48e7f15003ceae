"""`bough branch`: go on from a message, by the way that is safe."""

from typing import TYPE_CHECKING

import click

from bough.cli.arguments import session_file, word
from bough.cli.claude_client import tell_resume
from bough.cli.options import Globals, command, pass_globals
from bough.cli.prompts import aiming
from bough.cli.travel import How, carry_out, told, travel_options
from bough.cli.travel_documents import resumed
from bough.timetravel import operations as travel
from bough.timetravel.errors import short

if TYPE_CHECKING:
    from bough.timetravel.plan import Plan


@command("branch")
@click.argument("session")
@click.argument("point", metavar="UUID")
@travel_options(asks=True)
@pass_globals
def branch(given: Globals, session: str, point: str, *, how: How) -> int:
    """Make SESSION continue at UUID, or fork it there where that is not safe.

    SESSION is a path, the beginning of an id, or latest. UUID is a message, by its id, its
    beginning or words of its turn.

    Going in place shows what it will do and asks once; without a terminal it needs --yes. A
    fork touches no existing file and never asks.
    """
    path = session_file(given, session)

    def plan(aim: travel.Aim) -> "Plan":
        return travel.branch(path, aim)

    def document(made: "Plan", number: int | None) -> dict[str, object]:
        return {"way": made.operation, **resumed(made, number)}

    make = aiming(
        path, word(point), plan, lambda name: f"bough branch {session} {name}", yes=how.yes
    )
    done = carry_out(given, how, make, document=document)
    if done.applied is not None:
        told(done, _what(done.plan))
        if not given.json:
            tell_resume(done.plan)
    return done.code


def _what(plan: "Plan") -> str:
    if plan.operation == "goto":
        return f"{short(plan.session)} continues there from now on."
    new = short(plan.result or "")
    return f"In place is not safe here, so {short(plan.session)} was forked to {new}."
