"""Questions in SQL to a team's store: in a transaction that can only read, one statement each."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import psycopg

from bough.errors import IndexTrouble, Misuse
from bough.store.postgres.server_connection import SCHEMA, ServerConnection
from bough.store.rows import SqlResult, TableColumns

_TABLES: Final = """
    select table_name, array_agg(column_name::text order by ordinal_position)
    from information_schema.columns where table_schema = %s group by table_name order by table_name
"""
_LONGEST_SECONDS: Final = 300
_AT_ONCE: Final = 1_000


@contextmanager
def run_reader_sql(url: str, question: str) -> Iterator[SqlResult]:
    """Ask a question; its rows can be read as long as the context lasts.

    Raises:
        Misuse: The database does not understand the question, or it would change something.
    """
    connection = ServerConnection(url)
    try:
        connection.raw.prepare_threshold = 0
        connection.run("begin isolation level repeatable read read only")
        connection.run(f"set local statement_timeout = '{_LONGEST_SECONDS}s'")
        with connection.raw.cursor() as cursor:
            with _translate_errors():
                # What is prepared is one statement: nothing can follow that ends the transaction.
                cursor.execute(question.encode("utf-8", "replace"), prepare=True)
            if cursor.description is None:
                raise Misuse("That asks for nothing. A question begins with select.")
            columns = tuple(column.name for column in cursor.description)
            yield SqlResult(columns, _iterate_rows(cursor))
    finally:
        connection.close()


def list_server_tables(connection: ServerConnection) -> Sequence[TableColumns]:
    """List the tables and their columns."""
    return [TableColumns(row[0], tuple(row[1])) for row in connection.fetch_all(_TABLES, [SCHEMA])]


def _iterate_rows(cursor: "psycopg.Cursor[tuple[object, ...]]") -> Iterator[tuple[object, ...]]:
    while rows := cursor.fetchmany(_AT_ONCE):
        yield from rows


@contextmanager
def _translate_errors() -> Iterator[None]:
    """Tell a question that makes no sense from a database that does not work."""
    try:
        yield
    except psycopg.OperationalError as error:
        raise IndexTrouble(f"The database failed: {error}.") from error
    except psycopg.Error as error:
        said = (error.diag.message_primary or str(error)).rstrip(".")
        if "read-only transaction" in said:
            raise Misuse(f"bough sql only reads: {said}.") from error
        raise Misuse(f"{said}. bough sql without a question lists the tables.") from error
