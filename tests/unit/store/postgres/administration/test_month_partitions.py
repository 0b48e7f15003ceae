"""Tables in parts by month: the same answers, the same guards, and a month that can be dropped."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from bough.store.postgres.administration.month_partitions import PARTED
from bough.store.postgres.schema_scripts import migrate
from bough.store.postgres.server_connection import ServerConnection
from bough.store.postgres.team_check import find_gaps
from tests.cli.screens import run_now
from tests.team_people import People, Sent, team_of
from tests.team_server import TeamServer


@pytest.fixture(scope="module")
def parted(
    team_server: TeamServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[People, Sent, Sent]]:
    """Lend a team that sent something before its tables were in parts, and something after."""
    place = tmp_path_factory.mktemp("people")
    with team_of(team_server) as people:
        sent = []
        for name in ("ann", "ben"):
            people.add(name)
            (place / name / "projects").mkdir(parents=True)
        sent += people.send("ann", place / "ann", ["orchard"])
        migrate(people.url, partitions=True)
        sent += people.send("ben", place / "ben", ["shop"])
        yield people, sent[0], sent[1]


def _count(people: People, table: str, name: str | None = None) -> int:
    with people.sql(name) as connection:
        row = connection.execute(f"select count(*) from {table}").fetchone()
    return int(row[0]) if row else -1


def test_what_was_there_stays_and_what_comes_goes_to_its_month(
    parted: tuple[People, Sent, Sent],
) -> None:
    people = parted[0]
    with people.sql() as connection:
        (month,) = connection.execute(
            "select to_char(now() at time zone 'UTC', 'YYYY_MM')"
        ).fetchone() or ("",)
    for table in PARTED:
        before, now = _count(people, f"{table}_before"), _count(people, f"{table}_{month}")
        assert before > 0
        assert now > 0
        assert _count(people, table) == before + now
        assert _count(people, f"{table}_rest") == 0


def test_everybody_finds_and_reads_what_is_theirs_and_nothing_else(
    parted: tuple[People, Sent, Sent],
) -> None:
    people, anns, bens = parted
    for own, other in ((anns, bens), (bens, anns)):
        url = people.url_of(own.owner)
        assert own.word in run_now("search", own.word, "--store", url).stdout
        assert own.word in run_now("show", own.session, "--store", url).stdout
        assert other.word not in run_now("search", other.word, "--store", url).stdout
        assert run_now("show", other.session, "--store", url).returncode == 1


def test_parts_are_reached_through_their_table_alone(parted: tuple[People, Sent, Sent]) -> None:
    people = parted[0]
    with closing(ServerConnection(people.url)) as connection:
        assert find_gaps(connection) == []
        parts = connection.fetch_all(
            "select inhrelid::regclass::text from pg_inherits"
            " where inhparent = any(%s::text[]::regclass[])",
            [list(PARTED)],
        )
    assert len(parts) == len(PARTED) * 15
    with people.sql("ben") as connection:
        for (part,) in parts:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(f"select * from {part}")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("select * from word")
    assert 0 < _count(people, "record", "ben") < _count(people, "record")


def test_every_index_is_there_in_every_part(parted: tuple[People, Sent, Sent]) -> None:
    with parted[0].sql() as connection:
        rows = connection.execute(
            "select h.inhparent::regclass::text, count(x.indexrelid) from pg_inherits h"
            " join pg_class c on c.oid = h.inhrelid and c.relkind = 'r'"
            " left join pg_index x on x.indrelid = c.oid and x.indisvalid"
            " group by h.inhparent, h.inhrelid"
        ).fetchall()
        by_table: dict[str, set[int]] = {}
        for table, number in rows:
            by_table.setdefault(table, set()).add(number)

    assert by_table == {"body": {1}, "frame": {1}, "record": {4}, "word": {3}}


def test_migrating_again_changes_nothing_and_moves_what_is_in_the_rest(
    parted: tuple[People, Sent, Sent],
) -> None:
    people = parted[0]
    with people.sql() as connection:
        before = _count(people, "frame")
        (month,) = connection.execute(
            "select to_char(now() at time zone 'UTC' + interval '5 months', 'YYYY_MM')"
        ).fetchone() or ("",)
        connection.execute(f"drop table frame_{month}")
        connection.execute(
            'insert into frame (file_id, "offset", length, project_id, data, sent_month)'
            " values (1, 0, 1, 1, '', to_date(%s, 'YYYY_MM'))",
            [month],
        )
        assert _count(people, "frame_rest") == 1
        migrate(people.url)
        assert _count(people, "frame_rest") == 0
        assert _count(people, f"frame_{month}") == 1
        connection.execute("delete from frame where file_id = 1")
    assert _count(people, "frame") == before
    with closing(ServerConnection(people.url)) as server:
        assert find_gaps(server) == []


def test_a_month_that_is_dropped_takes_its_texts_and_leaves_the_numbers(
    team_server: TeamServer, tmp_path: Path
) -> None:
    with team_of(team_server) as people:
        url = people.add("olga")
        (tmp_path / "projects").mkdir()
        (old,) = people.send("olga", tmp_path, ["orchard"])
        migrate(people.url, partitions=True)
        numbers = run_now("usage", "--json", "--store", url).stdout
        with people.sql() as connection:
            for table in PARTED:
                connection.execute(f"drop table {table}_before")
        searched = run_now("search", old.word, "--store", url)
        listed = run_now("sessions", "--store", url)
        shown = run_now("show", old.session, "--store", url)
        after = run_now("usage", "--json", "--store", url).stdout

    assert old.word not in searched.stdout
    assert old.session[:8] in listed.stdout
    assert after == numbers
    assert (shown.returncode, shown.stdout) == (1, "")
    assert shown.stderr.endswith("holds no conversation.\n")
