"""What filters of a query ask of rows: the same conditions in every store.

{record} is what a statement calls the record; files are f there and projects p. {} is the
parameter that holds the value; {like COLUMN} compares a column with the values.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from bough.store.query_language import Field, Filter, Query

FILE_FIELDS: Final = (Field.PROJECT, Field.SESSION, Field.PR, Field.MACHINE, Field.MEMBER)

_LIKE: Final = re.compile(r"\{like ([^}]*)\}")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
CONDITIONS: Final = {
    Field.PROJECT: (
        "({like p.name} or {like p.dir} or {like coalesce(p.path, '')} "
        "or {like coalesce(p.worktree_of, '')})"
    ),
    Field.SESSION: "{like f.session}",
    # A line may hold several calls or results; the record's own column names one of them.
    Field.TOOL: """({record}.tool is not null and ({like {record}.tool}
        or {record}.kind = 'assistant' and exists (
            select 1 from call where call.file_id = {record}.file_id
            and call.offset = {record}.offset and {like call.name})
        or {record}.kind = 'user' and exists (
            select 1 from result join call on call.call_id = result.call_id
            where result.file_id = {record}.file_id and result.offset = {record}.offset
            and {like call.name})))""",
    Field.FILE: """(exists (
            select 1 from touch where touch.file_id = {record}.file_id
            and touch.offset = {record}.offset and {like touch.path})
        or {record}.kind = 'user' and exists (
            select 1 from result join call on call.call_id = result.call_id
            join touch on touch.file_id = call.file_id and touch.offset = call.offset
            where result.file_id = {record}.file_id and result.offset = {record}.offset
            and {like touch.path}))""",
    Field.MODEL: "{like coalesce({record}.model, '')}",
    # What the client adds to a prompt, and what waits to be one, is on the person's side.
    Field.ROLE: (
        "case {record}.kind when 'assistant' then 'assistant' when 'user' then 'user' "
        "when 'attachment' then 'user' when 'queue-operation' then 'user' else '' end = {}"
    ),
    # What is on no branch, such as a title, was not left behind either.
    Field.BRANCH: (
        "case when {record}.active = 1 then 'active' "
        "when {record}.branch is not null then 'left' else '' end = {}"
    ),
    Field.STOP: """exists (
        select 1 from stop where stop.file_id = {record}.file_id
        and stop.offset = {record}.offset and {like stop.reason})""",
    Field.IS: "({record}.failed = 1 and {} = 'error')",
    Field.HAS: "({record}.image = 1 and {} = 'image')",
}
"""Of all fields but some: each store looks into JSON in its own way, and only a team's has
machines and members."""


def combine_filters(
    query: Query,
    fields: Iterable[Field],
    conditions: Mapping[Field, str],
    bind: Callable[[Filter], str],
    operator: str,
) -> Iterator[str]:
    """Give the conditions of some fields: any of the wanted values, none of the others.

    `bind` names a parameter for the value of a filter; `operator` compares with the one in {}.
    """
    for name in fields:
        filters = [one for one in query.filters if one.field is name]
        if wanted := [bind(one) for one in filters if not one.negated]:
            yield _write_condition(conditions[name], wanted, operator)
        if unwanted := [bind(one) for one in filters if one.negated]:
            yield f"not {_write_condition(conditions[name], unwanted, operator)}"


def _write_condition(condition: str, values: Sequence[str], operator: str) -> str:
    """Write that any of some values is meant.

    Tables are looked into once for all of them: five tools that are left out cost as much as one.
    """
    if "{}" in condition:
        return f"({' or '.join(condition.replace('{}', value) for value in values)})"

    def compare(found: re.Match[str]) -> str:
        return f"({' or '.join(f'{found[1]} {operator.format(value)}' for value in values)})"

    return f"({_LIKE.sub(compare, condition)})"


def replace_surrogates(text: str) -> str:
    """Replace what no database can take: half characters, from a terminal's stray bytes."""
    return _SURROGATE.sub("\ufffd", text)
