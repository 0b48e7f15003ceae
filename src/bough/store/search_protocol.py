"""What a search asks of a store, and what it gets: records by place, without their text.

A store finds rows and puts them in order; the text stays in the user's files. A position
is where a page ended. It names a place in the order and not a number of rows, so that what
is written meanwhile moves nothing.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from bough.store.query_language import Field, Query

Order: TypeAlias = Literal["relevance", "newest"]

KINDS = ("prompt", "text", "thinking", "tool_input", "tool_result", "note")
"""The kinds of words a record may hold, in the order of the index."""


Place: TypeAlias = tuple[int, int]
"""Where a record stands: the number of its file, and the offset in it."""


class RankedPosition(Struct, frozen=True, tag="r", array_like=True):
    """So many rows of a ranking were shown; only records up to `newest` take part in it.

    `newest` is a mark of the store's own: nobody else reads it.
    """

    newest: bytes
    rank: int


class DatedPosition(Struct, frozen=True, tag="d", array_like=True):
    """All rows after this moment were shown, and of this moment those behind this place."""

    timestamp: str
    id: Place


Position: TypeAlias = RankedPosition | DatedPosition


class SearchRequest(Struct, frozen=True):
    """A question: the rows of a query, in an order, so many after a position.

    `shown` says how many were shown before that position. `roots` are beginnings of paths of
    the files that count; none: all of them. Without words there is nothing to rank by, and
    the order is by time.
    """

    query: Query
    order: Order = "relevance"
    limit: int = 20
    after: Position | None = None
    shown: int = 0
    roots: tuple[str, ...] = ()


class HitRow(Struct, frozen=True):
    """A record that was found, with what is known of its file, session and project.

    `file` is the number of its file, `session_file` that of the session's own, where that is
    there.
    """

    file: int
    path: str
    offset: int
    length: int
    line: int
    record: str
    uuid: str | None
    timestamp: str | None
    model: str | None
    tool: str | None
    failed: int
    branch: int | None
    active: int
    role: str
    session: str
    agent: str | None
    agent_type: str | None
    agent_description: str | None
    project: str
    project_name: str
    worktree_of: str | None
    title: str | None
    title_source: str | None
    session_file: int | None

    @property
    def place(self) -> Place:
        """Give where the record stands."""
        return self.file, self.offset


class SearchRows(Struct, frozen=True):
    """One page of rows.

    `total` counts all rows, or says how many there are at least where it is not `exact`.
    `ranked` is set where only so many took part in the ranking, `looked_at` where so many
    lines were looked at and the rest waits behind `next`. `newest` marks the newest record
    that took part.
    """

    rows: Sequence[HitRow]
    total: int
    sessions: int | None
    exact: bool
    newest: bytes = b""
    next: Position | None = None
    ranked: int | None = None
    looked_at: int | None = None


class SearchFacets(Struct, frozen=True):
    """How the hits of a query are spread: over projects, kinds of words, branches, sessions.

    In a team's store also over machines and members.

    Each number is how many hits are left when the query is narrowed to it: a record that has
    the words in two kinds counts in both, one in a worktree for its repository too.
    """

    projects: Mapping[str, int]
    kinds: Mapping[str, int]
    active: int
    left: int
    sessions: Mapping[str, int] = {}
    machines: Mapping[str, int] = {}
    members: Mapping[str, int] = {}


def choose_kinds(query: Query) -> tuple[str, ...]:
    """Choose the kinds of words that a query may find."""
    filters = [one for one in query.filters if one.field is Field.KIND]
    wanted = {one.value for one in filters if not one.negated} or {*KINDS}
    against = {one.value for one in filters if one.negated}
    return tuple(kind for kind in KINDS if kind in wanted - against)
