"""Measure what a team's database costs: sending, disk, searching while somebody sends, opening.

Who sends and who reads is a member, for whom the policies hold.

    python benchmarks/team.py [--rounds N] [--copies N]... [--part PART]... [--seconds N]

- push: the real corpus is pushed to an empty PostgreSQL of its own, at both levels, and then again
  with nothing new. CPU time of one process; the work of the server is not counted, its disk is.
- growth: as many copies of the corpus as `--copies` says (20 are about 1 GB, 200 about 10 GB) are
  sent one after the other; for each, what is on the server's disk, table by table, and how long
  readers wait for a stated mix of queries, newest first, while another machine sends. CPU is that
  of an answer, of both sides: what the wait is on a machine that nobody else uses.
  With the smallest of these, 20 readers and 8 machines that send come at once: none may fail.
- open: a session of 25,000 records, from the store and from the files here.
- peer: agentsview's `pg push` of the same files to the same server.
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import psycopg
from msgspec import Struct

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import corpus, peers, results, teamload
from benchmarks.longsession import write_long
from benchmarks.measure import BenchmarkError, Command, Side, alternate, checked, percentile
from benchmarks.results import megabytes, say
from bough.store.postgres.server_connection import ServerConnection
from bough.store.postgres.team_members import add_member
from bough.team.push_plan import PushLevel
from bough.team.push_run import TeamPush
from bough.team.session_groups import choose_sessions, list_pushable
from tests.team_server import TeamServer, running_server

TITLE = "Team: what a team's database costs"
PARTS: Final = ("push", "open", "peer", "growth")
_LEAST = {"all": 6.0, "numbers": 15.0}
"""Megabytes a second of one core."""
_MOST_DISK = 1.2
_MOST_BARE_DISK = 0.75
"""Without JSON."""
_MOST_WAIT = 100.0
"""Milliseconds: the 95th percentile of the mix."""
_COPIES_EACH: Final = 2
"""So many copies each machine sends of what grows: 200 are sent by a hundred."""
_PAUSE: Final = 1.0
"""Seconds for which somebody reads what was found, about: beside readers who never rest."""
_MOST_OPEN = 1.5
_MISSED = 1
_READERS = 4
_MEMBER: Final = "benchmark_member"
_SIZE = """
    select sum(pg_total_relation_size(oid)) from pg_class
    where relnamespace = %s::regnamespace and relkind in ('r', 'm')
"""
_BY_TABLE = """
    select relname::text, pg_total_relation_size(oid) from pg_class
    where relnamespace = 'bough'::regnamespace and relkind = 'r' order by 2 desc
"""
_SHOWN_TABLES = ("word", "record", "frame", "body")
_CROWD: Final = (20, 8)
"""So many readers, and machines that send, come at once."""


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


class Part(Struct):
    """What a part of the benchmark found: its table, and whether all was as it should be."""

    name: str
    heads: list[str]
    rows: list[list[str]] = []
    is_met: bool = True


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


@contextmanager
def team_database(server: TeamServer) -> Iterator[teamload.Addresses]:
    """Lend a database that has one member."""
    with server.database() as url:
        with closing(ServerConnection(url)) as connection:
            made = add_member(connection, _MEMBER, "member")
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
        try:
            own = parts._replace(netloc=f"{made.name}:{made.token}@{host}").geturl()
            yield teamload.Addresses(url, own)
        finally:
            with psycopg.connect(url) as connection:
                connection.execute(f"drop role {_MEMBER}")


def push_once(server: TeamServer, claude: Path, level: PushLevel) -> PushCost:
    """Push everything to an empty database, and once more."""
    with team_database(server) as at, closing(TeamPush(at.member)) as team:
        started = time.process_time()
        chosen = choose_sessions([claude], [one.folder for one in list_pushable([claude])])
        plan = team.plan(chosen, level)
        looked = time.process_time()
        report = team.send(chosen, plan)
        sent = time.process_time()
        team.send(chosen, team.plan(chosen, level))
        ended = time.process_time()
        disk = read_size(at.keeper)
    return PushCost(report.bytes, looked - started, sent - looked, ended - sent, disk)


def read_size(url: str, schema: str = "bough") -> int:
    """Read how much disk the tables of a schema take, with their indexes."""
    with psycopg.connect(url) as connection:
        row = connection.execute(_SIZE, [schema]).fetchone()
    return int(row[0] or 0) if row else 0


def measure_push(server: TeamServer, given: argparse.Namespace) -> Part:
    """Measure sending, at both levels."""
    claude = corpus.source_projects(given.shared).parent
    part = Part(
        "push",
        ["level", "bytes", "look, CPU", "send, CPU", "nothing new, CPU", "rate", "disk there"],
    )
    levels: tuple[PushLevel, ...] = ("all", "numbers")
    for level in levels:
        costs = [push_once(server, claude, level) for _ in range(given.rounds)]
        rate = statistics.median(one.rate for one in costs)
        last = costs[-1]
        disk = last.disk / last.bytes
        part.is_met &= rate >= _LEAST[level] and disk <= _MOST_DISK
        part.rows.append(
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
    return part


def measure_growth(server: TeamServer, given: argparse.Namespace) -> Iterator[Part]:
    """Send more and more, and see what grows with it; let many come to the smallest of these."""
    kinds = (*teamload.KINDS, teamload.PHRASES)
    heads = [
        "sent",
        "of a core here",
        "of one there",
        "by the clock",
        "disk",
        "without JSON",
        *_SHOWN_TABLES,
        "the rest",
    ]
    heads += ["queries", "p50", "p95", "CPU p50", "CPU p95"]
    heads += [f"p95 with pauses of {_PAUSE:g} s"]
    part = Part("growth", [*heads, *(f"p95 {kind}" for kind in kinds)])
    source = corpus.source_projects(given.shared).parent
    for copies in given.copies:
        with team_database(server) as at:
            sent, rates = _send_copies(at, copies, given)
            part.rows.append(
                [
                    megabytes(sent),
                    *rates,
                    *_describe_disk(at.keeper, sent, part),
                    *_describe_waits(at, source, given, part),
                ]
            )
            say(" · ".join(part.rows[-1]))
            if copies == min(given.copies):
                yield part
                yield _measure_crowd(at, sent, given)
    yield part


def _send_copies(
    at: teamload.Addresses, copies: int, given: argparse.Namespace
) -> tuple[int, list[str]]:
    """Send copies of the corpus; gives how many bytes, and how quickly they were sent."""
    claude = corpus.multiplied(copies, given.scratch, given.shared, spread=True).projects.parent
    machines = max(1, copies // _COPIES_EACH)
    homes = [given.scratch / "team" / f"machine{number}" for number in range(machines)]
    started, server = time.monotonic(), _read_server_cpu(at.keeper)
    found = teamload.send_folder(at.member, claude, homes)
    took, server = time.monotonic() - started, _read_server_cpu(at.keeper) - server
    sent = sum(one.bytes for one in found)
    megabytes_sent = sent / 1e6
    return sent, [
        f"{megabytes_sent / sum(one.cpu for one in found):.1f} MB/s",
        f"{megabytes_sent / server:.1f} MB/s" if server else "-",
        f"{megabytes_sent / took:.1f} MB/s",
    ]


def _read_server_cpu(url: str) -> float:
    """Read how many seconds a server of this machine has run, with all that it began and ended."""
    with psycopg.connect(url) as connection:
        row = connection.execute("show data_directory").fetchone()
    with suppress(OSError, IndexError):
        pid = (Path(row[0] if row else "") / "postmaster.pid").read_text().split()[0]
        ran = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, ran[11:15])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def _measure_crowd(at: teamload.Addresses, sent: int, given: argparse.Namespace) -> Part:
    """Let many read and send at once."""
    readers, pushers = _CROWD
    heads = ["there", "readers", "who send", "queries", "p50", "p95", "CPU p95", "sent meanwhile"]
    part = Part("load", [*heads, "failed"])
    source = corpus.source_projects(given.shared).parent
    load = teamload.measure_load(
        at,
        teamload.choose_queries(at.keeper),
        teamload.Crowd(readers, given.seconds, pushers),
        push=source,
    )
    waits = load.waits()
    part.is_met = not load.failed
    part.rows.append(
        [
            megabytes(sent),
            f"{readers}",
            f"{pushers}",
            f"{len(waits):,}",
            f"{statistics.median(waits):.0f} ms",
            f"{percentile(waits, 0.95):.0f} ms",
            f"{percentile(load.cpus(), 0.95):.0f} ms",
            f"{load.rate:.2f} MB/s",
            f"{load.failed}",
        ]
    )
    return part


def _describe_disk(url: str, sent: int, part: Part) -> list[str]:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("vacuum analyze")
        sizes: dict[str, int] = dict(connection.execute(_BY_TABLE).fetchall())
    total = sum(sizes.values())
    shown = [sizes.get(table, 0) for table in _SHOWN_TABLES]
    bare = total - sizes.get("body", 0)
    part.is_met &= total <= _MOST_DISK * sent and bare <= _MOST_BARE_DISK * sent
    return [
        f"{total / sent:.2f} x (<= {_MOST_DISK})",
        f"{bare / sent:.2f} x (<= {_MOST_BARE_DISK})",
        *(f"{size / sent:.2f} x" for size in (*shown, total - sum(shown))),
    ]


def _describe_waits(
    at: teamload.Addresses, source: Path, given: argparse.Namespace, part: Part
) -> list[str]:
    queries = teamload.choose_queries(at.keeper)
    load, calm = (
        teamload.measure_load(
            at, queries, teamload.Crowd(given.readers, given.seconds, pause=pause), push=source
        )
        for pause in (0.0, _PAUSE)
    )
    waits, cpus = load.waits(), load.cpus()
    worst = percentile(waits, 0.95)
    part.is_met &= worst <= _MOST_WAIT and not load.failed and not calm.failed
    by_kind = [
        f"{percentile(found, 0.95):.0f} ms" if (found := load.waits(kind)) else "-"
        for kind in (*teamload.KINDS, teamload.PHRASES)
    ]
    return [
        f"{len(waits):,}",
        f"{statistics.median(waits):.0f} ms",
        f"{worst:.0f} ms (<= {_MOST_WAIT:.0f})",
        f"{statistics.median(cpus):.0f} ms",
        f"{percentile(cpus, 0.95):.0f} ms",
        f"{percentile(calm.waits(), 0.95):.0f} ms",
        *by_kind,
    ]


def measure_open(server: TeamServer, given: argparse.Namespace) -> Part:
    """Open a long session from the store, and from the files here, in turn."""
    home = given.scratch / "team" / "open"
    claude = home / "claude"
    (claude / "projects").mkdir(parents=True, exist_ok=True)
    session, records = write_long(claude)
    part = Part("open", ["records", "here, CPU", "store, CPU", "here", "store", "ratio"])
    with team_database(server) as at:
        url = at.member
        with closing(TeamPush(url)) as team:
            chosen = choose_sessions([claude], [one.folder for one in list_pushable([claude])])
            team.send(chosen, team.plan(chosen))
        env = peers.environment(home)
        bough = (sys.executable, "-m", "bough")
        index = ("--claude-dir", str(claude), "--index", str(home / "index.sqlite"))
        checked(Command((*bough, "index", *index), env, home))
        here, there = (
            Side(name, Command((*bough, "show", session, "--json", *words), env, home), *_NOTHING)
            for name, words in (("here", index), ("store", ("--store", url)))
        )
        ours, theirs = alternate([here, there], given.rounds)
    ratio = theirs.wall / ours.wall
    part.is_met = ratio <= _MOST_OPEN
    part.rows.append(
        [
            f"{records:,}",
            *(f"{one:.2f} s" for one in (ours.cpu, theirs.cpu, ours.wall, theirs.wall)),
            f"{ratio:.2f} x (<= {_MOST_OPEN})",
        ]
    )
    return part


def measure_peer(server: TeamServer, given: argparse.Namespace) -> Part:
    """Let agentsview send the same files to the same server, where it can be installed."""
    claude = corpus.source_projects(given.shared).parent
    part = Part("peer", ["program", "sent", "CPU", "wall", "again", "disk there"])
    try:
        peer = peers.install("agentsview", given.scratch)
    except (BenchmarkError, OSError) as error:
        part.rows.append(["agentsview", f"not installed: {error}", "-", "-", "-", "-"])
        return part
    size = sum(path.stat().st_size for path in (claude / "projects").rglob("*") if path.is_file())
    home = given.scratch / "team" / "peer"
    data = home / f"agentsview-{os.getpid()}"
    with server.database(empty=True) as url:
        env = peers.environment(home) | {
            "AGENTSVIEW_DATA_DIR": str(data),
            "AGENTSVIEW_NO_DAEMON": "1",
            "AGENTSVIEW_TELEMETRY_ENABLED": "0",
            "AGENTSVIEW_PG_URL": url,
            "AGENTSVIEW_PG_SCHEMA": "agentsview",
            "AGENTSVIEW_PG_MACHINE": "benchmark",
            "AGENTSVIEW_PG_ALLOW_INSECURE": "1",
            "CLAUDE_PROJECTS_DIR": str(claude / "projects"),
        }
        push = Command((peer.program, "pg", "push", "--no-vectors"), env, home)
        try:
            # What it keeps here comes first, and is no part of the sending; ours has no such step.
            checked(Command((peer.program, "sync"), env, home))
            first, again = checked(push), checked(push)
        except BenchmarkError as error:
            part.rows.append([f"agentsview {peer.version}", f"failed: {error}", *"----"])
            return part
        finally:
            peers.stop_daemons(data, peer.program)
        disk = read_size(url, "agentsview")
    part.rows.append(
        [
            f"agentsview {peer.version}",
            megabytes(size),
            f"{first.cpu:.2f} s",
            f"{first.wall:.2f} s",
            f"{again.wall:.2f} s",
            f"{disk / size:.2f} x",
        ]
    )
    return part


def _do_nothing() -> None:
    """Stand before and after a run that needs nothing."""


_NOTHING: Final = (_do_nothing, _do_nothing)
_MEASURES: Final = {
    "push": measure_push,
    "open": measure_open,
    "peer": measure_peer,
}
"""What is measured at once; growth goes on for long, and tells what it has so far."""


def _measure(server: TeamServer, given: argparse.Namespace) -> Iterator[Part]:
    """Measure one part after the other; what is done is written before the next begins."""
    for name in given.part or PARTS:
        if name == "growth":
            yield from measure_growth(server, given)
        else:
            yield _MEASURES[name](server, given)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, write the section, and say whether every budget is met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--copies", type=int, action="append", help="of the corpus; may be given again"
    )
    parser.add_argument(
        "--part", choices=PARTS, action="append", help="only this; may be given again"
    )
    parser.add_argument("--readers", type=int, default=_READERS)
    parser.add_argument("--seconds", type=float, default=30.0, help="for which readers ask")
    parser.add_argument("--shared", type=Path, default=corpus.SHARED)
    parser.add_argument("--scratch", type=Path, default=corpus.SCRATCH)
    parser.add_argument("--results", type=Path, default=results.FILE)
    given = parser.parse_args(arguments)
    given.copies = given.copies or [20, 60, 200]
    mix = "a quarter each of words in > 10 %, 1-10 % and < 0.1 % of the rows and of phrases"
    facts = [
        f"Medians of {given.rounds} rounds",
        "CPU time of the client alone, one process",
        "Sent and read as a member, for whom policies hold",
        f"What grows was sent by a machine for every {_COPIES_EACH} copies, one per core at once",
        f"{given.readers} readers, newest first, {mix}, while another machine sends",
    ]
    parts: dict[str, Part] = {}
    with own_data(given.scratch / "team"), running_server() as server:
        for part in _measure(server, given):
            parts[part.name] = part
            tables = [results.table(one.heads, one.rows) for one in parts.values()]
            results.write(given.results, TITLE, results.section(TITLE, facts, {}, tables))
    for part in parts.values():
        for row in part.rows:
            say(f"{part.name}: " + " · ".join(row))
    return 0 if all(part.is_met for part in parts.values()) else _MISSED


if __name__ == "__main__":
    raise SystemExit(main())
