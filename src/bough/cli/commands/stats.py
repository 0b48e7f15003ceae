"""`bough stats`: what tools, hooks, agents, models and people did."""

from collections.abc import Callable
from datetime import datetime, tzinfo
from typing import Final

import click
from msgspec.structs import replace

from bough.cli import output
from bough.cli.arguments import check_name
from bough.cli.options import Globals, command, pass_globals
from bough.cli.progress import open_current_index, report_index_state
from bough.config import load_settings
from bough.errors import ExitCode
from bough.memory import pause_collector
from bough.query.index.handle import IndexHandle
from bough.query.lookup import find_stats_scope
from bough.query.stats.activity import activity_report
from bough.query.stats.agents import agent_report
from bough.query.stats.api_errors import error_report
from bough.query.stats.compactions import compaction_report
from bough.query.stats.files import file_report
from bough.query.stats.hooks import hook_report
from bough.query.stats.models import model_report
from bough.query.stats.overview import build_stats_overview
from bough.query.stats.tools import tool_report
from bough.query.usage.calendar import Calendar, parse_date_range
from bough.query.usage.time_zones import find_zone
from bough.store.stats_protocol import StatsScope, StatsSource
from bough.terminal.canvas import Canvas
from bough.terminal.capabilities import Terminal
from bough.terminal.clock import now, read_time_words
from bough.terminal.reports.stats_charts import show_activity, show_errors, show_overview
from bough.terminal.reports.stats_tables import (
    RenderedReport,
    show_agents,
    show_compactions,
    show_files,
    show_hooks,
    show_models,
    show_tools,
)
from bough.terminal.style import styles_for

REPORTS: Final = (
    *("tools", "hooks", "errors", "agents"),
    *("models", "compactions", "files", "activity"),
)


class _ReportRequest:
    """What was asked, with everything a report needs to be made and shown."""

    def __init__(
        self, behaviour: StatsSource, scope: StatsScope, zone: tzinfo, sheet: Canvas
    ) -> None:
        self.behaviour = behaviour
        self.scope = scope
        self.zone = zone
        self.sheet = sheet
        self.limit: int | None = None
        self.zone_name = "local"


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
    moment, zone_name = now(), zone or load_settings().zone or "local"
    place = find_zone(zone_name)
    wanted = parse_date_range(since, until, moment, place)
    with open_current_index(given) as index:
        scope = find_stats_scope(
            index,
            project=check_name(project) if project is not None else None,
            session=check_name(session) if session is not None else None,
            stretch=wanted,
        )
        asked = _ReportRequest(
            index.store.behaviour(), scope, place, _make_canvas(moment, terminal)
        )
        asked.limit, asked.zone_name = limit, zone_name
        return _show_report(asked, report, index, terminal, as_json=given.json)


def _show_report(
    asked: _ReportRequest,
    report: str | None,
    index: IndexHandle,
    terminal: Terminal,
    *,
    as_json: bool,
) -> ExitCode:
    with pause_collector():
        document, show = _MAKERS[report](asked)
    if as_json:
        output.emit_json(document, terminal)
        report_index_state(index)
        return ExitCode.FINE
    shown = show()
    output.page_lines(shown.lines, terminal)
    if not shown.lines:
        output.say("Nothing of the kind happened there.")
    for sentence in shown.talk:
        output.say(sentence)
    report_index_state(index)
    return ExitCode.FINE


PreparedReport = tuple[object, Callable[[], RenderedReport]]


def _make_overview(asked: _ReportRequest) -> PreparedReport:
    made = build_stats_overview(asked.behaviour, asked.scope, asked.zone)
    return made, lambda: show_overview(made, asked.sheet)


def _make_tools(asked: _ReportRequest) -> PreparedReport:
    made = tool_report(asked.behaviour, asked.scope)
    made = replace(made, rows=made.rows[: asked.limit])
    return made, lambda: show_tools(made, asked.sheet)


def _make_hooks(asked: _ReportRequest) -> PreparedReport:
    made = hook_report(asked.behaviour, asked.scope)
    made = replace(made, rows=made.rows[: asked.limit])
    return made, lambda: show_hooks(made, asked.sheet)


def _make_errors(asked: _ReportRequest) -> PreparedReport:
    made = error_report(asked.behaviour, asked.scope, Calendar(asked.zone))
    made = replace(made, rows=made.rows[: asked.limit])
    return made, lambda: show_errors(made, asked.sheet)


def _make_agents(asked: _ReportRequest) -> PreparedReport:
    made = agent_report(asked.behaviour, asked.scope)
    made = replace(made, rows=made.rows[: asked.limit])
    return made, lambda: show_agents(made, asked.sheet)


def _make_models(asked: _ReportRequest) -> PreparedReport:
    made = model_report(asked.behaviour, asked.scope)
    made = replace(made, rows=made.rows[: asked.limit])
    return made, lambda: show_models(made, asked.sheet)


def _make_compactions(asked: _ReportRequest) -> PreparedReport:
    made = compaction_report(asked.behaviour, asked.scope)
    made = replace(made, rows=made.rows[: asked.limit])
    return made, lambda: show_compactions(made, asked.sheet)


def _make_files(asked: _ReportRequest) -> PreparedReport:
    made = file_report(asked.behaviour, asked.scope)
    made = replace(made, rows=made.rows[: asked.limit])
    return made, lambda: show_files(made, asked.sheet)


def _make_activity(asked: _ReportRequest) -> PreparedReport:
    made = activity_report(asked.behaviour, asked.scope, asked.zone, asked.zone_name)
    return made, lambda: show_activity(made, asked.sheet)


_MAKERS: Final[dict[str | None, Callable[[_ReportRequest], PreparedReport]]] = {
    None: _make_overview,
    "tools": _make_tools,
    "hooks": _make_hooks,
    "errors": _make_errors,
    "agents": _make_agents,
    "models": _make_models,
    "compactions": _make_compactions,
    "files": _make_files,
    "activity": _make_activity,
}


def _make_canvas(moment: datetime, terminal: Terminal) -> Canvas:
    return Canvas(moment, styles_for(terminal), terminal.width, read_time_words())
