"""The foot of an exchange: what it took, in a few words.

5 steps, 1 agent / 2 min 24 s / 31% of context / 2.1k out / $0.72
"""

from collections.abc import Sequence

from bough.model.conversation.context_window import ContextWindow
from bough.model.conversation.exchanges import FAILED, INTERRUPTED, OPEN, Exchange
from bough.model.conversation.turns import Turn
from bough.model.text.formats import (
    format_cost,
    format_duration,
    format_percent,
    format_plural,
    format_tokens,
)
from bough.model.text.times import seconds_between
from bough.model.usage.costs import UsageCost


def summarize_exchange(
    exchange: Exchange, answers: Sequence[Turn], context: ContextWindow | None
) -> list[list[str]]:
    """Say what an exchange took, in groups; nothing where Claude did not answer at all."""
    if not answers:
        return []
    groups = [
        _describe_work(exchange),
        [_describe_duration(exchange, answers)],
        [f"{format_percent(context.share)} of context" if context is not None else ""],
        [_describe_output(answers)],
        [format_usage_cost(exchange.cost)],
        [_describe_end(exchange)],
    ]
    told = ([word for word in group if word] for group in groups)
    return [group for group in told if group]


def format_usage_cost(bill: UsageCost) -> str:
    """Write a cost inside a sentence; nothing where nothing was used."""
    return format_cost(bill.usd, partly_unknown=not bill.complete) if bill.tokens.total else ""


def _describe_work(exchange: Exchange) -> list[str]:
    return [
        format_plural(exchange.steps, "step") if exchange.steps else "",
        f"{exchange.failed:,} failed" if exchange.failed else "",
        format_plural(len(exchange.agents), "agent") if exchange.agents else "",
    ]


def _describe_duration(exchange: Exchange, answers: Sequence[Turn]) -> str:
    told = [turn.duration_ms for turn in answers if turn.duration_ms is not None]
    if told:
        return format_duration(sum(told) / 1_000)
    seconds = seconds_between(exchange.timestamp, exchange.ended_at)
    return format_duration(seconds) if seconds else ""


def _describe_output(answers: Sequence[Turn]) -> str:
    out = sum(turn.usage.output_tokens for turn in answers if turn.usage is not None)
    return f"{format_tokens(out)} out" if out else ""


def _describe_end(exchange: Exchange) -> str:
    return {INTERRUPTED: "interrupted", FAILED: "failed", OPEN: "unfinished"}.get(exchange.end, "")
