"""The search language: `checkpoint tool:Edit after:yesterday "exact words" -draft`.

    word                has the word; case and accents do not matter
    "exact words"       has these words in a row; a quote inside is written twice
    check*              has a word that begins so; also "in a ro"*
    -word  NOT word     does not have it; also before a phrase, a group, a regex
    a b    a AND b      has both
    a OR b              has one or both; OR binds tighter than AND: `x a OR b` is x (a OR b)
    ( )                 groups words
    /regex/  /regex/i   matches a regular expression of Python's; i ignores case
    project:x           the project's name or path has x in it
    session:3f9c        the session's id begins so
    tool:Bash           a call of this tool or its result; the whole name
    file:reader.py      touches a file whose path has this in it
    model:opus          by a model whose name has this in it
    role:user           user or assistant
    kind:text           prompt, text, thinking, tool_input, tool_result or note
    branch:active       on the active conversation; branch:left: not any more
    pr:412              in a session that this pull request came out of
    stop:max_tokens     stopped for a reason other than its end or a tool
    is:error            failed
    has:image           comes with an image
    machine:laptop      from this machine, where the store is a team's; the whole name
    member:ann          from a machine of this member, where the store is a team's
    -tool:Bash          none of these; - goes before any filter but a date
    after:x  before:x   x and later; earlier than x

Filters are joined by AND; the same filter twice takes either value. In a value `*` stands
for anything and quotes hold spaces: project:"my app". A filter stands outside parentheses
and not beside OR.

A date is the moment it begins: after:2026-11-01 has that day in it, before:2026-11-01 does
not. Dates are 2026-11-01, 2026-11, 2026, "2026-11-01 14:30", 14:30, today, yesterday,
monday (the latest, today included) to sunday, this-week, last-week (weeks begin on Monday),
this-month, last-month, this-year, last-year, now, and 10m, 2h, 3d, 1w for so long ago.

Words are what stands between spaces. Marks inside them do not count, so foo_bar, foo.bar
and "foo bar" ask for the same; a word of nothing but marks, such as ->, is looked for
literally. foo(bar), /usr/bin, --resume and std::sort are words as they are. Chinese,
Japanese, Korean and Thai are found at any place of a sentence.

`parse` reads, `format_query` writes what reads back the same, `to_fts` asks FTS5, `matches` says
what a query means.
"""

from bough.store.query_language.ast import (
    FIELDS,
    And,
    Field,
    FieldRule,
    Filter,
    Not,
    Or,
    Query,
    QuerySyntaxError,
    Regex,
    Term,
    TextQuery,
    all_of,
    any_of,
    like_pattern,
    negation_of,
)
from bough.store.query_language.dates import parse_moment
from bough.store.query_language.formatter import format_query
from bough.store.query_language.fts import (
    WHOLE_WORDS,
    FoundMatches,
    FtsQuery,
    join_near,
    join_words,
    list_marked_terms,
    list_regexes,
    matches,
    to_fts,
)
from bough.store.query_language.parser import parse

__all__ = [
    "FIELDS",
    "WHOLE_WORDS",
    "And",
    "Field",
    "FieldRule",
    "Filter",
    "FoundMatches",
    "FtsQuery",
    "Not",
    "Or",
    "Query",
    "QuerySyntaxError",
    "Regex",
    "Term",
    "TextQuery",
    "all_of",
    "any_of",
    "format_query",
    "join_near",
    "join_words",
    "like_pattern",
    "list_marked_terms",
    "list_regexes",
    "matches",
    "negation_of",
    "parse",
    "parse_moment",
    "to_fts",
]
