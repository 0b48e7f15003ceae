"""What could be typed next in a query."""

import pytest

from bough.web.routes.search import complete_query
from bough.web.state import AppState
from bough.web.wire.hits import CompleteQuery
from tests.conftest import Home


@pytest.fixture
def state(home: Home) -> AppState:
    return AppState([str(home.path)])


def offered(state: AppState, text: str, at: int | None = None) -> list[str]:
    answer = complete_query(state, CompleteQuery(text, len(text) if at is None else at))
    assert 0 <= answer.from_ <= answer.to <= len(text)
    return [text[: answer.from_] + item.text for item in answer.items]


def test_the_beginning_of_a_filter_offers_its_name(state: AppState) -> None:
    assert offered(state, "word to") == ["word tool:"]
    assert offered(state, "-br") == ["-branch:"]


def test_a_filter_with_choices_offers_them(state: AppState) -> None:
    assert offered(state, "kind:th") == ["kind:thinking "]
    assert offered(state, "kind:t")[:4] == [
        "kind:text ",
        "kind:thinking ",
        "kind:tool_input ",
        "kind:tool_result ",
    ]
    assert offered(state, "x -branch:") == ["x -branch:active ", "x -branch:left "]


def test_dates_are_not_negated(state: AppState) -> None:
    assert offered(state, "-af") == []
    assert "after:yesterday " in offered(state, "after:")


def test_nothing_is_offered_inside_words_that_are_no_filter(state: AppState) -> None:
    assert offered(state, "") == []
    assert offered(state, "hello ") == []
    assert offered(state, "zzz") == []
    assert offered(state, "http://x") == []


def test_the_cursor_says_what_is_completed(state: AppState) -> None:
    assert offered(state, "to more", 2) == ["tool:"]


def test_a_cursor_behind_the_end_is_at_the_end(state: AppState) -> None:
    assert complete_query(state, CompleteQuery("to", 100)).to == 2
