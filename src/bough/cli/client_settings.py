"""How every command that changes the client's settings does it: shown, asked, written, told."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from bough.cli.options import Globals
from bough.cli.travel import TravelOptions, carry_out_plan, report_outcome
from bough.cli.travel_documents import change_document

if TYPE_CHECKING:
    from collections.abc import Callable

    from bough.library import Plan

SCOPE: Final = click.option(
    "--scope",
    type=click.Choice(["user", "local"]),
    default="user",
    metavar="SCOPE",
    help="user: settings.json of the Claude folder; local: this project's settings.local.json.",
)


def find_local(scope: str) -> Path | None:
    """Name the project whose local settings are meant; None for those of the Claude folder."""
    return Path.cwd() if scope == "local" else None


def change_settings(
    given: Globals, how: TravelOptions, make: "Callable[[], Plan]", sentence: str
) -> int:
    """Carry out a plan for the client's settings, and say what holds from now on."""
    done = carry_out_plan(given, how, make, asks=True, document=change_document)
    report_outcome(done, sentence)
    return done.code
