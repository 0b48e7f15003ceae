"""Any report of statistics by its name; no name asks for an overview of all."""

from collections.abc import Callable
from datetime import tzinfo
from typing import Final, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from bough.errors import Misuse
from bough.memory import pause_collector
from bough.query.stats.activity import PROMPT_SUMS, ActivityReport, activity_report
from bough.query.stats.agents import AgentReport, agent_report
from bough.query.stats.answer_sums import ANSWER_SUMS
from bough.query.stats.api_errors import ErrorReport, error_report
from bough.query.stats.compactions import CompactionReport, compaction_report
from bough.query.stats.files import FILE_SUMS, FileReport, file_report
from bough.query.stats.hooks import HOOK_SUMS, HookReport, hook_report
from bough.query.stats.models import ModelReport, model_report
from bough.query.stats.overview import StatsOverview, build_stats_overview
from bough.query.stats.tools import TOOL_SUMS, ToolReport, tool_report
from bough.query.usage.calendar import Calendar
from bough.store.stats_protocol import StatsScope, StatsSource, SumBuilder

StatsReportName = Literal[
    "tools", "hooks", "errors", "agents", "models", "compactions", "files", "activity"
]
STATS_REPORTS: Final[tuple[StatsReportName, ...]] = get_args(StatsReportName)

StatsReport = (
    StatsOverview
    | ToolReport
    | HookReport
    | ErrorReport
    | AgentReport
    | ModelReport
    | CompactionReport
    | FileReport
    | ActivityReport
)


class StatsQuestion(Struct, frozen=True, kw_only=True):
    """What is asked: of which records, with days of which zone, at most how many rows."""

    scope: StatsScope
    zone: tzinfo
    zone_name: str = "local"
    limit: int | None = None


def report_stats(report: str | None, source: StatsSource, asked: StatsQuestion) -> StatsReport:
    """Make the report of a name, or the overview.

    Raises:
        Misuse: No report is called so.
    """
    check_report_name(report)
    with pause_collector():
        made = _MAKERS[report](source, asked)
    return limit_report(made, asked.limit)


def check_report_name(report: str | None) -> None:
    """Raise Misuse where no report is called so."""
    if report is not None and report not in STATS_REPORTS:
        raise Misuse(f"No report is called {report}. There are {', '.join(STATS_REPORTS)}.")


def limit_report(made: StatsReport, limit: int | None) -> StatsReport:
    """Leave the first rows of a report, where it has such."""
    if limit is None or isinstance(made, StatsOverview | ActivityReport):
        return made
    return replace(made, rows=made.rows[:limit])


_Maker = Callable[[StatsSource, StatsQuestion], StatsReport]

_MAKERS: Final[dict[str | None, _Maker]] = {
    None: lambda source, asked: build_stats_overview(source, asked.scope, asked.zone),
    "tools": lambda source, asked: tool_report(source, asked.scope),
    "hooks": lambda source, asked: hook_report(source, asked.scope),
    "errors": lambda source, asked: error_report(source, asked.scope, Calendar(asked.zone)),
    "agents": lambda source, asked: agent_report(source, asked.scope),
    "models": lambda source, asked: model_report(source, asked.scope),
    "compactions": lambda source, asked: compaction_report(source, asked.scope),
    "files": lambda source, asked: file_report(source, asked.scope),
    "activity": lambda source, asked: activity_report(
        source, asked.scope, asked.zone, asked.zone_name
    ),
}


def list_sum_kinds() -> tuple[SumBuilder, ...]:
    """List all kinds of sums that reports are made of, for whoever makes them ahead."""
    return PROMPT_SUMS, ANSWER_SUMS, FILE_SUMS, HOOK_SUMS, TOOL_SUMS
