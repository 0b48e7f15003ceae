"""What is going on: sessions with a client or recent activity, and where each stands.

One look at the files, for lists and status bars; `bough.query.live.stream` follows them. Cost and
context are counted from the records, so a session is read to its beginning; a `quick` look
reads only the ends of files and knows neither cost nor, perhaps, the title.

What is recent the records say (`bough.ingest.live.recent_files`), not the times of files.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from msgspec import Struct

from bough.config import claude_dirs, load_settings
from bough.errors import Unreadable
from bough.files.byte_source import require_source
from bough.files.discover import ProjectFiles, SessionFiles, discover_projects, find_claude_folders
from bough.ingest.live.recent_files import is_recent_file
from bough.ingest.live.watched_sessions import WatchedSession, WatchedSessions, current_time
from bough.ingest.read_records import HEAD, read_owner
from bough.ingest.session_notes import read_own_todos
from bough.ingest.transcript_paths import TranscriptPath
from bough.line import Line
from bough.model.conversation.todo_lists import TodoProgress, count_items
from bough.model.live.status import URGENCY, SessionState, SessionStatus
from bough.model.live.turn_progress import Phase, TurnProgress
from bough.model.text.formats import base_name_of, format_elapsed
from bough.model.text.times import parse_moment
from bough.model.usage.budget_share import NO_BUDGETS, Budgets, BudgetShare
from bough.model.usage.price_list import apply_overrides
from bough.query.byte_sources import USUAL_SOURCES
from bough.query.lists.list_rows import Dirs
from bough.query.usage.chosen_budgets import load_budgets
from bough.records.decode import decode_lines

RECENT = timedelta(hours=12)
"""How far back activity counts as recent, if nobody says."""

_QUICK_BYTES = 4 * HEAD
_ALL_BYTES = 1 << 30


class LiveSession(Struct, frozen=True):
    """One session that is going on, or was lately; see docs/live.md for the fields.

    While Claude works, `doing` says at what, and `output` is the newest line of the call that
    runs, where its client writes any. A clock is added by whoever shows it (`describe_work`).
    It is `partial` where only the end of a long file was read: so much of it the cost is of.
    `budget` says that it is near its budget or over it.
    """

    id: str
    project: str
    name: str
    path: str
    title: str
    state: SessionState
    sure: bool
    asks: str | None
    since: str | None
    active_at: str | None
    model: str | None
    context_tokens: int | None
    context_window: int | None
    cost_usd: float | None
    copied_cost_usd: float | None
    unpriced_models: list[str]
    partial: bool
    thought: str | None
    agents: int
    pid: int | None
    version: str | None
    git_branch: str | None
    permission_mode: str | None = None
    thinking: bool | None = None
    todos: TodoProgress | None = None
    doing: str | None = None
    doing_since: str | None = None
    output: str | None = None
    budget: BudgetShare | None = None

    @property
    def mode_words(self) -> str:
        """Say how freely tools may run where it is not the default, and whether thinking is on."""
        mode = self.permission_mode or "default"
        words = [] if mode == "default" else [f"mode {mode}"]
        if self.thinking is not None:
            words.append("thinking on" if self.thinking else "thinking off")
        return ", ".join(words)

    @property
    def is_cost_complete(self) -> bool:
        """Tell whether the cost is that of the whole file, and everything in it has a price."""
        return not self.partial and not self.unpriced_models

    @property
    def context(self) -> float | None:
        """Give which part of the model's window is taken."""
        if self.context_tokens is None or not self.context_window:
            return None
        return self.context_tokens / self.context_window


def list_live_sessions(
    dirs: Dirs = (),
    *,
    since: datetime | None = None,
    quick: bool = False,
    now: datetime | None = None,
) -> list[LiveSession]:
    """List sessions with a client that runs, or with activity since then; the most urgent first.

    Args:
        dirs: Claude folders; by default the usual places.
        since: What counts as recent; by default the last twelve hours.
        quick: Read only the ends of files.
        now: The moment it is asked; by default the clock's.
    """
    folders = find_claude_folders(claude_dirs([Path(folder) for folder in dirs]))
    now = now or current_time()
    sessions = WatchedSessions(
        folders, apply_overrides(load_settings().prices), remembered=_ALL_BYTES
    )
    oldest = since or now - RECENT
    for folder in folders:
        for project in discover_projects(folder):
            _read_project(sessions, project, oldest, quick=quick)
    sessions.settle(now)
    return list_watched(sessions)


def list_watched(sessions: WatchedSessions) -> list[LiveSession]:
    """List the watched sessions in which anything was said, the most urgent first."""
    budgets = load_budgets()
    return order_live_sessions(
        describe_live_session(watched, budgets) for watched in sessions if has_begun(watched)
    )


def has_begun(watched: WatchedSession) -> bool:
    """Tell whether anything was said in a session, or a client waits for it."""
    return watched.activity.main.phase is not Phase.NOTHING or watched.client is not None


def describe_live_session(watched: WatchedSession, budgets: Budgets = NO_BUDGETS) -> LiveSession:
    """Put what is known of a session into a row."""
    activity, stands = watched.activity, watched.status
    title, context = activity.titles.title, activity.context
    spent, client = activity.running_cost.total, watched.client
    doing, doing_since, output = _describe_doing(activity.main, stands)
    place = watched.place
    return LiveSession(
        id=place.session,
        project=place.project,
        name=base_name_of(activity.cwd) if activity.cwd else place.project,
        path=place.path,
        title=title.text if title else f"Session {place.session[:8]}",
        state=stands.state if stands else SessionState.FINISHED,
        sure=stands.sure if stands else False,
        asks=stands.asks if stands else None,
        since=stands.since if stands else None,
        active_at=activity.at,
        model=context.model,
        context_tokens=context.tokens,
        context_window=context.size,
        cost_usd=spent.usd,
        copied_cost_usd=spent.copied.usd,
        unpriced_models=spent.cost.unpriced_models,
        partial=watched.partial,
        thought=activity.thought,
        agents=len(activity.running_agents),
        pid=client.pid if client else None,
        version=activity.version,
        git_branch=activity.git_branch,
        permission_mode=activity.permission_mode,
        thinking=activity.thinking,
        todos=count_items(read_own_todos(Path(place.path), USUAL_SOURCES)),
        doing=doing,
        doing_since=doing_since,
        output=output,
        budget=budgets.mark_session(
            spent.usd, is_complete=not watched.partial and not spent.cost.unpriced_models
        ),
    )


def _describe_doing(
    progress: TurnProgress, status: SessionStatus | None
) -> tuple[str | None, str | None, str | None]:
    """Say what Claude is doing, since when, and what the call that runs showed last."""
    if status is None or status.state is not SessionState.WORKING:
        return None, None, None
    who = "Claude is working" if status.sure else "Claude is probably working"
    call = next(reversed(progress.calls.values()), None)
    if call is None:
        return who, status.since, None
    return f"{who}: {call.words}", call.at, call.output


def describe_work(row: LiveSession, now: datetime) -> str:
    """Say what Claude is doing, and for how long: Claude is working: Bash pytest -q, 0:14."""
    since = parse_moment(row.doing_since)
    clock = "" if since is None else f", {format_elapsed(max(0.0, (now - since).total_seconds()))}"
    return f"{row.doing}{clock}" if row.doing else ""


def order_live_sessions(rows: Iterable[LiveSession]) -> list[LiveSession]:
    """Sort sessions: the most urgent first, of equal ones the newest."""
    newest = sorted(rows, key=lambda row: row.active_at or "", reverse=True)
    return sorted(newest, key=lambda row: URGENCY[row.state])


def seconds_in_state(row: LiveSession, now: datetime) -> float | None:
    """Give for how many seconds a session has stood like this."""
    since = parse_moment(row.since)
    return None if since is None else max(0.0, (now - since).total_seconds())


def _read_project(
    sessions: WatchedSessions, project: ProjectFiles, oldest: datetime, *, quick: bool
) -> None:
    """Read the sessions of a project that are recent, or that a client has open."""
    folder = project.folder
    found = False
    for files in project.sessions:
        if files.file is None:
            continue
        if sessions.has_client(files.id) or _has_recent_end(files, oldest):
            _read_session(sessions, folder, files, oldest if quick else None)
            found = True
    for agent in project.loose_agents if found else ():
        place = TranscriptPath(
            folder, read_owner(agent.path, USUAL_SOURCES) or "", str(agent.path), agent.id
        )
        if sessions.get(place) is not None and (not quick or _is_new(agent.mtime_ns, oldest)):
            _add_transcript(sessions, place, agent.size if quick else None)


def _has_recent_end(files: SessionFiles, oldest: datetime) -> bool:
    """Tell whether a session or one of its agents wrote something since then."""
    if files.file is not None and is_recent_file(files.file, files.size, files.mtime_ns, oldest):
        return True
    return any(
        is_recent_file(agent.file, agent.size, agent.mtime_ns, oldest) for agent in files.agents
    )


def _is_new(mtime_ns: int, oldest: datetime) -> bool:
    """Tell whether a file may have something that was written since then."""
    return mtime_ns >= int(oldest.timestamp() * 1e9)


def _read_session(
    sessions: WatchedSessions, folder: str, files: SessionFiles, quick: datetime | None
) -> None:
    """Read a session and its agents; quickly, only those that changed since then."""
    main = TranscriptPath(folder, files.id, str(files.path))
    sessions.watched(main).partial = quick is not None
    _add_transcript(sessions, main, files.size if quick is not None else None)
    for agent in files.agents:
        if quick is None or _is_new(agent.mtime_ns, quick):
            place = TranscriptPath(folder, files.id, str(agent.path), agent.id)
            _add_transcript(sessions, place, agent.size if quick is not None else None)


def _add_transcript(sessions: WatchedSessions, place: TranscriptPath, size: int | None) -> None:
    try:
        sessions.add(place, decode_lines(_read_tail_lines(place.path, size)))
    except Unreadable:
        return  # it went away meanwhile; the list shows the rest


def _read_tail_lines(path: str, size: int | None) -> Iterator[Line]:
    """Give the lines of a file, or those that begin in its last stretch."""
    source = require_source(USUAL_SOURCES, path)
    if size is None or size <= _QUICK_BYTES:
        yield from source.lines()
        return
    lines: Sequence[Line] = list(source.lines(size - _QUICK_BYTES))
    yield from lines[1:]
