"""Questions about behaviour, in SQL.

Each narrows to the files in scope first. Then what was copied from file to file is joined
by the id it kept (a call's, a message's, a record's), and only then the time is looked
at: clients up to 1.0 stamp copies anew, and only the earliest is when it happened.

What is marked in a question as {rows of ...} is all rows of a table in scope, or a part of them.
"""

import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import msgspec

from bough.store.sqlite.connection import translate_errors
from bough.store.sqlite.stats_sums import count_missing, make_missing, open_sums
from bough.store.stats_protocol import (
    ALL_ROWS,
    IdSpace,
    IndexedAgentFile,
    IndexedAgentRun,
    IndexedAnswer,
    IndexedCall,
    IndexedCompaction,
    IndexedFileTouch,
    IndexedHookRun,
    IndexedPrompt,
    IndexedTrouble,
    RowPart,
    StatsScope,
    SumBuilder,
    SumParts,
)

_SCOPED = """
    with scoped as materialized (
        select file.id, session, role from {files}
        where (:session is null or session = :session)
        and (:projects is null or project_id in (select value from json_each(:projects)))
    )
"""
_FILES = "file"
_GIVEN_FILES = "json_each(:files) as part cross join file on file.id = part.value"
_ROWS = re.compile(r"\{rows of (\w+)\}")
_ALL = "scoped s cross join {table} t on t.file_id = s.id"
_IS_SHARED = "exists (select 1 from stats_shared where space = '{space}' and id = t.{key})"
# From the ids to the rows, where an index leads there.
_BY_ID = """
    stats_shared x cross join {table} t on x.space = '{space}' and t.{key} = x.id
    cross join scoped s on s.id = t.file_id
"""
# A touch stands where its call does.
_TOUCHES_BY_ID = """
    stats_shared x cross join call c on x.space = 'call' and c.call_id = x.id
    cross join touch t on t.file_id = c.file_id and t.offset = c.offset and t.call_id = c.call_id
    cross join scoped s on s.id = t.file_id
"""
_KEYS: dict[str, tuple[IdSpace, str]] = {
    "call": ("call", "call_id"),
    "result": ("call", "call_id"),
    "touch": ("call", "call_id"),
    "usage": ("message", "message_id"),
    "prompt": ("prompt", "uuid"),
}
_SHARED_ROWS = {
    "call": _BY_ID,
    "result": _BY_ID,
    "touch": _TOUCHES_BY_ID,
    "usage": _BY_ID,
    "prompt": f"{_ALL} and {_IS_SHARED}",
}
# Fast path: `bough stats tools`, half the time of a join. Calls and results stand in one heap,
# grouped once. The least of time and session says when and where a call was first made; ~ comes
# after every time.
_CALLS = """
    , told as (
        select t.file_id, t.call_id, t.name,
            coalesce(t.timestamp, '~') || ' ' || s.session as first,
            null as ended, null as failed, null as refused, null as bytes, null as duration_ms
        from {rows of call}
        union all
        select t.file_id, t.call_id, null, null, t.timestamp, failed, refused, bytes, duration_ms
        from {rows of result}
    )
    select min(file_id), max(name), min(first) as earliest, min(ended), max(failed), max(refused),
        max(bytes), max(duration_ms)
    from told
    group by call_id
    having earliest is not null
    and (:since is null or earliest >= :since and earliest < '~')
    and (:until is null or earliest < :until)
"""
_TOOLS = """
    select name, count(distinct call_id) as calls
    from scoped cross join call on file_id = id
    group by name order by calls desc, name
"""
_HOOKS = """
    select h.file_id, s.session, h.call_id, h.event, h.command, h.outcome, h.duration_ms,
        h.source, h.timestamp, {is_shared}
    from scoped s cross join hook h on h.file_id = s.id
    {where}
    order by h.file_id, h.offset, h.number
"""
_IS_SHARED_HOOK = """
    exists (
        select 1 from stats_shared
        where space = 'hook' and id = coalesce(h.call_id, h.timestamp, '')
    )
"""
# What a record repeats is told by all records of its file.
_HAS_SHARED_HOOK = f"""
    where s.id in (
        select h.file_id from scoped s cross join hook h on h.file_id = s.id
        where {_IS_SHARED_HOOK}
    )
"""
# Here the least of time and session picks the row whose other columns are given.
_TROUBLES = """
    , first as (
        select t.kind, t.reason, t.detail, s.session, t.timestamp,
            min(coalesce(t.timestamp, '~') || s.session)
        from trouble t join scoped s on s.id = t.file_id
        group by coalesce(t.uuid, t.file_id || ' ' || t.offset)
    )
    select kind, reason, detail, session, timestamp from first
    where (:since is null or timestamp >= :since) and (:until is null or timestamp < :until)
    order by timestamp
"""
_AGENT_RUNS = """
    select a.call_id, a.source, a.type, a.status, a.tokens, a.steps, a.duration_ms,
        (select max(r.failed) from result r where r.call_id = a.call_id), s.session, a.timestamp
    from agent_run a join scoped s on s.id = a.file_id
    where a.source <> 'brief'
    order by a.timestamp, s.session, a.offset
"""
_AGENT_FILES = """
    , called as (
        select file_id, count(distinct call_id) as steps from call
        where file_id in (select id from scoped where role = 'agent') group by file_id
    ),
    spoken as (
        select file_id, min(timestamp) as started, max(timestamp) as ended,
            max(offset) as last from usage
        where file_id in (select id from scoped where role = 'agent') group by file_id
    ),
    tied as (
        select agent, call_id, min(case known_by
            when 'result' then 1 when 'progress' then 2 when 'queue' then 3 else 4 end)
        from tie where known_by <> 'text' group by agent
    )
    select f.agent, coalesce(f.agent_type, a.type), coalesce(f.agent_call, t.call_id), f.session,
        coalesce(c.steps, 0),
        u.input_tokens + u.output_tokens + u.cache_creation_tokens + u.cache_read_tokens,
        p.started, p.ended
    from file f
    join scoped s on s.id = f.id
    left join called c on c.file_id = f.id
    left join spoken p on p.file_id = f.id
    left join usage u on u.file_id = f.id and u.offset = p.last
    left join tied t on t.agent = f.agent
    left join agent_run a on a.file_id = f.id and a.source = 'brief'
    where f.role = 'agent'
    order by p.started, f.path
"""
_ANSWERS = """
    , first as (
        select t.file_id, t.model, s.session, t.rank < 2 as agent, t.timestamp,
            min(coalesce(t.timestamp, '~') || (2 - t.rank) || s.session)
        from {rows of usage}
        group by coalesce(t.message_id, t.file_id || ' ' || t.offset)
    )
    select file_id, model, session, agent, timestamp from first
    where (:since is null or timestamp >= :since) and (:until is null or timestamp < :until)
"""
_COMPACTIONS = """
    , first as (
        select c.trigger, c.tokens_before, c.tokens_after, s.session, c.timestamp,
            min(coalesce(c.timestamp, '~') || s.session)
        from compaction c join scoped s on s.id = c.file_id
        group by coalesce(c.uuid, c.file_id || ' ' || c.offset)
    )
    select trigger, tokens_before, tokens_after, session, timestamp from first
    where (:since is null or timestamp >= :since) and (:until is null or timestamp < :until)
    order by timestamp
"""
_TOUCHES = """
    , first as (
        select t.file_id, t.call_id, t.path, t.tool, s.session, t.timestamp,
            min(coalesce(t.timestamp, '~') || s.session)
        from {rows of touch}
        group by t.call_id
    )
    select file_id, path, tool, session,
        (select max(r.failed) from result r where r.call_id = first.call_id), timestamp
    from first
    where (:since is null or timestamp >= :since) and (:until is null or timestamp < :until)
"""
_PROMPTS = """
    , first as (
        select t.file_id, s.session, t.timestamp, min(coalesce(t.timestamp, '~') || s.session)
        from {rows of prompt}
        group by coalesce(t.uuid, t.file_id || ' ' || t.offset)
    )
    select file_id, session, timestamp from first
    where (:since is null or timestamp >= :since) and (:until is null or timestamp < :until)
"""
_OWN_SESSIONS = """
    select distinct scoped.session
    from scoped join session on session.file_id = scoped.id
    where session.tips > 0
"""


class SqliteStatsSource:
    """Answers questions about behaviour from an open index."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path

    def calls(self, scope: StatsScope, part: RowPart = ALL_ROWS) -> Iterator[IndexedCall]:
        """Give every call of a tool, each once."""
        for file, name, first, *rest in self._run_query(_CALLS, scope, part):
            moment, _, session = first.partition(" ")
            yield IndexedCall(file, name, session, None if moment == "~" else moment, *rest)

    def tools(self, scope: StatsScope) -> list[tuple[str, int]]:
        """Name the tools that were ever called, and how often, the most used first."""
        return [(name, calls) for name, calls in self._run_query(_TOOLS, scope)]

    def hook_runs(self, scope: StatsScope, part: RowPart = ALL_ROWS) -> Iterator[IndexedHookRun]:
        """Give what records tell about hooks, whenever they ran, file by file."""
        question = _HOOKS.replace("{is_shared}", "0" if part.shared is None else _IS_SHARED_HOOK)
        question = question.replace("{where}", _HAS_SHARED_HOOK if part.shared else "")
        return map(IndexedHookRun._make, self._run_query(question, scope, part))

    def troubles(self, scope: StatsScope) -> Iterator[IndexedTrouble]:
        """Give what went wrong, in the order it happened."""
        return map(IndexedTrouble._make, self._run_query(_TROUBLES, scope))

    def agent_reports(self, scope: StatsScope) -> Iterator[IndexedAgentRun]:
        """Give what records tell about agents, whenever they ran."""
        return map(IndexedAgentRun._make, self._run_query(_AGENT_RUNS, scope))

    def agent_files(self, scope: StatsScope) -> Iterator[IndexedAgentFile]:
        """Give the agents that have files, whenever they ran."""
        return map(IndexedAgentFile._make, self._run_query(_AGENT_FILES, scope))

    def answers(self, scope: StatsScope, part: RowPart = ALL_ROWS) -> Iterator[IndexedAnswer]:
        """Give the answers of models, each once."""
        return map(IndexedAnswer._make, self._run_query(_ANSWERS, scope, part))

    def compactions(self, scope: StatsScope) -> Iterator[IndexedCompaction]:
        """Give the compactions, in the order they happened."""
        return map(IndexedCompaction._make, self._run_query(_COMPACTIONS, scope))

    def touches(self, scope: StatsScope, part: RowPart = ALL_ROWS) -> Iterator[IndexedFileTouch]:
        """Give the calls that read or changed a file."""
        return map(IndexedFileTouch._make, self._run_query(_TOUCHES, scope, part))

    def prompts(self, scope: StatsScope, part: RowPart = ALL_ROWS) -> Iterator[IndexedPrompt]:
        """Give what people said, each once."""
        return map(IndexedPrompt._make, self._run_query(_PROMPTS, scope, part))

    def own_sessions(self, scope: StatsScope) -> Iterator[str]:
        """Name the sessions that lists have; of others only agents said something."""
        return (session for (session,) in self._run_query(_OWN_SESSIONS, scope))

    def open_sums(
        self, builder: SumBuilder, scope: StatsScope
    ) -> AbstractContextManager[SumParts | None]:
        """Say what a total is made of, and let nothing change while it is made."""
        return open_sums(self._connection, self._path, builder, scope, self)

    def count_missing(self, builders: Iterable[SumBuilder]) -> int:
        """Count the sums that are still to be made."""
        with translate_errors(self._path):
            return count_missing(self._connection, builders)

    def make_sums(self, builder: SumBuilder) -> None:
        """Make the sums of a kind that are missing while nobody waits, with rests for others."""
        with translate_errors(self._path):
            make_missing(self._connection, builder, self, rests=True)

    def _run_query(
        self, question: str, scope: StatsScope, part: RowPart = ALL_ROWS
    ) -> Iterator[tuple[Any, ...]]:
        """Give rows as they are asked for: a large history has half a million of a kind."""
        scoped = _SCOPED.format(files=_FILES if part.files is None else _GIVEN_FILES)
        chosen = _ROWS.sub(lambda found: _choose_rows(found[1], part), question)
        values = bind_scope(scope) | {"files": msgspec.json.encode(part.files).decode()}
        with translate_errors(self._path):
            yield from self._connection.execute(scoped + chosen, values)


def _choose_rows(table: str, part: RowPart) -> str:
    space, key = _KEYS[table]
    pattern = _SHARED_ROWS[table] if part.shared else _ALL
    if part.shared is False:
        pattern += f" and not {_IS_SHARED}"
    return pattern.format(table=table, space=space, key=key)


def bind_scope(scope: StatsScope) -> dict[str, object]:
    """Give the values of a scope to the statements that ask about it."""
    projects = scope.projects
    return {
        "session": scope.session,
        "projects": None if projects is None else msgspec.json.encode(projects).decode(),
        "since": scope.since,
        "until": scope.until,
    }
