"""How long a first page of hits takes, in a process that is already running.

    python -m benchmarks.search --index FILE QUERIES.json

QUERIES.json is a list of queries. Prints a JSON list of milliseconds: every query as often
as --rounds says, each time with reading the excerpts from the files. One search before the
clock starts stands for the process that is running already.
"""

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

import msgspec

from bough.query.search.search import search
from bough.store.query_language import parse
from bough.store.sqlite.store import SqliteStore


def measured(index: Path, queries: list[str], *, newest: bool, rounds: int) -> list[float]:
    """Ask every query in turn and give the times in milliseconds."""
    store = SqliteStore(index, reading=True)
    times: list[float] = []
    try:
        _ask(store, "warm", newest=newest)
        for query in queries * rounds:
            start = perf_counter()
            _ask(store, query, newest=newest)
            times.append((perf_counter() - start) * 1000)
    finally:
        store.close()
    return times


def _ask(store: SqliteStore, text: str, *, newest: bool) -> None:
    query = parse(text, datetime.now(UTC), UTC)
    search(store, query, order="newest" if newest else "relevance")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--newest", action="store_true", help="by time instead of relevance")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("queries", type=Path)
    given = parser.parse_args()
    queries = msgspec.json.decode(given.queries.read_bytes(), type=list[str])
    times = measured(given.index, queries, newest=given.newest, rounds=given.rounds)
    sys.stdout.write(msgspec.json.encode([round(ms, 3) for ms in times]).decode() + "\n")


if __name__ == "__main__":
    main()
