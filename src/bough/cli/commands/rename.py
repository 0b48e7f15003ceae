"""`bough rename`: a title that the client's own list shows."""

from typing import TYPE_CHECKING

import click

from bough.cli.arguments import find_session_file
from bough.cli.options import Globals, command, pass_globals
from bough.cli.travel import TravelOptions, carry_out_plan, report_outcome, travel_options
from bough.cli.travel_documents import change_document
from bough.library import rename as plan_rename
from bough.library import shorten_id

if TYPE_CHECKING:
    from bough.library import Plan


@command("rename")
@click.argument("session")
@click.argument("title", nargs=-1, required=True)
@travel_options(asks=True, forcible=True)
@pass_globals
def rename(given: Globals, session: str, title: tuple[str, ...], *, how: TravelOptions) -> int:
    """Give SESSION a TITLE that the client's own list shows.

    SESSION is a path, the beginning of an id, or latest. One line is added to its file.

    It shows what it will do and asks once. Without a terminal it needs --yes.
    """
    path = find_session_file(given, session)
    words = " ".join(title)

    def document(made: "Plan", number: int | None) -> dict[str, object]:
        named = made.expects[0].title if made.expects else words
        return {**change_document(made, number), "title": named}

    done = carry_out_plan(
        given,
        how,
        lambda: plan_rename(path, words, force=how.force),
        asks=True,
        document=document,
    )
    report_outcome(done, f"Renamed {shorten_id(done.plan.session)}.")
    return done.code
