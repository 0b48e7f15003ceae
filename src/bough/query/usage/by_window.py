"""The report of five-hour blocks: each with what it used, how fast, and where it will end."""

from collections.abc import Iterable, Iterator
from datetime import datetime

from bough.model.usage.across_files import Entry
from bough.model.usage.amounts import Amount
from bough.model.usage.call_cost import usd
from bough.model.usage.five_hour_windows import Block, Spent, blocks, burn, projection
from bough.query.usage.report import Json, Ledger, Row, costliest_first, summed
from bough.query.usage.totals import amount_of


def block_rows(ledger: Ledger, now: datetime) -> list[Row]:
    """Cut the calls into blocks, oldest first; gaps between them have rows of their own."""
    dated = sorted(_dated(ledger.calls), key=lambda pair: pair[0])
    amounts = [amount_of(line, ledger.prices) for _, (_, line) in dated]
    cut = blocks(
        Spent(
            at,
            line.input_tokens,
            line.output_tokens,
            line.cache_creation_tokens,
            line.cache_read_tokens,
            amount.cost,
            line.model,
        )
        for (at, (_, line)), amount in zip(dated, amounts, strict=True)
    )
    rows: list[Row] = []
    first = 0
    for block in cut:
        last = first + block.calls
        models: dict[str, Amount] = {}
        for (_, (_, line)), amount in zip(dated[first:last], amounts[first:last], strict=True):
            models[line.model] = models.get(line.model, Amount()) + amount
        first = last
        if _asked(ledger, block):
            rows.append(_row(block, models, now))
    return rows


def _dated(calls: Iterable[Entry]) -> Iterator[tuple[datetime, Entry]]:
    """Read the times of calls; one without a time is in no block."""
    for entry in calls:
        if entry[1].timestamp is not None:
            try:
                yield datetime.fromisoformat(entry[1].timestamp), entry
            except ValueError:
                continue


def _asked(ledger: Ledger, block: Block) -> bool:
    since, until = ledger.stretch.since, ledger.stretch.until
    return (since is None or _iso(block.end) > since) and (
        until is None or _iso(block.start) < until
    )


def _row(block: Block, models: dict[str, Amount], now: datetime) -> Row:
    about: Json = {
        "start": _iso(block.start),
        "end": _iso(block.end),
        "calls": block.calls,
        "gap": block.is_gap,
        "active": block.is_active(now),
        "burn": None,
        "projection": None,
    }
    if (speed := burn(block)) is not None:
        about["burn"] = {
            "tokens_per_minute": speed.tokens_per_minute,
            "uncached_tokens_per_minute": speed.uncached_per_minute,
            "cost_usd_per_hour": usd(round(speed.cost_per_hour)),
        }
    if (ahead := projection(block, now)) is not None:
        about["projection"] = {
            "minutes_left": ahead.minutes_left,
            "tokens": ahead.tokens,
            "cost_usd": usd(ahead.cost),
        }
    return Row(_iso(block.start), summed(models.values()), costliest_first(models), about=about)


def _iso(at: datetime) -> str:
    return at.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"
