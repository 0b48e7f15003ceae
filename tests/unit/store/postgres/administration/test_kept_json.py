"""How much of records is kept as JSON: what an admin says, before and after something was sent."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest

from bough.store.postgres.administration.kept_json import read_json_choice
from bough.store.postgres.schema_scripts import create_tables, migrate
from bough.store.postgres.server_connection import ServerConnection
from bough.store.team_rows import JsonChoice
from tests.team_server import TeamServer
from tests.unit.team.histories import dump, machine, push, write_plain

pytestmark = pytest.mark.writes_home


@pytest.fixture
def claude(tmp_path: Path) -> Iterator[Path]:
    with machine(tmp_path):
        write_plain(tmp_path / "claude")
        yield tmp_path / "claude"


def bodies(url: str) -> list[tuple[int, int, Any]]:
    """Read the JSON of all records, by their offsets."""
    with psycopg.connect(url) as connection:
        return connection.execute(
            'select file_id, "offset", body from bough.record_body order by 1, 2'
        ).fetchall()


def test_every_record_is_kept_whole_unless_somebody_says_otherwise(
    team_server: TeamServer, claude: Path
) -> None:
    with team_server.database() as url:
        push(url, claude)
        found = bodies(url)
        with psycopg.connect(url) as connection:
            records = connection.execute(
                'select file_id, "offset" from bough.record order by 1, 2'
            ).fetchall()

    written = [
        msgspec.json.decode(line)
        for path in claude.rglob("*.jsonl")
        for line in path.read_bytes().splitlines()
    ]
    assert [row[:2] for row in found] == records
    assert sorted(map(str, (row[2] for row in found))) == sorted(map(str, map(_sort_keys, written)))


@pytest.mark.parametrize("choice", ["envelope", "none"])
def test_what_is_removed_later_is_what_would_not_have_been_kept(
    team_server: TeamServer, claude: Path, choice: JsonChoice
) -> None:
    with team_server.database(empty=True) as first, team_server.database() as later:
        create_tables(first, json=choice)
        push(first, claude)
        push(later, claude)
        migrate(later, json=choice)

        assert bodies(first) == bodies(later)
        assert bool(bodies(first)) == (choice == "envelope")
        for _, _, body in bodies(first):
            assert not {"content", "toolUseResult"} & {*body, *body.get("message", {})}
        tables = [dump(url, moments=False) for url in (first, later)]
    del tables[0]["machine"], tables[1]["machine"]
    assert tables[0] == tables[1]


def test_the_choice_stays_until_there_is_another(team_server: TeamServer) -> None:
    with team_server.database(empty=True) as url:
        create_tables(url, json="none")
        migrate(url)
        connection = ServerConnection(url)
        assert read_json_choice(connection) == "none"
        migrate(url, json="body")
        assert read_json_choice(connection) == "body"
        connection.close()


def _sort_keys(value: object) -> object:
    """Put keys in the order that JSONB has them in."""
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: (len(key), key))
        return {key: _sort_keys(value[key]) for key in keys}
    return [_sort_keys(one) for one in value] if isinstance(value, list) else value
