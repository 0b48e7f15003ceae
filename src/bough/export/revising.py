"""Turns with less in them: what was chosen not to be in a document is taken out of them.

What a tool gave back is taken out only where a body would show it: how a call ended is told
from it, and that is said in any case.
"""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from bough.export.html.conversation_view import Telling
from bough.export.html.render_context import ReadOutput
from bough.export.include import Include
from bough.model.conversation.conversation import Conversation
from bough.model.conversation.showing import Block
from bough.model.conversation.turns import Turn
from bough.model.session import Session
from bough.model.tools.call_row import is_agent
from bough.model.tools.calls import ToolBlock

_THOUGHTS: Final = frozenset({"thinking", "redacted_thinking"})


def telling_of(
    session: Session,
    conversation: Conversation,
    include: Include,
    whole: ReadOutput | None = None,
) -> Telling:
    """Prepare a conversation to be told, without what is not wanted."""
    return Telling(
        session,
        conversation.tip,
        revise=reviser(include),
        bare=None if include.results else without_result,
        agents=include.agents,
        whole=whole,
    )


def reviser(include: Include) -> Callable[[Turn], Turn] | None:
    """Give what takes out of a turn what is not wanted; None where everything is."""
    if include.thinking and include.tools:
        return None

    def revised(turn: Turn) -> Turn:
        blocks = [block for block in turn.blocks if _is_wanted(block, include)]
        return turn if len(blocks) == len(turn.blocks) else replace(turn, blocks=blocks)

    return revised


def without_result(block: ToolBlock) -> ToolBlock:
    """Take what came back out of a call."""
    return replace(block, result=None)


def _is_wanted(block: Block, include: Include) -> bool:
    if isinstance(block, ToolBlock):
        # An agent's answer is a part of the story, as long as agents are wanted at all.
        return include.tools or (include.agents and is_agent(block))
    return include.thinking or block.type not in _THOUGHTS
