"""Lists from the index where there is one, else from the files."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bough.errors import ProjectNotFound
from bough.query.index.handle import open_index
from bough.query.lists.catalog import Catalog, describe_unread, open_catalog
from bough.sample import session
from tests.conftest import Home

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)


@pytest.fixture
def history(home: Home) -> Home:
    with home.writing() as folder:
        session("one", cwd="/home/dev/shop").user("a").assistant("b").write(folder)
        session("two", cwd="/home/dev/shop").user("a").fork(at=0).user("c").write(folder)
        session("three", cwd="/home/dev/lamp").user("d").write(folder)
        session("silent", cwd="/home/dev/lamp").mode().write(folder)
    return home


def ask_both(home: Home, index: Path, question: Callable[[Catalog], object]) -> list[object]:
    """Ask the files, make the index, and ask that."""
    answers = []
    for indexed in (False, True):
        with open_catalog([home], index) as found:
            assert found.is_indexed is indexed
            answers.append(question(found))
        open_index([home], index).close()
    return answers


@pytest.mark.parametrize(
    "question",
    [
        lambda found: found.projects(),
        lambda found: found.sessions().rows,
        lambda found: found.sessions("shop").rows,
        lambda found: found.sessions(everything=True).rows,
        lambda found: found.conversations().rows,
        lambda found: found.conversations("lamp").rows,
        lambda found: found.costs("session", NOW),
        lambda found: found.costs("project", NOW),
    ],
)
def test_files_and_index_give_the_same_answer(
    history: Home, tmp_path: Path, question: Callable[[Catalog], object]
) -> None:
    from_files, from_index = ask_both(history, tmp_path / "index.db", question)

    assert from_files
    assert from_index == from_files


def test_an_index_that_is_there_is_brought_up_to_date_unless_told_otherwise(
    history: Home, tmp_path: Path
) -> None:
    index = tmp_path / "index.db"
    open_index([history], index).close()
    with history.writing() as folder:
        session("four", cwd="/home/dev/shop").user("new").write(folder)

    with open_catalog([history], index, fresh=False) as stale:
        before = len(stale.sessions().rows)
    with open_catalog([history], index) as fresh:
        after = len(fresh.sessions().rows)

    assert after == before + 1


@pytest.mark.parametrize("indexed", [False, True])
def test_a_project_of_no_name_is_said(history: Home, tmp_path: Path, *, indexed: bool) -> None:
    if indexed:
        open_index([history], tmp_path / "index.db").close()

    with (
        open_catalog([history], tmp_path / "index.db") as found,
        pytest.raises(ProjectNotFound, match="Nearest: shop"),
    ):
        found.sessions("shopp")


def test_costs_that_would_take_long_are_not_counted(
    history: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bough.query.lists.catalog._CHEAP", 10)

    with open_catalog([history], tmp_path / "index.db") as found:
        assert found.costs("session", NOW) is None


def test_what_could_not_be_read_is_counted_in_a_sentence() -> None:
    assert describe_unread([]) == ""
    assert describe_unread([1]) == "1 file could not be read. The rest is shown."
    assert describe_unread([1] * 1200) == "1,200 files could not be read. The rest is shown."
