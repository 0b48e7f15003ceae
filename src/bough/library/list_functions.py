"""Lists: projects, sessions and conversations, from the index where there is one."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bough.config import load_settings
from bough.errors import ProjectNotFound, SessionNotFound
from bough.library.annotation_functions import load_annotations, load_readable_annotations
from bough.library.parameters import (
    ClaudeDir,
    IndexLike,
    SessionLike,
    as_dirs,
    as_session,
    is_open_index,
)
from bough.query.lists.annotated_rows import annotate_projects, annotate_sessions
from bough.query.lists.catalog import Catalog, IndexCatalog, open_catalog
from bough.query.lists.costs import add_conversation_costs, add_session_costs
from bough.query.lists.session_filter import (
    SessionFilter,
    filter_sessions,
    parse_states,
    sort_sessions,
)
from bough.query.lookup import explain_missing
from bough.query.usage.chosen_budgets import load_budgets
from bough.query.usage.time_zones import find_zone

if TYPE_CHECKING:
    from bough.query.lists.list_rows import ConversationRow, Project, SessionRow

# What reads sessions takes most of the package, and lists from the index need none of it.


def projects(claude_dir: ClaudeDir = None, *, index: IndexLike = None) -> "list[Project]":
    """List the projects of one or several Claude folders, the most recently active first.

    Args:
        claude_dir: A folder such as `~/.claude`, or several; by default the usual places.
        index: Where the index is, or an open one; without one the files are read.

    Raises:
        ClaudeFolderNotFound: None of the places is a folder.
    """
    with _open_catalog(claude_dir, index) as lists:
        return annotate_projects(lists.projects(), load_readable_annotations()[0])


def sessions(  # noqa: PLR0913 - one for each option of the command
    project: str | None = None,
    claude_dir: ClaudeDir = None,
    *,
    since: str | None = None,
    until: str | None = None,
    state: str | None = None,
    model: str | None = None,
    branch: str | None = None,
    starred: bool = False,
    sort: str = "newest",
    everything: bool = False,
    index: IndexLike = None,
) -> "list[SessionRow]":
    """List sessions, newest first; what cannot be read is left out.

    Args:
        project: A project's path, name or folder name; by default all.
        claude_dir: A folder such as `~/.claude`, or several; by default the usual places.
        since: Only what went on then or later: 2026-11-01, yesterday, 7d.
        until: Only what began up to then, that day included.
        state: Only in these states, with commas: waiting, working, failed, finished, live.
        model: Only with a model whose name has this in it.
        branch: Only on this git branch; * is anything.
        starred: Only those with a star.
        sort: newest, oldest, cost, turns or title.
        everything: Also list sessions without any conversation.
        index: Where the index is, or an open one; without one the files are read.

    Raises:
        ClaudeFolderNotFound: None of the places is a folder.
        ProjectNotFound: No project goes by that name.
        AmbiguousProject: Several do.
        Misuse: A time or a state cannot be read.
        AnnotationTrouble: Only starred ones are asked for, and stars cannot be read.
    """
    with _open_catalog(claude_dir, index) as lists:
        now = datetime.now(UTC)
        asked = SessionFilter(since=since, until=until, model=model, branch=branch, starred=starred)
        known = load_annotations() if starred else load_readable_annotations()[0]
        rows = annotate_sessions(lists.sessions(project, everything=everything).rows, known)
        rows = filter_sessions(rows, asked, now, find_zone(load_settings().zone))
        if state is not None:
            rows = _keep_states(rows, state, claude_dir, now)
        costs = lists.all_costs("session", now)
        return add_session_costs(sort_sessions(rows, sort, costs), costs, load_budgets())


def _keep_states(
    rows: "list[SessionRow]", state: str, claude_dir: ClaudeDir, now: datetime
) -> "list[SessionRow]":
    from bough.query.live.session_states import find_session_states  # noqa: PLC0415 - see above

    wanted = parse_states([state])
    states = find_session_states(rows, as_dirs(claude_dir), now)
    return [row for row in rows if states[row.path].name in wanted]


def conversations(
    of: SessionLike | None = None,
    claude_dir: ClaudeDir = None,
    *,
    client: str | None = None,
    index: IndexLike = None,
) -> "list[ConversationRow]":
    """List conversations, newest first: each path from the start of a session to a tip.

    Args:
        of: A project, else a session, by what a person calls it; by default all projects.
        claude_dir: A folder such as `~/.claude`, or several; by default the usual places.
        client: A client's version, to list the tips that it would choose.
        index: Where the index is, or an open one; without one the files are read.

    Raises:
        NotFound: Neither a project nor a session goes by that name.
    """
    if of is not None and (not isinstance(of, str) or of.endswith(".jsonl")):
        return _list_of_session(of, claude_dir, client)
    try:
        return _list_of_project(of, claude_dir, client, index)
    except ProjectNotFound as missing:
        if of is None or of.startswith("-"):
            raise
        try:
            return _list_of_session(of, claude_dir, client)
        except SessionNotFound as error:
            raise explain_missing(of, error, missing) from error


def _list_of_session(
    of: SessionLike, claude_dir: ClaudeDir, client: str | None
) -> "list[ConversationRow]":
    from bough.query.lists.from_files import list_conversations  # noqa: PLC0415 - see above
    from bough.query.sessions.session_parts import check_version  # noqa: PLC0415

    seen_by = check_version(client) if client is not None else None
    session = as_session(of, claude_dir)
    seen = session if seen_by is None else session.with_client(seen_by)
    return list_conversations(seen, costs=True)


def _list_of_project(
    of: str | None, claude_dir: ClaudeDir, client: str | None, index: IndexLike
) -> "list[ConversationRow]":
    if client is not None:
        from bough.query.lists.from_files import list_all_conversations  # noqa: PLC0415 - see above
        from bough.query.sessions.session_parts import check_version  # noqa: PLC0415

        seen_by = check_version(client)
        return list_all_conversations(as_dirs(claude_dir), of, client=seen_by, costs=True).rows
    with _open_catalog(claude_dir, index) as lists:
        rows = lists.conversations(of).rows
        return add_conversation_costs(rows, lists.all_costs("branch", datetime.now(UTC)))


@contextmanager
def _open_catalog(claude_dir: ClaudeDir, index: IndexLike) -> Iterator[Catalog]:
    if is_open_index(index):
        yield IndexCatalog(index, as_dirs(claude_dir))
        return
    with open_catalog(as_dirs(claude_dir), index) as found:
        yield found
