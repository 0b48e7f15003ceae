"""The lists: about, projects, sessions, and what is live now."""

import time
from collections import Counter
from collections.abc import Iterable
from datetime import tzinfo
from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec

from bough import __version__
from bough.config import load_settings
from bough.errors import with_tilde
from bough.files.directory import is_of_machine
from bough.files.worktrees import is_existing_folder
from bough.library import (
    Annotation,
    Annotations,
    Budgets,
    KeptPlace,
    Project,
    SessionFilter,
    SessionRow,
    cut_page,
    filter_sessions,
    find_zone,
    list_other_notes,
    load_budgets,
    parse_states,
    resume_command,
    sort_by_state,
)
from bough.web.routes.settings_page import load_page_settings
from bough.web.runtime.list_cache import DAYS, ListSnapshot, folder_of
from bough.web.state import AppState, now
from bough.web.wire.about import About, NoParams, ReadyAnswer
from bough.web.wire.list_rows import (
    KeptSign,
    OtherNote,
    PlanInfo,
    ProjectItem,
    ProjectsAnswer,
    PullRequestItem,
    SessionItem,
    SessionsAnswer,
    SessionsQuery,
    SessionState,
    SessionTitle,
)
from bough.web.wire.live_events import LiveAnswer

_FOLDER_CHECK_EVERY: Final = 30.0
_MOST_VALUES: Final = 100


def describe_app(state: AppState, _: NoParams) -> About:
    """Say what is read, and how far."""
    lists = state.lists()
    if state.ready:
        projects, sessions = len(lists.projects), len(lists.rows)
    else:
        # Nothing was read yet: these are files, by their names.
        sessions = len(state.session_ids.entries())
        projects = state.session_ids.projects
    return About(
        version=__version__,
        folders=[with_tilde(str(folder)) for folder in state.source.folders],
        looked_in=[with_tilde(str(folder)) for folder in state.source.looked_in],
        projects=projects,
        sessions=sessions,
        ready=state.ready,
        index=state.indexing.status,
        settings=state.choose_page_settings(load_page_settings()),
        token_needed=state.token_needed,
        member=state.member,
        can_log_out=state.can_log_out,
        # Whoever was only given the token is not the one to decide.
        archive_consent=state.archive_question.find()
        if state.ready and not state.token_needed
        else None,
    )


def make_ready(state: AppState, _: NoParams) -> ReadyAnswer:
    """Begin to read."""
    state.make_ready()
    return ReadyAnswer(state.ready, state.indexing.status)


def list_projects(state: AppState, _: NoParams) -> ProjectsAnswer:
    """List the projects, the most recently active first."""
    lists = state.lists()
    annotations = state.annotations()
    rows = [_make_project_item(one, lists, annotations) for one in lists.projects]
    return ProjectsAnswer(rows, len(lists.rows), lists.sentence)


def list_sessions(state: AppState, query: SessionsQuery) -> SessionsAnswer:
    """List sessions, filtered and sorted, a page at a time."""
    lists = state.lists()
    annotations = state.annotations()
    wide = _filter_rows(state, lists, query, annotations)
    rows = filter_sessions(
        wide,
        SessionFilter(
            model=query.model or None,
            branch=query.branch or None,
            machine=query.machine or None,
            member=query.member or None,
        ),
        now(),
        _zone(),
    )
    question = msgspec.structs.replace(query, cursor="", limit=1)
    page = cut_page(rows, query.cursor, query.limit, question, lambda row: row.path)
    budgets = load_budgets()
    items = [make_session_item(state, lists, row, annotations, budgets) for row in page.rows]
    models = Counter(model for row in wide for model in row.models)
    branches = Counter(row.git_branch for row in wide if row.git_branch)
    return SessionsAnswer(
        len(rows),
        page.next,
        items,
        lists.sentence,
        [model for model, _ in models.most_common(_MOST_VALUES)],
        [branch for branch, _ in branches.most_common(_MOST_VALUES)],
        _list_values(row.machine for row in wide),
        _list_values(row.owner for row in wide),
    )


def _list_values(values: Iterable[str | None]) -> list[str]:
    """List names that rows have, the most frequent first."""
    return [name for name, _ in Counter(filter(None, values)).most_common(_MOST_VALUES)]


def _zone() -> tzinfo:
    return find_zone(load_settings().zone)


def make_session_item(
    app_state: AppState,
    lists: ListSnapshot,
    row: SessionRow,
    annotations: Annotations,
    budgets: Budgets | None = None,
) -> SessionItem:
    """Put what is known of a session into the row of a list; budgets may be read beforehand."""
    own = annotations.find("session", row.id)
    folder = folder_of(row)
    project = lists.project(folder)
    live = app_state.live.rows.get(row.path)
    state, sure, asks, since = find_status(app_state, row)
    spent = lists.costs.get(row.id)
    nothing = 0.0 if lists.state else None
    usd = spent.usd if spent is not None else nothing
    copied = spent.copied.usd if spent is not None else nothing
    if spent is None and live is not None and live.is_cost_complete:
        # The index does not know it yet. Where it does, it alone knows what a fork copied.
        usd, copied = live.cost_usd, live.copied_cost_usd
    known = project.path if project is not None else None
    resume = resume_command(Path(row.path), known_folder=known, kept_in=row.kept_in)
    unpriced = spent.cost.unpriced_models if spent is not None else []
    chosen = budgets if budgets is not None else load_budgets()
    return SessionItem(
        id=app_state.session_ids.id_of(row.path),
        project=lists.project_ids.get(folder, row.project),
        project_name=project.name if project is not None else row.project,
        worktree_of=project.worktree_of if project is not None else None,
        title=row.title,
        state=state,
        sure=sure,
        asks=asks,
        since=since,
        turns=row.turns,
        messages=row.messages,
        branches=row.tips,
        agents=row.agents,
        cost_usd=usd,
        copied_cost_usd=copied,
        unpriced_models=unpriced,
        model=row.models[-1] if row.models else None,
        git_branch=row.git_branch,
        started_at=row.started_at,
        ended_at=row.ended_at,
        deleted_at=row.deleted_at,
        kind=row.kind,
        run=row.run,
        plan=plan_of(app_state, lists, row.path),
        forked_from=lists.forked.get(row.path),
        bytes=row.bytes,
        resume=resume.text,
        resume_note=resume.note,
        resume_kind=resume.kind,
        excerpt=row.excerpt,
        starred=own.starred,
        note=own.note,
        pull_requests=[
            PullRequestItem(one.label, one.number, _safe_url(one.url)) for one in row.pull_requests
        ],
        kept=make_kept_sign(row.kept_in),
        machine=row.machine,
        owner=row.owner,
        other_notes=make_other_notes(own),
        # A team has budgets of its own; these are of who works here.
        budget=chosen.mark_session(usd, is_complete=not unpriced) if row.machine is None else None,
    )


def make_other_notes(annotation: Annotation) -> list[OtherNote]:
    """List what other members of a team said of something."""
    return [OtherNote(one.author, one.starred, one.note) for one in list_other_notes(annotation)]


def make_kept_sign(place: KeptPlace) -> KeptSign | None:
    """Say what is left of a session; None where its file is there."""
    if place is KeptPlace.FILE:
        return None
    return KeptSign("archive" if place is KeptPlace.ARCHIVE else "index", place.label, place.words)


def _safe_url(url: str | None) -> str | None:
    """Keep an address that a page may link to; records can hold anything."""
    return url if url is not None and url.startswith(("https://", "http://")) else None


def find_status(
    state: AppState, row: SessionRow
) -> tuple[SessionState, bool, str | None, str | None]:
    """Tell where a session stands: state, whether that is sure, what it asks, since when."""
    if row.deleted_at is not None:
        return "deleted", True, None, row.deleted_at
    live = state.live.rows.get(row.path)
    found = live if live is not None else state.statuses.status_of(row)
    return found.state.value, found.sure, found.asks, found.since


def plan_of(state: AppState, lists: ListSnapshot, path: str) -> PlanInfo | None:
    """Tell a session's part in a plan."""
    plan = lists.plans.get(path)
    if plan is None:
        return None
    rows = [row for row in map(lists.row, plan.others) if row is not None]
    others = [SessionTitle(state.session_ids.id_of(row.path), row.title) for row in rows]
    return PlanInfo("plan" if plan.role == "plan" else "implementation", others)


def _make_project_item(
    project: Project, lists: ListSnapshot, annotations: Annotations
) -> ProjectItem:
    said = annotations.find("project", project.id)
    own = lists.sessions_in(project.folder)
    spent = lists.recent.get(project.folder)
    return ProjectItem(
        id=lists.project_ids.get(project.folder, project.id),
        name=project.name,
        path=project.path,
        worktree_of=project.worktree_of,
        gone=project.path is not None
        and not is_of_machine(project.folder)
        and _is_gone(project.path, int(time.monotonic() / _FOLDER_CHECK_EVERY)),
        git_branch=next((row.git_branch for row in own if row.git_branch), None),
        sessions=len(own),
        last_active=project.last_active,
        cost_30d_usd=spent.usd if spent is not None else (0.0 if lists.state else None),
        unpriced_models=spent.cost.unpriced_models if spent is not None else [],
        days=list(lists.days.get(project.folder, [0] * DAYS)),
        starred=said.starred,
        hidden=said.hidden,
        machine=project.machine,
        owner=project.owner,
    )


# Fast path: a list of a thousand projects, 6 ms of stat on a local disk, far more elsewhere.
@lru_cache(maxsize=4_096)
def _is_gone(path: str, _when: int) -> bool:
    """Tell whether a folder is not there; what was found holds a while."""
    return not is_existing_folder(path)


def _filter_rows(
    state: AppState, lists: ListSnapshot, query: SessionsQuery, annotations: Annotations
) -> list[SessionRow]:
    rows = _narrow_rows(lists, query, annotations)
    if query.state:
        wanted = parse_states([query.state])
        rows = [row for row in rows if find_status(state, row)[0] in wanted]
    if query.sort == "state":
        rows = sort_by_state(rows, lambda row: find_status(state, row)[0])
    return rows


def _narrow_rows(
    lists: ListSnapshot, query: SessionsQuery, annotations: Annotations
) -> list[SessionRow]:
    rows = list(lists.sorted_rows(query.sort))
    if query.starred:
        rows = [row for row in rows if annotations.find("session", row.id).starred]
    if query.visible:
        rows = [row for row in rows if not annotations.find("project", row.project).hidden]
    if query.project:
        folders = {f for f, own in lists.project_ids.items() if own == query.project}
        rows = [row for row in rows if folder_of(row) in folders]
    if query.kind:
        rows = [row for row in rows if row.kind == query.kind]
    times = SessionFilter(since=query.since or None, until=query.until or None)
    rows = filter_sessions(rows, times, now(), _zone())
    if query.filter.strip():
        words = query.filter.casefold().split()
        rows = [row for row in rows if all(word in lists.filter_text(row) for word in words)]
    return rows


def list_live(state: AppState, _: NoParams) -> LiveAnswer:
    """List the sessions that are going on, or were lately, and what was said last."""
    if state.ready:
        state.live.caught_up.wait(_PATIENCE)
    waits, working = state.live.count_states()
    return LiveAnswer(waits, working, state.live.list_sessions(), list(state.live.messages))


_PATIENCE = 0.5
"""The past is read once, at the start; a page that comes first waits so long for it."""
