"""What the client deletes next, in one line that every face shows."""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from bough.model.text.formats import format_plural

SOON_DAYS: Final = 7
"""What the client may delete within so many days is said."""


class ExpiringSession(Struct, frozen=True, kw_only=True):
    """A session that the client may delete soon, or did; `kept` tells whether its copy is whole."""

    session: str
    path: str
    deleted_from: str
    kept: bool


class DeletionDay(Struct, frozen=True, kw_only=True):
    """How many sessions the client may delete from a day on, and how many of them are not kept."""

    day: str
    sessions: int
    not_kept: int


class DeletionForecast(Struct, frozen=True, kw_only=True):
    """How many sessions the client may delete within `days`, and how many of them are not kept."""

    sessions: int = 0
    not_kept: int = 0
    days: int = SOON_DAYS

    @property
    def sentence(self) -> str:
        """Say it; nothing where nothing is due."""
        if not self.sessions:
            return ""
        due = f"{format_plural(self.sessions, 'session file')} will be deleted by the client"
        return f"{due} within {self.days} days, {_describe_copies(self.sessions, self.not_kept)}"


def describe_later(days: Sequence[DeletionDay]) -> str:
    """Say from when on the client may delete what it does not delete soon."""
    if not days:
        return ""
    sessions, not_kept = sum(one.sessions for one in days), sum(one.not_kept for one in days)
    first, last = days[0].day, days[-1].day
    when = f"from {first} on" if first == last else f"from {first} to {last}"
    copies = _describe_copies(sessions, not_kept)
    return f"Later: {format_plural(sessions, 'session file')}, {when}, {copies}."


def _describe_copies(sessions: int, not_kept: int) -> str:
    if sessions == 1:
        return "not kept" if not_kept else "kept"
    if not not_kept:
        return "all kept"
    if not_kept == sessions:
        return "none of them kept"
    return f"{not_kept:,} of them not kept"


def sum_expiring(expiring: Iterable[ExpiringSession]) -> DeletionForecast:
    """Count what expires soon."""
    found: Sequence[ExpiringSession] = tuple(expiring)
    return DeletionForecast(
        sessions=len(found), not_kept=sum(not session.kept for session in found)
    )
