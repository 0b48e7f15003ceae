"""`bough restore`: give a session the content it had before bough first changed it."""

import click

from bough import library
from bough.cli.arguments import check_name, get_claude_folders
from bough.cli.options import Globals, command, pass_globals
from bough.cli.travel import TravelOptions, carry_out_plan, report_outcome, travel_options
from bough.cli.travel_documents import change_document


@command("restore")
@click.argument("session")
@click.option("--to", metavar="DIR", help="Write the archived session to this Claude folder.")
@click.option("--cwd", metavar="DIR", help="Where the project of the archived session lies now.")
@click.option("--keep-times", is_flag=True, help="Give archived files the times that they had.")
@click.option(
    "--generation",
    type=click.IntRange(min=1),
    metavar="N",
    help="The archived session as it was before it was written anew; 1 is the first.",
)
@travel_options(asks=True, forcible=True)
@pass_globals
def restore(  # noqa: PLR0913 - one for each option
    given: Globals,
    session: str,
    *,
    to: str | None,
    cwd: str | None,
    keep_times: bool,
    generation: int | None,
    how: TravelOptions,
) -> int:
    """Give SESSION the content it had before bough first changed it.

    SESSION is a path, the beginning of an id, or latest. What clients wrote since stays. A
    session whose file is gone comes back from the archive (bough archive) with all that belongs
    to it: agents, tool results, file history, tasks, todo lists, plans and pasted texts. Where
    the archive has none, it comes back as bough last saw it, and one that bough never changed
    from the copy that another program left beside it (.jsonl.backup).

    With --to, --cwd, --keep-times or --generation it comes from the archive in any case. Files
    get the time of now, or the client would delete them again soon. Nothing that is there is
    written over.

    It shows what it will do and asks once. Without a terminal it needs --yes.
    """
    wanted, dirs = check_name(session), get_claude_folders(given)
    folder = check_name(to) if to is not None else None
    place = check_name(cwd) if cwd is not None else None
    done = carry_out_plan(
        given,
        how,
        lambda: library.restore(
            wanted,
            to=folder,
            cwd=place,
            keep_times=keep_times,
            generation=generation,
            claude_dir=dirs,
        ),
        asks=True,
        document=change_document,
    )
    report_outcome(done, "It is as it was.", claude_dir=folder)
    return done.code
