"""What each session or project cost, for lists.

A list is asked for all day long and its costs take every call of the history into account, so
the answer is kept in the index until a file changes.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

import msgspec
from msgspec.structs import replace

from bough.config import Settings
from bough.model.usage.budget_share import NO_BUDGETS, Budgets, BudgetShare
from bough.model.usage.costs import NO_USAGE, UsageTotal
from bough.model.usage.published_prices import PUBLISHED
from bough.query.index.kept_answers import load_or_make_answer

if TYPE_CHECKING:
    from bough.query.index.handle import IndexHandle
    from bough.query.lists.list_rows import ConversationRow, SessionRow
    from bough.query.usage.sources import UsageSource
    from bough.query.usage.totals import LedgerEntry

Row = TypeVar("Row", "SessionRow", "ConversationRow")

_FORM = 3
"""Raised when costs are counted differently, so that kept answers are not read."""

_pack = msgspec.msgpack.Encoder(order="deterministic").encode
_unpack = msgspec.msgpack.Decoder(dict[str, UsageTotal]).decode


def sum_costs(
    report: str,
    source: "UsageSource",
    *,
    now: datetime,
    settings: Settings,
) -> Mapping[str, UsageTotal]:
    """Give what each session, project or branch cost, by the key of its row in that report.

    By the rule of `bough.model.usage.copied_calls`: what it only has copies of is `copied`.
    """
    from bough.query.usage.report import UsageQuestion, report_usage  # noqa: PLC0415 - a kept answer needs none of it

    def ask(calls: "Sequence[LedgerEntry] | None" = None) -> dict[str, UsageTotal]:
        question = UsageQuestion(report=report)
        answer = report_usage(question, source, now=now, settings=settings, calls=calls)
        return {row.key: row.amount if row.path is None else row.path for row in answer.rows}

    found = ask()
    copies = source.copied_calls()
    # Copies are added up like everything else, and only what they cost is kept.
    for key, used in ask(copies).items() if copies else ():
        found[key] = replace(found.get(key, NO_USAGE), copied=used.cost)
    return found


def add_session_costs(
    rows: "Iterable[SessionRow]", costs: Mapping[str, UsageTotal], budgets: Budgets = NO_BUDGETS
) -> "list[SessionRow]":
    """Give sessions with what each cost; one without any call cost nothing.

    Those of this machine are held against the budget of a session.
    """
    priced = [_add_cost(row, costs.get(row.id)) for row in rows]
    if budgets.session is None:
        return priced
    return [
        replace(row, budget=_mark_row(row, budgets)) if row.machine is None else row
        for row in priced
    ]


def _mark_row(row: "SessionRow", budgets: Budgets) -> BudgetShare | None:
    return budgets.mark_session(row.cost_usd, is_complete=not row.unpriced_models)


def add_conversation_costs(
    rows: "Iterable[ConversationRow]", costs: Mapping[str, UsageTotal]
) -> "list[ConversationRow]":
    """Give conversations with what each cost from its start on."""
    from bough.query.usage.branch_shares import branch_key  # noqa: PLC0415 - as above

    return [_add_cost(row, costs.get(branch_key(row.session, row.tip))) for row in rows]


def _add_cost(row: Row, used: UsageTotal | None) -> Row:
    cost = (used or NO_USAGE).cost
    return replace(
        row,
        cost_usd=cost.usd,
        copied_cost_usd=(used or NO_USAGE).copied.usd,
        unpriced_models=cost.unpriced_models,
    )


def load_indexed_costs(
    report: str,
    handle: "IndexHandle",
    *,
    now: datetime,
    settings: Settings,
) -> Mapping[str, UsageTotal]:
    """Give the costs from an index, without counting where nothing has changed."""

    def count() -> Mapping[str, UsageTotal]:
        from bough.query.usage.sources import IndexUsageSource  # noqa: PLC0415 - 80 ms; a kept answer needs none of it

        return sum_costs(report, IndexUsageSource(handle), now=now, settings=settings)

    question = _cache_key(report, handle, settings)
    return load_or_make_answer(handle.store, question, count, pack=_pack, unpack=_unpack)


def _cache_key(report: str, handle: "IndexHandle", settings: Settings) -> bytes:
    """Name all that the answer depends on, beside the files."""
    roots = [f"{folder}{os.sep}" for folder in handle.folders]
    return b"costs " + _pack((_FORM, report, roots, settings.prices, PUBLISHED))
