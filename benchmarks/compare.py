"""Compare bough with what users would pick instead, and judge the budgets.

    python benchmarks/compare.py [--copies N] [--rows ROW...] [--rounds N] [--peers]

Both sides read the same copies of the real corpus, run in turn, both cold or both warm.
*Cold* means that there is no index; the files themselves are in the page cache for both,
unless `--page-cache cold` drops them before each run. Medians are compared. Each row can
be run alone; peers that an earlier run installed are used again. A row that takes minutes
on many copies is measured on few, and says so. The exit code is 1 if a budget is missed or
a run fails or is stopped; rows whose command does not exist yet count only with `--strict`.
"""

import argparse
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import corpus, peers, results
from benchmarks.corpus import Corpus
from benchmarks.measure import (
    BenchmarkError,
    Command,
    Series,
    Side,
    alternate,
    evict,
    percentile,
    read_once,
    run,
)
from benchmarks.results import say
from benchmarks.rows import ROWS, PeerWork, Row

_MISUSE = 2
_PEERS: dict[PeerWork, str] = {
    "sync-cold": "agentsview",
    "sync-warm": "agentsview",
    "daily": "ccusage",
    "html": "claude-code-log",
}


class Outcome(Struct, frozen=True):
    """What became of a row: met, missed, failed, no peer, or not yet."""

    row: Row
    files: Corpus
    verdict: str
    ours: Series | None = None
    peer: Series | None = None
    value: float | None = None
    reason: str = ""
    """Why there is no value."""


class NotYet(BenchmarkError):
    """Say that a command of ours does not exist."""


class NoPeer(BenchmarkError):
    """Say that a peer could not be installed."""


class Bench:
    """One comparison: its files, the folders of both sides, and what is measured so far."""

    def __init__(self, files: Corpus, options: argparse.Namespace) -> None:
        self.files = files
        self.versions: dict[str, str] = {}
        self._options = options
        self._paths = files.paths()
        self._home: Path = options.scratch / "home"
        self._index = self._home / f"index{files.copies}" / "index.db"
        self._words: list[str] = []
        self._program: str | None = options.bough or _beside_python()
        self._measured: dict[tuple[object, ...], list[Series]] = {}
        self._ready: set[str] = set()
        self._clear()

    def judge(self, row: Row) -> Outcome:
        """Measure a row and compare it with its target."""
        try:
            return self._judge(row)
        except NoPeer as error:
            say(f"{row.name}: {error}")
            return Outcome(row, self.files, "no peer", reason=str(error))
        except BenchmarkError as error:
            say(f"{row.name}: {error}")
            return Outcome(row, self.files, "failed", reason=str(error))

    def _judge(self, row: Row) -> Outcome:
        theirs = self._peer(row)
        try:
            ours = self._ours(row)
        except NotYet as error:
            say(f"{row.name}: not yet: {error}")
            alone = self._measure(row, [theirs]) if theirs and self._options.peers else [None]
            return Outcome(row, self.files, "not yet", peer=alone[0])
        if theirs is None:
            found, peer = self._measure(row, [ours])[0], None
        else:
            found, peer = self._measure(row, [ours, theirs])
        value = _value(row, found, peer)
        met = value <= row.target.limit(self.files.longest_line)
        return Outcome(row, self.files, "met" if met else "missed", found, peer, value)

    def _measure(self, row: Row, sides: Sequence[Side]) -> list[Series]:
        rounds = self._options.rounds or row.rounds
        # Cold index and memory are two views of the same runs.
        key = (row.ours, row.peer, row.cold, len(sides))
        if key not in self._measured:
            say(f"{row.name}: {' and '.join(side.name for side in sides)}, {rounds} rounds")
            if self._options.page_cache == "warm":
                read_once(self._paths)
            self._measured[key] = alternate(
                [self._with_cache(_limited(side, row.seconds)) for side in sides], rounds
            )
        return self._measured[key]

    def _with_cache(self, side: Side) -> Side:
        """Drop the files from the page cache before every run, if that is asked for."""
        if self._options.page_cache == "warm":
            return side

        def before() -> None:
            side.before()
            evict(self._paths)

        return Side(side.name, side.command, before, side.after)

    def _ours(self, row: Row) -> Side:
        """Make our side of a row, or raise NotYet."""
        if row.needs and not (corpus.REPOSITORY / row.needs).exists():
            raise NotYet(f"there is no {row.needs}")
        side = Side("bough", self._command(row), self._clear if row.cold else _nothing, _nothing)
        if "{index}" in row.ours and "index" not in self._ready:
            self._try(self._command(ROWS[0]))
            self._ready.add("index")
        if row.name not in self._ready:
            # The first run tells whether the command exists, and warms what may be warm.
            self._try(side.command)
            self._ready.add(row.name)
        return side

    def _try(self, command: Command) -> None:
        first = run(command)
        words = first.complaint.strip().splitlines()[-1:] or ["nothing on stderr"]
        if first.status == _MISUSE:
            raise NotYet(words[0])
        if first.status != 0:
            raise BenchmarkError(f"bough gave {first.status}: {words[0]}")

    def _command(self, row: Row) -> Command:
        if "{bough}" in row.ours and self._program is None:
            raise NotYet("there is no bough command in this environment")
        env = peers.environment(self._home) | {
            "BOUGH_INDEX": str(self._index),
            "CLAUDE_CONFIG_DIR": str(self.files.projects.parent),
        }
        asked = self._home / "queries.json"
        if not self._words and {"{word}", "{queries}"} & {*row.ours}:
            self._words = corpus.queries(corpus.source_projects(self._options.shared))
            asked.write_bytes(msgspec.json.encode(self._words))
        values = {
            "bough": self._program,
            "python": sys.executable,
            "index": self._index,
            "word": self._words[len(self._words) // 3] if self._words else "",
            "queries": asked,
            "projects": self.files.projects,
            "out": self._home / "html-ours",
        }
        # The same wrapper for both sides; rows without a peer go without.
        prefix = peers.no_network() if row.peer else ()
        argv = (*prefix, *(word.format(**values) for word in row.ours))
        return Command(argv, env, corpus.REPOSITORY, row.seconds)

    def _clear(self) -> None:
        for folder in (self._index.parent, self._home / "html-ours"):
            shutil.rmtree(folder, ignore_errors=True)
        self._index.parent.mkdir(parents=True)

    def _peer(self, row: Row) -> Side | None:
        """Make the peer's side of a row; the peer is installed on first use."""
        if not row.peer:
            return None
        try:
            peer = peers.install(_PEERS[row.peer], self._options.scratch)
        except BenchmarkError as error:
            raise NoPeer(str(error)) from error
        self.versions[peer.name] = peer.version
        home = self._home / f"{peer.name}{self.files.copies}"
        match row.peer:
            case "sync-cold":
                return peers.agentsview_sync(peer, self.files.projects, home, cold=True)
            case "sync-warm":
                side = peers.agentsview_sync(peer, self.files.projects, home, cold=False)
                if side.name not in self._ready:
                    # Twice: the first may build the database, the second finds it built.
                    alternate([side], 2)
                    self._ready.add(side.name)
                return side
            case "daily":
                return peers.ccusage_daily(peer, self.files.projects, home)
            case "html":
                return peers.claude_code_log_html(peer, self.files.projects, home)


def _limited(side: Side, seconds: float) -> Side:
    """Stop the runs of a side after so long."""
    command = msgspec.structs.replace(side.command, seconds=seconds)
    return msgspec.structs.replace(side, command=command)


def _value(row: Row, ours: Series, peer: Series | None) -> float:
    """Give what is compared with the row's target."""
    match row.target.kind:
        case "ratio":
            if peer is None:
                raise BenchmarkError("a ratio needs a peer")
            return ours.wall / peer.wall
        case "time":
            return ours.wall * 1e3
        case "p95":
            return percentile(msgspec.json.decode(ours.runs[-1].output, type=list[float]), 0.95)
        case "memory":
            return ours.peak / 1e6


def _nothing() -> None:
    """Do nothing before or after a run."""


def _beside_python() -> str | None:
    beside = Path(sys.executable).parent / "bough"
    return str(beside) if beside.exists() else shutil.which("bough")


def _cells(outcome: Outcome, copies: int) -> list[str]:
    row, files = outcome.row, outcome.files
    work = row.work if files.copies == copies else f"{row.work}, {files.copies} copies"
    who = f"{_PEERS[row.peer]}: " if row.peer and outcome.peer else ""
    value = outcome.reason if outcome.value is None else row.target.shown(outcome.value)
    target = f"<= {row.target.shown(row.target.limit(files.longest_line))}"
    sides = [results.cost(outcome.ours), who + results.cost(outcome.peer)]
    return [row.name, work, *sides, value, target, outcome.verdict]


def _section(
    title: str,
    files: Corpus,
    versions: Mapping[str, str],
    outcomes: Sequence[Outcome],
    page_cache: str,
) -> str:
    size = f"{files.bytes / 1e6:,.0f} MB, longest line {files.longest_line / 1e6:.2f} MB"
    network = "no network" if peers.no_network() else "network not taken away"
    facts = [
        f"Files: {files.files:,}, {size}",
        f"Page cache: {page_cache}, for both sides; {network}",
        "Times: median of alternating runs (fastest to slowest); memory: largest peak of the tree",
    ]
    heads = ["row", "work", "ours", "peer", "value", "target", "verdict"]
    body = results.table(heads, [_cells(outcome, files.copies) for outcome in outcomes])
    return results.section(title, facts, versions, [body])


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    names = [row.name for row in ROWS]
    parser.add_argument("--copies", type=int, default=20, help="copies of the corpus (20)")
    parser.add_argument(
        "--rows",
        "--only",
        dest="only",
        nargs="+",
        action="extend",
        metavar="ROW",
        choices=names,
        help=f"measure these only: {', '.join(names)}",
    )
    parser.add_argument("--rounds", type=int, help="rounds of every row, instead of its own")
    parser.add_argument("--page-cache", choices=["warm", "cold"], default="warm")
    parser.add_argument("--peers", action="store_true", help="measure peers of rows not there yet")
    parser.add_argument("--strict", action="store_true", help="a row that is not there yet fails")
    parser.add_argument("--bough", help="the command to measure (the one beside this Python)")
    parser.add_argument("--scratch", type=Path, default=corpus.SCRATCH)
    parser.add_argument("--shared", type=Path, default=corpus.SHARED)
    parser.add_argument("--results", type=Path, help="write here (results.md; nowhere with --only)")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the rows asked for, write the section, print it."""
    options = _options(arguments)
    asked = [row for row in ROWS if not options.only or row.name in options.only]
    benches: dict[int, Bench] = {}
    outcomes: list[Outcome] = []
    try:
        for row in asked:
            copies = min(options.copies, row.copies or options.copies)
            if copies not in benches:
                files = corpus.multiplied(copies, options.scratch, options.shared)
                benches[copies] = Bench(files, options)
            outcomes.append(benches[copies].judge(row))
    except BenchmarkError as error:
        say(str(error))
        return 1
    most = max(benches)
    versions = {name: known for bench in benches.values() for name, known in bench.versions.items()}
    title = f"Against peers, {most} copies of the corpus"
    text = _section(title, benches[most].files, versions, outcomes, options.page_cache)
    written = options.results or (None if options.only else results.FILE)
    if written:
        results.write(written, title, text)
    print(text)
    bad = {"missed", "failed", "no peer"} | ({"not yet"} if options.strict else set())
    return 1 if any(outcome.verdict in bad for outcome in outcomes) else 0


if __name__ == "__main__":
    raise SystemExit(main())
