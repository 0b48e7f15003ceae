"""Agents: what one was sent out for, how it ended, and its answer, readable without opening.

Its own conversation opens in place, on a rail of its own; the third level is a page.
"""

import re
from collections.abc import Callable
from typing import Final

from bough.export.html.folds import render_button, render_fold
from bough.export.html.render_context import RenderContext
from bough.export.markup.escape import escape_attribute, escape_html, isolate_text
from bough.export.markup.markdown import render_markdown
from bough.model.outline.agent_summaries import AgentSummary
from bough.model.outline.turn_summary import format_usage_cost
from bough.model.text.formats import format_duration, format_plural
from bough.model.tools.call_detail import format_field
from bough.model.tools.call_row import CallState, ToolView
from bough.model.tools.call_summary import find_text
from bough.model.tools.calls import ToolBlock
from bough.model.tools.outcomes import BACKGROUND

DEEPEST: Final = 2
"""How many levels of agents open inside one another."""

_LONG: Final = 900
_SAID: Final = frozenset({"description", "prompt", "subagent_type", "name"})
_FOR_THE_MODEL: Final = re.compile(
    r"(?:^|\n)agentId: \w+ \([^)\n]*\)(?:\s*<usage>[^<]*</usage>)?\s*\Z"
)


def render_agent(
    block: ToolBlock, context: RenderContext, key: str, inside: Callable[[], str], *, full: bool
) -> str:
    """Show an agent; `inside` gives its conversation where that is asked for."""
    sent = context.facts.agents.get(block.id)
    view = context.facts.view_call(block)
    given = block.input if isinstance(block.input, dict) else {}
    kind = find_text(given, "subagent_type")
    name = f"{kind} agent" if kind else "Agent"
    task = context.redact_text(_find_task(given, sent, view))
    head = (
        f'<header><i class="dia" aria-hidden="true"></i><b>{isolate_text(name)}</b>'
        f'<span class="task">{isolate_text(task)}</span>{_render_outcome(view, sent)}</header>'
    )
    answer = _render_answer(
        context.strip_result(block), view, key, full=full
    ) + _render_other_input(given)
    if sent is not None and sent.id is not None and context.options.agents:
        way_in = _render_agent_links(sent, context, inside, full=full)
    elif find_text(given, "prompt"):
        way_in = render_fold(
            f"{key}/brief", "brief", "Brief", lambda: render_brief(block), inside=full
        )
    else:
        way_in = ""
    opening = f'<section class="agent" aria-label="{escape_attribute(name)}">'
    return f"{opening}{head}{answer}{way_in}</section>"


def render_whole_answer(block: ToolBlock) -> str:
    """Give an agent's answer as a whole."""
    text, tail = _split_answer(block.result.text if block.result is not None else "")
    aside = f'<p class="m aside" dir="auto">{escape_html(tail)}</p>' if tail else ""
    return f'<div class="prose">{render_markdown(text)}</div>{aside}'


def render_brief(block: ToolBlock) -> str:
    """Give what an agent was told."""
    given = block.input if isinstance(block.input, dict) else {}
    return f'<div class="typed" dir="auto">{escape_html(find_text(given, "prompt"))}</div>'


def _render_agent_links(
    sent: AgentSummary, context: RenderContext, inside: Callable[[], str], *, full: bool
) -> str:
    page = render_button("open-agent", "Open as a page", agent=sent.id)
    if context.depth >= DEEPEST and not full:
        return f'<div class="agent-links">{page}</div>'
    steps = sent.steps
    what = format_plural(steps, "step") if steps else "conversation"
    words = (
        f'<span class="shut">Open its {what} here</span><span class="wide">Fold its {what}</span>'
    )
    own = f"{context.scope}agent:{sent.id}"
    fold = render_fold(own, "inside", words, inside, inside=full)
    return f'{fold}<div class="agent-links">{page}</div>'


def _render_other_input(given: dict[str, object]) -> str:
    """Name what else an agent was given: the model, whether it runs in the background."""
    rest = [f"{name}: {format_field(value)}" for name, value in given.items() if name not in _SAID]
    return f'<p class="m" dir="auto">{escape_html(", ".join(rest))}</p>' if rest else ""


def _find_task(given: dict[str, object], sent: AgentSummary | None, view: ToolView) -> str:
    task = find_text(given, "description", "name")
    if task:
        return task
    words = sent.text if sent is not None else view.summary
    return words.partition(": ")[2] or words


def _render_answer(block: ToolBlock, view: ToolView, key: str, *, full: bool) -> str:
    if view.outcome.reason or view.outcome.state not in (CallState.OK, CallState.OPEN):
        reason = view.outcome.reason or view.outcome.text
        return f'<p class="reason" dir="auto">{escape_html(reason)}</p>'
    text, tail = _split_answer(block.result.text.strip() if block.result is not None else "")
    if not text or view.outcome.text == BACKGROUND:
        return f'<p class="m" dir="auto">{escape_html(text)}</p>' if text and full else ""
    aside = f'<p class="m aside" dir="auto">{escape_html(tail)}</p>' if tail and full else ""
    if len(text) <= _LONG:
        return f'<div class="prose">{render_markdown(text)}</div>{aside}'
    start = _take_opening(text)
    summary = "Show its whole answer"
    whole = render_fold(
        f"{key}/answer", "more", summary, lambda: render_whole_answer(block), inside=full
    )
    return f'<div class="prose">{render_markdown(start)}</div>{whole}{aside}'


def _split_answer(text: str) -> tuple[str, str]:
    """Part an answer from what the client adds for the model: how to go on with the agent."""
    tail = _FOR_THE_MODEL.search(text) if "agentId: " in text else None
    return (text[: tail.start()].rstrip(), tail[0].strip()) if tail else (text, "")


def _take_opening(text: str) -> str:
    """Take the first paragraphs of a long answer."""
    end = text.find("\n\n", _LONG // 3)
    if 0 < end <= _LONG and text[:end].count("```") % 2 == 0:
        return text[:end]
    line = text[:_LONG].rpartition(" ")[0] or text[:_LONG]
    return f"{line} …"


def _render_outcome(view: ToolView, sent: AgentSummary | None) -> str:
    ok = sent.ok if sent is not None else None
    facts: list[str] = []
    if view.outcome.state not in (CallState.OK, CallState.OPEN):
        facts.append(isolate_text(view.outcome.text))
    elif ok is None:
        facts.append(isolate_text(view.outcome.text or "no answer yet"))
    if sent is not None:
        facts.append(format_plural(sent.steps, "step") if sent.steps is not None else "")
        facts.append(format_duration(sent.seconds) if sent.seconds else "")
        facts.append(format_usage_cost(sent.cost))
    sign = {
        True: '<span class="ok" role="img" aria-label="finished">✓</span> ',
        False: '<span class="bad" role="img" aria-label="failed">✗</span> ',
        None: "",
    }[ok]
    words = " · ".join(dict.fromkeys(fact for fact in facts if fact))
    return f'<span class="o">{sign}{words}</span>'
