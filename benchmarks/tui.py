"""How fast the terminal app starts, opens, scrolls and follows sessions, and what memory it takes.

    python benchmarks/tui.py [SESSION.jsonl ...]
    python benchmarks/tui.py --start
    python benchmarks/tui.py --live
    python benchmarks/tui.py --archive
    python benchmarks/tui.py --index

Without a file: the largest session of the corpus beside the project, where there is one, and
a made-up one of 45 MB. Each session is opened in an app of its own process, driven by keys.
First paint is the time from the key Enter until words of the session are on the screen.

Then, or with --start alone: the app is started on the sample and on the corpus, and each key of a
tour through its screens is pressed. Measured is the time until the first screen and until a key
is answered, and how much of the processor each took.

Then, or with --live alone: 20 sessions are written to at once while the app, in a terminal of
its own, follows one of them. Measured is the time from an append until its words come out of
the terminal. With --archive alone the same, in rounds in which the app archives what it reads
and rounds in which it does not.

Last, or with --index alone: the app starts on a history of 250 MB that has no index yet.
Measured is the most memory that it and the processes it starts take together until the index
is made, each page of memory counted once. This needs /proc.
"""

import argparse
import asyncio
import contextlib
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import perf_counter, sleep, thread_time

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from benchmarks import results, tui_archive, tui_start
from benchmarks.results import say
from benchmarks.terminal import Terminal, make_environment

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
        timed(partial(screen.do, "page-up"))
    reader.go_to(len(reader.pieces) // 2)
    for _ in range(60):
        timed(partial(screen.do, "page-down"))
    timed(partial(screen.do, "start"))
    timed(partial(screen.do, "end"))
    took.sort()
    worked.sort()
    return {
        "page p50": took[len(took) // 2],
        "page": took[int(len(took) * 0.99)],
        "page work": worked[int(len(worked) * 0.99)],
    }


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
        own = make_environment(Path(folder))
        terminal = Terminal(*bough, "--index", f"{folder}/index.sqlite", variables=own)
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
        own = make_environment(Path(folder))
        start = perf_counter()
        terminal = Terminal(*bough, "--index", f"{folder}/index.sqlite", variables=own)
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


def measure_sessions(given: Sequence[Path]) -> bool:
    """Open sessions, each in its own process; tell whether a limit was passed over."""
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        paths = list(given)
        if not paths:
            corpus = sorted(CORPUS.glob("*/*.jsonl"), key=lambda path: path.stat().st_size)
            paths = [*corpus[-1:], made_up(Path(folder))]
        for path in paths:
            command = [sys.executable, __file__, "--one", str(path.resolve())]
            said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            rows = {k: float(v) for k, v in (line.split("\t") for line in said.splitlines())}
            print(f"{path.stat().st_size / 1e6:.1f} MB, {rows['pieces']:.0f} pieces")
            failed = show(rows) or failed
    return failed


def measure_starts(starts: int, file: Path) -> bool:
    """Start the app and press its keys; tell whether a limit was passed over."""
    with tempfile.TemporaryDirectory() as folder:
        histories = [("the sample", tui_start.write_sample(Path(folder)))]
        if CORPUS.is_dir():
            histories.append(("the corpus", CORPUS.parent))
        found = list(tui_start.measure_start(histories, starts))
    text = tui_start.report(found, starts)
    results.write(file, tui_start.TITLE, text)
    print(text)
    return tui_start.is_late(found)


def measure_archiving(plan: tui_archive.Plan, file: Path) -> bool:
    """Follow sessions with and without archiving; tell whether that is late, or worthless."""
    found = tui_archive.measure_archiving(plan)
    text = tui_archive.report(plan, found)
    print(text)
    faults = tui_archive.find_faults(found)
    for fault in faults:
        say(f"Not measured as meant: {fault}.")
    if not faults:
        results.write(file, tui_archive.TITLE, text)
    return bool(faults) or tui_archive.is_late(found)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what is asked for, or all; fail where a limit is passed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    plan = tui_archive.Plan()
    parser.add_argument("session", type=Path, nargs="*", help="open these sessions")
    parser.add_argument("--start", action="store_true", help="only the start, and each key")
    parser.add_argument("--live", action="store_true", help="only from an append to the screen")
    parser.add_argument("--archive", action="store_true", help="that with and without archiving")
    parser.add_argument("--index", action="store_true", help="only the memory of a first index")
    parser.add_argument("--starts", type=int, default=9, help="how often the app is started")
    parser.add_argument("--rounds", type=int, default=plan.rounds, help="pairs, for --archive")
    parser.add_argument("--seconds", type=float, default=plan.seconds, help="of one such round")
    parser.add_argument("--results", type=Path, default=results.FILE)
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.one is not None:
        for name, value in asyncio.run(measure(given.one)).items():
            print(f"{name}\t{value:.1f}")
        return 0
    everything = not (given.start or given.live or given.archive or given.index)
    failed = False
    if everything or given.session:
        failed = measure_sessions(given.session)
    if everything or given.start:
        failed = measure_starts(given.starts, given.results) or failed
    if everything or given.live:
        print("20 sessions written at once")
        failed = show(live()) or failed
    if everything or given.archive:
        plan = tui_archive.Plan(rounds=given.rounds, seconds=given.seconds)
        failed = measure_archiving(plan, given.results) or failed
    if everything or given.index:
        print("a first index behind the app")
        failed = show(first_index()) or failed
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
