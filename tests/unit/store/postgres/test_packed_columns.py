"""Arrays in binary form: what PostgreSQL reads of them is what was packed."""

from collections.abc import Iterator

import pytest

from bough.store.postgres.packed_columns import PackedColumn, pack_column
from bough.store.postgres.server_connection import ServerConnection
from tests.team_server import TeamServer


@pytest.fixture(scope="module")
def connection(team_server: TeamServer) -> Iterator[ServerConnection]:
    with team_server.database() as url:
        connection = ServerConnection(url)
        yield connection
        connection.close()


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("bigint", [1, -(1 << 63), (1 << 63) - 1]),
        ("bigint", [1, None, 3]),
        ("integer", [0, -5, 1 << 30]),
        ("smallint", [127, None]),
        ("double precision", [0.5, 2, None]),
        ("text", ["", 'quo"ted', "back\\slash", "née 日本", "{a,b}", "NULL", None]),
        ("text", [None]),
        ("bytea", [b"", b"\x00\xff", None]),
        ("jsonb", ['{"a": [1, "\\\\ \\""]}', "null", None]),
        ("bigint", []),
        ("text", []),
        ("uuid", ["1a" * 16, None]),
    ],
)
def test_what_is_read_is_what_was_packed(
    connection: ServerConnection, kind: str, values: list[object]
) -> None:
    packed = pack_column(kind, values)

    assert isinstance(packed, PackedColumn) == (kind != "uuid")
    statement = (
        "select count(*), array_agg(one::text = given::text or one is null and given is null)"
    )
    (row,) = connection.fetch_all(
        f"{statement} from rows from (unnest(%s::{kind}[]), unnest(%s::text[]::{kind}[])) "
        "with ordinality as both_of(one, given, number)",
        [packed, [_as_text(value) for value in values]],
    )
    assert row[0] == len(values)
    assert all(row[1] or [])


def test_arrays_of_several_types_go_into_one_statement(connection: ServerConnection) -> None:
    arrays = [pack_column("bigint", [7]), pack_column("text", ["x"]), pack_column("integer", [3])]

    (row,) = connection.fetch_all("select * from unnest(%s, %s, %s)", arrays)
    assert row == (7, "x", 3)


def _as_text(value: object) -> str | None:
    if isinstance(value, bytes):
        return f"\\x{value.hex()}"
    return None if value is None else str(value)
