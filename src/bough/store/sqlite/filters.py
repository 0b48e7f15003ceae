"""Filters as SQL conditions.

Some are about files (project, session, the folder), the others about records; a search
first chooses the files, because that is cheap and may leave few.
"""

import re
from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct, field

from bough.store.query_language import Field, Filter, Query, like_pattern

FILE_FIELDS = (Field.PROJECT, Field.SESSION, Field.PR)

_SURROGATE = re.compile("[\ud800-\udfff]")
# {} is the parameter that holds the value, {like} compares with it.
_LIKE = "like {} escape '\\'"
_CONDITIONS = {
    Field.PROJECT: (
        "(p.name {like} or p.dir {like} or coalesce(p.path, '') {like} "
        "or coalesce(p.worktree_of, '') {like})"
    ),
    Field.SESSION: "f.session {like}",
    # Agents belong to the session that started them.
    Field.PR: """exists (
        select 1 from file own join session s on s.file_id = own.id, json_each(s.pull_requests) pr
        where own.session = f.session and own.project_id = f.project_id and own.role = 'session'
        and json_extract(pr.value, '$.number') {like})""",
    # A line may hold several calls or results; the record's own column names one of them.
    Field.TOOL: """(record.tool is not null and (record.tool {like}
        or record.kind = 'assistant' and exists (
            select 1 from call where call.file_id = record.file_id
            and call.offset = record.offset and call.name {like})
        or record.kind = 'user' and exists (
            select 1 from result join call on call.call_id = result.call_id
            where result.file_id = record.file_id and result.offset = record.offset
            and call.name {like})))""",
    Field.FILE: """(exists (
            select 1 from touch where touch.file_id = record.file_id
            and touch.offset = record.offset and touch.path {like})
        or record.kind = 'user' and exists (
            select 1 from result join call on call.call_id = result.call_id
            join touch on touch.file_id = call.file_id and touch.offset = call.offset
            where result.file_id = record.file_id and result.offset = record.offset
            and touch.path {like}))""",
    Field.MODEL: "coalesce(record.model, '') {like}",
    # What the client adds to a prompt, and what waits to be one, is on the person's side.
    Field.ROLE: (
        "case record.kind when 'assistant' then 'assistant' when 'user' then 'user' "
        "when 'attachment' then 'user' when 'queue-operation' then 'user' else '' end = {}"
    ),
    # What is on no branch, such as a title, was not left behind either.
    Field.BRANCH: (
        "case when record.active = 1 then 'active' "
        "when record.branch is not null then 'left' else '' end = {}"
    ),
    Field.STOP: """exists (
        select 1 from stop where stop.file_id = record.file_id
        and stop.offset = record.offset and stop.reason {like})""",
    Field.IS: "(record.failed = 1 and {} = 'error')",
    Field.HAS: "(record.image = 1 and {} = 'image')",
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
    for name in fields:
        filters = [one for one in query.filters if one.field is name]
        wanted = [_filter_condition(where, one) for one in filters if not one.negated]
        if wanted:
            where.add(f"({' or '.join(wanted)})")
        for one in filters:
            if one.negated:
                where.add(f"not ({_filter_condition(where, one)})")


def add_times(where: WhereClause, query: Query) -> None:
    """Add the limits in time; both are strings of one form, so they compare as they are."""
    if query.after is not None:
        where.add(f"record.timestamp >= {where.bind(format_timestamp(query.after))}")
    if query.before is not None:
        where.add(f"record.timestamp < {where.bind(format_timestamp(query.before))}")


def format_timestamp(moment: datetime) -> str:
    """Write a moment as records do."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def like_condition(where: WhereClause, column: str, wanted: Filter) -> str:
    """Write that a column is like the value of a filter."""
    return f"{column} {_LIKE.format(where.bind(replace_surrogates(like_pattern(wanted))))}"


def replace_surrogates(text: str) -> str:
    """Replace what SQLite cannot take: half characters, from a terminal's stray bytes."""
    return _SURROGATE.sub("\ufffd", text)


def _filter_condition(where: WhereClause, wanted: Filter) -> str:
    pattern = where.bind(replace_surrogates(like_pattern(wanted)))
    return _CONDITIONS[wanted.field].replace("{like}", _LIKE).replace("{}", pattern)
