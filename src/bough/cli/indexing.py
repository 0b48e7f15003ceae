"""The index as a command opens it: brought up to date, with a bar where that takes long."""

from typing import TYPE_CHECKING

from bough.cli import output
from bough.cli.arguments import folders, tell_problems, word
from bough.cli.progress import progress_bar
from bough.query.index.index import open_index

if TYPE_CHECKING:
    from bough.cli.options import Globals
    from bough.query.index.index import IndexHandle


def opened(given: "Globals") -> "IndexHandle":
    """Open the index and read what is new; a person sees how far that is."""
    place = word(given.index) if given.index is not None else None
    with progress_bar() as progress:
        return open_index(folders(given), place, progress=progress)


def tell_state(index: "IndexHandle") -> None:
    """Say what could not be read, and why the index may lack something."""
    tell_problems(index.report.problems)
    if index.partial:
        output.say(index.partial)
