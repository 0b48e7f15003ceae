"""What reading a conversation aloud needs: facts about its turns, gathered in a setting.

The foot of an exchange: what it took, in one quiet line.

5 steps, 1 agent, 2 min 24 s, 31% of context, 2.1k out, $0.72
"""

from collections.abc import Iterable, Mapping, Sequence

from bough.model.conversation.branch_path import list_exchanges
from bough.model.conversation.context_window import ContextWindow
from bough.model.conversation.conversation import Conversation
from bough.model.conversation.exchange_summary import summarize_exchange
from bough.model.conversation.exchanges import Exchange
from bough.model.conversation.outline import SessionOutline
from bough.model.conversation.turn_facts import (
    group_turns_by_item,
    measure_thoughts,
    measure_turn_context,
)
from bough.model.conversation.turns import Turn
from bough.model.session import Agent, Session
from bough.model.tools.call_row import find_call_times
from bough.terminal.canvas import Canvas
from bough.terminal.conversation.tools import INDENT
from bough.terminal.conversation.turns import TurnContext
from bough.terminal.header import find_short_length
from bough.terminal.style import Role

__all__ = ["build_turn_context", "group_turns_by_item"]


def build_turn_context(
    session: Session, seen: SessionOutline, sheet: Canvas, conversations: Iterable[Conversation]
) -> TurnContext:
    """Gather what the turns of some conversations are written with."""
    told = list(conversations)
    asked = [e for branch in seen.branches for e in list_exchanges(branch.items)]
    thoughts: dict[str, list[float | None]] = {}
    for conversation in told:
        thoughts |= measure_thoughts(conversation)
    return TurnContext(
        sheet=sheet,
        agents={agent.call: agent for exchange in asked for agent in exchange.agents},
        times=find_call_times(session.records),
        thoughts=thoughts,
        contexts=_collect_contexts(session, told),
        cwd=session.cwd,
        short=find_short_length([e.uuid for e in asked if e.uuid], session.tree.number),
        asker="Brief" if isinstance(session, Agent) or session.sidechain else "You",
    )


def _collect_contexts(
    session: Session, conversations: Iterable[Conversation]
) -> Mapping[str, ContextWindow]:
    found: dict[str, ContextWindow] = {}
    for conversation in conversations:
        for turn in conversation.turns:
            if turn.kind == "assistant" and turn.uuid and turn.uuid not in found:
                context = measure_turn_context(session, turn)
                if context is not None:
                    found[turn.uuid] = context
    return found


def render_summary_line(
    exchange: Exchange, turns: Sequence[Turn], setting: TurnContext
) -> list[str]:
    """Write what an exchange took; nothing where Claude did not answer at all."""
    answers = [turn for turn in turns if turn.kind == "assistant"]
    context = setting.contexts.get(answers[-1].uuid or "") if answers else None
    groups = summarize_exchange(exchange, answers, context)
    words = ", ".join(word for group in groups for word in group)
    return [setting.sheet.paint_line([(Role.META, words)], indent=INDENT)] if words else []
