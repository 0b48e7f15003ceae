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
        due = f"{format_plural(self.sessions, 'session')} will be deleted by the client"
        return f"{due} within {self.days} days, {self._describe_copies()}"

    def _describe_copies(self) -> str:
        if self.sessions == 1:
            return "not kept" if self.not_kept else "kept"
        if not self.not_kept:
            return "all kept"
        if self.not_kept == self.sessions:
            return "none of them kept"
        return f"{self.not_kept:,} of them not kept"


def sum_expiring(expiring: Iterable[ExpiringSession]) -> DeletionForecast:
    """Count what expires soon."""
    found: Sequence[ExpiringSession] = tuple(expiring)
    return DeletionForecast(
        sessions=len(found), not_kept=sum(not session.kept for session in found)
    )
