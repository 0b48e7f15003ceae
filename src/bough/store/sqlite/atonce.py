"""Many rows in one step.

Python lets others have their turn at every row that SQLite finds, and where somebody else
computes it waits for its own again each time: a thousand short waits. Rows that SQLite packs
into one value come in a single step.
"""

import sqlite3
from collections.abc import Mapping
from typing import Any

import msgspec

_PACKED = (
    "with found({names}) as ({statement}) select json_group_array(json_array({names})) from found"
)


def rows_at_once(
    connection: sqlite3.Connection,
    statement: str,
    columns: int,
    values: Mapping[str, object] | None = None,
) -> list[list[Any]]:
    """Give the rows of a statement of so many columns, none of them a blob, in its order."""
    names = ", ".join(f"c{number}" for number in range(columns))
    packed = _PACKED.replace("{names}", names).replace("{statement}", statement)
    text = connection.execute(packed, values or {}).fetchone()[0]
    rows: list[list[Any]] = msgspec.json.decode(text)
    return rows
