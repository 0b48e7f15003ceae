"""The record: one JSON object of a session file, with the bytes it came from.

A record is decoded in two steps. The envelope (ids, times, flags) is read at once; the
heavy parts stay raw JSON until somebody asks, because most questions never do. The
bytes are kept, so a record can always be written back exactly as it was.
"""

from typing import Annotated, Any, ClassVar, final

from msgspec import Meta, Raw, Struct

NO_JSON = Raw(b"")
_MOST = 2**53
Count = Annotated[int, Meta(ge=-_MOST, le=_MOST)]
"""A whole number as the clients can hold it; a larger one is damage, and no store takes it."""

_IRREGULAR = {
    # What decode() fills in itself; no client writes these keys.
    "offset": "~offset",
    "number": "~number",
    "raw": "~raw",
    "body": "~body",
    "meaning": "~meaning",
    # Spelled by the clients in their own way.
    "tool_use_id": "toolUseID",
    "parent_tool_use_id": "parentToolUseID",
    "source_tool_assistant_uuid": "sourceToolAssistantUUID",
    "source_tool_use_id": "sourceToolUseID",
    "cost_usd": "costUSD",
    "total_cost_usd": "totalCostUSD",
    "total_api_duration": "totalAPIDuration",
    "total_api_duration_without_retries": "totalAPIDurationWithoutRetries",
}


def camel(name: str) -> str:
    """Spell a field's name as the clients do."""
    if name in _IRREGULAR:
        return _IRREGULAR[name]
    head, *rest = name.removesuffix("_json").split("_")
    return head + "".join(word.title() for word in rest)


class Record(Struct, gc=False, kw_only=True, rename=camel):
    """What every record has; None where the client wrote nothing.

    `raw` holds the very bytes from `offset` on, the line's newline included. `number` is
    the line's number, from 1. `body` keeps what was decoded on first use.
    """

    kind: ClassVar[str] = ""

    offset: int = 0
    number: int = 0
    raw: bytes = b""
    body: Any = None

    uuid: str | None = None
    parent_uuid: str | None = None
    timestamp: str | None = None
    session_id: str | None = None
    is_sidechain: bool = False
    is_meta: bool = False
    cwd: str | None = None
    version: str | None = None
    git_branch: str | None = None
    slug: str | None = None
    agent_id: str | None = None
    entrypoint: str | None = None
    session_kind: str | None = None
    forked_from_json: Raw = NO_JSON

    @property
    def in_tree(self) -> bool:
        """Tell whether this record is a node: one with a uuid."""
        return self.uuid is not None


@final
class BadLine(Struct, frozen=True, gc=False):
    """Bytes that are no record, where they are and why."""

    offset: int
    number: int
    raw: bytes
    reason: str
    torn: bool = False
    blank: bool = False
