"""`bough goto`: let the next resume of a session continue at an earlier point of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from shlex import quote
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
def goto(given: Globals, session: str, *, at: str, how: TravelOptions) -> int:
    """Let the next resume of SESSION continue at a point of it.

    SESSION is a path, the beginning of an id, or latest. Two lines are added to its file;
    nothing that is there changes, and what follows the point stays as a branch. It is
    refused where clients are known not to follow; a fork works there.

    It shows what it will do and asks once. Without a terminal it needs --yes.
    """
    path = find_session_file(given, session)

    def plan(aim: "library.PointSpec") -> "Plan":
        return library.goto(path, aim, force=how.force)

    make = make_planner(path, check_name(at), plan, lambda name: f"--at {name}", yes=how.yes)
    with offer_fork(session, at):
        done = carry_out_plan(given, how, make, asks=True, document=resume_document)
    if done.applied is not None:
        report_outcome(done, f"{shorten_id(done.plan.session)} continues there from now on.")
        if not given.json:
            print_resume_command(done.plan.resume_command)
    return done.code


@contextmanager
def offer_fork(session: str, at: str) -> Iterator[None]:
    """Word the way that works as a command line where going in place is refused."""
    try:
        yield
    except (library.GotoUnsafe, library.SessionOpen) as error:
        reason = error.message.partition(_OFFER)[0]
        raise library.Refusal(
            f"{reason}{_OFFER} bough fork {quote(session)} --at {quote(at)}"
        ) from error
