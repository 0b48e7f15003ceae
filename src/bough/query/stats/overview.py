"""An overview: one line from each report."""

from datetime import tzinfo

from msgspec import Struct

from bough.query.stats.activity import ActivityTotals, DayRow, activity_report
from bough.query.stats.agents import AgentTotals, agent_report
from bough.query.stats.api_errors import ErrorTotals, error_report
from bough.query.stats.compactions import CompactionTotals, compaction_report
from bough.query.stats.files import FileTotals, file_report
from bough.query.stats.hooks import HookTotals, hook_report
from bough.query.stats.models import ModelRow, model_report
from bough.query.stats.tools import ToolRow, ToolTotals, tool_report
from bough.query.usage.calendar import Calendar
from bough.store.stats_protocol import StatsScope, StatsSource

_TOP = 5


class StatsOverview(Struct, frozen=True):
    """The totals of every report, the days, and the tools and models used most."""

    activity: ActivityTotals
    tools: ToolTotals
    hooks: HookTotals
    errors: ErrorTotals
    agents: AgentTotals
    compactions: CompactionTotals
    files: FileTotals
    top_tools: list[ToolRow]
    top_models: list[ModelRow]
    days: list[DayRow]


def build_stats_overview(behaviour: StatsSource, scope: StatsScope, zone: tzinfo) -> StatsOverview:
    """Sum up every report."""
    activity = activity_report(behaviour, scope, zone)
    tools = tool_report(behaviour, scope)
    return StatsOverview(
        activity.totals,
        tools.totals,
        hook_report(behaviour, scope).totals,
        error_report(behaviour, scope, Calendar(zone)).totals,
        agent_report(behaviour, scope).totals,
        compaction_report(behaviour, scope).totals,
        file_report(behaviour, scope).totals,
        tools.rows[:_TOP],
        model_report(behaviour, scope).rows[:_TOP],
        activity.days,
    )
