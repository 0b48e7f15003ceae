"""Lists as commands open them: with a bar where reading takes long, and a word on what lacks.

What tables say of projects and costs.
"""

from contextlib import contextmanager
from typing import TYPE_CHECKING

from bough import library
from bough.cli import output
from bough.cli.arguments import check_name, get_claude_folders
from bough.cli.options import Globals
from bough.cli.progress import progress_bar
from bough.model.text.formats import format_cost_and_copies

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bough.library import Catalog, Project
    from bough.model.usage.costs import UsageTotal


@contextmanager
def open_lists(given: Globals) -> "Iterator[Catalog]":
    """Open what lists are made from."""
    dirs = get_claude_folders(given)
    index = check_name(given.index) if given.index is not None else None
    open_catalog = library.open_catalog  # loaded before the clock of the bar starts
    with progress_bar() as progress, open_catalog(dirs, index, progress=progress) as found:
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


def format_copied_note(amount: "UsageTotal | None") -> str:
    """Write what a session only has copies of, for the end of its row; the column has no room."""
    if amount is None or not amount.copied.picodollars:
        return ""  # nearly all sessions are nobody's copy
    copied = format_cost_and_copies("", amount.copied.usd)
    return f"({copied})" if copied else ""
