"""What a store tells about behaviour: calls, hooks, troubles, agents, compactions, files.

Facts, not sums: which of them fall together, and how they are added up, is the business
of `bough.query.stats`. Whatever a resume or a fork copied is given once, under the
earliest time and the session that has it, except what records tell about hooks, which
takes more than an id to join.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct


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


class IndexedCall(NamedTuple):
    """A call of a tool and how it ended; without a result the last five are None."""

    name: str
    session: str
    started: str | None
    ended: str | None
    failed: int | None
    refused: int | None
    bytes: int | None
    duration_ms: float | None


class IndexedHookRun(NamedTuple):
    """What one record tells about a run of a hook, in the order of the records."""

    file: int
    session: str
    call: str | None
    event: str | None
    command: str
    outcome: str
    duration_ms: float | None
    source: str
    timestamp: str | None


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

    session: str
    timestamp: str | None


class IndexedAnswer(NamedTuple):
    """One answer of a model: the lines of one message."""

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
    """A call that read or changed a file."""

    path: str
    tool: str
    session: str
    failed: int | None
    timestamp: str | None


class StatsSource(Protocol):
    """The questions; a store has an answer to each."""

    def calls(self, scope: StatsScope) -> Iterable[IndexedCall]:
        """Give every call of a tool, each once."""

    def tools(self, scope: StatsScope) -> Sequence[tuple[str, int]]:
        """Name the tools that were ever called, and how often, the most used first."""

    def hook_runs(self, scope: StatsScope) -> Iterable[IndexedHookRun]:
        """Give what records tell about hooks, whenever they ran, file by file."""

    def troubles(self, scope: StatsScope) -> Iterable[IndexedTrouble]:
        """Give what went wrong, in the order it happened."""

    def agent_reports(self, scope: StatsScope) -> Iterable[IndexedAgentRun]:
        """Give what records tell about agents, whenever they ran, the earliest first."""

    def agent_files(self, scope: StatsScope) -> Iterable[IndexedAgentFile]:
        """Give the agents that have files, whenever they ran."""

    def answers(self, scope: StatsScope) -> Iterable[IndexedAnswer]:
        """Give the answers of models, each once."""

    def compactions(self, scope: StatsScope) -> Iterable[IndexedCompaction]:
        """Give the compactions, in the order they happened."""

    def touches(self, scope: StatsScope) -> Iterable[IndexedFileTouch]:
        """Give the calls that read or changed a file."""

    def prompts(self, scope: StatsScope) -> Iterable[IndexedPrompt]:
        """Give what people said, each once."""
