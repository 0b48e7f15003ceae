"""The tools: each asks the library, and drafts an answer of places and quotes.

What comes from a transcript is a `Quote`, also titles, paths, branch names and names of tools.
What stands there plainly is ours: numbers, our own words, ids and times that look like such.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from bough import library
from bough.errors import BoughError, Misuse
from bough.mcp.budgets import Draft, Fields
from bough.mcp.quote_fences import Quote, as_identifier, as_moment, as_place
from bough.mcp.read_slice import SliceRequest, draft_slice
from bough.mcp.scope import ScopedHistory, folder_of
from bough.mcp.session_reader import SessionReader
from bough.mcp.tool_arguments import (
    BeforeArguments,
    CompareArguments,
    DecisionsArguments,
    DroppedArguments,
    FileHistoryArguments,
    ReadArguments,
    SearchArguments,
    SessionsArguments,
    UsageArguments,
)

_OUTSIDE: Final = ("WebFetch", "WebSearch", "web_fetch", "web_search", "mcp__*")
_SHARED: Final = "Another project has the same folder, and counts too."
_TITLE: Final = 120
_LINE: Final = 300
_PARAGRAPH: Final = 600


class ToolContext(Struct, frozen=True):
    """What a call is answered from."""

    history: ScopedHistory
    reader: SessionReader


def search(context: ToolContext, asked: SearchArguments) -> Draft:
    """Draft the hits of a search."""
    history = context.history
    query = _read_query(asked)
    folders = history.select_folders(asked.project)
    page = library.search(
        query,
        limit=asked.limit,
        cursor=asked.cursor,
        within=folders,
        rewrite=context.reader.rewrite,
        index=history.handle,
    )
    unique = _join_copies(page.hits)
    head = {
        "total": page.total,
        "exact": page.exact,
        "partial": [*page.partial, *history.partial],
        "next": page.next,
    }

    def describe_rest(shown: int) -> Fields:
        # The cursor behind what is shown, and not behind what was found.
        count = sum(1 + copies for _, copies in unique[:shown])
        return {"next": page.cursor_behind(count) if count else asked.cursor}

    items = [_describe_hit(hit, copies) for hit, copies in unique]
    return Draft(head, "hits", items, describe_rest, [hit.session for hit in page.hits])


def _read_query(asked: SearchArguments) -> "library.Query":
    """Read a query, and narrow it; what it leaves open cannot reach what is added."""
    query = library.parse_query(asked.query)
    ours = [f"kind:{kind}" for kind in asked.kinds]
    if not asked.outside:
        ours += [f"-tool:{name}" for name in _OUTSIDE]
    if asked.after is not None:
        ours.append(f'after:"{_require_plain(asked.after)}"')
    if not ours:
        return query
    added = library.parse_query(" ".join(ours))
    later = max((one for one in (query.after, added.after) if one is not None), default=None)
    return replace(query, filters=(*query.filters, *added.filters), after=later)


def _join_copies(hits: "Sequence[library.Hit]") -> "list[tuple[library.Hit, int]]":
    """Count the copies that forks made of a hit, where they follow each other."""
    joined: list[tuple[library.Hit, int]] = []
    for hit in hits:
        if joined and hit.uuid is not None and joined[-1][0].uuid == hit.uuid:
            joined[-1] = (joined[-1][0], joined[-1][1] + 1)
        else:
            joined.append((hit, 0))
    return joined


def _describe_hit(hit: "library.Hit", copies: int) -> Fields:
    return {
        "place": as_place(hit.session, hit.uuid),
        "when": as_moment(hit.timestamp),
        "who": hit.role,
        "kind": hit.kind,
        "branch": "active" if hit.active else "left behind",
        "also_in_forks": copies or None,
        "agent": Quote(hit.agent_type, 60) if hit.agent_type else None,
        "tool": Quote(hit.tool, 60) if hit.tool else None,
        "failed": hit.failed or None,
        "title": Quote(hit.title, _TITLE),
        "text": Quote(hit.snippet) if hit.snippet else None,
    }


def read(context: ToolContext, asked: ReadArguments) -> Draft:
    """Draft a slice of a conversation."""
    wanted, _, uuid = asked.place.partition("#")
    row = context.history.find_row(wanted)
    session = context.reader.read(wanted)
    # What an agent said stands in the agent's own conversation.
    agent = next((one for one in session.agents if uuid in one.tree.number), None)
    if uuid in session.tree.number or not uuid:
        agent = None
    speaker = agent or session
    branch = asked.tip or uuid
    draft = draft_slice(
        SliceRequest(
            speaker,
            session=row.id,
            branch=_find_message(speaker, branch) if branch else None,
            start=_find_message(speaker, uuid) if uuid else None,
            before=asked.before,
            after=asked.after,
            include=frozenset(asked.include),
        )
    )
    draft.head = {
        "session": as_identifier(row.id),
        "title": Quote(row.title, _TITLE),
        "agent": Quote(agent.type or agent.id, 60) if agent is not None else None,
        **draft.head,
        "partial": context.history.partial,
    }
    return draft


def _find_message(session: "library.Session", wanted: str) -> str:
    try:
        return library.find_message(session, wanted)
    except BoughError as error:
        raise Misuse(f"No single message of that session begins with {wanted[:80]!r}.") from error


def sessions(context: ToolContext, asked: SessionsArguments) -> Draft:
    """Draft rows of the list of sessions."""
    history = context.history
    folders = {one.folder: one.id for one in history.select_projects(asked.project)}
    rows = [row for row in history.rows.values() if folder_of(row) in folders]
    if asked.since is not None:
        since = library.SessionFilter(since=asked.since)
        rows = library.filter_sessions(rows, since, datetime.now(UTC), library.load_zone())
    if asked.pr is not None:
        rows = [row for row in rows if any(one.number == asked.pr for one in row.pull_requests)]
    if asked.file is not None:
        touched = _find_sessions_of_file(context, asked.file, list(folders))
        rows = [row for row in rows if row.id in touched]
    start = _parse_offset(asked.cursor)
    shown = rows[start : start + asked.limit]
    behind = start + len(shown)
    head = {
        "total": len(rows),
        "partial": history.partial,
        "next": str(behind) if behind < len(rows) else None,
    }
    items = [_describe_row(row) for row in shown]
    names = [row.id for row in shown]
    return Draft(head, "sessions", items, lambda count: {"next": str(start + count)}, names)


def _find_sessions_of_file(context: ToolContext, file: str, folders: list[str]) -> set[str]:
    page = library.search(
        f'file:"{_escape_quotes(file)}"',
        newest=True,
        limit=500,
        within=folders,
        excerpts=False,
        index=context.history.handle,
    )
    return {hit.session for hit in page.hits}


def _describe_row(row: "library.SessionRow") -> Fields:
    return {
        "session": as_identifier(row.id),
        "title": Quote(row.title, _TITLE),
        "started": as_moment(row.started_at),
        "ended": as_moment(row.ended_at),
        "turns": row.turns,
        "branches": row.tips if row.tips > 1 else None,
        "git_branch": Quote(row.git_branch, 80) if row.git_branch else None,
        "pull_requests": [one.number for one in row.pull_requests],
        "deleted": True if row.deleted_at else None,
    }


def decisions(context: ToolContext, asked: DecisionsArguments) -> Draft:
    """Draft candidates for decisions about a topic."""
    history = context.history
    page = library.find_decisions(
        asked.about,
        context.reader,
        within=history.select_folders(asked.project),
        index=history.handle,
    )
    found = [one for one in page.found if isinstance(one, library.DecisionCandidate)]
    head = {
        "found": f"{len(found)} candidates; whether one is a decision is for you to judge",
        "partial": [*page.partial, *history.partial],
    }
    items = [
        {
            "place": as_place(one.session, one.uuid),
            "when": as_moment(one.timestamp),
            "evidence": one.how,
            "branch": "active" if one.active else "tried and left",
            "text": Quote(one.text, _PARAGRAPH),
        }
        for one in found[: asked.limit]
    ]
    names = [one.session for one in found[: asked.limit]]
    return Draft(head, "candidates", items, quoted_sessions=names)


def file_history(context: ToolContext, asked: FileHistoryArguments) -> Draft:
    """Draft who touched a file."""
    history = context.history
    page = library.find_file_uses(
        asked.path,
        context.reader,
        limit=asked.limit,
        within=history.select_folders(asked.project),
        index=history.handle,
    )
    items = [
        {
            "place": as_place(one.session, one.uuid),
            "when": as_moment(one.timestamp),
            "did": "changed" if one.changed else "touched",
            "tool": Quote(one.tool, 60),
            "agent": Quote(one.agent, 60) if one.agent else None,
            "branch": "active" if one.active else "left behind",
            "turn": as_place(one.session, one.turn) if one.turn else None,
            "prompt": Quote(one.prompt, _LINE) if one.prompt else None,
        }
        for one in page.found
        if isinstance(one, library.FileUse)
    ]
    head = {"total": page.looked_at, "partial": [*page.partial, *history.partial]}
    return Draft(head, "uses", items)


def before(context: ToolContext, asked: BeforeArguments) -> Draft:
    """Draft where the same command or error was seen, and what was run next."""
    if (asked.command is None) == (asked.error is None):
        raise Misuse("Give a command or an error, and not both.")
    history = context.history
    page = library.find_earlier_places(
        context.reader,
        command=asked.command,
        error=asked.error,
        within=history.select_folders(asked.project),
        index=history.handle,
    )
    found = [one for one in page.found if isinstance(one, library.EarlierPlace)]
    head = {
        "found": len(found),
        "partial": [*page.partial, *history.partial],
    }
    return Draft(head, "places", [_describe_place(one) for one in found[: asked.limit]])


def _describe_place(one: "library.EarlierPlace") -> Fields:
    run = one.run
    return {
        "place": as_place(one.session, run.uuid),
        "when": as_moment(run.timestamp),
        "branch": "active" if run.active else "left behind",
        "command": Quote(run.command, _LINE),
        "failed": run.failed,
        "exit_code": run.exit_code,
        "error": Quote(run.error, _LINE) if run.error else None,
        "run_next": Quote(run.next, _LINE) if run.next else None,
        "run_next_place": as_place(one.session, run.next_uuid) if run.next else None,
        "run_next_failed": run.next_failed or None,
        "not_seen_again_in_sessions": one.held_in or None,
    }


def usage(context: ToolContext, asked: UsageArguments) -> Draft:
    """Draft what was spent, project by project."""
    history = context.history
    projects = {one.id: one.name for one in history.select_projects(asked.project)}
    # One question for all of them: a call that two of them have copies of is counted once.
    table = library.usage(
        asked.report,
        since=asked.since,
        by="project",
        within=list(projects),
        index=history.handle,
    )
    items: list[Fields] = [
        {
            "project": Quote(projects[name], 80),
            asked.report: Quote(row.key, 80),
            **library.amount_document(amount),
            "unpriced_models": None,
        }
        for row in table.rows
        if not (history.is_shared and asked.report == "session" and row.key not in history.rows)
        for name, amount in row.by.items()
    ]
    head = {
        "counted": "each API call once, as the transcripts report it; costs by list prices",
        "partial": [*history.partial, *([_SHARED] if history.is_shared else [])],
    }
    return Draft(head, "rows", items)


def compare(context: ToolContext, asked: CompareArguments) -> Draft:
    """Draft how two branches of a session differ."""
    session = context.reader.read(asked.session)
    tips = [
        one if one == "active" else _find_message(session, one)
        for one in (asked.tip_a, asked.tip_b)
    ]
    found = library.compare(session, *tips)
    sides = {"a": found.a, "b": found.b}
    head = {
        "session": as_identifier(session.id),
        "shared_turns": found.shared,
        "parting": Quote(found.parting.uuid, 80) if found.parting else None,
        "active": next((name for name, side in sides.items() if side.active), None),
        "partial": context.history.partial,
    }
    files = {"a": found.only_a, "b": found.only_b, "both": found.both}
    items: list[Fields] = [
        {"files": name, "paths": [Quote(path, 160) for path in paths[:20]]}
        for name, paths in files.items()
        if paths
    ]
    items += [
        {
            "side": name,
            "place": as_place(session.id, turn.uuid),
            "when": as_moment(turn.timestamp),
            "prompt": Quote(turn.prompt, _LINE),
            "answer": Quote(turn.answer, _LINE),
            "steps": turn.steps,
            "failed": turn.failed or None,
        }
        for name, side in sides.items()
        for turn in side.turns
    ]
    return Draft(head, "differences", items)


def dropped(context: ToolContext, asked: DroppedArguments) -> Draft:
    """Draft what a compaction took out of the context."""
    session = context.reader.read(asked.session)
    part = library.find_dropped(session.conversation(), asked.compaction)
    head: Fields = {"session": as_identifier(session.id), "partial": context.history.partial}
    if part is None:
        return Draft({**head, "found": "no such compaction in this conversation"}, "dropped", [])
    head |= {
        "compaction": part.number,
        "compactions": part.count,
        "when": as_moment(part.timestamp),
    }
    items: list[Fields] = [
        {
            "kind": "prompt",
            "place": as_place(session.id, one.uuid),
            "text": Quote(one.text, _PARAGRAPH),
        }
        for one in part.prompts
    ]
    if part.files:
        items.append({"kind": "files", "paths": [Quote(path, 160) for path in part.files[:50]]})
    items += [
        {
            "kind": "command",
            "place": as_place(session.id, one.uuid),
            "text": Quote(one.command, _LINE),
            "exit_code": one.exit_code,
            "failed": one.failed or None,
        }
        for one in reversed(part.commands)
    ]
    return Draft(head, "dropped", items)


class ToolSpec(Struct, frozen=True):
    """A tool: what it is called, what an agent is told of it, what it takes and does."""

    name: str
    description: str
    arguments: type[Any]
    answer: Callable[[ToolContext, Any], Draft]


TOOLS: Final = (
    ToolSpec(
        "search",
        "Search earlier conversations of this project: prompts, answers, tool calls, results.",
        SearchArguments,
        search,
    ),
    ToolSpec(
        "read",
        "Read a part of an earlier conversation around a place that another tool named.",
        ReadArguments,
        read,
    ),
    ToolSpec("sessions", "List earlier sessions, newest first.", SessionsArguments, sessions),
    ToolSpec(
        "decisions",
        "Find sentences of earlier conversations that may have settled something about a topic. "
        "Candidates with evidence, not verdicts.",
        DecisionsArguments,
        decisions,
    ),
    ToolSpec(
        "file_history",
        "Find which earlier turns changed or read a file, and what was asked then.",
        FileHistoryArguments,
        file_history,
    ),
    ToolSpec(
        "before",
        "Find where this command failed or this error was seen before, and what was run next "
        "after which it did not come back. Give one of the two.",
        BeforeArguments,
        before,
    ),
    ToolSpec("usage", "Count tokens and costs of earlier sessions.", UsageArguments, usage),
    ToolSpec(
        "compare",
        "Compare two branches of a session: prompts, answers and files of each.",
        CompareArguments,
        compare,
    ),
    ToolSpec(
        "dropped",
        "List what a compaction dropped from a session: prompts, commands, files.",
        DroppedArguments,
        dropped,
    ),
)

PROFILES: Final = {
    "all": tuple(tool.name for tool in TOOLS),
    "memory": ("search", "read", "decisions"),
}


def _require_plain(text: str) -> str:
    if '"' in text:
        raise Misuse("A date has no quotes in it.")
    return text


def _escape_quotes(text: str) -> str:
    return text.replace('"', '""')


def _parse_offset(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not cursor.isascii() or not cursor.isdigit() or len(cursor) > 9:
        raise Misuse("That is not a cursor of this tool.")
    return int(cursor)
