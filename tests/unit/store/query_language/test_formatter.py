import re
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.store.query_language import (
    FIELDS,
    Field,
    Filter,
    Query,
    QuerySyntaxError,
    Regex,
    Term,
    TextQuery,
    all_of,
    any_of,
    negation_of,
    parse,
)
from bough.store.query_language import format_query as write
from bough.store.query_language.ast import compile_regex
from bough.store.query_language.parser import _ENDLESS

NOW = datetime(2026, 11, 15, 14, 30, tzinfo=UTC)
LATER = datetime(2027, 2, 3, 4, 5, tzinfo=UTC)
ELSEWHERE = timezone(timedelta(hours=9))


def compiles(pattern: str) -> bool:
    try:
        compile_regex(pattern, ignore_case=False)
    except (re.error, OverflowError):
        return False
    return True


MARKS = 'ab -"()/*:ORANDT\\i黒é'
texts = (st.text(min_size=1) | st.text(min_size=1, alphabet=MARKS)).filter(str.strip)
terms = st.builds(Term, texts, st.booleans())
patterns = (
    st.text(min_size=1, alphabet="ab/.*+|()[]\\ds ")
    .filter(lambda pattern: not pattern[0].isspace() and compiles(pattern))
    .map(lambda pattern: re.sub(r"\\.", lambda m: "/" if m[0] == "\\/" else m[0], pattern))
    .filter(lambda pattern: not _ENDLESS.search(pattern))  # the parser refuses those
)
regexes = st.builds(Regex, patterns, st.booleans())


def joined(children: st.SearchStrategy[TextQuery]) -> st.SearchStrategy[TextQuery]:
    several = st.lists(children, min_size=1, max_size=4)
    both = several.map(all_of).filter(lambda text: text is not None)
    return both | several.map(any_of) | children.map(negation_of)  # type: ignore[return-value]


expressions = st.recursive(terms | regexes, joined, max_leaves=5)
filters = st.sampled_from(Field).flatmap(
    lambda field: st.builds(
        Filter,
        st.just(field),
        st.sampled_from(FIELDS[field].choices) if FIELDS[field].choices else texts.map(str.strip),
        st.booleans(),
    )
)
times = st.none() | st.datetimes(timezones=st.just(UTC))
queries = st.builds(
    Query,
    st.none() | expressions,
    st.lists(filters, max_size=4, unique=True).map(tuple),
    times,
    times,
)


@given(queries)
def test_what_is_written_reads_back_the_same(query: Query) -> None:
    assert parse(write(query), NOW, UTC) == query


@given(st.text() | st.text(alphabet=MARKS))
def test_what_was_read_means_the_same_at_any_time_and_place(text: str) -> None:
    try:
        query = parse(text, NOW, UTC)
    except QuerySyntaxError:
        return

    assert parse(write(query), LATER, ELSEWHERE) == query


@pytest.mark.parametrize(
    "text",
    [
        'checkpoint "exact words" -draft tool:Edit',
        "disk (full OR quota*) -/retry [0-9]+/i",
        "timeout OR refused",
        "(a b) OR c",
        "-branch:active tool:mcp__* file:C:\\src",
        'project:"my app"',
    ],
)
def test_a_plain_query_is_written_plainly(text: str) -> None:
    plain = text.replace("(full OR quota*)", "full OR quota*")

    assert write(parse(text, NOW, UTC)) == plain


def test_a_date_is_written_in_full() -> None:
    assert write(parse("after:yesterday", NOW, UTC)) == "after:2026-11-14T00:00:00Z"
