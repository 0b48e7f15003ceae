"""`bough doctor`: what is wrong with a session. It only reports."""

from typing import TYPE_CHECKING

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import load_session
from bough.cli.options import Globals, command, pass_globals
from bough.errors import ExitCode
from bough.model.health import PROBLEM

if TYPE_CHECKING:
    from bough.model.session import Session
    from bough.terminal.style import StyledLine


@command("doctor")
@click.argument("session")
@pass_globals
def doctor(given: Globals, session: str) -> int:
    """Say what is wrong with SESSION, if anything. Nothing is changed.

    SESSION is a path, the beginning of an id, or latest. The exit code is 1 where there is a
    problem; notes are none.
    """
    asked = load_session(given, session)
    screen = output.detect_screen(given.color)
    if given.json:
        output.emit_json(library.doctor_document(asked), screen)
    else:
        output.page_lines(_render_lines(given, asked), screen)
    wrong = any(finding.severity == PROBLEM for finding in asked.health.findings)
    return ExitCode.FAILED if wrong else ExitCode.FINE


def _render_lines(given: Globals, session: "Session") -> "list[StyledLine]":
    from bough.terminal.reports.health import render_health  # noqa: PLC0415 - JSON needs none of it
    from bough.terminal.style import glyphs_for  # noqa: PLC0415

    screen = output.detect_screen(given.color)
    return render_health(session, glyphs_for(screen), screen.width)
