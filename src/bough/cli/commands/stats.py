"""`bough stats`: what tools, hooks, agents, models and people did."""

from typing import TYPE_CHECKING, Final

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import check_name
from bough.cli.options import Globals, command, pass_globals
from bough.cli.progress import open_current_index, report_index_state
from bough.errors import ExitCode
from bough.terminal.canvas import Canvas
from bough.terminal.capabilities import Terminal
from bough.terminal.clock import now, read_time_words
from bough.terminal.reports.stats_charts import show_report
from bough.terminal.style import glyphs_for

if TYPE_CHECKING:
    from bough.library import StatsReport

REPORTS: Final = library.STATS_REPORTS


@command("stats")
@click.argument("report", required=False, type=click.Choice(REPORTS), metavar="[REPORT]")
@click.option("--project", metavar="PROJECT", help="Only this project.")
@click.option("--session", metavar="SESSION", help="Only this session and its agents.")
@click.option("--since", metavar="TIME", help="Only from then on: 2026-11-01, yesterday, 7d.")
@click.option("--until", metavar="TIME", help="Only up to then, that day included.")
@click.option(
    "--zone", "--timezone", "zone", metavar="ZONE", help="Where days begin, as Europe/Prague."
)
@click.option("--limit", metavar="N", type=click.IntRange(min=1), help="Only the first N rows.")
@pass_globals
def stats(  # noqa: PLR0913 - one for each option
    given: Globals,
    *,
    report: str | None,
    project: str | None,
    session: str | None,
    since: str | None,
    until: str | None,
    zone: str | None,
    limit: int | None,
) -> ExitCode:
    """Count what tools, hooks, agents, models and people did.

    REPORT is tools, hooks, errors, agents, models, compactions, files or activity; without
    one, an overview of all. What a resume or a fork copied is counted once.
    """
    terminal = output.detect_screen(given.color)
    moment = now()
    with open_current_index(given) as index:
        made = library.stats(
            report,
            project=check_name(project) if project is not None else None,
            session=check_name(session) if session is not None else None,
            since=since,
            until=until,
            zone=zone,
            limit=limit,
            index=index,
            now=moment,
        )
        if given.json:
            output.emit_json(made, terminal)
        else:
            canvas = Canvas(moment, glyphs_for(terminal), terminal.width, read_time_words())
            _show_report(made, canvas, terminal)
        report_index_state(index)
    return ExitCode.FINE


def _show_report(made: "StatsReport", canvas: Canvas, terminal: Terminal) -> None:
    shown = show_report(made, canvas)
    output.page_lines(shown.lines, terminal)
    if not shown.lines:
        output.say("Nothing of the kind happened there.")
    for sentence in shown.talk:
        output.say(sentence)
