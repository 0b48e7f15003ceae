"""The budgets of a team's store: kept by its admins, with marks, and a webhook for each."""

import re
from typing import Final, get_args

import msgspec

from bough.errors import Misuse
from bough.library.team.team_functions import connect_team
from bough.notifications.notification_senders import (
    NotificationNotSent,
    find_webhook_host,
    post_document,
)
from bough.store.team_rows import (
    BudgetPeriod,
    BudgetScope,
    CrossedMark,
    MarkNotification,
    TeamBudget,
)

USUAL_MARKS: Final = (0.5, 0.8, 1.0)
_AMOUNT: Final = re.compile(r"(\d{1,9}(?:\.\d{1,6})?)/(day|week|month)")
_MOST_MARKS: Final = 10
_LARGEST_MARK: Final = 100


class BudgetCheck(msgspec.Struct, frozen=True):
    """What a look at the budgets found: marks crossed now, and posts that did not get through."""

    crossed: list[CrossedMark]
    posted: int
    problems: list[str]


def set_team_budget(
    url: str,
    amount: str,
    *,
    project: str | None = None,
    member: str | None = None,
    warn_at: str | None = None,
    webhook: str | None = None,
) -> TeamBudget:
    """Set what a team, a project or a member may cost in a day, a week or a month.

    Args:
        url: The database, as an admin.
        amount: In USD, with the period: `200/month`.
        project: The project that is meant, with what all have of it; by default the whole team.
        member: The member who is meant.
        warn_at: The marks, as parts of the amount: `0.5,0.8,1`, which is usual.
        webhook: The address that JSON is posted to when a mark is crossed, once in a period.

    Raises:
        Misuse: Something of that cannot be, or one is no admin.
        IndexTrouble: The database cannot be reached.
    """
    from bough.store.postgres.administration import team_budgets  # noqa: PLC0415 - an extra

    scope, named = _choose_scope(project, member)
    usd, period = _parse_amount(amount)
    if webhook is not None:
        find_webhook_host(webhook)
    budget = TeamBudget(
        usd=usd, period=period, warn_at=_parse_marks(warn_at), webhook=webhook, scope=scope
    )
    with connect_team(url) as connection:
        name = team_budgets.set_budget(connection, scope, named, budget)
    return msgspec.structs.replace(budget, name=name)


def remove_team_budget(
    url: str, period: str, *, project: str | None = None, member: str | None = None
) -> str:
    """Remove the budget of a period; gives the name of what it was about, of the team nothing.

    Raises:
        Misuse: There is none, or one is no admin.
        IndexTrouble: The database cannot be reached.
    """
    from bough.store.postgres.administration import team_budgets  # noqa: PLC0415 - an extra

    scope, named = _choose_scope(project, member)
    if period not in get_args(BudgetPeriod):
        raise Misuse(f"A budget is for a day, a week or a month, not for {period!r}.")
    chosen: BudgetPeriod = msgspec.convert(period, BudgetPeriod)
    with connect_team(url) as connection:
        return team_budgets.remove_budget(connection, scope, named, chosen)


def list_team_budgets(url: str) -> list[TeamBudget]:
    """List a team's budgets and what was spent of each; an admin sees them, others see none.

    Raises:
        IndexTrouble: The database cannot be reached.
    """
    from bough.store.postgres.administration import team_budgets  # noqa: PLC0415 - an extra

    with connect_team(url) as connection:
        return team_budgets.list_budgets(connection)


def check_team_budgets(url: str) -> BudgetCheck:
    """Price what everybody used, note the marks that are crossed, and post what is to be posted.

    For who is no admin, it is about their own budget alone, and nothing is posted.

    Raises:
        IndexTrouble: The database cannot be reached.
    """
    from bough.team.budget_evaluation import evaluate_budgets  # noqa: PLC0415 - an extra

    with connect_team(url) as connection:
        crossed = evaluate_budgets(connection, everybody=True)
    posted, problems = post_crossed_marks(url)
    return BudgetCheck(crossed, posted, problems)


def post_crossed_marks(url: str) -> tuple[int, list[str]]:
    """Post the marks whose webhooks know nothing yet; tells how many, and what went wrong.

    Webhooks are known to admins alone: who is none posts nothing. What did not get through is
    tried again the next time.
    """
    from bough.store.postgres.administration import team_budgets  # noqa: PLC0415 - an extra

    posted = 0
    problems: list[str] = []
    with connect_team(url) as connection:
        for post in team_budgets.claim_posts(connection):
            try:
                post_document(post.webhook, _crossing_document(post))
            except NotificationNotSent as error:
                problems.append(error.message)
                team_budgets.finish_post(connection, post, posted=False)
            else:
                posted += 1
                team_budgets.finish_post(connection, post, posted=True)
    return posted, problems


def describe_crossed_mark(crossed: CrossedMark) -> str:
    """Say that a mark of a budget was crossed."""
    whose = {"team": "the team", "project": f"project {crossed.name}"}.get(
        crossed.scope, crossed.name
    )
    return (
        f"Budget of {whose}: {crossed.mark:.0%} of ${crossed.budget_usd:,.2f} a {crossed.period} "
        f"are spent (${crossed.spent_usd:,.2f})."
    )


def _crossing_document(post: MarkNotification) -> dict[str, object]:
    crossed = post.crossed
    return {
        "event": "budget_crossed",
        "text": describe_crossed_mark(crossed),
        "scope": crossed.scope,
        "name": crossed.name,
        "period": crossed.period,
        "since": post.key[1].isoformat(),
        "mark": crossed.mark,
        "spent_usd": crossed.spent_usd,
        "budget_usd": crossed.budget_usd,
        "at": post.at,
    }


def _choose_scope(project: str | None, member: str | None) -> tuple[BudgetScope, str]:
    if project is not None and member is not None:
        raise Misuse("A budget is that of a project or of a member. Name one of them.")
    if project is not None:
        return "project", project
    return ("member", member) if member is not None else ("team", "")


def _parse_amount(amount: str) -> tuple[float, BudgetPeriod]:
    found = _AMOUNT.fullmatch(amount)
    if found is None or not float(found[1]):
        raise Misuse(f"{amount!r} is not a budget. One looks like 200/month, 50/week or 9.50/day.")
    return float(found[1]), msgspec.convert(found[2], BudgetPeriod)


def _parse_marks(warn_at: str | None) -> tuple[float, ...]:
    if warn_at is None:
        return USUAL_MARKS
    try:
        marks = sorted({float(part) for part in warn_at.split(",")})
    except ValueError:
        marks = []
    if not 0 < len(marks) <= _MOST_MARKS or not all(0 < mark <= _LARGEST_MARK for mark in marks):
        raise Misuse(f"{warn_at!r} are not marks. They look like 0.5,0.8,1: parts of the amount.")
    return tuple(marks)
