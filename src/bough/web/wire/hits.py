"""Search on the wire."""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from bough.web.wire.list_rows import KeptSign, Word


class SearchQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """What is searched for, in the search language."""

    q: Word = ""
    sort: Literal["best", "newest"] = "best"
    cursor: Word = ""
    limit: Annotated[int, Meta(ge=1, le=200)] = 50


class FacetValue(Struct, frozen=True):
    """How many of the hits that were looked at have a value."""

    value: str
    label: str
    count: int


class Facets(Struct, frozen=True):
    """Values by which a search can be narrowed; `whole` says that all hits were counted.

    `machine` and `member` have values only in a team's store.
    """

    project: list[FacetValue]
    kind: list[FacetValue]
    branch: list[FacetValue]
    machine: list[FacetValue]
    member: list[FacetValue]
    whole: bool


class SuggestedQuery(Struct, frozen=True):
    """A query close to one without hits that has some, and what to say of it."""

    query: str
    total: int
    sentence: str


class SearchHit(Struct, frozen=True):
    """One record that was found; `marks` are places in the snippet, in characters."""

    session: str
    project: str
    project_name: str
    worktree_of: str | None
    title: str
    uuid: str | None
    timestamp: str | None
    kind: str
    role: str | None
    tool: str | None
    snippet: str | None
    marks: list[tuple[int, int]]
    active: bool
    agent: str | None
    agent_type: str | None
    failed: bool
    in_session: int | None
    """How many hits its session has; None where they are too many to count."""
    kept: KeptSign | None
    """What is left of its session; None where the file is there."""


class UncheckedLine(Struct, frozen=True):
    """A line of a session that was not looked at: a pattern was stopped there."""

    session: str
    uuid: str | None
    line: int


class SearchAnswer(Struct, frozen=True):
    """A page of hits; `exact` says that `total` counts all of them.

    `skipped` are records that were not looked at, because a pattern was stopped there.
    """

    query: str
    total: int
    exact: bool
    sessions: int | None
    partial: str | None
    took_ms: float
    facets: Facets
    hits: list[SearchHit]
    next: str | None
    suggestion: SuggestedQuery | None
    skipped: list[UncheckedLine]


class CompleteQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """A query that is being typed, and where the cursor is in it."""

    q: Word = ""
    at: Annotated[int, Meta(ge=0, le=2_000)] = 0


class SearchCompletion(Struct, frozen=True):
    """A word that could stand there."""

    text: str
    about: str


class CompleteAnswer(Struct, frozen=True):
    """What could stand between two places of the query."""

    from_: int = field(name="from")
    to: int
    items: list[SearchCompletion]
