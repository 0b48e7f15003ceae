"""How long `bough mcp` takes to start, and to answer, on a large history.

    python -m benchmarks.mcp --claude-dir DIR --index FILE [--projects N] [--rounds N]

The server runs as a client runs it, on stdin and stdout, once for each of the N projects with
most sessions. CPU until its first answer is that of the whole process, as the kernel counts it.
Every tool is asked about places that the history has; what a round asks, the next asks
otherwise. The time of a call runs from the line sent to the line read; beside it stands the CPU
that the server took for it, which other processes lengthen less. A first call of a server opens
the index and reads what is new; it is counted apart, as the others are thirty seconds on.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from bough import library

WORDS = ("error", "test", "file", "function", "config", "build", "import", "fix", "name", "data")


class Took(NamedTuple):
    """Milliseconds of a call, on the clock and of CPU."""

    wall: float
    cpu: float


class Server:
    """A server and the client's end of its pipes."""

    def __init__(self, claude: str, index: str, project: str) -> None:
        options = ["--claude-dir", claude, "--index", index, "--project", project]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bough", "mcp", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._number = 0
        start = time.perf_counter()
        self.ask(
            "initialize",
            {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "bench", "version": "1"},
            },
        )
        self.wall = time.perf_counter() - start
        self.cpu = self._cpu_seconds()
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self._number += 1
        asked = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        self._send(asked)
        assert self.process.stdout is not None
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found

    def call(self, tool: str, arguments: dict[str, Any]) -> tuple[Took, dict[str, Any]]:
        """Give how long a call took, and its document."""
        start, start_cpu = time.perf_counter(), self._cpu_milliseconds()
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})["result"]
        took = Took((time.perf_counter() - start) * 1000, self._cpu_milliseconds() - start_cpu)
        text = result["content"][0]["text"]
        assert not result.get("isError"), text
        return took, json.loads(text.partition("\n")[2])

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(20)

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def _cpu_seconds(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _cpu_milliseconds(self) -> float:
        """Add up what all threads of the server have used, to the nanosecond."""
        every = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(one.read_text().split()[0]) for one in every) / 1_000_000


def questions(server: Server, number: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Give what one round asks."""
    word = WORDS[number % len(WORDS)]
    _, listed = server.call("sessions", {"limit": 50, "budget": 2000})
    names = [row["session"] for row in listed.get("sessions", [])]
    yield "sessions", {"limit": 20, "cursor": str(number)}
    yield "search", {"query": word}
    yield "search", {"query": f"{word} kind:prompt"}
    _, found = server.call("search", {"query": word})
    for hit in found.get("hits", [])[:3]:
        yield "read", {"place": hit["place"]}
    yield "read", {"place": names[number % len(names)]}
    yield "decisions", {"about": word}
    yield "file_history", {"path": f"{word}"}
    yield "before", {"command": f"npm run {word}"}
    yield "before", {"error": f"Error: {word} failed"}
    yield "usage", {"since": "2020-01-01"}
    yield "dropped", {"session": names[number % len(names)]}


def quantile(times: list[float], share: float) -> float:
    """Give the time that so large a share of the times does not exceed."""
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--claude-dir", required=True)
    parser.add_argument("--index", required=True)
    parser.add_argument("--projects", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=6)
    given = parser.parse_args()
    with library.open_index([given.claude_dir], given.index, fresh=False) as handle:
        known = library.projects([given.claude_dir], index=handle)
    counted: dict[str, int] = defaultdict(int)
    for one in known:
        if one.path:
            counted[one.path] += one.sessions
    chosen = sorted(counted, key=lambda path: -counted[path])[: given.projects]
    starts: list[tuple[float, float]] = []
    first: list[Took] = []
    times: dict[str, list[Took]] = defaultdict(list)
    for path in chosen:
        server = Server(given.claude_dir, given.index, path)
        starts.append((server.cpu, server.wall))
        first.append(server.call("sessions", {})[0])
        for number in range(given.rounds):
            for tool, arguments in questions(server, number):
                times[tool].append(server.call(tool, arguments)[0])
        server.close()
    cpu = statistics.median(one for one, _ in starts)
    wall = statistics.median(one for _, one in starts)
    print(f"start: {cpu:.2f} s CPU, {wall:.2f} s until the first answer (median)")
    print(f"{'first call':13} {describe(first)}")
    for tool, some in times.items():
        print(f"{tool:13} {describe(some)}")
    print(f"{'all':13} {describe([one for some in times.values() for one in some])}")


def describe(times: list[Took]) -> str:
    """Sum up some calls, on the clock and in CPU."""
    parts = [f"{len(times):4} calls"]
    for name in ("wall", "cpu"):
        some = [getattr(one, name) for one in times]
        parts.append(
            f"{name} median {statistics.median(some):6.1f} ms"
            f"  p95 {quantile(some, 0.95):6.1f} ms  most {max(some):6.1f} ms"
        )
    return "  ".join(parts)


if __name__ == "__main__":
    main()
