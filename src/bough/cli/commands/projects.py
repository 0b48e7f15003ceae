"""`bough projects`: projects, newest first, worktrees below their repository."""

from typing import TYPE_CHECKING

from bough.cli import output
from bough.cli.arguments import choose_exit_code, report_problems
from bough.cli.data_source import open_lists
from bough.cli.options import Globals, command, pass_globals
from bough.model.usage.costs import NO_USAGE
from bough.terminal import clock
from bough.terminal.style import glyphs_for

if TYPE_CHECKING:
    from bough.library import Catalog, Project, UsageTotal
    from bough.terminal.style import StyledLine


@command("projects")
@pass_globals
def projects(given: Globals) -> int:
    """List projects, newest first, worktrees below their repository."""
    with open_lists(given) as found:
        listed = found.projects()
        screen = output.detect_screen(given.color)
        if given.json:
            costs = found.all_costs("project", clock.now())
            documents = [_project_document(project, costs.get(project.id)) for project in listed]
            output.emit_json(documents, screen)
        elif listed:
            output.page_lines(_render_table(given, found, listed), screen)
    output.flush_output()
    problems = [problem for project in listed for problem in project.problems]
    trouble = report_problems(problems, rest=bool(listed))
    if not listed:
        output.say("No projects yet: Claude Code has saved nothing here.")
    return choose_exit_code(len(listed), trouble=trouble)


def _project_document(project: "Project", used: "UsageTotal | None") -> dict[str, object]:
    """Give what a list of projects tells of one, in JSON."""
    names = ("id", "path", "name", "sessions", "last_active", "worktree_of")
    found: dict[str, object] = {name: getattr(project, name) for name in names}
    spent = used or NO_USAGE
    return found | {
        "cost_usd": spent.usd,
        "copied_cost_usd": spent.copied.usd,
        "unpriced_models": spent.cost.unpriced_models,
    }


def _render_table(given: Globals, found: "Catalog", listed: "list[Project]") -> "list[StyledLine]":
    from bough.cli.tables import render_projects  # noqa: PLC0415 - 55 ms; JSON needs none of it
    from bough.terminal.canvas import Canvas  # noqa: PLC0415 - 3 ms, as above

    screen = output.detect_screen(given.color)
    canvas = Canvas(clock.now(), glyphs_for(screen), screen.width, clock.read_time_words())
    return render_projects(listed, canvas, found.costs("project", canvas.now))
