"""Usage straight from the files, without an index.

Only lines that have "usage" in them are looked at, and of those only the few fields that
count: this is for speed, and the rules are those of `bough.model.usage.tokens`, which also reads
every line that is odd in any way. Large histories are read by two processes.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import msgspec
from msgspec import Struct

from bough.errors import Unreadable, reason_of
from bough.files.byte_source import ByteSource, SourceFinder, require_source
from bough.files.companions import AgentFile
from bough.files.discover import ProjectFiles
from bough.line import Line
from bough.memory import pause_collector
from bough.model.interpret.message_kinds import SYNTHETIC
from bough.model.usage.across_files import (
    FileUsage,
    ReportedUsage,
    flatten_snapshot,
    keep_best_lines,
)
from bough.model.usage.tokens import (
    MAIN,
    UNNAMED,
    find_origin,
    is_version,
    read_snapshots,
    tokens_of,
)
from bough.query.byte_sources import USUAL_SOURCES
from bough.records.blocks import ApiUsage
from bough.records.decode import decode_lines, find_session_id
from bough.records.record import BadLine, camel

_NEEDLE = b'"usage"'
_CHUNK = 1 << 20
_WORTH_A_PROCESS = 16 << 20
_FAILURES = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class TranscriptFile(Struct, frozen=True):
    """A file to be read; `session` is empty where only its records tell whose it is."""

    path: str
    project: str
    session: str
    agent: str | None
    size: int


class _UsageMessage(Struct, gc=False):
    id: str | None = None
    model: str | None = None
    usage: ApiUsage | None = None


class _ProgressCopy(Struct, gc=False, rename=camel):
    request_id: str | None = None
    message: _UsageMessage | None = None


class _ProgressData(Struct, gc=False):
    message: _ProgressCopy | None = None


class _UsageRecord(Struct, gc=False, rename=camel):
    type: str = ""
    request_id: str | None = None
    timestamp: str | None = None
    session_id: str | None = None
    version: str | None = None
    is_sidechain: bool = False
    message: _UsageMessage | None = None
    data: _ProgressData | None = None
    forked_from: msgspec.Raw = msgspec.Raw(b"")


class _FileScan(Struct, gc=False, array_like=True):
    """What a file holds: its lines, whether it is a fork, whose it is, what went wrong."""

    lines: list[ReportedUsage]
    forked: bool = False
    owner: str = ""
    problem: str | None = None


Scan = Callable[[TranscriptFile], _FileScan]

_decode = msgspec.json.Decoder(_UsageRecord).decode
_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(list[_FileScan]).decode


def list_transcripts(listings: Sequence[ProjectFiles]) -> list[TranscriptFile]:
    """List the files that may report usage."""
    found: list[TranscriptFile] = []
    for project in listings:
        for session in project.sessions:
            if session.path is not None:
                path = str(session.path)
                found.append(TranscriptFile(path, project.dir, session.id, None, session.size))
            found += (_agent_transcript(agent, project.dir, session.id) for agent in session.agents)
        found += (_agent_transcript(agent, project.dir, "") for agent in project.loose_agents)
    return found


def read_file_usage(
    transcripts: Sequence[TranscriptFile],
    *,
    every_line: bool = False,
    sources: SourceFinder = USUAL_SOURCES,
) -> tuple[list[FileUsage], list[str]]:
    """Read what files report, and say what could not be read.

    With `every_line` also lines that cannot count are given.
    """
    with pause_collector():
        found = _scan_in_two_processes(
            transcripts, partial(_scan_file, sources, every_line=every_line)
        )
    usages = [
        FileUsage(
            one.path,
            one.project,
            one.session or read.owner,
            read.lines,
            agent=one.agent,
            forked=read.forked,
        )
        for one, read in zip(transcripts, found, strict=True)
    ]
    return usages, [read.problem for read in found if read.problem is not None]


def read_usage_lines(
    path: str, *, agent: bool, sources: SourceFinder = USUAL_SOURCES
) -> Iterator[ReportedUsage]:
    """Give what every line of a file reports, in file order."""
    scanner = _Scanner(agent=agent)
    yield from scanner.lines(require_source(sources, path))


def _agent_transcript(agent: AgentFile, project: str, session: str) -> TranscriptFile:
    return TranscriptFile(str(agent.path), project, session, agent.id, agent.size)


class _Scanner:
    """Reads one file's lines; `forked` tells afterwards whether some are copies of a fork."""

    def __init__(self, *, agent: bool) -> None:
        self._agent = agent
        self.forked = False

    def lines(self, source: ByteSource) -> Iterator[ReportedUsage]:
        """Give what the lines report."""
        for offset, raw in _lines_with_usage(source):
            try:
                line = _decode(raw)
            except _FAILURES:
                yield from self._parse_tolerantly(Line(offset, 1, bytes(raw)))
                continue
            if line.forked_from:
                self.forked = True
            found = self._parse_line(offset, line)
            if found is not None:
                yield found

    def _parse_line(self, offset: int, line: _UsageRecord) -> ReportedUsage | None:
        if line.type == "assistant":
            message, request = line.message, line.request_id
            rank = 1 if self._agent or line.is_sidechain else MAIN
        elif line.type == "progress" and line.data is not None and line.data.message is not None:
            message, request, rank = line.data.message.message, line.data.message.request_id, 0
        else:
            return None
        if message is None or message.usage is None or not _is_counted(message, line):
            return None
        tokens = tokens_of(message.usage)
        return ReportedUsage(
            offset,
            message.id,
            request or None,
            message.model or UNNAMED,
            line.timestamp,
            tokens.input_tokens,
            tokens.output_tokens,
            tokens.cache_creation_tokens,
            tokens.cache_read_tokens,
            tokens.cache_creation_1h_tokens,
            tokens.web_searches,
            message.usage.speed,
            rank,
            find_origin(line.forked_from, line.session_id),
        )

    def _parse_tolerantly(self, line: Line) -> Iterator[ReportedUsage]:
        """Read a line that the fast way refuses, as everybody else does."""
        found = [item for item in decode_lines([line]) if not isinstance(item, BadLine)]
        self.forked = self.forked or any(bool(record.forked_from_json) for record in found)
        yield from map(flatten_snapshot, read_snapshots(found, agent=self._agent))


def _is_counted(message: _UsageMessage, line: _UsageRecord) -> bool:
    if message.model == SYNTHETIC or "" in (message.model, message.id, line.session_id):
        return False
    return line.version is None or is_version(line.version)


def _lines_with_usage(source: ByteSource) -> Iterator[tuple[int, bytearray]]:
    """Find the lines with the needle, each with its offset."""
    # Fast path: usage-cold, 71 ms instead of 89 for the corpus. One buffer is filled again and
    # again: new memory for every file costs more than reading.
    buffer, base, filled = bytearray(_CHUNK), 0, 0
    with source.open() as file:
        while True:
            if filled == len(buffer):
                buffer += bytes(len(buffer))
            with memoryview(buffer) as view:
                got = file.readinto(view[filled:]) or 0
            filled += got
            end = buffer.rfind(b"\n", filled - got, filled) + 1 if got else filled
            for start, raw in _find_lines(buffer, end):
                yield base + start, raw
            if not got:
                return
            if end:
                buffer[: filled - end] = buffer[end:filled]
                base, filled = base + end, filled - end


def _find_lines(buffer: bytearray, end: int) -> Iterator[tuple[int, bytearray]]:
    """Find the lines with the needle in whole lines."""
    place = buffer.find(_NEEDLE, 0, end)
    floor = 0
    while place >= 0:
        start = buffer.rfind(b"\n", floor, place) + 1 or floor
        floor = buffer.find(b"\n", place, end) + 1 or end
        yield start, buffer[start:floor]
        place = buffer.find(_NEEDLE, floor, end)


def _scan_file(sources: SourceFinder, one: TranscriptFile, *, every_line: bool) -> _FileScan:
    scanner = _Scanner(agent=one.agent is not None)
    try:
        source = require_source(sources, one.path)
        lines = scanner.lines(source)
        found = _FileScan(list(lines) if every_line else keep_best_lines(lines))
        found.owner = "" if one.session else find_session_id(source.lines()) or ""
    except OSError as error:
        return _FileScan([], problem=Unreadable(one.path, reason_of(error)).message)
    except Unreadable as error:
        return _FileScan([], problem=error.message)
    found.forked = scanner.forked
    return found


def _scan_in_two_processes(transcripts: Sequence[TranscriptFile], scan: Scan) -> list[_FileScan]:
    if sum(one.size for one in transcripts) < _WORTH_A_PROCESS:
        return [scan(one) for one in transcripts]
    # Fast path: usage-cold, 1.1 s on the clock for 1.8 s of work where a core is free; where none
    # is, and for 50 MB, it gains nothing.
    from bough.ingest.index.worker_pool import WorkerPool  # noqa: PLC0415 - only where there is much to read

    ours, theirs = _split_in_halves(transcripts)
    # Both halves are waited for, so neither steps back behind the other.
    with WorkerPool(1, partial(_scan_packed, scan), niceness=0) as pool:
        answer = pool.submit([transcripts[number] for number in theirs])
        found = {number: scan(transcripts[number]) for number in ours}
        found |= dict(zip(theirs, _unpack(answer()), strict=True))
    return [found[number] for number in range(len(transcripts))]


def _split_in_halves(transcripts: Sequence[TranscriptFile]) -> tuple[list[int], list[int]]:
    """Part files so that both halves are about as large, the largest first."""
    halves: tuple[list[int], list[int]] = ([], [])
    sizes = [0, 0]
    for number in sorted(range(len(transcripts)), key=lambda n: -transcripts[n].size):
        half = sizes.index(min(sizes))
        halves[half].append(number)
        sizes[half] += transcripts[number].size
    return halves


def _scan_packed(scan: Scan, transcripts: Sequence[TranscriptFile]) -> bytes:
    """Read files for another process, in a form that is made and taken apart faster than ours."""
    return _pack([scan(one) for one in transcripts])
