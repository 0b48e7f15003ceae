"""The SQLite store: opening, writing under a lock, and what the way in asks."""

import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from bough.files.byte_source import DISK, SourceFinder
from bough.files.directory import identity_of
from bough.store.rows import (
    AgentInfo,
    FileStamp,
    FileState,
    GoneSession,
    ListedConversation,
    ListedProject,
    ListedSession,
    ProjectRow,
    RowBatch,
    SessionFacts,
    SessionFileRow,
    SqlResult,
    TableColumns,
)
from bough.store.sqlite import lists as listing
from bough.store.sqlite import writer as writing
from bough.store.sqlite.answer_cache import change_state, load_answer, save_answer, state_of
from bough.store.sqlite.connection import (
    can_be_written,
    open_index,
    open_read_only,
    translate_errors,
)
from bough.store.sqlite.index_lock import IndexBusy, IndexReadOnly, WriterLock
from bough.store.sqlite.session_changes import (
    SessionChanges,
    load_changed_sessions,
    load_last_writing,
)

if TYPE_CHECKING:
    from bough.model.usage.across_files import FileUsage, ReportedUsage
    from bough.model.usage.sums import UsageSum
    from bough.store.protocol import AgentCallRow
    from bough.store.query_language import Query
    from bough.store.rows import ConversationSteps
    from bough.store.search_protocol import SearchFacets, SearchRequest, SearchRows
    from bough.store.sqlite.search import Searcher
    from bough.store.sqlite.stats import SqliteStatsSource
    from bough.store.usage_protocol import SumRequest

_STAMPS = """
    select path, size, mtime_ns, meta_mtime_ns, title_mtime_ns, device = -1
    from file where deleted_at is null
"""
_STATES = """
    select path, role, session, agent, device, inode, size, mtime_ns, head_length, head, tail,
        read_to, lines, meta_mtime_ns, title_mtime_ns, id, deleted_at
    from file
"""


_TITLES = b"titles from others"


class SqliteStore:
    """An index in one file."""

    def __init__(self, path: Path, *, reading: bool = False) -> None:
        self.path = path
        self.is_writable = not reading and can_be_written(path)
        self.connection = open_index(path) if self.is_writable else open_read_only(path)
        self._file = identity_of(path)
        self._titles: tuple[bytes, Mapping[int, list[str]]] | None = None

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()

    def release_pages(self) -> None:
        """Give back the memory of the pages that were read; they are read again when needed."""
        self.connection.execute("pragma shrink_memory")

    def is_current(self) -> bool:
        """Tell whether this is the index still: it may have been made anew since it was opened."""
        return identity_of(self.path) == self._file

    @contextmanager
    def writing(self) -> Iterator["SqliteWriter"]:
        """Become the writer, or raise IndexBusy or IndexReadOnly."""
        if not self.is_writable:
            raise IndexReadOnly(self.path)
        lock = WriterLock(self.path)
        with translate_errors(self.path):
            if not lock.acquire():
                raise IndexBusy(self._describe_writer())
            try:
                writer = SqliteWriter(self.connection)
                yield writer
                writer.finish()
            finally:
                if self.connection.in_transaction:
                    self.connection.execute("rollback")
                lock.release()

    def is_complete(self) -> bool:
        """Tell whether every reading so far came to its end."""
        with translate_errors(self.path):
            missing = writing.list_missing_indexes(self.connection)
            return not missing and writing.are_sums_complete(self.connection)

    def stamps(self) -> Mapping[str, FileStamp]:
        """Give the stamps of the files that were there when last looked, by path."""
        with translate_errors(self.path):
            return {row[0]: row[1:] for row in self.connection.execute(_STAMPS)}

    def states(self) -> Mapping[str, FileState]:
        """Give the files the index knows, by path."""
        with translate_errors(self.path):
            rows = self.connection.execute(_STATES)
            return {row[0]: FileState(*row) for row in rows}

    def outlines(self, file: int) -> Sequence[bytes]:
        """Give the packed outlines of a file, in order."""
        rows = self.connection.execute(
            "select lines from outline where file_id = ? order by offset", (file,)
        )
        return [row[0] for row in rows]

    def kinds(self, file: int) -> Mapping[str, int]:
        """Count the records of a file by kind."""
        rows = self.connection.execute(
            "select kind, count(*) from record where file_id = ? group by kind", (file,)
        )
        return dict(rows.fetchall())

    def tools(self, file: int) -> dict[str, str]:
        """Name the tools that a file's calls used, by call."""
        rows = self.connection.execute("select call_id, name from call where file_id = ?", (file,))
        return dict(rows.fetchall())

    def custom_title(self, file: int) -> str | None:
        """Give the title from a session's sidecar."""
        row = self.connection.execute(
            "select custom_title from file where id = ?", (file,)
        ).fetchone()
        return row[0] if row else None

    def projects(self) -> Sequence[ListedProject]:
        """List all projects the index knows."""
        with translate_errors(self.path):
            return listing.list_projects(self.connection)

    def project_folders(self) -> Mapping[int, str]:
        """Give the folders of all projects, by their numbers."""
        with translate_errors(self.path):
            return dict(self.connection.execute("select id, folder from project").fetchall())

    def sessions(self) -> Sequence[ListedSession]:
        """List all sessions, in no order."""
        with translate_errors(self.path):
            return listing.list_sessions(self.connection)

    def session_files(self, before_ns: int | None = None) -> Sequence[SessionFileRow]:
        """List the files of sessions that are on disk; those last written before a time."""
        with translate_errors(self.path):
            return listing.list_session_files(self.connection, before_ns)

    def gone_sessions(self) -> Sequence[GoneSession]:
        """List the sessions whose files are gone; those that the archive has come last."""
        with translate_errors(self.path):
            return listing.list_gone_sessions(self.connection)

    def conversations(self) -> Sequence[ListedConversation]:
        """List all conversations, newest first."""
        with translate_errors(self.path):
            return listing.list_conversations(self.connection)

    def titles_from_others(
        self,
        files: Sequence[int] | None = None,  # noqa: ARG002 - those of all are kept
    ) -> Mapping[int, Sequence[str]]:
        """Give the summaries that other files hold for a session's leaves."""
        with translate_errors(self.path):
            state = state_of(self.connection)
            if self._titles is None or self._titles[0] != state:
                self._titles = (state, self._load_titles(state))
            return self._titles[1]

    def _load_titles(self, state: bytes) -> Mapping[int, list[str]]:
        """Look summaries up all over the index, unless that was done in this state."""
        kept = load_answer(self.connection, _TITLES, state)
        if kept is not None:
            return msgspec.msgpack.decode(kept, type=dict[int, list[str]])
        found = listing.titles_from_others(self.connection)
        save_answer(self.connection, _TITLES, state, msgspec.msgpack.encode(found))
        return found

    def usages(self) -> "Sequence[FileUsage]":
        """Give each file with the lines of usage that may count."""
        from bough.store.sqlite import usage  # noqa: PLC0415 - lists do without it

        with translate_errors(self.path):
            return usage.load_file_usage(self.connection)

    def shared_usages(self) -> "Sequence[FileUsage]":
        """Give the files with those of their lines that may be copies, or be copied elsewhere."""
        from bough.store.sqlite import usage  # noqa: PLC0415 - lists do without it

        with translate_errors(self.path):
            return usage.load_shared_usage(self.connection)

    def usage_files(
        self, *, dated: bool = False, sessions: Sequence[str] | None = None
    ) -> "Sequence[FileUsage]":
        """Give each file without its lines, or those of some sessions.

        `dated` asks for the time of its newest one.
        """
        from bough.store.sqlite import usage  # noqa: PLC0415 - lists do without it

        with translate_errors(self.path):
            return usage.load_usage_files(self.connection, dated=dated, sessions=sessions)

    def sum_usage(self, asked: "SumRequest") -> "Sequence[tuple[FileUsage, UsageSum]] | None":
        """Add up what calls used; None where only the lines themselves can tell."""
        from bough.store.sqlite import usage  # noqa: PLC0415 - lists do without it

        with translate_errors(self.path):
            return usage.load_usage_sums(self.connection, asked)

    def conversation_steps(self, files: Sequence[int]) -> "Sequence[ConversationSteps]":
        """Give the conversations of files in order, and the steps they pass through."""
        from bough.store.sqlite import usage  # noqa: PLC0415 - lists do without it

        with translate_errors(self.path):
            return usage.load_conversation_steps(self.connection, files)

    def lines_of_calls(self, files: Sequence[int]) -> "Sequence[tuple[int, ReportedUsage]]":
        """Give every line of usage of the calls that these files report, by its file."""
        from bough.store.sqlite import usage  # noqa: PLC0415 - lists do without it

        with translate_errors(self.path):
            return usage.load_lines_of_calls(self.connection, files)

    def calls_of_agents(self, files: Sequence[int]) -> "Sequence[AgentCallRow]":
        """Give the calls that are said to have started the agents that these files are of."""
        from bough.store.sqlite import usage  # noqa: PLC0415 - lists do without it

        with translate_errors(self.path):
            return usage.load_agent_calls(self.connection, files)

    def state(self) -> bytes:
        """Name the state of all files, as the index knows them."""
        with translate_errors(self.path):
            return state_of(self.connection)

    def last_writing(self) -> int:
        """Give the number of the last writing."""
        with translate_errors(self.path):
            return load_last_writing(self.connection)

    def changed_sessions(self, writing: int) -> frozenset[str]:
        """Give the sessions that were changed by later writings."""
        with translate_errors(self.path):
            return load_changed_sessions(self.connection, writing)

    def load_answer(self, question: bytes, state: bytes) -> bytes | None:
        """Give the answer that was kept, if it was made from this state."""
        with translate_errors(self.path):
            return load_answer(self.connection, question, state)

    def save_answer(self, question: bytes, state: bytes, answer: bytes) -> None:
        """Keep an answer that was made from this state, where it can be kept."""
        with translate_errors(self.path):
            save_answer(self.connection, question, state, answer)

    def search(self, wanted: "SearchRequest") -> "SearchRows":
        """Find one page of records."""
        with translate_errors(self.path):
            return self._searcher.search(wanted)

    def finds_phrases(self, query: "Query") -> bool:  # noqa: ARG002 - the protocol's
        """Tell that a search finds words in a row."""
        return True

    def count_facets(self, wanted: "SearchRequest") -> "SearchFacets | None":
        """Count how all hits of a query are spread; None where they are too many for that."""
        with translate_errors(self.path):
            return self._searcher.count_facets(wanted)

    def nearest_word(self, word: str) -> str | None:
        """Find the word in the index that is most like this one, where that is cheap."""
        from bough.store.sqlite.search import nearest_word  # noqa: PLC0415 - only for search

        with translate_errors(self.path):
            return nearest_word(self.connection, word)

    def behaviour(self) -> "SqliteStatsSource":
        """Answer questions about tools, hooks, errors, agents and the like."""
        from bough.store.sqlite.stats import SqliteStatsSource  # noqa: PLC0415 - lists need none

        return SqliteStatsSource(self.connection, self.path)

    def sql(self, question: str, sources: SourceFinder = DISK) -> AbstractContextManager[SqlResult]:
        """Ask a question in SQL, over a connection that can only read."""
        from bough.store.sqlite import user_sql  # noqa: PLC0415 - lists need none

        return user_sql.run_user_sql(self.path, question, sources)

    def list_tables(self) -> Sequence[TableColumns]:
        """List the tables and their columns."""
        from bough.store.sqlite import user_sql  # noqa: PLC0415 - lists need none

        return user_sql.list_tables(self.path)

    @cached_property
    def _searcher(self) -> "Searcher":
        from bough.store.sqlite.search import Searcher  # noqa: PLC0415 - lists need none

        return Searcher(self.connection)

    def _describe_writer(self) -> str:
        row = self.connection.execute("select value from meta where key = 'writer'").fetchone()
        return f" ({row[0]})" if row else ""


class SqliteWriter:
    """Writes inside transactions of several files; each file is in one of them whole."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._connection.execute("begin immediate")
        self._changes = SessionChanges(connection)

    def finish(self) -> None:
        """Make everything last."""
        writing.make_missing_indexes(self._connection)
        if not writing.are_sums_complete(self._connection):
            from bough.store.sqlite.usage_sums import complete_sums  # noqa: PLC0415 - lists do without it

            complete_sums(self._connection, self._changes.note)
        self._changes.keep()
        self._connection.execute("delete from meta where key = 'writer'")
        change_state(self._connection)
        self._connection.execute("commit")

    def project(self, row: ProjectRow) -> int:
        """Keep what a project is called; give its number."""
        return writing.put_project(self._connection, row)

    def file(self, project: int, state: FileState) -> int:
        """Keep the state of a file; give its number."""
        self._changes.note_path(state.path)
        number = writing.put_file(self._connection, project, state)
        self._changes.note(number)
        return number

    def agent(self, file: int, info: AgentInfo) -> None:
        """Keep what is known of an agent."""
        self._changes.note(file)
        writing.put_agent(self._connection, file, info)

    def title(self, file: int, title: str | None) -> None:
        """Keep the title from a session's sidecar."""
        self._changes.note(file)
        writing.put_title(self._connection, file, title)

    def add(self, file: int, batch: RowBatch, runs: Sequence[tuple[int, int, int]] = ()) -> None:
        """Add the rows of a stretch of a file, on the branches known so far."""
        self._changes.note(file)
        writing.put_batch(self._connection, file, batch, runs)

    def branches(self, file: int, runs: Sequence[tuple[int, int, int]]) -> None:
        """Mark which records of a file are on which branch."""
        writing.put_branches(self._connection, file, runs)

    def facts(self, file: int, facts: SessionFacts) -> None:
        """Keep a session's facts."""
        self._changes.note(file)
        writing.put_facts(self._connection, file, facts)

    def drop_from(self, file: int, offset: int) -> None:
        """Forget what was read of a file from an offset on."""
        self._changes.note(file)
        writing.drop_from(self._connection, file, offset)

    def clear(self, file: int) -> None:
        """Forget the rows of a file that is read anew."""
        self._changes.note(file)
        writing.clear_file(self._connection, file)

    def forget(self, file: int) -> None:
        """Forget a file altogether: it goes by another name now, or was never a person's."""
        self._changes.note(file)
        writing.clear_file(self._connection, file)
        self._connection.execute("delete from file where id = ?", (file,))

    def deleted(self, file: int, moment: str) -> None:
        """Note that a file is gone."""
        self._changes.note(file)
        writing.mark_deleted(self._connection, file, moment)

    def place(self, file: int, device: int, inode: int) -> None:
        """Note where the bytes of a file are now."""
        self._connection.execute(
            "update file set device = ?, inode = ? where id = ?", (device, inode, file)
        )

    def step(self, done: int, total: int) -> None:
        """Make everything so far last, and say how far the work is."""
        share = 100 * done // total if total else 100
        self._connection.execute(
            "insert or replace into meta values ('writer', ?)", (f"pid {os.getpid()}, {share}%",)
        )
        self._changes.keep()
        change_state(self._connection)
        self._connection.execute("commit")
        self._connection.execute("begin immediate")
