"""A team's store in PostgreSQL: the same questions and the same writer as the local index.

A reader needs a URL; whoever writes also says which machine it is, and where the bytes come from
that it sends. One writer per machine holds an advisory lock; machines do not wait for each other.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from bough.errors import IndexTrouble
from bough.files.byte_source import DISK, SourceFinder
from bough.store.postgres import list_queries
from bough.store.postgres.postgres_writer import PostgresWriter
from bough.store.postgres.schema_scripts import require_schema
from bough.store.postgres.server_connection import ServerConnection
from bough.store.rows import (
    FileStamp,
    FileState,
    GoneSession,
    ListedConversation,
    ListedProject,
    ListedSession,
    MachineRow,
    SessionFileRow,
    SqlResult,
    TableColumns,
)

if TYPE_CHECKING:
    from bough.model.usage.across_files import FileUsage, ReportedUsage
    from bough.model.usage.sums import UsageSum
    from bough.store.postgres.record_search import RecordSearch
    from bough.store.postgres.statistics.behaviour_queries import PostgresStatsSource
    from bough.store.protocol import AgentCallRow
    from bough.store.query_language import Query
    from bough.store.rows import ConversationSteps
    from bough.store.search_protocol import SearchFacets, SearchRequest, SearchRows
    from bough.store.usage_protocol import SumRequest

_WRITER = "select writer from writing where machine_id = %s"
# Of what one may see alone: what others send changes nothing in it.
_STATE = "select files, numbers, moments from files_state()"


class PostgresStore:
    """An index of many machines in one database."""

    def __init__(
        self, url: str, *, machine: MachineRow | None = None, sources: SourceFinder = DISK
    ) -> None:
        """Open a store for reading, or, with a machine, for writing its files too."""
        self.url = url
        self.machine = machine
        self.connection = ServerConnection(url)
        self._sources = sources
        self._writer: PostgresWriter | None = None
        self._titles: tuple[bytes, Mapping[int, list[str]]] | None = None
        try:
            require_schema(self.connection)
        except BaseException:
            self.connection.close()
            raise

    def close(self) -> None:
        """Let go of the connection."""
        self.connection.close()

    def release_pages(self) -> None:
        """Give back nothing: the server keeps the pages."""

    def is_current(self) -> bool:
        """Tell whether the connection still holds."""
        return not self.connection.raw.closed and not self.connection.raw.broken

    @contextmanager
    def writing(self) -> Iterator[PostgresWriter]:
        """Become the writer of this machine, or raise IndexTrouble naming who is."""
        if self.machine is None:
            raise IndexTrouble(
                f"The database {self.connection.place} was opened for reading: "
                "only bough push writes it."
            )
        lock = f"machine {self.machine.id}"
        if not self.connection.try_lock(lock):
            row = self.connection.fetch_one(_WRITER, [self.machine.id])
            who = f" ({row[0]})" if row and row[0] else ""
            raise IndexTrouble(
                f"Another bough sends the files of this machine{who}. Try again when it is done."
            )
        try:
            self._writer = writer = PostgresWriter(self.connection, self.machine, self._sources)
            yield writer
            writer.finish()
            self.connection.run("commit")
            self._complete_sums()
        finally:
            self._writer = None
            if self.is_current():
                self.connection.roll_back()
                self.connection.release_lock(lock)

    def is_complete(self) -> bool:
        """Tell whether every writing so far came to its end."""
        from bough.store.postgres.shared_usage import are_sums_complete  # noqa: PLC0415 - lists do without it

        return are_sums_complete(self.connection)

    def stamps(self) -> Mapping[str, FileStamp]:
        """Give the stamps of this machine's files, by the paths they have here."""
        return list_queries.load_stamps(self.connection, self._machine_id)

    def states(self) -> Mapping[str, FileState]:
        """Give the files of this machine by the paths they have here; of all, where it has none."""
        return list_queries.load_states(self.connection, self._machine_id)

    def outlines(self, file: int) -> Sequence[bytes]:
        """Give the packed outlines of a file, in order."""
        self._send_gathered()
        rows = self.connection.fetch_all(
            'select lines from outline where file_id = %s order by "offset"', [file]
        )
        return [row[0] for row in rows]

    def kinds(self, file: int) -> Mapping[str, int]:
        """Count the records of a file by kind."""
        self._send_gathered()
        return dict(
            self.connection.fetch_all(
                "select kind, count(*) from record where file_id = %s group by kind", [file]
            )
        )

    def tools(self, file: int) -> dict[str, str]:
        """Name the tools that a file's calls used, by call."""
        self._send_gathered()
        return dict(
            self.connection.fetch_all("select call_id, name from call where file_id = %s", [file])
        )

    def custom_title(self, file: int) -> str | None:
        """Give the title from a session's sidecar."""
        self._send_gathered()
        row = self.connection.fetch_one("select custom_title from file where id = %s", [file])
        return row[0] if row else None

    def projects(self) -> Sequence[ListedProject]:
        """List all projects of all machines."""
        return list_queries.list_projects(self.connection)

    def project_folders(self) -> Mapping[int, str]:
        """Give the folders of all projects, by their numbers."""
        return dict(self.connection.fetch_all("select id, folder from project"))

    def sessions(self) -> Sequence[ListedSession]:
        """List all sessions, in no order."""
        return list_queries.list_sessions(self.connection)

    def session_files(self, before_ns: int | None = None) -> Sequence[SessionFileRow]:
        """List the files of sessions; those last written before a time."""
        return list_queries.list_session_files(self.connection, before_ns)

    def gone_sessions(self) -> Sequence[GoneSession]:
        """List the sessions whose files were said to be gone."""
        return list_queries.list_gone_sessions(self.connection)

    def conversations(self) -> Sequence[ListedConversation]:
        """List all conversations, newest first."""
        return list_queries.list_conversations(self.connection)

    def titles_from_others(self, files: Sequence[int] | None = None) -> Mapping[int, Sequence[str]]:
        """Give the summaries that other files hold for a session's leaves."""
        # While somebody sends, all of them would be looked up for every page of a search.
        if files is not None:
            return list_queries.load_other_titles(self.connection, files)
        state = self.state()
        if self._titles is None or self._titles[0] != state:
            self._titles = (state, list_queries.load_other_titles(self.connection))
        return self._titles[1]

    def state(self) -> bytes:
        """Name the state of all files that one may see."""
        row = self.connection.fetch_one(_STATE)
        return hashlib.sha256(repr(row).encode()).digest()[:16]

    def last_writing(self) -> int:
        """Number no writing: answers that could be brought up to date are not kept here."""
        return 0

    def changed_sessions(self, writing: int) -> frozenset[str]:  # noqa: ARG002 - the protocol's
        """Give all sessions, as any may have been changed."""
        rows = self.connection.fetch_all("select distinct session from counted_files()")
        return frozenset(row[0] for row in rows)

    def load_answer(self, question: bytes, state: bytes) -> bytes | None:  # noqa: ARG002 - the protocol's
        """Give nothing: a reader can keep nothing here."""
        return None

    def save_answer(self, question: bytes, state: bytes, answer: bytes) -> None:
        """Keep nothing."""

    def search(self, wanted: "SearchRequest") -> "SearchRows":
        """Find one page of records."""
        return self._searcher.search(wanted)

    def finds_phrases(self, query: "Query") -> bool:
        """Tell whether a search finds words in a row, or whether texts have to be read."""
        from bough.store.postgres.administration.word_dialect import finds_phrases  # noqa: PLC0415 - lists need none

        return finds_phrases(query.text, self._searcher.dialect)

    def count_facets(self, wanted: "SearchRequest") -> "SearchFacets | None":
        """Count how all hits of a query are spread; None where they are too many for that."""
        return self._searcher.count_facets(wanted)

    def nearest_word(self, word: str) -> str | None:  # noqa: ARG002 - the protocol's
        """Find nothing: no extension is asked for, and without one that is not cheap."""
        return None

    def behaviour(self) -> "PostgresStatsSource":
        """Answer questions about tools, hooks, errors, agents and the like."""
        from bough.store.postgres.statistics.behaviour_queries import PostgresStatsSource  # noqa: PLC0415 - as above

        return PostgresStatsSource(self.connection)

    def usages(self) -> "Sequence[FileUsage]":
        """Give each file with the lines of usage that may count."""
        from bough.store.postgres import usage_queries  # noqa: PLC0415 - lists do without it

        return usage_queries.load_file_usage(self.connection)

    def shared_usages(self) -> "Sequence[FileUsage]":
        """Give the files with those of their lines that may be copies, or be copied elsewhere."""
        from bough.store.postgres import usage_queries  # noqa: PLC0415 - lists do without it

        return usage_queries.load_shared_usage(self.connection)

    def usage_files(
        self, *, dated: bool = False, sessions: Sequence[str] | None = None
    ) -> "Sequence[FileUsage]":
        """Give each file without its lines, or those of some sessions.

        `dated` asks for the time of its newest one.
        """
        from bough.store.postgres import usage_queries  # noqa: PLC0415 - lists do without it

        return usage_queries.load_usage_files(self.connection, dated=dated, sessions=sessions)

    def sum_usage(self, asked: "SumRequest") -> "Sequence[tuple[FileUsage, UsageSum]] | None":
        """Add up what calls used; None where only the lines themselves can tell."""
        from bough.store.postgres import usage_queries  # noqa: PLC0415 - lists do without it

        return usage_queries.load_usage_sums(self.connection, asked)

    def conversation_steps(self, files: Sequence[int]) -> "Sequence[ConversationSteps]":
        """Give the conversations of files in order, and the steps they pass through."""
        from bough.store.postgres import usage_queries  # noqa: PLC0415 - lists do without it

        return usage_queries.load_conversation_steps(self.connection, files)

    def lines_of_calls(self, files: Sequence[int]) -> "Sequence[tuple[int, ReportedUsage]]":
        """Give every line of usage of the calls that these files report, by its file."""
        from bough.store.postgres import usage_queries  # noqa: PLC0415 - lists do without it

        return usage_queries.load_lines_of_calls(self.connection, files)

    def calls_of_agents(self, files: Sequence[int]) -> "Sequence[AgentCallRow]":
        """Give the calls that are said to have started the agents that these files are of."""
        from bough.store.postgres import usage_queries  # noqa: PLC0415 - lists do without it

        return usage_queries.load_agent_calls(self.connection, files)

    def sql(
        self,
        question: str,
        sources: SourceFinder = DISK,  # noqa: ARG002 - the bodies are in the database
    ) -> AbstractContextManager[SqlResult]:
        """Ask a question in the SQL of PostgreSQL; it can only read."""
        from bough.store.postgres.reader_sql import run_reader_sql  # noqa: PLC0415 - lists need none

        return run_reader_sql(self.url, question)

    def list_tables(self) -> Sequence[TableColumns]:
        """List the tables and their columns."""
        from bough.store.postgres.reader_sql import list_server_tables  # noqa: PLC0415 - as above

        return list_server_tables(self.connection)

    @cached_property
    def _searcher(self) -> "RecordSearch":
        from bough.store.postgres.record_search import RecordSearch  # noqa: PLC0415 - lists need none

        return RecordSearch(self.connection)

    @property
    def _machine_id(self) -> str | None:
        return None if self.machine is None else self.machine.id

    def _complete_sums(self) -> None:
        from bough.store.postgres.shared_usage import complete_sums  # noqa: PLC0415 - lists do without it

        complete_sums(self.connection)

    def _send_gathered(self) -> None:
        """Let a reading see what this very store is writing."""
        if self._writer is not None:
            self._writer.flush()
