"""Health on the wire: what `doctor` finds in a session and in all of them."""

from typing import Literal

from msgspec import Struct


class HealthFinding(Struct, frozen=True):
    """A finding; `repair` says what a repair does about it, `why_not` why it does nothing."""

    kind: str
    severity: Literal["problem", "note"]
    where: str
    message: str
    repair: str | None
    why_not: str | None


class SessionHealth(Struct, frozen=True):
    """What is wrong with a session; `reachability` is the share that a resume would see.

    `trouble` says why it could not be read.
    """

    id: str
    title: str
    project_name: str
    last_active: str | None
    reachability: float
    findings: list[HealthFinding]
    is_repairable: bool
    trouble: str


class HistoryHealth(Struct, frozen=True):
    """How far all sessions were looked through, and those in which something was found.

    Sessions with problems come first, then the newest. `problems` and `notes` count sessions.
    """

    state: Literal["none", "running", "ready"]
    checked: int
    total: int
    problems: int
    notes: int
    sessions: list[SessionHealth]
