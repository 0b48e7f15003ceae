"""Outlines: records cut down to what a session's shape is computed from.

The tree, the tips, the title and the number of turns need ids, parents and the openings of
texts, not the texts. Outlines hold just that, as records of the same kinds, so the very
same code reads them: an append is then worth its own bytes, not the whole file's.
"""

from collections.abc import Callable, Iterable
from typing import Any
from zlib import compress, crc32, decompress

import msgspec
from msgspec import Raw

from bough.model.interpret.user_records import strip_ide_notes
from bough.records.blocks import AnyBlock, Image, Text, Thinking, ToolResult, ToolUse
from bough.records.decode import attachment_of, decode_plain, decode_stored, message_of
from bough.records.record import BadLine, Record
from bough.records.types import (
    AiTitle,
    Assistant,
    Attachment,
    CustomTitle,
    LastPrompt,
    PrLink,
    QueueOperation,
    Summary,
    System,
    User,
    kind_of,
)

LONGEST = 800
"""How much of a text is kept: as much as a title may look at."""
_BAD = "~bad-line"
_BAD_OPENING = b'{"type":"~bad-line"'
_STEADY = ("cwd", "version", "git_branch", "slug", "entrypoint", "session_kind")
_SPELLED = {"git_branch": "gitBranch", "session_kind": "sessionKind"}
_encode = msgspec.json.Encoder().encode


class Outliner:
    """Writes outlines; what stays the same from line to line is written once."""

    def __init__(self) -> None:
        self._said: dict[str, str] = {}
        self._steady: tuple[str | None, ...] = ()

    def outline(self, item: Record | BadLine) -> bytes | None:
        """Cut a record down; None where nothing of it shapes a session."""
        if isinstance(item, BadLine):
            kept = {"type": _BAD, "reason": item.reason, "torn": item.torn, "blank": item.blank}
            return _encode({**kept, "~offset": item.offset, "~number": item.number})
        body = _outline_body(item)
        if body is None and item.uuid is None and not self._news(item):
            return None
        kept = {"type": kind_of(item), "~offset": item.offset, "~number": item.number}
        kept.update(self._common(item))
        if body:
            kept.update(body)
        return _encode(kept)

    def _news(self, record: Record) -> bool:
        return any(
            (value := getattr(record, name)) and self._said.get(name) != value for name in _STEADY
        )

    def _common(self, record: Record) -> dict[str, Any]:
        kept: dict[str, Any] = {}
        if record.uuid is not None:
            kept["uuid"] = record.uuid
            kept["parentUuid"] = record.parent_uuid
        if record.timestamp is not None:
            kept["timestamp"] = record.timestamp
        if record.is_sidechain:
            kept["isSidechain"] = True
        if record.is_meta:
            kept["isMeta"] = True
        if record.forked_from_json:
            kept["forkedFrom"] = record.forked_from_json
        steady = (
            record.cwd,
            record.version,
            record.git_branch,
            record.slug,
            record.entrypoint,
            record.session_kind,
        )
        if steady != self._steady:
            self._steady = steady
            for name, value in zip(_STEADY, steady, strict=True):
                if value and self._said.get(name) != value:
                    self._said[name] = value
                    kept[_SPELLED.get(name, name)] = value
        return kept


def pack_outlines(outlines: Iterable[bytes]) -> bytes:
    """Put outlines together for keeping."""
    joined = b"\n".join(outlines)
    return compress(joined, 1) if joined else b""


def unpack_outlines(parts: Iterable[bytes]) -> tuple[list[Record], list[BadLine]]:
    """Read kept outlines back as records and bad lines."""
    return read_outlines(line for part in parts if part for line in decompress(part).split(b"\n"))


def read_outlines(outlines: Iterable[bytes]) -> tuple[list[Record], list[BadLine]]:
    """Read outlines as records and bad lines."""
    records: list[Record] = []
    bad: list[BadLine] = []
    for raw in outlines:
        if raw.startswith(_BAD_OPENING):
            bad.append(_parse_bad_line(raw))
        elif (record := decode_stored(raw)) is not None:
            records.append(record)
    return records, bad


class _Bad(msgspec.Struct, rename={"offset": "~offset", "number": "~number"}):
    offset: int = 0
    number: int = 0
    reason: str = ""
    torn: bool = False
    blank: bool = False


def _parse_bad_line(raw: bytes) -> BadLine:
    bad = msgspec.json.decode(raw, type=_Bad)
    return BadLine(bad.offset, bad.number, b"?", bad.reason, torn=bad.torn, blank=bad.blank)


def _outline_body(record: Record) -> dict[str, Any] | None:
    """Keep what the kind needs; None where being there is enough."""
    keep = _BODY_OUTLINERS.get(type(record))
    return None if keep is None else keep(record)


def _outline_summary(record: Summary) -> dict[str, Any]:
    return {"summary": _cut_text(record.summary or ""), "leafUuid": record.leaf_uuid}


def _outline_last_prompt(record: LastPrompt) -> dict[str, Any]:
    kept: dict[str, Any] = {"leafUuid": record.leaf_uuid}
    return kept | ({"lastPrompt": _cut_text(record.last_prompt)} if record.last_prompt else {})


def _outline_queue(record: QueueOperation) -> dict[str, Any] | None:
    if record.operation != "enqueue":
        return None
    return {"operation": "enqueue", "content": _cut_json(record.content_json)}


def _outline_pull_request(record: PrLink) -> dict[str, Any]:
    return {
        "prNumber": record.pr_number,
        "prUrl": record.pr_url,
        "prRepository": record.pr_repository,
    }


def _outline_assistant(record: Assistant) -> dict[str, Any]:
    message = message_of(record)
    kept: dict[str, Any] = {
        "message": {
            "id": message.id,
            "model": message.model,
            "content": [_outline_block(block) for block in message.blocks],
        }
    }
    if record.is_api_error_message:
        kept["isApiErrorMessage"] = True
    return kept


def _outline_user(record: User) -> dict[str, Any]:
    message = message_of(record)
    if isinstance(message.content, list):
        content: Any = [_outline_block(block) for block in message.content]
    else:
        content = _cut_text(message.content or "")
    kept: dict[str, Any] = {"message": {"content": content}}
    if record.is_compact_summary:
        kept["isCompactSummary"] = True
    if record.source_tool_use_id:
        kept["sourceToolUseID"] = record.source_tool_use_id
    return kept


def _outline_system(record: System) -> dict[str, Any]:
    kept: dict[str, Any] = {"subtype": record.subtype}
    if record.content_json:
        kept["content"] = _cut_json(record.content_json)
    if record.logical_parent_uuid:
        kept["logicalParentUuid"] = record.logical_parent_uuid
    if record.compact_metadata is not None:
        kept["compactMetadata"] = record.compact_metadata
    return kept


def _outline_attachment(record: Attachment) -> dict[str, Any]:
    data = attachment_of(record)
    kept: dict[str, Any] = {"type": data.type, "~": crc32(memoryview(record.attachment_json))}
    if data.type == "queued_command":
        kept["commandMode"] = data.command_mode
        kept["prompt"] = _cut_json(data.prompt_json)
    return kept


def _outline_block(block: AnyBlock) -> dict[str, Any]:
    match block:
        case Text():
            return {"type": "text", "text": _cut_text(block.text)}
        case ToolUse():
            return {"type": "tool_use", "id": block.id, "name": block.name}
        case ToolResult():
            mark = crc32(memoryview(block.content))
            return {"type": "tool_result", "tool_use_id": block.tool_use_id, "content": str(mark)}
        case Thinking():
            mark = crc32((block.thinking + block.signature).encode())
            return {"type": "thinking", "signature": str(mark)}
        case Image():
            data = block.source.data or block.source.url if block.source else ""
            return {"type": "image", "source": {"data": str(crc32(data.encode()))}}
        case _:
            as_json = msgspec.json.encode(block)
            kind = msgspec.json.decode(as_json, type=dict[str, Any]).get("type", "")
            return {"type": kind, "~": crc32(as_json)}


def _cut_text(text: str) -> str:
    """Keep a text's opening; the rest counts only for telling texts apart."""
    text = text.strip()
    if text.startswith("<ide_"):
        tag = text[1 : text.find(">")]
        return f"<{tag}></{tag}>{_cut_text(strip_ide_notes(text))}"
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]}…{crc32(text.encode())}"


def _cut_json(raw: Raw) -> Any:
    value = decode_plain(raw)
    if isinstance(value, str):
        return _cut_text(value)
    return (
        value
        if memoryview(raw).nbytes <= LONGEST
        else [{"type": "text", "text": _cut_text(str(value))}]
    )


_BODY_OUTLINERS: dict[type[Record], Callable[[Any], dict[str, Any] | None]] = {
    Assistant: _outline_assistant,
    User: _outline_user,
    System: _outline_system,
    Attachment: lambda record: {"attachment": _outline_attachment(record)},
    Summary: _outline_summary,
    LastPrompt: _outline_last_prompt,
    AiTitle: lambda record: {"aiTitle": _cut_text(record.ai_title or "")},
    CustomTitle: lambda record: {"customTitle": record.custom_title},
    QueueOperation: _outline_queue,
    PrLink: _outline_pull_request,
}
