"""Completing a query while it is typed."""

from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.query.index.handle import open_index
from bough.query.search.completion import (
    DATES,
    Completion,
    CompletionItem,
    Vocabulary,
    apply_completion,
    complete_query,
    gather_vocabulary,
)
from bough.sample import session
from bough.store.query_language import Query, parse, parse_moment
from tests.conftest import Home

KNOWN = Vocabulary(
    {
        "tool": (
            CompletionItem("Bash", "9 calls"),
            CompletionItem("Edit"),
            CompletionItem("MultiEdit"),
        ),
        "project": (CompletionItem("orchard-shop"), CompletionItem("my app")),
    }
)
NOW = datetime(2026, 11, 15, tzinfo=UTC)


def texts(query: str, at: int | None = None) -> list[str]:
    found = complete_query(query, len(query) if at is None else at, KNOWN)
    return [item.text for item in found.items]


@pytest.mark.parametrize(
    ("query", "offered"),
    [
        ("tool:", ["Bash", "Edit", "MultiEdit"]),
        ("words tool:ed", ["Edit", "MultiEdit"]),
        ("-tool:B", ["Bash"]),
        ("TOOL:b", ["Bash"]),
        ("role:", ["user", "assistant"]),
        ("branch:a", ["active"]),
        ("after:ye", ["yesterday"]),
        ("project:my", ['"my app"']),
        ('project:"my a', ['"my app"']),
        ("to", ["tool:"]),
        ("t", []),
        ("", []),
        ("nothing:b", []),
        ("tool:Bash", []),
        ("tool:Bash ", []),
        ("file:x", []),
        ("http://to", []),
    ],
)
def test_what_is_offered_fits_what_was_typed(query: str, offered: list[str]) -> None:
    assert texts(query) == offered


def test_a_value_is_replaced_whole_also_from_its_middle() -> None:
    query = "disk tool:Basx full"

    found = complete_query(query, len("disk tool:Ba"), KNOWN)

    assert apply_completion(query, found, found.items[0]) == (
        "disk tool:Bash full",
        len("disk tool:Bash"),
    )


def test_after_a_value_typing_goes_on_behind_a_space_and_after_a_field_at_once() -> None:
    value, name = complete_query("tool:B", 6, KNOWN), complete_query("to", 2, KNOWN)

    assert apply_completion("tool:B", value, value.items[0]) == ("tool:Bash ", 10)
    assert apply_completion("to", name, name.items[0]) == ("tool:", 5)


def test_every_date_that_is_offered_is_one() -> None:
    assert all(parse_moment(text, NOW, UTC) is not None for text, _ in DATES)


@given(st.text(max_size=30), st.integers(-2, 40))
def test_any_text_can_be_completed_at_any_place(query: str, at: int) -> None:
    found = complete_query(query, at, KNOWN)

    assert 0 <= found.start <= found.end <= len(query)


@given(st.sampled_from(["tool:", "project:", "kind:", "after:", "is:"]), st.integers(0, 3))
def test_what_is_put_in_can_be_read(start: str, number: int) -> None:
    found = complete_query(start, len(start), KNOWN)

    query, _ = apply_completion(start, found, found.items[number % len(found.items)])

    assert parse(query, NOW, UTC) != Query()


def test_a_completion_goes_over_the_wire_as_from_and_to() -> None:
    assert msgspec.to_builtins(Completion(1, 2)) == {"from": 1, "to": 2, "items": ()}


def test_an_index_knows_its_projects_sessions_tools_and_models(home: Home, tmp_path: Path) -> None:
    with home.writing():
        session("one").user("Begin").tool("Bash", {"command": "ls"}, "x").write(home.path)
    with open_index([home.path], tmp_path / "index.sqlite") as handle:
        known = gather_vocabulary(handle).values

    assert known["tool"] == (CompletionItem("Bash", "1 call"),)
    assert len(known["project"]) == len(known["session"]) == len(known["model"]) == 1
