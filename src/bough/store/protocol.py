"""What a store answers; SQLite is one, PostgreSQL will be another.

Faces and queries know only this. A store is opened for one index; writing happens under
`writing`, which one process at a time can hold.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol, TypeAlias

from bough.files.byte_source import DISK, SourceFinder
from bough.store.rows import (
    AgentInfo,
    ConversationSteps,
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
from bough.store.stats_protocol import StatsSource

if TYPE_CHECKING:
    from bough.model.usage.across_files import FileUsage, ReportedUsage
    from bough.model.usage.sums import UsageSum
    from bough.store.query_language import Query
    from bough.store.search_protocol import SearchFacets, SearchRequest, SearchRows
    from bough.store.usage_protocol import SumRequest

AgentCallRow: TypeAlias = tuple[int, int, int, str, str]
"""An agent's file, the file and offset of a call, its tool, and how they are known."""


class IndexWriter(Protocol):
    """The only one who may change the index, while it lasts."""

    def project(self, row: ProjectRow) -> int:
        """Keep what a project is called; give its number."""

    def file(self, project: int, state: FileState) -> int:
        """Keep the state of a file; give its number."""

    def agent(self, file: int, info: AgentInfo) -> None:
        """Keep what is known of an agent."""

    def title(self, file: int, title: str | None) -> None:
        """Keep the title from a session's sidecar."""

    def add(self, file: int, batch: RowBatch, runs: Sequence[tuple[int, int, int]] = ()) -> None:
        """Add the rows of a stretch of a file, on the branches known so far."""

    def branches(self, file: int, runs: Sequence[tuple[int, int, int]]) -> None:
        """Mark which records of a file are on which branch."""

    def facts(self, file: int, facts: SessionFacts) -> None:
        """Keep a session's facts."""

    def drop_from(self, file: int, offset: int) -> None:
        """Forget what was read of a file from an offset on."""

    def clear(self, file: int) -> None:
        """Forget the rows of a file that is read anew."""

    def forget(self, file: int) -> None:
        """Forget a file altogether: it goes by another name now, or was never a person's."""

    def deleted(self, file: int, moment: str) -> None:
        """Note that a file is gone."""

    def place(self, file: int, device: int, inode: int) -> None:
        """Note where the bytes of a file are now: on a disk, or in the archive only."""

    def step(self, done: int, total: int) -> None:
        """Make everything so far last, and say how far the work is."""


class FileRows(Protocol):
    """What the reading of a file that grew asks of what was kept of it."""

    def outlines(self, file: int) -> Sequence[bytes]:
        """Give the packed outlines of a file, in order."""

    def kinds(self, file: int) -> Mapping[str, int]:
        """Count the records of a file by kind."""

    def tools(self, file: int) -> dict[str, str]:
        """Name the tools that a file's calls used, by call."""


class Store(FileRows, Protocol):
    """An index of histories."""

    def close(self) -> None:
        """Let go of the index."""

    def release_pages(self) -> None:
        """Give back the memory of what was read, after a question that went through much."""

    def is_current(self) -> bool:
        """Tell whether this is the index still: it may have been made anew since it was opened."""

    def writing(self) -> AbstractContextManager[IndexWriter]:
        """Become the writer, or raise IndexBusy naming who is, or IndexReadOnly."""

    def is_complete(self) -> bool:
        """Tell whether every reading so far came to its end."""

    def stamps(self) -> Mapping[str, FileStamp]:
        """Give the stamps of the files that were there when last looked, by path."""

    def states(self) -> Mapping[str, FileState]:
        """Give the files the index knows, by path."""

    def custom_title(self, file: int) -> str | None:
        """Give the title from a session's sidecar."""

    def projects(self) -> Sequence[ListedProject]:
        """List all projects the index knows."""

    def project_folders(self) -> Mapping[int, str]:
        """Give the folders of all projects, by their numbers."""

    def sessions(self) -> Sequence[ListedSession]:
        """List all sessions, in no order."""

    def session_files(self, before_ns: int | None = None) -> Sequence[SessionFileRow]:
        """List the files of sessions that are on disk; those last written before a time."""

    def gone_sessions(self) -> Sequence[GoneSession]:
        """List the sessions whose files are gone; those that the archive has come last."""

    def conversations(self) -> Sequence[ListedConversation]:
        """List all conversations, newest first."""

    def titles_from_others(self, files: Sequence[int] | None = None) -> Mapping[int, Sequence[str]]:
        """Give the summaries that other files hold for a session's leaves.

        Those of all sessions, or at least of those with these files.
        """

    def state(self) -> bytes:
        """Name the state of all files; it changes when any of them does."""

    def last_writing(self) -> int:
        """Give the number of the last writing: every one has a larger number."""

    def changed_sessions(self, writing: int) -> frozenset[str]:
        """Give the sessions that were changed by later writings.

        So are those that calls of a changed file were or are charged to.
        """

    def load_answer(self, question: bytes, state: bytes) -> bytes | None:
        """Give the answer that was kept, if it was made from this state."""

    def save_answer(self, question: bytes, state: bytes, answer: bytes) -> None:
        """Keep an answer that was made from this state, where it can be kept."""

    def search(self, wanted: "SearchRequest") -> "SearchRows":
        """Find one page of records."""

    def finds_phrases(self, query: "Query") -> bool:
        """Tell whether a search finds exactly what a query asks for, words in a row too.

        Where it does not, texts have to be read.
        """

    def count_facets(self, wanted: "SearchRequest") -> "SearchFacets | None":
        """Count how all hits of a query are spread; None where they are too many for that."""

    def nearest_word(self, word: str) -> str | None:
        """Find the word in the index that is most like this one, where that is cheap."""

    def behaviour(self) -> StatsSource:
        """Answer questions about tools, hooks, errors, agents and the like."""

    def usages(self) -> "Sequence[FileUsage]":
        """Give each file with the lines of usage that may count; repeats in it are left out."""

    def shared_usages(self) -> "Sequence[FileUsage]":
        """Give the files with those of their lines that may be copies, or be copied elsewhere."""

    def usage_files(
        self, *, dated: bool = False, sessions: Sequence[str] | None = None
    ) -> "Sequence[FileUsage]":
        """Give each file without its lines, or those of some sessions.

        `dated` asks for the time of its newest one.
        """

    def sum_usage(self, asked: "SumRequest") -> "Sequence[tuple[FileUsage, UsageSum]] | None":
        """Add up what calls used; None where only the lines themselves can tell."""

    def conversation_steps(self, files: Sequence[int]) -> Sequence[ConversationSteps]:
        """Give the conversations of files in order, and the steps they pass through."""

    def lines_of_calls(self, files: Sequence[int]) -> "Sequence[tuple[int, ReportedUsage]]":
        """Give every line of usage of the calls that these files report, by its file."""

    def calls_of_agents(self, files: Sequence[int]) -> Sequence[AgentCallRow]:
        """Give the calls that are said to have started the agents that these files are of."""

    def sql(self, question: str, sources: SourceFinder = DISK) -> AbstractContextManager[SqlResult]:
        """Ask a question in the store's own language; it can only read.

        Args:
            question: One statement.
            sources: Where the bytes of records are found.
        """

    def list_tables(self) -> Sequence[TableColumns]:
        """List the tables and their columns."""
