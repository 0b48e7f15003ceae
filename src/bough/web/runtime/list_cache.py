"""Everything that lists show, gathered once and given out until the index has something new.

Gathering takes a while in a large history: costs are counted over everything. So requests
get what was gathered last, at once, and a thread gathers anew behind them, resting longer
than it works. Where there is no index the files themselves are asked.
"""

import contextvars
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bough.config import load_settings
from bough.errors import BoughError, ClaudeFolderNotFound
from bough.library import (
    BY_FOLDER,
    FileCatalog,
    IndexAccess,
    IndexCatalog,
    IndexHandle,
    Project,
    SessionRow,
    Vocabulary,
    describe_unread,
    find_zone,
    gather_vocabulary,
    sort_sessions,
    usage,
)
from bough.model.conversation.plans import PlanFacts, link_plans
from bough.model.usage.costs import UsageTotal
from bough.web.runtime.session_ids import make_unique

DAYS: Final = 30
_FRESH: Final = 1.0
_REST: Final = 20.0
_WORDS_HOLD: Final = 300.0
"""Names of tools and models come up seldom, and counting them takes long."""
_LONGEST_REST: Final = 30.0


class PlanMembership(Struct, frozen=True):
    """A session's part in a plan, and the paths of the sessions of the other part."""

    role: str
    others: tuple[str, ...]


class ListSnapshot(Struct, frozen=True, dict=True):
    """All projects and sessions, and what is known of them.

    Costs go by session and, those of the last days, by the folder of a project; `days` counts the
    answers in it on each of these days. `project_ids` go by folder; `plans` and `forked` by path.
    """

    projects: Sequence[Project] = ()
    rows: Sequence[SessionRow] = ()
    costs: Mapping[str, UsageTotal] = {}
    recent: Mapping[str, UsageTotal] = {}
    days: Mapping[str, Sequence[int]] = {}
    project_ids: Mapping[str, str] = {}
    plans: Mapping[str, PlanMembership] = {}
    forked: Mapping[str, str] = {}
    vocabulary: Vocabulary = Vocabulary()
    sentence: str | None = None
    state: bytes = b""

    def row(self, path: str) -> SessionRow | None:
        """Find the row of a session's file."""
        return self._by_path.get(path)

    def sessions_in(self, folder: str) -> Sequence[SessionRow]:
        """List the sessions of a project's folder."""
        return self._by_folder.get(folder, ())

    def project(self, folder: str) -> Project | None:
        """Find the project of a folder."""
        return self._project_by_folder.get(folder)

    def sorted_rows(self, sort: str) -> Sequence[SessionRow]:
        """Give all rows in one of the orders of a list, the newest first by default."""
        found = self._orders.get(sort)
        if found is None:
            found = self._orders[sort] = sort_sessions(self.rows, sort, self.costs)
        return found

    def filter_text(self, row: SessionRow) -> str:
        """Give everything that a filter looks for words in, folded."""
        return self._words[row.path]

    @cached_property
    def _orders(self) -> dict[str, list[SessionRow]]:
        return {}

    @cached_property
    def _words(self) -> dict[str, str]:
        found = {}
        for row in self.rows:
            project = self.project(folder_of(row))
            name = project.name if project is not None else row.project
            pulls = " ".join(one.label for one in row.pull_requests)
            whose = f"{row.owner or ''}\n{row.machine or ''}"
            words = f"{row.title}\n{row.id}\n{row.git_branch}\n{name}\n{pulls}\n{whose}"
            found[row.path] = words.casefold()
        return found

    @cached_property
    def _project_by_folder(self) -> dict[str, Project]:
        return {project.folder: project for project in self.projects}

    @cached_property
    def _by_folder(self) -> dict[str, list[SessionRow]]:
        found: dict[str, list[SessionRow]] = {}
        for row in self.rows:
            found.setdefault(folder_of(row), []).append(row)
        return found

    @cached_property
    def _by_path(self) -> dict[str, SessionRow]:
        return {row.path: row for row in self.rows}


def folder_of(row: SessionRow) -> str:
    """Name the folder a session lies in; lists of ten thousand do without paths."""
    return row.path.rpartition(os.sep)[0]


class ListCache:
    """Holds what was gathered last."""

    def __init__(
        self, source: IndexAccess, usable: Callable[[], bool], changed: Callable[[], None]
    ):
        self._source = source
        self._usable = usable
        self._on_change = changed
        self._collecting = threading.Lock()
        self._snapshot: ListSnapshot | None = None
        self._checked_at = -1_000.0
        self._pause = 0.0
        self._vocabulary: tuple[float, int, Vocabulary] | None = None

    def now(self) -> ListSnapshot:
        """Give what there is; the first time it is waited for."""
        if self._snapshot is None:
            with self._collecting:
                if self._snapshot is None:
                    self._gather()
        elif time.monotonic() - self._checked_at > max(_FRESH, self._pause):
            self._checked_at = time.monotonic()
            context = contextvars.copy_context()
            threading.Thread(
                target=context.run, args=(self._try_refresh,), name="bough-lists", daemon=True
            ).start()
        return self._snapshot or ListSnapshot()

    def refresh(self) -> None:
        """Gather again now, if the index has something new."""
        with self._collecting:
            self._gather()

    def refresh_if_due(self) -> None:
        """Gather again, unless that was done a moment ago."""
        if time.monotonic() - self._checked_at > self._pause:
            self._try_refresh()

    def _try_refresh(self) -> None:
        if self._collecting.acquire(blocking=False):
            try:
                self._gather()
            finally:
                self._collecting.release()

    def _gather(self) -> None:
        begun = time.monotonic()
        before = self._snapshot
        self._snapshot = self._load_snapshot(before)
        self._checked_at = time.monotonic()
        if self._snapshot is not before:
            self._pause = min(_LONGEST_REST, _REST * (self._checked_at - begun))
            if before is not None:
                self._on_change()

    def _load_snapshot(self, before: ListSnapshot | None) -> ListSnapshot:
        if self._usable():
            try:
                with self._source.open_handle() as handle:
                    # Costs are in it, which hang on the prices too.
                    state = handle.store.state() + msgspec.json.encode(load_settings().prices)
                    if before is not None and before.state == state:
                        return before
                    catalog = IndexCatalog(handle, self._source.dirs)
                    found = _load_from_index(handle, catalog, state)
                    return replace(found, vocabulary=self._words(handle, len(found.rows)))
            except ClaudeFolderNotFound:
                return ListSnapshot()
            except BoughError as error:
                return self._load_from_files(error.message)
        return self._load_from_files(None)

    def _words(self, handle: IndexHandle, sessions: int) -> Vocabulary:
        """Give the words of queries; a new session may bring new ones."""
        now = time.monotonic()
        if self._vocabulary is None or self._vocabulary[0] < now or self._vocabulary[1] != sessions:
            self._vocabulary = (now + _WORDS_HOLD, sessions, gather_vocabulary(handle))
        return self._vocabulary[2]

    def _load_from_files(self, sentence: str | None) -> ListSnapshot:
        catalog = FileCatalog(self._source.dirs)
        try:
            found = catalog.sessions()
            named = catalog.projects()
        except ClaudeFolderNotFound:
            return ListSnapshot()
        sentence = sentence or describe_unread(found.problems) or None
        return ListSnapshot(
            named,
            found.rows,
            project_ids=_assign_project_ids(named),
            sentence=sentence,
        )


def _load_from_index(handle: IndexHandle, catalog: IndexCatalog, state: bytes) -> ListSnapshot:
    found = catalog.sessions()
    named = catalog.projects()
    recent, days = _count_recent(handle)
    plans, forked = _link_plans_and_forks(handle)
    return ListSnapshot(
        projects=named,
        rows=found.rows,
        costs=catalog.costs("session", datetime.now(UTC)),
        recent=recent,
        days=days,
        project_ids=_assign_project_ids(named),
        plans=plans,
        forked=forked,
        sentence=handle.partial,
        state=state,
    )


def _assign_project_ids(named: Sequence[Project]) -> dict[str, str]:
    """Give each project an id that addresses can name it by: its folder's name, if it is one."""
    ids: dict[str, str] = {}
    for project in sorted(named, key=lambda one: one.folder):
        ids[project.folder] = make_unique(project.id, project.folder, ids.values())
    return ids


def _count_recent(
    handle: IndexHandle,
) -> tuple[dict[str, UsageTotal], dict[str, list[int]]]:
    """Count what each project cost in the last days, and the answers of each day."""
    now = datetime.now(UTC)
    answer = usage("daily", by=BY_FOLDER, since=f"{DAYS - 1}d", index=handle, now=now)
    today = now.astimezone(find_zone(load_settings().zone)).date()
    first = today - timedelta(days=DAYS - 1)
    costs: dict[str, UsageTotal] = {}
    days: dict[str, list[int]] = {}
    for row in answer.rows:
        try:
            at = (date.fromisoformat(row.key) - first).days
        except ValueError:
            continue
        for folder, amount in row.by.items():
            costs[folder] = costs[folder] + amount if folder in costs else amount
            if 0 <= at < DAYS:
                days.setdefault(folder, [0] * DAYS)[at] += amount.calls
    return costs, days


def _link_plans_and_forks(handle: IndexHandle) -> tuple[dict[str, PlanMembership], dict[str, str]]:
    """Tie plans to what was built from them, and forks to what they left."""
    folders: dict[str, dict[str, PlanFacts]] = {}
    paths: dict[tuple[str, str], str] = {}
    forked: dict[str, str] = {}
    for row in handle.store.sessions():
        if row.forked_from:
            forked[row.path] = row.forked_from
        slugs = frozenset(msgspec.json.decode(row.slugs, type=list[str]))
        if slugs or row.implements:
            folders.setdefault(row.folder, {})[row.id] = PlanFacts(slugs, bool(row.implements))
            paths[row.folder, row.id] = row.path
    plans: dict[str, PlanMembership] = {}
    for folder, facts in folders.items():
        for session, links in link_plans(facts).items():
            role = "implementation" if facts[session].implements else "plan"
            others = tuple(paths[folder, one] for one in (*links.plans, *links.implementations))
            plans[paths[folder, session]] = PlanMembership(role, others)
    return plans, forked
