"""Measure the core in this process: splitting, decoding, trees; and its memory.

    python benchmarks/core.py

Everything runs on one core, on the real corpus, which lies in the page cache. Each stage
starts from the files and includes the stages before it. It is set beside limits measured
in the same run: reading the files and doing nothing, and decoding the same lines, already
in memory, with `json.loads` and with msgspec without types.
"""

import argparse
import gc
import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from benchmarks import corpus, results
from benchmarks.measure import BenchmarkError, Command, checked, own_peak, read_once
from benchmarks.peers import environment
from benchmarks.results import megabytes, say, seconds
from bough.files.lines import read_lines
from bough.model.tree.nodes import Tree, build_tree
from bough.records.decode import decode_lines, message_of
from bough.records.record import Record
from bough.records.types import Assistant, User

_TITLE = "The core, in one process on one core"
_BIG_BYTES = 45_000_000
_BIG_LINES = 25_000


class Timing(Struct, frozen=True):
    """How long a stage took, in seconds."""

    best: float
    median: float


def split_lines(paths: Sequence[Path]) -> int:
    """Read every file line by line."""
    return sum(1 for path in paths for _ in read_lines(path))


def decode_envelopes(paths: Sequence[Path]) -> int:
    """Decode the envelope of every record."""
    return sum(1 for path in paths for _ in decode_lines(read_lines(path)))


def build_trees(paths: Sequence[Path]) -> int:
    """Decode every record with its message, and build the tree of every file."""
    return sum(len(_whole(path).nodes) for path in paths)


def _whole(path: Path) -> Tree:
    found = [record for record in decode_lines(read_lines(path)) if isinstance(record, Record)]
    for record in found:
        if isinstance(record, User | Assistant):
            message_of(record)
    return build_tree(found)


def read_files(paths: Sequence[Path]) -> int:
    """Read every file and do nothing with it."""
    return sum(len(path.read_bytes()) for path in paths)


def load_with_json(lines: Sequence[bytes]) -> int:
    """Decode every line with the standard library."""
    return _loaded(lines, json.loads)


def load_with_msgspec(lines: Sequence[bytes]) -> int:
    """Decode every line with msgspec, without types."""
    return _loaded(lines, msgspec.json.Decoder().decode)


def _loaded(lines: Sequence[bytes], load: Callable[[bytes], object]) -> int:
    count = 0
    for line in lines:
        try:
            load(line)
        except ValueError:
            # Bad lines exist; ours keeps them, the limits may leave them.
            continue
        count += 1
    return count


def time_stages(stages: Sequence[Callable[[], object]], rounds: int) -> list[Timing]:
    """Time every stage once per round, so that a busy moment does not hit one stage alone."""
    times: list[list[float]] = [[] for _ in stages]
    for _ in range(rounds):
        for stage, found in zip(stages, times, strict=True):
            gc.collect()
            started = time.perf_counter()
            stage()
            found.append(time.perf_counter() - started)
    return [Timing(min(found), statistics.median(found)) for found in times]


def speed_table(paths: Sequence[Path], rounds: int) -> str:
    """Measure the stages and their limits."""
    lines = [line for path in paths for line in path.read_bytes().splitlines(keepends=True)]
    size = sum(map(len, lines))
    timings = time_stages(
        [
            lambda: read_files(paths),
            lambda: load_with_json(lines),
            lambda: load_with_msgspec(lines),
            lambda: split_lines(paths),
            lambda: decode_envelopes(paths),
            lambda: build_trees(paths),
        ],
        rounds,
    )
    limits = timings[:3]
    names = [
        "limit: read the files",
        "limit: `json.loads` of the lines",
        "limit: msgspec, untyped, of the lines",
        "(a) lines",
        "(b) lines and envelopes",
        "(c) lines, envelopes, messages and trees",
    ]
    rows = [
        [
            name,
            f"{size / timing.best / 1e6:,.0f} MB/s",
            f"{size / timing.median / 1e6:,.0f} MB/s",
            seconds(timing.median),
            *(f"{timing.median / limit.median:.2f}" for limit in limits),
        ]
        for name, timing in zip(names, timings, strict=True)
    ]
    heads = ["stage", "best", "median", "time", "x read", "x `json.loads`", "x msgspec untyped"]
    return results.table(heads, rows)


def memory_table(scratch: Path) -> str:
    """Measure fresh processes that read a made-up long session, each in another way."""
    path = scratch / "long-session.jsonl"
    scratch.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.writelines(long_session())
    env = environment(scratch / "home" / "core")
    rows = []
    for name in _READINGS:
        argv = (sys.executable, str(Path(__file__).resolve()), "--reading", name, str(path))
        found = checked(Command(argv, env, corpus.REPOSITORY))
        # A short process may end between two samples, so it says its peak itself.
        rows.append([name, megabytes(int(found.output) or found.peak), seconds(found.wall)])
    size = path.stat().st_size
    path.unlink()
    heads = [f"a session of {size / 1e6:.0f} MB, {_BIG_LINES:,} lines", "peak", "whole process"]
    return results.table(heads, rows)


def long_session() -> Iterator[bytes]:
    """Make up one long conversation: a chain of prompts and answers of equal size."""
    padding = "lorem ipsum dolor sit amet " * (_BIG_BYTES // _BIG_LINES // 20)
    parent = None
    for number in range(_BIG_LINES):
        uuid = f"00000000-0000-4000-8000-{number:012x}"
        text = padding[: _BIG_BYTES // _BIG_LINES - 370] + str(number)
        role = "assistant" if number % 2 else "user"
        message: dict[str, object] = {"role": role, "content": [{"type": "text", "text": text}]}
        if role == "assistant":
            message |= {"id": f"msg_{number:06d}", "model": "claude-opus-4-5", "type": "message"}
        minute = f"{1 + number // 1440:02d}T{number // 60 % 24:02d}:{number % 60:02d}"
        record = {
            "parentUuid": parent,
            "isSidechain": False,
            "type": role,
            "uuid": uuid,
            "timestamp": f"2026-01-{minute}:00.000Z",
            "sessionId": "00000000-0000-4000-9000-000000000000",
            "cwd": "/home/user/project",
            "version": "2.1.0",
            "message": message,
        }
        parent = uuid
        yield msgspec.json.encode(record) + b"\n"


_READINGS: dict[str, Callable[[Path], object]] = {
    "nothing read, modules loaded": lambda path: path,
    "(a) lines": lambda path: split_lines([path]),
    "(b) lines and envelopes": lambda path: decode_envelopes([path]),
    "(c) messages and the tree, all kept": _whole,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, write the section, print it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--scratch", type=Path, default=corpus.SCRATCH)
    parser.add_argument("--shared", type=Path, default=corpus.SHARED)
    parser.add_argument("--results", type=Path, default=results.FILE)
    parser.add_argument("--reading", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.reading:
        name, path = options.reading
        kept = _READINGS[name](Path(path))
        print(own_peak())
        del kept
        return 0
    memory = memory_table(options.scratch)
    try:
        paths = corpus.sessions(corpus.source_projects(options.shared))
    except BenchmarkError as error:
        say(f"{error}; only memory is measured")
        print(memory)
        return 1
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    read_once(paths)
    tables = [speed_table(paths, options.rounds), memory]
    size = sum(path.stat().st_size for path in paths)
    facts = [
        f"Files: {len(paths):,} `.jsonl`, {size / 1e6:.0f} MB, in the page cache",
        f"Best and median of {options.rounds}; `x` columns are ratios of median times",
    ]
    text = results.section(_TITLE, facts, {"msgspec": msgspec.__version__}, tables)
    results.write(options.results, _TITLE, text)
    print(text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
