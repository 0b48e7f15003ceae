"""Plans that a page was shown: kept until they are carried out, or others take their place.

A plan holds every byte it would write, so few of them are kept, the newest always.
"""

import secrets
import threading
from collections import OrderedDict
from typing import Final

from msgspec import Struct

from bough.library import Plan
from bough.web.wire.travel_plans import TravelBody

_MOST: Final = 8
_MOST_BYTES: Final = 64_000_000


class StoredPlan(Struct, frozen=True):
    """A plan, the digest of what was shown of it, and what was asked for."""

    plan: Plan
    digest: str
    body: TravelBody


class PlanCache:
    """The plans that may be carried out, by name."""

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._plans: OrderedDict[str, StoredPlan] = OrderedDict()
        self._lock = threading.Lock()

    def make_name(self) -> str:
        """Make up a name that nobody can guess."""
        return secrets.token_urlsafe(16)

    def keep(self, name: str, previewed: StoredPlan) -> None:
        """Keep a plan under its name."""
        with self._lock:
            self._plans[name] = previewed
            size = sum(_measure(one.plan) for one in self._plans.values())
            while len(self._plans) > 1 and (len(self._plans) > _MOST or size > self._most_bytes):
                _, oldest = self._plans.popitem(last=False)
                size -= _measure(oldest.plan)

    def take(self, name: str) -> StoredPlan | None:
        """Take a plan out, to carry it out: nobody else can do so meanwhile."""
        with self._lock:
            return self._plans.pop(name, None)


def _measure(plan: Plan) -> int:
    return sum(
        len(getattr(step, "data", b"")) + len(getattr(step, "old", b"")) for step in plan.steps
    )
