"""`bough docs`: the guide, as it was when this bough was made."""

import click

from bough import library
from bough.cli import output
from bough.cli.options import Globals, command, pass_globals
from bough.errors import ExitCode
from bough.terminal.text import clean


@command("docs")
@click.argument("page", metavar="[PAGE]", required=False)
@pass_globals
def docs(given: Globals, page: str | None) -> int:
    """Read PAGE of the guide, in the pager; without one, list the pages."""
    screen = output.detect_screen(given.color)
    if page is None:
        pages = library.list_guide_pages()
        if given.json:
            output.emit_json(pages, screen)
        else:
            widest = max(len(one.name) for one in pages)
            output.page_text((f"{one.name.ljust(widest)}  {one.title}" for one in pages), screen)
        return ExitCode.FINE
    found = library.read_guide_page(page)
    if given.json:
        output.emit_json(found, screen)
    else:
        output.page_text((clean(line) for line in found.text.rstrip("\n").split("\n")), screen)
    return ExitCode.FINE
