"""The foot of an exchange: what it took, in one quiet line.

5 steps, 1 agent, 2 min 24 s, 31% of context, 2.1k out, $0.72
"""

from collections.abc import Sequence

from bough.looks.heading import money
from bough.looks.style import Role
from bough.looks.toolrows import INDENT
from bough.looks.turnlines import Setting
from bough.model.elapsed import seconds_between
from bough.model.exchanges import FAILED, INTERRUPTED, OPEN, Exchange
from bough.model.numbers import duration, plural, share, tokens
from bough.model.turns import Turn


def foot(exchange: Exchange, turns: Sequence[Turn], setting: Setting) -> list[str]:
    """Write what an exchange took; nothing where Claude did not answer at all."""
    answers = [turn for turn in turns if turn.kind == "assistant"]
    if not answers:
        return []
    facts = [*_work(exchange), _lasted(exchange, answers), *_used(answers, setting)]
    facts += [money(exchange.bill), _end(exchange)]
    words = ", ".join(fact for fact in facts if fact)
    return [setting.sheet.line([(Role.META, words)], indent=INDENT)] if words else []


def _work(exchange: Exchange) -> list[str]:
    facts = []
    if exchange.steps:
        facts.append(plural(exchange.steps, "step"))
    if exchange.failed:
        facts.append(f"{exchange.failed:,} failed")
    if exchange.agents:
        facts.append(plural(len(exchange.agents), "agent"))
    return facts


def _lasted(exchange: Exchange, answers: Sequence[Turn]) -> str:
    told = [turn.duration_ms for turn in answers if turn.duration_ms is not None]
    if told:
        return duration(sum(told) / 1_000)
    seconds = seconds_between(exchange.timestamp, exchange.ended_at)
    return duration(seconds) if seconds else ""


def _used(answers: Sequence[Turn], setting: Setting) -> list[str]:
    facts = []
    full = setting.contexts.get(answers[-1].uuid or "")
    if full is not None:
        facts.append(f"{share(full.share)} of context")
    spoken = sum(turn.usage.output_tokens for turn in answers if turn.usage is not None)
    if spoken:
        facts.append(f"{tokens(spoken)} out")
    return facts


def _end(exchange: Exchange) -> str:
    return {INTERRUPTED: "interrupted", FAILED: "failed", OPEN: "unfinished"}.get(exchange.end, "")
