"""What lists show beside their rows, and where they come from, as the command line asks for it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bough.cli import output
from bough.cli.arguments import check_name, get_claude_folders
from bough.cli.options import Globals
from bough.cli.progress import progress_bar
from bough.model.text.formats import format_cost
from bough.query.lists.catalog import Catalog, open_catalog

if TYPE_CHECKING:
    from bough.model.usage.amounts import UsageTotal
    from bough.query.lists.list_rows import Project


@contextmanager
def open_lists(given: Globals) -> Iterator[Catalog]:
    """Open what lists are made from, the index brought up to date."""
    index = check_name(given.index) if given.index is not None else None
    with (
        progress_bar() as progress,
        open_catalog(get_claude_folders(given), index, progress=progress) as found,
    ):
        if found.partial:
            output.say(found.partial)
        yield found


def label_projects(found: "list[Project]") -> dict[str, str]:
    """Name projects, by folder, as people do: a worktree behind its repository."""
    from bough.model.text.formats import base_name_of  # noqa: PLC0415 - tables alone need it

    return {
        project.id: f"{base_name_of(project.worktree_of)}/{project.name}"
        if project.worktree_of
        else project.name
        for project in found
    }


def format_cost_cell(amount: "UsageTotal | None") -> str:
    """Write a cost for a table."""
    if amount is None or not amount.tokens:
        return format_cost(0, in_table=True)
    usd = amount.cost_usd if amount.cost or not amount.partly_unknown else None
    return format_cost(usd, partly_unknown=amount.partly_unknown, in_table=True)
