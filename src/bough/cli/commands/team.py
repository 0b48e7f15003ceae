"""`bough team`: the tables of a team's store."""

from typing import TYPE_CHECKING

import click

from bough import library
from bough.cli import output
from bough.cli.options import SETTINGS, BoughCommand, BoughGroup, Globals, pass_globals
from bough.errors import ExitCode, Misuse

if TYPE_CHECKING:
    from bough.library import MigrationReport


@click.group("team", cls=BoughGroup, context_settings=SETTINGS)
def team() -> None:
    """Keep the histories of several machines in one PostgreSQL database.

    Name it with --store. bough docs team tells how it is set up and what is kept there.
    """


@team.command("init", cls=BoughCommand, context_settings=SETTINGS)
@pass_globals
def init(given: Globals) -> int:
    """Make the tables in a database that has none of bough's."""
    return _report(given, library.init_team(_require_store(given)))


@team.command("migrate", cls=BoughCommand, context_settings=SETTINGS)
@pass_globals
def migrate(given: Globals) -> int:
    """Bring the tables of an older bough up to date."""
    return _report(given, library.migrate_team(_require_store(given)))


def _require_store(given: Globals) -> str:
    if given.store is None:
        raise Misuse("Name the database: --store postgresql://NAME@HOST/DATABASE.")
    return given.store


def _report(given: Globals, made: "MigrationReport") -> int:
    if given.json:
        document = {"database": made.place, "before": made.before, "after": made.after}
        output.emit_json(document, output.detect_screen(given.color))
    elif made.before == made.after:
        output.say(f"The tables in {made.place} are up to date (schema {made.after}).")
    else:
        output.say(f"Made the tables in {made.place} (schema {made.after}).")
    return ExitCode.FINE
