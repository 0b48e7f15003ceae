"""What reading a conversation aloud needs: facts about its messages, gathered in a setting.

The foot of a turn: what it took, in one quiet line.

5 steps, 1 agent, 2 min 24 s, 31% of context, 2.1k out, $0.72
"""

from collections.abc import Iterable, Mapping, Sequence

from bough.model.conversation.context_window import ContextWindow
from bough.model.conversation.conversation import Conversation
from bough.model.conversation.messages import Message
from bough.model.outline.agent_summaries import AgentSummary
from bough.model.outline.branch_path import list_turns
from bough.model.outline.message_facts import (
    group_messages_by_item,
    measure_message_context,
    measure_thoughts,
)
from bough.model.outline.session_outline import SessionOutline
from bough.model.outline.turn_summary import summarize_turn
from bough.model.outline.turns import Turn
from bough.model.session import Agent, Session
from bough.model.tools.call_row import find_call_times
from bough.terminal.canvas import Canvas
from bough.terminal.conversation.messages import MessageContext
from bough.terminal.conversation.tools import INDENT
from bough.terminal.header import find_short_length
from bough.terminal.style import Role, StyledLine

__all__ = ["build_message_context", "group_messages_by_item"]


def build_message_context(
    session: Session, seen: SessionOutline, canvas: Canvas, conversations: Iterable[Conversation]
) -> MessageContext:
    """Gather what the messages of some conversations are written with."""
    told = list(conversations)
    asked = [e for branch in seen.branches for e in list_turns(branch.items)]
    sent = [agent for turn in asked for agent in turn.agents]
    thoughts: dict[str, list[float | None]] = {}
    for conversation in told:
        thoughts |= measure_thoughts(conversation)
    return MessageContext(
        canvas=canvas,
        agents={agent.call: agent for agent in sent if agent.call},
        workflow_agents=_group_by_followed_call(sent),
        times=find_call_times(session.records),
        thoughts=thoughts,
        contexts=_collect_contexts(session, told),
        cwd=session.cwd,
        short=find_short_length([e.uuid for e in asked if e.uuid], session.tree.number),
        asker="Brief" if isinstance(session, Agent) or session.sidechain else "You",
    )


def _group_by_followed_call(sent: Iterable[AgentSummary]) -> Mapping[str, Sequence[AgentSummary]]:
    """Group the agents of workflows by the call they follow."""
    found: dict[str, list[AgentSummary]] = {}
    for agent in sent:
        if agent.after is not None:
            found.setdefault(agent.after, []).append(agent)
    return found


def _collect_contexts(
    session: Session, conversations: Iterable[Conversation]
) -> Mapping[str, ContextWindow]:
    found: dict[str, ContextWindow] = {}
    for conversation in conversations:
        for message in conversation.messages:
            if message.kind == "assistant" and message.uuid and message.uuid not in found:
                context = measure_message_context(session, message)
                if context is not None:
                    found[message.uuid] = context
    return found


def render_summary_line(
    turn: Turn, messages: Sequence[Message], setting: MessageContext
) -> list[StyledLine]:
    """Write what a turn took; nothing where Claude did not answer at all."""
    answers = [message for message in messages if message.kind == "assistant"]
    context = setting.contexts.get(answers[-1].uuid or "") if answers else None
    groups = summarize_turn(turn, answers, context)
    words = ", ".join(word for group in groups for word in group)
    return [setting.canvas.compose_line([(Role.META, words)], indent=INDENT)] if words else []
