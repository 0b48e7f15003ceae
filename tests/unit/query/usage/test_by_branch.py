import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bough.query.index.handle import open_index
from bough.query.usage.sources import IndexUsageSource
from bough.sample import SampleSession, session
from tests.conftest import Home
from tests.unit.query.usage.usage_home import ask_index, both, spent

MILLION = 1_000_000
pytestmark = pytest.mark.writes_home


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "index.sqlite"


def parted(**facts: Any) -> SampleSession:
    """A session that went on in two ways after its first answer."""
    start = datetime(2026, 11, 13, 9, tzinfo=UTC)
    builder = session("one", start=start, **facts)
    builder.user("hi").assistant("Hello", name="fork", usage=spent(MILLION))
    builder.user("this way").assistant("Left", name="left", usage=spent(0, MILLION))
    builder.at("fork").user("that way")
    return builder.assistant("Right", name="right", usage=spent(0, 0, 0, MILLION))


def rows(home: Path, index: Path, **words: object) -> list[dict[str, Any]]:
    found = both(home, index, report="branch", **words)["rows"]
    assert isinstance(found, list)
    return found


def costs(found: list[dict[str, Any]]) -> dict[str | None, tuple[float, float]]:
    return {row["tip"]: (row["own"]["cost_usd"], row["path"]["cost_usd"]) for row in found}


def test_own_is_counted_once_and_path_from_the_start(home: Home, index: Path) -> None:
    with home.writing() as claude:
        builder = parted()
        builder.write(claude)

    found = rows(home.path, index)

    assert costs(found) == {
        builder.uuid("right"): (5.5, 5.5),
        builder.uuid("left"): (25.0, 30.0),
    }
    assert {row["tip"]: row["active"] for row in found} == {
        builder.uuid("right"): True,
        builder.uuid("left"): False,
    }
    assert all(row["cost_usd"] == row["own"]["cost_usd"] for row in found)
    assert both(home.path, index, report="branch")["totals"] == both(home.path, index)["totals"]


def test_a_session_that_never_parts_is_one_branch(home: Home, index: Path) -> None:
    with home.writing() as claude:
        builder = session("one").user("hi").assistant("Hello", name="A", usage=spent(MILLION))
        builder.write(claude)

    (row,) = rows(home.path, index)

    assert row["key"] == f"{builder.session_id}/{builder.uuid('A')}"
    assert (row["own"], row["path"]) == (row["path"], row["own"])


@pytest.mark.parametrize("version", ["2.1.250", "2.1.100", "2.0.50", "1.0.80"])
def test_an_agent_belongs_to_the_branch_that_started_it(
    home: Home, index: Path, version: str
) -> None:
    with home.writing() as claude:
        builder = parted(version=version).at("left")
        builder.user("send one").agent("Explore", "Find callers", work=a_million_out)
        builder.assistant("Found", name="left end", usage=spent())
        builder.at("right").user("and?").assistant("So.", name="right end", usage=spent())
        builder.write(claude)

    found = costs(rows(home.path, index))

    assert None not in found
    own, path = found[builder.uuid("left end")]
    assert own == pytest.approx(25 + 25, abs=0.5)
    assert path == pytest.approx(30 + 25, abs=0.5)


def test_an_agent_of_an_agent_belongs_there_too(home: Home, index: Path) -> None:
    def sends_another(agent: Any) -> None:
        agent.assistant("I ask another", usage=spent())
        agent.agent("Plan", "Plan it", work=a_million_out)

    with home.writing() as claude:
        builder = parted().at("left").user("send one")
        builder.agent("Explore", "Find callers", work=sends_another)
        builder.assistant("Found", name="left end", usage=spent())
        builder.at("right").user("and?").assistant("So.", name="right end", usage=spent())
        builder.write(claude)

    found = costs(rows(home.path, index))

    assert None not in found
    assert found[builder.uuid("left end")][0] == pytest.approx(25 + 25, abs=0.5)


def test_an_agent_that_nobody_names_is_on_no_branch(home: Home, index: Path) -> None:
    with home.writing() as claude:
        builder = parted().side_agent("acompact", "Sum it up", "A summary")
        builder.write(claude)

    found = rows(home.path, index)

    (loose,) = [row for row in found if row["tip"] is None]
    assert loose["key"] == f"{builder.session_id}/"
    assert loose["own"]["output_tokens"] > 0
    assert sum(row["cost_usd"] for row in found) == pytest.approx(
        ask_index(home.path, index).total.usd
    )


def test_a_deleted_session_that_never_parted_keeps_its_branch(home: Home, index: Path) -> None:
    with home.writing() as claude:
        builder = session("one").user("hi").assistant("Hello", name="A", usage=spent(MILLION))
        path = builder.write(claude)
    ask_index(home.path, index)
    path.unlink()

    (row,) = ask_index(home.path, index, report="branch").rows

    assert row.about["tip"] == builder.uuid("A")
    assert row.amount.usd == 5.0


def test_the_ways_of_a_deleted_session_cannot_be_told_apart(home: Home, index: Path) -> None:
    with home.writing() as claude:
        path = parted().write(claude)
    ask_index(home.path, index)
    path.unlink()

    (row,) = ask_index(home.path, index, report="branch").rows

    assert row.about["tip"] is None
    assert row.amount.usd == 30.5


@pytest.mark.slow
def test_branches_are_those_that_the_index_gives_to_records(shared: Path, tmp_path: Path) -> None:
    index = tmp_path / "index.sqlite"
    with open_index([shared / "corpus"], index) as handle:
        source = IndexUsageSource(handle)
        books = [builder for builder in source.usages() if builder.agent is None]
        shapes = source.load_branch_maps(books)
    with sqlite3.connect(index) as connection:
        branches = {
            row[:2]: row[2]
            for row in connection.execute("select file_id, offset, branch from record")
        }
    connection.close()

    several = [builder for builder in books if len(shapes[builder.path].paths) > 1]
    ours = {
        (builder.number, line.offset): shape.steps.owners[shape.steps.step_at(line.offset)]
        for builder in several
        for line in builder.lines
        for shape in [shapes[builder.path]]
    }

    assert len(set(ours.values())) > 1
    assert ours == {place: branches[place] for place in ours}


def a_million_out(agent: Any) -> None:
    agent.assistant("Found", usage=spent(0, MILLION))
