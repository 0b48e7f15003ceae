"""What is known of the members of a team, of what they share, and of what they may spend."""

from datetime import date, datetime
from typing import Literal

from msgspec import Struct

MemberRole = Literal["admin", "member", "auditor"]
JsonChoice = Literal["body", "envelope", "none"]
"""What of records a store keeps as JSON: all, all but what was said, or nothing."""
ShareLevel = Literal["read", "numbers"]
BudgetScope = Literal["team", "project", "member"]
BudgetPeriod = Literal["day", "week", "month"]


class NewToken(Struct, frozen=True):
    """What a member logs in with, said once."""

    name: str
    role: str
    token: str


class TeamMember(Struct, frozen=True):
    """A member, as others may know them."""

    name: str
    role: str
    added: datetime
    revoked: bool
    machines: int


class ProjectShare(Struct, frozen=True):
    """That somebody may read a project, or know its numbers; of whose folders, `*` is all."""

    member: str
    owner: str
    level: str
    added_by: str
    project: str


class TeamBudget(Struct, frozen=True, kw_only=True):
    """What a team, a project or a member may cost in a period, and what was spent of it.

    `warn_at` are its marks, as parts of the amount, `crossed` those that were crossed in the period
    that began `since`. Calls of models without a price are in no sum.
    """

    usd: float
    period: BudgetPeriod
    warn_at: tuple[float, ...]
    webhook: str | None = None
    scope: BudgetScope = "team"
    scope_id: str = ""
    name: str = ""
    since: str | None = None
    spent_usd: float = 0.0
    unpriced_calls: int = 0
    crossed: tuple[float, ...] = ()


class CrossedMark(Struct, frozen=True):
    """A mark of a budget that was just crossed."""

    scope: str
    name: str
    period: str
    mark: float
    spent_usd: float
    budget_usd: float


class DayCost(Struct, frozen=True):
    """What the calls of a project cost on a day, in millionths of a dollar."""

    usd_micro: int
    unpriced_calls: int


class DialectAnswer(Struct, frozen=True):
    """How a trial of what an engine can do ended; `detail` says why it did not work."""

    name: str
    works: bool
    detail: str = ""


class MarkNotification(Struct, frozen=True):
    """A crossed mark that a webhook is still to be sent."""

    key: tuple[int, date, float]
    webhook: str
    crossed: CrossedMark
    at: str


class TeamRetention(Struct, frozen=True):
    """What was removed of what was sent before a month: whole parts of tables, or rows of files.

    `bytes` is the room on the disk that the parts had.
    """

    before: str
    parts: tuple[str, ...] = ()
    bytes: int = 0
    files: int = 0
