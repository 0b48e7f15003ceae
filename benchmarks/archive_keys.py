"""Whether the terminal app paints as quickly while it archives.

    python benchmarks/archive_keys.py [--rounds N] [--keys N]

The app follows a history of 160 MB in a terminal of its own, with a long session open, and pages
through it. Measured is the time from a key until its page comes out of the terminal: while nothing
is archived, and then, in the same app, while everything is taken in for the first time. The ratio
of the slowest in a hundred is judged; run it on a machine that does nothing else.
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.terminal import Terminal
from benchmarks.tui import made_up

LIMIT = 1.2
SESSIONS = 40
_PAGE_UP, _PAGE_DOWN = b"\x1b[5~", b"\x1b[6~"
_PAGE_BYTES = 500
_REST = 0.02
_PATIENCE = 60.0
_MISSED = 1


class Histories:
    """A history, and an app that reads it; everything lies in one folder."""

    def __init__(self, folder: Path) -> None:
        """Write the history; its sessions are indexed by the app itself."""
        self._claude = folder / "claude"
        self._config = folder / "config" / "bough" / "config.toml"
        self._data = folder / "data" / "bough"
        self._config.parent.mkdir(parents=True)
        for number in range(SESSIONS):
            made_up(self._claude, 4, f"beside-{number}")
        made_up(self._claude, 20, "benchmark-keys")
        self._files = sum(1 for _ in self._claude.rglob("*.jsonl"))
        self.let_archive(keeps=False)
        variables = {
            "HOME": str(folder),
            "XDG_CONFIG_HOME": str(folder / "config"),
            "XDG_DATA_HOME": str(folder / "data"),
            "CLAUDE_CONFIG_DIR": str(self._claude),
        }
        self.terminal = Terminal(
            sys.executable, "-m", "bough", "--theme", "dark", variables=variables
        )

    def let_archive(self, *, keeps: bool) -> None:
        """Answer whether copies are wanted; the app looks every second."""
        self._config.write_text(f"archive = {str(keeps).lower()}\n")

    def forget(self) -> None:
        """Remove the archive, and what is remembered of it."""
        shutil.rmtree(self._data / "archive", ignore_errors=True)
        (self._data / "archive.json").unlink(missing_ok=True)

    def count_files(self, ending: str = ".zst") -> int:
        """Count the files of the archive whose names end so."""
        return sum(1 for _ in (self._data / "archive").glob(f"v1/*/*{ending}"))

    @property
    def is_archiving(self) -> bool:
        """Tell whether some are written, and some are not taken in yet."""
        return self._has_begun and self.count_files() < self._files

    @property
    def _has_begun(self) -> bool:
        """Tell whether a file is written: many are finished at once."""
        return self.count_files(".zst*") > 0

    def open_session(self) -> None:
        """Open the longest session, once the index is made."""
        terminal = self.terminal
        if not terminal.wait_for(b"Home"):
            raise SystemExit("The app did not start.")
        end = perf_counter() + _PATIENCE
        while not (self._data / "index.sqlite").exists() and perf_counter() < end:
            terminal.listen(0.5)
        terminal.listen(15)  # its rows are written
        terminal.press(b"2")
        terminal.listen(2)
        terminal.press(b"\r")
        terminal.listen(5)

    def wait_for_archiving(self) -> None:
        """Wait until the first file is written."""
        end = perf_counter() + _PATIENCE
        while not self._has_begun:
            if perf_counter() > end:
                raise SystemExit("Nothing was archived.")
            self.terminal.listen(0.02)


def press_keys(history: Histories, most: int, *, while_archiving: bool) -> list[float]:
    """Page up and down; give how many milliseconds each page took."""
    took: list[float] = []
    while len(took) < most and (history.is_archiving or not while_archiving):
        key = _PAGE_UP if len(took) // 20 % 2 == 0 else _PAGE_DOWN
        history.terminal.listen(_REST)
        start = perf_counter()
        history.terminal.press(key)
        if not history.terminal.wait_for_paint(_PAGE_BYTES):
            raise SystemExit("A key was not answered within 5 seconds.")
        took.append((perf_counter() - start) * 1_000)
    return took


def find_share(took: Sequence[float], share: float) -> float:
    """Give the time that so large a share of all stays below."""
    return sorted(took)[int(len(took) * share)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and say whether the app stays as quick."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--keys", type=int, default=200)
    given = parser.parse_args(arguments)
    alone: list[float] = []
    beside: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        history = Histories(Path(folder))
        try:
            history.open_session()
            for _ in range(given.rounds):
                alone += press_keys(history, given.keys, while_archiving=False)
                history.let_archive(keeps=True)
                history.wait_for_archiving()
                beside += press_keys(history, given.keys, while_archiving=True)
                while history.is_archiving:
                    history.terminal.listen(0.2)
                history.let_archive(keeps=False)
                history.terminal.listen(3)
                history.forget()
        finally:
            history.terminal.close()
    for name, took in (("without archiving", alone), ("while archiving", beside)):
        half, most = find_share(took, 0.5), find_share(took, 0.99)
        print(f"  {name:<18} {len(took):>5} keys   p50 {half:6.1f} ms   p99 {most:6.1f} ms")
    ratio = find_share(beside, 0.99) / find_share(alone, 0.99)
    print(f"  p99 while archiving beside without: {ratio:.2f} x   limit {LIMIT:.2f} x")
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    return 0 if ratio <= LIMIT else _MISSED


if __name__ == "__main__":
    sys.exit(main())
