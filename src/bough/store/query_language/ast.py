"""What a query means, after reading.

Words and filters are kept apart: the words form an expression that full text search
answers, the filters a flat list that plain indexes answer. So a store translates each into
what it is fast at, and neither needs to know the other.
"""

import re
import warnings
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct

from bough.errors import Misuse


class QuerySyntaxError(Misuse):
    """Say what a query wants and from where on it cannot be read.

    `position` counts from 0, for marking the place; the message counts from 1, for people.
    """

    def __init__(self, wants: str, position: int) -> None:
        self.position = position
        super().__init__(f"{wants} The query stops making sense at character {position + 1}.")


class Field(StrEnum):
    """What a filter looks at."""

    PROJECT = "project"
    SESSION = "session"
    TOOL = "tool"
    FILE = "file"
    MODEL = "model"
    ROLE = "role"
    KIND = "kind"
    BRANCH = "branch"
    PR = "pr"
    STOP = "stop"
    IS = "is"
    HAS = "has"
    MACHINE = "machine"
    MEMBER = "member"


class FieldRule(Struct, frozen=True):
    """What a field takes: one of `choices` if there are any, else any text."""

    wants: str
    choices: tuple[str, ...] = ()


FIELDS: dict[Field, FieldRule] = {
    Field.PROJECT: FieldRule("a project's name or path, as in project:orchard-shop"),
    Field.SESSION: FieldRule("the beginning of a session's id, as in session:3f9c"),
    Field.TOOL: FieldRule("a tool's name, as in tool:Bash"),
    Field.FILE: FieldRule("a part of a file's path, as in file:reader.py"),
    Field.MODEL: FieldRule("a part of a model's name, as in model:opus"),
    Field.ROLE: FieldRule("user or assistant, as in role:user", ("user", "assistant")),
    Field.KIND: FieldRule(
        "prompt, text, thinking, tool_input, tool_result or note, as in kind:text",
        ("prompt", "text", "thinking", "tool_input", "tool_result", "note"),
    ),
    Field.BRANCH: FieldRule("active or left, as in branch:active", ("active", "left")),
    Field.PR: FieldRule("the number of a pull request, as in pr:412"),
    Field.STOP: FieldRule("why a message stopped, as in stop:max_tokens"),
    Field.IS: FieldRule("error, as in is:error", ("error",)),
    Field.HAS: FieldRule("image, as in has:image", ("image",)),
    Field.MACHINE: FieldRule("a machine of a team, as in machine:laptop"),
    Field.MEMBER: FieldRule("a member of a team, as in member:ann"),
}


class Filter(Struct, frozen=True):
    """One `field:value`. Several of one field: any of them; negated ones: none of them."""

    field: Field
    value: str
    negated: bool = False


class Term(Struct, frozen=True, tag=True):
    """A word or a phrase: its tokens in a row; `prefix` leaves the last one open."""

    text: str
    prefix: bool = False


class Regex(Struct, frozen=True, tag=True):
    """A regular expression of Python's `re`; ^ and $ stand at lines."""

    pattern: str
    ignore_case: bool = False

    @property
    def flags(self) -> int:
        """Give the flags of `re` that it is compiled with."""
        return int(re.MULTILINE | (re.IGNORECASE if self.ignore_case else re.NOFLAG))

    def compile_pattern(self) -> re.Pattern[str]:
        """Compile the pattern, which reading the query has already proved to be one."""
        return compile_regex(self.pattern, ignore_case=self.ignore_case)


class Not(Struct, frozen=True, tag=True):
    """What must not be there."""

    item: "TextQuery"


class And(Struct, frozen=True, tag=True):
    """All of these, two or more, none of them an `And`."""

    items: "tuple[TextQuery, ...]"


class Or(Struct, frozen=True, tag=True):
    """Any of these, two or more, none of them an `Or`."""

    items: "tuple[TextQuery, ...]"


TextQuery: TypeAlias = Term | Regex | Not | And | Or


class Query(Struct, frozen=True):
    """A whole query; everything in it must hold. Times are in UTC: after <= time < before."""

    text: TextQuery | None = None
    filters: tuple[Filter, ...] = ()
    after: datetime | None = None
    before: datetime | None = None


def all_of(items: list[TextQuery]) -> TextQuery | None:
    """Join with AND, flat; None of nothing."""
    flat: list[TextQuery] = []
    for item in items:
        flat.extend(item.items if isinstance(item, And) else (item,))
    return And(tuple(flat)) if len(flat) > 1 else next(iter(flat), None)


def any_of(items: list[TextQuery]) -> TextQuery:
    """Join one or more with OR, flat."""
    flat: list[TextQuery] = []
    for item in items:
        flat.extend(item.items if isinstance(item, Or) else (item,))
    return Or(tuple(flat)) if len(flat) > 1 else flat[0]


def negation_of(item: TextQuery) -> TextQuery:
    """Negate; twice is not at all."""
    return item.item if isinstance(item, Not) else Not(item)


def compile_regex(pattern: str, *, ignore_case: bool) -> re.Pattern[str]:
    """Compile a regex of a query; raises `re.error` and, for absurd counts, OverflowError."""
    flags = re.MULTILINE | (re.IGNORECASE if ignore_case else re.NOFLAG)
    with warnings.catch_warnings():
        # "[[" may change its meaning in a later Python. That is no news for a searcher.
        warnings.simplefilter("ignore")
        return re.compile(pattern, flags)


def like_pattern(wanted: Filter) -> str:
    """Translate a filter's value to SQL's LIKE, with a backslash as the escape.

    `*` stands for any characters. A tool, a machine and a member are named whole, a session by its
    beginning, and everything else by any part. LIKE folds the case of ASCII in SQLite; elsewhere
    use ILIKE.
    """
    value = re.sub(r"[\\%_]", r"\\\g<0>", wanted.value).replace("*", "%")
    match wanted.field:
        case Field.PROJECT | Field.FILE | Field.MODEL:
            return f"%{value}%"
        case Field.SESSION:
            return f"{value}%"
        case Field.PR:
            return value.removeprefix("#")
        case _:
            return value
