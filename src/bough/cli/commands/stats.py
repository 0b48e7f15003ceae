"""`bough stats`: what tools, hooks, agents, models and people did."""

from collections.abc import Callable
from datetime import datetime, tzinfo
from typing import Final

import click
from msgspec.structs import replace

from bough.cli import output
from bough.cli.arguments import word
from bough.cli.options import Globals, command, pass_globals
from bough.cli.progress import opened, tell_state
from bough.config import settings
from bough.errors import ExitCode
from bough.query.index.handle import IndexHandle
from bough.query.scope import scope_of
from bough.query.stats.activity import activity_report
from bough.query.stats.agents import agent_report
from bough.query.stats.api_errors import error_report
from bough.query.stats.compactions import compaction_report
from bough.query.stats.files import file_report
from bough.query.stats.hooks import hook_report
from bough.query.stats.models import model_report
from bough.query.stats.overview import overview
from bough.query.stats.tools import tool_report
from bough.query.usage.calendar import Calendar, stretch
from bough.query.usage.time_zones import zone_named
from bough.query.usage.totals import at_rest
from bough.store.stats_protocol import Behaviour, Scope
from bough.terminal.canvas import Sheet
from bough.terminal.capabilities import Terminal
from bough.terminal.clock import now, time_words
from bough.terminal.reports.stats_charts import show_activity, show_errors, show_overview
from bough.terminal.reports.stats_tables import (
    Shown,
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


class _Asked:
    """What was asked, with everything a report needs to be made and shown."""

    def __init__(self, behaviour: Behaviour, scope: Scope, zone: tzinfo, sheet: Sheet) -> None:
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
    terminal = output.screen(given.color)
    moment, zone_name = now(), zone or settings().zone or "local"
    place = zone_named(zone_name)
    wanted = stretch(since, until, moment, place)
    with opened(given) as index:
        scope = scope_of(
            index,
            project=word(project) if project is not None else None,
            session=word(session) if session is not None else None,
            stretch=wanted,
        )
        asked = _Asked(index.store.behaviour(), scope, place, _sheet(moment, terminal))
        asked.limit, asked.zone_name = limit, zone_name
        return _answer(asked, report, index, terminal, as_json=given.json)


def _answer(
    asked: _Asked, report: str | None, index: IndexHandle, terminal: Terminal, *, as_json: bool
) -> ExitCode:
    with at_rest():
        document, show = _MAKERS[report](asked)
    if as_json:
        output.emit_json(document, terminal)
        tell_state(index)
        return ExitCode.FINE
    shown = show()
    output.page(shown.lines, terminal)
    if not shown.lines:
        output.say("Nothing of the kind happened there.")
    for sentence in shown.talk:
        output.say(sentence)
    tell_state(index)
    return ExitCode.FINE


Made = tuple[object, Callable[[], Shown]]


def _overview(asked: _Asked) -> Made:
    made = overview(asked.behaviour, asked.scope, asked.zone)
    return made, lambda: show_overview(made, asked.sheet)


def _tools(asked: _Asked) -> Made:
    made = tool_report(asked.behaviour, asked.scope)
    made = replace(made, rows=made.rows[: asked.limit])
    return made, lambda: show_tools(made, asked.sheet)


def _hooks(asked: _Asked) -> Made:
    made = hook_report(asked.behaviour, asked.scope)
    made = replace(made, rows=made.rows[: asked.limit])
    return made, lambda: show_hooks(made, asked.sheet)


def _errors(asked: _Asked) -> Made:
    made = error_report(asked.behaviour, asked.scope, Calendar(asked.zone))
    made = replace(made, rows=made.rows[: asked.limit])
    return made, lambda: show_errors(made, asked.sheet)


def _agents(asked: _Asked) -> Made:
    made = agent_report(asked.behaviour, asked.scope)
    made = replace(made, rows=made.rows[: asked.limit])
    return made, lambda: show_agents(made, asked.sheet)


def _models(asked: _Asked) -> Made:
    made = model_report(asked.behaviour, asked.scope)
    made = replace(made, rows=made.rows[: asked.limit])
    return made, lambda: show_models(made, asked.sheet)


def _compactions(asked: _Asked) -> Made:
    made = compaction_report(asked.behaviour, asked.scope)
    made = replace(made, rows=made.rows[: asked.limit])
    return made, lambda: show_compactions(made, asked.sheet)


def _files(asked: _Asked) -> Made:
    made = file_report(asked.behaviour, asked.scope)
    made = replace(made, rows=made.rows[: asked.limit])
    return made, lambda: show_files(made, asked.sheet)


def _activity(asked: _Asked) -> Made:
    made = activity_report(asked.behaviour, asked.scope, asked.zone, asked.zone_name)
    return made, lambda: show_activity(made, asked.sheet)


_MAKERS: Final[dict[str | None, Callable[[_Asked], Made]]] = {
    None: _overview,
    "tools": _tools,
    "hooks": _hooks,
    "errors": _errors,
    "agents": _agents,
    "models": _models,
    "compactions": _compactions,
    "files": _files,
    "activity": _activity,
}


def _sheet(moment: datetime, terminal: Terminal) -> Sheet:
    return Sheet(moment, styles_for(terminal), terminal.width, time_words())
