"""Ask every question of a large history, and judge what it costs by what there is.

    python benchmarks/scale.py [--small 10] [--large 100] [--rounds 3] [--keep] [--only WORD]...

An answer costs what it shows, not what there is: each command is run on 10 and on 100 copies of
the corpus, and the best of the runs after the first is judged on the larger one: what an index
keeps is there then, and what others do on the machine is least of it. Wall time is what a person
waits; CPU time is shown beside it because it is the same on a busy machine. Growth is the cost on
the large history over that on the small one: what shows everything there is grows tenfold, what
shows a page does not. The times of the files are set back, because a history is old for the most
part; `status` is also asked where all of them are recent, as after a restored backup.

The web app is asked for each report of a year once, with an index in which no report was ever
made: what has to be counted is counted by another process when the app starts. When that is done,
a first report shall be there at once; how long it took is told.

Where others use the machine, wall time says nothing about us: then CPU time is judged.
"""

import argparse
import os
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from msgspec import Struct

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from benchmarks import corpus, peers, results
from benchmarks.corpus import Corpus
from benchmarks.measure import BenchmarkError, Command, Run, read_once, run, used_cpu
from benchmarks.results import megabytes, say, seconds
from bough.query.stats.stats_report import list_sum_kinds
from bough.store.sqlite.store import SqliteStore
from tests.web.serving import Served

_TITLE = "Scale: what answers cost on a large history"
_OLD = 1_767_225_600
"""When the oldest file was last written, in the benchmark: the beginning of 2026."""
_NOTHING_FOUND = 1
_LEAST_RATE = 55e6
_WEB = "bough web, first reports of a year"
_PATIENCE = 600.0
_BETWEEN_LOOKS = 0.5
_YEAR = 365 * 86_400
_FIRST_REPORT = 1.0
"""What the first report of the web app may take, in seconds."""
_WEB_REPORTS = (
    *("usage?report=daily", "usage?report=blocks", "usage?report=session&limit=50"),
    *("stats/tools?", "stats/hooks?", "stats/errors?", "stats/compactions?"),
    *("stats/files?limit=50", "stats/activity?"),
)


class Limit(Struct, frozen=True):
    """What one run may cost at most: seconds and MB; no seconds where a rate is asked."""

    seconds: float | None
    megabytes: float


class Question(Struct, frozen=True):
    """A command, and what it may cost; `recent` asks it where all files are recent."""

    words: tuple[str, ...]
    limit: Limit
    recent: bool = False

    @property
    def name(self) -> str:
        """Write it as a person would."""
        words = ("WORD" if word == "{word}" else word for word in self.words)
        return " ".join(("bough", *words)) + (", all files recent" if self.recent else "")


class FirstReport(Struct, frozen=True):
    """What the first answer of a route of the web app took, in seconds."""

    route: str
    wall: float
    cpu: float


class FirstReports(Struct, frozen=True):
    """The first answers of the web app, and how long what they are made of took before."""

    prepared: float
    reports: tuple[FirstReport, ...]


class Cost(Struct, frozen=True):
    """What the first run took, and the runs after it."""

    first: Run
    later: tuple[Run, ...]

    @property
    def wall(self) -> float:
        """Give the shortest time of the later runs, in seconds."""
        return min(one.wall for one in self.later)

    @property
    def cpu(self) -> float:
        """Give the least CPU time of the later runs, in seconds."""
        return min(one.cpu for one in self.later)

    @property
    def peak(self) -> int:
        """Give the largest peak of the later runs: memory is a promise."""
        return max(one.peak for one in self.later)


_REPORT = Limit(0.5, 120)
_FIRST_INDEX = Question(("index",), Limit(None, 300))
QUESTIONS = (
    Question(("index",), _REPORT),
    Question(("projects",), _REPORT),
    Question(("sessions",), Limit(0.8, 120)),
    Question(("sessions", "--json"), Limit(0.8, 120)),
    Question(("conversations",), Limit(0.8, 120)),
    Question(("search", "{word}"), _REPORT),
    *(
        Question(("usage", report), Limit(1.5, 120) if report == "branch" else _REPORT)
        for report in (
            *("daily", "weekly", "monthly", "session", "project", "model", "agent"),
            *("branch", "blocks"),
        )
    ),
    Question(("usage", "daily", "--by", "project"), _REPORT),
    Question(("usage", "daily", "--since", "7d"), _REPORT),
    Question(("stats",), Limit(1.0, 120)),
    *(
        Question(("stats", report), _REPORT)
        for report in (
            *("tools", "hooks", "errors", "agents", "models"),
            *("compactions", "files", "activity"),
        )
    ),
    Question(("show", "latest"), _REPORT),
    Question(("status",), _REPORT),
    Question(("status",), _REPORT, recent=True),
    Question(("status", "--line"), _REPORT, recent=True),
)


class History:
    """Copies of the corpus with an index of their own."""

    def __init__(self, files: Corpus, options: argparse.Namespace) -> None:
        self.files = files
        self._home: Path = options.scratch / "home"
        self._index = self._home / f"scale{files.copies}" / "index.sqlite"
        self._program: str = options.bough
        self._rounds: int = options.rounds
        self._word = corpus.queries(corpus.source_projects(options.shared))[10]
        self._paths = files.paths()
        self.set_times_back()

    def set_times_back(self) -> None:
        """Let every file have been written a while ago, each at a time of its own."""
        for number, path in enumerate(self._paths):
            os.utime(path, (_OLD + number, _OLD + number))

    @contextmanager
    def all_recent(self) -> Iterator[None]:
        """Let every file have been written just now, for as long as it lasts."""
        now = time.time()
        for path in self._paths:
            os.utime(path, (now, now))
        try:
            yield
        finally:
            self.set_times_back()

    def first_index(self) -> Run:
        """Index everything, where there is no index."""
        shutil.rmtree(self._index.parent, ignore_errors=True)
        self._index.parent.mkdir(parents=True)
        read_once(self._paths)
        return self._run(("index",))

    def ask_web(self) -> FirstReports:
        """Start the web app as after a first index, let it prepare, ask for each report once."""
        with closing(SqliteStore(self._index)) as store:
            store.connection.execute("delete from meta where key = 'stats'")
            store.connection.execute("drop table if exists answer")
        claude, folder = self.files.projects.parent, self._index.parent
        since = time.strftime("%Y-%m-%d", time.gmtime(time.time() - _YEAR))
        with Served(
            claude, folder, environment=peers.environment(self._home), patience=_PATIENCE
        ) as server:
            began = time.monotonic()
            self._wait_for_sums()
            prepared = time.monotonic() - began
            reports = []
            for route in _WEB_REPORTS:
                start, used = time.monotonic(), used_cpu(server.pid)
                server.get(f"/api/{route}&since={since}")
                wall = time.monotonic() - start
                reports.append(FirstReport(route, wall, used_cpu(server.pid) - used))
        return FirstReports(prepared, tuple(reports))

    def _wait_for_sums(self) -> None:
        end = time.monotonic() + _PATIENCE
        with closing(SqliteStore(self._index, reading=True)) as store:
            while store.behaviour().count_missing(list_sum_kinds()):
                if time.monotonic() > end:
                    raise BenchmarkError("the web app did not make the sums of its reports")
                time.sleep(_BETWEEN_LOOKS)

    def ask(self, question: Question) -> Cost:
        """Ask once, and then again and again."""
        if not question.recent:
            return self._repeat(question.words)
        with self.all_recent():
            return self._repeat(question.words)

    def _repeat(self, words: Sequence[str]) -> Cost:
        first, *later = (self._run(words) for _ in range(1 + self._rounds))
        return Cost(first, tuple(later))

    @property
    def has_index(self) -> bool:
        """Tell whether an earlier run has left its index."""
        return self._index.exists()

    def _run(self, words: Sequence[str]) -> Run:
        env = peers.environment(self._home) | {
            "BOUGH_INDEX": str(self._index),
            "CLAUDE_CONFIG_DIR": str(self.files.projects.parent),
        }
        asked = [word.format(word=self._word) for word in words]
        found = run(Command((self._program, *asked), env, self._home))
        if found.status not in (0, _NOTHING_FOUND):
            raise BenchmarkError(f"bough {' '.join(asked)} gave {found.status}: {found.complaint}")
        return found


def _judge(question: Question, cost: Cost) -> str:
    """Tell whether the later runs kept to the limit."""
    limit = question.limit
    taken = cost.cpu if results.is_busy() else cost.wall
    fast = limit.seconds is None or taken <= limit.seconds
    return "met" if fast and cost.peak / 1e6 <= limit.megabytes else "missed"


def _rows(
    asked: Sequence[Question], small: dict[str, Cost], large: dict[str, Cost]
) -> list[list[str]]:
    found = []
    for question in asked:
        limit = question.limit
        allowed = f"<= {seconds(limit.seconds or 0)}, {limit.megabytes:.0f} MB"
        cost, little = large.get(question.name), small.get(question.name)
        if cost is None:
            found.append([f"`{question.name}`", "", "", "", allowed, "", "failed"])
            continue
        growth = f"{cost.cpu / max(little.cpu, 0.001):.1f} x" if little else ""
        found.append(
            [
                f"`{question.name}`",
                seconds(cost.first.wall),
                f"{seconds(cost.wall)}, CPU {seconds(cost.cpu)}",
                megabytes(cost.peak),
                allowed,
                growth,
                _judge(question, cost),
            ]
        )
    return found


def _index_row(files: Corpus, made: Run) -> list[str]:
    rate = files.bytes / (made.cpu / (os.cpu_count() or 1) if results.is_busy() else made.wall)
    met = rate >= _LEAST_RATE and made.peak / 1e6 <= _FIRST_INDEX.limit.megabytes
    return [
        "`bough index`, there was none",
        f"{seconds(made.wall)}, CPU {seconds(made.cpu)}",
        f"{rate / 1e6:.0f} MB/s",
        megabytes(made.peak),
        f">= {_LEAST_RATE / 1e6:.0f} MB/s, {_FIRST_INDEX.limit.megabytes:.0f} MB",
        "",
        "met" if met else "missed",
    ]


def _web_row(found: FirstReports) -> list[str]:
    slowest = max(found.reports, key=lambda one: one.cpu)
    quick = max(one.cpu if results.is_busy() else one.wall for one in found.reports)
    return [
        f"`{_WEB}`; the slowest: {slowest.route.rstrip('?')}",
        f"{seconds(slowest.wall)}, CPU {seconds(slowest.cpu)}",
        f"prepared in {seconds(found.prepared)}",
        "",
        f"<= {seconds(_FIRST_REPORT)}",
        "",
        "met" if quick <= _FIRST_REPORT else "missed",
    ]


def _measure(
    history: History, asked: Sequence[Question], *, keep: bool
) -> tuple[Run | None, dict[str, Cost]]:
    copies = history.files.copies
    made = None
    if not (keep and history.has_index):
        say(f"{copies} copies: first index")
        made = history.first_index()
        say(f"  {seconds(made.wall)}, CPU {seconds(made.cpu)}, {megabytes(made.peak)}")
    found: dict[str, Cost] = {}
    for question in asked:
        try:
            cost = found[question.name] = history.ask(question)
        except BenchmarkError as error:
            say(f"  {copies:3} {question.name}: {error}")
            continue
        say(
            f"  {copies:3} {question.name}: {seconds(cost.first.wall)}, then "
            f"{seconds(cost.wall)}, CPU {seconds(cost.cpu)}, {megabytes(cost.peak)}"
        )
    return made, found


def _measure_web(history: History, only: Sequence[str]) -> FirstReports | None:
    if not all(word in _WEB for word in only):
        return None
    say(f"{history.files.copies} copies: {_WEB}")
    found = history.ask_web()
    say(f"  prepared in {seconds(found.prepared)}")
    for one in found.reports:
        say(f"  {one.route}: {seconds(one.wall)}, CPU {seconds(one.cpu)}")
    return found


def _section(files: Corpus, body: str, little: int, rounds: int) -> str:
    size = f"{files.files:,}, {files.bytes / 1e6:,.0f} MB"
    facts = [
        f"Files: {size}; growth is that of CPU time from {little} to {files.copies} copies",
        f"Every command once and {rounds} times more, the best is judged; memory is the peak",
        "File times are set back, except where the row says otherwise",
    ]
    return results.section(_TITLE, facts, {}, [body])


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--small", type=int, default=10, help="copies of the small history (10)")
    parser.add_argument("--large", type=int, default=100, help="copies of the large history (100)")
    parser.add_argument("--rounds", type=int, default=3, help="runs after the first (3)")
    parser.add_argument("--only", action="append", default=[], help="questions with this word only")
    parser.add_argument("--keep", action="store_true", help="use the indexes of an earlier run")
    parser.add_argument("--bough", default=str(Path(sys.executable).parent / "bough"))
    parser.add_argument("--scratch", type=Path, default=corpus.SCRATCH)
    parser.add_argument("--shared", type=Path, default=corpus.SHARED)
    parser.add_argument("--results", type=Path, help="write here (results.md; nowhere with --only)")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, write the section, print it; 1 where a limit is missed."""
    options = _options(arguments)
    asked = [one for one in QUESTIONS if all(word in one.name for word in options.only)]
    try:
        small = History(corpus.multiplied(options.small, options.scratch, options.shared), options)
        _, little = _measure(small, asked, keep=options.keep)
        large = History(corpus.multiplied(options.large, options.scratch, options.shared), options)
        made, much = _measure(large, asked, keep=options.keep)
        first = _measure_web(large, options.only)
    except BenchmarkError as error:
        say(str(error))
        return 1
    heads = ["command", "first", "later", "peak", "limit", "growth", "verdict"]
    rows = [] if made is None else [_index_row(large.files, made)]
    rows += [] if first is None else [_web_row(first)]
    rows += _rows(asked, little, much)
    text = _section(large.files, results.table(heads, rows), options.small, options.rounds)
    written = options.results or (None if options.only else results.FILE)
    if written:
        results.write(written, _TITLE, text)
    print(text)
    return 1 if any(row[-1] != "met" for row in rows) else 0


if __name__ == "__main__":
    raise SystemExit(main())
