"""Whether what is appended comes to the screen as soon while the terminal app archives it.

Part of `benchmarks/tui.py --archive`. The app follows one of many live sessions in a terminal of
its own; all of them are written to. In turns it archives what it reads and does not, by the
setting `archive`, which it looks at every second. A round counts only where the archive grew while
it was measured, and one without only where it did not.
"""

import random
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter, sleep

from msgspec import Struct

from benchmarks import results
from benchmarks.results import seconds
from benchmarks.terminal import Terminal, make_environment

TITLE = "The terminal app: from an append to the screen, with and without archiving"
_TARGET = 0.050
_TURNS = 60
_WORDS = "The checkpoint has to be written after the batch commits, not before it. "
_RESULT = "PASSED one line of the output of a test\n" * 20
_PATIENCE = 60.0
_MOST = 5.0
_JITTER = 0.3
_UNTIL_QUIET = 4.0
"""Seconds until what was said before is known, and only what comes is read."""


class Round(Struct, frozen=True):
    """What was measured in a round: delays in seconds, and by how much the archive grew."""

    archives: bool
    delays: list[float]
    lost: int
    writes: int
    grown: int


class Plan(Struct, frozen=True):
    """How much is measured: pairs of rounds, how long each, and how much is written."""

    rounds: int = 4
    seconds: float = 12.0
    sessions: int = 20
    rate: float = 200.0


class LiveSessions:
    """Sessions that are written to, and an app that follows the last of them."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        from bough.sample import session  # noqa: PLC0415 - not needed by the driver

        self._archive = folder / "data" / "bough" / "archive"
        self._config = folder / "config" / "bough" / "config.toml"
        self._config.parent.mkdir(parents=True)
        self._books = []
        self._paths = []
        self._written = 0
        self._pause = plan.sessions / plan.rate
        self._random = random.Random(7)
        for number in range(plan.sessions):
            book = session(f"live-{number}", start=datetime.now(UTC))
            for turn in range(_TURNS):
                book.user(f"Turn {turn} of {number}").tool("Bash", {"command": "ls"}, "x\n" * 200)
                book.assistant(_WORDS * 5)
            self._books.append(book)
            self._paths.append(book.write(folder / "claude"))
            sleep(0.01)
        self.let_archive(archives=False)
        bough = (sys.executable, "-m", "bough", "--theme", "dark")
        self.terminal = Terminal(*bough, variables=make_environment(folder))

    def let_archive(self, *, archives: bool) -> None:
        """Answer whether copies are wanted."""
        self._config.write_text(f"archive = {str(archives).lower()}\n")

    def follow(self) -> None:
        """Open the session that was written last, at its end."""
        terminal = self.terminal
        if not terminal.wait_for(b"Home"):
            raise SystemExit("The app did not start.")
        terminal.listen(4)  # the index is made
        terminal.press(b"2")
        terminal.listen(1)
        terminal.press(b"\r")
        sleep(2)  # what comes is kept: the word may be said before the key
        terminal.press(b"G")
        if not terminal.wait_for(b"following"):
            raise SystemExit("The app does not follow the session.")

    def change(self, *, archives: bool) -> None:
        """Begin to archive, and wait until all there is is taken in; or end it."""
        before = self.archived
        self.let_archive(archives=archives)
        if not archives:
            self.terminal.listen(3)  # what was queued is written, or let go
            return
        end = perf_counter() + _PATIENCE
        while self.archived == before or self._count_files() < len(self._paths):
            if perf_counter() > end:
                raise SystemExit("Nothing was archived.")
            self.terminal.listen(0.2)
        self.terminal.listen(2)

    def measure(self, length: float, *, archives: bool) -> Round:
        """Write for a while; measure each append to the session that is followed."""
        self._begin_turns()
        lines = self._prepare(max(1, int(length / self._pause)))
        before = size = self.archived
        writes = lost = 0
        delays: list[float] = []
        for mark, tick in lines:
            due = perf_counter() + self._pause * (1 + self._random.uniform(-_JITTER, _JITTER))
            began = self._append(tick)
            if self.terminal.wait_for(mark, _MOST):
                delays.append(perf_counter() - began)
            else:
                lost += 1
            now = self.archived
            writes, size = writes + (now != size), now
            self.terminal.listen(max(0.0, due - perf_counter()))
        return Round(archives, delays, lost, writes, self.archived - before)

    @property
    def archived(self) -> int:
        """Add up the bytes of the archive."""
        if not self._archive.exists():
            return 0
        return sum(path.stat().st_size for path in self._archive.rglob("*.zst*"))

    def _count_files(self) -> int:
        return sum(1 for _ in self._archive.rglob("*.zst*"))

    def _begin_turns(self) -> None:
        """Begin a turn in every session, so that the answers of all rounds are equally long."""
        for book, path in zip(self._books, self._paths, strict=True):
            before = len(book.bytes())
            with path.open("ab", buffering=0) as file:
                file.write(book.user("Go on").bytes()[before:])
        self.terminal.listen(_UNTIL_QUIET)

    def _prepare(self, ticks: int) -> list[tuple[bytes, list[bytes]]]:
        """Make what is written: a line for each session and tick, the words of it and a result."""
        first = self._written
        self._written += ticks
        bodies = []
        for book in self._books:
            at = len(book.entries)
            for number in range(first, first + ticks):
                book.assistant(f"mark{number:06} is said. {_WORDS * (3 + number % 5)}")
                if number % 4 == 0:
                    book.tool("Bash", {"command": f"pytest -q test_{number}.py"}, _RESULT)
            bodies.append(self._split(book, at))
        return [
            (f"mark{first + at:06}".encode(), [body[at] for body in bodies]) for at in range(ticks)
        ]

    def _split(self, book: object, at: int) -> list[bytes]:
        """Cut what was added to a book into ticks, each beginning with words."""
        lines = book.bytes().splitlines(keepends=True)[at:]  # type: ignore[attr-defined]
        ticks: list[bytes] = []
        for line in lines:
            if b'"mark' in line or not ticks:
                ticks.append(line)
            else:
                ticks[-1] += line
        return ticks

    def _append(self, tick: Sequence[bytes]) -> float:
        """Write to every session, the followed one last; give when that was written."""
        for path, data in zip(self._paths, tick, strict=True):
            began = perf_counter()
            with path.open("ab", buffering=0) as file:
                file.write(data)
        return began


def measure_archiving(plan: Plan) -> list[Round]:
    """Measure in turns, and who goes first changes with each pair."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        sessions = LiveSessions(Path(folder), plan)
        try:
            sessions.follow()
            archives = False
            for pair in range(plan.rounds):
                for wanted in (False, True) if pair % 2 == 0 else (True, False):
                    if wanted != archives:
                        sessions.change(archives=wanted)
                        archives = wanted
                    found.append(sessions.measure(plan.seconds, archives=wanted))
        finally:
            sessions.terminal.close()
    return found


def find_faults(found: Sequence[Round]) -> list[str]:
    """Say what makes the numbers worthless."""
    faults = []
    for number, one in enumerate(found, 1):
        if one.lost:
            faults.append(f"round {number}: {one.lost} appends did not come to the screen")
        if one.archives and not one.grown:
            faults.append(f"round {number}: nothing was archived")
        if not one.archives and one.grown:
            faults.append(f"round {number}: something was archived")
    return faults


def report(plan: Plan, found: Sequence[Round]) -> str:
    """Compose the section of results."""
    sides = {side: [one for one in found if one.archives is side] for side in (False, True)}
    delays = {side: sorted(d for one in sides[side] for d in one.delays) for side in sides}
    rows = []
    for side, name in ((False, "without archiving"), (True, "while archiving")):
        own = sides[side]
        shares = [seconds(find_share(delays[side], share)) for share in (0.5, 0.95, 0.99)]
        grown = f"{sum(one.grown for one in own) / 1e3:,.0f} kB"
        writes = f"{sum(one.writes for one in own):,}"
        rows.append([name, f"{len(delays[side]):,}", *shares, writes, grown])
    ratios = [
        f"{find_share(delays[True], share) / find_share(delays[False], share):.2f} x"
        for share in (0.5, 0.95, 0.99)
    ]
    rows.append(["ratio", "", *ratios, "", ""])
    each = [
        f"{'with' if one.archives else 'without'} {seconds(find_share(sorted(one.delays), 0.99))}"
        for one in found
    ]
    facts = [
        (
            f"{plan.sessions} sessions, {plan.rate:.0f} appends/s in all; {plan.rounds} pairs of "
            f"rounds of {plan.seconds:.0f} s in one app, which archived in turns"
        ),
        f"p99 of each round, in their order: {', '.join(each)}",
        f"Target: p99 at most {seconds(_TARGET)}",
    ]
    heads = ["", "appends", "p50", "p95", "p99", "writes seen", "archive grew by"]
    return results.section(TITLE, facts, {}, [results.table(heads, rows)])


def find_share(ordered: Sequence[float], share: float) -> float:
    """Give what a share of some ordered values keeps within."""
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


def is_late(found: Sequence[Round]) -> bool:
    """Tell whether the target is missed, with or without an archive."""
    return any(
        find_share(sorted(d for one in found if one.archives is side for d in one.delays), 0.99)
        > _TARGET
        for side in (False, True)
    )
