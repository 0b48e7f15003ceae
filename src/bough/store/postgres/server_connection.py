"""A connection to a team's database: opening, transactions, errors in our own words.

psycopg is an extra: whoever has no team needs none of it. The password is never repeated, not
even where a connection fails.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final

from bough.errors import IndexTrouble, Misuse

try:
    import psycopg
    from psycopg import errors as pg_errors
    from psycopg.conninfo import conninfo_to_dict
except ImportError as error:  # pragma: no cover - the tests have it
    raise Misuse(
        "A team's store needs psycopg, which is not installed: pip install 'bough[team]'."
    ) from error

from bough.store.postgres.packed_columns import PackedColumn, PackedColumnWriter, pack_column

SCHEMA: Final = "bough"
_CONNECT_SECONDS: Final = 10
_LOCKS: Final = 0x626F7567
"""The beginning of our name: advisory locks of other programs have other numbers."""

_TYPES: Final = """
    select attname, format_type(atttypid, null) from pg_attribute
    where attrelid = %s::regclass and attnum > 0 and not attisdropped
"""
_NO_LOCKS: Final = "select 1 from dialect where name = 'advisory_lock' and not works"
_ROWS_AT_ONCE: Final = 5_000
_SIZE_AT_ONCE: Final = 16 << 20

Row = tuple[Any, ...]


class ServerConnection:
    """A connection that answers in rows and raises our errors."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.place = describe_place(url)
        with self.translate_errors():
            self.raw: psycopg.Connection[Row] = psycopg.connect(
                url,
                autocommit=True,
                application_name="bough",
                connect_timeout=_CONNECT_SECONDS,
                # Statements that are kept by name do not pass through every pooler.
                prepare_threshold=None,
            )
            self.raw.adapters.register_dumper(PackedColumn, PackedColumnWriter)
            # Named last, pg_temp hides nothing; unnamed, it would come first.
            self.raw.execute(f"set search_path = {SCHEMA}, pg_temp")
            # Where the engine has it: it takes longer than most of our questions.
            with suppress(pg_errors.UndefinedObject, pg_errors.FeatureNotSupported):
                self.raw.execute("set jit = off")
        self._types: dict[str, dict[str, str]] = {}
        self._locks: dict[str, ServerConnection] = {}
        self._is_without_locks: bool | None = None

    def close(self) -> None:
        """Let go of the connection, and of the locks that it has."""
        for holder in self._locks.values():
            holder.close()
        self._locks = {}
        self.raw.close()

    def fetch_all(
        self, statement: str, values: Mapping[str, object] | Sequence[object] = ()
    ) -> list[Row]:
        """Give the rows of a statement."""
        with self.translate_errors():
            return self.raw.execute(_as_query(statement), values or None).fetchall()

    def fetch_one(
        self, statement: str, values: Mapping[str, object] | Sequence[object] = ()
    ) -> Row | None:
        """Give the first row of a statement; None where there is none."""
        with self.translate_errors():
            return self.raw.execute(_as_query(statement), values or None).fetchone()

    def run(self, statement: str, values: Mapping[str, object] | Sequence[object] = ()) -> int:
        """Run a statement that gives nothing back; tell how many rows it was about."""
        with self.translate_errors():
            return self.raw.execute(_as_query(statement), values or None).rowcount

    def run_many(self, statement: str, rows: Sequence[Sequence[object]]) -> None:
        """Run a statement for each of some rows, in one trip."""
        if rows:
            with self.translate_errors(), self.raw.cursor() as cursor:
                cursor.executemany(_as_query(statement), rows)

    def insert_rows(
        self,
        table: str,
        columns: Sequence[str],
        rows: Sequence[Sequence[object]],
        conflict: str = "",
    ) -> None:
        """Write many rows into a table at once; `conflict` says what becomes of those there.

        Not by COPY: that is not allowed where policies guard the rows. And not one by one: what
        somebody may do is found out for each statement.
        """
        names = ", ".join(f'"{name}"' for name in columns)
        statement = f"insert into {table} ({names}) select * from unnest({{0}}) {conflict}"
        self._send_columns(statement, table, columns, rows)

    def update_rows(
        self, table: str, columns: Sequence[str], rows: Sequence[Sequence[object]], also: str = ""
    ) -> None:
        """Change many rows of a table at once, each known by its first column."""
        names = ", ".join(f'"{name}"' for name in columns)
        changes = [f'"{name}" = given."{name}"' for name in columns[1:]]
        changes += [also] if also else []
        statement = (
            f"update {table} set {', '.join(changes)} from unnest({{0}}) as given({names}) "
            f'where {table}."{columns[0]}" = given."{columns[0]}"'
        )
        self._send_columns(statement, table, columns, rows)

    def _send_columns(
        self, statement: str, table: str, columns: Sequence[str], rows: Sequence[Sequence[object]]
    ) -> None:
        if not rows:
            return
        types = self._find_types(table)
        arrays = ", ".join(f"%s::{types[name]}[]" for name in columns)
        for part in cut_rows(rows):
            found = zip(columns, zip(*part, strict=True), strict=True)
            values = [pack_column(types[name], values) for name, values in found]
            self.run(statement.format(arrays), values)

    def _find_types(self, table: str) -> dict[str, str]:
        known = self._types.get(table)
        if known is None:
            known = self._types[table] = dict(self.fetch_all(_TYPES, [f"{SCHEMA}.{table}"]))
        return known

    @contextmanager
    def transaction(self, isolation: str = "read committed") -> Iterator[None]:
        """Keep everything that is written inside, or nothing."""
        self.run(f"begin isolation level {isolation}")
        try:
            yield
        except BaseException:
            self.roll_back()
            raise
        self.run("commit")

    def roll_back(self) -> None:
        """Forget what was written since the transaction began, where one is open still."""
        if not self.raw.closed and self.raw.info.transaction_status:
            with self.translate_errors():
                self.raw.execute("rollback")

    def try_lock(self, name: str) -> bool:
        """Take a lock that ends with the connection, unless somebody else has it."""
        if self._has_advisory_locks():
            row = self.fetch_one("select pg_try_advisory_lock(%s)", [_lock_number(name)])
            return bool(row and row[0])
        return self._lock_row(name, " skip locked")

    def wait_for_lock(self, name: str) -> None:
        """Take a lock, however long that takes."""
        if self._has_advisory_locks():
            self.fetch_one("select pg_advisory_lock(%s)", [_lock_number(name)])
        else:
            self._lock_row(name)

    def release_lock(self, name: str) -> None:
        """Give a lock back."""
        if name in self._locks:
            self._locks.pop(name).close()
        elif not self.raw.closed:
            self.fetch_one("select pg_advisory_unlock(%s)", [_lock_number(name)])

    def _has_advisory_locks(self) -> bool:
        """Tell whether the engine has them; it is not known before there are tables."""
        if self._is_without_locks is None:
            there = self.fetch_one("select to_regclass(%s) is not null", [f"{SCHEMA}.lock_row"])
            row = self.fetch_one(_NO_LOCKS) if there and there[0] else None
            self._is_without_locks = row is not None
        return not self._is_without_locks

    def _lock_row(self, name: str, more: str = "") -> bool:
        """Lock a row of a table, by a connection of its own, with which the lock ends."""
        number = str(_lock_number(name))  # everybody sees the rows
        self.run("insert into lock_row values (%s) on conflict do nothing", [number])
        holder = ServerConnection(self.url)
        holder.run("begin")
        row = holder.fetch_one(f"select 1 from lock_row where name = %s for update{more}", [number])
        if row is None:
            holder.close()
            return False
        self._locks[name] = holder
        return True

    @contextmanager
    def translate_errors(self) -> Iterator[None]:
        """Turn what the server says into what a person can act on."""
        try:
            yield
        except psycopg.Error as error:
            raise IndexTrouble(_describe_error(self.place, error)) from error


def cut_rows(rows: Sequence[Sequence[object]]) -> Iterator[Sequence[Sequence[object]]]:
    """Cut rows into as many as go into one statement."""
    start = size = 0
    for end, row in enumerate(rows):
        if end - start >= _ROWS_AT_ONCE or size >= _SIZE_AT_ONCE:
            yield rows[start:end]
            start, size = end, 0
        size += sum(len(value) for value in row if isinstance(value, (str, bytes)))
    yield rows[start:]


def describe_place(url: str) -> str:
    """Name a database without a password: its name, and the machine it is on.

    Raises:
        Misuse: The URL cannot be read.
    """
    try:
        parts = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        raise Misuse(
            "That is no URL of a database. It looks like postgresql://NAME@HOST/DATABASE."
        ) from None
    host = parts.get("host") or "this machine"
    if str(host).startswith("/"):
        host = "this machine"
    return f"{parts.get('dbname') or 'postgres'} on {host}"


def _as_query(statement: str) -> Any:
    """Pass a statement on: psycopg wants to see literals, and ours are put together of such."""
    return statement


def _lock_number(name: str) -> int:
    digest = hashlib.sha256(name.encode()).digest()
    return (_LOCKS << 32 | int.from_bytes(digest[:4], "big")) - (1 << 63)


def _describe_error(place: str, error: "psycopg.Error") -> str:
    match error:
        case pg_errors.UndefinedTable() | pg_errors.InvalidSchemaName():
            return (
                f"The database {place} has no tables of bough's. "
                "An admin makes them: bough team init --store URL."
            )
        case pg_errors.InsufficientPrivilege():
            return f"The database {place} does not allow that to you: {_first_line(error)}."
        case pg_errors.QueryCanceled():
            return f"The database {place} ended the question: it took too long."
        case pg_errors.DiskFull():
            return f"The disk of the database {place} is full."
        case psycopg.OperationalError() if error.sqlstate is None:
            return f"Cannot reach the database {place}: {_first_line(error)}."
        case _:
            return f"The database {place} failed: {_first_line(error)}."


def _first_line(error: "psycopg.Error") -> str:
    """Take the first line of what was said, which names no password."""
    said = error.diag.message_primary or str(error).strip() or "it does not say why"
    return said.splitlines()[0].rstrip(".")
