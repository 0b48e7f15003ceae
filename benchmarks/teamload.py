"""What readers of a team's store wait for, while others send.

    python benchmarks/teamload.py load --store URL --keeper URL --readers N --pushers N FOLDER
    python benchmarks/teamload.py read --store URL --seconds N [--pause SECONDS] QUERIES.json
    python benchmarks/teamload.py push --store URL --keeper URL CLAUDE_FOLDER
    python benchmarks/teamload.py send --store URL --share I/N CLAUDE_FOLDER

--store names the database as a member comes to it, so that policies hold for who reads and who
sends; --keeper as who keeps it, who chooses the words and removes what was sent.

QUERIES.json is a list of [kind, query]. Readers ask them in turn, newest first, with the words
around each hit, until the time is up, and print a JSON list of answers. They ask at once again, or
with `--pause` after about so long, as people do, who read what they found. Each runs in a process
of its own, and each who sends is a machine of its own. Beside the time that a reader waits there is
the CPU time of an answer, of the reader and of its server processes where these are on this
machine: on a machine that others use too, the wait is mostly theirs.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from datetime import UTC, datetime
from itertools import cycle
from pathlib import Path
from time import monotonic, perf_counter, process_time, sleep
from typing import TextIO

import msgspec
import psycopg
from msgspec import Struct

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from benchmarks.corpus import REPOSITORY
from benchmarks.measure import BenchmarkError, percentile
from bough.archive.storage.archive_folder import machine_id
from bough.query.search.search import search
from bough.store.postgres import frame_bytes
from bough.store.postgres.postgres_store import PostgresStore
from bough.store.query_language import parse
from bough.team.push_plan import Progress
from bough.team.push_run import TeamPush
from bough.team.session_groups import choose_sessions, list_pushable

# A word's share of the rows of words, from and to.
KINDS = {"> 10 %": (0.1, 1.1), "1-10 %": (0.01, 0.1), "< 0.1 %": (0.0, 0.001)}
PHRASES = "phrases"
_EACH = 25
_SENT = "sent-bytes"
"""Where who sends says how much each session was that was sent; it is there when sending begins."""
_MOST_WAIT = 600.0
"""Seconds until everybody who sends has looked for secrets, and begins."""
_SOME = "bough.word tablesample system (20)"
_STATISTICS = f"""
    select word, ndoc from ts_stat('select array_to_tsvector(string_to_array(words, $_$ $_$))
        from {_SOME}')
    where length(word) between 3 and 20 and word ~ '^[a-z]+$'
"""
_ROWS = f"select count(*) from {_SOME}"
_PHRASES = f"""
    select pair from (select words from {_SOME} order by random() limit 400) w,
        lateral (select word || ' ' || lead(word) over (order by place) as pair
            from regexp_split_to_table(words, ' ') with ordinality one(word, place)
        ) near
    where pair ~ '^[a-z]{{3,20}} [a-z]{{3,20}}$' order by random() limit %s
"""
_BY_FILE = """
    select c.relname::text from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'bough'::regnamespace and c.relkind in ('r', 'p')
    and a.attname = 'file_id' and not a.attisdropped and not c.relispartition
"""


def choose_queries(url: str, seed: int = 7) -> list[tuple[str, str]]:
    """Choose a quarter each of common, middling and rare words, and of phrases."""
    dice = random.Random(seed)
    with psycopg.connect(url) as connection:
        connection.execute("select setseed(0.7)")
        row = connection.execute(_ROWS).fetchone()
        rows = int(row[0]) if row else 0
        words: list[tuple[str, int]] = connection.execute(_STATISTICS).fetchall()
        phrases = [f'"{one[0]}"' for one in connection.execute(_PHRASES, [_EACH]).fetchall()]
    found = [(PHRASES, phrase) for phrase in phrases]
    for kind, (least, most) in KINDS.items():
        fitting = sorted(word for word, n in words if rows * least <= n < rows * most)
        found += [(kind, word) for word in dice.sample(fitting, min(_EACH, len(fitting)))]
    dice.shuffle(found)
    return found


class Answer(Struct, frozen=True):
    """How long one answer took: milliseconds of waiting, and of CPU, of both sides."""

    kind: str
    wait: float
    cpu: float


class Load(Struct, frozen=True):
    """What was answered, how many bytes others sent in how many seconds, and how many failed."""

    answers: list[Answer]
    sent: int
    took: float
    failed: int

    @property
    def rate(self) -> float:
        """Give the megabytes that were sent in a second."""
        return self.sent / 1e6 / self.took

    def waits(self, kind: str | None = None) -> list[float]:
        """List the waits, in order: of a kind of queries, or all."""
        return sorted(one.wait for one in self.answers if kind in (None, one.kind))

    def cpus(self, kind: str | None = None) -> list[float]:
        """List the CPU times, in order."""
        return sorted(one.cpu for one in self.answers if kind in (None, one.kind))


class Addresses(Struct, frozen=True):
    """A database as who keeps it comes to it, and as a member does."""

    keeper: str
    member: str


class Crowd(Struct, frozen=True):
    """Who comes at once, for how many seconds, and about how long readers rest between answers."""

    readers: int
    seconds: float
    pushers: int = 1
    pause: float = 0.0

    def options(self) -> tuple[str, ...]:
        """Give what each reader is told."""
        return "--seconds", str(self.seconds), "--pause", str(self.pause)


def measure_load(
    at: Addresses, queries: Sequence[tuple[str, str]], crowd: Crowd, *, push: Path
) -> Load:
    """Let readers ask, and others send a folder meanwhile.

    Readers begin when everybody who sends has looked for secrets: on a machine that many use, that
    alone takes longer than the readers ask.
    """
    with tempfile.TemporaryDirectory(prefix="bough-teamload-") as folder:
        asked = Path(folder) / "queries.json"
        asked.write_bytes(msgspec.json.encode(queries))
        module = [sys.executable, "-m", "benchmarks.teamload"]
        places = [Path(folder) / f"{number}" for number in range(crowd.pushers)]
        sending = [
            subprocess.Popen(
                [*module, "push", "--store", at.member, "--keeper", at.keeper, str(push)],
                env=os.environ | {"XDG_DATA_HOME": str(place), "XDG_CONFIG_HOME": str(place)},
                cwd=REPOSITORY,
            )
            for place in places
        ]
        counts = [place / _SENT for place in places]
        _wait_for(counts, sending)
        before = _count_bytes(counts)
        asking = [
            subprocess.Popen(
                [*module, "read", "--store", at.member, *crowd.options(), str(asked)],
                stdout=subprocess.PIPE,
                cwd=REPOSITORY,
            )
            for _ in range(crowd.readers)
        ]
        answers: list[Answer] = []
        failed = 0
        started = monotonic()
        for one in asking:
            said, _ = one.communicate()
            failed += one.returncode != 0
            answers += msgspec.json.decode(said, type=list[Answer]) if said else []
        sent, took = _count_bytes(counts) - before, monotonic() - started
        failed += sum(one.poll() is not None for one in sending)
        for one in sending:
            one.terminate()
            one.wait()
        return Load(answers, sent, took, failed)


class Sent(Struct, frozen=True):
    """What one machine sent: bytes, and the seconds of CPU and of waiting that it took."""

    bytes: int
    cpu: float
    took: float


def send_folder(url: str, claude: Path, places: Sequence[Path]) -> list[Sent]:
    """Let as many machines as there are places send a folder once, each its share of it.

    As many at once as this machine has cores.
    """
    module = [sys.executable, "-m", "benchmarks.teamload", "send", "--store", url]

    def send(number: int) -> Sent:
        place = str(places[number])
        ended = subprocess.run(
            [*module, "--share", f"{number}/{len(places)}", str(claude)],
            env=os.environ | {"XDG_DATA_HOME": place, "XDG_CONFIG_HOME": place},
            cwd=REPOSITORY,
            stdout=subprocess.PIPE,
            check=False,
        )
        if ended.returncode:
            raise BenchmarkError("a machine that sends failed")
        return msgspec.json.decode(ended.stdout, type=Sent)

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        return list(threads.map(send, range(len(places))))


def _send(url: str, claude: Path, share: str) -> Sent:
    number, _, machines = share.partition("/")
    started, begun = monotonic(), process_time()
    with closing(TeamPush(url)) as team:
        folders = sorted(one.folder for one in list_pushable([claude]))
        chosen = choose_sessions([claude], folders[int(number) :: int(machines)])
        report = team.send(chosen, team.plan(chosen))
    return Sent(report.bytes, process_time() - begun, monotonic() - started)


def _wait_for(places: Sequence[Path], sending: Sequence["subprocess.Popen[bytes]"]) -> None:
    """Wait until everybody who sends has begun, or one of them has ended."""
    end = monotonic() + _MOST_WAIT
    while not all(place.exists() for place in places) and monotonic() < end:
        if any(one.poll() is not None for one in sending):
            return
        sleep(0.1)


def _count_bytes(places: Sequence[Path]) -> int:
    """Count the bytes that were sent so far; a line that is being written counts next time."""
    texts = [place.read_text() for place in places if place.exists()]
    return sum(int(line) for text in texts for line in text.splitlines(True) if line[-1] == "\n")


def _read(
    url: str, seconds: float, pause: float, queries: Sequence[tuple[str, str]]
) -> list[Answer]:
    answers = []
    dice = random.Random(os.getpid())
    with closing(PostgresStore(url)) as store:
        _ask(store, "warm")
        processes = [
            one.raw.info.backend_pid for one in (store.connection, frame_bytes.open_shared(url))
        ]
        end = monotonic() + seconds
        # Each begins elsewhere.
        start = os.getpid() % max(1, len(queries))
        for kind, text in cycle([*queries[start:], *queries[:start]]):
            sleep(dice.uniform(0, 2 * pause))
            if monotonic() > end:
                break
            cpu = process_time() + _read_cpu(processes)
            started = perf_counter()
            _ask(store, text)
            wait = perf_counter() - started
            cpu = process_time() + _read_cpu(processes) - cpu
            answers.append(Answer(kind, round(wait * 1000, 3), round(cpu * 1000, 3)))
    return answers


def _read_cpu(processes: Sequence[int]) -> float:
    """Read how many seconds processes of this machine have run; of others, none."""
    with suppress(OSError):
        files = [Path(f"/proc/{process}/schedstat") for process in processes]
        return sum(int(file.read_text().split()[0]) for file in files) / 1e9
    return 0.0


def _ask(store: PostgresStore, text: str) -> None:
    query = parse(text, datetime.now(UTC), UTC)
    search(store, query, order="newest", sources=frame_bytes.FrameFinder(store.connection.url))


def _push(url: str, keeper: str, claude: Path) -> None:
    """Send everything, again and again, until somebody ends it."""
    machine = machine_id(make=True)
    counts = Path(os.environ["XDG_DATA_HOME"]) / _SENT
    while True:
        with closing(TeamPush(url)) as team:
            chosen = choose_sessions([claude], [one.folder for one in list_pushable([claude])])
            plan = team.plan(chosen)
            with counts.open("a", buffering=1) as sent:
                team.send(chosen, plan, _tell_steps(sent))
        with psycopg.connect(keeper) as connection:
            for (table,) in connection.execute(_BY_FILE).fetchall():
                connection.execute(
                    f"delete from bough.{table} where file_id in"  # type: ignore[arg-type] # our names
                    " (select id from bough.file where machine_id = %s::uuid)",
                    [machine],
                )
            connection.execute("delete from bough.file where machine_id = %s::uuid", [machine])


def _tell_steps(sent: TextIO) -> Progress:
    """Write down each step of a sending: how many bytes it was."""
    before = 0

    def tell(done: int, _: int) -> None:
        nonlocal before
        sent.write(f"{done - before}\n")
        before = done

    return tell


def _print_load(given: argparse.Namespace) -> None:
    load = measure_load(
        Addresses(given.keeper, given.store),
        choose_queries(given.keeper),
        Crowd(given.readers, given.seconds, given.pushers, given.pause),
        push=given.place,
    )
    for kind in (None, *KINDS, PHRASES):
        waits, cpus = load.waits(kind), load.cpus(kind)
        if not waits:
            continue
        shown = " ".join(
            f"{name} p50 {percentile(times, 0.5):.0f} p95 {percentile(times, 0.95):.0f} ms"
            for name, times in (("wait", waits), ("CPU", cpus))
        )
        sys.stdout.write(f"{kind or 'all'}: {len(waits)} answers, {shown}\n")
    sys.stdout.write(f"sent meanwhile {load.rate:.2f} MB/s, {load.failed} failed\n")


def main() -> None:
    """Read, or send, as one of several; or be all of them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("work", choices=["load", "read", "push", "send"])
    parser.add_argument("place", type=Path)
    parser.add_argument("--store", required=True)
    parser.add_argument("--keeper", default="")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--readers", type=int, default=4)
    parser.add_argument("--pushers", type=int, default=1)
    parser.add_argument("--pause", type=float, default=0.0)
    parser.add_argument("--share", default="0/1")
    given = parser.parse_args()
    if given.work == "load":
        _print_load(given)
        return
    if given.work == "push":
        _push(given.store, given.keeper, given.place)
        return
    if given.work == "send":
        sent = _send(given.store, given.place, given.share)
        sys.stdout.write(msgspec.json.encode(sent).decode() + "\n")
        return
    queries = msgspec.json.decode(given.place.read_bytes(), type=list[tuple[str, str]])
    found = _read(given.store, given.seconds, given.pause, queries)
    sys.stdout.write(msgspec.json.encode(found).decode() + "\n")


if __name__ == "__main__":
    main()
