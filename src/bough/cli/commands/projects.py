"""`bough projects`: projects, newest first, worktrees below their repository."""

from typing import TYPE_CHECKING, Final

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import choose_exit_code, report_problems
from bough.cli.data_source import open_lists
from bough.cli.list_options import (
    ListChoice,
    add_list_options,
    check_forms,
    emit_rows,
    report_page,
    write_formatted_rows,
)
from bough.cli.options import Globals, command, pass_globals
from bough.model.usage.costs import NO_USAGE
from bough.terminal import clock
from bough.terminal.style import glyphs_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bough.library import Catalog, Project, UsageTotal
    from bough.terminal.style import StyledLine


_FACTS: Final = ("id", "path", "name", "sessions", "last_active", "worktree_of")
_MARKS: Final = ("starred", "hidden")
_WHOSE: Final = ("machine", "owner")
"""Only of what is in a team's store."""
_COSTS: Final = ("cost_usd", "copied_cost_usd", "unpriced_models")


@command("projects")
@click.option("--visible", is_flag=True, help="Leave out projects that are hidden on Home.")
@add_list_options
@pass_globals
def projects(given: Globals, *, visible: bool, choice: ListChoice) -> int:
    """List projects, newest first, worktrees below their repository.

    Projects that are hidden on Home are listed too, unless --visible is given.
    """
    check_forms(given, choice, (*_FACTS, *_COSTS, *_MARKS, *_WHOSE))
    with open_lists(given) as found:
        annotations, unread = library.load_readable_annotations()
        listed = library.annotate_projects(found.projects(), annotations)
        shown = [one for one in listed if not (visible and one.hidden)]
        page = choice.cut_page(shown, ("projects", visible), lambda project: project.folder)
        if given.json or choice.template is not None:
            costs = found.all_costs("project", clock.now())
            rows = [_project_document(project, costs.get(project.id)) for project in page.rows]
            if given.json:
                emit_rows(page, choice, rows, given)
            else:
                write_formatted_rows(rows, choice)
        elif shown:
            screen = output.detect_screen(given.color)
            output.page_lines(_render_table(given, found, page.rows), screen)
    output.flush_output()
    if unread:
        output.say(unread)
    problems = [problem for project in listed for problem in project.problems]
    trouble = report_problems(problems, rest=bool(listed))
    report_page(page, "projects")
    if not listed:
        output.say("No projects yet: Claude Code has saved nothing here.")
    elif not shown:
        output.say("All projects are hidden on Home. bough projects lists them.")
    return choose_exit_code(len(listed), trouble=trouble)


def _project_document(project: "Project", used: "UsageTotal | None") -> dict[str, object]:
    """Give what a list of projects tells of one, in JSON."""
    found: dict[str, object] = {name: getattr(project, name) for name in _FACTS}
    spent = used or NO_USAGE
    whose = {name: getattr(project, name) for name in _WHOSE} if project.machine else {}
    return found | {
        "cost_usd": spent.usd,
        "copied_cost_usd": spent.copied.usd,
        "unpriced_models": spent.cost.unpriced_models,
        "starred": project.starred,
        "hidden": project.hidden,
        **whose,
    }


def _render_table(
    given: Globals, found: "Catalog", listed: "Sequence[Project]"
) -> "list[StyledLine]":
    from bough.cli.tables import render_projects  # noqa: PLC0415 - 55 ms; JSON needs none of it
    from bough.terminal.canvas import Canvas  # noqa: PLC0415 - 3 ms, as above

    screen = output.detect_screen(given.color)
    canvas = Canvas(clock.now(), glyphs_for(screen), screen.width, clock.read_time_words())
    return render_projects(listed, canvas, found.costs("project", canvas.now))
