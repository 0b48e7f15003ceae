"""The report of conversation branches: what each used itself, and its whole path."""

from collections.abc import Iterable

from bough.model.usage.costs import UsageTotal
from bough.query.usage.branch_shares import (
    BranchUsage,
    branch_key,
    choose_agent_starts,
    sum_by_branch,
)
from bough.query.usage.report import Ledger
from bough.query.usage.usage_rows import Json, UsageRow, sort_by_cost, sort_rows, sum_amounts


def branch_rows(ledger: Ledger) -> list[UsageRow]:
    """Add calls up by branch; only what is a branch's own sums to the total."""
    by_number = {usage.number: usage for usage in ledger.usages if usage.number}
    calls = [(by_number.get(usage.number, usage), line) for usage, line in ledger.calls]
    used = {(usage.project, usage.session) for usage, _ in calls}
    family = [usage for usage in ledger.usages if (usage.project, usage.session) in used]
    shapes = ledger.source.load_branch_maps([usage for usage in family if usage.agent is None])
    by_path = {usage.path: usage for usage in family}
    starts = choose_agent_starts(ledger.source.load_agent_starts(family), by_path)
    titles = {usage.session: usage.title for usage in family if usage.agent is None}
    return sort_rows(
        _branch_row(branch, branch.name or titles.get(branch.session))
        for branch in sum_by_branch(calls, shapes, starts, ledger.prices)
    )


def sum_left_behind(rows: Iterable[UsageRow]) -> UsageTotal:
    """Add up what only branches that were left used; what is on no branch was not left."""
    return sum_amounts(
        row.amount for row in rows if row.about["tip"] is not None and not row.about["active"]
    )


def _branch_row(branch: BranchUsage, title: str | None) -> UsageRow:
    own = path = sum_amounts(branch.own.values())
    about: Json = {"session": branch.session, "tip": branch.tip, "active": branch.active}
    # Nearly all sessions never part.
    if branch.path is not branch.own:
        path = sum_amounts(branch.path.values())
    key = branch_key(branch.session, branch.tip)
    return UsageRow(key, own, sort_by_cost(branch.own), about=about, label=title, path=path)
