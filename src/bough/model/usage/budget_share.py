"""Budgets: what a session and a day may cost, and how much of that is spent.

Every face marks the same: a day that has a budget always says how much of it is spent, a session
from four fifths on. What is not known is not marked.
"""

from typing import Final, Literal

from msgspec import Struct

from bough.model.text.formats import format_cost

_NEAR: Final = 80
_WHOLE: Final = 100


class BudgetShare(Struct, frozen=True):
    """What was spent of a budget, both in USD; `label` says it in short, `words` with the amounts.

    It `is_near` from four fifths on, and `is_over` where all of it is spent; `percent` are whole
    ones, and 100 only then.
    """

    of: Literal["session", "day"]
    spent_usd: float
    budget_usd: float
    percent: int
    is_near: bool
    is_over: bool
    label: str
    words: str


class Budgets(Struct, frozen=True):
    """What a session and a day may cost in USD; None where there is no budget."""

    session: float | None = None
    day: float | None = None

    def mark_session(self, spent: float | None, *, is_complete: bool = True) -> BudgetShare | None:
        """Mark a session that is near its budget or over it.

        Where the cost `is_complete` not, nobody knows how near it is: only that it is over.
        """
        share = _make_share("session", spent, self.session)
        if share is None or not share.is_near:
            return None
        return share if is_complete or share.is_over else None

    def share_day(self, spent: float | None) -> BudgetShare | None:
        """Say how much of the day's budget is spent."""
        return _make_share("day", spent, self.day)


NO_BUDGETS: Final = Budgets()


def _make_share(
    of: Literal["session", "day"], spent: float | None, budget: float | None
) -> BudgetShare | None:
    if spent is None or budget is None or budget <= 0:
        return None
    is_over = spent >= budget
    percent = int(spent * _WHOLE / budget)
    percent = max(percent, _WHOLE) if is_over else min(percent, _WHOLE - 1)
    name = "today's budget" if of == "day" else "its budget"
    label = f"over {name}" if is_over else f"{percent}% of {name}"
    words = f"{label}: {format_cost(spent)} of {format_cost(budget)}"
    return BudgetShare(of, spent, budget, percent, percent >= _NEAR, is_over, label, words)
