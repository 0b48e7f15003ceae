"""The texts of plans, and the turns that lead from a plan to what was built from it.

The client keeps the text of a plan in a file that is called like the slug. In a session that
planned, the turn that showed the plan leads to what was built from it; in one that builds, the
first turn leads to the plan.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from bough.model.conversation.conversation import Conversation
from bough.model.text.formats import base_name_of, format_plural
from bough.model.tools.calls import ToolBlock
from bough.records.decode import decode_plain
from bough.records.record import Record
from bough.records.types import Attachment

_SHOWS_PLAN = frozenset({"ExitPlanMode", "exit_plan_mode"})
_PLAN_MODE = b'"plan_mode'


class PlanFile(Struct, frozen=True):
    """A plan as the client keeps it: the name that records have for it, its file, its text."""

    name: str
    path: str
    text: str

    @property
    def words(self) -> str:
        """Say that it is there: Plan quiet-mending-ladder, 3 lines."""
        lines = len(self.text.strip().splitlines())
        return f"Plan {self.name}, {format_plural(lines, 'line')}"


def find_plan_names(nodes: Sequence[Record]) -> set[str]:
    """Find what the plans of a session are called: by its slugs, and where the client says it."""
    names = {record.slug for record in nodes if record.slug}
    for record in nodes:
        if isinstance(record, Attachment) and _PLAN_MODE in bytes(record.attachment_json):
            given = decode_plain(record.attachment_json)
            path = given.get("planFilePath") if isinstance(given, Mapping) else None
            if isinstance(path, str):
                names.add(base_name_of(path).removesuffix(".md"))
    return names


class PlanLink(Struct, frozen=True):
    """A session of the other part of a plan, and the turn that leads to it.

    `role` is the part of the session that is led to: its plan, or an implementation.
    """

    turn: str
    role: str
    session: str
    title: str
    path: str

    @property
    def words(self) -> str:
        """Say what is there: Built from the plan of 51d0c9aa, Rounding of tax on refunds."""
        lead = "Built from the plan of" if self.role == "plan" else "Carried out in"
        return f"{lead} {self.session[:8]}, {self.title}"


def find_plan_turn(conversation: Conversation, *, implements: bool) -> str | None:
    """Find the turn that leads to the other part: the first, or the last that showed a plan."""
    turns = (message.turn for message in conversation.messages if message.turn)
    if implements:
        return next(turns, None)
    shown = [
        message.turn
        for message in conversation.messages
        if message.turn and any(_shows_plan(block) for block in message.blocks)
    ]
    return shown[-1] if shown else None


def _shows_plan(block: object) -> bool:
    return isinstance(block, ToolBlock) and block.name in _SHOWS_PLAN
