"""`bough projects`: projects, newest first, worktrees below their repository."""

from typing import TYPE_CHECKING

from bough.cli import output
from bough.cli.arguments import code_of, tell_problems
from bough.cli.data_source import lists
from bough.cli.options import Globals, command, pass_globals
from bough.terminal import clock

if TYPE_CHECKING:
    from bough.cli.data_source import Lists
    from bough.query.lists.list_rows import Project


@command("projects")
@pass_globals
def projects(given: Globals) -> int:
    """List projects, newest first, worktrees below their repository."""
    with lists(given) as found:
        listed = found.projects()
        screen = output.screen(given.color)
        if given.json:
            output.emit_json([_document(project) for project in listed], screen)
        elif listed:
            output.page(_table(given, found, listed), screen)
    output.finish()
    problems = [problem for project in listed for problem in project.problems]
    trouble = tell_problems(problems, rest=bool(listed))
    if not listed:
        output.say("No projects yet: Claude Code has saved nothing here.")
    return code_of(len(listed), trouble=trouble)


def _document(project: "Project") -> dict[str, object]:
    """Give what a list of projects tells of one, in JSON."""
    names = ("id", "path", "name", "sessions", "last_active", "worktree_of")
    return {name: getattr(project, name) for name in names}


def _table(given: Globals, found: "Lists", listed: "list[Project]") -> list[str]:
    from bough.cli.tables import project_table  # noqa: PLC0415 - JSON needs none of it
    from bough.terminal.canvas import Sheet  # noqa: PLC0415
    from bough.terminal.style import styles_for  # noqa: PLC0415

    screen = output.screen(given.color)
    sheet = Sheet(clock.now(), styles_for(screen), screen.width, clock.time_words())
    return project_table(listed, sheet, found.costs("project", sheet.now))
