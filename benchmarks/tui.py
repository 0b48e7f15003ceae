"""How fast the terminal app opens, scrolls and follows sessions, and what memory it takes.

    python benchmarks/tui.py [SESSION.jsonl ...]
    python benchmarks/tui.py --live
    python benchmarks/tui.py --index

Without a file: the largest session of the corpus beside the project, where there is one, and
a made-up one of 45 MB. Each session is opened in an app of its own process, driven by keys.
First paint is the time from the key Enter until words of the session are on the screen.

Then, or with --live alone: 20 sessions are written to at once while the app, in a terminal of
its own, follows one of them. Measured is the time from an append until its words come out of
the terminal.

Last, or with --index alone: the app starts on a history of 250 MB that has no index yet.
Measured is the most memory that it and the processes it starts take together until the index
is made, each page of memory counted once. This needs /proc.
"""

import asyncio
import contextlib
import os
import pty
import resource
import select
import subprocess
import sys
import tempfile
import termios
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter, sleep, thread_time

ROOT = Path(__file__).parent.parent
CORPUS = ROOT.parent / "shared" / "corpus" / "projects"
LIMITS = {
    "first paint": 300.0,
    "page": 50.0,
    "memory": 250.0,
    "append p99": 50.0,
    "index memory": 250.0,
}
UNITS = {"pieces": "", "append lost": "", "index s": "s"} | dict.fromkeys(
    ("memory", "history", "index memory", "app alone"), "MB"
)
INDEX = (
    "import sys; from bough.query.index.handle import open_index; "
    "open_index(sys.argv[1:2], sys.argv[2])"
)
PARTS = {"--live", "--index"}
WORDS = "The checkpoint has to be written after the batch commits, not before it. "


def made_up(folder: Path, megabytes: int = 45, name: str = "benchmark-tui") -> Path:
    """Write a session of about so many megabytes: 5 rewinds, 4 compactions."""
    from bough.sample import session  # noqa: PLC0415 - not needed by the driver

    told = session(name)
    turns = 24 * megabytes
    for turn in range(1, turns):
        if turn % (turns // 5) == 1 and turn > 1:
            told.at(f"done {turn - 3}")  # two turns back: that way is left behind
        told.user(f"Turn {turn}: make the import resumable. {WORDS * 2}")
        told.thinking(WORDS * 8)
        told.assistant(WORDS * 6)
        for step in range(7):
            command = {"command": f"pytest -q tests/import/test_{turn}_{step}.py"}
            told.tool("Bash", command, f"PASSED line {step} of the output\n" * 50)
        told.assistant(f"Done. {WORDS * 4}", name=f"done {turn}")
        if turn % 250 == 0:
            told.compact()
    return told.write(folder)


async def measure(path: Path) -> dict[str, float]:
    """Open one session by a key, and page through it."""
    from bough.tui.app.app import Bough  # noqa: PLC0415 - each process measures itself
    from bough.tui.screens.conversation.screen import ConversationScreen  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "claude" / "projects" / path.parent.name
        home.mkdir(parents=True)
        (home / path.name).symlink_to(path)
        companions = path.with_suffix("")
        if companions.is_dir():
            (home / companions.name).symlink_to(companions)
        index = [sys.executable, "-c", INDEX, str(home.parent.parent), f"{folder}/index.sqlite"]
        subprocess.run(index, check=True)  # noqa: ASYNC221 - nothing else runs yet
        app = Bough([str(home.parent.parent)], str(Path(folder) / "index.sqlite"), live=False)
        async with app.run_test(size=(160, 50)) as pilot:
            await pilot.pause()
            await app.workers.wait_for_complete()
            await pilot.pause()
            await pilot.press("g", "s")
            await pilot.pause()
            await app.workers.wait_for_complete()
            await pilot.pause()
            start = perf_counter()
            found = {"first paint": await first_paint(app, pilot)}
            screen = app.screen
            assert isinstance(screen, ConversationScreen)
            while not screen.whole:  # noqa: ASYNC110 - the app does not tell, so it is asked
                await asyncio.sleep(0.005)
            await pilot.pause()
            found["whole"] = (perf_counter() - start) * 1_000
            found |= await paging(screen)
            found["pieces"] = len(screen.reader.pieces)
    found["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return found


async def first_paint(app, pilot) -> float:
    """Measure from the key to the first line with words; the whole is read behind it."""
    start = perf_counter()
    async with asyncio.TaskGroup() as group:
        group.create_task(pilot.press("enter"))
        while True:
            reader = getattr(app.screen, "reader", None)
            drawn = reader is not None and reader._viewport.visible_lines  # noqa: SLF001 - only this asks
            if drawn and len(reader.pieces) > 1:
                reader.render_line(0)
                return (perf_counter() - start) * 1_000
            await asyncio.sleep(0.001)


async def paging(screen) -> dict[str, float]:
    """Page up through the end and the middle, then Home and End.

    The work is what our own thread did: on a busy machine the time tells more of the others.
    """
    reader = screen.reader
    took: list[float] = []
    worked: list[float] = []

    def timed(act) -> None:
        start, began = perf_counter(), thread_time()
        act()
        for y in range(reader.size.height):
            reader.render_line(y)
        took.append((perf_counter() - start) * 1_000)
        worked.append((thread_time() - began) * 1_000)

    for _ in range(60):
        timed(screen.do_page_up)
    reader.to(len(reader.pieces) // 2)
    for _ in range(60):
        timed(screen.do_page_down)
    timed(screen.do_start)
    timed(screen.do_end)
    took.sort()
    worked.sort()
    return {
        "page p50": took[len(took) // 2],
        "page": took[int(len(took) * 0.99)],
        "page work": worked[int(len(worked) * 0.99)],
    }


class Terminal:
    """The app in a terminal that we play."""

    def __init__(self, *command: str, variables: Mapping[str, str] | None = None) -> None:
        """Start a command; `variables` of its environment are others than ours."""
        self._ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (40, 120))
        environ = (
            os.environ | {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"} | dict(variables or {})
        )
        self._child = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=environ
        )
        os.close(theirs)
        self._seen = b""

    def press(self, keys: bytes) -> None:
        """Type."""
        os.write(self._ours, keys)

    def wait_for(self, words: bytes, patience: float = 20.0) -> bool:
        """Read until some words come; what came before them is forgotten."""
        end = perf_counter() + patience
        while words not in self._seen:
            left = end - perf_counter()
            if left <= 0 or not select.select([self._ours], [], [], left)[0]:
                return False
            self._seen = self._seen[-4096:] + os.read(self._ours, 1 << 16)
        self._seen = self._seen.split(words, 1)[1]
        return True

    def listen(self, seconds: float) -> None:
        """Take what comes, for a while."""
        end = perf_counter() + seconds
        while (left := end - perf_counter()) > 0:
            if select.select([self._ours], [], [], left)[0]:
                os.read(self._ours, 1 << 16)

    def wait_for_paint(self, least: int, patience: float = 5.0) -> bool:
        """Read until so many bytes came: less than that is a word in a corner."""
        end, got = perf_counter() + patience, 0
        while got < least:
            left = end - perf_counter()
            if left <= 0 or not select.select([self._ours], [], [], left)[0]:
                return False
            got += len(os.read(self._ours, 1 << 16))
        return True

    @property
    def pid(self) -> int:
        """Name the app's process."""
        return self._child.pid

    def close(self) -> None:
        """End the app."""
        self._child.terminate()
        self._child.wait()
        os.close(self._ours)


def live(rounds: int = 150, sessions: int = 20) -> dict[str, float]:
    """Append to many sessions at once, and wait for the words of the one that is open."""
    from bough.sample import session  # noqa: PLC0415 - not needed by the driver

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "claude"
        told = []
        for number in range(sessions):
            book = session(f"live-{number}", start=datetime.now(UTC))
            for turn in range(60):
                book.user(f"Turn {turn} of {number}").tool("Bash", {"command": "ls"}, "x\n" * 200)
                book.assistant(WORDS * 5)
            told.append((book, book.write(root)))
            sleep(0.01)
        bough = (sys.executable, "-m", "bough", "--theme", "dark", "--claude-dir", str(root))
        terminal = Terminal(*bough, "--index", f"{folder}/index.sqlite")
        assert terminal.wait_for(b"Home")
        sleep(3)  # the index is made
        terminal.press(b"2")
        assert terminal.wait_for(b"Sessions")
        sleep(1)
        terminal.press(b"\r")
        sleep(2)
        terminal.press(b"G")
        assert terminal.wait_for(b"following")
        took = [one for n in range(rounds) if (one := _append(told, terminal, n)) is not None]
        terminal.close()
    took.sort()
    lost = rounds - len(took)
    return {
        "append p50": took[len(took) // 2],
        "append p99": took[int(len(took) * 0.99)],
        "append lost": lost,
    }


def _append(told: list, terminal: Terminal, number: int) -> float | None:
    """Write one line to every session; measure until that of the last one is on the screen."""
    lines = []
    for book, path in told:
        before = len(book.bytes())
        if number % 10 == 0:
            book.user(f"Go on with {number}.")
        book.assistant(f"mark{number:06} is said.")
        lines.append((path, book.bytes()[before:]))
    for path, data in lines:
        with path.open("ab") as file:
            file.write(data)
    start = perf_counter()
    found = terminal.wait_for(f"mark{number:06}".encode(), 5.0)
    took = (perf_counter() - start) * 1_000
    sleep(0.05)
    return took if found else None


def first_index(sessions: int = 6, patience: float = 600.0) -> dict[str, float]:
    """Start the app without an index, and watch its memory until the index is made."""
    if not Path("/proc/self/smaps_rollup").exists():
        return {}
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "claude"
        paths = [made_up(root, name=f"index-{number}") for number in range(sessions)]
        size = sum(path.stat().st_size for path in paths) / 1e6
        bough = (sys.executable, "-m", "bough", "--theme", "dark", "--claude-dir", str(root))
        start = perf_counter()
        terminal = Terminal(*bough, "--index", f"{folder}/index.sqlite")
        most = alone = 0.0
        started = False
        while perf_counter() - start < patience:
            terminal.listen(0.1)
            children = list(_below(terminal.pid))
            most = max(most, sum(map(_memory, (terminal.pid, *children))))
            alone = max(alone, _memory(terminal.pid))
            if started and not children:
                break
            started = started or bool(children)
        took = perf_counter() - start
        terminal.close()
    return {"history": size, "index memory": most, "app alone": alone, "index s": took}


def _below(pid: int) -> Iterator[int]:
    """List the processes that a process started, and those that they started."""
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):  # it has ended
            for child in file.read_text().split():
                yield int(child)
                yield from _below(int(child))


def _memory(pid: int) -> float:
    """Give the megabytes of a process; what several share counts in part for each."""
    with contextlib.suppress(OSError):  # it has ended
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
    return 0.0


def show(rows: dict[str, float]) -> bool:
    """Print what was measured; tell whether a limit was passed over."""
    failed = False
    for name, value in rows.items():
        limit = LIMITS.get(name)
        over = limit is not None and value > limit
        failed = failed or over
        unit = UNITS.get(name, "ms")
        mark = f"   limit {limit:.0f}{' PASSED OVER' if over else ''}" if limit else ""
        print(f"  {name:<12} {value:>9.1f} {unit}{mark}")
    return failed


def main() -> int:
    """Measure each session in its own process; fail where a limit is passed."""
    if len(sys.argv) == 3 and sys.argv[1] == "--one":
        for name, value in asyncio.run(measure(Path(sys.argv[2]))).items():
            print(f"{name}\t{value:.1f}")
        return 0
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(name) for name in sys.argv[1:] if name not in PARTS]
        if not paths and not PARTS & {*sys.argv}:
            corpus = sorted(CORPUS.glob("*/*.jsonl"), key=lambda path: path.stat().st_size)
            paths = [*corpus[-1:], made_up(Path(folder))]
        for path in paths:
            command = [sys.executable, __file__, "--one", str(path.resolve())]
            said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            rows = {k: float(v) for k, v in (line.split("\t") for line in said.splitlines())}
            print(f"{path.stat().st_size / 1e6:.1f} MB, {rows['pieces']:.0f} pieces")
            failed = show(rows) or failed
    if "--index" not in sys.argv:
        print("20 sessions written at once")
        failed = show(live()) or failed
    if "--live" not in sys.argv:
        print("a first index behind the app")
        failed = show(first_index()) or failed
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
