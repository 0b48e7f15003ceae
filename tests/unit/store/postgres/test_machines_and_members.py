"""Whose it is in a team's store: usage, hits and lists by machine and by member."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bough import library
from bough.errors import Misuse
from bough.ingest.index.refresh import refresh_index
from bough.query.index.handle import open_index
from bough.query.index.index_access import IndexAccess
from bough.query.search.completion import complete_query, gather_vocabulary
from bough.sample import session
from bough.store.postgres.postgres_store import PostgresStore
from bough.store.rows import MachineRow
from bough.store.search_protocol import SearchRequest
from bough.web.runtime.list_cache import ListCache
from tests.searched import asked
from tests.team_server import DESKTOP, LAPTOP, TeamServer

NOW = datetime.now(UTC)
BENS_LAPTOP = MachineRow("3c" * 16, "ben", "laptop")


@pytest.fixture(scope="module")
def url(team_server: TeamServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Lend a store to which three machines of two people sent, all from the same folder."""
    with team_server.database() as url:
        for machine, answers in ((LAPTOP, 1), (DESKTOP, 2), (BENS_LAPTOP, 4)):
            folder = tmp_path_factory.mktemp("claude")
            told = session(
                f"of {machine.id}", cwd="/home/dev/orchard", start=NOW - timedelta(days=2)
            )
            told.user("Count the kumquats")
            for _ in range(answers):
                told.assistant("One kumquat.")
            told.write(folder)
            with closing(PostgresStore(url, machine=machine)) as store:
                refresh_index(store, [folder], workers=1)
        yield url


def _calls(url: str, by: str) -> dict[str, int]:
    """Count calls by what they are broken down by, in all days together."""
    table = library.usage("monthly", by=by, index=url, zone="UTC", now=NOW)
    found: dict[str, int] = {}
    for row in table.rows:
        for key, amount in row.by.items():
            found[key] = found.get(key, 0) + amount.calls
    assert sum(found.values()) == table.total.calls
    return found


def test_usage_is_broken_down_by_machine_and_by_member(url: str) -> None:
    assert _calls(url, "member") == {"ann": 1, "ben": 6}
    machines = _calls(url, "machine")
    assert sorted(machines.values()) == [1, 2, 4]
    assert machines["laptop"] == 1
    assert machines["desktop"] == 2


def test_lines_break_usage_down_as_sums_do(url: str) -> None:
    def add_up(since: str | None) -> dict[str, int]:
        rows = library.usage("session", by="machine", since=since, index=url, now=NOW).rows
        return {key: amount.calls for row in rows for key, amount in row.by.items()}

    # Within a quarter of an hour only lines can tell.
    assert add_up("2025-01-01 00:07") == add_up(None)


def test_two_machines_of_one_name_are_told_apart(url: str) -> None:
    with open_index(index=url) as handle:
        named = {row.machine: row.owner for row in handle.store.sessions()}

    assert named == {"laptop": "ann", "desktop": "ben", "laptop-3c3c3c3c": "ben"}
    assert named.keys() == _calls(url, "machine").keys()


def test_usage_of_one_machine_is_not_broken_down_by_machines(tmp_path: Path) -> None:
    session("alone").user("Count").assistant("One.").write(tmp_path)

    for by in ("machine", "member"):
        with pytest.raises(Misuse, match="--store"):
            library.usage("daily", by=by, claude_dir=tmp_path, no_index=True, now=NOW)


def test_hits_are_spread_over_machines_and_members_and_narrow_to_as_many(url: str) -> None:
    with closing(PostgresStore(url)) as store:
        facets = store.count_facets(SearchRequest(asked("kumquat")))
        assert facets is not None
        assert facets.members == {"ann": 1, "ben": 6}
        assert sorted(facets.machines.values()) == [1, 2, 4]
        for field, numbers in (("machine", facets.machines), ("member", facets.members)):
            for value, number in numbers.items():
                narrowed = store.search(SearchRequest(asked(f"kumquat {field}:{value}")))
                others = store.search(SearchRequest(asked(f"kumquat -{field}:{value}")))
                assert (narrowed.total, others.total) == (number, 7 - number)


def test_machines_and_members_are_completed_where_there_are_some(url: str, tmp_path: Path) -> None:
    claude = tmp_path / "claude"
    session("alone").user("Count").assistant("One.").write(claude)
    with open_index(index=url) as handle:
        words = gather_vocabulary(handle)
    with open_index([claude], tmp_path / "index.sqlite") as handle:
        alone = gather_vocabulary(handle)

    assert [one.text for one in complete_query("mem", 3, words).items] == ["member:"]
    assert {one.text for one in complete_query("member:", 7, words).items} == {"ann", "ben"}
    assert complete_query("mem", 3, alone).items == ()


def test_home_counts_each_project_of_each_machine_by_itself(url: str) -> None:
    lists = ListCache(IndexAccess(index=url), lambda: True, lambda: None).now()

    spent = [lists.recent[one.folder].calls for one in lists.projects]
    assert sorted(spent) == [1, 2, 4]
    assert [sum(lists.days[one.folder]) for one in lists.projects] == spent
