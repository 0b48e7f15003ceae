"""Who keeps a team's database need not be a superuser, and is then a member like others."""

import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bough import library
from bough.ingest.index.refresh import refresh_index
from bough.sample import session
from bough.store.postgres.postgres_store import PostgresStore
from bough.store.postgres.schema_scripts import create_tables, migrate
from bough.store.postgres.server_connection import ServerConnection
from bough.store.postgres.team_check import find_gaps
from bough.store.postgres.team_members import add_member, list_members, revoke_member
from bough.store.rows import MachineRow
from tests.team_people import WEB
from tests.team_server import TeamServer

KEEPER = "keeper"


@pytest.fixture
def keeper_url(team_server: TeamServer) -> Iterator[str]:
    """Lend a database of somebody who may make roles, and nothing else."""
    with team_server.database(empty=True) as url:
        with closing(ServerConnection(url)) as server:
            server.run(f"create role {KEEPER} login createrole")
            name = server.raw.info.dbname
            server.run(f'alter database "{name}" owner to {KEEPER}')
            # Those of the databases before this one belong to who made them.
            team_server.forget_tables()
            for role in ("bough_guard", "bough_member", WEB):
                server.run(f"drop role if exists {role}")
        yield url.replace("//postgres:", f"//{KEEPER}:")
        with closing(ServerConnection(url)) as server:
            server.run(f"drop owned by {KEEPER} cascade")
            server.run("drop schema if exists bough cascade")
            server.run(f'alter database "{name}" owner to postgres')
            for role in ("ann", WEB, "bough_member", "bough_guard", KEEPER):
                server.run(f"drop role if exists {role}")


def test_a_keeper_makes_the_tables_lets_people_in_and_reads_only_what_is_theirs(
    keeper_url: str, tmp_path: Path
) -> None:
    made = create_tables(keeper_url)
    again = migrate(keeper_url)
    with closing(ServerConnection(keeper_url)) as connection:
        add_member(connection, "ann", "member")
    for name in ("ann", KEEPER):
        (tmp_path / name / "projects").mkdir(parents=True)
        told = session(name, cwd=f"/home/{name}/{name}s-orchard").user("Begin").assistant("Begun.")
        told.write(tmp_path / name)
        machine = MachineRow(uuid.uuid5(uuid.NAMESPACE_DNS, name).hex, name, "laptop")
        url = keeper_url.replace(f"//{KEEPER}:", f"//{name}:")
        with closing(PostgresStore(url, machine=machine)) as store:
            refresh_index(store, [tmp_path / name], workers=1)
            assert {row.owner for row in store.sessions()} == {name}
    with closing(PostgresStore(keeper_url)) as store:
        numbers = {row.owner for row in store.projects()}
        members = {one.name: one.role for one in list_members(store.connection)}
        gaps = find_gaps(store.connection)
        revoke_member(store.connection, "ann")

    assert (made.before, again.before) == (0, made.after)
    assert numbers == {"ann", KEEPER}
    assert members == {"ann": "member", KEEPER: "admin"}
    assert gaps == []


@pytest.mark.parametrize("partitions", [False, True])
def test_a_keeper_removes_what_everybody_sent_before_a_month(
    keeper_url: str, tmp_path: Path, *, partitions: bool
) -> None:
    create_tables(keeper_url)
    with closing(ServerConnection(keeper_url)) as connection:
        add_member(connection, "ann", "member")
    session("ann").user("Begin").assistant("Begun.").write(tmp_path)
    machine = MachineRow("1a" * 16, "ann", "laptop")
    url = keeper_url.replace(f"//{KEEPER}:", "//ann:")
    with closing(PostgresStore(url, machine=machine)) as store:
        refresh_index(store, [tmp_path], workers=1)
        if partitions:
            migrate(keeper_url, partitions=True)
        else:
            store.connection.run("update file set pushed = now() - interval '3 months'")
    with closing(ServerConnection(keeper_url)) as connection:
        month = str((connection.fetch_one("select to_char(now(), 'YYYY-MM')") or ("",))[0])

    done = library.prune_team(keeper_url, month)

    assert (bool(done.parts), done.files) == (partitions, 0 if partitions else 1)
    with closing(PostgresStore(url)) as store:
        assert len(store.sessions()) == 1
        assert store.connection.fetch_one("select count(*) from record") == (0,)
    with closing(ServerConnection(keeper_url)) as connection:
        assert find_gaps(connection) == []
