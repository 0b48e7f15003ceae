"""The tables of a team's database: made and brought up to date by `team migrate` alone.

Nobody who reads or sends makes a table: a member's rights need not allow it, and two who send at
once must not both try. A database of an older bough is refused with a sentence. One of a newer is
not, as long as its scripts only added things: each script names the oldest schema whose bough may
go on, so that a database can be brought up to date first, and people after it.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from bough.errors import IndexTrouble, Misuse
from bough.store.postgres.administration.column_statistics import hide_columns
from bough.store.postgres.administration.dialect_probes import (
    describe_missing,
    save_dialect,
    try_dialect,
)
from bough.store.postgres.administration.kept_json import set_json_choice
from bough.store.postgres.administration.month_partitions import (
    has_partitions,
    part_tables,
)
from bough.store.postgres.server_connection import SCHEMA, ServerConnection
from bough.store.postgres.shared_usage import set_sums_form
from bough.store.rows import MigrationReport
from bough.store.team_rows import JsonChoice

_SCRIPTS: Final = Path(__file__).parent / "sql"
_LOCK: Final = "migrate"
_VERSION: Final = "select value from meta where key = 'schema'"
_HAS_META: Final = "select to_regclass(%s) is not null"
_SET: Final = """
    insert into meta values (%s, %s) on conflict (key) do update set value = excluded.value
"""
_OLDEST: Final = "select value from meta where key = 'oldest_client'"
_NAMES_OLDEST: Final = re.compile(r"-- oldest client: (\d+)\n")
# The owner of the database may send to it as well, and then sees what is theirs.
_ADD_OPERATOR: Final = """
    insert into member (name, role) select session_user::text, 'admin'
    where not is_superuser() on conflict do nothing
"""


# The web server is nobody by itself.
_NO_MEMBER: Final = """
    select session_user::text
    where me() is null and not is_superuser() and session_user <> 'bough_web'
"""
_MISSING: Final = (
    "The database {place} has no tables of bough's. "
    "An admin makes them: bough team init --store URL."
)

_NEWER: Final = (
    "The database {place} has the tables of a newer bough (schema {found}, this one reads {own}). "
    "Update bough."
)


def team_schema() -> int:
    """Give the schema that this bough reads and writes."""
    return max(_list_scripts())


def create_tables(url: str, *, json: JsonChoice | None = None) -> MigrationReport:
    """Make the tables in a database that has none; one at a time, others wait.

    `json` is what of records is kept as JSON, `body` where nothing is said.

    Raises:
        Misuse: It has some already.
        IndexTrouble: The database does not allow it.
    """
    with _lock_schema(url) as connection:
        if read_schema(connection):
            raise Misuse(
                f"The database {connection.place} has tables of bough's already. "
                "bough team migrate brings them up to date."
            )
        connection.run(f"create schema if not exists {SCHEMA}")
        report = _run_scripts(connection, 0)
        if json is not None:
            set_json_choice(connection, json)
        return report


def migrate(
    url: str, *, partitions: bool = False, json: JsonChoice | None = None
) -> MigrationReport:
    """Bring the tables up to date; one at a time, others wait.

    With `partitions`, the largest tables are brought into parts by month. Where they are, the
    parts of the months to come are made. With `json`, that much of records is kept as JSON.

    Raises:
        IndexTrouble: The database has none, or those of a newer bough, or does not allow it.
    """
    with _lock_schema(url) as connection:
        before = read_schema(connection)
        if not before:
            raise IndexTrouble(_MISSING.format(place=connection.place))
        if before > team_schema():
            raise IndexTrouble(
                _NEWER.format(place=connection.place, found=before, own=team_schema())
            )
        report = _run_scripts(connection, before)
        if json is not None:
            set_json_choice(connection, json)
        # Where some tables are in parts, those that came later are brought into parts too.
        if partitions or has_partitions(connection):
            part_tables(connection)
        return report


@contextmanager
def _lock_schema(url: str) -> Iterator[ServerConnection]:
    connection = ServerConnection(url)
    try:
        connection.wait_for_lock(_LOCK)
        yield connection
    finally:
        connection.close()


def _run_scripts(connection: ServerConnection, before: int) -> MigrationReport:
    trials = try_dialect(connection)
    missing = describe_missing(trials)
    try:
        _run_newer_scripts(connection, before)
    except IndexTrouble as error:
        if missing:
            raise IndexTrouble(f"{error.message} {missing}") from error
        raise
    with connection.transaction():
        set_sums_form(connection)
        connection.run(_ADD_OPERATOR)
        save_dialect(connection, trials)
        hide_columns(connection)
    return MigrationReport(connection.place, before, team_schema(), tuple(trials), missing)


def _run_newer_scripts(connection: ServerConnection, before: int) -> None:
    for number, script in sorted(_list_scripts().items()):
        if number > before:
            with connection.transaction():
                text = script.read_text("utf-8")
                connection.run(text)
                connection.run(_SET, ["schema", str(number)])
                named = _NAMES_OLDEST.match(text)
                oldest = max(int(named[1]) if named else number, _find_oldest(connection))
                connection.run(_SET, ["oldest_client", str(oldest)])


def read_schema(connection: ServerConnection) -> int:
    """Read which schema a database has; 0 where it has none."""
    there = connection.fetch_one(_HAS_META, [f"{SCHEMA}.meta"])
    if not there or not there[0]:
        return 0
    row = connection.fetch_one(_VERSION)
    return int(row[0]) if row else 0


def require_schema(connection: ServerConnection) -> None:
    """Refuse a database that this bough cannot read.

    Raises:
        IndexTrouble: It has no tables, or those of an older or a newer bough.
    """
    found = read_schema(connection)
    if not found:
        raise IndexTrouble(_MISSING.format(place=connection.place))
    _refuse_newer(connection, found)
    if found < team_schema():
        raise IndexTrouble(
            f"The database {connection.place} has the tables of an older bough (schema {found}, "
            f"this one needs {team_schema()}). An admin runs bough team migrate --store URL."
        )
    row = connection.fetch_one(_NO_MEMBER)
    if row is not None:
        raise IndexTrouble(
            f"{row[0]} is no member of the team in {connection.place}. Its owner lets "
            f"people in: bough team member add {row[0]} --store URL."
        )


def _refuse_newer(connection: ServerConnection, found: int) -> None:
    if found <= team_schema():
        return
    if _find_oldest(connection) > team_schema():
        raise IndexTrouble(_NEWER.format(place=connection.place, found=found, own=team_schema()))


def _find_oldest(connection: ServerConnection) -> int:
    """Find the oldest schema whose bough may use the database."""
    row = connection.fetch_one(_OLDEST)
    return int(row[0]) if row else 0


def _list_scripts() -> dict[int, Path]:
    scripts = (file for file in _SCRIPTS.iterdir() if file.suffix == ".sql")
    return {int(file.name.partition("_")[0]): file for file in scripts}
