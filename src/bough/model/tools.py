"""Tool calls and their results, joined by id.

A result may hang far from its call, lie in another file, or be missing; the id is the
only link that holds. Large outputs are kept by the client in files of their own; a
`Shelf` tells where, so that this module needs no disk.
"""

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from bough.model.tree import Tree
from bough.records.blocks import (
    AnyBlock,
    Document,
    Image,
    ServerToolUse,
    Text,
    ToolReference,
    ToolResult,
    ToolUse,
    UnknownBlock,
    WebFetchResult,
    WebSearchResult,
)
from bough.records.decode import blocks_of, message_of, plain
from bough.records.record import Record
from bough.records.types import User

_PERSISTED = re.compile(r"([^\s\"'<>|]*tool-results[\\/][^\s\"'<>|]+)")
_KEPT_ELSEWHERE = "<persisted-output>"

Shelf = Mapping[str, str]
"""Names of kept outputs, as `<session>/tool-results/<name>` and as `<name>`, to paths."""


class Picture(Struct, frozen=True):
    """An image in a result or a prompt: what it is, and the line that holds its bytes."""

    media_type: str
    size: int
    offset: int


class Result(Struct, frozen=True):
    """What a tool gave back."""

    text: str = ""
    is_error: bool = False
    images: tuple[Picture, ...] = ()
    persisted: str | None = None
    uuid: str | None = None
    timestamp: str | None = None
    structured: Any = field(default=None, name="-structured")


class ToolBlock(Struct, frozen=True, tag_field="type", tag="tool", kw_only=True):
    """A call of a tool with its result; None where none came."""

    id: str
    name: str
    input: Any = None
    result: Result | None = None
    agent: str | None = None


class Results(Struct):
    """All results of a tree, by the id of their call, in file order."""

    by_call: dict[str, list[tuple[int, AnyBlock]]]
    called: set[str]


def collect_results(tree: Tree) -> Results:
    """Find every result, and which calls there are."""
    found = Results({}, set())
    for number, record in enumerate(tree.nodes):
        if isinstance(record, User) or hasattr(record, "message_json"):
            for block in message_of(record).blocks:  # type: ignore[arg-type]
                if isinstance(block, ToolResult | WebSearchResult | WebFetchResult):
                    found.by_call.setdefault(block.tool_use_id, []).append((number, block))
                elif isinstance(block, ToolUse | ServerToolUse):
                    found.called.add(block.id)
    return found


def result_of(record: Record, block: AnyBlock, shelf: Shelf) -> Result:
    """Read one result; a kept output is named by the path where it lies."""
    assert isinstance(block, ToolResult | WebSearchResult | WebFetchResult)
    texts, pictures = [], []
    for part in blocks_of(block.content):
        if isinstance(part, Image):
            pictures.append(picture_of(part, record.offset))
        else:
            texts.append(text_of_block(part))
    text = "\n".join(texts)
    failed = bool(block.is_error) if isinstance(block, ToolResult) else False
    structured = record.tool_use_result_json if isinstance(record, User) else None
    return Result(
        text=text,
        is_error=failed,
        images=tuple(pictures),
        persisted=_kept_in(text, shelf),
        uuid=record.uuid,
        timestamp=record.timestamp,
        structured=structured or None,
    )


def tool_block(
    use: ToolUse | ServerToolUse, result: Result | None, agent: str | None = None
) -> ToolBlock:
    """Show a call with its result."""
    return ToolBlock(id=use.id, name=use.name, input=plain(use.input), result=result, agent=agent)


def picture_of(image: Image, offset: int) -> Picture:
    """Describe an image without carrying its bytes along."""
    source = image.source
    if source is None:
        return Picture("", 0, offset)
    return Picture(source.media_type, len(source.data) * 3 // 4, offset)


def text_of_block(block: AnyBlock) -> str:
    """Give the words of a block that is not shown by other means."""
    match block:
        case Text():
            return block.text
        case ToolReference():
            return f"Tool found: {block.tool_name}"
        case Document():
            source = block.source
            if source is not None and source.type == "text":
                return source.data
            kind = source.media_type if source is not None else "document"
            return f"{block.title or 'Document'} ({kind})"
        case UnknownBlock():
            return block.json.decode("utf-8", "replace")
        case _:
            return ""


def _kept_in(text: str, shelf: Shelf) -> str | None:
    """Find the file that holds an output the client moved out of the record.

    The path in the text is that of the machine it was written on, so only its last parts
    count.
    """
    if not text.lstrip().startswith(_KEPT_ELSEWHERE):
        return None
    match = _PERSISTED.search(text)
    if match is None:
        return None
    parts = match[1].rstrip(".,;:)").replace("\\", "/").split("/")
    for key in ("/".join(parts[-3:]), parts[-1]):
        if key in shelf:
            return shelf[key]
    return match[1]
