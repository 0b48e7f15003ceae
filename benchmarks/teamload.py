"""What readers of a team's store wait for, while somebody sends.

    python -m benchmarks.teamload read --store URL --seconds N QUERIES.json
    python -m benchmarks.teamload push --store URL CLAUDE_FOLDER

QUERIES.json is a list of [kind, query]. Readers ask them in turn, newest first, until the time is
up, and print a JSON list of [kind, milliseconds]. Each runs in a process of its own.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from itertools import cycle
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any

import msgspec
import psycopg

from benchmarks.corpus import REPOSITORY
from bough.archive.storage.archive_folder import machine_id
from bough.query.search.search import search
from bough.store.postgres.postgres_store import PostgresStore
from bough.store.query_language import parse
from bough.team.push_run import TeamPush
from bough.team.session_groups import choose_sessions, list_pushable

# A word's share of the rows of words, from and to.
KINDS = {"> 10 %": (0.1, 1.1), "1-10 %": (0.01, 0.1), "< 0.1 %": (0.0, 0.001)}
PHRASES = "phrases"
_EACH = 25
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


def measure_load(
    url: str, queries: Sequence[tuple[str, str]], *, readers: int, seconds: float, push: Path | None
) -> dict[str, list[float]]:
    """Let readers ask, and one more send a folder meanwhile; gives milliseconds by kind."""
    with tempfile.TemporaryDirectory(prefix="bough-teamload-") as folder:
        asked = Path(folder) / "queries.json"
        asked.write_bytes(msgspec.json.encode(queries))
        module = [sys.executable, "-m", "benchmarks.teamload"]
        env = os.environ | {"XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder}
        pusher = (
            subprocess.Popen([*module, "push", "--store", url, str(push)], env=env, cwd=REPOSITORY)
            if push is not None
            else None
        )
        asking = [
            subprocess.Popen(
                [*module, "read", "--store", url, "--seconds", str(seconds), str(asked)],
                stdout=subprocess.PIPE,
                cwd=REPOSITORY,
            )
            for _ in range(readers)
        ]
        times: dict[str, list[float]] = {}
        failed = 0
        for one in asking:
            said, _ = one.communicate()
            failed += one.returncode != 0
            answers: list[Any] = msgspec.json.decode(said) if said else []
            for kind, took in answers:
                times.setdefault(kind, []).append(took)
        if pusher is not None:
            pusher.terminate()
            pusher.wait()
    if failed:
        raise RuntimeError(f"{failed} of {readers} readers failed")
    return times


def _read(url: str, seconds: float, queries: Sequence[tuple[str, str]]) -> list[tuple[str, float]]:
    times = []
    with closing(PostgresStore(url)) as store:
        _ask(store, "warm")
        end = monotonic() + seconds
        # Each begins elsewhere.
        start = os.getpid() % max(1, len(queries))
        for kind, text in cycle([*queries[start:], *queries[:start]]):
            if monotonic() > end:
                break
            started = perf_counter()
            _ask(store, text)
            times.append((kind, round((perf_counter() - started) * 1000, 3)))
    return times


def _ask(store: PostgresStore, text: str) -> None:
    search(store, parse(text, datetime.now(UTC), UTC), order="newest")


def _push(url: str, claude: Path) -> None:
    """Send everything, again and again, until somebody ends it."""
    machine = machine_id(make=True)
    while True:
        with closing(TeamPush(url)) as team:
            chosen = choose_sessions([claude], [one.folder for one in list_pushable([claude])])
            team.send(chosen, team.plan(chosen))
        with psycopg.connect(url) as connection:
            for table in ("frame", "record", "word", "usage"):
                connection.execute(
                    f"delete from bough.{table} where file_id in"  # type: ignore[arg-type] # our names
                    " (select id from bough.file where machine_id = %s::uuid)",
                    [machine],
                )
            connection.execute("delete from bough.file where machine_id = %s::uuid", [machine])


def main() -> None:
    """Read, or send, as one of several."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("work", choices=["read", "push"])
    parser.add_argument("place", type=Path)
    parser.add_argument("--store", required=True)
    parser.add_argument("--seconds", type=float, default=10.0)
    given = parser.parse_args()
    if given.work == "push":
        _push(given.store, given.place)
        return
    queries = msgspec.json.decode(given.place.read_bytes(), type=list[tuple[str, str]])
    found = _read(given.store, given.seconds, queries)
    sys.stdout.write(msgspec.json.encode(found).decode() + "\n")


if __name__ == "__main__":
    main()
