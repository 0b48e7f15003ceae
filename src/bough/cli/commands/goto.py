"""`bough goto`: let the next resume of a session continue at an earlier point of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from shlex import quote
from typing import TYPE_CHECKING

import click

from bough.cli.arguments import session_file, word
from bough.cli.claude_client import tell_resume
from bough.cli.options import Globals, command, pass_globals
from bough.cli.prompts import aiming
from bough.cli.travel import How, carry_out, told, travel_options
from bough.cli.travel_documents import resumed
from bough.timetravel import operations as travel
from bough.timetravel.errors import GotoUnsafe, Refused, SessionOpen, short

if TYPE_CHECKING:
    from bough.timetravel.plan import Plan

_OFFER = " Fork instead:"


@command("goto")
@click.argument("session")
@click.option(
    "--at",
    required=True,
    metavar="POINT",
    help="Where: an id or its beginning, words of one turn, or -N for N turns back.",
)
@travel_options(asks=True, forcible=True)
@pass_globals
def goto(given: Globals, session: str, *, at: str, how: How) -> int:
    """Let the next resume of SESSION continue at a point of it.

    SESSION is a path, the beginning of an id, or latest. Two lines are added to its file;
    nothing that is there changes, and what follows the point stays as a branch. It is
    refused where clients are known not to follow; a fork works there.

    It shows what it will do and asks once. Without a terminal it needs --yes.
    """
    path = session_file(given, session)

    def plan(aim: travel.Aim) -> "Plan":
        return travel.goto(path, aim, force=how.force)

    make = aiming(path, word(at), plan, lambda name: f"--at {name}", yes=how.yes)
    with fork_offered(session, at):
        done = carry_out(given, how, make, asks=True, document=resumed)
    if done.applied is not None:
        told(done, f"{short(done.plan.session)} continues there from now on.")
        if not given.json:
            tell_resume(done.plan)
    return done.code


@contextmanager
def fork_offered(session: str, at: str) -> Iterator[None]:
    """Word the way that works as a command line where going in place is refused."""
    try:
        yield
    except (GotoUnsafe, SessionOpen) as error:
        reason = error.message.partition(_OFFER)[0]
        raise Refused(f"{reason}{_OFFER} bough fork {quote(session)} --at {quote(at)}") from error
