"""An index of an earlier bough: brought up to date, and nothing that only it knows is lost."""

import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bough.config import Settings
from bough.query.index.handle import open_index
from bough.query.search.search import search
from bough.query.usage.report import UsageQuestion, report_usage, usage_document
from bough.query.usage.sources import IndexUsageSource
from bough.sample import SampleSession, session
from bough.store.query_language import parse
from bough.store.sqlite.connection import schema_version
from bough.store.sqlite.index_file import APPLICATION_ID
from bough.store.sqlite.store import SqliteStore
from tests.conftest import Home
from tests.index_rows import rows_of

pytestmark = pytest.mark.writes_home
NOW = datetime(2026, 11, 15, 14, 38, tzinfo=UTC)
REPORTS = ("daily", "session", "model", "agent", "branch", "blocks")


def parted(seed: str) -> SampleSession:
    builder = session(seed, cwd="/home/dev/orchard").user("hi").assistant("Hello", name="A")
    builder.user("this").assistant("Left").at("A").user("that").assistant("Right")
    builder.assistant("Cut", stop_reason="max_tokens")
    return builder.agent("Explore", "Find callers", answer="Four").pr_link(412)


def to_schema_9(connection: sqlite3.Connection) -> None:
    """Take back what the tenth schema added, as an index of the ninth has it."""
    for table in ("session_change", "usage_shared"):
        connection.execute(f"drop table {table}")
    for name in ("usage_origin", "usage_sum_origin"):
        connection.execute(f"drop index {name}")
    connection.execute("delete from meta where key = 'writing'")
    connection.execute("update meta set value = '1' where key = 'sums'")
    connection.execute("pragma user_version = 9")


def to_schema_8(connection: sqlite3.Connection) -> None:
    """Take back what the ninth schema added, too."""
    to_schema_9(connection)
    for table in ("stats_sum", "stats_bucket", "stats_shared"):
        connection.execute(f"drop table {table}")
    connection.execute("delete from meta where key = 'stats'")
    connection.execute("pragma user_version = 8")


def to_schema_7(connection: sqlite3.Connection) -> None:
    """Take back what the eighth schema added, too."""
    to_schema_8(connection)
    connection.execute("drop table stop")
    connection.execute("pragma user_version = 7")


def to_schema_6(connection: sqlite3.Connection) -> None:
    """Take back what the seventh schema added, too."""
    to_schema_7(connection)
    connection.execute("alter table session drop column pull_requests")
    connection.execute("pragma user_version = 6")


def to_schema_5(connection: sqlite3.Connection) -> None:
    """Take back what the sixth schema added, too: the columns for the parts of names."""
    to_schema_6(connection)
    for statement in (
        "drop table words",
        """create virtual table words using fts5 (
            prompt, text, thinking, tool_input, tool_result, note,
            content = '', tokenize = 'unicode61 remove_diacritics 2')""",
        "insert into words (rowid, text) select id, 'importjob' from record",
        "pragma user_version = 5",
    ):
        connection.execute(statement)


def to_schema_4(connection: sqlite3.Connection) -> None:
    """Take back what the fifth schema added, too."""
    to_schema_5(connection)
    connection.execute("alter table session drop column first_prompt")
    connection.execute("alter table session drop column last_prompt")
    connection.execute("pragma user_version = 4")


def to_schema_3(connection: sqlite3.Connection) -> None:
    """Take back what the fourth schema added, too."""
    to_schema_4(connection)
    for statement in (
        "drop table usage_sum",
        "drop index file_unsummed",
        "drop index usage_message",
        "alter table file drop column summed",
        "alter table session drop column steps",
        "alter table conversation drop column step",
        "delete from meta where key = 'sums'",
        "create table spent (file_id integer primary key, lines blob not null)",
        "insert into spent select id, x'90' from file",
        "pragma application_id = 0",
        "pragma user_version = 3",
    ):
        connection.execute(statement)


def to_schema_2(connection: sqlite3.Connection) -> None:
    """Take back what the third schema added, too."""
    to_schema_3(connection)
    connection.execute("alter table usage drop column origin")
    connection.execute("alter table session drop column session_kind")
    connection.execute("pragma user_version = 2")


def to_schema_1(connection: sqlite3.Connection) -> None:
    """Take back what the second schema renamed, too."""
    to_schema_2(connection)
    for table in ("session", "conversation"):
        connection.execute(f"alter table {table} rename column turns to prompts")
        connection.execute(f"alter table {table} rename column messages to turns")
    connection.execute("pragma user_version = 1")


def age(index: Path, change: Callable[[sqlite3.Connection], None]) -> None:
    connection = sqlite3.connect(index)
    with connection:
        change(connection)
    connection.close()


def refresh(home: Path, index: Path) -> None:
    with open_index([home], index):
        pass


def reports(home: Path, index: Path) -> dict[str, object]:
    with open_index([home], index) as handle:
        source = IndexUsageSource(handle)
        return {
            name: usage_document(
                report_usage(
                    UsageQuestion(report=name), source, now=NOW, settings=Settings(zone="UTC")
                )
            )
            for name in REPORTS
        }


OLD = pytest.mark.parametrize(
    "change",
    [
        to_schema_1,
        to_schema_2,
        to_schema_3,
        to_schema_4,
        to_schema_5,
        to_schema_6,
        to_schema_7,
        to_schema_8,
        to_schema_9,
    ],
)


@OLD
def test_an_old_index_ends_as_if_made_anew(
    home: Home, tmp_path: Path, change: Callable[[sqlite3.Connection], None]
) -> None:
    told = parted("one")
    told.write(home.path)
    told.fork(seed="a fork").user("on").assistant("Yes").write(home.path)
    session("two").user("alone").assistant("Yes").write(home.path)
    index, fresh = tmp_path / "old.sqlite", tmp_path / "fresh.sqlite"
    refresh(home.path, index)
    refresh(home.path, fresh)
    age(index, change)

    refresh(home.path, index)

    assert rows_of(index) == rows_of(fresh)
    assert reports(home.path, index) == reports(home.path, fresh)


@OLD
def test_an_old_index_still_knows_the_sessions_that_are_deleted(
    home: Home, tmp_path: Path, change: Callable[[sqlite3.Connection], None]
) -> None:
    gone, there = parted("gone"), session("there").user("hi").assistant("Hello")
    path = gone.write(home.path)
    there.write(home.path)
    index = tmp_path / "old.sqlite"
    refresh(home.path, index)
    path.unlink()
    refresh(home.path, index)
    before = reports(home.path, index)
    age(index, change)

    refresh(home.path, index)

    store = SqliteStore(index)
    listed = {row.id: row.deleted_at for row in store.sessions()}
    store.close()
    assert set(listed) == {gone.session_id, there.session_id}
    assert listed[gone.session_id] is not None
    assert reports(home.path, index) == before


def test_what_is_still_there_is_read_again_for_the_parts_of_names(
    home: Home, tmp_path: Path
) -> None:
    parted("one").write(home.path)
    session("two").user("alone").assistant("Call importJob first").write(home.path)
    index = tmp_path / "old.sqlite"
    refresh(home.path, index)
    age(index, to_schema_5)

    with open_index([home.path], index) as handle:
        assert handle.report.files == 3
        found = search(handle.store, parse("job", NOW, UTC))

    assert [hit.kind for hit in found.hits] == ["text"]
    assert found.exact


@OLD
def test_an_old_index_says_afterwards_whose_it_is(
    home: Home, tmp_path: Path, change: Callable[[sqlite3.Connection], None]
) -> None:
    parted("one").write(home.path)
    index = tmp_path / "old.sqlite"
    refresh(home.path, index)
    age(index, change)

    SqliteStore(index).close()

    connection = sqlite3.connect(index)
    assert connection.execute("pragma application_id").fetchone() == (APPLICATION_ID,)
    assert connection.execute("pragma user_version").fetchone() == (schema_version(),)
    assert connection.execute("select 1 from sqlite_master where name = 'spent'").fetchall() == []
    connection.close()
