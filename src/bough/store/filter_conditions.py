"""What filters of a query ask of rows: the same conditions in every store.

{record} is what a statement calls the record; files are f there and projects p. {} is the
parameter that holds the value, {like} compares with it.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from bough.store.query_language import Field, Filter, Query

FILE_FIELDS: Final = (Field.PROJECT, Field.SESSION, Field.PR, Field.MACHINE, Field.MEMBER)

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
CONDITIONS: Final = {
    Field.PROJECT: (
        "(p.name {like} or p.dir {like} or coalesce(p.path, '') {like} "
        "or coalesce(p.worktree_of, '') {like})"
    ),
    Field.SESSION: "f.session {like}",
    # A line may hold several calls or results; the record's own column names one of them.
    Field.TOOL: """({record}.tool is not null and ({record}.tool {like}
        or {record}.kind = 'assistant' and exists (
            select 1 from call where call.file_id = {record}.file_id
            and call.offset = {record}.offset and call.name {like})
        or {record}.kind = 'user' and exists (
            select 1 from result join call on call.call_id = result.call_id
            where result.file_id = {record}.file_id and result.offset = {record}.offset
            and call.name {like})))""",
    Field.FILE: """(exists (
            select 1 from touch where touch.file_id = {record}.file_id
            and touch.offset = {record}.offset and touch.path {like})
        or {record}.kind = 'user' and exists (
            select 1 from result join call on call.call_id = result.call_id
            join touch on touch.file_id = call.file_id and touch.offset = call.offset
            where result.file_id = {record}.file_id and result.offset = {record}.offset
            and touch.path {like}))""",
    Field.MODEL: "coalesce({record}.model, '') {like}",
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
        and stop.offset = {record}.offset and stop.reason {like})""",
    Field.IS: "({record}.failed = 1 and {} = 'error')",
    Field.HAS: "({record}.image = 1 and {} = 'image')",
}
"""Of all fields but some: each store looks into JSON in its own way, and only a team's has
machines and members."""


def combine_filters(
    query: Query, fields: Iterable[Field], write: Callable[[Filter], str]
) -> Iterator[str]:
    """Give the conditions of some fields: any of the wanted values, none of the others."""
    for name in fields:
        filters = [one for one in query.filters if one.field is name]
        wanted = [write(one) for one in filters if not one.negated]
        if wanted:
            yield f"({' or '.join(wanted)})"
        yield from (f"not ({write(one)})" for one in filters if one.negated)


def replace_surrogates(text: str) -> str:
    """Replace what no database can take: half characters, from a terminal's stray bytes."""
    return _SURROGATE.sub("\ufffd", text)
