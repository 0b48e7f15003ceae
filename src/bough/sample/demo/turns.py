"""Writes a turn: a prompt, what the model did about it, the answer.

A turn is a list of beats. A beat is one message of the model: perhaps a thought, perhaps words,
then calls. The teller gives each its share of the turn's time and money.
"""

from collections.abc import Sequence
from datetime import timedelta

import msgspec

from bough.sample.builder.agents import AgentSteps, AgentTask
from bough.sample.data.blocks import Content, Json
from bough.sample.data.tool_results import SampleCall
from bough.sample.demo.costs import allocate_tokens

SMALL_MODEL = "claude-haiku-4-5-20251001"
"""The model agents run on."""


class DemoMessage(msgspec.Struct, frozen=True):
    """One message of the model; None for a thought is no thought, "" only its signature."""

    words: str = ""
    calls: Sequence[SampleCall] = ()
    thought: str | None = None
    agent_tasks: Sequence[AgentTask] = ()


class TurnBudget(msgspec.Struct, frozen=True):
    """What a turn may take: dollars, seconds, and how the context grows."""

    dollars: float
    seconds: float = 90
    context: tuple[int, int] | None = None


def make_messages(
    calls: Sequence[SampleCall], final: str, size: int = 2, first: str = ""
) -> list[DemoMessage]:
    """Group calls into messages of a few calls each, and end with an answer."""
    groups = [calls[n : n + size] for n in range(0, len(calls), size)]
    made = [DemoMessage(first if n == 0 else "", group) for n, group in enumerate(groups)]
    return [*made, DemoMessage(final)]


def make_agent_task(
    task: str, answer: str, calls: Sequence[SampleCall], budget: TurnBudget, kind: str = "Explore"
) -> AgentTask:
    """Send an agent of a small model to make calls and answer."""
    return AgentTask(
        kind=kind,
        task=task,
        answer=answer,
        model=SMALL_MODEL,
        spoken=True,
        work=lambda agent: write_messages(agent, make_messages(calls, answer), budget),
    )


def write_turn(
    builder: AgentSteps,
    prompt: Content,
    messages: Sequence[DemoMessage] | str,
    budget: TurnBudget,
    *,
    name: str | None = None,
    pause: float = 4,
) -> None:
    """Write a whole turn, then let some minutes pass; a turn of words only is an answer."""
    moment = builder.now
    builder.user(prompt, name=name)
    write_messages(
        builder, [DemoMessage(messages)] if isinstance(messages, str) else messages, budget
    )
    builder.turn_duration((builder.now - moment).total_seconds())
    builder.last_prompt(_text_of_prompt(prompt), leaf=_find_leaf(builder)).wait(minutes=pause)


def _text_of_prompt(prompt: Content) -> str:
    if isinstance(prompt, str):
        return prompt
    return " ".join(str(block["text"]) for block in prompt if "text" in block)


def _find_leaf(builder: AgentSteps) -> str | None:
    """Name the tip as clients do that know how to."""
    return builder.cursor if builder.is_since("2.1.120") else None


def write_messages(
    builder: AgentSteps, messages: Sequence[DemoMessage], budget: TurnBudget
) -> None:
    """Write what the model does, without the prompt before it."""
    end = builder.now + timedelta(seconds=budget.seconds)
    counts = allocate_tokens(builder.facts.model, budget.dollars, len(messages), budget.context)
    for number, (beat, usage) in enumerate(zip(messages, counts, strict=True)):
        rest = messages[number:]
        spare = (end - builder.now - _estimate_time(builder, rest)).total_seconds() / len(rest)
        if number == len(messages) - 1 and not beat.calls:
            # The answer comes when the turn is said to end, however long the calls took.
            spare = 0
            lines = 1 if beat.thought is None else 2
            builder.now = max(builder.now, end - builder.facts.tick * lines)
        _write_message(builder, beat, usage, max(spare, 0))


def _estimate_time(builder: AgentSteps, rest: Sequence[DemoMessage]) -> timedelta:
    """Estimate what the beats take by themselves; agents are not known yet."""
    calls = [call for beat in rest for call in beat.calls]
    lines = 2 * len(calls) + 2 * len(rest)
    return timedelta(seconds=sum(call.seconds for call in calls)) + lines * builder.facts.tick


def _write_message(builder: AgentSteps, beat: DemoMessage, usage: Json, spare: float) -> None:
    begun = usage | {"output_tokens": 8} if beat.calls or beat.agent_tasks else usage
    if beat.thought is not None:
        builder.wait(min(spare, 12)).thinking(beat.thought, usage=usage | {"output_tokens": 3})
    elif not beat.agent_tasks:
        builder.wait(spare)
    if beat.words:
        builder.assistant(beat.words, usage=begun)
    if beat.agent_tasks:
        builder.agents(*beat.agent_tasks, usage=usage)
    if beat.calls:
        builder.tools(*beat.calls, usage=usage)
