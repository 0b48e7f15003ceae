"""Documents: what `--json` prints, the web serves and MCP answers, field by field.

The names and their order are a contract; docs/library.md describes them. The model is free
to grow fields of its own without any face changing.
"""

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from bough.model.conversation.content import TextBlock
from bough.model.conversation.conversation import Conversation
from bough.model.conversation.messages import ContentBlock, Message
from bough.model.conversation.plan_files import PlanFile, PlanLink
from bough.model.conversation.todo_lists import TodoList
from bough.model.health import Finding
from bough.model.outline.branch_names import name_branches
from bough.model.outline.branch_path import PathCosts
from bough.model.session import Session
from bough.model.text.formats import format_plural
from bough.model.text.times import to_utc
from bough.model.tools.call_row import exit_code_of, measure_duration_ms
from bough.model.tools.calls import CallResult, Picture, ToolBlock
from bough.model.usage.tokens import Tokens
from bough.query.priced_outline import outline_with_prices


class UsageDocument(Struct, frozen=True):
    """The tokens of one message, each API call counted once."""

    input_tokens: int
    output_tokens: int
    cache_creation_tokens: int
    cache_read_tokens: int


class TextDocument(Struct, frozen=True):
    """A block that is not a tool call; `type` says what it is."""

    type: str
    text: str


class ResultDocument(Struct, frozen=True):
    """What a tool gave back."""

    text: str
    is_error: bool
    images: list[Picture]
    persisted: str | None


class ToolDocument(Struct, frozen=True, tag_field="type", tag="tool"):
    """A tool call with its result; null where none came.

    `timestamp` is when it was called, `duration_ms` how long it took, `exit_code` that of a
    shell command; null where it is not known.
    """

    id: str
    name: str
    input: Any
    result: ResultDocument | None
    agent: str | None
    timestamp: str | None
    duration_ms: int | None
    exit_code: int | None


class MessageDocument(Struct, frozen=True):
    """One message; `uuid` is null for lines without one.

    `turn` is the uuid of the prompt that began its turn, null before the first. A prompt that
    was only ever queued has none: it is named by `@` and its offset.
    """

    turn: str | None
    kind: str
    uuid: str | None
    uuids: list[str]
    offset: int
    timestamp: str | None
    model: str | None
    blocks: list[TextDocument | ToolDocument]
    usage: UsageDocument | None


class ConversationDocument(Struct, frozen=True, omit_defaults=True):
    """One conversation, as `bough show --json` prints it; `turns` counts them.

    `todos` and `plans` are what the client keeps beside the session, written out only where
    there is something; `plan_links` the sessions that a plan ties to it, where they were asked.
    """

    session: str
    tip: str | None
    turns: int
    messages: list[MessageDocument]
    todos: Sequence[TodoList] = ()
    plans: Sequence[PlanFile] = ()
    plan_links: Sequence[PlanLink] = ()


_MOST_MESSAGES: Final = 100_000
"""So many messages are written out where several conversations are, each from its start."""


def limit_whole_conversations(
    conversations: Sequence[Conversation],
) -> tuple[list[Conversation], str]:
    """Choose which of some conversations are written out whole, and say which are left out.

    Conversations share their beginnings, and each is written from its start: thousands of
    branches would take more room than a disk has. The first is always kept.
    """
    kept: list[Conversation] = []
    written = 0
    for conversation in conversations:
        written += conversation.message_count
        if kept and written > _MOST_MESSAGES:
            break
        kept.append(conversation)
    missing = len(conversations) - len(kept)
    if not missing:
        return kept, ""
    return kept, (
        f"{missing:,} of {format_plural(len(conversations), 'branch', 'branches')} "
        f"{'is' if missing == 1 else 'are'} left out: each is written from its start, and "
        f"{len(kept):,} have {_MOST_MESSAGES:,} messages. --tip UUID writes one of the others."
    )


class BranchPointDocument(Struct, frozen=True):
    """Where a person went on in more than one way."""

    uuid: str
    cause: str
    children: list[str]


class TipDocument(Struct, frozen=True):
    """The end of a line of conversation."""

    uuid: str
    active: bool
    turns: int
    messages: int
    cost_usd: float | None
    copied_cost_usd: float | None
    unpriced_models: list[str]
    title: str


class TreeDocument(Struct, frozen=True):
    """A session's shape, as `bough tree --json` prints it; roots to cycles are counts."""

    session: str
    roots: int
    nodes: int
    orphans: int
    duplicates: int
    copies: int
    cycles: int
    branch_points: list[BranchPointDocument]
    tips: list[TipDocument]
    active_tip: str | None
    tip_rule: str


class DoctorDocument(Struct, frozen=True):
    """What was found, as `bough doctor --json` prints it."""

    session: str
    reachability: float
    findings: list[Finding]


def conversation_document(
    session: Session, conversation: Conversation, plan_links: Sequence[PlanLink] = ()
) -> ConversationDocument:
    """Write out a conversation."""
    messages = [message_document(message) for message in conversation.messages]
    return ConversationDocument(
        session=session.id,
        tip=conversation.tip,
        turns=conversation.turn_count,
        messages=messages,
        todos=tuple(session.todo_lists),
        plans=tuple(session.plan_files),
        plan_links=tuple(plan_links),
    )


def message_document(message: Message) -> MessageDocument:
    """Write out a message."""
    return MessageDocument(
        turn=message.turn,
        kind=message.kind,
        uuid=message.uuid,
        uuids=message.uuids,
        offset=message.offset,
        timestamp=to_utc(message.timestamp),
        model=message.model,
        blocks=[_block_document(block) for block in message.blocks],
        usage=_usage_document(message.usage) if message.usage is not None else None,
    )


def tree_document(session: Session) -> TreeDocument:
    """Write out a session's shape."""
    tree, costs = session.tree, PathCosts(outline_with_prices(session))
    return TreeDocument(
        session=session.id,
        roots=len(tree.roots),
        nodes=len(tree.nodes),
        orphans=len(tree.orphans),
        duplicates=tree.duplicates,
        copies=tree.copies,
        cycles=tree.cycles,
        branch_points=[
            BranchPointDocument(point.uuid, point.cause, list(point.children))
            for point in session.branch_points
        ],
        tips=[
            _tip_document(costs, conversation, name)
            for conversation, name in zip(
                session.conversations, name_branches(session), strict=True
            )
        ],
        active_tip=session.active_tip,
        tip_rule=session.choice.rule,
    )


def _tip_document(costs: PathCosts, conversation: Conversation, name: str) -> TipDocument:
    used = costs.sum_to_tip(conversation.tip)
    return TipDocument(
        uuid=conversation.tip or "",
        active=conversation.active,
        turns=conversation.turn_count,
        messages=conversation.message_count,
        cost_usd=used.usd,
        copied_cost_usd=used.copied.usd,
        unpriced_models=used.cost.unpriced_models,
        title=name,
    )


def doctor_document(session: Session) -> DoctorDocument:
    """Write out what is wrong with a session."""
    health = session.health
    return DoctorDocument(session.id, health.reachability, health.findings)


def _block_document(block: ContentBlock) -> TextDocument | ToolDocument:
    match block:
        case TextBlock():
            return TextDocument(block.type, block.text)
        case ToolBlock():
            result = _result_document(block.result) if block.result is not None else None
            return ToolDocument(
                id=block.id,
                name=block.name,
                input=block.input,
                result=result,
                agent=block.agent,
                timestamp=to_utc(block.timestamp),
                duration_ms=measure_duration_ms(block),
                exit_code=exit_code_of(block),
            )


def _result_document(result: CallResult) -> ResultDocument:
    return ResultDocument(result.text, result.is_error, list(result.images), result.persisted)


def _usage_document(tokens: Tokens) -> UsageDocument:
    return UsageDocument(
        tokens.input_tokens,
        tokens.output_tokens,
        tokens.cache_creation_tokens,
        tokens.cache_read_tokens,
    )
