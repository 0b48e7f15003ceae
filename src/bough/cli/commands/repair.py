"""`bough repair`: what `bough doctor` finds, mended; as a copy unless asked otherwise."""

from typing import TYPE_CHECKING

import click

from bough import library
from bough.cli.arguments import find_session_file
from bough.cli.claude_client import print_resume_command
from bough.cli.options import Globals, command, pass_globals
from bough.cli.travel import TravelOptions, carry_out_plan, report_outcome, travel_options
from bough.cli.travel_documents import resume_document
from bough.errors import Misuse
from bough.library import shorten_id

if TYPE_CHECKING:
    from bough.library import Plan, PreviewRow, Remedy


@command("repair")
@click.argument("session")
@click.option("--in-place", is_flag=True, help="Mend the file itself; what it held is kept.")
@click.option("--title", metavar="TITLE", help="The title of the copy in the client's list.")
@travel_options(asks=True, forcible=True)
@pass_globals
def repair(
    given: Globals, session: str, *, in_place: bool, title: str | None, how: TravelOptions
) -> int:
    """Write a repaired copy of SESSION, or mend its file with --in-place.

    SESSION is a path, the beginning of an id, or latest. bough doctor says what is wrong.

    A copy touches no existing file and never asks. In place it shows what it will do and
    asks once; without a terminal it needs --yes.
    """
    if in_place and title is not None:
        raise Misuse("--title names the copy, and --in-place makes none. bough rename does that.")
    path = find_session_file(given, session)
    found = library.remedies(path)

    def document(made: "Plan", number: int | None) -> dict[str, object]:
        left = library.list_unrepaired(found, made)
        stays = [{"where": one.where, "what": one.message, "why": one.why_not} for one in left]
        facts = {"operation": number, **resume_document(made)}
        return {**facts, "repairs": list(made.notes), "stays": stays}

    done = carry_out_plan(
        given,
        how,
        lambda: library.repair(path, in_place=in_place, title=title, force=how.force),
        document=document,
        more=lambda made: [_make_row(remedy) for remedy in library.list_unrepaired(found, made)],
    )
    if done.applied is not None:
        new = shorten_id(done.plan.result or "")
        report_outcome(done, f"Repaired {new}." if in_place else f"The repaired copy is {new}.")
        if not given.json:
            print_resume_command(done.plan.resume_command)
    return done.code


def _make_row(remedy: "Remedy") -> "PreviewRow":
    what = remedy.message.partition(". ")[0].partition(";")[0].rstrip(".")
    return library.PreviewRow("Stays", f"{what}: {remedy.why_not}")
