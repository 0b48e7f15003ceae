"""Health: what `doctor` finds in a session, and in all of them once that is asked for."""

from pathlib import Path

from bough.library import HealthReport, read_session, report_health
from bough.web.responses import ApiError
from bough.web.routes.conversation import find_open_session
from bough.web.state import AppState
from bough.web.wire.about import NoParams
from bough.web.wire.health_findings import HealthFinding, HistoryHealth, SessionHealth

_PROBLEM = "problem"


def get_session_health(state: AppState, session: str, _: NoParams) -> SessionHealth:
    """Say what is wrong with a session, and what a repair would do about it."""
    found = find_open_session(state, session).session
    if found.records_left_out and found.path:
        # Of a part, all that hangs on what stands before it would seem to hang on nothing.
        found = read_session(found.path)
    return _describe_health(state, report_health(found))


def get_history_health(state: AppState, _: NoParams) -> HistoryHealth:
    """Say what was found so far in all sessions."""
    snapshot = state.health.snapshot()
    found = [one for one in snapshot.found if one.findings or one.trouble]
    wrong = [one for one in found if _has_problem(one)]
    rest = [one for one in found if not _has_problem(one)]
    return HistoryHealth(
        state=snapshot.state,
        checked=snapshot.checked,
        total=snapshot.total,
        problems=len(wrong),
        notes=len(rest),
        sessions=[_describe_health(state, one) for one in (*wrong, *rest)],
    )


def check_history(state: AppState, params: NoParams) -> HistoryHealth:
    """Begin to look through all sessions; what did not change since is not read again."""
    if not state.ready:
        raise ApiError(409, "not_ready", "Nothing has been read yet. Press Read them first.")
    state.health.start()
    return get_history_health(state, params)


def _has_problem(report: HealthReport) -> bool:
    return bool(report.trouble) or any(one.severity == _PROBLEM for one in report.findings)


def _describe_health(state: AppState, report: HealthReport) -> SessionHealth:
    lists = state.lists()
    row = lists.row(report.path)
    project = lists.project(str(Path(report.path).parent))
    return SessionHealth(
        id=state.session_ids.id_of(report.path),
        title=row.title if row is not None else report.title,
        project_name=project.name if project is not None else "",
        last_active=row.ended_at if row is not None else None,
        reachability=report.reachability,
        findings=[
            HealthFinding(
                kind=one.kind,
                severity="problem" if one.severity == _PROBLEM else "note",
                where=one.where,
                message=one.message,
                repair=one.repair,
                why_not=one.why_not,
            )
            for one in report.findings
        ],
        is_repairable=any(one.repair is not None for one in report.findings),
        trouble=report.trouble,
    )
