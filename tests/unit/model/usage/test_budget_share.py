"""What is marked of budgets, and with which words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.model.usage.budget_share import Budgets

AMOUNTS = st.floats(min_value=0.01, max_value=1e6, allow_nan=False)


@pytest.mark.parametrize(
    ("spent", "label"),
    [
        (3.99, None),
        (4.0, "80% of its budget"),
        (4.9999, "99% of its budget"),
        (5.0, "over its budget"),
        (50.0, "over its budget"),
        (None, None),
    ],
)
def test_a_session_is_marked_from_four_fifths_of_its_budget_on(
    spent: float | None, label: str | None
) -> None:
    mark = Budgets(session=5.0).mark_session(spent)

    assert (mark.label if mark is not None else None) == label


def test_a_cost_that_is_not_all_of_it_only_tells_that_a_budget_is_used_up() -> None:
    budgets = Budgets(session=5.0)

    assert budgets.mark_session(4.5, is_complete=False) is None
    mark = budgets.mark_session(5.12, is_complete=False)
    assert mark is not None
    assert mark.words == "over its budget: $5.12 of $5.00"


def test_a_day_with_a_budget_says_what_is_spent_however_little_that_is() -> None:
    share = Budgets(day=40.0).share_day(0.4)

    assert share is not None
    assert (share.percent, share.is_near) == (1, False)
    assert share.words == "1% of today's budget: $0.40 of $40.00"


def test_nothing_is_marked_without_a_budget() -> None:
    assert Budgets().mark_session(100.0) is None
    assert Budgets().share_day(100.0) is None
    assert Budgets(day=40.0).share_day(None) is None


@given(AMOUNTS, AMOUNTS)
def test_a_hundred_percent_means_that_it_is_used_up_and_nothing_else(
    spent: float, budget: float
) -> None:
    share = Budgets(day=budget).share_day(spent)

    assert share is not None
    assert share.is_over == (spent >= budget) == (share.percent >= 100)
    assert share.is_near or not share.is_over
