"""Where the made-up people work, and when things happened, seen from now.

The demo is told as if it had happened lately. The afternoon of the main story is today's, or
yesterday's when today's is not over; everything else is counted back from it.
"""

from datetime import datetime, time, timedelta
from typing import Unpack

from bough.sample.builder.session import SampleSession, session
from bough.sample.data.records import SampleOptions

_MAIN_SESSION_ENDS = time(15, 12)


class DemoCalendar:
    """Moments of the demo."""

    def __init__(self, now: datetime) -> None:
        self.now = now.astimezone() if now.tzinfo is None else now
        over = self.now.time() >= _MAIN_SESSION_ENDS
        self.main_day = (self.now - timedelta(days=0 if over else 1)).date()

    def today(self, clock: str) -> datetime:
        """Give a time of the day of the main story."""
        return self.days_ago(0, clock)

    def days_ago(self, days: int, clock: str) -> datetime:
        """Give a time so many days before the main story."""
        at = time.fromisoformat(clock)
        day = self.main_day - timedelta(days=days)
        return datetime.combine(day, at, tzinfo=self.now.tzinfo)

    def last_weekday(self, weekday: int, clock: str) -> datetime:
        """Give a time on the last such weekday before the main story; Monday is 0."""
        back = (self.main_day.weekday() - weekday - 1) % 7 + 1
        return self.days_ago(back, clock)

    def minutes_ago(self, minutes: float) -> datetime:
        """Give the moment so many minutes before now."""
        return self.now - timedelta(minutes=minutes)


ORCHARD = "/home/dev/code/orchard-shop"
RESUME_IMPORT = f"{ORCHARD}/.claude/worktrees/resume-import"
FIX_TAX = f"{ORCHARD}/.claude/worktrees/fix-tax"
LANTERN = "/home/dev/code/paper-lantern"
TIDE_TABLE = "C:\\Users\\dev\\source\\tide-table"
FIELD_NOTES = "/home/dev/writing/field-notes"
DOTFILES = "/home/dev/dotfiles"
TICK = timedelta(milliseconds=400)


def begin_session(seed: str, moment: datetime, **facts: Unpack[SampleOptions]) -> SampleSession:
    """Begin a session at a moment; things happen a little faster than in tests."""
    return session(f"demo/{seed}", **({"start": moment, "tick": TICK} | facts))
