"""Usage questions: what every file's lines report of API calls.

Half of all lines repeat what another line of their file says better, and reading a row
costs more than counting it. So what is left of each file when repeats are taken out is
kept, packed, in a table of its own: `total`. It is made when first asked, again for files
that have changed, and is worth nothing by itself; who cannot write just counts anew.
"""

import sqlite3
from collections.abc import Sequence

import msgspec

from bough.model.usage.across_files import FileUsage, ReportedUsage, keep_best_lines
from bough.store.protocol import AgentCallRow
from bough.store.sqlite.answer_cache import write_without_waiting

_FORM = 2
"""Raised when packs are made differently, so that old ones are not read."""

_CACHE = """
    create table if not exists spent (
        file_id integer primary key,
        form integer not null,
        size integer not null,
        mtime_ns integer not null,
        read_to integer not null,
        head blob not null,
        lines blob not null
    ) strict
"""
_HAS_CACHE = "select 1 from sqlite_master where name = 'spent' and type = 'table'"
_FILES = """
    select f.id, f.path, p.dir, f.session, f.agent, f.agent_type, f.agent_description, p.path,
        p.name, s.title, s.forked_from is not null, f.deleted_at is not null,
        f.size, f.mtime_ns, f.read_to, f.head
    from file f
    join project p on p.id = f.project_id
    left join session s on s.file_id = f.id
"""
_PACKS = "select file_id, form, size, mtime_ns, read_to, head, lines from spent"
_LINES = """
    select offset, message_id, request_id, model, timestamp, input_tokens, output_tokens,
        cache_creation_tokens, cache_read_tokens, cache_creation_1h_tokens, web_searches,
        speed, rank, origin
    from usage
    where file_id = :file order by offset
"""
_LINES_OF_CALLS = """
    select file_id, offset, message_id, request_id, model, timestamp, input_tokens,
        output_tokens, cache_creation_tokens, cache_read_tokens, cache_creation_1h_tokens,
        web_searches, speed, rank, origin
    from usage
    where file_id in (select value from json_each(:files))
        or message_id in (
            select message_id from usage where file_id in (select value from json_each(:files))
        )
    order by file_id, offset
"""
_KEEP = "insert or replace into spent values (?, ?, ?, ?, ?, ?, ?)"
_FORGET = "delete from spent where file_id not in (select id from file)"
_CALLS_OF_AGENTS = """
    select a.id, c.file_id, c.offset, c.name, 'meta' as known_by
    from file a join call c on c.call_id = a.agent_call
    where a.role = 'agent' and c.file_id <> a.id
    union all
    select a.id, c.file_id, c.offset, c.name, t.known_by
    from file a join tie t on t.agent = a.agent join call c on c.call_id = t.call_id
    where a.role = 'agent' and c.file_id <> a.id
"""

_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(list[ReportedUsage]).decode
_Pack = tuple[int, int, int, int, int, bytes, bytes]


def load_file_usage(connection: sqlite3.Connection) -> list[FileUsage]:
    """Give each file with the lines that may count; repeats inside it are left out."""
    packs = {pack[:6]: pack[6] for pack in _load_packs(connection)}
    found: list[FileUsage] = []
    fresh: list[_Pack] = []
    for row in connection.execute(_FILES).fetchall():
        number, *facts = row[:12]
        key = (number, _FORM, *row[12:])
        packed = packs.get(key)
        if packed is None:
            lines = keep_best_lines(_load_lines(connection, number))
            fresh.append((*key, _pack(lines)))
        else:
            lines = _unpack(packed)
        found.append(_build_file_usage(number, facts, lines))
    if fresh:
        _save_packs(connection, fresh)
    return found


def load_lines_of_calls(
    connection: sqlite3.Connection, files: Sequence[int]
) -> list[tuple[int, ReportedUsage]]:
    """Give every line, of any file, that reports a call which one of these files reports."""
    wanted = msgspec.json.encode(files).decode()
    rows = connection.execute(_LINES_OF_CALLS, {"files": wanted})
    return [(row[0], ReportedUsage(*row[1:])) for row in rows]


def load_agent_calls(connection: sqlite3.Connection) -> list[AgentCallRow]:
    """Give the calls that are said to have started agents."""
    return connection.execute(_CALLS_OF_AGENTS).fetchall()


def _build_file_usage(
    number: int, facts: Sequence[object], lines: list[ReportedUsage]
) -> FileUsage:
    path, project, session, agent, kind, description, cwd, name, title, forked, deleted = facts
    return FileUsage(
        str(path),
        str(project),
        str(session),
        lines,
        agent=_text_or_none(agent),
        agent_type=_text_or_none(kind),
        agent_description=_text_or_none(description),
        project_path=_text_or_none(cwd),
        project_name=_text_or_none(name),
        title=_text_or_none(title),
        forked=bool(forked),
        deleted=bool(deleted),
        number=number,
    )


def _text_or_none(value: object) -> str | None:
    return None if value is None else str(value)


def _load_lines(connection: sqlite3.Connection, file: int) -> list[ReportedUsage]:
    return [ReportedUsage(*row) for row in connection.execute(_LINES, {"file": file})]


def _load_packs(connection: sqlite3.Connection) -> list[_Pack]:
    if connection.execute(_HAS_CACHE).fetchone() is None:
        return []
    return connection.execute(_PACKS).fetchall()


def _save_packs(connection: sqlite3.Connection, packs: Sequence[_Pack]) -> None:
    """Keep packs for the next time, if the index can be written at once."""

    def keep() -> None:
        connection.execute(_CACHE)
        connection.executemany(_KEEP, packs)
        connection.execute(_FORGET)

    write_without_waiting(connection, keep)
