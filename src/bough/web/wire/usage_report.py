"""Usage and statistics on the wire: reports, what is behind a cost, sessions behind a number.

The numbers are those of `bough usage --json` and `bough stats --json`, under the same names;
reports of statistics go over the wire as they are.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from bough.library import (
    ActivityReport,
    AgentReport,
    BudgetShare,
    CompactionReport,
    ErrorReport,
    FileReport,
    HookReport,
    ModelReport,
    StatsOverview,
    ToolReport,
)
from bough.web.wire.list_rows import KeptSign, Word

UsageReportName = Literal[
    "daily", "weekly", "monthly", "session", "project", "model", "agent", "branch", "blocks"
]
UsageBreakdown = Literal[
    "", "model", "project", "session", "agent", "agent-type", "machine", "member"
]
ExplainedPart = Literal["", "path", "all", "agents", "own", "turn", "agent", "a", "b"]
When = Annotated[str, Meta(max_length=40)]
ZoneName = Annotated[str, Meta(max_length=80)]
Limit = Annotated[int, Meta(ge=0, le=1_000_000)]
STATS_ANSWERS: dict[str, type[Struct]] = {
    "overview": StatsOverview,
    "tools": ToolReport,
    "hooks": HookReport,
    "errors": ErrorReport,
    "agents": AgentReport,
    "models": ModelReport,
    "compactions": CompactionReport,
    "files": FileReport,
    "activity": ActivityReport,
}
"""What each report of statistics answers with, by its name."""


class RangeQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which stretch of time is meant, in the words of the command line; empty is all of it."""

    since: When = ""
    until: When = ""
    zone: ZoneName = ""
    project: Word = ""
    session: Word = ""


class UsageQuery(RangeQuery, frozen=True, forbid_unknown_fields=True):
    """What usage is asked for; `limit` leaves the first rows, 0 all."""

    report: UsageReportName = "daily"
    by: UsageBreakdown = ""
    week_start: Annotated[str, Meta(max_length=20)] = ""
    existing: bool = False
    limit: Limit = 0


class UsageTotals(Struct, frozen=True):
    """What some calls used; `cost_usd` is null where nothing in it has a price."""

    input_tokens: int
    output_tokens: int
    cache_creation_tokens: int
    cache_read_tokens: int
    cost_usd: float | None
    unpriced_models: list[str]


class UsagePart(UsageTotals, frozen=True):
    """One part of a row that is broken down."""

    key: str


class BlockRate(Struct, frozen=True):
    """How fast a block is used up."""

    tokens_per_minute: float
    uncached_tokens_per_minute: float
    cost_usd_per_hour: float | None


class BlockProjection(Struct, frozen=True):
    """Where a running block will end at its speed."""

    minutes_left: float
    tokens: int
    cost_usd: float | None


class UsageReportRow(UsagePart, frozen=True):
    """A row of a report of usage; what only other reports have is null.

    `label` is what a person calls the key, `open_id` the id by which addresses name its session,
    null where the session is not there.
    """

    models: list[str]
    by: list[UsagePart] = []
    label: str | None = None
    open_id: str | None = None
    project_name: str | None = None
    kept: KeptSign | None = None
    session: str | None = None
    tip: str | None = None
    active: bool | None = None
    own: UsageTotals | None = None
    path: UsageTotals | None = None
    type: str | None = None
    description: str | None = None
    start: str | None = None
    end: str | None = None
    calls: int | None = None
    gap: bool | None = None
    burn: BlockRate | None = None
    projection: BlockProjection | None = None


class KeyName(Struct, frozen=True):
    """What a person calls a key."""

    key: str
    name: str


class UsageLimit(Struct, frozen=True):
    """A limit of the subscription, as the client says: how much of a hundred is used, until when.

    `heard_at` is when it was last said.
    """

    name: str
    label: str
    used_percentage: float
    resets_at: str | None
    heard_at: str


class UsageAnswer(Struct, frozen=True):
    """A report of usage; `total_rows` counts those before the limit. `limits` are for blocks.

    `first_day` and `last_day` are the days the question is about, as the zone has them; null
    where it has no such end. `left_behind` is what only branches that were left used, in the
    report of branches.
    """

    rows: list[UsageReportRow]
    totals: UsageTotals
    unpriced_models: list[str]
    total_rows: int
    names: list[KeyName]
    notes: list[str]
    first_day: str | None
    last_day: str | None
    left_behind: UsageTotals | None
    limits: list[UsageLimit] = []


class RangeTotal(Struct, frozen=True):
    """What was used from a day on; `since` is the word for it on the command line."""

    since: str
    amount: UsageTotals


class TotalsAnswer(Struct, frozen=True):
    """What was used today, this week and in 30 days; `budget` is that of the day, where one is."""

    today: RangeTotal
    week: RangeTotal
    month: RangeTotal
    budget: BudgetShare | None


class ExplanationQuery(RangeQuery, frozen=True, forbid_unknown_fields=True):
    """Whose cost is to be explained: a session's, or that of a stretch of time or a project.

    Of a session it is what lists and reports say, of the stretch of time and of the part `key` of
    a report that is broken down `by` something. With `part` it is a cost that stands in the
    session itself: of the path to `tip` that is read, of all of it, of the agents on the path, of
    what a branch has to itself, of a turn or of an agent, these three named by `at`; or of the
    side `a` or `b` of a comparison of two branches. `agent` names the agent that is read, `to` the
    message at which the path ends.

    `first` and `limit` say which of a session's calls are listed.
    """

    by: UsageBreakdown = ""
    key: Word = ""
    part: ExplainedPart = ""
    tip: Word = ""
    agent: Word = ""
    to: Word = ""
    at: Word = ""
    a: Word = "active"
    b: Word = "active"
    other: Word = ""
    first: Limit = 0
    limit: Annotated[int, Meta(ge=1, le=1_000)] = 100


class TokenPrices(Struct, frozen=True):
    """Prices in USD per million tokens."""

    input: float
    output: float
    cache_write_5m: float
    cache_write_1h: float
    cache_read: float


class ModelCost(UsageTotals, frozen=True):
    """What a model used, and its price; `rates` is null where it has none.

    `price_name` is the entry of the list it was found under, `as_of` the date of that list, or
    "yours" where the settings set it.
    """

    model: str
    calls: int
    price_name: str | None
    as_of: str | None
    rates: TokenPrices | None
    above: int | None
    rates_above: TokenPrices | None
    fast_multiplier: float | None
    web_search_usd: float | None


class CallItem(UsageTotals, frozen=True):
    """A call: the line that counts, and how many others report it too.

    `counted_in` names the session to which it is charged; it is in the total only `counted_here`.
    """

    model: str
    timestamp: str | None
    message_id: str | None
    counted_in: str
    counted_here: bool
    priced: bool
    file: str
    line: int | None
    other_lines: int


class ExplanationAnswer(Struct, frozen=True):
    """What is behind a cost: models with their prices, and the calls of a session."""

    session: str | None
    title: str | None
    totals: UsageTotals
    models: list[ModelCost]
    total_calls: int
    calls: list[CallItem]
    notes: list[str]


class StatsQuery(RangeQuery, frozen=True, forbid_unknown_fields=True):
    """What statistics are asked for; `limit` leaves the first rows, 0 all."""

    limit: Limit = 0


class ReportSessionsQuery(RangeQuery, frozen=True, forbid_unknown_fields=True):
    """Which row of a report is meant: the report and the key of the row."""

    report: Annotated[str, Meta(max_length=20)] = "tools"
    key: Word = ""


class ReportSessionItem(Struct, frozen=True):
    """A session behind a number, and how often it happened there."""

    id: str
    open_id: str | None
    title: str
    project_name: str
    count: int
    last: str | None
    kept: KeptSign | None


class ReportSessionsAnswer(Struct, frozen=True):
    """The sessions behind a row, those with most first."""

    total: int
    rows: list[ReportSessionItem]
