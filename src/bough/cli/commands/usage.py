"""`bough usage`: tokens and money."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

import click
from msgspec.structs import replace

from bough import library
from bough.cli import output
from bough.cli.list_options import ListChoice, report_page
from bough.cli.options import Globals, command, pass_globals
from bough.config import load_settings
from bough.errors import ExitCode, Misuse
from bough.terminal.clock import now, read_time_words
from bough.terminal.style import glyphs_for

if TYPE_CHECKING:
    from bough.library import ListPage, UsageRow, UsageTable
    from bough.terminal.reports.usage_tables import UsageCanvas

_MOST_NOTES: Final = 10


@command("usage")
@click.argument("report", default="daily", type=click.Choice(library.REPORTS), metavar="[REPORT]")
@click.option("--since", metavar="TIME", help="Only from this time on: 2026-11-01, yesterday, 7d.")
@click.option("--until", metavar="TIME", help="Only up to this time, that day included.")
@click.option("--project", metavar="PROJECT", help="Only this project.")
@click.option("--session", metavar="SESSION", help="Only this session and its agents.")
@click.option("--by", type=click.Choice(library.BY), help="Break every row down.")
@click.option(
    "--zone",
    "--timezone",
    "zone",
    metavar="ZONE",
    help="The time zone in which days begin, such as Europe/Prague.",
)
@click.option(
    "--week-start", metavar="DAY", help="The day on which weeks begin; by default monday."
)
@click.option("--existing", is_flag=True, help="Leave out sessions that have been deleted since.")
@click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values.")
@click.option("--limit", metavar="N", type=click.IntRange(min=1), help="Only the first N rows.")
@click.option(
    "--after-cursor", "cursor", metavar="CURSOR", help="Continue where the previous page ended."
)
@click.option("--no-index", is_flag=True, help="Read the files; neither use nor make an index.")
@click.option("--explain", metavar="SESSION", help="Show where a session's numbers come from.")
@click.option(
    "--tip", metavar="UUID", help="With --explain: only the branch that goes through this message."
)
@pass_globals
def usage(  # noqa: PLR0913 - one for each option
    given: Globals,
    *,
    report: str,
    since: str | None,
    until: str | None,
    project: str | None,
    session: str | None,
    by: str | None,
    zone: str | None,
    week_start: str | None,
    existing: bool,
    no_index: bool,
    explain: str | None,
    tip: str | None,
    as_csv: bool,
    limit: int | None,
    cursor: str | None,
) -> ExitCode:
    """Count tokens and money, each API call once.

    REPORT is daily, weekly, monthly, session, project, model, agent, branch or blocks.
    Costs are computed from published prices and yours; see bough docs usage.
    """
    if as_csv and (given.json or explain is not None):
        raise Misuse("--csv goes with neither --json nor --explain.")
    if tip is not None and explain is None:
        raise Misuse("--tip goes with --explain.")
    moment = now()
    if explain is not None:
        return _show_explanation(given, explain, tip, moment, zone, no_index=no_index)
    answer = library.usage(
        report,
        by=by,
        since=since,
        until=until,
        zone=zone,
        week_start=week_start,
        project=project,
        session=session,
        existing=existing,
        no_index=no_index,
        claude_dir=given.claude_dirs,
        index=given.index,
        now=moment,
    )
    choice = ListChoice(limit, cursor)
    question = (report, by, since, until, project, session, zone, week_start, existing)
    page = choice.cut_page(answer.rows, question, lambda row: row.key)
    # The total stays that of all rows, as with the head of any table.
    answer = replace(answer, rows=page.rows)
    if given.json or as_csv:
        _show_answer(given, answer, page, choice, as_csv=as_csv)
    else:
        _show_table(given, answer, report, moment, zone, every_day=since is not None and not limit)
    report_page(page)
    return ExitCode.FINE


def _show_answer(
    given: Globals,
    answer: "UsageTable",
    page: "ListPage[UsageRow]",
    choice: ListChoice,
    *,
    as_csv: bool,
) -> None:
    """Show an answer to a program."""
    terminal = output.detect_screen(given.color)
    if as_csv:
        from bough.terminal.result_rows import format_csv  # noqa: PLC0415 - only here

        columns, rows = library.usage_records(answer)
        lines = format_csv(columns, rows, clean_up=bool(terminal.height))
        output.page_text(lines, terminal)
    else:
        document = library.usage_document(answer)
        if choice.is_paged:
            document |= {"total": page.total, "next": page.next}
        output.emit_json(document, terminal)
    output.flush_output()
    _say_notes(answer.notes)


def _show_table(
    given: Globals,
    answer: "UsageTable",
    report: str,
    moment: datetime,
    zone: str | None,
    *,
    every_day: bool,
) -> None:
    """Show an answer to a person."""
    terminal = output.detect_screen(given.color)
    from bough.terminal.reports.usage_tables import collect_notes, render_usage  # noqa: PLC0415 - costs time

    canvas = _make_canvas(given, moment, zone)
    every_day = every_day and report == "daily"
    output.page_lines(render_usage(answer, report, canvas, every_day=every_day), terminal)
    _say_notes([*collect_notes(answer), *([] if answer.rows else ["Nothing was used there."])])


def _show_explanation(
    given: Globals,
    wanted: str,
    tip: str | None,
    moment: datetime,
    zone: str | None,
    *,
    no_index: bool,
) -> ExitCode:
    explanation = library.explain_usage(
        wanted,
        tip=tip,
        no_index=no_index,
        claude_dir=given.claude_dirs,
        index=given.index,
        now=moment,
    )
    terminal = output.detect_screen(given.color)
    if given.json:
        output.emit_json(library.explanation_document(explanation), terminal)
    else:
        from bough.terminal.reports.usage_explained import render_explanation  # noqa: PLC0415 - only here

        page = _make_canvas(given, moment, zone)
        output.page_lines(render_explanation(explanation, page), terminal)
    _say_notes(explanation.notes)
    return ExitCode.FINE


def _make_canvas(given: Globals, moment: datetime, zone: str | None) -> "UsageCanvas":
    from bough.terminal.reports.usage_tables import UsageCanvas  # noqa: PLC0415 - costs time

    terminal = output.detect_screen(given.color)
    place = library.find_zone(zone or load_settings().zone)
    return UsageCanvas(moment, place, glyphs_for(terminal), terminal.width, read_time_words())


def _say_notes(sentences: Sequence[str]) -> None:
    for sentence in sentences[:_MOST_NOTES]:
        output.say(sentence)
    if len(sentences) > _MOST_NOTES:
        output.say(f"{len(sentences) - _MOST_NOTES:,} more things could not be read.")
