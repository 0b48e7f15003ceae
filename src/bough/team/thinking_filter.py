"""Leave out thinking that was masked: its signature would no longer fit, and be refused.

The thinking of a model is signed, and goes back to it as it was or not at all. A block in which
something was hidden is left out; where nothing else is in its record, the record is, and what
followed it follows what stood before it.
"""

import re
from typing import Any, Final

import msgspec

from bough.records.decode import decode_plain

_MASKED: Final = re.compile(r"\*{4,}")
"""Stars that Markdown has no use for."""
_PARENTS: Final = ("parentUuid", "logicalParentUuid", "leafUuid")


def drop_masked_thinking(data: bytes) -> tuple[bytes, int]:
    """Give a transcript without thinking that was masked, and how many blocks are left out."""
    lines = data.splitlines(keepends=True)
    dropped = 0
    parents_of_dropped: dict[str, str | None] = {}
    kept: list[bytes] = []
    for raw in lines:
        may_be = b"****" in raw and b'"thinking"' in raw
        record: Any = decode_plain(raw) if may_be else None
        content = _find_content(record)
        rest = [block for block in content if not _is_masked(block)]
        if len(rest) == len(content):
            kept.append(raw)
            continue
        dropped += len(content) - len(rest)
        if rest or not record.get("uuid"):
            record["message"]["content"] = rest
            kept.append(msgspec.json.encode(record) + b"\n")
        else:
            parents_of_dropped[record["uuid"]] = record.get("parentUuid")
    return b"".join(_follow(raw, parents_of_dropped) for raw in kept), dropped


def _find_content(record: Any) -> list[Any]:
    message = record.get("message") if isinstance(record, dict) else None
    content = message.get("content") if isinstance(message, dict) else None
    return content if isinstance(content, list) else []


def _is_masked(block: Any) -> bool:
    if not isinstance(block, dict) or block.get("type") != "thinking":
        return False
    text = block.get("thinking")
    return isinstance(text, str) and _MASKED.search(text) is not None


def _follow(raw: bytes, parents_of_dropped: dict[str, str | None]) -> bytes:
    """Let a record that followed one that was left out follow what stood before it."""
    if not any(uuid.encode() in raw for uuid in parents_of_dropped):
        return raw
    record = decode_plain(raw)
    if not isinstance(record, dict):
        return raw
    changed = False
    for name in _PARENTS:
        parent = record.get(name)
        while isinstance(parent, str) and parent in parents_of_dropped:
            parent = parents_of_dropped[parent]
            changed = True
        if name in record:
            record[name] = parent
    return msgspec.json.encode(record) + b"\n" if changed else raw
