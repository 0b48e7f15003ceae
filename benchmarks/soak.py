"""Watch for ten minutes: memory must stay flat, nothing may be lost, little CPU be used.

    make soak            python benchmarks/soak.py --seconds 60 for a short one

The writer of `live.py` plays 20 clients at 200 records a second. Memory is sampled every five
seconds. What is remembered fills up in the first minutes; memory is flat when the last third
of the time needs no more than a twentieth above the third before it.
Afterwards nothing is written for a while, to see what an idle watch costs. Exits with 1 when
a limit is broken.
"""

import argparse
import statistics
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
from benchmarks.live import percentile
from benchmarks.results import megabytes, say, seconds
from benchmarks.watched import Outcome, Watched, compare

_TITLE = "Live: a long watch"
_EVERY = 5.0
_SETTLE = 1.5
_IDLE = 75.0
_MOST_CPU = 0.5
_MOST_IDLE = 0.01
_GROWTH = 1.05


class Soaked(Struct, frozen=True):
    """What a long watch took."""

    outcome: Outcome
    memory: list[int]
    cpu: float
    idle: float
    before: tuple[int, int]
    after: tuple[int, int]

    @property
    def thirds(self) -> tuple[int, int, int]:
        """Give the median memory of each third of the time."""
        size = max(1, len(self.memory) // 3)
        first, second, last = self.memory[:size], self.memory[size:-size], self.memory[-size:]
        middle = statistics.median(second or last)
        return int(statistics.median(first)), int(middle), int(statistics.median(last))

    @property
    def faults(self) -> list[str]:
        """Say which limits are broken."""
        outcome, (_, second, last) = self.outcome, self.thirds
        wrong = outcome.lost or outcome.twice or outcome.disordered
        checks = {
            "records were lost, doubled or out of order": bool(wrong),
            "memory grew": last > second * _GROWTH,
            "more than half a core was used": self.cpu > _MOST_CPU,
            "an idle watch used CPU": self.idle > _MOST_IDLE,
            "threads or files were left open": self.after > self.before,
        }
        return [fault for fault, broken in checks.items() if broken]


def soak(options: argparse.Namespace) -> Soaked:
    """Watch the writers for as long as was asked for."""
    with tempfile.TemporaryDirectory() as scratch:
        claude_dir = Path(scratch, "claude")
        (claude_dir / "projects").mkdir(parents=True)
        notes = Path(scratch, "notes")
        watched = Watched(claude_dir, ["--json"], {})
        time.sleep(_SETTLE)
        before, cpu, started = watched.threads_and_files(), watched.cpu(), time.monotonic()
        writer = subprocess.Popen(
            [
                *(sys.executable, Path(__file__).with_name("livewriter.py"), claude_dir, notes),
                *("--seconds", str(options.seconds), "--rate", str(options.rate)),
            ]
        )
        memory: list[int] = []
        while writer.poll() is None:
            time.sleep(_EVERY)
            memory.append(watched.memory())
            if len(memory) % 12 == 0:
                say(f"{time.monotonic() - started:.0f} s: {megabytes(memory[-1])}")
        used = (watched.cpu() - cpu) / (time.monotonic() - started)
        watched.wait_for(sum(1 for _ in notes.open()), 10)
        idle = _idle(watched, options.idle)
        after = watched.threads_and_files()
        watched.stop()
        return Soaked(compare(notes, watched.seen), memory, used, idle, before, after)


def _idle(watched: Watched, length: float) -> float:
    """Measure what a watch costs while nothing happens, once it has calmed down."""
    time.sleep(length * 0.8)
    before, started = watched.cpu(), time.monotonic()
    time.sleep(length * 0.2)
    return (watched.cpu() - before) / (time.monotonic() - started)


def main(arguments: Sequence[str] | None = None) -> int:
    """Soak, write the section, print it; fail where a limit is broken."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--rate", type=float, default=200.0)
    parser.add_argument("--idle", type=float, default=_IDLE)
    parser.add_argument("--results", type=Path, default=results.FILE)
    options = parser.parse_args(arguments)
    found = soak(options)
    memory = " / ".join(map(megabytes, found.thirds))
    outcome = found.outcome
    rows = [
        ["records", f"{len(outcome.delays):,}"],
        ["lost / twice / disordered", f"{outcome.lost} / {outcome.twice} / {outcome.disordered}"],
        ["p99 from write() to the stream", seconds(percentile(outcome.delays, 0.99))],
        ["memory, by thirds of the time", memory],
        ["CPU while 200 records a second come", f"{found.cpu:.0%} of a core"],
        ["CPU while nothing happens", f"{found.idle:.2%} of a core"],
        ["threads and open files, before / after", f"{found.before} / {found.after}"],
    ]
    text = results.section(
        _TITLE,
        [f"{options.seconds:.0f} s, {options.rate:.0f} records a second, 20 sessions"],
        {},
        [results.table(["what", "measured"], rows)],
    )
    results.write(options.results, _TITLE, text)
    print(text)
    for fault in found.faults:
        say(f"Not as promised: {fault}.")
    return int(bool(found.faults))


if __name__ == "__main__":
    raise SystemExit(main())
