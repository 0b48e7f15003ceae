"""Where a session's numbers come from: its calls, the lines that report them, the prices.

Every line of each call is shown with its place, the one that counts first and the others
with why they do not. A call that is counted in another session, because it was copied
from there, is shown and adds nothing.

A number of a report or a list is one of the ledger, which has looked at every file (`explain`). One
that stands in a session itself, of a branch or a turn, is of calls that were charged there
(`explain_calls`); `bough.model.usage.copied_calls` says where the two may differ.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from msgspec import Struct

from bough.config import Settings
from bough.errors import LATEST, Unreadable
from bough.files.byte_source import ByteSource, SourceFinder
from bough.files.lines import CHUNK
from bough.model.session import Session
from bough.model.usage.across_files import (
    FileUsage,
    ReportedUsage,
    UsageEntry,
    charged_session_of,
    flatten_snapshot,
    place_call,
    split_by_call,
    why_not_counted,
)
from bough.model.usage.call_cost import LongContextPricing
from bough.model.usage.costs import NO_USAGE, UsageTotal
from bough.model.usage.price_list import PriceList, apply_overrides, price_of
from bough.model.usage.published_prices import ModelPrice, TokenRates
from bough.model.usage.tokens import UsageSnapshot
from bough.query.byte_sources import USUAL_SOURCES
from bough.query.usage.calendar import parse_date_range
from bough.query.usage.report import amount_document, make_part_of
from bough.query.usage.sources import UsageSource
from bough.query.usage.time_zones import find_zone
from bough.query.usage.totals import price_call
from bough.query.usage.usage_lookup import find_usage_session
from bough.query.usage.usage_rows import Json, sort_by_cost, sum_amounts

_RANKS = ("progress", "sidechain", "main")
_MILLION = 10**6


class ExplainedLine(Struct, frozen=True):
    """One line that reports a call; `why_not_counted` says why it does not count, None if it does.

    `line` is its number, None where nothing has the file's bytes any more.
    """

    file: str
    line: int | None
    offset: int
    timestamp: str | None
    said_by: str
    input_tokens: int
    output_tokens: int
    cache_creation_tokens: int
    cache_creation_1h_tokens: int
    cache_read_tokens: int
    web_searches: int
    speed: str | None
    why: str | None


class ExplainedCall(Struct, frozen=True):
    """One call; `counted_in` names the session to which it is charged."""

    message_id: str | None
    request_id: str | None
    model: str
    counted_in: str
    amount: UsageTotal
    lines: list[ExplainedLine]


class ExplainedPrice(Struct, frozen=True):
    """The price that was used for a model, in USD per million tokens; None: there is none.

    `name` is the entry of the price list it was found under, `as_of` the date of the list, or
    "yours" where the settings set it.
    """

    model: str
    name: str | None = None
    as_of: str | None = None
    rates: dict[str, float] | None = None
    above: int | None = None
    rates_above: dict[str, float] | None = None
    long_context: str = LongContextPricing.MARGINAL.value
    fast_multiplier: float | None = None
    web_search: float | None = None


class Explanation(Struct, frozen=True):
    """Everything behind the numbers of a session."""

    session: str
    title: str | None
    calls: list[ExplainedCall]
    prices: list[ExplainedPrice]
    total: UsageTotal
    notes: Sequence[str] = ()


class ExplainedShare(Struct, frozen=True):
    """Which of a session's calls are meant: of a stretch of time, and of one part of a breakdown.

    `by` and `key` are those of the report whose number is explained.
    """

    since: str | None = None
    until: str | None = None
    zone: str | None = None
    by: str | None = None
    key: str | None = None


def explain(
    wanted: str,
    source: UsageSource,
    *,
    now: datetime,
    settings: Settings | None = None,
    share: ExplainedShare | None = None,
) -> Explanation:
    """Show where the numbers of a session come from; with a `share`, of that share of them."""
    options, asked = settings or Settings(), share or ExplainedShare()
    usages = source.files(dated=wanted == LATEST)
    session = find_usage_session(wanted, usages)
    own = [usage for usage in usages if usage.session == session]
    stretch = parse_date_range(asked.since, asked.until, now, find_zone(asked.zone or options.zone))
    part_of = None if asked.by is None else make_part_of(asked.by, usages)

    def is_meant(usage: FileUsage, line: ReportedUsage) -> bool:
        return stretch.contains(line.timestamp) and (
            part_of is None or part_of(usage, line) == asked.key
        )

    entries = source.every_line(usages, own)
    calls = [lines for lines in _group_by_call(entries) if is_meant(*place_call(lines))]
    title = next((usage.title for usage in own if usage.title), None)
    return _explain(session, title, calls, options, source.sources, source.notes)


def explain_calls(
    session: Session,
    calls: Iterable[UsageSnapshot],
    settings: Settings | None = None,
    sources: SourceFinder = USUAL_SOURCES,
) -> Explanation:
    """Show where a number comes from that stands in a session itself: that of these calls."""
    names = {call.name for call in calls}
    agents = (agent for agent in session.agents if agent.layout != "inline")
    entries = [
        (FileUsage(str(one.path or ""), "", session.id, ()), flatten_snapshot(line))
        for one in (session, *agents)
        for line in one.own_usage_lines
        if line.name in names
    ]
    options = settings or Settings()
    return _explain(session.id, session.title, _group_by_call(entries), options, sources)


def _explain(
    session: str,
    title: str | None,
    calls: Iterable[list[UsageEntry]],
    settings: Settings,
    sources: SourceFinder,
    notes: Sequence[str] = (),
) -> Explanation:
    prices = apply_overrides(settings.prices)
    calls = list(calls)
    numbered = dict(_number_lines((entry for lines in calls for entry in lines), sources))
    shown = sorted(
        (_explain_call(lines, prices, numbered) for lines in calls),
        key=lambda call: call.lines[0].timestamp or "",
    )
    models = dict.fromkeys(call.model for call in shown)
    return Explanation(
        session,
        title,
        shown,
        [_explain_price(model, price_of(model, prices)) for model in models],
        sum_amounts(call.amount for call in shown if call.counted_in == session),
        tuple(dict.fromkeys([*notes, *prices.problems])),
    )


class ExplainedModel(Struct, frozen=True):
    """What one model used, and the price that was taken for it."""

    price: ExplainedPrice
    amount: UsageTotal


def explain_models(
    amounts: Mapping[str, UsageTotal], settings: Settings | None = None
) -> list[ExplainedModel]:
    """Put the price beside what each model used, the costliest first."""
    prices = apply_overrides((settings or Settings()).prices)
    return [
        ExplainedModel(_explain_price(model, price_of(model, prices)), amount)
        for model, amount in sort_by_cost(amounts).items()
    ]


def explanation_document(explanation: Explanation) -> Json:
    """Give an explanation as it is printed in JSON."""
    return {
        "session": explanation.session,
        "title": explanation.title,
        "totals": amount_document(explanation.total),
        "calls": [
            {
                "message_id": call.message_id,
                "request_id": call.request_id,
                "model": call.model,
                "counted_in": call.counted_in,
                **amount_document(call.amount),
                "priced": not call.amount.unpriced_calls,
                "lines": call.lines,
            }
            for call in explanation.calls
        ],
        "prices": explanation.prices,
    }


def _group_by_call(entries: Iterable[UsageEntry]) -> Iterator[list[UsageEntry]]:
    """Part lines by call, the line that counts first."""
    messages: dict[str, list[UsageEntry]] = {}
    for entry in entries:
        message = entry[1].message_id
        if message is None:
            yield [entry]
        else:
            messages.setdefault(message, []).append(entry)
    for lines in messages.values():
        yield from split_by_call(lines)


def _explain_call(
    lines: list[UsageEntry], prices: PriceList, numbered: dict[tuple[str, int], int]
) -> ExplainedCall:
    winner = lines[0]
    _, line = winner
    place = place_call(lines)
    return ExplainedCall(
        line.message_id,
        next((other.request_id for _, other in lines if other.request_id), None),
        line.model,
        charged_session_of(*place),
        price_call(line, prices) if line.total or line.web_searches else NO_USAGE,
        [_explain_line(winner, entry, numbered) for entry in lines],
    )


def _explain_line(
    winner: UsageEntry, entry: UsageEntry, numbered: dict[tuple[str, int], int]
) -> ExplainedLine:
    usage, line = entry
    return ExplainedLine(
        usage.path,
        numbered.get((usage.path, line.offset)),
        line.offset,
        line.timestamp,
        _RANKS[line.rank],
        line.input_tokens,
        line.output_tokens,
        line.cache_creation_tokens,
        line.cache_creation_1h_tokens,
        line.cache_read_tokens,
        line.web_searches,
        line.speed,
        None if entry is winner else why_not_counted(winner, entry),
    )


def _number_lines(
    entries: Iterable[UsageEntry], sources: SourceFinder
) -> Iterator[tuple[tuple[str, int], int]]:
    """Count the lines before each of these, where something still has them."""
    places: dict[str, set[int]] = {}
    for usage, line in entries:
        places.setdefault(usage.path, set()).add(line.offset)
    for path, offsets in places.items():
        source = sources.find(path)
        if source is None:
            continue
        try:
            yield from (
                ((path, offset), n) for offset, n in _find_line_numbers(source, sorted(offsets))
            )
        except Unreadable:
            continue


def _find_line_numbers(source: ByteSource, offsets: Sequence[int]) -> Iterator[tuple[int, int]]:
    number, at = 1, 0
    for offset in offsets:
        while at < offset:
            data = source.at(at, min(CHUNK, offset - at))
            if not data:
                return
            number += data.count(b"\n")
            at += len(data)
        yield offset, number


def _explain_price(model: str, price: ModelPrice | None) -> ExplainedPrice:
    if price is None:
        return ExplainedPrice(model)
    return ExplainedPrice(
        model,
        price.model,
        price.as_of,
        _rates_per_million(price.rates),
        price.tier.above if price.tier else None,
        _rates_per_million(price.tier.rates) if price.tier else None,
        fast_multiplier=None if price.fast_percent is None else price.fast_percent / 100,
        web_search=None if price.web_search is None else price.web_search / 10**12,
    )


def _rates_per_million(rates: TokenRates) -> dict[str, float]:
    return {
        "input": rates.input / _MILLION,
        "output": rates.output / _MILLION,
        "cache_write_5m": rates.cache_write_5m / _MILLION,
        "cache_write_1h": rates.cache_write_1h / _MILLION,
        "cache_read": rates.cache_read / _MILLION,
    }
