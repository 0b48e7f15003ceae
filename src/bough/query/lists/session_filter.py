"""Which sessions a list shows, and in which order: one rule for every face.

A session is of a stretch of time where something of it happened in it: it ended no earlier
than that begins, and began before that ends.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, tzinfo
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final, Literal, get_args

from msgspec import Struct

from bough.errors import Misuse
from bough.query.lists.list_rows import SessionRow

if TYPE_CHECKING:
    from bough.model.usage.costs import UsageTotal

SessionSort = Literal["newest", "oldest", "cost", "turns", "title"]
SESSION_SORTS: Final[tuple[SessionSort, ...]] = get_args(SessionSort)
LIVE_STATES: Final = frozenset(("working", "background", "waiting", "compacting"))
SESSION_STATES: Final = (
    *("working", "background", "waiting", "compacting", "failed", "interrupted", "finished"),
    *("deleted", "live"),
)
"""What `--state` takes; `live` is any of those in which something goes on."""


class SessionFilter(Struct, frozen=True, kw_only=True):
    """What sessions are asked for; what is None does not narrow.

    `since` and `until` are words for times. `model` is a part of a model's name, `branch` the
    name of a git branch, in which * stands for anything. `starred` keeps rows that say so.
    `machine` and `member` are whole names, of what is in a team's store.
    """

    since: str | None = None
    until: str | None = None
    model: str | None = None
    branch: str | None = None
    starred: bool = False
    machine: str | None = None
    member: str | None = None


def filter_sessions(
    rows: Iterable[SessionRow], wanted: SessionFilter, now: datetime, zone: tzinfo
) -> list[SessionRow]:
    """Keep the sessions that are asked for.

    Raises:
        Misuse: A time cannot be read.
    """
    kept = [row for row in rows if row.starred] if wanted.starred else list(rows)
    if wanted.since or wanted.until:
        from bough.query.usage.calendar import parse_date_range  # noqa: PLC0415 - most lists name no time

        asked = parse_date_range(wanted.since, wanted.until, now, zone)
        kept = [row for row in kept if _is_within(row, asked.since, asked.until)]
    if wanted.machine is not None:
        kept = [row for row in kept if row.machine == wanted.machine]
    if wanted.member is not None:
        kept = [row for row in kept if row.owner == wanted.member]
    if wanted.model is not None:
        part = wanted.model.casefold()
        kept = [row for row in kept if any(part in model.casefold() for model in row.models)]
    if wanted.branch is not None:
        pattern = wanted.branch.casefold()
        kept = [row for row in kept if fnmatchcase((row.git_branch or "").casefold(), pattern)]
    return kept


def sort_sessions(
    rows: Iterable[SessionRow], sort: str, costs: "Mapping[str, UsageTotal]"
) -> list[SessionRow]:
    """Put sessions in one of the orders of a list; equal ones stay as they stand."""
    match sort:
        case "oldest":
            return sorted(rows, key=lambda row: row.ended_at or "~")
        case "cost":
            by_cost = {one: amount.cost.picodollars for one, amount in costs.items()}
            return sorted(rows, key=lambda row: -by_cost.get(row.id, -1))
        case "turns":
            return sorted(rows, key=lambda row: -row.turns)
        case "title":
            return sorted(rows, key=lambda row: row.title.casefold())
        case _:
            return sorted(rows, key=lambda row: row.ended_at or "", reverse=True)


def sort_by_state(
    rows: Iterable[SessionRow], state_of: Callable[[SessionRow], str]
) -> list[SessionRow]:
    """Set sessions in which something goes on before the rest; the newest first in each state.

    Only what goes on: a session that failed a year ago is one of the rest.
    """
    newest = sort_sessions(rows, "newest", {})
    places = {state: place for place, state in enumerate(_GOING_ON)}
    return sorted(newest, key=lambda row: places.get(state_of(row), len(places)))


_GOING_ON: Final = ("waiting", "working", "background", "compacting")
"""The states of sessions in which something goes on, those that need somebody first."""


def parse_states(given: Sequence[str]) -> frozenset[str]:
    """Read the states that are asked for, each name alone or several with commas between.

    Raises:
        Misuse: There is no such state.
    """
    wanted = {word.strip().lower() for one in given for word in one.split(",")}
    unknown = wanted - set(SESSION_STATES)
    if unknown:
        known = ", ".join(sorted(SESSION_STATES))
        raise Misuse(f"No state is called {min(unknown)}. There are {known}.")
    return frozenset((wanted - {"live"}) | (LIVE_STATES if "live" in wanted else set()))


def _is_within(row: SessionRow, since: str | None, until: str | None) -> bool:
    ended = row.ended_at or row.started_at
    if ended is None:
        return False
    return (since is None or ended >= since) and (
        until is None or (row.started_at or ended) < until
    )
