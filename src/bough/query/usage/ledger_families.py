"""Who started whom among a session's files, as their own lines tell it.

What the index keeps in its tables, found in the files: calls, and what ties agents to them.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from bough.errors import Unreadable
from bough.files.lines import read_at
from bough.ingest.read_records import HEAD, read_records
from bough.model.agents.links import AgentMeta, ties_of
from bough.model.usage.across_files import Book
from bough.query.usage.branch_shares import Started
from bough.records.blocks import ServerToolUse, ToolUse
from bough.records.decode import message_of, part
from bough.records.record import Record
from bough.records.types import Assistant


def started_in(family: Sequence[Book], metas: Mapping[str, str]) -> Iterator[Started]:
    """Find the calls that are said to have started agents; `metas` are files by agent's file."""
    paths = {book.agent: book.path for book in family if book.agent is not None}
    calls: dict[str, list[tuple[str, int, str]]] = {}
    ties: list[tuple[str, str, str]] = []
    for book in family:
        for record in _records(book.path):
            ties += ties_of(record)
            for call, tool in _calls_in(record):
                calls.setdefault(call, []).append((book.path, record.offset, tool))
    for agent, path in paths.items():
        if path in metas:
            ties.append((agent, meta_of(metas[path]).tool_use_id or "", "meta"))
    for agent, call, known_by in ties:
        if agent in paths:
            for file, offset, tool in calls.get(call, ()):
                yield Started(paths[agent], file, offset, tool, known_by)


def meta_of(path: str | None) -> AgentMeta:
    """Read what the file beside an agent's tells; nothing where there is none."""
    try:
        return part(msgspec.Raw(read_at(path, 0, HEAD)), AgentMeta) if path else AgentMeta()
    except Unreadable:
        return AgentMeta()


def _records(path: str) -> Sequence[Record]:
    try:
        return read_records(Path(path))[0]
    except Unreadable:
        return ()


def _calls_in(record: Record) -> Iterator[tuple[str, str]]:
    if isinstance(record, Assistant):
        for block in message_of(record).blocks:
            if isinstance(block, ToolUse | ServerToolUse):
                yield block.id, block.name
