"""`bough doctor`: what is wrong with a session, or with the client's settings. It only reports."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import get_claude_folders, load_session
from bough.cli.options import Globals, command, pass_globals
from bough.errors import ExitCode
from bough.memory import pause_collector
from bough.model.health import PROBLEM

if TYPE_CHECKING:
    from bough.library import SettingsHealth
    from bough.model.session import Session
    from bough.terminal.style import StyledLine


@command("doctor")
@click.argument("session", required=False)
@pass_globals
def doctor(given: Globals, session: str | None) -> int:
    """Say what is wrong with SESSION, if anything. Nothing is changed.

    SESSION is a path, the beginning of an id, or latest. Without one, the client's settings are
    looked at: those with hooks that an older client does not know it throws away whole. The exit
    code is 1 where there is a problem; notes are not problems.
    """
    settings = library.check_settings(get_claude_folders(given), local=Path.cwd())
    if session is None:
        return _report_settings(given, settings)
    asked = load_session(given, session)
    screen = output.detect_screen(given.color)
    with pause_collector():
        if given.json:
            output.emit_json(library.doctor_document(asked), screen)
        else:
            output.page_lines(_render_lines(given, asked), screen)
    output.flush_output()
    for sentence in settings.warnings:
        output.say(sentence)
    wrong = any(finding.severity == PROBLEM for finding in asked.health.findings)
    return ExitCode.FAILED if wrong else ExitCode.FINE


def _report_settings(given: Globals, found: "SettingsHealth") -> int:
    if given.json:
        output.emit_json(found, output.detect_screen(given.color))
    else:
        lines = found.warnings or ("Nothing is wrong with the client's settings.",)
        output.write("".join(f"{line}\n" for line in lines))
    return ExitCode.FAILED if found.warnings else ExitCode.FINE


def _render_lines(given: Globals, session: "Session") -> "list[StyledLine]":
    from bough.terminal.reports.health import render_health  # noqa: PLC0415 - JSON needs none of it
    from bough.terminal.style import glyphs_for  # noqa: PLC0415

    screen = output.detect_screen(given.color)
    return render_health(session, glyphs_for(screen), screen.width)
