"""Params of requests."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.web.app import read_params
from bough.web.responses import ApiError
from bough.web.routes.route_table import ROUTES, Route
from bough.web.wire.list_rows import SessionsQuery
from bough.web.wire.pieces import ConversationQuery, PiecesQuery


def test_values_are_read_as_what_they_are() -> None:
    found = read_params([("from", "12"), ("count", "80"), ("tip", "7")], PiecesQuery)

    assert found == PiecesQuery(tip="7", from_=12, count=80)


@pytest.mark.parametrize("yes", ["1", "true", "True"])
def test_yes_is_written_in_several_ways(yes: str) -> None:
    assert read_params([("whole", yes)], ConversationQuery) == ConversationQuery(whole=True)


@pytest.mark.parametrize(
    "given",
    [
        [("from", "-1")],
        [("from", "x")],
        [("from", "1e9999")],
        [("from", "9" * 400)],
        [("count", "81")],
        [("count", "0")],
        [("bogus", "1")],
        [("from_", "1")],
        [("tip", "a"), ("tip", "b")],
        [("tip", "x" * 3_000)],
    ],
)
def test_what_makes_no_sense_is_refused(given: list[tuple[str, str]]) -> None:
    with pytest.raises(ApiError) as caught:
        read_params(given, PiecesQuery)

    assert caught.value.status == 400


@pytest.mark.parametrize("state", ["a b", "x,", "A", "%"])
def test_a_list_of_states_has_a_form(state: str) -> None:
    with pytest.raises(ApiError):
        read_params([("state", state)], SessionsQuery)


names = sorted({name for route in ROUTES for name in route.params.__struct_encode_fields__})


@given(
    st.sampled_from(ROUTES),
    st.lists(st.tuples(st.sampled_from(names) | st.text(max_size=5), st.text(max_size=30))),
)
def test_any_params_are_read_or_refused(route: Route, given: list[tuple[str, str]]) -> None:
    with contextlib.suppress(ApiError):
        read_params(given, route.params)
