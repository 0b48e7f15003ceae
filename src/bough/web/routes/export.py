"""Documents made of a conversation, and what they would hold."""

from typing import TYPE_CHECKING

from bough.export.document_options import Include, To
from bough.model.session import Session
from bough.model.tools.calls import ToolBlock
from bough.web.responses import Blob
from bough.web.routes.conversation import room_of
from bough.web.state import House
from bough.web.wire.pieces import ExportPreview, ExportQuery, Included, MaskedFinding

if TYPE_CHECKING:
    from bough.export.document import Export


def export(house: House, session: str, query: ExportQuery) -> Blob:
    """Make a document, to be saved."""
    inner = room_of(house, session).inner(query.agent or None)
    made = _made(inner, query)
    return Blob(made.body, made.media_type, made.name)


def preview(house: House, session: str, query: ExportQuery) -> ExportPreview:
    """Tell what a document would hold, and what would be hidden in it."""
    inner = room_of(house, session).inner(query.agent or None)
    made = _made(inner, query)
    findings = [MaskedFinding(one.kind, one.count, list(one.masked)) for one in made.findings]
    return ExportPreview(made.name, len(made.body), findings, _included(inner, query))


def _made(session: Session, query: ExportQuery) -> "Export":
    from bough.export.document import make  # noqa: PLC0415 - every form of document is below it

    return make(session, _include(query))


def _include(query: ExportQuery) -> Include:
    return Include(
        to=To(query.to),
        tip=query.tip or None,
        agents=query.agents,
        thinking=query.thinking,
        tools=query.tools,
        results=query.results,
        redact=query.redact,
        emails=query.emails,
    )


def _included(session: Session, query: ExportQuery) -> Included:
    """Count what there is of each kind on the branch."""
    conversation = session.conversation(query.tip or None)
    blocks = [block for turn in conversation.turns for block in turn.blocks]
    calls = [block for block in blocks if isinstance(block, ToolBlock)]
    thoughts = sum(block.type == "thinking" for block in blocks)
    return Included(
        turns=len(conversation.turns),
        thinking=thoughts if query.thinking else 0,
        tools=len(calls) if query.tools else 0,
        results=sum(call.result is not None for call in calls) if query.results else 0,
        agents=sum(call.agent is not None for call in calls) if query.agents else 0,
    )
