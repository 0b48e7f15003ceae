"""A session as the graph takes it: branches of turns, agents, compactions and forks.

Plain texts, ready to be shown; where they come from is the command's business.
"""

from msgspec import Struct

from bough.terminal.style import Role


class GraphTurn(Struct, frozen=True):
    """A prompt and what it led to; `tip` marks the active tip.

    `continued` marks what goes on without a prompt: a part of the turn before.
    """

    id: str
    time: str
    text: str
    note: str = ""
    note_role: Role = Role.META
    steps: int | None = None
    cost: str = ""
    tip: bool = False
    continued: bool = False


class GraphMessage(Struct, frozen=True):
    """One message of a turn; a `quiet` one is no talk: a hook, a note, progress, a copy."""

    id: str
    time: str
    text: str
    quiet: bool = False


class GraphAgent(Struct, frozen=True):
    """A sub-agent; `ok` is None while its end is not known."""

    text: str
    ok: bool | None = None
    note: str = ""
    steps: int | None = None
    cost: str = ""


class GraphCompaction(Struct, frozen=True):
    """A compaction, and the record that says so."""

    time: str
    text: str
    uuid: str | None = None


class GraphFork(Struct, frozen=True):
    """Another file that goes on from here."""

    text: str
    time: str = ""


class GraphSplit(Struct, frozen=True):
    """Other branches that leave here; the branch itself goes on with the items that follow."""

    branches: tuple["GraphBranch", ...]


GraphItem = GraphTurn | GraphMessage | GraphAgent | GraphCompaction | GraphFork | GraphSplit


class GraphBranch(Struct, frozen=True):
    """Items in order, oldest first; `active` when the active tip is its end."""

    items: tuple[GraphItem, ...]
    active: bool = False
