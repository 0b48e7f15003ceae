"""A regex that would take for ever neither starts nor goes on."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bough.query.index.handle import open_index
from bough.query.search import verify as checking
from bough.query.search.search import search
from bough.sample import session
from bough.store.query_language import QuerySyntaxError, parse
from tests.conftest import Home

NOW = datetime(2026, 11, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    "pattern", ["(a+)+", "(a*)*b", "(?:x+)+y", r"(\w+\s?)*z", "(a+){2,}", r"(.|\s)*end", "(a+?)+"]
)
def test_a_repetition_of_a_repetition_is_refused_with_a_reason(pattern: str) -> None:
    with pytest.raises(QuerySyntaxError, match="may take for ever"):
        parse(f"/{pattern}/", NOW, UTC)


@pytest.mark.parametrize(
    "pattern",
    ["time(out|d out)", r"(\w+ )+x", r"a+b*", r"(.|\n)*", r"\(a+\)+", "(ab)+", r"(\d+,){2}"],
)
def test_what_can_only_be_read_one_way_is_a_regex(pattern: str) -> None:
    assert parse(f"/{pattern}/", NOW, UTC).text is not None


def test_a_page_ends_when_its_time_is_over_and_says_so(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = session("slow").user("Begin")
    for number in range(20):
        told.assistant(f"Answer {number}")
    with home.writing():
        told.write(home.path)
    monkeypatch.setattr(checking, "SECONDS", -1.0)

    with open_index([home.path], tmp_path / "i.sqlite") as handle:
        page = search(handle.store, parse("/Answer [0-9]/", NOW, UTC))

    assert not page.exact
    assert page.next is not None
    assert page.partial == ("Read 1 record to check them; the rest comes with the next page.",)
