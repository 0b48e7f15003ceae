"""A slice of a conversation: some turns around a place, message by message."""

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from bough.mcp.budgets import Draft, Fields
from bough.mcp.quote_fences import Quote, as_moment, as_place
from bough.model.interpret.message_kinds import BlockType
from bough.model.outline.branch_path import find_conversation_through
from bough.model.tools.call_summary import summarize_call
from bough.model.tools.calls import ToolBlock
from bough.model.tools.outcomes import exit_code_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bough.library import Conversation, Message, Session, TextBlock

_CALL: Final = 400
_OUTSIDE: Final = ("WebFetch", "WebSearch", "web_fetch", "web_search")


def is_outside(tool: str) -> bool:
    """Tell whether a tool brings in words from elsewhere: the web, or another program."""
    return tool in _OUTSIDE or tool.startswith("mcp__")


class SliceRequest(Struct, frozen=True):
    """What is to be read.

    `speaker` is a session as it may be quoted, or an agent of it; `session` the id that places
    begin with. `branch` is a message of the branch that is read, by default the active one;
    `start` the message around which is read, by default the end. `before` and `after` count
    turns, and `include` names text, tools, results and thinking.
    """

    speaker: "Session"
    session: str
    branch: str | None
    start: str | None
    before: int
    after: int
    include: frozenset[str]


def draft_slice(asked: SliceRequest) -> Draft:
    """Draft the messages of some turns; without a start, those of the last ones."""
    conversation = find_conversation_through(asked.speaker, asked.branch)
    start = asked.start
    found = [turn.messages for turn in conversation.turns]
    early = [one for one in conversation.messages if one.turn is None]
    groups: list[Sequence[Message]] = [early, *found] if early else list(found)
    if not groups:
        return Draft({"branch": _name_branch(conversation)}, "messages", [])
    at = _find_group(groups, start) if start is not None else len(groups) - 1
    first = max(0, at - (asked.before if start is not None else asked.after))
    last = min(len(groups) - 1, at + asked.after)
    messages = [one for group in groups[first : last + 1] for one in group]
    behind = groups[last + 1][0] if last + 1 < len(groups) else None
    items = [item for one in messages if (item := _describe_message(asked, one)) is not None]
    places = [item["place"] for item in items]
    head: Fields = {
        "branch": _name_branch(conversation),
        "shown_turns": f"{first + 1}-{last + 1} of {len(groups)}",
        "next": as_place(asked.session, behind.uuid) if behind is not None else None,
    }
    return Draft(head, "messages", items, lambda count: {"next": places[count]})


def _name_branch(conversation: "Conversation") -> str:
    return "active" if conversation.active else "left behind"


def _find_group(groups: "Sequence[Sequence[Message]]", uuid: str) -> int:
    for number, group in enumerate(groups):
        if any(uuid == one.uuid or uuid in one.uuids for one in group):
            return number
    return len(groups) - 1


def _describe_message(asked: SliceRequest, message: "Message") -> Fields | None:
    include = asked.include
    thoughts = [one.text for one in _list_texts(message, BlockType.THINKING)]
    item: Fields = {
        "place": as_place(asked.session, message.uuid),
        "when": as_moment(message.timestamp),
        "who": str(message.kind),
        "text": Quote(message.text) if "text" in include and message.text.strip() else None,
        "thinking": Quote("\n\n".join(thoughts)) if thoughts and "thinking" in include else None,
        "calls": [
            _describe_call(block, asked.speaker.cwd, "results" in include)
            for block in message.blocks
            if isinstance(block, ToolBlock)
        ]
        if {"tools", "results"} & include
        else [],
    }
    return item if item["text"] or item["thinking"] or item["calls"] else None


def _list_texts(message: "Message", kind: BlockType) -> "Iterator[TextBlock]":
    for block in message.blocks:
        if block.type is kind:
            yield block  # type: ignore[misc] # blocks of these kinds are texts


def _describe_call(block: ToolBlock, cwd: str | None, with_result: bool) -> Fields:
    result = block.result
    return {
        "tool": Quote(block.name, 80),
        "given": Quote(summarize_call(block.name, block.input, cwd), _CALL),
        "exit_code": exit_code_of(block),
        "failed": True if result is not None and result.is_error else None,
        "from": "outside" if is_outside(block.name) else None,
        "result": Quote(result.text) if with_result and result and result.text else None,
    }
