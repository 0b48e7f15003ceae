"""The report of five-hour blocks: each with what it used, how fast, and where it will end."""

from collections.abc import Iterable, Iterator
from datetime import datetime

from bough.model.text.times import format_timestamp
from bough.model.usage.costs import UsageTotal, usd
from bough.model.usage.five_hour_windows import (
    PricedCall,
    UsageWindow,
    measure_burn_rate,
    project_window,
    split_into_windows,
)
from bough.model.usage.sums import UsageSum
from bough.query.usage.report import Ledger
from bough.query.usage.totals import LedgerEntry, price_call
from bough.query.usage.usage_rows import Json, UsageRow, sort_by_cost, sum_amounts


def window_rows(ledger: Ledger, now: datetime) -> list[UsageRow]:
    """Cut the calls into blocks, oldest first; gaps between them have rows of their own."""
    dated = sorted(_parse_times(ledger.calls), key=lambda pair: pair[0])
    amounts = [price_call(line, ledger.prices) for _, _, (_, line) in dated]
    cut = split_into_windows(
        PricedCall(
            at,
            line.input_tokens,
            line.output_tokens,
            line.cache_creation_tokens,
            line.cache_read_tokens,
            amount.cost.picodollars,
            line.model,
            line.calls,
            last,
        )
        for (at, last, (_, line)), amount in zip(dated, amounts, strict=True)
    )
    rows: list[UsageRow] = []
    first = 0
    for block in cut:
        last = first + block.parts
        models: dict[str, UsageTotal] = {}
        for (_, _, (_, line)), amount in zip(dated[first:last], amounts[first:last], strict=True):
            models[line.model] = models.get(line.model, UsageTotal()) + amount
        first = last
        if _is_in_range(ledger, block):
            rows.append(_window_row(block, models, now))
    return rows


def _parse_times(
    calls: Iterable[LedgerEntry],
) -> Iterator[tuple[datetime, datetime, LedgerEntry]]:
    """Read the times of the first and the last call of entries; what has none is in no block."""
    for entry in calls:
        line = entry[1]
        first = line.first_at if isinstance(line, UsageSum) else line.timestamp
        last = line.last_at if isinstance(line, UsageSum) else line.timestamp
        if first is not None and last is not None:
            try:
                yield datetime.fromisoformat(first), datetime.fromisoformat(last), entry
            except ValueError:
                continue


def _is_in_range(ledger: Ledger, block: UsageWindow) -> bool:
    since, until = ledger.stretch.since, ledger.stretch.until
    return (since is None or format_timestamp(block.end) > since) and (
        until is None or format_timestamp(block.start) < until
    )


def _window_row(block: UsageWindow, models: dict[str, UsageTotal], now: datetime) -> UsageRow:
    amount = sum_amounts(models.values())
    has_price = amount.cost.usd is not None
    about: Json = {
        "start": format_timestamp(block.start),
        "end": format_timestamp(block.end),
        "calls": block.calls,
        "gap": block.is_gap,
        "active": block.is_active(now),
        "burn": None,
        "projection": None,
    }
    if (speed := measure_burn_rate(block)) is not None:
        about["burn"] = {
            "tokens_per_minute": speed.tokens_per_minute,
            "uncached_tokens_per_minute": speed.uncached_per_minute,
            "cost_usd_per_hour": usd(round(speed.cost_per_hour)) if has_price else None,
        }
    if (ahead := project_window(block, now)) is not None:
        about["projection"] = {
            "minutes_left": ahead.minutes_left,
            "tokens": ahead.tokens,
            "cost_usd": usd(ahead.cost) if has_price else None,
        }
    return UsageRow(format_timestamp(block.start), amount, sort_by_cost(models), about=about)
