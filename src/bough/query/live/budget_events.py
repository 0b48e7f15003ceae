"""Budgets that are used up, as events of the stream: each once, when it happens.

What sessions and the day cost is counted with the numbers of the status line. What was used up
already when somebody began to look tells nobody; another budget is another matter.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from bough.model.text.formats import format_cost
from bough.query.live.events import SessionEventKind, StreamEvent
from bough.query.live.running_sessions import LiveSession
from bough.status_line.number_cache import BudgetStatus, StatusNumbers

_Key = tuple[str, float, float]
"""What is over: a session or a day, its budget, and for a day when it ends."""


class BudgetWatcher:
    """Remembers which budgets were used up."""

    def __init__(self, *, with_day: bool = True) -> None:
        self._with_day = with_day
        self._known: set[_Key] = set()
        self._begun = False

    def find_crossings(
        self, numbers: Mapping[str, object], rows: Iterable[LiveSession]
    ) -> list[StreamEvent]:
        """List the budgets that were not used up when this was asked before; none the first time.

        Args:
            numbers: What was counted.
            rows: The sessions that are followed.
        """
        at = numbers.get("at")
        moment = float(at) if isinstance(at, int | float) else 0.0
        found = StatusNumbers(numbers, moment)
        events = [
            _make_event(budget, moment, row)
            for row in rows
            for budget in found.list_used_budgets(row.id)
            if budget.of == "session" and self._is_new((row.path, budget.usd, 0.0))
        ]
        for budget in found.list_used_budgets() if self._with_day else ():
            ends = numbers.get("day_ends")
            day = float(ends) if isinstance(ends, int | float) else 0.0
            if self._is_new((budget.of, budget.usd, day)):
                events.append(_make_event(budget, moment))
        begun, self._begun = self._begun, True
        return events if begun else []

    def _is_new(self, key: _Key) -> bool:
        is_new = key not in self._known
        self._known.add(key)
        return is_new


def describe_budget(budget: BudgetStatus) -> str:
    """Say what was spent, and of how much: $5.12 of $5.00."""
    return f"{format_cost(budget.spent)} of {format_cost(budget.usd)}"


def _make_event(budget: BudgetStatus, at: float, row: LiveSession | None = None) -> StreamEvent:
    moment = datetime.fromtimestamp(at, UTC)
    what = "over budget" if row is not None else "the day is over budget"
    return StreamEvent(
        kind=SessionEventKind.BUDGET,
        session=row.id if row is not None else "",
        project=row.project if row is not None else "",
        uuid=None,
        time=f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z",
        text=f"{what}: {describe_budget(budget)}",
        name=row.name if row is not None else "",
        path=row.path if row is not None else None,
    )
