"""An upgrade of a team's database: older boughs go on beside newer ones where that is allowed."""

import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from bough.errors import IndexTrouble
from bough.ingest.index.refresh import refresh_index
from bough.sample import session
from bough.store.postgres import schema_scripts, word_rows
from bough.store.postgres.postgres_store import PostgresStore
from bough.store.postgres.schema_scripts import create_tables, migrate, team_schema
from bough.store.search_protocol import Order, SearchRequest
from tests.searched import asked
from tests.team_server import LAPTOP, TeamServer
from tests.unit.team.histories import CWD, dump, machine, push, write, write_plain

ADDS = """-- oldest client: {now}
alter table bough.file add column seen_by text not null default '';
create table bough.made (file_id bigint primary key);
alter table bough.made enable row level security;
alter table bough.made force row level security;
"""
BREAKS = "alter table bough.machine add column must_be_given text;\n"
ORDERS: tuple[Order, ...] = ("newest", "relevance")
_TABLES = ("file", "record", "usage", "usage_sum", "frame", "session", "conversation")

pytestmark = pytest.mark.writes_home


@pytest.fixture
def newer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Lend a switch between this bough and a newer one, which has one more script."""
    usual = schema_scripts._SCRIPTS

    def become(script: str | None) -> None:
        place = tmp_path / "scripts"
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(usual, place)
        if script is not None:
            (place / f"{max(_numbers(usual)) + 1:04}_made.sql").write_text(script, "utf-8")
        monkeypatch.setattr(schema_scripts, "_SCRIPTS", place)

    return become


def _numbers(folder: Path) -> list[int]:
    return [int(one.name[:4]) for one in folder.glob("*.sql")]


def sessions_of(url: str) -> list[tuple[str, ...]]:
    """Read the sessions as somebody with this bough."""
    with closing(PostgresStore(url)) as store:
        return store.connection.fetch_all("select id from session order by id")


def test_both_boughs_send_and_read_while_an_upgrade_only_adds_things(
    team_server: TeamServer, newer: Callable[..., None], tmp_path: Path
) -> None:
    adds = ADDS.format(now=team_schema())
    claude = tmp_path / "claude"
    with machine(tmp_path), team_server.database(empty=True) as url:
        create_tables(url)
        write_plain(claude, "first")
        push(url, claude)
        newer(adds)
        with pytest.raises(IndexTrouble, match="older bough"):
            sessions_of(url)
        made = migrate(url)
        newer(None)
        write_plain(claude, "second")
        push(url, claude)
        by_old = sessions_of(url)
        newer(adds)
        write_plain(claude, "third")
        push(url, claude)
        by_new = sessions_of(url)
        newer(None)
        again = push(url, claude)
        mixed = dump(url, moments=False)
        with team_server.database(empty=True) as clean_url:
            create_tables(clean_url)
            push(clean_url, claude)
            clean = dump(clean_url, moments=False)

    assert (made.before, made.after) == (team_schema(), team_schema() + 1)
    assert (len(by_old), len(by_new)) == (2, 3)
    assert again.files == 0
    for table in _TABLES:
        assert len(mixed[table]) == len(clean[table]) > 0
        if table != "file":  # which has a column more
            assert mixed[table] == clean[table]


def test_an_upgrade_that_changes_things_is_refused_to_older_boughs_in_a_sentence(
    team_server: TeamServer, newer: Callable[..., None], tmp_path: Path
) -> None:
    claude = tmp_path / "claude"
    with machine(tmp_path), team_server.database() as url:
        write_plain(claude)
        push(url, claude)
        newer(BREAKS)
        migrate(url)
        newer(None)
        for refused in (lambda: push(url, claude), lambda: sessions_of(url)):
            with pytest.raises(IndexTrouble, match=r"newer bough .* Update bough"):
                refused()
        newer(BREAKS)
        assert len(sessions_of(url)) == 1


def test_an_older_bough_does_not_migrate_what_a_newer_made(
    team_server: TeamServer, newer: Callable[..., None]
) -> None:
    with team_server.database() as url:
        newer(ADDS.format(now=team_schema()))
        migrate(url)
        newer(None)
        with pytest.raises(IndexTrouble, match="newer bough"):
            migrate(url)


def test_a_script_that_fails_leaves_the_schema_before_it(
    team_server: TeamServer, newer: Callable[..., None]
) -> None:
    with team_server.database() as url:
        newer("create table bough.half (a int);\nselect 1 / 0;\n")
        with pytest.raises(IndexTrouble, match="division by zero"):
            migrate(url)
        newer(None)
        assert migrate(url).before == team_schema()
        with psycopg.connect(url) as connection:
            row = connection.execute("select to_regclass('bough.half')").fetchone()
        assert row == (None,)


@pytest.mark.parametrize("partitions", [False, True])
def test_words_that_were_sent_before_the_index_knew_their_days_are_found(
    team_server: TeamServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    partitions: bool,
) -> None:
    usual = schema_scripts._SCRIPTS
    place = tmp_path / "scripts"
    shutil.copytree(usual, place, ignore=lambda _, names: [n for n in names if n[:4] > "0008"])
    claude = tmp_path / "claude"
    told = session("told", cwd=CWD).user("Import the orders")
    # In one part, as it was cut then.
    monkeypatch.setattr(word_rows, "LONGEST_PART", 8_000)
    write(told.assistant(" ".join(f"w{number}" for number in range(3_000))), claude)
    with team_server.database(empty=True) as url:
        monkeypatch.setattr(schema_scripts, "_SCRIPTS", place)
        create_tables(url)
        if partitions:
            migrate(url, partitions=True)
        with closing(PostgresStore(url, machine=LAPTOP)) as store:
            refresh_index(store, [claude], workers=1)
        monkeypatch.undo()
        made = migrate(url)
        write_plain(claude, "later")
        with closing(PostgresStore(url, machine=LAPTOP)) as store:
            refresh_index(store, [claude], workers=1)
            totals = [
                store.search(SearchRequest(asked(text), order)).total
                for text in ("orders", '"w999 w1000 w1001"', "w2999", "orders -done", "w3000")
                for order in ORDERS
            ]

    assert (made.before, made.after) == (8, team_schema())
    assert totals == [2, 2, 1, 1, 1, 1, 2, 2, 0, 0]


def test_what_is_written_under_each_schema_is_kept_by_the_upgrade(
    team_server: TeamServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From each schema that was ever made, to the newest."""
    usual = schema_scripts._SCRIPTS
    for last in _numbers(usual):
        place = tmp_path / f"scripts{last}"
        place.mkdir()
        for one in usual.glob("*.sql"):
            if int(one.name[:4]) <= last:
                shutil.copy(one, place)
        with team_server.database(empty=True) as url, psycopg.connect(url) as connection:
            connection.execute("create schema bough")
            connection.execute("set search_path = bough")
            for number in sorted(_numbers(place)):
                (script,) = place.glob(f"{number:04}_*.sql")
                connection.execute(script.read_bytes())
            connection.execute("insert into meta values ('schema', %s)", [str(last)])
            connection.execute("insert into machine values (%s, 'ann', 'a', '//a')", ["1a" * 16])
            connection.commit()
            monkeypatch.setattr(schema_scripts, "_SCRIPTS", usual)
            assert migrate(url).before == last
            assert connection.execute("select name from machine").fetchall() == [("a",)]
