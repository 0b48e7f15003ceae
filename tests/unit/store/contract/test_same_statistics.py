"""Sums for statistics in a team's store: each report is what rows say, and what SQLite says."""

from contextlib import closing, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typing_extensions import override

from bough.ingest.index.refresh import refresh_index
from bough.query.stats.stats_report import (
    STATS_REPORTS,
    StatsQuestion,
    list_sum_kinds,
    report_stats,
)
from bough.query.stats.tools import TOOL_SUMS
from bough.sample import session
from bough.sample.demo import write_demo
from bough.store.postgres.postgres_store import PostgresStore
from bough.store.postgres.statistics.behaviour_queries import PostgresStatsSource
from bough.store.postgres.statistics.report_sums import complete_stats
from bough.store.sqlite.store import SqliteStore
from bough.store.stats_protocol import StatsScope
from tests.changing_history import ACTS, CHANGES, START, History, act
from tests.sampled import scale_examples
from tests.team_people import team_of
from tests.team_server import LAPTOP, TeamServer
from tests.unit.store.contract.conftest import StorePair

ALL = StatsScope()


class _Rows(PostgresStatsSource):
    """Looks at all rows."""

    @override
    def open_sums(self, *_: object) -> Any:
        """Give no sums."""
        return nullcontext(None)


def _reports(source: Any, scope: StatsScope, zone: Any = UTC) -> dict[str, object]:
    asked = StatsQuestion(scope=scope, zone=zone)
    return {
        report: msgspec.to_builtins(report_stats(report, source, asked)) for report in STATS_REPORTS
    }


def _compare(store: PostgresStore, scope: StatsScope, zone: Any = UTC) -> None:
    found = _reports(store.behaviour(), scope, zone)
    for report, expected in _reports(_Rows(store.connection), scope, zone).items():
        assert found[report] == expected, report


@given(
    changes=st.lists(
        st.tuples(CHANGES, st.integers(0, 60), st.lists(ACTS, min_size=1, max_size=4)),
        min_size=2,
        max_size=5,
    ),
    data=st.data(),
)
@settings(
    max_examples=scale_examples(6),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
def test_sums_and_the_rows_that_are_left_are_all_rows(
    team_server: TeamServer, changes: list[tuple[str, int, list[str]]], data: st.DataObject
) -> None:
    with TemporaryDirectory() as folder, team_server.database() as url:
        history = History(Path(folder))
        with (
            closing(PostgresStore(url, machine=LAPTOP)) as team,
            closing(SqliteStore(history.index)) as local,
        ):
            for change in changes:
                history.change(*change)
                for store in (team, local):
                    refresh_index(store, [history.claude], workers=1)
                _compare(team, ALL)  # with sums that are too old
                complete_stats(team.connection, list_sum_kinds())
                _compare(team, ALL, ZoneInfo("Asia/Kathmandu"))
                assert _reports(team.behaviour(), ALL) == _reports(local.behaviour(), ALL)
                moments = sorted(
                    str(one.get("timestamp", ""))
                    for made in history.sessions
                    for one in made.records()
                )
                bound = st.none() | st.sampled_from(moments)
                projects = st.sampled_from([one.id for one in team.projects()])
                scope = StatsScope(
                    data.draw(st.none() | projects.map(lambda one: (one,))),
                    since=data.draw(bound),
                    until=data.draw(bound),
                )
                _compare(team, scope)


def test_both_stores_report_the_same_from_sums(pair: StorePair, tmp_path: Path) -> None:
    pair.folder = write_demo(tmp_path / "demo", datetime(2026, 11, 15, 12, tzinfo=UTC))
    pair.refresh()
    complete_stats(pair.team.connection, list_sum_kinds())
    for builder in list_sum_kinds():
        with pair.reader.behaviour().open_sums(builder, ALL) as parts:
            assert parts is not None
            assert parts.values

    assert _reports(pair.reader.behaviour(), ALL) == _reports(pair.local.behaviour(), ALL)


def test_only_the_sums_of_files_that_changed_are_made_anew(
    team_server: TeamServer, tmp_path: Path
) -> None:
    sessions = [session(f"{number}", start=START).user("hi") for number in range(3)]
    for made in sessions:
        act(made, "tools")
        made.write(tmp_path)

    def sums(store: PostgresStore) -> set[tuple[object, ...]]:
        question = "select xmin::text, file_id, kind from stats_sum"
        return set(store.connection.fetch_all(question))

    with (
        team_server.database() as url,
        closing(PostgresStore(url, machine=LAPTOP)) as store,
    ):
        refresh_index(store, [tmp_path], workers=1)
        complete_stats(store.connection, list_sum_kinds())
        before = sums(store)
        complete_stats(store.connection, list_sum_kinds())
        assert sums(store) == before
        act(sessions[1], "tools")
        sessions[1].write(tmp_path)
        refresh_index(store, [tmp_path], workers=1)
        complete_stats(store.connection, list_sum_kinds())

        assert len(before) == 3 * len(list_sum_kinds())
        assert len(before & sums(store)) == 2 * len(list_sum_kinds())


def test_what_two_people_have_counts_once_for_who_sees_both_and_is_no_sign_to_others(
    team_server: TeamServer, tmp_path: Path
) -> None:
    told = session("pulled", cwd="/home/dev/orchard", start=START).user("hi")
    act(told, "tools")
    with team_of(team_server) as people:
        for name in ("ann", "ben", "cat"):
            url = people.add(name)
            told.write(tmp_path / name)
            machine = msgspec.structs.replace(LAPTOP, id=f"{ord(name[0]):02x}" * 16, owner=name)
            with closing(PostgresStore(url, machine=machine)) as store:
                refresh_index(store, [tmp_path / name], workers=1)
                complete_stats(store.connection, list_sum_kinds())
        with people.sql() as chief:
            chief.execute(
                "insert into share (owner, member, identity, level, added_by)"
                " select 'ann', 'ben', identity, 'read', 'ann' from project p"
                " join machine m on m.id = p.machine_id where m.owner = 'ann'"
            )
        totals = {}
        for name in ("ann", "ben", "cat"):
            with people.store(name) as store:
                _compare(store, ALL)
                totals[name] = _reports(store.behaviour(), ALL)["tools"]
                with store.behaviour().open_sums(TOOL_SUMS, ALL) as parts:
                    assert parts is not None
                    assert bool(parts.values) == (name != "ben")
                kin = store.connection.fetch_all("select * from stats_kin")
                assert len(kin) == (2 if name == "ben" else 0)
    assert totals["ann"] == totals["ben"] == totals["cat"]
