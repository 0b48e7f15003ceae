"""Writing a team's store: the calls of the local index's writer, sent many rows at once.

Rows are gathered and sent for many small files at once; a file is in one transaction whole, and
transactions stay short. Numbers are hashes, so nothing is asked before it is written, and what is
sent twice is the same rows. Bytes and JSON of records come from the sources that the store was
given: where these give redacted bytes, nothing else is ever sent.
"""

import hashlib
import os
import re
import uuid
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from bough.errors import Unreadable
from bough.files.byte_source import SourceFinder
from bough.store.postgres.administration.kept_json import read_json_choice
from bough.store.postgres.frame_bytes import FrameRow, pack_bytes, pack_frames
from bough.store.postgres.packed_columns import pack_column
from bough.store.postgres.record_bodies import build_bodies, clean_text
from bough.store.postgres.server_connection import ServerConnection, cut_rows
from bough.store.postgres.word_rows import build_word_rows, find_kinds
from bough.store.rows import (
    AgentInfo,
    CompanionRow,
    ConversationFacts,
    FileState,
    MachineRow,
    ProjectRow,
    RowBatch,
    SessionFacts,
)

_PROJECT_COLUMNS: Final = (
    *("id", "machine_id", "identity", "repository"),
    *("folder", "dir", "path", "name", "worktree_of"),
)
_STATE_COLUMNS: Final = (
    *("session", "role", "agent", "device", "inode", "size", "mtime_ns", "head_length", "head"),
    *("tail", "meta_mtime_ns", "title_mtime_ns", "read_to", "lines", "deleted_at"),
)
_FILE_COLUMNS: Final = ("id", "machine_id", "path", "project_id", *_STATE_COLUMNS)
_PUT_FILE: Final = "on conflict (id) do update set " + ", ".join(
    [*(f'"{name}" = excluded."{name}"' for name in _FILE_COLUMNS[1:]), "pushed = now()"]
)
_PLACE: Final = ("file_id", "project_id", "offset")
_RECORD_COLUMNS: Final = (
    *_PLACE,
    *("length", "line", "kind", "uuid", "parent_uuid", "timestamp", "model", "tool"),
    *("message_id", "failed", "image", "branch", "active", "kinds"),
)
_SUM_COLUMNS: Final = (
    *("file_id", "project_id", "number", "quarter", "step", "special", "offset", "model", "calls"),
    *("input_tokens", "output_tokens", "cache_creation_tokens", "cache_read_tokens"),
    *("cache_creation_1h_tokens", "web_searches", "speed", "rank", "first_at", "last_at"),
    "origin",
)
# Of a batch: the table, its columns behind the place, and how many of a row tell it from others.
_ROWS: Final[dict[str, tuple[str, tuple[str, ...], int]]] = {
    "summaries": ("summary", ("leaf_uuid", "text"), 1),
    "usage": (
        "usage",
        (
            *("message_id", "request_id", "model", "timestamp", "input_tokens", "output_tokens"),
            *("cache_creation_tokens", "cache_read_tokens", "cache_creation_1h_tokens"),
            *("web_searches", "speed", "rank", "origin"),
        ),
        1,
    ),
    "calls": ("call", ("call_id", "name", "timestamp"), 2),
    "results": (
        "result",
        ("call_id", "timestamp", "failed", "refused", "bytes", "duration_ms"),
        2,
    ),
    "touches": ("touch", ("call_id", "path", "tool", "timestamp"), 2),
    "hooks": (
        "hook",
        (
            *("number", "call_id", "event", "command", "outcome", "duration_ms", "source"),
            "timestamp",
        ),
        2,
    ),
    "agent_runs": (
        "agent_run",
        ("call_id", "source", "type", "status", "tokens", "steps", "duration_ms", "timestamp"),
        2,
    ),
    "prompts": ("prompt", ("uuid", "timestamp"), 1),
    "troubles": ("trouble", ("uuid", "kind", "reason", "detail", "timestamp"), 1),
    "compactions": (
        "compaction",
        ("uuid", "trigger", "tokens_before", "tokens_after", "timestamp"),
        1,
    ),
    "stops": ("stop", ("reason",), 1),
}
_TIE_COLUMNS: Final = (*_PLACE, "agent", "call_id", "known_by")
_BY_OFFSET: Final = (
    *("record", "frame", "body", "outline", "summary", "usage", "call", "result", "touch"),
    *("hook", "agent_run", "prompt", "trouble", "compaction", "stop", "tie"),
)
_NOT_KEPT_OF_DELETED: Final = (*("record", "frame", "body", "outline", "summary", "touch", "stop"),)
_PUT_WORDS: Final = """
    select put_words(%s::bigint[], %s::bigint[], %s::bigint[], %s::text[], %s::integer[],
        %s::integer[], %s::text[])
"""
_WORD_TYPES: Final = ("bigint", "bigint", "bigint", "text", "integer", "integer", "text")
_DROP_WORDS: Final = "select drop_words(%s, %s)"
_SESSION_COLUMNS: Final = tuple(
    name for name in SessionFacts.__struct_fields__ if name not in ("conversations", "branches")
)
_CONVERSATION_COLUMNS: Final = ConversationFacts.__struct_fields__
_PUT_BRANCHES: Final = """
    update record set branch = %(branch)s, active = %(active)s
    where file_id = %(file)s and "offset" >= %(start)s and "offset" < %(end)s
    and (branch is distinct from %(branch)s or active is distinct from %(active)s)
"""
_KIN: Final = """
    insert into unsummed
    select distinct o.file_id, o.project_id, %(by)s::uuid from usage u
    join usage o on o.message_id = u.message_id and o.file_id <> u.file_id
    join project p on p.id = o.project_id
    join machine m on m.id = p.machine_id
    where u.file_id = %(file)s and u."offset" >= %(offset)s and m.owner = %(owner)s
    on conflict do nothing
"""
_UNSUMMED_COLUMNS: Final = ("file_id", "project_id", "written_by")
_AGENT_COLUMNS: Final = ("id", "agent_type", "agent_description", "agent_call")
_NOTHING: Final = "on conflict do nothing"
_NOW: Final = "pushed = now()"
_MACHINE: Final = """
    insert into machine (id, owner, name, prefix) values (%(id)s, %(owner)s, %(name)s, %(prefix)s)
    on conflict (id) do update set owner = excluded.owner, name = excluded.name
"""
_SET_FORM: Final = "update file set redaction = %s where id = any(%s) and redaction < %s"
_PREFIX: Final = "select free_prefix(%s, %s)"
_WRITING: Final = """
    insert into writing values (%(machine)s, %(writer)s)
    on conflict (machine_id) do update set writer = excluded.writer
"""
_NOT_WRITING: Final = "delete from writing where machine_id = %(machine)s"
_ROWS_AT_ONCE: Final = 20_000
_BYTES_AT_ONCE: Final = 8 << 20
_END: Final = 1 << 62

Runs = Sequence[tuple[int, int, int]]


def number_of(*parts: str) -> int:
    """Make a number of some words: 63 bits of their hash, the same on every machine."""
    digest = hashlib.sha256("\0".join(map(clean_text, parts)).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


def number_of_file(machine: str, path: str) -> int:
    """Give the number of a file, or of a companion, of a machine."""
    return number_of("file", machine, path)


def put_machine(connection: ServerConnection, machine: MachineRow) -> str:
    """Keep what a machine is called; give what stands before its paths."""
    name = clean_text(re.sub(r"[/\\:\0]", "-", machine.name.strip())) or "machine"
    found = connection.fetch_one(_PREFIX, [machine.id, name])
    prefix = str(found[0]) if found else f"//{name}"
    values = {"id": machine.id, "owner": machine.owner, "name": name, "prefix": prefix}
    connection.run(_MACHINE, values)
    row = connection.fetch_one("select prefix from machine where id = %s", [machine.id])
    return str(row[0]) if row else prefix


class PostgresWriter:
    """Writes the files of one machine; nothing is kept before the transaction of a file ends."""

    def __init__(
        self,
        connection: ServerConnection,
        machine: MachineRow,
        sources: SourceFinder,
    ) -> None:
        self._connection = connection
        self._machine = machine
        self._sources = sources
        self.prefix = put_machine(connection, machine)
        self._json = read_json_choice(connection)
        self._by = uuid.uuid4()
        self._current: int | None = None
        self._paths: dict[int, str] = {}
        self._projects: dict[int, int] = {}
        self._project_rows: dict[int, tuple[object, ...]] = {}
        self._file_rows: dict[int, tuple[object, ...]] = {}
        self._agents: dict[int, tuple[object, ...]] = {}
        self._titles: dict[int, tuple[object, ...]] = {}
        self._updates: list[tuple[str, list[object]]] = []
        self._facts: dict[int, SessionFacts] = {}
        self._changed: dict[int, int] = {}
        self._rows: dict[str, list[tuple[object, ...]]] = {}
        self._words: list[tuple[object, ...]] = []
        self._ties: list[tuple[object, ...]] = []
        self._row_count = 0
        self._byte_count = 0
        connection.run("begin")

    # -- the calls of every writer ----------------------------------------------------------

    def project(self, row: ProjectRow) -> int:
        """Keep what a project is called; give its number."""
        number = number_of("project", self._machine.id, row.folder)
        named = row.repository or f"{self._machine.id} {row.path or row.folder}"
        identity = number_of("identity", named)
        place = (number, self._machine.id, identity, row.repository, self.prefix + row.folder)
        self._project_rows[number] = _clean_row(
            (*place, row.dir, row.path, row.name, row.worktree_of)
        )
        return number

    def file(self, project: int, state: FileState) -> int:
        """Keep the state of a file; give its number."""
        number = number_of_file(self._machine.id, state.path)
        self._end_file(number)
        self._paths[number] = state.path
        self._projects[number] = project
        values = (getattr(state, name) for name in _STATE_COLUMNS)
        row = (number, self._machine.id, self.prefix + state.path, project, *values)
        self._file_rows[number] = _clean_row(row)
        self._note_change(number)
        return number

    def agent(self, file: int, info: AgentInfo) -> None:
        """Keep what is known of an agent."""
        self._agents[file] = _clean_row((file, info.type, info.description, info.call))

    def title(self, file: int, title: str | None) -> None:
        """Keep the title from a session's sidecar."""
        self._titles[file] = _clean_row((file, title))

    def add(self, file: int, batch: RowBatch, runs: Runs = ()) -> None:
        """Add the rows of a stretch of a file, on the branches known so far; and its bytes."""
        project = self._find_project(file)
        self._note_change(file)
        place = (file, project)
        data = self._read_stretch(file, batch)
        self._add_records(place, batch, runs, data)
        for name, (table, columns, key) in _ROWS.items():
            self._put_rows(
                table,
                (*_PLACE, *columns),
                ((*place, *row) for row in _drop_repeats(getattr(batch, name), key)),
            )
        self._ties += (_clean_row((*place, *row)) for row in batch.ties)
        outlines = ((*place, *part) for part in batch.outlines)
        self._put_rows("outline", (*_PLACE, "lines"), outlines)

    def branches(self, file: int, runs: Runs) -> None:
        """Mark which records of a file are on which branch; only what changed is written."""
        if not runs:
            return
        self.flush()
        ends = [*(run[0] for run in runs[1:]), _END]
        for (start, branch, active), end in zip(runs, ends, strict=True):
            values = {"file": file, "start": start, "end": end, "branch": branch, "active": active}
            self._connection.run(_PUT_BRANCHES, values)

    def facts(self, file: int, facts: SessionFacts) -> None:
        """Keep a session's facts."""
        self._find_project(file)
        self._facts[file] = facts

    def drop_from(self, file: int, offset: int) -> None:
        """Forget what was read of a file from an offset on."""
        self.flush()
        self._mark_kin(file, offset)
        for table in _BY_OFFSET:
            self._connection.run(
                f'delete from {table} where file_id = %s and "offset" >= %s', [file, offset]
            )
        self._connection.run(_DROP_WORDS, [file, offset])

    def clear(self, file: int) -> None:
        """Forget the rows of a file that is read anew."""
        self.flush()
        self._mark_kin(file)
        for table in (*_BY_OFFSET, "conversation", "session"):
            self._connection.run(f"delete from {table} where file_id = %s", [file])
        self._connection.run(_DROP_WORDS, [file, 0])

    def forget(self, file: int) -> None:
        """Forget a file altogether, what lies beside it too where it is a session's own."""
        self.clear(file)
        self._connection.run(
            """
            delete from frame where file_id in (
                select c.id from companion c join file f on f.id = %s and f.role = 'session'
                and f.session = c.session and f.machine_id = c.machine_id)
            """,
            [file],
        )
        self._connection.run(
            """
            delete from companion c using file f where f.id = %s and f.role = 'session'
            and f.session = c.session and f.machine_id = c.machine_id
            """,
            [file],
        )
        self._connection.run("delete from file where id = %s", [file])

    def deleted(self, file: int, moment: str) -> None:
        """Note that a file is gone; its session stays listed, with its numbers."""
        self.flush()
        self._note_change(file)
        for table in _NOT_KEPT_OF_DELETED:
            self._connection.run(f"delete from {table} where file_id = %s", [file])
        self._connection.run(_DROP_WORDS, [file, 0])
        self._connection.run(
            "update file set deleted_at = coalesce(deleted_at, %s), pushed = now() where id = %s",
            [moment, file],
        )

    def place(self, file: int, device: int, inode: int) -> None:
        """Note where the bytes of a file are on its machine."""
        self._updates.append(
            ("update file set device = %s, inode = %s where id = %s", [device, inode, file])
        )

    def step(self, done: int, total: int) -> None:
        """Make everything so far last, and say how far the work is."""
        share = 100 * done // total if total else 100
        self.flush()
        self._commit(f"pid {os.getpid()}, {share}%")

    # -- what only a team's store keeps -----------------------------------------------------

    def redaction(self, paths: Iterable[str], form: int) -> None:
        """Keep by which rules the secrets of files are hidden now."""
        numbers = [number_of_file(self._machine.id, path) for path in paths]
        self._updates.append((_SET_FORM, [form, numbers, form]))

    def companion(self, project: int, row: CompanionRow, data: bytes) -> int:
        """Keep something that lies beside a transcript, with its bytes."""
        number = number_of_file(self._machine.id, row.path)
        self.flush()
        self._connection.run("delete from frame where file_id = %s", [number])
        place = (row.session, self.prefix + row.path, row.size, row.mtime_ns)
        self._connection.run(
            """
            insert into companion (id, machine_id, project_id, session, path, size, mtime_ns)
            values (%s, %s, %s, %s, %s, %s, %s)
            on conflict (id) do update set project_id = excluded.project_id,
                size = excluded.size, mtime_ns = excluded.mtime_ns
            """,
            [number, self._machine.id, project, *_clean_row(place)],
        )
        frames = [(0, len(data), pack_bytes(data))] if data else []
        self._put_frames((number, project), frames)
        return number

    # -- sending ----------------------------------------------------------------------------

    def flush(self) -> None:
        """Send what was gathered; it lasts when the transaction ends."""
        connection = self._connection
        _put_projects(connection, list(self._project_rows.values()))
        connection.insert_rows("file", _FILE_COLUMNS, [*self._file_rows.values()], _PUT_FILE)
        connection.update_rows("file", _AGENT_COLUMNS, [*self._agents.values()], _NOW)
        connection.update_rows("file", ("id", "custom_title"), [*self._titles.values()], _NOW)
        for statement, values in self._updates:
            connection.run(statement, values)
        for name, rows in self._rows.items():
            table, _, columns = name.partition(" ")
            connection.insert_rows(table, columns.split(), rows)
        for part in cut_rows(self._words) if self._words else ():
            found = zip(_WORD_TYPES, zip(*part, strict=True), strict=True)
            connection.run(_PUT_WORDS, [pack_column(kind, values) for kind, values in found])
        connection.insert_rows("tie", _TIE_COLUMNS, self._ties, _NOTHING)
        self._send_facts()
        marks = [(*place, self._by) for place in sorted(self._changed.items())]
        connection.insert_rows("unsummed", _UNSUMMED_COLUMNS, marks, _NOTHING)
        self._project_rows, self._file_rows, self._updates = {}, {}, []
        self._agents, self._titles = {}, {}
        self._rows, self._words, self._ties, self._changed = {}, [], [], {}
        self._row_count = self._byte_count = 0

    def finish(self) -> None:
        """Make everything last."""
        self.flush()
        self._commit(None)

    def _commit(self, writer: str | None) -> None:
        statement = _NOT_WRITING if writer is None else _WRITING
        self._connection.run(statement, {"machine": self._machine.id, "writer": writer})
        self._connection.run("commit")
        self._by = uuid.uuid4()
        self._connection.run("begin")

    def _end_file(self, following: int) -> None:
        """Send files that are complete when they have become many, in a transaction of theirs."""
        if following != self._current:
            is_much = self._row_count > _ROWS_AT_ONCE or self._byte_count > _BYTES_AT_ONCE
            if self._current is not None and is_much:
                self.flush()
                self._commit(f"pid {os.getpid()}")
            self._current = following

    def _send_facts(self) -> None:
        if not self._facts:
            return
        files = list(self._facts)
        sessions, conversations = [], []
        for file, facts in self._facts.items():
            place = (file, self._projects[file])
            values = (getattr(facts, name) for name in _SESSION_COLUMNS)
            sessions.append(_clean_row((*place, *values)))
            for one in facts.conversations:
                values = (getattr(one, name) for name in _CONVERSATION_COLUMNS)
                conversations.append(_clean_row((*place, *values)))
        for table, columns, rows in (
            ("session", _SESSION_COLUMNS, sessions),
            ("conversation", _CONVERSATION_COLUMNS, conversations),
        ):
            self._connection.run(f"delete from {table} where file_id = any(%s)", [files])
            self._connection.insert_rows(table, ("file_id", "project_id", *columns), rows)
        self._facts = {}

    def _add_records(
        self, place: tuple[int, int], batch: RowBatch, runs: Runs, data: bytes | None
    ) -> None:
        records: list[tuple[object, ...]] = []
        words: list[tuple[object, ...]] = []
        branches = _follow_runs(batch.records, runs)
        for row, written, branch in zip(batch.records, batch.words, branches, strict=True):
            texts = list(build_word_rows(written)) if written is not None else []
            kinds = None if written is None else find_kinds(texts)
            records.append((*place, *row, *branch, kinds))
            moment = row[6] or ""
            words += ((*place, row[0], moment, *text) for text in texts)
        self._put_rows("record", _RECORD_COLUMNS, records)
        self._words += map(_clean_row, words)
        self._row_count += len(words)
        if data:
            self._add_bytes(place, batch, data)

    def _add_bytes(self, place: tuple[int, int], batch: RowBatch, data: bytes) -> None:
        """Add the bytes of a stretch as frames, and its records as JSON, a row for each frame."""
        first = _offset_of(batch.records[0])
        spans = [(_offset_of(row), _offset_of(row) + int(row[1])) for row in batch.records]  # type: ignore[call-overload] # a length
        frames = list(pack_frames(data, first, [end for _, end in spans]))
        self._put_frames(place, frames)
        self._byte_count += len(data)
        if self._json == "none":
            return
        ends = iter([*(frame[0] for frame in frames[1:]), _END])
        bodies: list[tuple[object, ...]] = []
        waiting = deque(spans)
        for (offset, _, _), end in zip(frames, ends, strict=True):
            inside: list[tuple[int, bytes]] = []
            while waiting and waiting[0][0] < end:
                start, stop = waiting.popleft()
                inside.append((start, data[start - first : stop - first]))
            if body := build_bodies(inside, self._json):
                bodies.append((*place, offset, body))
        # What they are made of is clean.
        self._put_rows("body", (*_PLACE, "bodies"), bodies, is_clean=True)

    def _put_frames(self, place: tuple[int, int], frames: Iterable[FrameRow]) -> None:
        self._put_rows("frame", (*_PLACE, "length", "data"), ((*place, *row) for row in frames))

    def _put_rows(
        self,
        table: str,
        columns: Sequence[str],
        rows: Iterable[tuple[object, ...]],
        *,
        is_clean: bool = False,
    ) -> None:
        known = self._rows.setdefault(f"{table} {' '.join(columns)}", [])
        before = len(known)
        known += rows if is_clean else map(_clean_row, rows)
        self._row_count += len(known) - before

    def _read_stretch(self, file: int, batch: RowBatch) -> bytes | None:
        """Read the bytes of a batch from the first to the last of its records."""
        path = self._paths.get(file)
        source = None if path is None or not batch.records else self._sources.find(path)
        if source is None:
            return None
        start, last = _offset_of(batch.records[0]), batch.records[-1]
        length = _offset_of(last) + int(last[1]) - start  # type: ignore[call-overload] # a length
        try:
            data = source.at(start, length)
        except Unreadable:
            return None
        return data if len(data) == length else None

    def _find_project(self, file: int) -> int:
        project = self._projects.get(file)
        if project is None:
            # What was not named in this writing was there before it.
            row = self._connection.fetch_one("select project_id from file where id = %s", [file])
            project = self._projects[file] = row[0] if row else 0
        return project

    def _note_change(self, file: int) -> None:
        """Note that the sums of a file are to be made."""
        self._changed[file] = self._find_project(file)

    def _mark_kin(self, file: int, offset: int = 0) -> None:
        """Note, before a file's lines are forgotten, who shares messages with it."""
        self._note_change(file)
        self._connection.run(
            _KIN, {"file": file, "offset": offset, "by": self._by, "owner": self._machine.owner}
        )


def put_sums(
    connection: ServerConnection, sums: Iterable[tuple[int, int, Sequence[tuple[object, ...]]]]
) -> None:
    """Keep sums of usage: of each file its number, its project and all its rows."""
    rows = [
        (file, project, number, *row)
        for file, project, found in sums
        for number, row in enumerate(found)
    ]
    connection.insert_rows("usage_sum", _SUM_COLUMNS, rows)


def _put_projects(connection: ServerConnection, rows: Sequence[tuple[object, ...]]) -> None:
    """Keep projects in two steps: a row that is just being added is seen by nobody."""
    connection.insert_rows("project", _PROJECT_COLUMNS, rows, _NOTHING)
    connection.update_rows("project", _PROJECT_COLUMNS, rows)


def _follow_runs(
    records: Sequence[tuple[object, ...]], runs: Runs
) -> Iterator[tuple[int | None, int]]:
    """Give the branch of each record, and whether it is active."""
    waiting = list(reversed(runs))
    branch: int | None = None
    active = 0
    for row in records:
        while waiting and waiting[-1][0] <= _offset_of(row):
            _, branch, active = waiting.pop()
        yield branch, active


def _drop_repeats(rows: Sequence[tuple[object, ...]], key: int) -> Iterable[tuple[object, ...]]:
    """Keep the first of rows that are one to the table."""
    found: dict[tuple[object, ...], tuple[object, ...]] = {}
    for row in rows:
        found.setdefault(row[:key], row)
    return found.values()


def _offset_of(row: Sequence[Any]) -> int:
    return int(row[0])


def _clean_row(row: Iterable[object]) -> tuple[object, ...]:
    # Fast path: a tenth of the work of sending; most texts are ASCII without a zero.
    return tuple(
        [
            value
            if not isinstance(value, str) or (value.isascii() and "\0" not in value)
            else clean_text(value)
            for value in row
        ]
    )
