"""Token usage, each API call counted once.

A client writes one line per block and partial snapshots while the answer streams; all
share `message.id` and `requestId`. Resumes, forks and agents write the same calls into
other files again. So a call is counted once over everything, by its largest snapshot: that is
the latest, wherever it stands, also in the copy of an agent's line in a progress record. Only a
line of the main conversation beats the same line of a sidechain whatever its size. The call
belongs where its own line stands, not where a copy does. `usage.iterations` repeats what the
counts already hold and is never added.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from msgspec import Raw, Struct
from msgspec.structs import replace

from bough.model.interpret.message_kinds import SYNTHETIC
from bough.records.blocks import ApiMessage, ApiUsage
from bough.records.decode import decode_part, message_of, progress_of
from bough.records.record import Record, camel
from bough.records.types import Assistant, Progress

UNNAMED = "unknown"
"""The model of a call whose line names none."""

_VERSION = re.compile(r"\d+\.\d+\.\d+")
MAIN = 2
"""The rank of the main conversation's lines; see `UsageSnapshot`."""


class Tokens(Struct, frozen=True, gc=False):
    """Token counts. Cache writes are given whole, and the part of them that lives an hour."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_creation_tokens: int = 0
    cache_read_tokens: int = 0
    cache_creation_1h_tokens: int = 0
    web_searches: int = 0

    @property
    def total(self) -> int:
        """Give the sum by which snapshots are compared."""
        return (
            self.input_tokens
            + self.output_tokens
            + self.cache_creation_tokens
            + self.cache_read_tokens
        )

    def __add__(self, other: "Tokens") -> "Tokens":
        """Sum two counts."""
        return Tokens(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cache_creation_tokens + other.cache_creation_tokens,
            self.cache_read_tokens + other.cache_read_tokens,
            self.cache_creation_1h_tokens + other.cache_creation_1h_tokens,
            self.web_searches + other.web_searches,
        )


class UsageSnapshot(Struct, frozen=True, gc=False):
    """The usage one line reports of one API call.

    `rank` says whose line it is: 2 the main conversation's, 1 a sidechain's own, 0 a copy
    of it in a progress record. `origin` is the session that the line says it was copied from.
    """

    message_id: str | None
    request_id: str | None
    model: str
    timestamp: str | None
    tokens: Tokens
    speed: str | None
    rank: int
    uuid: str | None
    offset: int
    origin: str | None = None

    @property
    def name(self) -> str:
        """Name the call by its message; a line without one is a call of its own."""
        return _call_name_of(self.message_id, self.offset, self.uuid)


class Usage(Struct, frozen=True):
    """What a session used: in all, by model, and in how many calls."""

    tokens: Tokens
    by_model: dict[str, Tokens]
    calls: int


class _ReportedMessage(Struct, gc=False):
    """A message without what it says: a block nobody knows must not cost us its tokens."""

    id: str | None = None
    model: str | None = None
    usage: ApiUsage | None = None


class _ReportedLine(Struct, gc=False, rename=camel):
    """The copy of an agent's line inside a progress record."""

    request_id: str | None = None
    message: _ReportedMessage | None = None


class _ForkOrigin(Struct, gc=False, rename=camel):
    session_id: str | None = None


def tokens_of(usage: ApiUsage) -> Tokens:
    """Read the counts of one line: the one rule for whoever decodes usage, fast or slow.

    Cache writes are told twice, whole and split by how long they live, and gateways leave one of
    the two at zero. The larger counts; what the split does not explain lives five minutes.
    """
    writes, hour = usage.cache_creation_input_tokens or 0, 0
    if (split := usage.cache_creation) is not None:
        hour = split.ephemeral_1h_input_tokens or 0
        writes = max(writes, (split.ephemeral_5m_input_tokens or 0) + hour)
    searches = usage.server_tool_use.web_search_requests if usage.server_tool_use else 0
    return Tokens(
        usage.input_tokens or 0,
        usage.output_tokens or 0,
        writes,
        usage.cache_read_input_tokens or 0,
        hour,
        searches or 0,
    )


def read_snapshots(records: Iterable[Record], *, agent: bool = False) -> Iterator[UsageSnapshot]:
    """List what the lines of a file report; `agent` says that it is an agent's file."""
    for record in records:
        found = read_snapshot(record, agent=agent)
        if found is not None:
            yield found


def read_snapshot(record: Record, *, agent: bool = False) -> UsageSnapshot | None:
    """Read what one line reports; None where it reports nothing."""
    found = _read_reported(record)
    if found is None:
        return None
    message, usage, request_id = found
    own = 1 if agent or record.is_sidechain else MAIN
    return UsageSnapshot(
        message.id,
        request_id or None,
        message.model or UNNAMED,
        record.timestamp,
        tokens_of(usage),
        usage.speed,
        own if isinstance(record, Assistant) else 0,
        record.uuid,
        record.offset,
        find_origin(record.forked_from_json, record.session_id),
    )


def find_origin(forked_from: Raw, session: str | None) -> str | None:
    """Name the session that a line says it was copied from; None where it is no copy."""
    if not forked_from:
        return None
    origin = decode_part(forked_from, _ForkOrigin).session_id
    return origin if origin != session else None


def read_call_names(records: Iterable[Record]) -> Iterator[str]:
    """Name the calls that lines report, without reading how much they used."""
    for record in records:
        found = _read_reported(record)
        if found is not None:
            yield _call_name_of(found[0].id, record.offset, record.uuid)


def count_calls_once(lines: Iterable[UsageSnapshot]) -> list[UsageSnapshot]:
    """Keep one snapshot of each API call, in the order the calls were first seen.

    A line without a message id is a call of its own.
    """
    calls: list[UsageSnapshot] = []
    by_message: dict[str, list[int]] = {}
    for line in lines:
        places = by_message.setdefault(line.message_id, []) if line.message_id else []
        place = _find_same_call(line, places, calls)
        if place is None:
            places.append(len(calls))
            calls.append(line)
        else:
            calls[place] = _merge_snapshots(line, calls[place])
    return calls


def sum_usage(lines: Iterable[UsageSnapshot]) -> Usage:
    """Sum up calls that were counted once."""
    tokens, calls = Tokens(), 0
    by_model: dict[str, Tokens] = {}
    for line in lines:
        tokens += line.tokens
        by_model[line.model] = by_model.get(line.model, Tokens()) + line.tokens
        calls += 1
    return Usage(tokens, by_model, calls)


def sum_by_message(lines: Iterable[UsageSnapshot]) -> dict[str, Tokens]:
    """Give the counts of each message of one conversation."""
    found: dict[str, Tokens] = {}
    for line in count_calls_once(lines):
        if line.message_id:
            known = found.get(line.message_id)
            found[line.message_id] = line.tokens if known is None else known + line.tokens
    return found


def _find_same_call(
    line: UsageSnapshot, places: list[int], calls: list[UsageSnapshot]
) -> int | None:
    """Find the call a line belongs to among those of its message.

    A line without a request id, and any sidechain's replay under a new one, is the same
    call as its message.
    """
    for place in places:
        if calls[place].request_id == line.request_id:
            return place
    for place in places:
        known = calls[place]
        loose = known.request_id is None or line.request_id is None
        if loose or line.rank < MAIN or known.rank < MAIN:
            return place
    return None


def _merge_snapshots(new: UsageSnapshot, old: UsageSnapshot) -> UsageSnapshot:
    """Give what two snapshots of one call say: the place of its own line, the counts that hold."""
    counts = new if _has_better_counts(new, old) else old
    if new.rank == old.rank:
        return counts
    own = new if new.rank > old.rank else old
    return own if own is counts else replace(own, tokens=counts.tokens, speed=counts.speed)


def _has_better_counts(new: UsageSnapshot, old: UsageSnapshot) -> bool:
    """Decide whether the counts of a snapshot replace those of another of the same call."""
    if (new.rank == MAIN) != (old.rank == MAIN):
        return new.rank == MAIN
    if new.tokens.total != old.tokens.total:
        return new.tokens.total > old.tokens.total
    return new.speed is not None and old.speed is None


def _call_name_of(message_id: str | None, offset: int, uuid: str | None) -> str:
    return message_id or f"line {offset} {uuid}"


def _read_reported(
    record: Record,
) -> tuple[ApiMessage | _ReportedMessage, ApiUsage, str | None] | None:
    """Find the message, the counts and the request that a line reports; None where none.

    The copy of an agent's line in a progress record is read as if it were a sidechain's.
    """
    message: ApiMessage | _ReportedMessage | None
    if isinstance(record, Assistant):
        message, request_id = message_of(record), record.request_id
    elif isinstance(record, Progress) and b'"usage"' in record.raw:
        inner = decode_part(progress_of(record).message_json, _ReportedLine)
        message, request_id = inner.message, inner.request_id
    else:
        return None
    if message is None or message.usage is None or not _is_api_call(message, record):
        return None
    return message, message.usage, request_id


def _is_api_call(message: ApiMessage | _ReportedMessage, record: Record) -> bool:
    """Refuse what no API call left behind: made-up messages, empty names, odd versions."""
    if message.model == SYNTHETIC or "" in (message.model, message.id, record.session_id):
        return False
    return record.version is None or is_version(record.version)


@lru_cache(maxsize=64)
def is_version(text: str) -> bool:
    """Tell whether a text begins as a version of the client does."""
    return _VERSION.match(text) is not None
