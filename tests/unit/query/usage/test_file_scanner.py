"""The fast way to read usage gives what the careful one gives, whatever the bytes."""

import os
from io import RawIOBase
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import Struct
from typing_extensions import override

from bough.files.byte_source import DISK, ByteSource, DiskSource
from bough.files.directory import KeptFolders
from bough.files.discover import discover_projects
from bough.files.lines import read_lines
from bough.model.usage.across_files import ReportedUsage, flatten_snapshot, keep_best_lines
from bough.model.usage.tokens import read_snapshots
from bough.query.usage import file_scanner as ledger_reading
from bough.query.usage.file_scanner import (
    Scan,
    TranscriptFile,
    list_transcripts,
    read_file_usage,
    read_usage_lines,
)
from bough.records.decode import decode_lines
from bough.records.record import BadLine
from bough.sample import session
from tests.conftest import Home


def carefully(path: Path, *, agent: bool = False) -> list[ReportedUsage]:
    found = (item for item in decode_lines(read_lines(path)) if not isinstance(item, BadLine))
    return [*map(flatten_snapshot, read_snapshots(found, agent=agent))]


def fast(path: Path, *, agent: bool = False) -> list[ReportedUsage]:
    lines = read_usage_lines(str(path), agent=agent)
    # Times are put into UTC when repeats are taken out; here they are still as written.
    return [_with_time_of(line) for line in lines]


def _with_time_of(line: ReportedUsage) -> ReportedUsage:
    return keep_best_lines([line])[0]


def usage(**counts: object) -> dict[str, object]:
    return {"input_tokens": 1, "output_tokens": 20, "cache_read_input_tokens": 300} | counts


def assistant(**fields: object) -> dict[str, object]:
    message = {"id": "msg_1", "model": "claude-opus-4-6", "usage": usage()}
    return {
        "type": "assistant",
        "uuid": "u",
        "timestamp": "2026-11-15T09:00:00.000Z",
        "requestId": "req_1",
        "sessionId": "s",
        "version": "2.1.250",
        "message": message,
    } | fields


def message(**fields: object) -> dict[str, object]:
    return {"id": "msg_1", "model": "claude-opus-4-6", "usage": usage()} | fields


def encoded(*lines: dict[str, object]) -> bytes:
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


ONE = msgspec.json.encode(assistant())

ODD = {
    "two records on one line": ONE + ONE + b"\n",
    "a record behind a torn one": ONE[:60] + ONE + b"\n",
    "a last line without an end": ONE,
    "a torn last line": ONE + b"\n" + ONE[:-20],
    "a byte order mark": b"\xef\xbb\xbf" + ONE + b"\n",
    "NUL bytes": b"\0" * 40 + b"\n" + ONE + b"\n",
    "blank lines": b"\n\n \n" + ONE + b"\r\n\n",
    "spaces around the colons": ONE.replace(b'":', b'" : ') + b"\n",
    "NaN": ONE.replace(b'"uuid":"u"', b'"uuid":"u","x":NaN') + b"\n",
    "a number beyond any range": ONE.replace(b":300", b":1e999") + b"\n",
    "a lone surrogate": ONE.replace(b'"s"', b'"\\ud800"') + b"\n",
    "bytes that are no UTF-8": ONE.replace(b'"u"', b'"\xff"') + b"\n",
    "a sidechain that is null": encoded(assistant(isSidechain=None)),
    "a time of another zone": encoded(assistant(timestamp="2026-11-15T10:00:00+01:00")),
    "a time that is none": encoded(assistant(timestamp="soon")),
    "a time that is a number": encoded(assistant(timestamp=5)),
    "a request that is empty": encoded(assistant(requestId="")),
    "a request that is a number": encoded(assistant(requestId=7)),
    "no request": encoded(assistant(requestId=None)),
    "no session": encoded(assistant(sessionId=None)),
    "an empty session": encoded(assistant(sessionId="")),
    "an odd version": encoded(assistant(version="dev")),
    "no version": encoded(assistant(version=None)),
    "a made-up answer": encoded(assistant(message=message(model="<synthetic>"))),
    "no model": encoded(assistant(message=message(model=None))),
    "an empty model": encoded(assistant(message=message(model=""))),
    "no message id": encoded(assistant(message=message(id=None))),
    "an empty message id": encoded(assistant(message=message(id=""))),
    "no usage": encoded(assistant(message=message(usage=None))),
    "empty usage": encoded(assistant(message=message(usage={}))),
    "usage that is a text": encoded(assistant(message=message(usage="none"))),
    "counts that are texts": encoded(assistant(message=message(usage=usage(output_tokens="9")))),
    "counts that are null": encoded(assistant(message=message(usage=usage(output_tokens=None)))),
    "counts that are broken": encoded(assistant(message=message(usage=usage(output_tokens=1.5)))),
    "a message that is a text": encoded(assistant(message="usage")),
    "a message that is a list": encoded(assistant(message=[message()])),
    "a content nobody knows": encoded(assistant(message=message(content=[{"type": "new"}]))),
    "two kinds of cache writes": encoded(
        assistant(
            message=message(
                usage=usage(
                    cache_creation_input_tokens=5,
                    cache_creation={"ephemeral_5m_input_tokens": 6, "ephemeral_1h_input_tokens": 7},
                )
            )
        )
    ),
    "one kind of cache writes": encoded(
        assistant(
            message=message(
                usage=usage(
                    cache_creation_input_tokens=5,
                    cache_creation={"ephemeral_1h_input_tokens": 0},
                )
            )
        )
    ),
    "cache writes split into zeros": encoded(
        assistant(
            message=message(
                usage=usage(
                    cache_creation_input_tokens=5,
                    cache_creation={"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
                )
            )
        )
    ),
    "web searches and speed": encoded(
        assistant(
            message=message(usage=usage(server_tool_use={"web_search_requests": 2}, speed="fast"))
        )
    ),
    "a copy in a progress record": encoded(
        assistant(
            type="progress",
            message=None,
            data={
                "type": "agent_progress",
                "message": {"type": "assistant", "requestId": "r", "message": message()},
            },
        )
    ),
    "a progress record of something else": encoded(
        assistant(type="progress", message=None, data={"type": "hook", "command": '"usage"'})
    ),
    "progress without data": encoded(assistant(type="progress", data="usage")),
    "a user's record with usage in it": encoded(
        assistant(type="user", message={"role": "user"}, toolUseResult={"usage": usage()})
    ),
    "a record of an unknown kind": encoded(assistant(type="frame-link")),
    "no kind at all": encoded({"message": message()}),
    "a list": b'[{"usage":{}}]\n',
    "deep nesting": ONE[:-1] + b',"x":' + b"[" * 3000 + b"]" * 3000 + b"}\n",
}


@pytest.mark.parametrize("agent", [False, True])
@pytest.mark.parametrize("name", ODD)
def test_an_odd_line_is_read_as_everywhere_else(tmp_path: Path, name: str, agent: bool) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(ODD[name] + (b"" if ODD[name].endswith(b"}") else ONE + b"\n"))

    assert fast(path, agent=agent) == carefully(path, agent=agent)


pieces = st.sampled_from([*ODD.values(), b"\n", b"{", b'"usage"', b'{"usage":', ONE, ONE + b"\n"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(pieces | st.binary(max_size=8), max_size=8), st.sampled_from([16, 64, 4096]))
def test_any_bytes_in_chunks_of_any_size_are_read_as_everywhere_else(
    tmp_path: Path, found: list[bytes], chunk: int
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(found))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ledger_reading, "_CHUNK", chunk)
        quick = fast(path)

    assert quick == carefully(path)


def write_history(home: Home, count: int = 6) -> None:
    with home.writing() as claude:
        for number in range(count):
            builder = session(f"s{number}", cwd="/home/dev/orchard")
            builder.user("Where is the cursor lost?").thinking("Hm").assistant("In retry.")
            builder.agent("Explore", "Find callers", answer=f"Four of {number}")
            builder.write(claude)
            builder.fork(seed=f"f{number}").user("On").assistant("Good.").write(claude)


def transcripts(home: Home) -> list[TranscriptFile]:
    return list_transcripts(list(discover_projects(home.path)))


def test_every_file_becomes_a_book_with_its_owner(home: Home) -> None:
    write_history(home, 1)

    books, problems = read_file_usage(transcripts(home))

    assert problems == []
    assert {(builder.agent is not None, builder.forked) for builder in books} == {
        (False, False),
        (True, False),
        (False, True),
    }
    assert {builder.project for builder in books} == {"-home-dev-orchard"}
    agent = next(builder for builder in books if builder.agent)
    assert agent.session == session("s0").session_id


def test_an_agent_beside_the_sessions_belongs_to_the_one_it_names(home: Home) -> None:
    with home.writing() as claude:
        builder = session("old", version="2.0.50").user("hi").assistant("Hello").warmup()
        builder.write(claude)

    books, _ = read_file_usage(transcripts(home))

    assert {session_builder.session for session_builder in books} == {builder.session_id}
    assert sum(session_builder.agent is not None for session_builder in books) == 1


def test_two_processes_read_what_one_reads(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    write_history(home)
    alone, _ = read_file_usage(transcripts(home))

    monkeypatch.setattr(ledger_reading, "_WORTH_A_PROCESS", 0)
    together, problems = read_file_usage(transcripts(home))

    assert together == alone
    assert problems == []


_OWNER = os.getpid()
_scan_packed = ledger_reading._scan_packed


def _dies(scan: Scan, some: list[TranscriptFile]) -> bytes:
    if os.getpid() != _OWNER:
        os._exit(9)
    return _scan_packed(scan, some)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the helper is made by forking")
def test_a_helper_that_is_killed_costs_time_only(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_history(home)
    alone, _ = read_file_usage(transcripts(home))

    monkeypatch.setattr(ledger_reading, "_WORTH_A_PROCESS", 0)
    monkeypatch.setattr(ledger_reading, "_scan_packed", _dies)
    together, _ = read_file_usage(transcripts(home))

    assert together == alone


class _RefusedSource(DiskSource, frozen=True):
    @override
    def open(self) -> RawIOBase:
        raise PermissionError(13, "denied", self.path)


class _RefusingFinder(Struct, frozen=True):
    refused: str

    def find(self, path: str) -> ByteSource | None:
        return _RefusedSource(path) if path == self.refused else DISK.find(path)

    def list_kept(self, folder: str) -> KeptFolders:
        return DISK.list_kept(folder)


def test_a_file_that_cannot_be_read_is_named_and_the_rest_is_read(home: Home) -> None:
    write_history(home, 2)
    found = transcripts(home)

    books, problems = read_file_usage(found, sources=_RefusingFinder(found[0].path))

    assert [len(problem) > 0 for problem in problems] == [True]
    assert "permission denied" in problems[0]
    assert len(books) == len(found)
    assert any(builder.lines for builder in books)


def test_a_file_that_vanishes_is_named(home: Home, tmp_path: Path) -> None:
    gone = TranscriptFile(str(tmp_path / "gone.jsonl"), "-home", "gone", None, 10)

    books, problems = read_file_usage([gone])

    assert [builder.lines for builder in books] == [[]]
    assert "no such file" in problems[0]
