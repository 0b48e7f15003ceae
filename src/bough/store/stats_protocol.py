"""What a store tells about behaviour: calls, hooks, troubles, agents, compactions, files.

Facts, not sums: which of them fall together, and how they are added up, is the business
of `bough.query.stats`. Whatever a resume or a fork copied is given once, under the
earliest time and the session that has it, except what records tell about hooks, which
takes more than an id to join. The number of a file is that of one that tells of it.
"""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Literal, NamedTuple, Protocol

from msgspec import Struct

IdSpace = Literal["call", "message", "prompt", "hook"]


class StatsScope(Struct, frozen=True):
    """What is asked about; None means all of it.

    Times are in UTC as records write them; `since` is the first that counts, `until` the
    first that does not.
    """

    projects: tuple[int, ...] | None = None
    session: str | None = None
    since: str | None = None
    until: str | None = None

    def contains(self, timestamp: str | None) -> bool:
        """Tell whether a moment is asked about; what has none only where all time is."""
        if timestamp is None:
            return self.since is None and self.until is None
        return (self.since is None or timestamp >= self.since) and (
            self.until is None or timestamp < self.until
        )


class RowPart(Struct, frozen=True):
    """Which of the rows in scope are meant: by default all.

    `files` are those whose rows are meant; `shared` picks what several files have, or what only
    one has.
    """

    files: tuple[int, ...] | None = None
    shared: bool | None = None


ALL_ROWS = RowPart()


class FileSum(NamedTuple):
    """What one file adds to a report: its first and last moment, and the packed sum, if any.

    Something without a moment counts as later than everything.
    """

    first: str
    last: str
    value: bytes | None


class SumBuilder(Protocol):
    """One kind of sum: how it is made of a file's rows, and how several become one."""

    @property
    def name(self) -> str:
        """Name the kind."""

    @property
    def space(self) -> "IdSpace":
        """Name the ids that say which rows of several files are one thing."""

    def sum_files(self, source: "StatsSource", files: Sequence[int]) -> Iterable[FileSum]:
        """Add up, for each of these files, what only it has; as many sums as files, in order."""

    def merge_packed(self, values: Iterable[bytes]) -> bytes:
        """Make one sum of several."""


class SumParts(NamedTuple):
    """What a total is made of: sums, and rows that have to be looked at singly."""

    values: list[bytes]
    rows: list[RowPart]


class IndexedCall(NamedTuple):
    """A call of a tool and how it ended; without a result the last five are None."""

    file: int
    name: str
    session: str
    started: str | None
    ended: str | None
    failed: int | None
    refused: int | None
    bytes: int | None
    duration_ms: float | None


class IndexedHookRun(NamedTuple):
    """What one record tells about a run of a hook, in the order of the records.

    `shared` says that what set it off is known to several files.
    """

    file: int
    session: str
    call: str | None
    event: str | None
    command: str
    outcome: str
    duration_ms: float | None
    source: str
    timestamp: str | None
    shared: int = 0


class IndexedTrouble(NamedTuple):
    """An error, a retry or an interruption."""

    kind: str
    reason: str
    detail: str | None
    session: str
    timestamp: str | None


class IndexedAgentRun(NamedTuple):
    """What one record tells about an agent's run; `failed` is what the result said."""

    call: str
    source: str
    type: str | None
    status: str | None
    tokens: int | None
    steps: int | None
    duration_ms: float | None
    failed: int | None
    session: str
    timestamp: str | None


class IndexedAgentFile(NamedTuple):
    """An agent that has a file of its own, and what the file shows of its run."""

    agent: str
    type: str | None
    call: str | None
    session: str
    steps: int
    tokens: int | None
    started: str | None
    ended: str | None


class IndexedPrompt(NamedTuple):
    """Something a person said."""

    file: int
    session: str
    timestamp: str | None


class IndexedAnswer(NamedTuple):
    """One answer of a model: the lines of one message."""

    file: int
    model: str
    session: str
    agent: int
    timestamp: str | None


class IndexedCompaction(NamedTuple):
    """A compaction."""

    trigger: str | None
    tokens_before: int | None
    tokens_after: int | None
    session: str
    timestamp: str | None


class IndexedFileTouch(NamedTuple):
    """A call that read or changed a file; `file` is where the call stands."""

    file: int
    path: str
    tool: str
    session: str
    failed: int | None
    timestamp: str | None


class StatsSource(Protocol):
    """The questions; a store has an answer to each."""

    def calls(self, scope: StatsScope, part: RowPart = ALL_ROWS) -> Iterable[IndexedCall]:
        """Give every call of a tool, each once."""

    def tools(self, scope: StatsScope) -> Sequence[tuple[str, int]]:
        """Name the tools that were ever called, and how often, the most used first."""

    def hook_runs(self, scope: StatsScope, part: RowPart = ALL_ROWS) -> Iterable[IndexedHookRun]:
        """Give what records tell about hooks, whenever they ran, file by file.

        A part that is shared, or not, gives all rows of the files that have such.
        """

    def troubles(self, scope: StatsScope) -> Iterable[IndexedTrouble]:
        """Give what went wrong, in the order it happened."""

    def agent_reports(self, scope: StatsScope) -> Iterable[IndexedAgentRun]:
        """Give what records tell about agents, whenever they ran, the earliest first."""

    def agent_files(self, scope: StatsScope) -> Iterable[IndexedAgentFile]:
        """Give the agents that have files, whenever they ran."""

    def answers(self, scope: StatsScope, part: RowPart = ALL_ROWS) -> Iterable[IndexedAnswer]:
        """Give the answers of models, each once."""

    def compactions(self, scope: StatsScope) -> Iterable[IndexedCompaction]:
        """Give the compactions, in the order they happened."""

    def touches(self, scope: StatsScope, part: RowPart = ALL_ROWS) -> Iterable[IndexedFileTouch]:
        """Give the calls that read or changed a file."""

    def prompts(self, scope: StatsScope, part: RowPart = ALL_ROWS) -> Iterable[IndexedPrompt]:
        """Give what people said, each once."""

    def own_sessions(self, scope: StatsScope) -> Iterable[str]:
        """Name the sessions that lists have; of others only agents said something."""

    def open_sums(
        self, builder: SumBuilder, scope: StatsScope
    ) -> AbstractContextManager[SumParts | None]:
        """Say what a total is made of, and let nothing change while it is made.

        None where no sums can be had: then all rows have to be looked at.
        """
