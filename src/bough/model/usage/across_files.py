"""API calls across files: what many files report of them, and which line of each counts.

The rules are those of `bough.model.usage.tokens`, for whole histories at once: many files, some of
them deleted, in any order. So lines are flat here, and nothing depends on the order they
come in. A message is one call unless lines of the main conversation name several requests
for it. Of a call's lines that of a file which is still there counts before a deleted one's,
the main conversation's before a sidechain's, then the largest, then one that knows its speed,
then an agent's own before a copy in a progress record, then the earliest, and not a fork's:
resume and fork copy old lines into new files, and what was spent was spent where it was said
first. Where a copy in a progress record counts, the call still belongs to the agent's own file.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from bough.model.text.times import to_utc
from bough.model.usage.tokens import MAIN, UsageSnapshot

if TYPE_CHECKING:
    from bough.model.usage.sums import UsageSum

_LAST = "~"
"""Sorts behind every time."""


class ReportedUsage(Struct, frozen=True, gc=False, array_like=True):
    """What one line reports of one call; `UsageSnapshot` says what `rank` is."""

    offset: int
    message_id: str | None
    request_id: str | None
    model: str
    timestamp: str | None
    input_tokens: int = 0
    output_tokens: int = 0
    cache_creation_tokens: int = 0
    cache_read_tokens: int = 0
    cache_creation_1h_tokens: int = 0
    web_searches: int = 0
    speed: str | None = None
    rank: int = MAIN
    origin: str | None = None

    @property
    def total(self) -> int:
        """Give the sum by which lines of one call are compared."""
        return (
            self.input_tokens
            + self.output_tokens
            + self.cache_creation_tokens
            + self.cache_read_tokens
        )

    @property
    def calls(self) -> int:
        """Count the calls, as `UsageSum` does."""
        return 1


class FileUsage(Struct, frozen=True):
    """One transcript, whose it is, and what its lines report.

    `project` is the name of the folder it lies in. `agent` is None for a session's own file.
    `forked`: it begins with copies of another session. `number` is the file's number in the
    index, 0 without one, `newest` the time of its newest line, where that was asked for. `folder`
    is the project's whole folder, as an index has it; `machine` and `owner` say whose the file is
    in a team's store.
    """

    path: str
    project: str
    session: str
    lines: Sequence[ReportedUsage]
    agent: str | None = None
    agent_type: str | None = None
    agent_description: str | None = None
    project_path: str | None = None
    project_name: str | None = None
    title: str | None = None
    forked: bool = False
    deleted: bool = False
    number: int = 0
    newest: str | None = None
    folder: str = ""
    machine: str | None = None
    owner: str | None = None


UsageEntry = tuple[FileUsage, ReportedUsage]
"""A line and the file it stands in."""


def flatten_snapshot(line: UsageSnapshot) -> ReportedUsage:
    """Write a snapshot flat."""
    tokens = line.tokens
    return ReportedUsage(
        line.offset,
        line.message_id,
        line.request_id,
        line.model,
        to_utc(line.timestamp),
        tokens.input_tokens,
        tokens.output_tokens,
        tokens.cache_creation_tokens,
        tokens.cache_read_tokens,
        tokens.cache_creation_1h_tokens,
        tokens.web_searches,
        line.speed,
        line.rank,
        line.origin,
    )


def charged_session_of(usage: FileUsage, line: "ReportedUsage | UsageSum") -> str:
    """Name the session that a counted line is charged to: where it was copied from, if it says."""
    return line.origin or usage.session


def keep_best_lines(lines: Iterable[ReportedUsage]) -> list[ReportedUsage]:
    """Leave out the lines of a file that can never count, whatever other files hold."""
    best: dict[tuple[str, str | None, int], ReportedUsage] = {}
    alone: list[ReportedUsage] = []
    for line in lines:
        message = line.message_id
        if message is None:
            alone.append(line)
            continue
        key = (message, line.request_id, line.rank)
        known = best.get(key)
        if known is None or _is_better(line, known):
            best[key] = line
    return [_with_utc_time(line) for line in (*best.values(), *alone)]


def count_once(usages: Iterable[FileUsage]) -> list[UsageEntry]:
    """Choose the line of each call that counts; a line without a message id is a call."""
    first: dict[str, UsageEntry] = {}
    again: dict[str, list[UsageEntry]] = {}
    alone: list[UsageEntry] = []
    for usage in usages:
        for line in usage.lines:
            message = line.message_id
            if message is None:
                alone.append((usage, line))
            elif message in first:
                again.setdefault(message, [first[message]]).append((usage, line))
            else:
                first[message] = (usage, line)
    more: list[UsageEntry] = []
    for message, entries in again.items():
        first[message], *others = map(place_call, split_by_call(entries))
        more += others
    return [*first.values(), *more, *alone]


def split_by_call(entries: Sequence[UsageEntry]) -> Iterator[list[UsageEntry]]:
    """Part the lines of one message by call; the line that counts comes first in each."""
    requests: dict[str, UsageEntry] = {}
    for entry in sorted(entries, key=_age_key):
        request = entry[1].request_id
        if request is not None and entry[1].rank == MAIN:
            requests.setdefault(request, entry)
    if len(requests) < 2:
        yield sorted(entries, key=_preference_key)
        return
    # A line that names no request of the main conversation goes with the oldest one.
    oldest = next(iter(requests))
    parted: dict[str, list[UsageEntry]] = {request: [] for request in requests}
    for entry in entries:
        request = entry[1].request_id
        parted[request if request in requests and request is not None else oldest].append(entry)
    for call in parted.values():
        yield sorted(call, key=_preference_key)


def place_call(call: Sequence[UsageEntry]) -> UsageEntry:
    """Give the line of a call that counts, at the place of the agent's own line if it is a copy.

    `call` is one of `split_by_call`.
    """
    usage, counts = call[0]
    if counts.rank > 0:
        return call[0]
    own = (one for one in call if one[1].rank > 0 and one[0].deleted == usage.deleted)
    where, line = next(own, call[0])
    moved = replace(
        counts,
        offset=line.offset,
        request_id=line.request_id,
        timestamp=line.timestamp,
        rank=line.rank,
        origin=line.origin,
    )
    return where, moved


def why_not_counted(winner: UsageEntry, loser: UsageEntry) -> str:
    """Say in a few words why a line of a call does not count."""
    (usage, line), (other_usage, other) = winner, loser
    if usage.deleted != other_usage.deleted:
        return "its file is deleted"
    if (line.rank == MAIN) != (other.rank == MAIN):
        return "a copy in a progress record" if other.rank == 0 else "a sidechain's copy"
    if line.total != other.total:
        return "smaller"
    if (line.speed is None) != (other.speed is None):
        return "does not tell the speed"
    if line.rank != other.rank:
        return "a copy in a progress record"
    return "the same, later"


def _is_better(new: ReportedUsage, old: ReportedUsage) -> bool:
    """Compare two lines of one file, call and rank."""
    if new.total != old.total:
        return new.total > old.total
    if (new.speed is None) != (old.speed is None):
        return old.speed is None
    return (new.timestamp or _LAST, new.offset) < (old.timestamp or _LAST, old.offset)


_Age = tuple[str, bool, str, int]


def _preference_key(entry: UsageEntry) -> tuple[bool, bool, int, bool, int, _Age]:
    usage, line = entry
    alike = usage.deleted, line.rank != MAIN, -line.total, line.speed is None
    return *alike, -line.rank, _age_key(entry)


def _age_key(entry: UsageEntry) -> _Age:
    usage, line = entry
    return line.timestamp or _LAST, usage.forked, usage.path, line.offset


def _with_utc_time(line: ReportedUsage) -> ReportedUsage:
    time = to_utc(line.timestamp)
    return line if time == line.timestamp else replace(line, timestamp=time)
