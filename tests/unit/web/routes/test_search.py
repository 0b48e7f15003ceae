"""What could be typed next in a query."""

import pytest

from bough.web.routes.search import complete_query
from bough.web.state import AppState
from bough.web.wire.hits import CompleteQuery
from tests.conftest import Home


@pytest.fixture
def house(home: Home) -> AppState:
    return AppState([str(home.path)])


def offered(house: AppState, text: str, at: int | None = None) -> list[str]:
    answer = complete_query(house, CompleteQuery(text, len(text) if at is None else at))
    assert 0 <= answer.from_ <= answer.to <= len(text)
    return [text[: answer.from_] + item.text for item in answer.items]


def test_the_beginning_of_a_filter_offers_its_name(house: AppState) -> None:
    assert offered(house, "word to") == ["word tool:"]
    assert offered(house, "-br") == ["-branch:"]


def test_a_filter_with_choices_offers_them(house: AppState) -> None:
    assert offered(house, "kind:th") == ["kind:thinking "]
    assert offered(house, "kind:t")[:4] == [
        "kind:text ",
        "kind:thinking ",
        "kind:tool_input ",
        "kind:tool_result ",
    ]
    assert offered(house, "x -branch:") == ["x -branch:active "]


def test_dates_are_not_negated(house: AppState) -> None:
    assert offered(house, "-af") == []
    assert "after:yesterday " in offered(house, "after:")


def test_nothing_is_offered_inside_words_that_are_no_filter(house: AppState) -> None:
    assert offered(house, "") == []
    assert offered(house, "hello ") == []
    assert offered(house, "zzz") == []
    assert offered(house, "http://x") == []


def test_the_cursor_says_what_is_completed(house: AppState) -> None:
    assert offered(house, "to more", 2) == ["tool:"]


def test_a_cursor_behind_the_end_is_at_the_end(house: AppState) -> None:
    assert complete_query(house, CompleteQuery("to", 100)).to == 2
