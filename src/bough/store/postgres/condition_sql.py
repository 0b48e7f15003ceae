"""Filters as conditions of PostgreSQL: on records (r), their files (f) and projects (p).

They are those of the local index. ILIKE folds the case of ASCII alone there too, because text is
compared byte by byte.
"""

from collections.abc import Iterable
from functools import partial
from typing import Final

from msgspec import Struct, field

from bough.model.text.times import format_timestamp
from bough.store.filter_conditions import CONDITIONS, FILE_FIELDS, combine_filters
from bough.store.postgres.record_bodies import clean_text
from bough.store.query_language import Field, Filter, Query, like_pattern

_LIKE: Final = "ilike {} escape '\\'"
_CONDITIONS: Final = {
    **{name: written.replace("{record}", "r") for name, written in CONDITIONS.items()},
    Field.PR: """exists (
        select 1 from file own join session s on s.file_id = own.id,
            jsonb_array_elements(s.pull_requests::jsonb) pr
        where own.session = f.session and own.project_id = f.project_id and own.role = 'session'
        and {like (pr->>'number')})""",
    Field.MACHINE: "f.machine_id in (select m.id from machine m where {like substr(m.prefix, 3)})",
    Field.MEMBER: "f.machine_id in (select m.id from machine m where {like m.owner})",
}


class ServerConditions(Struct):
    """Conditions that must all hold, and their values."""

    clauses: list[str] = field(default_factory=list)
    values: dict[str, object] = field(default_factory=dict)

    def copy(self) -> "ServerConditions":
        """Give the same conditions, to add others to."""
        return ServerConditions([*self.clauses], {**self.values})

    def add(self, clause: str) -> None:
        """Add a condition."""
        self.clauses.append(clause)

    def bind(self, value: object) -> str:
        """Name a parameter for a value."""
        name = f"w{len(self.values)}"
        self.values[name] = clean_text(value) if isinstance(value, str) else value
        return f"%({name})s"

    def sql(self) -> str:
        """Write the conditions behind others."""
        return "".join(f" and {clause}" for clause in self.clauses)


def add_file_filters(where: ServerConditions, query: Query) -> None:
    """Add the filters that are about files: any of the wanted values, none of the others."""
    _add_filters(where, query, FILE_FIELDS)


def add_record_filters(where: ServerConditions, query: Query) -> None:
    """Add the filters that are about records, and the limits in time."""
    _add_filters(where, query, [name for name in _CONDITIONS if name not in FILE_FIELDS])
    if query.after is not None:
        where.add(f"r.timestamp >= {where.bind(format_timestamp(query.after))}")
    if query.before is not None:
        where.add(f"r.timestamp < {where.bind(format_timestamp(query.before))}")


def _add_filters(where: ServerConditions, query: Query, fields: Iterable[Field]) -> None:
    for clause in combine_filters(query, fields, _CONDITIONS, partial(_bind_pattern, where), _LIKE):
        where.add(clause)


def _bind_pattern(where: ServerConditions, wanted: Filter) -> str:
    return where.bind(like_pattern(wanted))
