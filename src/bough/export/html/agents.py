"""Agents: what one was sent out for, how it ended, and its answer, readable without opening.

Its own conversation opens in place, on a stem of its own; the third level is a page.
"""

import re
from collections.abc import Callable
from typing import Final

from bough.export.html.folds import button, fold
from bough.export.html.render_context import Scene
from bough.export.html.tools.fields import shown
from bough.export.markup.escape import attribute, escaped, isolated
from bough.export.markup.markdown import markdown
from bough.model.agents.summaries import SentOut
from bough.model.conversation.exchange_summary import money
from bough.model.text.formats import duration, plural
from bough.model.tools.call_row import State, ToolView, view_of
from bough.model.tools.call_summary import text_in
from bough.model.tools.calls import ToolBlock
from bough.model.tools.outcomes import BACKGROUND

DEEPEST: Final = 2
"""How many levels of agents open inside one another."""

_LONG: Final = 900
_SAID: Final = frozenset({"description", "prompt", "subagent_type", "name"})
_FOR_THE_MODEL: Final = re.compile(
    r"(?:^|\n)agentId: \w+ \([^)\n]*\)(?:\s*<usage>[^<]*</usage>)?\s*\Z"
)


def agent_card(
    block: ToolBlock, scene: Scene, key: str, inside: Callable[[], str], *, full: bool
) -> str:
    """Show an agent; `inside` gives its conversation where that is asked for."""
    sent = scene.agents.get(block.id)
    view = view_of(block, scene.called_at(block.id), scene.cwd)
    given = block.input if isinstance(block.input, dict) else {}
    kind = text_in(given, "subagent_type")
    name = f"{kind} agent" if kind else "Agent"
    task = scene.washed(_task(given, sent, view))
    head = (
        f'<header><i class="dia" aria-hidden="true"></i><b>{isolated(name)}</b>'
        f'<span class="task">{isolated(task)}</span>{_end(view, sent)}</header>'
    )
    answer = _answer(scene.bare(block), view, key, full=full) + _rest(given)
    if sent is not None and sent.id is not None and scene.style.agents:
        way_in = _way_in(sent, scene, inside, full=full)
    elif text_in(given, "prompt"):
        way_in = fold(f"{key}/brief", "brief", "Brief", lambda: brief(block), inside=full)
    else:
        way_in = ""
    return f'<section class="agent" aria-label="{attribute(name)}">{head}{answer}{way_in}</section>'


def rest_of_answer(block: ToolBlock) -> str:
    """Give an agent's answer as a whole."""
    text, tail = _parted(block.result.text if block.result is not None else "")
    aside = f'<p class="m aside" dir="auto">{escaped(tail)}</p>' if tail else ""
    return f'<div class="prose">{markdown(text)}</div>{aside}'


def brief(block: ToolBlock) -> str:
    """Give what an agent was told."""
    given = block.input if isinstance(block.input, dict) else {}
    return f'<div class="typed" dir="auto">{escaped(text_in(given, "prompt"))}</div>'


def _way_in(sent: SentOut, scene: Scene, inside: Callable[[], str], *, full: bool) -> str:
    page = button("open-agent", "Open as a page", agent=sent.id)
    if scene.depth >= DEEPEST and not full:
        return f'<div class="ways">{page}</div>'
    steps = sent.steps
    what = plural(steps, "step") if steps else "conversation"
    words = (
        f'<span class="shut">Open its {what} here</span><span class="wide">Fold its {what}</span>'
    )
    own = f"{scene.scope}agent:{sent.id}"
    return f'{fold(own, "inside", words, inside, inside=full)}<div class="ways">{page}</div>'


def _rest(given: dict[str, object]) -> str:
    """Name what else an agent was given: the model, whether it runs in the background."""
    rest = [f"{name}: {shown(value)}" for name, value in given.items() if name not in _SAID]
    return f'<p class="m" dir="auto">{escaped(", ".join(rest))}</p>' if rest else ""


def _task(given: dict[str, object], sent: SentOut | None, view: ToolView) -> str:
    task = text_in(given, "description", "name")
    if task:
        return task
    words = sent.text if sent is not None else view.summary
    return words.partition(": ")[2] or words


def _answer(block: ToolBlock, view: ToolView, key: str, *, full: bool) -> str:
    if view.outcome.reason or view.outcome.state not in (State.OK, State.OPEN):
        reason = view.outcome.reason or view.outcome.text
        return f'<p class="reason" dir="auto">{escaped(reason)}</p>'
    text, tail = _parted(block.result.text.strip() if block.result is not None else "")
    if not text or view.outcome.text == BACKGROUND:
        return f'<p class="m" dir="auto">{escaped(text)}</p>' if text and full else ""
    aside = f'<p class="m aside" dir="auto">{escaped(tail)}</p>' if tail and full else ""
    if len(text) <= _LONG:
        return f'<div class="prose">{markdown(text)}</div>{aside}'
    start = _opening(text)
    summary = "Show its whole answer"
    whole = fold(f"{key}/answer", "more", summary, lambda: rest_of_answer(block), inside=full)
    return f'<div class="prose">{markdown(start)}</div>{whole}{aside}'


def _parted(text: str) -> tuple[str, str]:
    """Part an answer from what the client adds for the model: how to go on with the agent."""
    tail = _FOR_THE_MODEL.search(text) if "agentId: " in text else None
    return (text[: tail.start()].rstrip(), tail[0].strip()) if tail else (text, "")


def _opening(text: str) -> str:
    """Take the first paragraphs of a long answer."""
    end = text.find("\n\n", _LONG // 3)
    if 0 < end <= _LONG and text[:end].count("```") % 2 == 0:
        return text[:end]
    line = text[:_LONG].rpartition(" ")[0] or text[:_LONG]
    return f"{line} …"


def _end(view: ToolView, sent: SentOut | None) -> str:
    ok = sent.ok if sent is not None else None
    facts: list[str] = []
    if view.outcome.state not in (State.OK, State.OPEN):
        facts.append(isolated(view.outcome.text))
    elif ok is None:
        facts.append(isolated(view.outcome.text or "no answer yet"))
    if sent is not None:
        facts.append(plural(sent.steps, "step") if sent.steps is not None else "")
        facts.append(duration(sent.seconds) if sent.seconds else "")
        facts.append(money(sent.bill))
    sign = {
        True: '<span class="ok" role="img" aria-label="finished">✓</span> ',
        False: '<span class="bad" role="img" aria-label="failed">✗</span> ',
        None: "",
    }[ok]
    words = " · ".join(dict.fromkeys(fact for fact in facts if fact))
    return f'<span class="o">{sign}{words}</span>'
