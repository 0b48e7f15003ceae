"""`bough restore`: give a session the content it had before bough first changed it."""

from pathlib import Path

import click

from bough.cli.arguments import check_name, find_session_file
from bough.cli.options import Globals, command, pass_globals
from bough.cli.travel import TravelOptions, carry_out_plan, report_outcome, travel_options
from bough.cli.travel_documents import change_document
from bough.errors import AmbiguousSession, SessionNotFound
from bough.timetravel import operations as travel


@command("restore")
@click.argument("session")
@travel_options(asks=True, forcible=True)
@pass_globals
def restore(given: Globals, session: str, *, how: TravelOptions) -> int:
    """Give SESSION the content it had before bough first changed it.

    SESSION is a path, the beginning of an id, or latest. What clients wrote since stays. A
    session whose file is gone comes back as bough last saw it.

    It shows what it will do and asks once. Without a terminal it needs --yes.
    """
    path = _find_file(given, session)
    done = carry_out_plan(
        given, how, lambda: travel.restore(path), asks=True, document=change_document
    )
    report_outcome(done, "It is as it was.")
    return done.code


def _find_file(given: Globals, wanted: str) -> Path:
    """Find a session's file, also one that is gone, by what bough did to it."""
    try:
        return find_session_file(given, wanted)
    except SessionNotFound:
        known = {
            Path(deed.path)
            for operation in travel.list_operations()
            for deed in operation.deeds
            if deed.before is not None and deed.path.endswith(".jsonl")
        }
        found = [path for path in known if path.stem.startswith(check_name(wanted).casefold())]
        if len(found) > 1:
            raise AmbiguousSession(wanted, [path.stem for path in found]) from None
        if not found:
            raise
        return found[0]
