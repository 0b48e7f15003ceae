"""Statistics: what tools, hooks, agents, models and people did."""

from datetime import UTC, datetime

from bough.config import load_settings
from bough.library.parameters import ClaudeDir, IndexLike, borrow_index
from bough.query.stats.kept_reports import load_stats_report
from bough.query.stats.report_sessions import ReportSession, list_report_sessions
from bough.query.stats.stats_report import StatsQuestion, StatsReport
from bough.query.stats.stats_scope import find_stats_scope
from bough.query.usage.calendar import parse_date_range
from bough.query.usage.time_zones import find_zone


def stats(  # noqa: PLR0913 - one for each option of the command
    report: str | None = None,
    *,
    project: str | None = None,
    session: str | None = None,
    since: str | None = None,
    until: str | None = None,
    zone: str | None = None,
    limit: int | None = None,
    claude_dir: ClaudeDir = None,
    index: IndexLike = None,
    now: datetime | None = None,
) -> StatsReport:
    """Count what tools, hooks, agents, models and people did.

    Args:
        report: tools, hooks, errors, agents, models, compactions, files or activity; without
            one, an overview of all.
        project: Only this project.
        session: Only this session and its agents.
        since: Only from then on: 2026-11-01, yesterday, 7d.
        until: Only up to then, that day included.
        zone: Where days begin, as Europe/Prague; by default the machine's own.
        limit: Only the first rows.
        claude_dir: A folder such as `~/.claude`, or several; by default the usual places.
        index: Where the index is, or an open one.
        now: The moment that days are counted from; by default the clock's.
    """
    name = zone or load_settings().zone or "local"
    place = find_zone(name)
    stretch = parse_date_range(since, until, now or datetime.now(UTC), place)
    with borrow_index(claude_dir, index) as handle:
        scope = find_stats_scope(handle, project=project, session=session, date_range=stretch)
        asked = StatsQuestion(scope=scope, zone=place, zone_name=name, limit=limit)
        return load_stats_report(report, handle.store, asked)


def stats_sessions(  # noqa: PLR0913 - those of `stats`, and the row
    report: str,
    key: str,
    *,
    project: str | None = None,
    session: str | None = None,
    since: str | None = None,
    until: str | None = None,
    zone: str | None = None,
    claude_dir: ClaudeDir = None,
    index: IndexLike = None,
    now: datetime | None = None,
) -> list[ReportSession]:
    """List the sessions behind a row of a report, those in which it happened most first.

    Args:
        report: tools, hooks, errors, models, compactions, files or activity.
        key: What the row is called: a tool, a model, a file; a hook by its event and its command,
            an error by its kind and its reason, with a space between; a day, or an hour of the
            week as `1-14`, which is Monday from two on.
        project: Only this project.
        session: Only this session and its agents.
        since: Only from then on: 2026-11-01, yesterday, 7d.
        until: Only up to then, that day included.
        zone: Where days begin, as Europe/Prague; by default the machine's own.
        claude_dir: A folder such as `~/.claude`, or several; by default the usual places.
        index: Where the index is, or an open one.
        now: The moment that days are counted from; by default the clock's.
    """
    place = find_zone(zone or load_settings().zone)
    stretch = parse_date_range(since, until, now or datetime.now(UTC), place)
    with borrow_index(claude_dir, index) as handle:
        scope = find_stats_scope(handle, project=project, session=session, date_range=stretch)
        return list_report_sessions(report, key, handle.store.behaviour(), scope, place)
