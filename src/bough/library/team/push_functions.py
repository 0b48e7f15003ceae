"""Sending sessions to a team's database, taking them back, and writing one here."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct

from bough.config import claude_dirs, load_settings
from bough.errors import AmbiguousSession, IndexTrouble, Misuse, SessionNotFound
from bough.files.discover import find_claude_folders
from bough.library.parameters import ClaudeDir, Folder, Progress, as_dirs
from bough.library.team.budget_functions import post_crossed_marks
from bough.query.lookup import ProjectNames, choose_project
from bough.team.session_groups import (
    ChosenSessions,
    PushableProject,
    choose_sessions,
    list_pushable,
)
from bough.timetravel import operations
from bough.timetravel.plan import Plan

if TYPE_CHECKING:
    from bough.team.push_plan import PushLevel, PushReport
    from bough.team.push_run import TeamPush

EVERY_PROJECT: Final = "*"
_BETWEEN: Final = 5.0
"""Seconds after which it is tried again, and for which nothing is waited for."""


def find_team_store(store: str | None = None) -> str:
    """Find the team's database: the one that is named, `$BOUGH_STORE`, the setting `team_store`.

    Raises:
        Misuse: None is named anywhere.
    """
    found = store or _read_team_store()
    if not found:
        raise Misuse(
            "No team's database is named. Say --store postgresql://NAME@HOST/DATABASE, or set "
            "team_store in the settings."
        )
    return found


def has_team_store() -> bool:
    """Tell whether a team's database is set."""
    return bool(_read_team_store())


def pushable_projects(claude_dir: ClaudeDir = None) -> list[PushableProject]:
    """List the projects that could be sent to a team's database.

    Args:
        claude_dir: A folder such as `~/.claude`, or several; by default the usual places.
    """
    return list_pushable(_find_folders(claude_dir))


def chosen_projects(
    projects: Sequence[str] = (), claude_dir: ClaudeDir = None
) -> list[PushableProject]:
    """List the projects that are sent: those named, else those of the setting `push_projects`.

    `*` stands for all of them.

    Raises:
        ProjectNotFound: None is called so.
        AmbiguousProject: Several are.
    """
    return _choose_projects(pushable_projects(claude_dir), projects)


def _choose_projects(
    known: list[PushableProject], projects: Sequence[str]
) -> list[PushableProject]:
    wanted = projects or load_settings().push_projects
    if EVERY_PROJECT in wanted:
        return known
    names = [
        ProjectNames(os.path.basename(one.folder), one.folder, one.path, one.name, one)  # noqa: PTH119 - a name
        for one in known
    ]
    found = [choose_project(name, names) for name in wanted]
    return list({one.folder: one for one in found}.values())


class PushChoice(Struct, frozen=True, kw_only=True):
    """What is sent: which projects, from when on, and how much of it.

    `projects` go by name or path, and `*` is all; without any, the setting `push_projects` says
    which. The level `numbers` sends what was used and when, and no words.
    """

    projects: Sequence[str] = ()
    since: datetime | None = None
    level: Literal["all", "numbers"] = "all"


def push(
    choice: PushChoice | None = None,
    *,
    store: str | None = None,
    dry_run: bool = False,
    announce: "Callable[[PushReport], None] | None" = None,
    claude_dir: ClaudeDir = None,
    progress: Progress | None = None,
) -> "PushReport":
    """Send sessions to a team's database, with everything that looks like a secret hidden.

    What is there already is not sent again, and what grew is continued. What is kept by a
    `.boughignore` beside the project is never sent.

    Args:
        choice: Which sessions, and how much of them.
        store: The URL of the database; by default `$BOUGH_STORE`, else the setting `team_store`.
        dry_run: Send nothing; only tell what would be sent.
        announce: Is told what leaves before anything does.
        claude_dir: A folder such as `~/.claude`, or several; by default the usual places.
        progress: Is told how many bytes of how many were sent.

    Raises:
        Misuse: No project is chosen, no database is named, or others use it too.
        IndexTrouble: The database cannot be reached, or is that of another bough.
    """
    choice = choice or PushChoice()
    chosen = chosen_projects(choice.projects, claude_dir)
    if not chosen:
        raise Misuse(
            "No project is chosen, and nothing is sent automatically. Name one: --project."
        )
    folders = [one.folder for one in chosen]
    sessions = choose_sessions(_find_folders(claude_dir), folders, choice.since)
    if dry_run:
        with closing(_open_push(store)) as team:
            return team.plan(sessions, choice.level, progress).report
    return _send_sessions(sessions, choice.level, store, announce, progress)


def watch_push(
    choice: PushChoice,
    stop: Event,
    *,
    store: str | None = None,
    announce: "Callable[[PushReport], None] | None" = None,
    claude_dir: ClaudeDir = None,
) -> "Iterator[PushReport | IndexTrouble | None]":
    """Send what is new as it comes, until `stop` is set.

    At first, and every ten minutes, everything is compared; in between only the sessions of files
    that changed. Projects that come later are sent too where all are chosen.

    Yields:
        What was sent; an error, after which it is tried again; None where nothing came for a while.

    Raises:
        ProjectNotFound: No project is called as one that is chosen.
    """
    from bough.team.push_watcher import PushWatcher  # noqa: PLC0415 - only to watch

    folders = _find_folders(claude_dir)
    known: list[PushableProject] = []
    with closing(PushWatcher(folders, stop)) as watcher:
        while not stop.is_set():
            changed = watcher.take_changes()
            if changed is None or any(_is_outside(path, known) for path in changed):
                known = pushable_projects(claude_dir)
            chosen = [one.folder for one in _choose_projects(known, choice.projects)]
            sessions = choose_sessions(folders, chosen, choice.since, changed)
            try:
                if sessions.sessions != ():
                    yield _send_sessions(sessions, choice.level, store, announce)
                watcher.finish(changed)
            except IndexTrouble as error:
                yield error
                stop.wait(_BETWEEN)
                continue
            while not stop.is_set() and not watcher.wait(_BETWEEN):
                yield None


def _send_sessions(
    sessions: ChosenSessions,
    level: "PushLevel",
    store: str | None,
    announce: "Callable[[PushReport], None] | None",
    progress: Progress | None = None,
) -> "PushReport":
    """Send what sessions have more than the database."""
    from bough.query.stats.stats_report import list_sum_kinds  # noqa: PLC0415 - only to send

    with closing(_open_push(store)) as team:
        plan = team.plan(sessions, level, progress)
        if announce is not None:
            announce(plan.report)
        report = team.send(sessions, plan, progress)
        team.complete_stats(list_sum_kinds())
    if report.crossed:
        post_crossed_marks(find_team_store(store))
    return report


def _is_outside(path: str, known: Sequence[PushableProject]) -> bool:
    return not any(path.startswith(one.folder + os.sep) for one in known)


def remove_pushed_session(session: str, store: str | None = None) -> tuple[str, int]:
    """Take a session of this machine back from a team's database; it is not sent again.

    Args:
        session: Its id, or the beginning of it.
        store: The URL of the database; by default `$BOUGH_STORE`, else the setting `team_store`.

    Returns:
        Its whole id, and how many files of it were there.

    Raises:
        SessionNotFound: Nothing of it was sent from this machine.
        AmbiguousSession: Several sessions begin so.
    """
    with closing(_open_push(store)) as team:
        found = team.find_session(session)
        if not found:
            raise SessionNotFound(session)
        if len(found) > 1 and session not in found:
            raise AmbiguousSession(session, found)
        name = session if session in found else found[0]
        return name, team.remove(name)


def pull(
    session: str,
    cwd: Folder,
    *,
    store: str | None = None,
    to: Folder | None = None,
    claude_dir: ClaudeDir = None,
) -> Plan:
    """Plan to write a session of a team's database here, so that it can be continued.

    Args:
        session: Its id, or the beginning of it; of several machines, the newest.
        cwd: The folder that it shall be continued in.
        store: The URL of the database; by default `$BOUGH_STORE`, else the setting `team_store`.
        to: The Claude folder it goes to; by default the first of `claude_dir`.
        claude_dir: A folder such as `~/.claude`, or several; by default the usual places.

    Raises:
        SessionNotFound: The database has none that is called so.
        AlreadyThere: It is here already; nothing is written over.
    """
    from bough.team.pulled_files import read_sent_session  # noqa: PLC0415 - psycopg is an extra

    folder = to if to is not None else _find_folders(claude_dir)[0]
    found = read_sent_session(find_team_store(store), session)
    return operations.pull(
        found.session, found.files, cwd=cwd, to=folder, machine=found.machine, notes=found.notes
    )


def parse_since(text: str) -> datetime:
    """Read a time such as 2026-11-01, yesterday or 7d.

    Raises:
        Misuse: It is none.
    """
    from bough.query.usage.calendar import parse_date_range  # noqa: PLC0415 - few pushes name a time
    from bough.query.usage.time_settings import load_zone  # noqa: PLC0415 - as above

    found = parse_date_range(text, None, datetime.now(UTC), load_zone()).since
    return datetime.fromisoformat(found or "")


def _read_team_store() -> str | None:
    return os.environ.get("BOUGH_STORE") or load_settings().team_store


def _open_push(store: str | None) -> "TeamPush":
    url = find_team_store(store)
    from bough.team.push_run import TeamPush  # noqa: PLC0415 - psycopg is an extra

    return TeamPush(url)


def _find_folders(claude_dir: ClaudeDir) -> tuple[Path, ...]:
    return find_claude_folders(claude_dirs([Path(folder) for folder in as_dirs(claude_dir)]))
