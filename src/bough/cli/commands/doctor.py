"""`bough doctor`: what is wrong with a session. It only reports."""

from typing import TYPE_CHECKING

import click

from bough.cli import output
from bough.cli.arguments import asked_session
from bough.cli.options import Globals, command, pass_globals
from bough.errors import ExitCode
from bough.query.json_documents import doctor_document

if TYPE_CHECKING:
    from bough.model.session import Session


@command("doctor")
@click.argument("session")
@pass_globals
def doctor(given: Globals, session: str) -> int:
    """Say what is wrong with SESSION, if anything. Nothing is changed.

    SESSION is a path, the beginning of an id, or latest.
    """
    asked = asked_session(given, session)
    screen = output.screen(given.color)
    if given.json:
        output.emit_json(doctor_document(asked), screen)
    else:
        output.page(_lines(given, asked), screen)
    return ExitCode.FINE


def _lines(given: Globals, session: "Session") -> list[str]:
    from bough.terminal.reports.health import doctor_lines  # noqa: PLC0415 - JSON needs none of it
    from bough.terminal.style import styles_for  # noqa: PLC0415

    screen = output.screen(given.color)
    return doctor_lines(session, styles_for(screen), screen.width)
