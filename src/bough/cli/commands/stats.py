"""`bough stats`: what tools, hooks, agents, models and people did."""

from typing import TYPE_CHECKING, Final

import click
import msgspec

from bough import library
from bough.cli import output
from bough.cli.arguments import check_name
from bough.cli.options import Globals, command, pass_globals
from bough.cli.progress import open_current_index, report_index_state
from bough.errors import ExitCode, Misuse
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
@click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values.")
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
    as_csv: bool,
) -> ExitCode:
    """Count what tools, hooks, agents, models and people did.

    REPORT is tools, hooks, errors, agents, models, compactions, files or activity; without
    one, an overview of all. What a resume or a fork copied is counted once.
    """
    if as_csv and given.json:
        raise Misuse("Give --json or --csv, not both.")
    if as_csv and report is None:
        raise Misuse(f"--csv wants a report: {', '.join(REPORTS)}.")
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
        elif as_csv:
            _write_csv(made, terminal)
        else:
            canvas = Canvas(moment, glyphs_for(terminal), terminal.width, read_time_words())
            _show_report(made, canvas, terminal)
        report_index_state(index)
    return ExitCode.FINE


def _write_csv(made: "StatsReport", terminal: Terminal) -> None:
    """Write the rows of a report; of the activity, its days."""
    from bough.terminal.result_rows import format_csv  # noqa: PLC0415 - only here

    listed = made.days if isinstance(made, library.ActivityReport) else getattr(made, "rows", [])
    rows = msgspec.convert(msgspec.to_builtins(listed), list[dict[str, object]])
    if not rows:
        output.say("Nothing of the kind happened there.")
        return
    values = [[_flatten_value(value) for value in row.values()] for row in rows]
    output.page_text(format_csv(tuple(rows[0]), values, clean_up=bool(terminal.height)), terminal)


def _flatten_value(value: object) -> object:
    """Write what a cell cannot hold as JSON."""
    return msgspec.json.encode(value).decode() if isinstance(value, list | dict) else value


def _show_report(made: "StatsReport", canvas: Canvas, terminal: Terminal) -> None:
    shown = show_report(made, canvas)
    output.page_lines(shown.lines, terminal)
    if not shown.lines:
        output.say("Nothing of the kind happened there.")
    for sentence in shown.talk:
        output.say(sentence)
