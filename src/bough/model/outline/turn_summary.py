"""The foot of a turn: what it took, in a few words.

5 steps, 1 agent / 2 min 24 s / thought 5 times, 21 s / 31% of context / 2.1k out / $0.72
"""

from collections.abc import Sequence
from typing import Final

from bough.model.conversation.context_window import ContextWindow
from bough.model.conversation.messages import Message
from bough.model.outline.message_facts import ThoughtTotal
from bough.model.outline.turns import FAILED, INTERRUPTED, OPEN, Turn
from bough.model.text.formats import (
    format_cost,
    format_cost_and_copies,
    format_duration,
    format_percent,
    format_plural,
    format_tokens,
)
from bough.model.text.times import seconds_between
from bough.model.usage.costs import UsageTotal

_NO_THOUGHTS: Final = ThoughtTotal()


def summarize_turn(
    turn: Turn,
    answers: Sequence[Message],
    context: ContextWindow | None,
    thoughts: ThoughtTotal = _NO_THOUGHTS,
) -> list[list[str]]:
    """Say what a turn took, in groups; nothing where Claude did not answer at all."""
    if not answers:
        return []
    groups = [
        _describe_work(turn),
        [_describe_duration(turn, answers)],
        _describe_thoughts(thoughts),
        [f"{format_percent(context.share)} of context" if context is not None else ""],
        [_describe_output(answers)],
        [format_usage_cost(turn.cost)],
        [_describe_end(turn)],
    ]
    said = ([word for word in group if word] for group in groups)
    return [group for group in said if group]


def format_usage_cost(used: UsageTotal) -> str:
    """Write a cost inside a sentence, and what was copied; nothing where nothing was used."""
    own = format_cost(used.usd, partly_unknown=not used.cost.is_complete) if used.tokens else ""
    return format_cost_and_copies(own, used.copied.usd)


def _describe_work(turn: Turn) -> list[str]:
    return [
        format_plural(turn.steps, "step") if turn.steps else "",
        f"{turn.failed:,} failed" if turn.failed else "",
        format_plural(len(turn.agents), "agent") if turn.agents else "",
    ]


def _describe_duration(turn: Turn, answers: Sequence[Message]) -> str:
    durations = [message.duration_ms for message in answers if message.duration_ms is not None]
    if durations:
        return format_duration(sum(durations) / 1_000)
    seconds = seconds_between(turn.timestamp, turn.ended_at)
    return format_duration(seconds) if seconds else ""


def _describe_thoughts(thoughts: ThoughtTotal) -> list[str]:
    """Count the thoughts where the conversation does not show all of them."""
    if not thoughts.wordless:
        return []
    times = "thought once" if thoughts.times == 1 else f"thought {thoughts.times:,} times"
    return [times, format_duration(thoughts.seconds) if thoughts.seconds else ""]


def _describe_output(answers: Sequence[Message]) -> str:
    out = sum(message.usage.output_tokens for message in answers if message.usage is not None)
    return f"{format_tokens(out)} out" if out else ""


def _describe_end(turn: Turn) -> str:
    return {INTERRUPTED: "interrupted", FAILED: "failed", OPEN: "unfinished"}.get(turn.end, "")
