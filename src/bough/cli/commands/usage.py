"""`bough usage`: tokens and money."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import click

from bough.cli import output
from bough.cli.options import Globals, command, pass_globals
from bough.config import settings
from bough.errors import ExitCode
from bough.query.usage.report import BY, REPORTS, Question, document
from bough.query.usage.report import usage as ask
from bough.query.usage.sources import IndexSource, Source
from bough.query.usage.time_zones import zone_named
from bough.terminal.clock import now, time_words
from bough.terminal.style import styles_for

_SAID: Final = 10
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
    question = Question(
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
    with _source(given, no_index=no_index) as source:
        if explain is not None:
            return _explain(given, explain, source, zone)
        return _report(given, question, source)


def _report(given: Globals, question: Question, source: Source) -> ExitCode:
    chosen = settings()
    moment = now()
    answer = ask(question, source, now=moment, settings=chosen)
    terminal = output.screen(given.color)
    if given.json:
        output.emit_json(document(answer), terminal)
        _say(answer.notes)
        return ExitCode.FINE
    from bough.terminal.reports.usage_tables import Page, talk_of, usage_lines  # noqa: PLC0415 - costs time

    page = Page(
        moment,
        zone_named(question.zone or chosen.zone),
        styles_for(terminal),
        terminal.width,
        time_words(),
    )
    every_day = question.report == "daily" and question.since is not None
    output.page(usage_lines(answer, question.report, page, every_day=every_day), terminal)
    _say([*talk_of(answer), *([] if answer.rows else ["Nothing was spent there."])])
    return ExitCode.FINE


def _explain(given: Globals, wanted: str, source: Source, zone: str | None) -> ExitCode:
    from bough.query.usage.explain import explain, explained_document  # noqa: PLC0415
    from bough.terminal.reports.usage_explained import explained_lines  # noqa: PLC0415 - only here
    from bough.terminal.reports.usage_tables import Page  # noqa: PLC0415

    chosen = settings()
    moment = now()
    explanation = explain(wanted, source, now=moment, settings=chosen)
    terminal = output.screen(given.color)
    if given.json:
        output.emit_json(explained_document(explanation), terminal)
    else:
        styles, width = styles_for(terminal), terminal.width
        page = Page(moment, zone_named(zone or chosen.zone), styles, width, time_words())
        output.page(explained_lines(explanation, page), terminal)
    _say(explanation.notes)
    return ExitCode.FINE


@contextmanager
def _source(given: Globals, *, no_index: bool) -> Iterator[Source]:
    """Use the index where there is one, brought up to date; else read the files.

    An index that another bough is writing lacks something, and the files do not.
    """
    busy: str | None = None
    if not no_index:
        from bough.query.index.handle import index_exists, open_index  # noqa: PLC0415 - costs time

        if index_exists(given.claude_dirs, given.index):
            with open_index(given.claude_dirs, given.index) as handle:
                if handle.partial is None:
                    yield IndexSource(handle)
                    return
            busy = _BUSY
    from bough.query.usage.sources import FileSource  # noqa: PLC0415 - costs time

    source = FileSource(given.claude_dirs)
    source.notes = [*([busy] if busy else []), *source.notes]
    yield source


def _say(sentences: Sequence[str]) -> None:
    for sentence in sentences[:_SAID]:
        output.say(sentence)
    if len(sentences) > _SAID:
        output.say(f"{len(sentences) - _SAID:,} more things could not be read.")
