"""`bough move`: let the sessions of a project follow its folder."""

from typing import TYPE_CHECKING

import click

from bough import library
from bough.cli.arguments import check_name, get_claude_folders
from bough.cli.options import Globals, command, pass_globals
from bough.cli.travel import TravelOptions, carry_out_plan, report_outcome, travel_options
from bough.cli.travel_documents import change_document

if TYPE_CHECKING:
    from bough.library import Plan


@command("move")
@click.argument("project")
@click.argument("new_path", metavar="NEWPATH")
@travel_options(asks=True)
@pass_globals
def move(given: Globals, project: str, new_path: str, *, how: TravelOptions) -> int:
    """Let the sessions of PROJECT follow it to NEWPATH, after its folder was moved there.

    PROJECT is a path, a name, or a folder name such as -home-dev-orchard-shop. Only the
    folder below projects gets another name, the one the client looks for at NEWPATH. No file
    is changed and none is written over.

    It shows what it will do and asks once. Without a terminal it needs --yes.
    """
    dirs = get_claude_folders(given)
    found = library.find_project(check_name(project), library.project_listings(dirs))
    target = check_name(new_path)

    def document(made: "Plan", number: int | None) -> dict[str, object]:
        facts = change_document(made, number)
        return {
            "operation": number,
            "project": found.dir,
            "path": facts["path"],
            "cwd": made.cwd,
            "sessions": list(made.closed),
            "changes": facts["changes"],
        }

    done = carry_out_plan(
        given,
        how,
        lambda: library.move(found.folder, target, claude_dir=dirs),
        asks=True,
        document=document,
    )
    report_outcome(done, "Moved.")
    return done.code
