"""`bough stats`: what tools, hooks, agents, models and people did."""

from typing import TYPE_CHECKING, Final

import click
import msgspec

from bough import library
from bough.cli import output
from bough.cli.arguments import check_name
from bough.cli.list_options import ListChoice, report_page
from bough.cli.options import Globals, command, pass_globals
from bough.cli.progress import open_current_index, report_index_state
from bough.errors import ExitCode, Misuse
from bough.terminal.canvas import Canvas
from bough.terminal.capabilities import Terminal
from bough.terminal.clock import now, read_time_words
from bough.terminal.reports.stats_charts import show_report
from bough.terminal.style import glyphs_for

if TYPE_CHECKING:
    from bough.library import ListPage, StatsReport

REPORTS: Final = library.STATS_REPORTS


@command("stats")
@click.argument("report", required=False, type=click.Choice(REPORTS), metavar="[REPORT]")
@click.option("--project", metavar="PROJECT", help="Only this project.")
@click.option("--session", metavar="SESSION", help="Only this session and its agents.")
@click.option("--since", metavar="TIME", help="Only from this time on: 2026-11-01, yesterday, 7d.")
@click.option("--until", metavar="TIME", help="Only up to this time, that day included.")
@click.option(
    "--zone",
    "--timezone",
    "zone",
    metavar="ZONE",
    help="The time zone in which days begin, such as Europe/Prague.",
)
@click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values.")
@click.option("--limit", metavar="N", type=click.IntRange(min=1), help="Only the first N rows.")
@click.option(
    "--after-cursor", "cursor", metavar="CURSOR", help="Continue where the previous page ended."
)
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
    cursor: str | None,
    as_csv: bool,
) -> ExitCode:
    """Count what tools, hooks, agents, models and people did.

    REPORT is tools, hooks, errors, agents, models, compactions, files or activity; without
    one, an overview of all. What a resume or a fork copied is counted once.
    """
    if as_csv and given.json:
        raise Misuse("Give --json or --csv, not both.")
    if as_csv and report is None:
        raise Misuse(f"--csv needs a report: {', '.join(REPORTS)}.")
    if cursor is not None and report is None:
        raise Misuse(f"--after-cursor needs a report: {', '.join(REPORTS)}.")
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
            index=index,
            now=moment,
        )
        question = (report, project, session, since, until, zone)
        made, page = _cut_report(made, ListChoice(limit, cursor), question)
        if given.json:
            _write_json(made, page, terminal)
        elif as_csv:
            _write_csv(made, terminal)
        else:
            canvas = Canvas(moment, glyphs_for(terminal), terminal.width, read_time_words())
            _show_report(made, canvas, terminal)
        if page is not None:
            report_page(page)
        report_index_state(index)
    return ExitCode.FINE


def _cut_report(
    made: "StatsReport", choice: ListChoice, question: object
) -> "tuple[StatsReport, ListPage[object] | None]":
    """Leave the rows of the page that is wanted; an overview and the activity have none."""
    if not choice.is_paged or isinstance(made, library.StatsOverview | library.ActivityReport):
        return made, None
    page: ListPage[object] = choice.cut_page(
        list(made.rows), question, lambda row: msgspec.json.encode(row).decode()
    )
    return msgspec.structs.replace(made, rows=list(page.rows)), page


def _write_json(made: "StatsReport", page: "ListPage[object] | None", terminal: Terminal) -> None:
    """Write a report; a page of one with its total and its cursor."""
    if page is None:
        output.emit_json(made, terminal)
        return
    document = msgspec.convert(msgspec.to_builtins(made), dict[str, object])
    output.emit_json({**document, "total": page.total, "next": page.next}, terminal)


def _write_csv(made: "StatsReport", terminal: Terminal) -> None:
    """Write the rows of a report; of the activity, its days."""
    from bough.terminal.result_rows import format_csv  # noqa: PLC0415 - only here

    listed = made.days if isinstance(made, library.ActivityReport) else getattr(made, "rows", [])
    rows = msgspec.convert(msgspec.to_builtins(listed), list[dict[str, object]])
    if not rows:
        output.say("Nothing of that kind happened there.")
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
        output.say("Nothing of that kind happened there.")
    for sentence in shown.talk:
        output.say(sentence)
