"""Content blocks: what a message is made of."""

from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Raw, Struct

from bough.records.record import NO_JSON, Count


class Block(Struct, gc=False, tag_field="type"):
    """A piece of a message."""


class Text(Block, tag="text"):
    """Words."""

    text: str = ""


class Thinking(Block, tag="thinking"):
    """What the model thought; empty where the client kept only the signature."""

    thinking: str = ""
    signature: str = ""


class RedactedThinking(Block, tag="redacted_thinking"):
    """Thinking the API withheld."""

    data: str = ""


class ToolUse(Block, tag="tool_use"):
    """A call of a tool."""

    id: str = ""
    name: str = ""
    input: Raw = NO_JSON


class ServerToolUse(Block, tag="server_tool_use"):
    """A call of a tool that the API itself runs."""

    id: str = ""
    name: str = ""
    input: Raw = NO_JSON


class ToolReference(Block, tag="tool_reference"):
    """A tool that was found, named inside a result."""

    tool_name: str = ""


class MediaSource(Struct, gc=False):
    """Where the bytes of an image or a document are."""

    type: str = ""
    media_type: str = ""
    data: str = ""
    url: str = ""


class Image(Block, tag="image"):
    """A picture."""

    source: MediaSource | None = None


class Document(Block, tag="document"):
    """A PDF or a text file given with a prompt."""

    source: MediaSource | None = None
    title: str | None = None


class UnknownBlock(Struct, gc=False):
    """A block of a type we do not know, kept as JSON."""

    type: str
    json: bytes


class ToolResult(Block, tag="tool_result"):
    """What a tool gave back."""

    tool_use_id: str = ""
    content: Raw = NO_JSON
    is_error: bool | None = None


class WebSearchResult(Block, tag="web_search_tool_result"):
    """What a search by the API gave back."""

    tool_use_id: str = ""
    content: Raw = NO_JSON


class WebFetchResult(Block, tag="web_fetch_tool_result"):
    """What a fetch by the API gave back."""

    tool_use_id: str = ""
    content: Raw = NO_JSON


KNOWN_BLOCKS: TypeAlias = (
    Text
    | Thinking
    | RedactedThinking
    | ToolUse
    | ServerToolUse
    | ToolResult
    | WebSearchResult
    | WebFetchResult
    | ToolReference
    | Image
    | Document
)
AnyBlock: TypeAlias = KNOWN_BLOCKS | UnknownBlock


class CacheCreation(Struct, gc=False):
    """Cache writes by how long they live."""

    ephemeral_5m_input_tokens: Count | None = None
    ephemeral_1h_input_tokens: Count | None = None


class ServerToolCounts(Struct, gc=False):
    """How often the API's own tools ran."""

    web_search_requests: Count | None = None
    web_fetch_requests: Count | None = None


class ApiUsage(Struct, gc=False):
    """Token counts as one line of a message has them; see `bough.model.usage.tokens`."""

    input_tokens: Count | None = None
    output_tokens: Count | None = None
    cache_creation_input_tokens: Count | None = None
    cache_read_input_tokens: Count | None = None
    cache_creation: CacheCreation | None = None
    server_tool_use: ServerToolCounts | None = None
    service_tier: str | None = None
    speed: str | None = None


class ApiMessage(Struct, gc=False):
    """The message of a user or assistant record."""

    role: str | None = None
    id: str | None = None
    model: str | None = None
    stop_reason: str | None = None
    stop_sequence: str | None = None
    content: str | list[KNOWN_BLOCKS] | None = None
    usage: ApiUsage | None = None

    @property
    def blocks(self) -> Sequence[AnyBlock]:
        """Give the content as blocks, whatever form it was written in."""
        if isinstance(self.content, str):
            return [Text(text=self.content)]
        return self.content or []
