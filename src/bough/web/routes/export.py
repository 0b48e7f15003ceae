"""Documents made of a conversation, and what they would hold."""

from typing import TYPE_CHECKING

from bough.library import ExportFormat, ExportOptions
from bough.model.session import Session
from bough.model.tools.calls import ToolBlock
from bough.web.responses import BinaryResponse
from bough.web.routes.conversation import find_open_session
from bough.web.state import AppState
from bough.web.wire.pieces import ExportPreview, ExportQuery, IncludedCounts, MaskedFinding

if TYPE_CHECKING:
    from bough.library import Export


def export_document(state: AppState, session: str, query: ExportQuery) -> BinaryResponse:
    """Make a document, to be saved."""
    inner = find_open_session(state, session).session_or_agent(query.agent or None)
    made = _make_document(inner, query)
    return BinaryResponse(made.body, made.media_type, made.name)


def preview_document(state: AppState, session: str, query: ExportQuery) -> ExportPreview:
    """Tell what a document would hold, and what would be hidden in it."""
    inner = find_open_session(state, session).session_or_agent(query.agent or None)
    made = _make_document(inner, query)
    findings = [MaskedFinding(one.kind, one.count, list(one.masked)) for one in made.findings]
    included = _count_included(inner, query)
    return ExportPreview(made.name, len(made.body), findings, included, made.left_out)


def _make_document(session: Session, query: ExportQuery) -> "Export":
    from bough.library import export_session  # noqa: PLC0415 - every form of document is below it

    return export_session(session, _read_options(query))


def _read_options(query: ExportQuery) -> ExportOptions:
    return ExportOptions(
        to=ExportFormat(query.to),
        tip=query.tip or None,
        agents=query.agents,
        thinking=query.thinking,
        tools=query.tools,
        results=query.results,
        redact=query.redact,
        emails=query.emails,
    )


def _count_included(session: Session, query: ExportQuery) -> IncludedCounts:
    """Count what there is of each kind on the branch."""
    conversation = session.conversation(query.tip or None)
    blocks = [block for message in conversation.messages for block in message.blocks]
    calls = [block for block in blocks if isinstance(block, ToolBlock)]
    thoughts = sum(block.type == "thinking" for block in blocks)
    return IncludedCounts(
        turns=conversation.turn_count,
        thinking=thoughts if query.thinking else 0,
        tools=len(calls) if query.tools else 0,
        results=sum(call.result is not None for call in calls) if query.results else 0,
        agents=sum(call.agent is not None for call in calls) if query.agents else 0,
    )
