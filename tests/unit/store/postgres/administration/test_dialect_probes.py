"""What an engine can do is tried, leaves nothing behind, and is kept."""

from contextlib import closing

import msgspec
import psycopg
import pytest

from bough.errors import IndexTrouble
from bough.store.postgres import schema_scripts
from bough.store.postgres.administration import dialect_probes
from bough.store.postgres.administration.dialect_probes import (
    PROBES,
    describe_missing,
    try_dialect,
)
from bough.store.postgres.schema_scripts import create_tables, migrate
from bough.store.postgres.server_connection import ServerConnection
from bough.store.team_rows import DialectAnswer
from tests.team_server import TeamServer


def test_postgresql_can_do_all_of_it_and_that_is_kept(team_server: TeamServer) -> None:
    with team_server.database() as url, closing(ServerConnection(url)) as connection:
        rows = connection.fetch_all("select name, works, detail from dialect")
        kept = {one.name: one for one in (DialectAnswer(*row) for row in rows)}

    assert set(kept) == {"engine", *(probe.name for probe in PROBES)}
    assert [one for one in kept.values() if not one.works] == []
    assert kept["engine"].detail.startswith("PostgreSQL ")
    assert describe_missing(list(kept.values())) == ""


def test_a_trial_leaves_nothing(team_server: TeamServer) -> None:
    with (
        team_server.database(empty=True) as url,
        closing(ServerConnection(url)) as connection,
        psycopg.connect(url) as other,
    ):
        counted = "select count(*) from pg_class union all select count(*) from pg_proc"
        before = other.execute(counted).fetchall()
        assert all(one.works for one in try_dialect(connection))
        assert connection.fetch_all("select 1 from pg_locks where locktype = 'advisory'") == []
        other.rollback()
        assert other.execute(counted).fetchall() == before


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.name)
def test_what_does_not_work_is_said_with_the_reason(
    team_server: TeamServer, monkeypatch: pytest.MonkeyPatch, probe: dialect_probes.DialectProbe
) -> None:
    odd = msgspec.structs.replace(probe, question="select no_such_function()")
    wrong = msgspec.structs.replace(probe, question="select false")
    with team_server.database(empty=True) as url, closing(ServerConnection(url)) as connection:
        for changed, reason in ((odd, "no_such_function"), (wrong, "answers wrongly")):
            monkeypatch.setattr(dialect_probes, "PROBES", (changed,))
            trials = try_dialect(connection)

            assert (trials[1].works, reason in trials[1].detail) == (False, True)
            said = describe_missing(trials)
            assert said.endswith(f"cannot do: {probe.about}.")


def test_a_script_that_fails_names_what_the_engine_lacks(
    team_server: TeamServer,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    lacking = msgspec.structs.replace(PROBES[0], question="select false")
    monkeypatch.setattr(dialect_probes, "PROBES", (lacking,))
    scripts = tmp_path_factory.mktemp("scripts")
    (scripts / "0001_odd.sql").write_text("select 1 / 0", "utf-8")
    with team_server.database() as full, team_server.database(empty=True) as url:
        made = migrate(full)
        monkeypatch.setattr(schema_scripts, "_SCRIPTS", scripts)
        with pytest.raises(IndexTrouble, match=r"division by zero\. What .* cannot do: phrases"):
            create_tables(url)

    assert made.missing.endswith("cannot do: phrases (<->).")
