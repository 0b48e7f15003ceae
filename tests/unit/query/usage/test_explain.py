from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bough.config import Settings
from bough.errors import SessionNotFound
from bough.query.usage.explain import Explanation, explain, explanation_document
from bough.query.usage.sources import UsageSource
from bough.sample import session
from tests.conftest import Home
from tests.unit.query.usage.usage_home import (
    LAB,
    NOW,
    OPUS,
    ask_index,
    from_files,
    from_index,
    spent,
)

MILLION = 1_000_000
START = datetime(2026, 11, 13, 9, tzinfo=UTC)
Way = Callable[[Path, Path], AbstractContextManager[UsageSource]]
pytestmark = pytest.mark.writes_home


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "index.sqlite"


@pytest.fixture(params=[from_files, from_index], ids=["files", "index"])
def way(request: pytest.FixtureRequest) -> Way:
    found: Way = request.param
    return found


def asked(way: Way, home: Path, index: Path, wanted: str) -> Explanation:
    with way(home, index) as source:
        return explain(wanted, source, now=NOW, settings=Settings(zone="UTC"))


def test_every_line_is_named_by_its_place_and_the_largest_counts(
    home: Home, index: Path, way: Way
) -> None:
    with home.writing() as claude:
        builder = session("one", start=START).user("hi")
        builder.assistant("One", "two", usage=spent(0, MILLION)).write(claude)

    found = asked(way, home.path, index, builder.session_id[:8])

    (call,) = found.calls
    path = home.projects / builder.project / f"{builder.session_id}.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    assert [(line.file, line.line, line.output_tokens, line.why) for line in call.lines] == [
        (str(path), 3, MILLION, None),
        (str(path), 2, 8, "smaller"),
    ]
    assert call.lines[0].offset == sum(map(len, lines[:2]))
    assert (found.total.usd, call.amount.usd) == (25.0, 25.0)


def test_a_call_that_was_copied_from_elsewhere_adds_nothing(
    home: Home, index: Path, way: Way
) -> None:
    with home.writing() as claude:
        origin = session("one", start=START).user("hi").assistant("Hello", usage=spent(MILLION))
        fork = origin.fork(seed="a fork").user("on").assistant("Yes", usage=spent(0, MILLION))
        origin.write(claude)
        fork.write(claude)

    found = asked(way, home.path, index, fork.session_id)

    assert [call.counted_in for call in found.calls] == [origin.session_id, fork.session_id]
    assert [line.why for line in found.calls[0].lines] == [None, "the same, later"]
    assert found.total.usd == 25.0


def test_the_price_is_shown_with_its_date_and_rates(home: Home, index: Path, way: Way) -> None:
    with home.writing() as claude:
        builder = session("one", start=START, model="us.anthropic.claude-opus-4-6-v1:0").user("hi")
        builder.assistant("Hello", usage=spent(MILLION)).write(claude)

    (price,) = asked(way, home.path, index, "latest").prices

    assert price.model == "us.anthropic.claude-opus-4-6-v1:0"
    assert price.name in {OPUS, "claude-opus-4-6-v1"}
    assert price.as_of == "2026-11"
    assert price.rates == {
        "input": 5.5,
        "output": 27.5,
        "cache_write_5m": 6.875,
        "cache_write_1h": 11.0,
        "cache_read": 0.55,
    }
    assert price.fast_multiplier == 6.0
    assert price.web_search == 0.01


def test_a_long_context_is_shown_with_its_limit(home: Home, index: Path, way: Way) -> None:
    with home.writing() as claude:
        builder = session("one", start=START, model="claude-sonnet-4-5-20250929").user("hi")
        builder.assistant("Hello", usage=spent(300_000)).write(claude)

    found = asked(way, home.path, index, "latest")

    (price,) = found.prices
    assert (price.above, price.long_context) == (200_000, "marginal")
    assert price.rates_above is not None
    assert found.total.usd == pytest.approx(0.2 * 3 + 0.1 * price.rates_above["input"], abs=1e-9)


def test_a_model_without_a_price_is_shown_without_one(home: Home, index: Path, way: Way) -> None:
    with home.writing() as claude:
        builder = session("one", start=START, model=LAB).user("hi")
        builder.assistant("Hello", usage=spent(10, 20)).write(claude)

    found = asked(way, home.path, index, "latest")
    document = explanation_document(found)

    assert found.prices[0].rates is None
    calls = document["calls"]
    assert isinstance(calls, list)
    assert (calls[0]["priced"], calls[0]["cost_usd"]) == (False, None)


def test_an_agents_line_beats_its_copy_in_a_progress_record(
    home: Home, index: Path, way: Way
) -> None:
    with home.writing() as claude:
        builder = session("one", start=START, version="2.1.50").user("Find it")
        builder.agent("Explore", "Find callers", answer="Four", echoed=True).write(claude)

    found = asked(way, home.path, index, builder.session_id)

    said = [[(line.said_by, line.why) for line in call.lines] for call in found.calls]
    assert [("sidechain", None), ("progress", "a copy in a progress record")] in said


def test_lines_of_a_deleted_file_have_an_offset_and_no_number(home: Home, index: Path) -> None:
    with home.writing() as claude:
        builder = session("one", start=START).user("hi").assistant("Hello", usage=spent(MILLION))
        path = builder.write(claude)
    ask_index(home.path, index)
    path.unlink()

    (call,) = asked(from_index, home.path, index, builder.session_id).calls

    assert [(line.line, line.offset > 0) for line in call.lines] == [(None, True)]


def test_files_and_index_explain_alike(home: Home, index: Path) -> None:
    with home.writing() as claude:
        builder = session("one", start=START).user("hi").thinking("Hm").assistant("Hello")
        builder.agent("Explore", "Find callers", answer="Four").write(claude)
        builder.fork(seed="a fork").user("on").assistant("Yes").write(claude)

    for wanted in (builder.session_id, "latest"):
        documents = [
            explanation_document(asked(one, home.path, index, wanted)) | {"title": None}
            for one in (from_files, from_index)
        ]
        assert documents[0] == documents[1]


def test_a_session_that_is_not_there_is_named(home: Home, index: Path, way: Way) -> None:
    with pytest.raises(SessionNotFound):
        asked(way, home.path, index, "3f9c")
