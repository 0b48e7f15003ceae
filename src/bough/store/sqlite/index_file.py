"""Which file is an index of bough's: no other is written, brought up to date or removed.

One wrong `--index` or `BOUGH_INDEX` may name somebody's notes or another program's database.
An index says in its first page whose it is; one made before that was so is known by its tables,
all of which must be ours. Looking leaves no trace, not even beside the file.
"""

import os
import re
import sqlite3
import stat
from functools import cache
from pathlib import Path
from typing import Final

from bough.config import data_dir
from bough.errors import IndexTrouble
from bough.store.sqlite.index_lock import lock_path

APPLICATION_ID: Final = 0x626F7567
"""Stands in the first page of every index: the beginning of our name."""
SCRIPTS: Final = Path(__file__).parent.parent / "sql"

_NO_DATABASE: Final = 1 << 40
"""No number that a database can have."""
_TABLE = re.compile(r"^create (?:virtual )?table (?:if not exists )?(\w+)", re.MULTILINE)
_SHADOWS = ("data", "idx", "content", "docsize", "config")
"""What SQLite keeps of a full-text table, each in a table of its own."""
_MADE_LATER = ("answer", "spent")
"""Made by no script: when the first answer is kept, and, until the fourth schema, when usage was
first asked for."""


def require_index_file(path: Path) -> None:
    """Refuse a file that is something else than an index; what is not there or empty is none.

    Raises:
        IndexTrouble: It is no file, no database, or the database of another program.
    """
    application = _read_application(path)
    if application is None:
        return
    if application == _NO_DATABASE:
        if not _was_ours(path):
            raise IndexTrouble(f"{path} is not an index of bough, and is left as it is. {ADVICE}")
        raise IndexTrouble(f"The index {path} is damaged. Make it again: bough index --rebuild.")
    if not _is_ours(path, application):
        raise IndexTrouble(
            f"{path} is the database of another program, and is left as it is. {ADVICE}"
        )


ADVICE = "Name another place with --index or BOUGH_INDEX."


def require_removable(path: Path) -> None:
    """Refuse to remove what is no index; one that is damaged beyond knowing is one too.

    Raises:
        IndexTrouble: It is something else.
    """
    if _read_application(path) == _NO_DATABASE and _was_ours(path):
        return
    require_index_file(path)


def _was_ours(path: Path) -> bool:
    """Tell whether an index was here: it is bough's own place, or the lock of a writer is left."""
    own = path.absolute() == (data_dir() / "index.sqlite").absolute()
    return own or lock_path(path).is_file()


def _read_application(path: Path) -> int | None:
    """Read whose a database says it is; None where there is no file, or nothing in it.

    SQLite reads it for us: whoever opens and closes the file himself takes away, on POSIX, the
    locks that other connections of this process hold on it. Another program then takes itself for
    the last one, and removes the log that they still need.
    """
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise IndexTrouble(f"Cannot open the index {path}: {reason}. {ADVICE}") from error
    if not stat.S_ISREG(found.st_mode):
        raise IndexTrouble(f"{path} is not a file, so it cannot be an index. {ADVICE}")
    if not found.st_size:
        return None
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?immutable=1", uri=True)
        try:
            # While its log is copied into it a file is shorter than its first page says. Whoever
            # reads it without locks is told that it is malformed, but for this setting.
            connection.execute("pragma writable_schema = on")
            application: int = connection.execute("pragma application_id").fetchone()[0]
        finally:
            connection.close()
    except sqlite3.OperationalError as error:
        reason = "permission denied" if not os.access(path, os.R_OK) else str(error)
        raise IndexTrouble(f"Cannot open the index {path}: {reason}. {ADVICE}") from error
    except sqlite3.DatabaseError:
        return _NO_DATABASE
    return application


def _is_ours(path: Path, written: int) -> bool:
    if written:
        return written == APPLICATION_ID
    # Made before indexes said so, or said so only in the log that is beside it.
    seen = _look_inside(path, "immutable=1")
    if seen is not None and not seen[-1]:
        seen = _look_inside(path, "mode=ro")
    if seen is None:
        return _was_ours(path)
    application, version, tables = seen
    if application:
        return application == APPLICATION_ID
    return tables <= _known_tables() and (version > 0 or not tables)


def _look_inside(path: Path, how: str) -> tuple[int, int, frozenset[str]] | None:
    """Read whose a database is, its version and its tables; None where it is damaged."""
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True)
        try:
            application: int = connection.execute("pragma application_id").fetchone()[0]
            version: int = connection.execute("pragma user_version").fetchone()[0]
            rows = connection.execute("select name from sqlite_master where type = 'table'")
            tables = (row[0] for row in rows)
            return (
                application,
                version,
                frozenset(table for table in tables if not table.startswith("sqlite_")),
            )
        finally:
            connection.close()
    except sqlite3.DatabaseError:
        return None


@cache
def _known_tables() -> frozenset[str]:
    names = {*_MADE_LATER}
    for script in SCRIPTS.iterdir():
        if script.suffix == ".sql":
            names.update(_TABLE.findall(script.read_text(encoding="utf-8").lower()))
    return frozenset(names | {f"{name}_{shadow}" for name in names for shadow in _SHADOWS})
