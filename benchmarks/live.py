"""Measure how long a record takes from write() to the output of `bough watch`.

    python benchmarks/live.py

A writer process plays 20 clients at once: single lines, bursts of 50, lines torn at any byte,
lines of 2 MB. `bough watch` follows all of it into a pipe; a record has arrived when the line
that shows it was read from there. Every record must come out once, in the order of its file.
"""

import argparse
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
from benchmarks.results import say, seconds
from benchmarks.watched import Outcome, Watched, compare

_TITLE = "Live: from write() to the stream"
_TARGET = 0.050
_SETTLE = 1.5
_WAYS = (
    ("--json", (), {}),
    ("lines for a pipe", (), {}),
    ("lines in colour", ("--color", "always"), {}),
    ("--json, polling", (), {"BOUGH_POLL": "1"}),
)


class Measured(Struct, frozen=True):
    """One way of watching: what came of it, and the CPU it took, in parts of a core."""

    name: str
    outcome: Outcome
    cpu: float


def measure(name: str, options: argparse.Namespace) -> Measured:
    """Watch the writers once."""
    arguments, env = next((list(a), dict(e)) for n, a, e in _WAYS if n == name)
    with tempfile.TemporaryDirectory() as scratch:
        claude_dir = Path(scratch, "claude")
        (claude_dir / "projects").mkdir(parents=True)
        notes = Path(scratch, "notes")
        flags = ["--json"] if name.startswith("--json") else []
        watched = Watched(claude_dir, [*flags, *arguments], env)
        time.sleep(_SETTLE)
        before, started = watched.cpu(), time.monotonic()
        _write(claude_dir, notes, options)
        written = sum(1 for _ in notes.open())
        watched.wait_for(written, 10)
        used = (watched.cpu() - before) / (time.monotonic() - started)
        time.sleep(0.5)
        code = watched.stop()
        if code != 130:
            say(f"{name}: ended with {code}")
        return Measured(name, compare(notes, watched.seen), used)


def _write(claude_dir: Path, notes: Path, options: argparse.Namespace) -> None:
    writer = Path(__file__).with_name("livewriter.py")
    rate = ("--rate", str(options.rate), "--sessions", str(options.sessions))
    subprocess.run(
        [sys.executable, writer, claude_dir, notes, "--seconds", str(options.seconds), *rate],
        check=True,
    )


def percentile(values: Sequence[float], share: float) -> float:
    """Give the value below which so much of them lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, write the section, print it; fail where a record was lost or late."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--rate", type=float, default=200.0)
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--results", type=Path, default=results.FILE)
    parser.add_argument("--only", choices=[name for name, _, _ in _WAYS])
    options = parser.parse_args(arguments)
    names = [options.only] if options.only else [name for name, _, _ in _WAYS]
    found = [measure(name, options) for name in names]
    rows = [
        [
            one.name,
            f"{len(one.outcome.delays):,}",
            *(seconds(percentile(one.outcome.delays, share)) for share in (0.5, 0.95, 0.99)),
            seconds(max(one.outcome.delays, default=0.0)),
            f"{one.outcome.lost} / {one.outcome.twice} / {one.outcome.disordered}",
            f"{one.cpu:.0%}",
        ]
        for one in found
    ]
    heads = ["way", "records", "p50", "p95", "p99", "most", "lost / twice / disordered", "CPU"]
    facts = [
        f"{options.sessions} sessions, {options.rate:.0f} records/s, {options.seconds:.0f} s each",
        f"Target: p99 at most {seconds(_TARGET)} (polling: no target)",
    ]
    text = results.section(_TITLE, facts, {}, [results.table(heads, rows)])
    if not options.only:
        results.write(options.results, _TITLE, text)
    print(text)
    return int(any(_is_bad(one) for one in found))


def _is_bad(one: Measured) -> bool:
    wrong = one.outcome.lost or one.outcome.twice or one.outcome.disordered
    late = percentile(one.outcome.delays, 0.99) > _TARGET and "polling" not in one.name
    return bool(wrong or late)


if __name__ == "__main__":
    raise SystemExit(main())
