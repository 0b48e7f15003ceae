"""What was sent before a month can be removed; what is listed and counted of it stays."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bough import library
from bough.errors import IndexTrouble, Misuse
from bough.store.postgres.administration.month_partitions import PARTED
from bough.store.postgres.schema_scripts import migrate
from bough.store.postgres.server_connection import ServerConnection
from bough.store.postgres.team_check import find_gaps
from tests.cli.screens import run_now
from tests.team_people import People, Sent, team_of
from tests.team_server import TeamServer


@pytest.fixture(params=["rows", "parts"])
def pruned(
    request: pytest.FixtureRequest, team_server: TeamServer, tmp_path: Path
) -> Iterator[tuple[People, Sent, Sent]]:
    """Lend a team of which ann sent long ago, and ben just now."""
    with team_of(team_server) as people:
        for name in ("ann", "ben"):
            people.add(name)
            (tmp_path / name / "projects").mkdir(parents=True)
        sent = people.send("ann", tmp_path / "ann", ["orchard"])
        if request.param == "parts":
            migrate(people.url, partitions=True)
        else:
            with people.sql() as connection:
                connection.execute("update file set pushed = now() - interval '3 months'")
        sent += people.send("ben", tmp_path / "ben", ["shop"])
        yield people, sent[0], sent[1]


def _month(people: People) -> str:
    with people.sql() as connection:
        row = connection.execute("select to_char(now() at time zone 'UTC', 'YYYY-MM')").fetchone()
    return str(row[0]) if row else ""


def _count(people: People, owner: str) -> list[int]:
    with people.sql() as connection:
        rows = [
            connection.execute(
                f"select count(*) from {table} t join project p on p.id = t.project_id "
                "join machine m on m.id = p.machine_id where m.owner = %s",
                [owner],
            ).fetchone()
            for table in PARTED
        ]
    return [row[0] for row in rows if row]


def test_what_was_sent_before_goes_and_what_is_counted_stays(
    pruned: tuple[People, Sent, Sent],
) -> None:
    people, old, new = pruned
    month = _month(people)
    spent = library.usage("session", index=people.url).total
    kept = _count(people, "ben")

    said = library.prune_team(people.url, month, dry_run=True)
    assert all(_count(people, "ann"))
    done = library.prune_team(people.url, month)

    assert said == done
    assert bool(done.parts) != bool(done.files)
    assert _count(people, "ann") == [0] * len(PARTED)
    assert _count(people, "ben") == kept
    assert library.usage("session", index=people.url).total == spent
    assert {row.id for row in library.sessions(index=people.url)} == {old.session, new.session}
    found = [library.search(one.word, index=people.url).total for one in (old, new)]
    assert found[0] == 0
    assert found[1] > 0
    with closing(ServerConnection(people.url)) as connection:
        assert find_gaps(connection) == []
    with people.sql() as connection:
        row = connection.execute("select what from audit order by at desc limit 1").fetchone()
    assert row == (f"removed what was sent before {month}",)
    again = library.prune_team(people.url, month)
    assert not again.parts
    assert not again.files


def test_a_month_to_come_and_what_is_none_are_refused(pruned: tuple[People, Sent, Sent]) -> None:
    people = pruned[0]
    for month, why in (
        ("2999-01", "still to come"),
        ("May", "not a month"),
        ("2026-13", "not a month"),
    ):
        with pytest.raises(Misuse, match=why):
            library.prune_team(people.url, month)
    assert all(_count(people, "ann"))


def test_a_member_cannot_remove_what_others_sent(pruned: tuple[People, Sent, Sent]) -> None:
    people = pruned[0]
    with pytest.raises(IndexTrouble, match="owner of"):
        library.prune_team(people.url_of("ben"), _month(people))
    assert all(_count(people, "ann"))


def test_the_command_says_what_goes(pruned: tuple[People, Sent, Sent]) -> None:
    people = pruned[0]
    command = ("team", "prune", "--before", _month(people), "--store", people.url)
    assert "Would remove" in run_now(*command, "--dry-run").stderr
    assert "Removed" in run_now(*command).stderr
    assert "Nothing is there" in run_now(*command).stderr
