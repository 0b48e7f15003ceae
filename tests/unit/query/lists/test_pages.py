"""Pages of lists."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.errors import Misuse
from bough.query.lists.list_rows import SessionRow
from bough.query.lists.pages import ListPage
from bough.query.lists.pages import cut_page as cut_list_page


def row(number: int) -> SessionRow:
    return SessionRow(
        id=str(number),
        project="p",
        path=f"/p/{number}.jsonl",
        title="",
        title_source=None,
        started_at=None,
        ended_at=None,
        records=0,
        bad_lines=0,
        unknown_records=0,
        turns=0,
        messages=0,
        cost_usd=None,
        copied_cost_usd=None,
        unpriced_models=[],
        branch_points=0,
        tips=0,
        agents=0,
        models=[],
        git_branch=None,
        version=None,
        kind="main",
        run="typed",
        bytes=0,
    )


def cut_page(
    rows: list[SessionRow], cursor: str, limit: int, question: object
) -> ListPage[SessionRow]:
    return cut_list_page(rows, cursor, limit, question, lambda one: one.path)


@given(st.integers(0, 40), st.integers(1, 15))
def test_the_pages_together_are_the_list(number: int, limit: int) -> None:
    rows = [row(n) for n in range(number)]

    found: list[SessionRow] = []
    cursor: str | None = ""
    while cursor is not None:
        page = cut_page(rows, cursor, limit, "q")
        found += page.rows
        cursor = page.next

    assert found == rows


def test_a_row_that_comes_meanwhile_is_not_shown_twice() -> None:
    rows = [row(n) for n in range(6)]
    first = cut_page(rows, "", 3, "q")

    second = cut_page([row(99), *rows], first.next or "", 3, "q")

    assert [one.id for one in second.rows] == ["3", "4", "5"]


def test_a_row_that_goes_meanwhile_leaves_no_gap_but_its_own() -> None:
    rows = [row(n) for n in range(6)]
    first = cut_page(rows, "", 3, "q")

    second = cut_page([one for one in rows if one.id != "2"], first.next or "", 3, "q")

    assert [one.id for one in second.rows] == ["4", "5"]


@pytest.mark.parametrize(
    "cursor", ["x", "é", "====", "AAAA", "kwHOf7PbOc47TqnN", "\x00", "a" * 500]
)
def test_what_is_no_cursor_is_refused(cursor: str) -> None:
    with pytest.raises(Misuse):
        cut_page([row(1)], cursor, 1, "q")


def test_the_cursor_of_another_list_is_refused() -> None:
    cursor = cut_page([row(1), row(2)], "", 1, "one").next or ""

    with pytest.raises(Misuse, match="another list"):
        cut_page([row(1), row(2)], cursor, 1, "other")
