"""What the terminal app does from its start to the first screen, and for each key.

Part of `benchmarks/tui.py --start`. The app runs in a terminal of its own on a history that is
indexed. Beside the time there is that of the processor: what the program itself had to do, on a
machine that others use too.
"""

import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from msgspec import Struct

from benchmarks import results
from benchmarks.results import seconds
from benchmarks.terminal import Terminal, make_environment

TITLE = "The terminal app: its start, and each key"
LIMIT = 0.300
KEY_LIMIT = 0.100
_SIZE = (50, 160)
_FIRST_SCREEN = b"Recent"
_QUIET = 0.15
_TOUR: tuple[tuple[str, bytes], ...] = (
    *(("Home: " + name, key) for name, key in (("j", b"j"), ("k", b"k"), ("G", b"G"), ("d", b"d"))),
    ("Sessions", b"2"),
    *(("Sessions: " + one, one.encode()) for one in ("j", "G", "u", ">", "<", "k")),
    ("Sessions: start", b"\x1b[H"),
    ("filter", b"/"),
    ("filter: a letter", b"e"),
    ("filter: leave", b"\x1b\x1b"),
    ("open a session", b"\r"),
    *(("conversation: " + one, one.encode()) for one in "kjKJuduXXxHHzzooiiww"),
    ("conversation: start", b"\x1b[H"),
    ("conversation: end", b"G"),
    ("find", b"/"),
    ("find: a letter", b"e"),
    ("find: Enter", b"\r"),
    ("conversation: n", b"n"),
    ("tree", b"t"),
    *(("tree: " + one, one.encode()) for one in "kjKJ++--"),
    ("Home", b"1"),
    ("Usage", b"5"),
    ("Usage: l", b"l"),
    ("Usage: v", b"v"),
    ("Live", b"4"),
    ("Search", b"s"),
    *(("search: a letter", letter) for letter in (b"t", b"e", b"s", b"t")),
    ("search: Enter", b"\r"),
    ("conversation: n, from Search", b"n"),
    ("Home, again", b"1"),
    ("keys", b"?"),
    ("keys: back", b"\x1b"),
    ("palette", b"\x0b"),
    ("palette: a letter", b"e"),
    ("palette: leave", b"\x1b"),
)
_WITH_ESCAPE = {name for name, key in _TOUR if key.startswith(b"\x1b") and len(set(key)) == 1}
_INDEX = (
    "import sys; from bough.query.index.handle import open_index; "
    "open_index(sys.argv[1:2], sys.argv[2])"
)


class Started(Struct, frozen=True):
    """One start: seconds until the first screen, and those of the processor."""

    wall: float
    cpu: float


class KeyTime(Struct, frozen=True):
    """What a key took: seconds to the first and to the last output, and of the processor."""

    name: str
    answered: float
    settled: float
    cpu: float


class Measured(Struct, frozen=True):
    """A history: what starts took, and each key of a tour."""

    name: str
    starts: list[Started]
    keys: list[KeyTime]

    def find_start(self, of: Callable[[Started], float]) -> float:
        """Give the median of the starts."""
        return statistics.median(map(of, self.starts))

    def find_share(self, of: Callable[[KeyTime], float], share: float) -> float:
        """Give what a share of the keys keeps within."""
        ordered = sorted(map(of, self.keys))
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))]

    def list_slowest(self, of: Callable[[KeyTime], float], most: int = 5) -> list[KeyTime]:
        """List the slowest keys."""
        return sorted(self.keys, key=of, reverse=True)[:most]


def measure_start(histories: Sequence[tuple[str, Path]], starts: int) -> Iterator[Measured]:
    """Start the app on each history so often, and press each key of the tour so often."""
    for name, claude in histories:
        with tempfile.TemporaryDirectory() as folder:
            index = Path(folder) / "index.sqlite"
            subprocess.run([sys.executable, "-c", _INDEX, str(claude), str(index)], check=True)
            found: list[Started] = []
            tours: list[list[KeyTime]] = []
            for number in range(starts + 1):
                home = Path(folder) / f"home-{number}"
                one, keys = _start_once(claude, index, home, tour=number % 3 == 0)
                if number:  # the first fills the caches
                    found.append(one)
                if keys:
                    tours.append(keys)
            yield Measured(name, found, [_find_median(same) for same in zip(*tours, strict=True)])


def write_sample(folder: Path) -> Path:
    """Write what `bough demo` shows; name its Claude folder."""
    from bough.sample.demo import write_demo  # noqa: PLC0415 - not needed by the driver

    return write_demo(folder, datetime.now(UTC))


def _start_once(
    claude: Path, index: Path, home: Path, *, tour: bool
) -> tuple[Started, list[KeyTime]]:
    bough = (sys.executable, "-m", "bough", "--theme", "dark", "--claude-dir", str(claude))
    variables = make_environment(home)
    terminal = Terminal(*bough, "--index", str(index), variables=variables, size=_SIZE)
    try:
        if not terminal.wait_for(_FIRST_SCREEN):
            raise SystemExit("The app did not start.")
        cpu = terminal.cpu
        began = perf_counter() - terminal.started_at
        keys = []
        if tour:
            terminal.listen(3)  # what is behind the first screen
            keys = [_press_once(terminal, name, key) for name, key in _TOUR]
        return Started(began, cpu), keys
    finally:
        terminal.close()


def _press_once(terminal: Terminal, name: str, key: bytes) -> KeyTime:
    cpu, began = terminal.cpu, perf_counter()
    terminal.press(key)
    seen = terminal.settle(_QUIET)
    used = terminal.cpu - cpu
    if seen is None:  # nothing to draw
        return KeyTime(name, 0.0, 0.0, used)
    return KeyTime(name, seen[0] - began, seen[1] - began, used)


def _find_median(same: Sequence[KeyTime]) -> KeyTime:
    return KeyTime(
        same[0].name,
        statistics.median(one.answered for one in same),
        statistics.median(one.settled for one in same),
        statistics.median(one.cpu for one in same),
    )


def report(found: Sequence[Measured], starts: int) -> str:
    """Compose the section of results."""
    heads = [
        "history",
        "first screen",
        "of it processor",
        "keys",
        "answered, p50",
        "p99",
        "done, p99",
    ]
    rows = []
    facts = [
        f"Median of {starts} starts with an index; a terminal of {_SIZE[1]} by {_SIZE[0]}",
        (
            "A key is answered with the first output, and done with the last; the processor's "
            "time is that of all threads of the app"
        ),
        (
            f"Target: the first screen within {seconds(LIMIT)}, a key answered within "
            f"{seconds(KEY_LIMIT)}; Esc waits 100 ms, for it may begin another key"
        ),
    ]
    for one in found:
        numbers = (
            one.find_start(lambda start: start.wall),
            one.find_start(lambda start: start.cpu),
        )
        shares = (
            one.find_share(lambda key: key.answered, 0.5),
            one.find_share(lambda key: key.answered, 0.99),
            one.find_share(lambda key: key.settled, 0.99),
        )
        rows.append([one.name, *map(seconds, numbers), str(len(one.keys)), *map(seconds, shares)])
        for what, of in (("answer", _answered_of), ("processor", _cpu_of)):
            slowest = [f"{key.name} {seconds(of(key))}" for key in one.list_slowest(of)]
            facts.append(f"Slowest by {what}, {one.name}: {', '.join(slowest)}")
    return results.section(TITLE, facts, {}, [results.table(heads, rows)])


def is_late(found: Sequence[Measured]) -> bool:
    """Tell whether a start or a key took longer than promised; Esc waits by design."""
    return any(
        one.find_start(lambda start: start.wall) > LIMIT
        or any(key.answered > KEY_LIMIT for key in one.keys if key.name not in _WITH_ESCAPE)
        for one in found
    )


def _answered_of(key: KeyTime) -> float:
    return key.answered


def _cpu_of(key: KeyTime) -> float:
    return key.cpu
