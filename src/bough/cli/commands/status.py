"""`bough status`: the sessions that are going on, and where each stands."""

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import check_name, describe_forecast, get_claude_folders
from bough.cli.options import Globals, command, pass_globals
from bough.errors import ExitCode
from bough.terminal import clock
from bough.terminal.canvas import Canvas
from bough.terminal.reports.live_status import render_status_line, render_status_table
from bough.terminal.style import glyphs_for


@command("status")
@click.option("--since", metavar="TIME", default="12h", help="What counts as recent: 12h, today.")
@click.option("--line", "one_line", is_flag=True, help="One short line, for a status bar.")
@pass_globals
def status(given: Globals, *, since: str, one_line: bool) -> int:
    """List sessions with a client that runs, or with recent activity; the most urgent first.

    Each says whether Claude works, waits for you, has finished, failed or was interrupted.
    What is only told from the file, and not by the client, is called probable.
    """
    if one_line and given.json:
        raise click.UsageError("Give --line or --json, not both")
    now = clock.now()
    dirs = get_claude_folders(given)
    rows = library.status(dirs, since=check_name(since), quick=one_line, now=now)
    screen = output.detect_screen(given.color)
    if given.json:
        output.emit_json(rows, screen)
        return ExitCode.FINE
    glyphs = glyphs_for(screen)
    if one_line:
        output.write_lines([render_status_line(rows, now, glyphs)], screen)
    elif rows:
        canvas = Canvas(now, glyphs, screen.width, clock.read_time_words())
        output.page_lines(render_status_table(rows, canvas), screen)
    else:
        output.say("Nothing is running. Start claude anywhere and it appears here.")
    if not one_line and (share := library.day_budget(dirs, index=given.index)) is not None:
        output.flush_output()
        output.say(f"{share.words[:1].upper()}{share.words[1:]}.")
    if not one_line and (due := describe_forecast(library.forecast_deletions(dirs, given.index))):
        output.flush_output()
        output.say(due)
    return ExitCode.FINE
