"""Which API calls a cost that stands somewhere in a session is of.

Every cost of a session's own view, of the whole, a branch, a turn or an agent, is the sum of
calls that the outline charged there. Who explains such a cost explains these calls.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

from bough.model.outline.agent_summaries import AgentSummary
from bough.model.outline.branch_path import (
    OutlineItem,
    list_own_turns,
    walk_branches,
)
from bough.model.outline.session_outline import SessionOutline
from bough.model.outline.turns import Turn
from bough.model.usage.tokens import UsageSnapshot

CostPart = Literal["path", "all", "agents", "own", "turn", "agent"]
"""The path that is read, all of the session, the agents of the path; and by a name: what a branch
has to itself, a turn, an agent."""


def list_charged_calls(
    seen: SessionOutline, items: Sequence[OutlineItem], part: CostPart, at: str = ""
) -> Sequence[UsageSnapshot] | None:
    """List the calls that a part of a session's cost is of; None where there is no such part.

    Args:
        seen: The session.
        items: What is on the path that is read.
        part: Which of its costs.
        at: The part's name: the uuid of a turn, that of the last turn of a branch, an agent's id.
    """
    turns = [item for item in items if isinstance(item, Turn)]
    match part:
        case "path":
            return _join(turns)
        case "all":
            return [*_join(seen.all_turns), *seen.unplaced]
        case "agents":
            return _join(agent for turn in turns for agent in turn.agents)
        case "own":
            owns = (list_own_turns(branch) for branch in walk_branches(seen.branches))
            return next((_join(own) for own in owns if own and own[-1].uuid == at), None)
        case "turn":
            return next((one.charged for one in seen.all_turns if one.uuid == at), None)
        case "agent":
            agents = (agent for turn in seen.all_turns for agent in turn.agents)
            return next((agent.charged for agent in agents if agent.id == at), None)


def _join(parts: Sequence[Turn] | Iterator[Turn | AgentSummary]) -> list[UsageSnapshot]:
    return [call for part in parts for call in part.charged]
