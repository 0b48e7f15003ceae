"""Budgets: what a session and a day may cost, what was spent of it, and whether bough stops.

Who is over a budget is counted with the numbers of the status line, so that the guard, the line
and this say the same.
"""

from contextlib import suppress
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from bough.config import claude_dirs, load_settings, read_settings, settings_path
from bough.errors import BoughError, Misuse, with_tilde
from bough.library.parameters import ClaudeDir, Folder, IndexLike, as_dirs, as_index_path
from bough.library.settings_functions import keep_choice
from bough.model.usage.budget_share import BudgetShare
from bough.query.usage.chosen_budgets import load_budgets

if TYPE_CHECKING:
    from bough.query.live.running_sessions import LiveSession

_LABELS: Final = {"budget_session": "The budget of a session", "budget_day": "The budget of a day"}
_LARGEST: Final = 1_000_000


class SessionBudget(Struct, frozen=True, kw_only=True):
    """A session that is going on and cost more than its budget."""

    id: str
    project: str
    title: str
    cost_usd: float
    unpriced_models: list[str]


class GuardStatus(Struct, frozen=True, kw_only=True):
    """The budgets in USD, None where there is none, and what was spent of them.

    `stops` names the settings files through which the client asks the guard; `over` are the
    sessions of the last hours that cost more than a session may.
    """

    budget_session: float | None
    budget_day: float | None
    day_usd: float | None
    is_day_over: bool
    over: tuple[SessionBudget, ...] = ()
    stops: tuple[str, ...] = ()


def guard_status(
    claude_dir: ClaudeDir = None,
    *,
    local: Folder | None = None,
    index: IndexLike = None,
) -> GuardStatus:
    """Tell which budgets there are and what was spent of them; it is counted anew, and kept.

    Args:
        claude_dir: The Claude folder that is meant; by default the client's own.
        local: A project's folder, whose local settings are looked at too.
        index: Where the index is; without one the files of today are read.
    """
    from bough.query.live.status_numbers import (  # noqa: PLC0415 - who sets budgets needs none of it
        count_folder_numbers,
        keep_numbers,
    )

    folder = claude_dirs([Path(one) for one in as_dirs(claude_dir)])[0]
    chosen = as_index_path(index)
    found = count_folder_numbers(folder, Path(chosen) if chosen else None)
    with suppress(OSError):  # a convenience for the status line and the guard
        keep_numbers(found.folders, found.numbers, found.rows)
    settings = load_settings()
    rows = {row.id: row for row in found.rows}
    over = found.numbers.get("over")
    day = found.numbers.get("day")
    spent = float(day) if isinstance(day, int | float) else None
    places = [folder / "settings.json"]
    places += [Path(local) / ".claude" / "settings.local.json"] if local is not None else []
    return GuardStatus(
        budget_session=settings.budget_session,
        budget_day=settings.budget_day,
        day_usd=spent,
        is_day_over=None not in (spent, settings.budget_day)
        and (spent or 0.0) >= (settings.budget_day or 0.0),
        over=tuple(
            _describe_session(rows[one], cost)
            for one, cost in (over.items() if isinstance(over, dict) else ())
        ),
        stops=tuple(str(place) for place in places if _asks_guard(place)),
    )


def day_budget(claude_dir: ClaudeDir = None, *, index: IndexLike = None) -> BudgetShare | None:
    """Say how much of the day's budget is spent; None where no budget is set, or nobody knows.

    Without an index, what any bough counted within the last minute is taken as it is.

    Args:
        claude_dir: The Claude folder that is meant; by default the client's own.
        index: Where the index is; without one the files of today are read.
    """
    if load_budgets().day is None:
        return None
    from bough.query.live.status_numbers import find_day_share  # noqa: PLC0415 - as above

    folder = claude_dirs([Path(one) for one in as_dirs(claude_dir)])[0]
    chosen = as_index_path(index)
    return find_day_share(folder, Path(chosen) if chosen else None)


def change_budgets(*, session: float | None = None, day: float | None = None) -> None:
    """Keep what a session and a day may cost in USD; None leaves one as it is, 0 takes it away.

    Raises:
        Misuse: It is no amount, or `config.toml` sets it.
    """
    in_config = read_settings().in_config
    wanted = {"budget_session": session, "budget_day": day}
    for name, value in wanted.items():
        if value is None:
            continue
        if not isfinite(value) or not 0 <= value <= _LARGEST:
            raise Misuse(f"{_LABELS[name]} is an amount in USD from 0 to {_LARGEST:,}.")
        if name in in_config:
            where = with_tilde(str(settings_path()))
            raise Misuse(f"{_LABELS[name]}: set in {where}, which wins. Change it there.")
    for name, value in wanted.items():
        if value is not None:
            keep_choice(name, value or None, _LABELS[name])


def _describe_session(row: "LiveSession", cost: float) -> SessionBudget:
    return SessionBudget(
        id=row.id,
        project=row.name,
        title=row.title,
        cost_usd=cost,
        unpriced_models=row.unpriced_models,
    )


def _asks_guard(path: Path) -> bool:
    from bough.library.client_settings.client_settings_functions import has_guard  # noqa: PLC0415 - `bough status` does without it

    try:
        return has_guard(path)
    except BoughError:
        return False  # settings that cannot be read let nobody ask
