"""`bough usage`: tokens and money."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import click

from bough.cli import output
from bough.cli.options import Globals, command, pass_globals
from bough.config import load_settings
from bough.errors import ExitCode
from bough.query.usage.explain import explain, explanation_document
from bough.query.usage.report import BY, REPORTS, UsageQuestion, usage_document
from bough.query.usage.report import report_usage as ask
from bough.query.usage.sources import FileUsageSource, IndexUsageSource, UsageSource
from bough.query.usage.time_zones import find_zone
from bough.terminal.clock import now, read_time_words
from bough.terminal.reports.usage_explained import render_explanation
from bough.terminal.reports.usage_tables import UsageCanvas, collect_notes, render_usage
from bough.terminal.style import styles_for

_MOST_NOTES: Final = 10
_BUSY: Final = (
    "Another bough is writing the index. This was read from the files, so that what deleted "
    "sessions cost is not in it."
)


@command("usage")
@click.argument("report", default="daily", type=click.Choice(REPORTS), metavar="[REPORT]")
@click.option("--since", metavar="TIME", help="Only from then on: 2026-11-01, yesterday, 7d.")
@click.option("--until", metavar="TIME", help="Only up to then, that day included.")
@click.option("--project", metavar="PROJECT", help="Only this project.")
@click.option("--session", metavar="SESSION", help="Only this session and its agents.")
@click.option("--by", type=click.Choice(BY), help="Break every row down.")
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
    Costs are computed from published prices and yours; see docs/usage.md.
    """
    question = UsageQuestion(
        report=report,
        by=by,
        since=since,
        until=until,
        zone=zone,
        week_start=week_start,
        project=project,
        session=session,
        existing=existing,
    )
    with _open_source(given, no_index=no_index) as source:
        if explain is not None:
            return _show_explanation(given, explain, source, zone)
        return _show_report(given, question, source)


def _show_report(given: Globals, question: UsageQuestion, source: UsageSource) -> ExitCode:
    chosen = load_settings()
    moment = now()
    answer = ask(question, source, now=moment, settings=chosen)
    terminal = output.detect_screen(given.color)
    if given.json:
        output.emit_json(usage_document(answer), terminal)
        _say_notes(answer.notes)
        return ExitCode.FINE
    page = UsageCanvas(
        moment,
        find_zone(question.zone or chosen.zone),
        styles_for(terminal),
        terminal.width,
        read_time_words(),
    )
    every_day = question.report == "daily" and question.since is not None
    output.page_lines(render_usage(answer, question.report, page, every_day=every_day), terminal)
    _say_notes([*collect_notes(answer), *([] if answer.rows else ["Nothing was spent there."])])
    return ExitCode.FINE


def _show_explanation(
    given: Globals, wanted: str, source: UsageSource, zone: str | None
) -> ExitCode:
    chosen = load_settings()
    moment = now()
    explanation = explain(wanted, source, now=moment, settings=chosen)
    terminal = output.detect_screen(given.color)
    if given.json:
        output.emit_json(explanation_document(explanation), terminal)
    else:
        styles, width = styles_for(terminal), terminal.width
        page = UsageCanvas(moment, find_zone(zone or chosen.zone), styles, width, read_time_words())
        output.page_lines(render_explanation(explanation, page), terminal)
    _say_notes(explanation.notes)
    return ExitCode.FINE


@contextmanager
def _open_source(given: Globals, *, no_index: bool) -> Iterator[UsageSource]:
    """Use the index where there is one, brought up to date; else read the files.

    An index that another bough is writing lacks something, and the files do not.
    """
    busy: str | None = None
    if not no_index:
        from bough.query.index.handle import index_exists, open_index  # noqa: PLC0415 - 13 ms; files need none of it

        if index_exists(given.claude_dirs, given.index):
            with open_index(given.claude_dirs, given.index) as handle:
                if handle.partial is None:
                    yield IndexUsageSource(handle)
                    return
            busy = _BUSY
    source = FileUsageSource(given.claude_dirs)
    source.notes = [*([busy] if busy else []), *source.notes]
    yield source


def _say_notes(sentences: Sequence[str]) -> None:
    for sentence in sentences[:_MOST_NOTES]:
        output.say(sentence)
    if len(sentences) > _MOST_NOTES:
        output.say(f"{len(sentences) - _MOST_NOTES:,} more things could not be read.")
