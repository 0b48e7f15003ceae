"""What a store tells about behaviour: calls, hooks, troubles, agents, compactions, files.

Facts, not sums: which of them fall together, and how they are added up, is the business
of `bough.query.stats`. Whatever a resume or a fork copied is given once, under the
earliest time and the session that has it, except what records tell about hooks, which
takes more than an id to join.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct


class Scope(Struct, frozen=True):
    """What is asked about; None means all of it.

    Times are in UTC as records write them; `since` is the first that counts, `until` the
    first that does not.
    """

    projects: tuple[int, ...] | None = None
    session: str | None = None
    since: str | None = None
    until: str | None = None

    def holds(self, timestamp: str | None) -> bool:
        """Tell whether a moment is asked about; what has none only where all time is."""
        if timestamp is None:
            return self.since is None and self.until is None
        return (self.since is None or timestamp >= self.since) and (
            self.until is None or timestamp < self.until
        )


class Call(NamedTuple):
    """A call of a tool and how it ended; without a result the last five are None."""

    name: str
    session: str
    started: str | None
    ended: str | None
    failed: int | None
    refused: int | None
    bytes: int | None
    duration_ms: float | None


class HookTold(NamedTuple):
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


class TroubleTold(NamedTuple):
    """An error, a retry or an interruption."""

    kind: str
    reason: str
    detail: str | None
    session: str
    timestamp: str | None


class AgentTold(NamedTuple):
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


class AgentKept(NamedTuple):
    """An agent that has a file of its own, and what the file shows of its run."""

    agent: str
    type: str | None
    call: str | None
    session: str
    steps: int
    tokens: int | None
    started: str | None
    ended: str | None


class Prompt(NamedTuple):
    """Something a person said."""

    session: str
    timestamp: str | None


class Answer(NamedTuple):
    """One answer of a model: the lines of one message."""

    model: str
    session: str
    agent: int
    timestamp: str | None


class Compacted(NamedTuple):
    """A compaction."""

    trigger: str | None
    tokens_before: int | None
    tokens_after: int | None
    session: str
    timestamp: str | None


class Touched(NamedTuple):
    """A call that read or changed a file."""

    path: str
    tool: str
    session: str
    failed: int | None
    timestamp: str | None


class Behaviour(Protocol):
    """The questions; a store has an answer to each."""

    def calls(self, scope: Scope) -> Iterable[Call]:
        """Give every call of a tool, each once."""

    def tools(self, scope: Scope) -> Sequence[tuple[str, int]]:
        """Name the tools that were ever called, and how often, the most used first."""

    def hooks_told(self, scope: Scope) -> Iterable[HookTold]:
        """Give what records tell about hooks, whenever they ran, file by file."""

    def troubles(self, scope: Scope) -> Iterable[TroubleTold]:
        """Give what went wrong, in the order it happened."""

    def agents_told(self, scope: Scope) -> Iterable[AgentTold]:
        """Give what records tell about agents, whenever they ran, the earliest first."""

    def agents_kept(self, scope: Scope) -> Iterable[AgentKept]:
        """Give the agents that have files, whenever they ran."""

    def answers(self, scope: Scope) -> Iterable[Answer]:
        """Give the answers of models, each once."""

    def compactions(self, scope: Scope) -> Iterable[Compacted]:
        """Give the compactions, in the order they happened."""

    def touches(self, scope: Scope) -> Iterable[Touched]:
        """Give the calls that read or changed a file."""

    def prompts(self, scope: Scope) -> Iterable[Prompt]:
        """Give what people said, each once."""
