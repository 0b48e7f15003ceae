"""Filters as SQL conditions.

Some are about files (project, session, the folder), the others about records; a search
first chooses the files, because that is cheap and may leave few.
"""

from collections.abc import Sequence
from functools import partial

from msgspec import Struct, field

from bough.model.text.times import format_timestamp
from bough.store.filter_conditions import CONDITIONS, combine_filters, replace_surrogates
from bough.store.query_language import Field, Filter, Query, like_pattern

_LIKE = "like {} escape '\\'"
_CONDITIONS = {
    **{name: written.replace("{record}", "record") for name, written in CONDITIONS.items()},
    # Agents belong to the session that started them.
    Field.PR: """exists (
        select 1 from file own join session s on s.file_id = own.id, json_each(s.pull_requests) pr
        where own.session = f.session and own.project_id = f.project_id and own.role = 'session'
        and {like json_extract(pr.value, '$.number')})""",
    # All is of one machine here, which has no name.
    Field.MACHINE: "{like ''}",
    Field.MEMBER: "{like ''}",
}


class WhereClause(Struct):
    """Conditions that must all hold, and their parameters."""

    clauses: list[str] = field(default_factory=list)
    values: dict[str, object] = field(default_factory=dict)

    def copy(self) -> "WhereClause":
        """Give the same conditions, to add others to."""
        return WhereClause([*self.clauses], {**self.values})

    def add(self, clause: str, **values: object) -> None:
        """Add a condition and the values it names."""
        self.clauses.append(clause)
        self.values |= values

    def bind(self, value: object) -> str:
        """Name a parameter for a value."""
        name = f"w{len(self.values)}"
        self.values[name] = value
        return f":{name}"

    def sql(self, lead: str = "and") -> str:
        """Write the conditions behind a word; nothing where there are none."""
        return f"{lead} {' and '.join(self.clauses)}" if self.clauses else ""


def add_filters(where: WhereClause, query: Query, fields: Sequence[Field]) -> None:
    """Add the filters on some fields: any of the wanted values, none of the others."""
    bind = partial(_bind_pattern, where)
    for clause in combine_filters(query, fields, _CONDITIONS, bind, _LIKE):
        where.add(clause)


def add_times(where: WhereClause, query: Query) -> None:
    """Add the limits in time; both are strings of one form, so they compare as they are."""
    if query.after is not None:
        where.add(f"record.timestamp >= {where.bind(format_timestamp(query.after))}")
    if query.before is not None:
        where.add(f"record.timestamp < {where.bind(format_timestamp(query.before))}")


def like_condition(where: WhereClause, column: str, wanted: Filter) -> str:
    """Write that a column is like the value of a filter."""
    return f"{column} {_LIKE.format(_bind_pattern(where, wanted))}"


def _bind_pattern(where: WhereClause, wanted: Filter) -> str:
    return where.bind(replace_surrogates(like_pattern(wanted)))
