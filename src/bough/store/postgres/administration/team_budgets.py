"""Budgets of a team: what a team, a project or a member may cost in a day, a week or a month.

Whoever sends keeps, by day, what their calls cost; the database adds that up, as nobody but an
admin may know the sum, and notes each mark that is crossed once in a period. Addresses of webhooks
are seen by admins alone, so it is they who post: in `team check`, and where they send themselves.
"""

import hashlib
from collections.abc import Mapping
from typing import Final

from bough.errors import Misuse
from bough.model.usage.sums import UsageSum, begin_of
from bough.store.postgres.server_connection import ServerConnection
from bough.store.team_rows import (
    BudgetPeriod,
    BudgetScope,
    CrossedMark,
    DayCost,
    MarkNotification,
    TeamBudget,
)

_MICRO: Final = 1_000_000
_PERIODS: Final = "day, week, month"
_PUT: Final = """
    insert into budget (id, scope, scope_id, period, usd_micro, warn_at, webhook)
    values (%(id)s, %(scope)s, %(scope_id)s, %(period)s, %(usd_micro)s, %(warn_at)s, %(webhook)s)
    on conflict (md5(id::text)) do update set usd_micro = excluded.usd_micro,
        warn_at = excluded.warn_at, webhook = excluded.webhook
"""
_BEGIN_ANEW: Final = """
    delete from budget_mark m using budget b
    where m.budget_id = b.id and b.id = %s and b.usd_micro <> %s
"""
_NOTE: Final = "select note_deed(%s, %s)"
_LIST: Final = """
    select b.scope, b.scope_id, coalesce(
            (select min(p.name) from project p where b.scope = 'project'
                and p.identity::text = b.scope_id), b.scope_id),
        b.period, b.usd_micro, b.warn_at, b.webhook, spent.period_begin,
        coalesce(spent.usd_micro, 0), coalesce(spent.unpriced_calls, 0),
        array(select m.mark from budget_mark m where m.budget_id = b.id
            and m.period_begin = spent.period_begin order by 1)
    from budget b left join budgets_spent() as spent on spent.id = b.id
    order by b.scope, 3, b.period
"""
_PROJECTS: Final = """
    select p.identity, min(p.name), min(coalesce(p.repository, p.path, p.folder))
    from project p
    where %(named)s in (p.name, p.path, p.dir, p.folder, p.repository, p.identity::text)
    group by p.identity order by 3
"""
_SUMS: Final = """
    select u.project_id, substr(u.quarter, 1, 10), u.offset, u.model, u.quarter, u.calls,
        u.input_tokens, u.output_tokens, u.cache_creation_tokens, u.cache_read_tokens,
        u.cache_creation_1h_tokens, u.web_searches, u.speed, u.rank, u.first_at, u.last_at,
        u.origin
    from usage_sum u
    where u.quarter >= %(since)s and u.quarter <> ''
    and (%(everybody)s or u.project_id = any(array(select my_projects())))
"""
_SINCE: Final = "select to_char(least(date_trunc('month', t), date_trunc('week', t)), 'YYYY-MM-DD')"
_NOW: Final = f"{_SINCE} from (select now() at time zone 'UTC') as moment(t)"
_KNOWN: Final = """
    select project_id, day, usd_micro, unpriced_calls from spend
    where day >= %(since)s
    and (%(everybody)s or project_id = any(array(select my_projects())))
"""
_SPEND: Final = """
    insert into spend (project_id, day, usd_micro, unpriced_calls) values (%s, %s, %s, %s)
    on conflict (project_id, day) do update set usd_micro = excluded.usd_micro,
        unpriced_calls = excluded.unpriced_calls
"""
_NO_SPEND: Final = "delete from spend where project_id = %s and day = %s"
_IS_ADMIN: Final = "select is_superuser() or coalesce(my_role() = 'admin', false)"
_CROSS: Final = """
    select scope, coalesce((select min(p.name) from project p where scope = 'project'
        and p.identity::text = scope_id), scope_id), period, mark, usd_micro, budget_usd_micro
    from cross_marks()
"""
# Whoever was stopped while posting is waited for no longer than this.
_CLAIM: Final = """
    update budget_mark m set claimed_at = now() from budget b
    where b.id = m.budget_id and b.webhook is not null and m.posted_at is null
    and (m.claimed_at is null or m.claimed_at < now() - interval '5 minutes')
    returning b.id, m.period_begin, m.mark, b.webhook, b.scope, coalesce(
        (select min(p.name) from project p where b.scope = 'project'
            and p.identity::text = b.scope_id), b.scope_id),
        b.period, m.usd_micro, b.usd_micro, m.crossed_at
"""
_POSTED: Final = """
    update budget_mark set posted_at = now()
    where budget_id = %s and period_begin = %s and mark = %s
"""
_NOT_POSTED: Final = """
    update budget_mark set claimed_at = null
    where budget_id = %s and period_begin = %s and mark = %s
"""

ProjectDay = tuple[int, str]


def set_budget(
    connection: ServerConnection, scope: BudgetScope, named: str, budget: TeamBudget
) -> str:
    """Set what a team, a project or a member may cost; gives the name of what is meant.

    Where the amount is another than before, marks count anew.

    Raises:
        Misuse: There is no such project or member, or several projects, or one is no admin.
    """
    _require_admin(connection)
    scope_id, name = _find_scope(connection, scope, named)
    number = _number_budget(scope, scope_id, budget.period)
    micro = round(budget.usd * _MICRO)
    with connection.transaction():
        connection.run(_BEGIN_ANEW, [number, micro])
        connection.run(
            _PUT,
            {
                "id": number,
                "scope": scope,
                "scope_id": scope_id,
                "period": budget.period,
                "usd_micro": micro,
                "warn_at": list(budget.warn_at),
                "webhook": budget.webhook,
            },
        )
        said = f"set a budget: {budget.usd:.2f} USD a {budget.period}"
        connection.run(_NOTE, [said, f"{scope} {name}".strip()])
    return name


def remove_budget(
    connection: ServerConnection, scope: BudgetScope, named: str, period: BudgetPeriod
) -> str:
    """Remove a budget and its marks; gives the name of what it was about.

    Raises:
        Misuse: There is none, or one is no admin.
    """
    _require_admin(connection)
    scope_id, name = _find_scope(connection, scope, named)
    number = _number_budget(scope, scope_id, period)
    with connection.transaction():
        connection.run("delete from budget_mark where budget_id = %s", [number])
        if not connection.run("delete from budget where id = %s", [number]):
            raise Misuse(
                f"There is no such budget. bough team budget list names them ({_PERIODS})."
            )
        connection.run(_NOTE, [f"removed a budget of a {period}", f"{scope} {name}"])
    return name


def list_budgets(connection: ServerConnection) -> list[TeamBudget]:
    """List the budgets, with what was spent of each in its period; only admins see any."""
    return [
        TeamBudget(
            scope=row[0],
            scope_id=row[1],
            name=row[2],
            period=row[3],
            usd=row[4] / _MICRO,
            warn_at=tuple(_as_mark(mark) for mark in row[5]),
            webhook=row[6],
            since=row[7].isoformat() if row[7] else None,
            spent_usd=row[8] / _MICRO,
            unpriced_calls=row[9],
            crossed=tuple(_as_mark(mark) for mark in row[10]),
        )
        for row in connection.fetch_all(_LIST)
    ]


def is_admin(connection: ServerConnection) -> bool:
    """Tell whether one keeps the budgets of this database."""
    row = connection.fetch_one(_IS_ADMIN)
    return bool(row and row[0])


def load_period_sums(
    connection: ServerConnection, *, everybody: bool
) -> list[tuple[ProjectDay, UsageSum]]:
    """Give what was used since the oldest period that goes on began, by project and day.

    Args:
        connection: The database.
        everybody: As an admin, of all projects; else of one's own.
    """
    rows = connection.fetch_all(_SUMS, {"since": _since(connection), "everybody": everybody})
    return [
        ((project, day), UsageSum(offset, model, begin_of(quarter), *rest))
        for project, day, offset, model, quarter, *rest in rows
    ]


def save_spend(
    connection: ServerConnection, spend: Mapping[ProjectDay, DayCost], *, everybody: bool
) -> None:
    """Keep what was spent by project and day; days that have nothing any more go."""
    values = {"since": _since(connection), "everybody": everybody}
    rows = connection.fetch_all(_KNOWN, values)
    known = {(row[0], row[1]): DayCost(row[2], row[3]) for row in rows}
    changed = [
        (*key, one.usd_micro, one.unpriced_calls)
        for key, one in sorted(spend.items())
        if known.get(key) != one
    ]
    gone = sorted(known.keys() - spend.keys())
    if changed:
        connection.run_many(_SPEND, changed)
    if gone:
        connection.run_many(_NO_SPEND, gone)


def cross_marks(connection: ServerConnection) -> list[CrossedMark]:
    """Note the marks that are crossed now, each once; gives those that one may know."""
    return [
        CrossedMark(scope, name, period, _as_mark(mark), spent / _MICRO, allowed / _MICRO)
        for scope, name, period, mark, spent, allowed in connection.fetch_all(_CROSS)
    ]


def claim_posts(connection: ServerConnection) -> list[MarkNotification]:
    """Take the crossed marks that no webhook has been sent; nobody else gets them meanwhile."""
    return [
        MarkNotification(
            key=(row[0], row[1], row[2]),
            webhook=row[3],
            crossed=CrossedMark(
                row[4], row[5], row[6], _as_mark(row[2]), row[7] / _MICRO, row[8] / _MICRO
            ),
            at=row[9].isoformat(),
        )
        for row in connection.fetch_all(_CLAIM)
    ]


def finish_post(connection: ServerConnection, post: MarkNotification, *, posted: bool) -> None:
    """Keep that a mark was posted, or that it is to be tried again."""
    connection.run(_POSTED if posted else _NOT_POSTED, list(post.key))


def _require_admin(connection: ServerConnection) -> None:
    if not is_admin(connection):
        raise Misuse(f"Budgets in {connection.place} are kept by its admins.")


def _since(connection: ServerConnection) -> str:
    row = connection.fetch_one(_NOW)
    return str(row[0]) if row else ""


def _find_scope(connection: ServerConnection, scope: BudgetScope, named: str) -> tuple[str, str]:
    if scope == "team":
        return "", ""
    if scope == "member":
        if connection.fetch_one("select 1 from member where name = %s", [named]) is None:
            raise Misuse(f"There is no member {named}. bough team member list names them.")
        return named, named
    found = connection.fetch_all(_PROJECTS, {"named": named})
    if not found:
        raise Misuse(f"There is no project {named} in {connection.place}.")
    if len(found) > 1:
        places = ", ".join(row[2] for row in found)
        raise Misuse(f"Several projects are called {named}. Name one of these: {places}.")
    return str(found[0][0]), found[0][1]


def _number_budget(scope: str, scope_id: str, period: str) -> int:
    parts = f"budget\0{scope}\0{scope_id}\0{period}"
    return int.from_bytes(hashlib.sha256(parts.encode()).digest()[:8], "big") >> 1


def _as_mark(mark: float) -> float:
    """Take what the database keeps in single precision for what was written."""
    return round(mark, 4)
