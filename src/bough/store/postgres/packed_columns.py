"""Columns of many rows as arrays in PostgreSQL's binary form.

psycopg writes arrays as text, and quotes and escapes each member: of JSON and of long texts that
takes longer than everything else that is done with them. Here the members are only counted.
"""

import struct
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from psycopg import pq
from psycopg.adapt import Dumper, PyFormat

from bough.backports import override

if TYPE_CHECKING:
    from psycopg.abc import DumperKey


_NULL: Final = b"\xff\xff\xff\xff"
_LENGTH: Final = struct.Struct(">i")


class _ArrayType(Struct, frozen=True):
    """A type: the number of its arrays, its own, and how a number of it is packed, if it is one."""

    array: int
    member: int
    number: str = ""
    before: bytes = b""
    """What stands before each member."""


_TYPES: Final = {
    "bigint": _ArrayType(1016, 20, "q"),
    "integer": _ArrayType(1007, 23, "i"),
    "smallint": _ArrayType(1005, 21, "h"),
    "double precision": _ArrayType(1022, 701, "d"),
    "text": _ArrayType(1009, 25),
    "bytea": _ArrayType(1001, 17),
    "jsonb": _ArrayType(3807, 3802, before=b"\x01"),
}


class PackedColumn(Struct, frozen=True):
    """An array in binary form, and the number of its type."""

    oid: int
    data: bytes


class PackedColumnWriter(Dumper):
    """Gives an array to psycopg as it is."""

    format = pq.Format.BINARY

    @override
    def dump(self, obj: PackedColumn) -> bytes:
        """Give the bytes."""
        return obj.data

    @override
    def get_key(self, obj: PackedColumn, _: PyFormat) -> "DumperKey":
        """Tell types of arrays apart."""
        return (self.cls, obj.oid)  # type: ignore[return-value] # a key of any parts does

    @override
    def upgrade(self, obj: PackedColumn, _: PyFormat) -> "PackedColumnWriter":
        """Give a dumper for the type of an array."""
        dumper = PackedColumnWriter(self.cls)
        dumper.oid = obj.oid
        return dumper


def pack_column(kind: str, values: Sequence[Any]) -> PackedColumn | list[Any]:
    """Pack the values of a column of a type; as a list where its binary form is not known."""
    found = _TYPES.get(kind)
    if found is None:
        return list(values)
    has_none = None in values
    head = struct.pack(">iiIii", 1, has_none, found.member, len(values), 1)
    if not values:
        head = struct.pack(">iiI", 0, 0, found.member)
    pack = _pack_numbers if found.number else _pack_bytes
    return PackedColumn(found.array, head + pack(found, values, has_none=has_none))


def _pack_numbers(kind: _ArrayType, values: Sequence[Any], *, has_none: bool) -> bytes:
    size = struct.calcsize(f">{kind.number}")
    if not has_none:
        flat: list[Any] = [size] * (2 * len(values))
        flat[1::2] = values
        return struct.pack(">" + f"i{kind.number}" * len(values), *flat)
    one = struct.Struct(f">i{kind.number}").pack
    return b"".join([_NULL if value is None else one(size, value) for value in values])


def _pack_bytes(kind: _ArrayType, values: Sequence[Any], *, has_none: bool) -> bytes:
    pieces: list[bytes] = []
    length: Callable[[int], bytes] = _LENGTH.pack
    for value in values:
        if has_none and value is None:
            pieces.append(_NULL)
            continue
        data = value.encode() if isinstance(value, str) else value
        pieces += (length(len(kind.before) + len(data)), kind.before, data)
    return b"".join(pieces)
