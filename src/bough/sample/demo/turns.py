"""Tells a turn: a prompt, what the model did about it, the answer.

A turn is a list of beats. A beat is one message of the model: perhaps a thought, perhaps words,
then calls. The teller gives each its share of the turn's time and money.
"""

from collections.abc import Sequence
from datetime import timedelta

import msgspec

from bough.sample.builder.agents import Agents, Errand
from bough.sample.data.blocks import Content, Json
from bough.sample.data.tool_results import Call
from bough.sample.demo.costs import spread

SMALL = "claude-haiku-4-5-20251001"
"""The model agents run on."""


class Beat(msgspec.Struct, frozen=True):
    """One message of the model; None for a thought is no thought, "" only its signature."""

    words: str = ""
    calls: Sequence[Call] = ()
    thought: str | None = None
    errands: Sequence[Errand] = ()


class Budget(msgspec.Struct, frozen=True):
    """What a turn may take: dollars, seconds, and how the context grows."""

    dollars: float
    seconds: float = 90
    context: tuple[int, int] | None = None


def beats(calls: Sequence[Call], final: str, size: int = 2, first: str = "") -> list[Beat]:
    """Group calls into messages of a few calls each, and end with an answer."""
    groups = [calls[n : n + size] for n in range(0, len(calls), size)]
    made = [Beat(first if n == 0 else "", group) for n, group in enumerate(groups)]
    return [*made, Beat(final)]


def errand(
    task: str, answer: str, calls: Sequence[Call], budget: Budget, kind: str = "Explore"
) -> Errand:
    """Send an agent of a small model to make calls and answer."""
    return Errand(
        kind=kind,
        task=task,
        answer=answer,
        model=SMALL,
        spoken=True,
        work=lambda agent: play(agent, beats(calls, answer), budget),
    )


def tell(
    book: Agents,
    prompt: Content,
    story: Sequence[Beat] | str,
    budget: Budget,
    *,
    name: str | None = None,
    pause: float = 4,
) -> None:
    """Write a whole turn, then let some minutes pass; a story of words only is an answer."""
    moment = book.now
    book.user(prompt, name=name)
    play(book, [Beat(story)] if isinstance(story, str) else story, budget)
    book.turn_duration((book.now - moment).total_seconds())
    book.last_prompt(_shown(prompt), leaf=_leaf(book)).wait(minutes=pause)


def _shown(prompt: Content) -> str:
    if isinstance(prompt, str):
        return prompt
    return " ".join(str(block["text"]) for block in prompt if "text" in block)


def _leaf(book: Agents) -> str | None:
    """Name the tip as clients do that know how to."""
    return book.cursor if book.is_since("2.1.120") else None


def play(book: Agents, story: Sequence[Beat], budget: Budget) -> None:
    """Write what the model does, without the prompt before it."""
    end = book.now + timedelta(seconds=budget.seconds)
    counts = spread(book.facts.model, budget.dollars, len(story), budget.context)
    for number, (beat, usage) in enumerate(zip(story, counts, strict=True)):
        rest = story[number:]
        spare = (end - book.now - _taken(book, rest)).total_seconds() / len(rest)
        if number == len(story) - 1 and not beat.calls:
            # The answer comes when the turn is said to end, however long the calls took.
            spare = 0
            lines = 1 if beat.thought is None else 2
            book.now = max(book.now, end - book.facts.tick * lines)
        _say(book, beat, usage, max(spare, 0))


def _taken(book: Agents, rest: Sequence[Beat]) -> timedelta:
    """Estimate what the beats take by themselves; agents are not known yet."""
    calls = [call for beat in rest for call in beat.calls]
    lines = 2 * len(calls) + 2 * len(rest)
    return timedelta(seconds=sum(call.seconds for call in calls)) + lines * book.facts.tick


def _say(book: Agents, beat: Beat, usage: Json, spare: float) -> None:
    begun = usage | {"output_tokens": 8} if beat.calls or beat.errands else usage
    if beat.thought is not None:
        book.wait(min(spare, 12)).thinking(beat.thought, usage=usage | {"output_tokens": 3})
    elif not beat.errands:
        book.wait(spare)
    if beat.words:
        book.assistant(beat.words, usage=begun)
    if beat.errands:
        book.agents(*beat.errands, usage=usage)
    if beat.calls:
        book.tools(*beat.calls, usage=usage)
