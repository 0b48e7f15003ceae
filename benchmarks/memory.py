"""Open 500 conversations three times over: memory must stay where it was.

    python benchmarks/memory.py

500 different sessions (copies of the corpus) are opened one after the other in a real `bough web`,
over HTTP, and in the terminal app, which runs without a terminal in a process of its own; then
all of them again, and again. The resident memory after the third round must not exceed that after
the first by more than a tenth, and must lie below 250 MB and what the cache may hold. Exits with 1
when a limit is broken.
"""

import argparse
import asyncio
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from benchmarks import results
from benchmarks.corpus import multiplied
from benchmarks.results import megabytes, say, seconds
from bough.web.open_sessions.cache import MOST_BYTES
from tests.web.serving import Served

_TITLE = "Memory: 500 conversations, three times over"
_ROUNDS = 3
_SESSIONS = 500
_BASE = 250_000_000
_GROWTH = 1.1
_RSS = re.compile(r"VmRSS:\s+(\d+) kB")


class Rounds(Struct, frozen=True):
    """What a face held before, and after each round; what it may keep, and the time it took."""

    face: str
    before: int
    after: list[int]
    cache: int
    took: float

    @property
    def limit(self) -> int:
        """Give what it may hold in all."""
        return _BASE + self.cache

    @property
    def faults(self) -> list[str]:
        """Say which limits are broken."""
        first, last = self.after[0], self.after[-1]
        checks = {
            f"{self.face}: the last round holds more than the first": last > first * _GROWTH,
            f"{self.face}: more than {megabytes(self.limit)}": max(self.after) > self.limit,
        }
        return [fault for fault, broken in checks.items() if broken]


def resident(pid: int | str = "self") -> int:
    """Give the resident memory of a process, in bytes."""
    found = _RSS.search(Path(f"/proc/{pid}/status").read_text("utf-8"))
    return int(found[1]) * 1024 if found else 0


def in_server(claude: Path, sessions: Sequence[Path]) -> Rounds:
    """Open all sessions in a server, as a page does: the conversation, more of it, its facts."""
    with (
        tempfile.TemporaryDirectory() as scratch,
        Served(claude, Path(scratch), patience=900.0) as server,
    ):
        before, after, start = resident(server.pid), [], time.monotonic()
        for number in range(_ROUNDS):
            for path in sessions:
                address = f"/api/sessions/{path.stem}"
                server.get(f"{address}/conversation?whole=1")
                server.get(f"{address}/pieces?from=0&count=40")
                server.get(address)
            after.append(resident(server.pid))
            say(f"  web, round {number + 1}: {megabytes(after[-1])}")
        return Rounds("web", before, after, MOST_BYTES, time.monotonic() - start)


def in_terminal_app(sessions: Sequence[Path]) -> Rounds:
    """Have the terminal app open all sessions, in a process of its own."""
    with tempfile.TemporaryDirectory() as scratch:
        listed = Path(scratch, "sessions")
        listed.write_text("\n".join(map(str, sessions)), "utf-8")
        command = [sys.executable, __file__, "--in-app", str(listed)]
        start = time.monotonic()
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        before, *after = map(int, done.stdout.split())
    for number, held in enumerate(after, start=1):
        say(f"  terminal app, round {number}: {megabytes(held)}")
    return Rounds("terminal app", before, after, 0, time.monotonic() - start)


async def open_in_app(sessions: Sequence[str]) -> list[int]:
    """Open each session in the app, wait until all of it is read, and go back."""
    from bough.tui.app.app import Bough  # noqa: PLC0415 - each process measures itself
    from bough.tui.screens.conversation.screen import ConversationScreen  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as scratch:
        (Path(scratch) / "none" / "projects").mkdir(parents=True)
        app = Bough([f"{scratch}/none"], f"{scratch}/index.sqlite", live=False)
        async with app.run_test(size=(160, 50)) as pilot:
            await app.workers.wait_for_complete()
            held = [resident()]
            for _ in range(_ROUNDS):
                for path in sessions:
                    screen = ConversationScreen(path)
                    app.open(screen)
                    while not screen.whole:  # noqa: ASYNC110 - the app does not tell
                        await asyncio.sleep(0.002)
                    app.back()
                    await pilot.pause()
                held.append(resident())
    return held


def report(found: Sequence[Rounds], sessions: Sequence[Path]) -> str:
    """Write what was measured."""
    size = sum(path.stat().st_size for path in sessions)
    rows = [
        [
            one.face,
            megabytes(one.before),
            *(megabytes(held) for held in one.after),
            f"{one.after[-1] / one.after[0]:.2f}",
            megabytes(one.limit),
            seconds(one.took),
            "held" if not one.faults else "BROKEN",
        ]
        for one in found
    ]
    heads = ["face", "before", *(f"round {n + 1}" for n in range(_ROUNDS)), "third / first"]
    facts = [
        f"{len(sessions)} different sessions of the corpus, {megabytes(size)} of files",
        (
            f"Limits: the third round {_GROWTH} times the first at most; {megabytes(_BASE)}, "
            f"and for the server what its cache may hold, {megabytes(MOST_BYTES)}"
        ),
    ]
    table = results.table([*heads, "limit", "took", "limits"], rows)
    return results.section(_TITLE, facts, {}, [table])


def main() -> int:
    """Measure both faces, and write the section."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--in-app", type=Path, help=argparse.SUPPRESS)
    options.add_argument("--sessions", type=int, default=_SESSIONS)
    options.add_argument("--dry", action="store_true", help="do not write results.md")
    given = options.parse_args()
    if given.in_app is not None:
        paths = given.in_app.read_text("utf-8").splitlines()
        print(*asyncio.run(open_in_app(paths)))
        return 0
    corpus = multiplied(10)
    every = [path for path in corpus.projects.glob("*/*.jsonl") if path.stem[:6] != "agent-"]
    sessions = sorted(every)[:: max(1, len(every) // given.sessions)][: given.sessions]
    found = [in_server(Path(corpus.folder), sessions), in_terminal_app(sessions)]
    text = report(found, sessions)
    print(text)
    if not given.dry:
        results.write(results.FILE, _TITLE, text)
    faults = [fault for one in found for fault in one.faults]
    for fault in faults:
        say(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
