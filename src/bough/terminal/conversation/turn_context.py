"""What reading a conversation aloud needs: facts about its turns, gathered in a setting.

The foot of an exchange: what it took, in one quiet line.

5 steps, 1 agent, 2 min 24 s, 31% of context, 2.1k out, $0.72
"""

from collections.abc import Iterable, Mapping, Sequence

from bough.model.conversation.branch_path import exchanges_of
from bough.model.conversation.context_window import Context
from bough.model.conversation.conversation import Conversation
from bough.model.conversation.exchange_summary import foot_words
from bough.model.conversation.exchanges import Exchange
from bough.model.conversation.outline import Overview
from bough.model.conversation.turn_facts import context_of, thought_seconds, turns_by_item
from bough.model.conversation.turns import Turn
from bough.model.session import Agent, Session
from bough.model.tools.call_row import call_times
from bough.terminal.canvas import Sheet
from bough.terminal.conversation.tools import INDENT
from bough.terminal.conversation.turns import Setting
from bough.terminal.header import short_length
from bough.terminal.style import Role

__all__ = ["setting_for", "turns_by_item"]


def setting_for(
    session: Session, seen: Overview, sheet: Sheet, conversations: Iterable[Conversation]
) -> Setting:
    """Gather what the turns of some conversations are written with."""
    told = list(conversations)
    asked = [e for branch in seen.branches for e in exchanges_of(branch.items)]
    thoughts: dict[str, list[float | None]] = {}
    for conversation in told:
        thoughts |= thought_seconds(conversation)
    return Setting(
        sheet=sheet,
        agents={agent.call: agent for exchange in asked for agent in exchange.agents},
        times=call_times(session.records),
        thoughts=thoughts,
        contexts=_contexts(session, told),
        cwd=session.cwd,
        short=short_length([e.uuid for e in asked if e.uuid], session.tree.number),
        asker="Brief" if isinstance(session, Agent) or session.sidechain else "You",
    )


def _contexts(session: Session, conversations: Iterable[Conversation]) -> Mapping[str, Context]:
    found: dict[str, Context] = {}
    for conversation in conversations:
        for turn in conversation.turns:
            if turn.kind == "assistant" and turn.uuid and turn.uuid not in found:
                context = context_of(session, turn)
                if context is not None:
                    found[turn.uuid] = context
    return found


def foot(exchange: Exchange, turns: Sequence[Turn], setting: Setting) -> list[str]:
    """Write what an exchange took; nothing where Claude did not answer at all."""
    answers = [turn for turn in turns if turn.kind == "assistant"]
    context = setting.contexts.get(answers[-1].uuid or "") if answers else None
    groups = foot_words(exchange, answers, context)
    words = ", ".join(word for group in groups for word in group)
    return [setting.sheet.line([(Role.META, words)], indent=INDENT)] if words else []
