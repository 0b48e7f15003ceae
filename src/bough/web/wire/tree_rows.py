"""The graph of a session on the wire: its rows, a stretch at a time, and its lineage."""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from bough.web.wire.list_rows import SessionItem, Word
from bough.web.wire.pieces import PieceHtml

TreeZoom = Literal["shape", "prompts", "messages"]


class TreeQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """How near one looks, and the record to begin at; else it is the active tip."""

    zoom: TreeZoom = "prompts"
    at: Word = ""


class TreeRowsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which rows."""

    zoom: TreeZoom = "prompts"
    from_: Annotated[int, Meta(ge=0)] = field(default=0, name="from")
    count: Annotated[int, Meta(ge=1, le=500)] = 100


class TreeRow(Struct, frozen=True):
    """One row of the graph.

    `kind` is turn, message, agent, compaction, fork or gap. `bars` has a character for each lane
    at its left: 0 where nothing goes on, 1 a branch that was left, 2 the active one. `opens` says
    that a branch leaves the lane at its left here, `begins` that nothing of its branch stands
    before it, `ends` that nothing follows;
    `on_path` that it is on the way to the active tip, `tip` that it is that tip. Lanes deeper than
    the page draws are `crowded`. `uuid` is the record it stands for, `branch` the number of its
    branch, `splits` counts the branches that leave after it. `written` counts the lines of one
    record. `session` is where a fork leads; `agent` names an agent that can be read.
    """

    number: int
    kind: str
    key: str
    uuid: str | None
    text: str
    answer: str
    time: str | None
    note: str
    note_at: str | None
    steps: int | None
    failed: int
    state: str
    cost_usd: float | None
    unpriced_models: list[str]
    depth: int
    bars: str
    opens: bool
    begins: bool
    ends: bool
    crowded: bool
    active: bool
    on_path: bool
    tip: bool
    continued: bool
    quiet: bool
    written: int
    splits: int
    branch: int
    agent: str | None = None
    session: str | None = None


class TreeBranch(Struct, frozen=True):
    """A branch of the graph: its name, where and why it was left, and what it took."""

    number: int
    name: str
    active: bool
    tip: str | None
    left_because: str
    left_at: str | None
    split_from: str
    turns: int
    steps: int
    cost_usd: float | None
    unpriced_models: list[str]


class TreeRowsAnswer(Struct, frozen=True):
    """Rows in a row, and the branches that they are on."""

    revision: str
    from_: int = field(name="from")
    rows: list[TreeRow]
    branches: list[TreeBranch]


class TreeAnswer(Struct, frozen=True):
    """The graph of a session: how many rows, the shape of all of them, those around the start.

    `kinds` has a letter for each row (t turn, m message, a agent, c compaction, f fork, g gap;
    a capital where a branch leaves with it), `depths` the lane of each. `start` is the row that
    was asked for, `tip` the row of the active tip.
    """

    session: str
    title: str
    revision: str
    zoom: TreeZoom
    branch_count: int
    turns: int
    cost_usd: float | None
    unpriced_models: list[str]
    tip_rule: str
    count: int
    kinds: str
    depths: list[int]
    start: int
    tip: int | None
    lanes: int
    page: TreeRowsAnswer


class ReadingQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The message to read from; without one the active branch is read from its start."""

    at: Word = ""
    count: Annotated[int, Meta(ge=1, le=100)] = 12


class ReadingAnswer(Struct, frozen=True):
    """Pieces from a message on, on the branch that goes through it; `tip` is the end of that."""

    tip: str | None
    active: bool
    revision: str
    from_: int = field(name="from")
    count: int
    pieces: list[PieceHtml]


class LineageQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing narrows the lineage of a session."""


class LineageRow(Struct, frozen=True):
    """A file of the lineage, in its lane.

    `how` is fork, copy or empty for the first; `shared` counts the records it has from the file it
    comes from, `origin`. `row` is null where the file is gone. `at` is where the present session
    and this one part, as far as that is known.
    """

    id: str
    how: Literal["", "fork", "copy"]
    origin: str | None
    shared: int
    at: str | None
    here: bool
    depth: int
    bars: str
    opens: bool
    ends: bool
    row: SessionItem | None


class LineageAnswer(Struct, frozen=True):
    """The files that a session comes from and those that go on from it, oldest first.

    `forks_only` says that the project has too many sessions to be looked through: copies that a
    resume made are missing then, and how much each file has of the other is not counted.
    """

    session: str
    lanes: int
    rows: list[LineageRow]
    compactions: int
    forks_only: bool
