"""Ask the web server for a minute, at a hundred requests a second, while sessions are written.

    python benchmarks/load.py

The history is 20 copies of the corpus (about 1 GB) and, in a second Claude folder, 20 sessions
that a writer appends to all the time. Requests go over every read route, in the mix of somebody
who browses and reads. No answer may be an error, and 99 of 100 must come within 100 ms of the
moment the request was due.
"""

import argparse
import asyncio
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from benchmarks import results
from benchmarks.corpus import multiplied, queries, source_projects
from benchmarks.httpload import Answer, Load
from benchmarks.live import percentile
from benchmarks.results import say, seconds
from tests.web.serving import Served

_TITLE = "The web server under load"
_TARGET = 0.100
_WRITER = Path(__file__).with_name("livewriter.py")
_Asked = Callable[[], tuple[str, str]]


class Routes:
    """The read routes, with real ids and words in them, in a person's mix."""

    def __init__(self, server: Served, words: Sequence[str], dice: random.Random) -> None:
        self._dice = dice
        self._words = words
        self._projects = [row["id"] for row in server.get("/api/projects")["projects"]]
        rows = server.get("/api/sessions?limit=100")["rows"]
        rows += server.get("/api/sessions?sort=cost&limit=100")["rows"]
        self._sessions = [row["id"] for row in rows]
        self._told: dict[str, dict[str, Any]] = {}
        for session in dice.sample(self._sessions, min(40, len(self._sessions))):
            path = f"/api/sessions/{session}/conversation?whole=1"
            self._told[session] = server.get(path)
        self._mix: list[tuple[int, _Asked]] = [
            (4, lambda: ("about", "/api/about")),
            (6, lambda: ("projects", "/api/projects")),
            (16, self._list),
            (12, lambda: ("session", f"/api/sessions/{self._one()}")),
            (12, lambda: ("conversation", f"/api/sessions/{self._one()}/conversation")),
            (18, self._pieces),
            (6, self._changes),
            (3, self._find),
            (3, self._raw),
            (2, self._markdown),
            (12, self._search),
            (3, lambda: ("complete", f"/api/complete?q=tool%3A{self._dice.choice('BERW')}&at=6")),
            (3, lambda: ("live", "/api/live")),
        ]

    def __call__(self) -> tuple[str, str]:
        """Choose the next request."""
        weights = [weight for weight, _ in self._mix]
        return self._dice.choices(self._mix, weights)[0][1]()

    def _one(self) -> str:
        return self._dice.choice(list(self._told))

    def _list(self) -> tuple[str, str]:
        sort = self._dice.choice(("newest", "newest", "oldest", "cost", "turns", "title"))
        project = quote(self._dice.choice(self._projects), safe="")
        word = quote(self._dice.choice(self._words))
        narrowed = self._dice.choice(("", "", f"&project={project}", f"&filter={word}"))
        return "sessions", f"/api/sessions?sort={sort}&limit=100{narrowed}"

    def _pieces(self) -> tuple[str, str]:
        session = self._one()
        count = max(1, self._told[session]["count"])
        first = self._dice.randrange(count)
        return "pieces", f"/api/sessions/{session}/pieces?from={first}&count=40"

    def _changes(self) -> tuple[str, str]:
        session = self._one()
        since = quote(str(self._told[session]["revision"]), safe="")
        return "changes", f"/api/sessions/{session}/changes?since={since}"

    def _find(self) -> tuple[str, str]:
        return "find", f"/api/sessions/{self._one()}/find?q={quote(self._dice.choice(self._words))}"

    def _raw(self) -> tuple[str, str]:
        return self._of_message("raw")

    def _markdown(self) -> tuple[str, str]:
        return self._of_message("markdown")

    def _of_message(self, route: str) -> tuple[str, str]:
        session = self._one()
        named = [row["uuid"] for row in self._told[session]["page"]["pieces"] if row["uuid"]]
        if not named:
            return "session", f"/api/sessions/{session}"
        return route, f"/api/sessions/{session}/{route}?uuid={self._dice.choice(named)}"

    def _search(self) -> tuple[str, str]:
        sort = self._dice.choice(("best", "newest"))
        return "search", f"/api/search?q={quote(self._dice.choice(self._words))}&sort={sort}"


def measure(options: argparse.Namespace, scratch: Path) -> list[Answer]:
    """Serve, write and ask, all at once."""
    corpus = multiplied(options.copies)
    _age(Path(corpus.folder))
    words = queries(source_projects())
    live = scratch / "claude"
    (live / "projects").mkdir(parents=True)
    notes = ["--seconds", str(options.seconds + 20), "--rate", "50"]
    more = ("--claude-dir", corpus.folder)
    say("indexing")
    with Served(live, scratch, words=more, patience=300) as server:
        command = [sys.executable, str(_WRITER), str(live), str(scratch / "notes"), *notes]
        writer = subprocess.Popen(command)
        try:
            time.sleep(2)
            say("looking around")
            routes = Routes(server, words, random.Random(7))
            load = Load(server.port, options.rate, options.seconds)
            say(f"asking for {options.seconds:.0f} s")
            asyncio.run(load.run(routes))
        finally:
            writer.terminate()
            writer.wait()
    return load.answers


def _age(folder: Path) -> None:
    """Make the copies as old as a history is: only the sessions that are written now are live."""
    moment = time.time() - 3 * 86_400
    for file in folder.rglob("*.jsonl"):
        os.utime(file, (moment, moment))


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, write the section, print it; fail on an error or where it was slow."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--rate", type=float, default=100.0)
    parser.add_argument("--copies", type=int, default=20)
    parser.add_argument("--results", type=Path, default=results.FILE)
    parser.add_argument("--dry", action="store_true", help="leave the file of results alone")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        answers = measure(options, Path(scratch))
    rows = [_row("all routes", answers)]
    by_kind = sorted(answers, key=lambda answer: answer.kind)
    rows += [_row(kind, list(group)) for kind, group in groupby(by_kind, lambda one: one.kind)]
    heads = ["route", "requests", "p50", "p95", "p99", "most", "mean size", "errors"]
    facts = [
        f"{options.copies} copies of the corpus indexed, 20 sessions written at 50 records/s",
        f"{options.rate:.0f} requests/s for {options.seconds:.0f} s, timed from when they were due",
        f"Target: no error, p99 over all routes at most {seconds(_TARGET)}",
    ]
    text = results.section(_TITLE, facts, {}, [results.table(heads, rows)])
    if not options.dry:
        results.write(options.results, _TITLE, text)
    print(text)
    for answer in [one for one in answers if one.status != 200][:10]:
        say(f"{answer.status} {answer.path}")
    for answer in sorted(answers, key=lambda one: -one.seconds)[:10]:
        say(f"{seconds(answer.seconds)} {answer.path}")
    late = percentile([answer.seconds for answer in answers], 0.99) > _TARGET
    return int(late or any(answer.status != 200 for answer in answers))


def _row(name: str, answers: Sequence[Answer]) -> list[str]:
    times = [answer.seconds for answer in answers]
    size = sum(answer.size for answer in answers) / len(answers)
    wrong = sum(answer.status != 200 for answer in answers)
    shares = [seconds(percentile(times, share)) for share in (0.5, 0.95, 0.99)]
    worst = seconds(max(times))
    return [name, f"{len(answers):,}", *shares, worst, f"{size / 1000:.1f} kB", str(wrong)]


if __name__ == "__main__":
    raise SystemExit(main())
