"""Saving the content of a message that is not as expected somewhere.

One strange block must not cost its neighbours. A block of a kind nobody knows is kept as
JSON; so is a known one with a wrong field, unless it is a call or a result: those are joined
to each other by id, and are worth more than the field they lose.
"""

from typing import Any

import msgspec

from bough.records.blocks import (
    KNOWN_BLOCKS,
    AnyBlock,
    ServerToolUse,
    Text,
    ToolResult,
    ToolUse,
    UnknownBlock,
    WebFetchResult,
    WebSearchResult,
)
from bough.records.lenient import fitted

_Joined = ToolUse | ServerToolUse | ToolResult | WebSearchResult | WebFetchResult
_JOINED: dict[str, tuple[type[_Joined], str]] = {
    "tool_use": (ToolUse, "id"),
    "server_tool_use": (ServerToolUse, "id"),
    "tool_result": (ToolResult, "tool_use_id"),
    "web_search_tool_result": (WebSearchResult, "tool_use_id"),
    "web_fetch_tool_result": (WebFetchResult, "tool_use_id"),
}
"""Blocks that others are joined to, and the id they are joined by."""

_decode_block = msgspec.json.Decoder(KNOWN_BLOCKS).decode


def salvaged_content(content: Any) -> Any:
    """Turn plain content into text or blocks, unknown blocks included."""
    if isinstance(content, str) or content is None:
        return content
    items = content if isinstance(content, list) else [content]
    return [_salvaged_block(item) for item in items]


def _salvaged_block(item: Any) -> AnyBlock:
    if isinstance(item, str):
        return Text(text=item)
    as_json = msgspec.json.encode(item)
    try:
        block: AnyBlock = _decode_block(as_json)
    except msgspec.MsgspecError:
        name = item.get("type") if isinstance(item, dict) else None
        name = name if isinstance(name, str) else ""
        if name in _JOINED and isinstance(item.get(_JOINED[name][1]), str):
            return fitted(item, _JOINED[name][0])
        return UnknownBlock(type=name, json=as_json)
    return block
