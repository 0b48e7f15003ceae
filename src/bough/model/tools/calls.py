"""Tool calls and their results, joined by id.

A result may hang far from its call, lie in another file, or be missing; the id is the
only link that holds. Large outputs are kept by the client in files of their own; a
`StoredOutputs` tells where, so that this module needs no disk.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from msgspec import Raw, Struct

from bough.model.tree.nodes import Tree
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
from bough.records.decode import blocks_of, decode_part, decode_plain, message_of
from bough.records.record import Record, camel
from bough.records.types import Assistant, User

AnyUse: TypeAlias = ToolUse | ServerToolUse
AnyResult: TypeAlias = ToolResult | WebSearchResult | WebFetchResult

AGENT_TOOLS = frozenset({"Task", "Agent"})
"""The tools that start an agent, by the names that clients gave them."""

_STORED_OUTPUT_TAG = "<persisted-output>"
_STORED_OUTPUT_PATH = re.compile(r": (\S.*[\\/]tool-results[\\/][^\\/\n]+?)\s*$", re.MULTILINE)
_LONGEST_HEAD = 4_096
_STRINGS = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_BRACKETS = re.compile(rb"[\[\]{}]")
_DEEPEST_INPUT = 100

StoredOutputs = Mapping[str, str]
"""Names of kept outputs, as `<session>/tool-results/<name>` and as `<name>`, to paths."""

FindStoredOutputs = Callable[[], StoredOutputs]
"""Gives the stored outputs; asked only where an output was moved, because it lists folders."""


class Picture(Struct, frozen=True, gc=False):
    """An image in a result or a prompt: what it is, and the line that holds its bytes."""

    media_type: str
    size: int
    offset: int


class CallResult(Struct, frozen=True, gc=False):
    """What a tool gave back.

    `persisted` is the file that holds the whole output where the client moved it out of the
    record; None where it did not, or where that file is gone. `structured` is the client's
    own copy of the result, as JSON.
    """

    text: str = ""
    is_error: bool = False
    images: tuple[Picture, ...] = ()
    persisted: str | None = None
    uuid: str | None = None
    timestamp: str | None = None
    structured: Raw | None = None


class ToolBlock(Struct, frozen=True, gc=False, tag_field="type", tag="tool", kw_only=True):
    """A call of a tool with its result; None where none came.

    A result whose call is in no record has a name of "". `agent` is the id of the agent
    that the call started, `timestamp` when the call was made.
    """

    id: str
    name: str
    input: Any = None
    result: CallResult | None = None
    agent: str | None = None
    timestamp: str | None = None

    @property
    def type(self) -> str:
        """Name the kind of block, as other blocks do."""
        return "tool"


class CallResults(Struct):
    """All results of a tree, by the id of their call, in file order."""

    by_call: dict[str, list[tuple[int, AnyResult]]]
    call_ids: set[str]


class _StoredOutputFields(Struct, rename=camel):
    persisted_output_path: str | None = None


# Tuples: this is asked of every record, and a union of classes is built anew each time.
_WITH_MESSAGE = (Assistant, User)
_CALLS = (ToolUse, ServerToolUse)
_RESULTS = (ToolResult, WebSearchResult, WebFetchResult)


def collect_results(tree: Tree) -> CallResults:
    """Find every result, and which calls there are."""
    found = CallResults({}, set())
    for number, record in enumerate(tree.nodes):
        if not isinstance(record, _WITH_MESSAGE):
            continue
        for block in message_of(record).blocks:
            if isinstance(block, _CALLS):
                found.call_ids.add(block.id)
            elif isinstance(block, _RESULTS):
                found.by_call.setdefault(block.tool_use_id, []).append((number, block))
    return found


def result_of(
    record: Record, block: AnyResult, find_stored_outputs: FindStoredOutputs
) -> CallResult:
    """Read one result; a kept output is named by the path where it lies."""
    texts, pictures = [], []
    for inner in blocks_of(block.content):
        if isinstance(inner, Image):
            pictures.append(picture_of(inner, record.offset))
        else:
            texts.append(text_of_block(inner))
    text = "\n".join(texts)
    structured = record.tool_use_result_json if isinstance(record, User) else None
    return CallResult(
        text=text,
        is_error=isinstance(block, ToolResult) and bool(block.is_error),
        images=tuple(pictures),
        persisted=_find_stored_output(text, structured or None, find_stored_outputs),
        uuid=record.uuid,
        timestamp=record.timestamp,
        structured=structured or None,
    )


def build_tool_block(
    use: AnyUse,
    result: CallResult | None,
    agent: str | None = None,
    timestamp: str | None = None,
) -> ToolBlock:
    """Show a call with its result."""
    return ToolBlock(
        id=use.id,
        name=use.name,
        input=input_of(use.input),
        result=result,
        agent=agent,
        timestamp=timestamp,
    )


def input_of(raw: Raw) -> Any:
    """Give a call's input as plain values; as its JSON where it is nested beyond all sense.

    What is decoded here is encoded again by every face, each on a stack of its own depth.
    """
    if _measure_depth(bytes(raw)) <= _DEEPEST_INPUT:
        return decode_plain(raw)
    return bytes(raw).decode("utf-8", "replace")


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
            return _document_text_of(block)
        case UnknownBlock():
            return block.json.decode("utf-8", "replace")
        case _:
            return ""


def _document_text_of(block: Document) -> str:
    source = block.source
    if source is not None and source.type == "text":
        return f"{block.title}\n{source.data}" if block.title else source.data
    kind = source.media_type if source is not None else "document"
    return f"{block.title or 'Document'} ({kind})"


def _find_stored_output(
    text: str, structured: Raw | None, find_stored_outputs: FindStoredOutputs
) -> str | None:
    """Find the file that holds an output the client moved out of the record.

    The path it names is that of the machine it was written on, so only the last parts
    count: the session, the folder and the name; then the name alone, in the own folder.
    """
    if not text.lstrip().startswith(_STORED_OUTPUT_TAG):
        return None
    place = _find_output_path(text, structured)
    if place is None:
        return None
    parts = place.replace("\\", "/").split("/")
    stored_outputs = find_stored_outputs()
    return stored_outputs.get("/".join(parts[-3:])) or stored_outputs.get(parts[-1])


def _find_output_path(text: str, structured: Raw | None) -> str | None:
    if structured is not None and b'"persistedOutputPath"' in bytes(structured):
        place = decode_part(structured, _StoredOutputFields).persisted_output_path
        if place:
            return place
    # Only the head: what follows the first empty line is the output, and may name any path.
    head = text.lstrip()[:_LONGEST_HEAD].partition("\n\n")[0]
    match = _STORED_OUTPUT_PATH.search(head)
    return match[1] if match else None


def _measure_depth(raw: bytes) -> int:
    """Measure how deep JSON is nested, or give a bound that is low enough."""
    bound = raw.count(b"[") + raw.count(b"{")
    if bound <= _DEEPEST_INPUT:
        return bound
    depth = deepest = 0
    for bracket in _BRACKETS.findall(_STRINGS.sub(b"", raw)):
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest
