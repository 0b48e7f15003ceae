"""`bough usage`: tokens and money."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

import click

from bough import library
from bough.cli import output
from bough.cli.options import Globals, command, pass_globals
from bough.config import load_settings
from bough.errors import ExitCode
from bough.terminal.clock import now, read_time_words
from bough.terminal.style import glyphs_for

if TYPE_CHECKING:
    from bough.terminal.reports.usage_tables import UsageCanvas

_MOST_NOTES: Final = 10


@command("usage")
@click.argument("report", default="daily", type=click.Choice(library.REPORTS), metavar="[REPORT]")
@click.option("--since", metavar="TIME", help="Only from then on: 2026-11-01, yesterday, 7d.")
@click.option("--until", metavar="TIME", help="Only up to then, that day included.")
@click.option("--project", metavar="PROJECT", help="Only this project.")
@click.option("--session", metavar="SESSION", help="Only this session and its agents.")
@click.option("--by", type=click.Choice(library.BY), help="Break every row down.")
@click.option(
    "--zone", "--timezone", "zone", metavar="ZONE", help="Where days begin, as Europe/Prague."
)
@click.option("--week-start", metavar="DAY", help="The day weeks begin on. Else monday.")
@click.option("--existing", is_flag=True, help="Leave out sessions that are deleted since.")
@click.option("--no-index", is_flag=True, help="Read the files; neither use nor make an index.")
@click.option("--explain", metavar="SESSION", help="Show where a session's numbers come from.")
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
) -> ExitCode:
    """Count tokens and money, each API call once.

    REPORT is daily, weekly, monthly, session, project, model, agent, branch or blocks.
    Costs are computed from published prices and yours; see bough docs usage.
    """
    moment = now()
    if explain is not None:
        return _show_explanation(given, explain, moment, zone, no_index=no_index)
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
    terminal = output.detect_screen(given.color)
    if given.json:
        output.emit_json(library.usage_document(answer), terminal)
        _say_notes(answer.notes)
        return ExitCode.FINE
    from bough.terminal.reports.usage_tables import collect_notes, render_usage  # noqa: PLC0415 - costs time

    every_day = report == "daily" and since is not None
    page = _make_canvas(given, moment, zone)
    output.page_lines(render_usage(answer, report, page, every_day=every_day), terminal)
    _say_notes([*collect_notes(answer), *([] if answer.rows else ["Nothing was spent there."])])
    return ExitCode.FINE


def _show_explanation(
    given: Globals, wanted: str, moment: datetime, zone: str | None, *, no_index: bool
) -> ExitCode:
    explanation = library.explain_usage(
        wanted, no_index=no_index, claude_dir=given.claude_dirs, index=given.index, now=moment
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
