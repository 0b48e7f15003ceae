"""A session as one JSON document: the same shapes as `bough show --json`, with more around.

docs/export.md describes the fields. What was left out by choice is not there; what was
hidden is listed.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from bough.export.document_options import ExportOptions, make_reviser
from bough.export.header import title_of
from bough.export.html.render_context import ReadOutput
from bough.model.conversation.conversation import Conversation
from bough.model.interpret.pull_requests import PullRequest
from bough.model.session import Agent, Session
from bough.model.text.times import to_utc
from bough.query.json_documents import (
    ConversationDocument,
    MessageDocument,
    ToolDocument,
    message_document,
)


class AgentDocument(Struct, frozen=True):
    """A sub-agent, the call that started it, and its own conversation."""

    id: str
    type: str | None
    description: str | None
    call: str | None
    conversation: ConversationDocument


class OutputDocument(Struct, frozen=True):
    """An output that the client kept in a file of its own, and the call that gave it.

    `text` is shorter than `bytes` says where it is very large.
    """

    call: str
    bytes: int
    text: str


class IncludedDocument(Struct, frozen=True):
    """What was chosen to be in the document."""

    thinking: bool
    tools: bool
    results: bool
    agents: bool
    redacted: bool


class SessionDocument(Struct, frozen=True, omit_defaults=True):
    """A session, as `bough export --to json` writes it.

    `records_left_out` is there where only the newest records of a session are.
    """

    session: str
    title: str
    cwd: str | None
    git_branch: str | None
    pull_requests: list[PullRequest]
    version: str | None
    models: list[str]
    started_at: str | None
    ended_at: str | None
    active_tip: str | None
    redacted: bool
    included: IncludedDocument
    conversations: list[ConversationDocument]
    agents: list[AgentDocument]
    outputs: list[OutputDocument]
    records_left_out: int = 0


def session_document(
    session: Session,
    conversations: Sequence[Conversation],
    include: ExportOptions,
    whole: ReadOutput | None = None,
) -> SessionDocument:
    """Write out a session, as much of it as is wanted."""
    documents = [_conversation_document(session, one, include) for one in conversations]
    agents = [_agent_document(agent, include) for agent in session.agents] if include.agents else []
    everything = [*documents, *(agent.conversation for agent in agents)]
    return SessionDocument(
        session=session.id,
        title=title_of(session),
        cwd=session.cwd,
        git_branch=session.git_branch,
        pull_requests=session.pull_requests,
        version=session.version,
        models=session.models,
        started_at=to_utc(session.started_at),
        ended_at=to_utc(session.ended_at),
        active_tip=session.active_tip,
        redacted=include.redact,
        included=IncludedDocument(
            include.thinking, include.tools, include.results, include.agents, include.is_redacted
        ),
        conversations=documents,
        agents=agents,
        outputs=_read_outputs(everything, whole) if whole is not None else [],
        records_left_out=session.records_left_out,
    )


def encode_document(document: SessionDocument) -> bytes:
    """Encode a document; what no encoding can hold is replaced."""
    try:
        return msgspec.json.encode(document) + b"\n"
    except UnicodeEncodeError:
        return msgspec.json.encode(_make_encodable(msgspec.to_builtins(document))) + b"\n"


def _conversation_document(
    session: Session, conversation: Conversation, include: ExportOptions
) -> ConversationDocument:
    revise = make_reviser(include)
    messages = [revise(message) if revise else message for message in conversation.messages]
    documents = [message_document(message) for message in messages]
    if not include.results:
        documents = [_strip_results(document) for document in documents]
    return ConversationDocument(session.id, conversation.tip, conversation.turn_count, documents)


def _read_outputs(
    conversations: Sequence[ConversationDocument], whole: ReadOutput
) -> list[OutputDocument]:
    """Read each output that a call names, once."""
    blocks = (
        block
        for conversation in conversations
        for message in conversation.messages
        for block in message.blocks
    )
    named = {
        block.id: block.result.persisted
        for block in blocks
        if isinstance(block, ToolDocument) and block.result is not None and block.result.persisted
    }
    read = ((call, whole(persisted)) for call, persisted in named.items())
    return [OutputDocument(call, kept.bytes, kept.text) for call, kept in read if kept is not None]


def _strip_results(message: MessageDocument) -> MessageDocument:
    """Keep of results only whether they were errors."""
    blocks = [
        msgspec.structs.replace(
            block,
            result=msgspec.structs.replace(block.result, text="", images=[], persisted=None),
        )
        if isinstance(block, ToolDocument) and block.result is not None
        else block
        for block in message.blocks
    ]
    return msgspec.structs.replace(message, blocks=blocks)


def _agent_document(agent: Agent, include: ExportOptions) -> AgentDocument:
    return AgentDocument(
        id=agent.id,
        type=agent.type,
        description=agent.description,
        call=agent.link.call if agent.link is not None else None,
        conversation=_conversation_document(agent, agent.conversation(), include),
    )


def _make_encodable(value: Any) -> Any:
    """Replace lone surrogates, which stand for bytes that are no text."""
    match value:
        case str():
            return value.encode("utf-8", "replace").decode()
        case list():
            return [_make_encodable(inner) for inner in value]
        case dict():
            return {_make_encodable(key): _make_encodable(inner) for key, inner in value.items()}
        case _:
            return value
