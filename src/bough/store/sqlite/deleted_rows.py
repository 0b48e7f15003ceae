"""The rows of deleted files, carried over into an index that is made anew."""

import sqlite3
from collections.abc import Iterable
from pathlib import Path

import msgspec

from bough.store.sqlite.connection import transaction
from bough.store.sqlite.writer import KEPT_OF_DELETED

_OF_FILES = "(select value from json_each(:files))"


def copy_deleted_rows(
    connection: sqlite3.Connection, old: Path, files: Iterable[int], moment: str
) -> None:
    """Copy from an old index what stays of some deleted files into an empty one.

    Both are of the newest schema. Files that were not known to be deleted are from `moment` on.
    """
    values = {"files": msgspec.json.encode(list(files)).decode(), "moment": moment}
    connection.execute("attach database ? as old", (str(old),))
    try:
        with transaction(connection):
            connection.execute(
                "insert into project select * from old.project where id in "
                f"(select project_id from old.file where id in {_OF_FILES})",
                values,
            )
            for table, key in (("file", "id"), *((name, "file_id") for name in KEPT_OF_DELETED)):
                names = ", ".join(
                    row[1] for row in connection.execute(f"pragma main.table_info({table})")
                )
                connection.execute(
                    f"insert into {table} ({names}) select {names} from old.{table} "
                    f"where {key} in {_OF_FILES}",
                    values,
                )
            connection.execute(
                "update file set deleted_at = coalesce(deleted_at, :moment), summed = 0", values
            )
    finally:
        connection.execute("detach database old")
