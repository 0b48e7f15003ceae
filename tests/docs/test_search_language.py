"""The page about the search language says what the code does, row by row."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bough.store import query_language as searchql
from bough.store.query_language import FIELDS, QuerySyntaxError, matches, parse

PAGE = (Path(__file__).parents[2] / "docs" / "search.md").read_text(encoding="utf-8")
NOW = datetime(2026, 11, 15, 14, 30, tzinfo=UTC)


def rows(*headings: str) -> list[tuple[str, ...]]:
    """List the rows of every table with these headings, code marks taken off."""
    return [row for table in tables() if table[0] == headings for row in table[1:]]


def tables() -> Iterator[list[tuple[str, ...]]]:
    for block in re.findall(r"(?:^\|.*\|\n)+", PAGE, flags=re.MULTILINE):
        lines = [line.strip("|") for line in block.splitlines() if not line.startswith("|---")]
        yield [tuple(map(cell, re.split(r"(?<!\\)\|", line))) for line in lines]


def cell(text: str) -> str:
    found = re.fullmatch(r"`(.*)`", text.strip())
    return found[1] if found else text.strip()


def queries() -> list[str]:
    blocks = re.findall(r"```query\n(.*?)```", PAGE, flags=re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


@pytest.mark.parametrize(("query", "found", "other"), rows("query", "finds", "does not find"))
def test_a_query_finds_what_the_page_says(query: str, found: str, other: str) -> None:
    words = parse(query, NOW, UTC).text

    assert matches(words, found.replace("\\n", "\n"))
    assert not matches(words, other)


@pytest.mark.parametrize(("date", "begins"), rows("date", "begins"))
def test_a_date_begins_when_the_page_says(date: str, begins: str) -> None:
    query = parse(f"after:{date}", NOW, UTC)

    assert query.after == datetime.fromisoformat(begins).replace(tzinfo=UTC)


@pytest.mark.parametrize(("query", "answer"), rows("query", "answer"))
def test_a_wrong_query_is_answered_as_the_page_says(query: str, answer: str) -> None:
    with pytest.raises(QuerySyntaxError) as caught:
        parse(query, NOW, UTC)

    assert caught.value.message == answer


@pytest.mark.parametrize("query", [*queries(), *(row[0] for row in rows("filter", "keeps"))])
def test_an_example_is_read_as_it_stands(query: str) -> None:
    read = parse(query, NOW, UTC)

    assert parse(searchql.format_query(read), NOW, UTC) == read
    assert read.filters or read.after or read.before


def test_every_filter_and_each_of_its_choices_is_on_the_page() -> None:
    described = {row[0].split(":")[0]: row[1] for row in rows("filter", "keeps")}

    assert described.keys() == {*FIELDS, "after", "before"}
    for field, rule in FIELDS.items():
        if len(rule.choices) > 1:
            assert set(re.findall(r"`(\w+)`", described[field])) == set(rule.choices)


def test_every_filter_is_in_the_help_of_the_module() -> None:
    assert searchql.__doc__
    for field in (*FIELDS, "after", "before"):
        assert re.search(rf"^ +.*\b{field}:\w", searchql.__doc__, flags=re.MULTILINE)
