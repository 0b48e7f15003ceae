"""Measure what sending to a team's database costs, in CPU time of one process.

    python benchmarks/team.py [--rounds N]

The real corpus is pushed to an empty PostgreSQL of its own, at both levels, and then again with
nothing new. The work of the server is not counted: it runs elsewhere. Its disk is, against the
bytes that were sent.
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
from msgspec import Struct

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import corpus, results
from benchmarks.results import megabytes, say
from bough.team.push_plan import PushLevel
from bough.team.push_run import TeamPush
from bough.team.session_groups import choose_sessions, list_pushable
from tests.team_server import TeamServer, running_server

TITLE = "Team: what sending costs"
_LEAST = {"all": 6.0, "numbers": 15.0}
"""Megabytes a second of one core."""
_MOST_DISK = 1.2
_MISSED = 1
_SIZE = """
    select sum(pg_total_relation_size(oid)) from pg_class
    where relnamespace = 'bough'::regnamespace and relkind = 'r'
"""


class PushCost(Struct, frozen=True):
    """What one push cost: bytes, seconds of CPU for looking and for sending, again, disk."""

    bytes: int
    look: float
    send: float
    again: float
    disk: int

    @property
    def rate(self) -> float:
        """Give megabytes a second."""
        return self.bytes / 1e6 / (self.look + self.send)


@contextmanager
def own_data(folder: Path) -> Iterator[None]:
    """Be a machine of its own."""
    before = {name: os.environ.get(name) for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    os.environ |= {name: str(folder / name.lower()) for name in before}
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def push_once(server: TeamServer, claude: Path, level: PushLevel) -> PushCost:
    """Push everything to an empty database, and once more."""
    with server.database() as url, closing(TeamPush(url)) as team:
        started = time.process_time()
        chosen = choose_sessions([claude], [one.folder for one in list_pushable([claude])])
        plan = team.plan(chosen, level)
        looked = time.process_time()
        report = team.send(chosen, plan)
        sent = time.process_time()
        team.send(chosen, team.plan(chosen, level))
        ended = time.process_time()
        with psycopg.connect(url) as connection:
            row = connection.execute(_SIZE).fetchone()
        disk = int(row[0]) if row else 0
    return PushCost(report.bytes, looked - started, sent - looked, ended - sent, disk)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, write the section, and say whether every budget is met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--shared", type=Path, default=corpus.SHARED)
    parser.add_argument("--scratch", type=Path, default=corpus.SCRATCH)
    parser.add_argument("--results", type=Path, default=results.FILE)
    given = parser.parse_args(arguments)
    claude = corpus.source_projects(given.shared).parent
    rows: list[list[str]] = []
    is_met = True
    with own_data(given.scratch / "team"), running_server() as server:
        for level in ("all", "numbers"):
            costs = [push_once(server, claude, level) for _ in range(given.rounds)]
            rate = statistics.median(one.rate for one in costs)
            last = costs[-1]
            disk = last.disk / last.bytes
            is_met &= rate >= _LEAST[level] and disk <= _MOST_DISK
            rows.append(
                [
                    level,
                    megabytes(last.bytes),
                    f"{statistics.median(one.look for one in costs):.2f} s",
                    f"{statistics.median(one.send for one in costs):.2f} s",
                    f"{statistics.median(one.again for one in costs):.2f} s",
                    f"{rate:.1f} MB/s (>= {_LEAST[level]:.0f})",
                    f"{disk:.2f} x (<= {_MOST_DISK})",
                ]
            )
    heads = ["level", "bytes", "look, CPU", "send, CPU", "nothing new, CPU", "rate", "disk there"]
    facts = [f"Medians of {given.rounds} rounds", "CPU time of the client alone, one process"]
    tables = [results.table(heads, rows)]
    results.write(given.results, TITLE, results.section(TITLE, facts, {}, tables))
    for row in rows:
        say(" · ".join(row))
    return 0 if is_met else _MISSED


if __name__ == "__main__":
    raise SystemExit(main())
