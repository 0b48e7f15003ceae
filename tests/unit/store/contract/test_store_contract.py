"""What every store does, asked of each."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bough.errors import Misuse
from bough.ingest.index.refresh import refresh_index
from bough.sample import session
from bough.store.protocol import Store
from bough.store.search_protocol import Position, SearchRequest
from bough.store.usage_protocol import SumRequest
from tests.searched import asked


def _fill(store: Store, folder: Path, *seeds: str) -> None:
    for seed in seeds:
        builder = session(seed, cwd="/home/dev/orchard")
        builder.user(f"Begin {seed} with the orchard").assistant("The orchard is begun.")
        builder.user("Go on").tool("Bash", {"command": "make orchard"}, "all good").write(folder)
    refresh_index(store, [folder], workers=1)


def test_an_empty_store_answers_with_nothing(empty_store: Store) -> None:
    assert empty_store.sessions() == []
    assert empty_store.projects() == []
    assert empty_store.states() == {}
    assert empty_store.search(SearchRequest(asked("orchard"))).total == 0
    assert empty_store.search(SearchRequest(asked("-orchard"))).total == 0


def test_a_second_reading_finds_nothing_to_do(empty_store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "claude"
    _fill(empty_store, folder, "one", "two")

    again = refresh_index(empty_store, [folder], workers=1)

    assert again.files == 0
    assert empty_store.is_complete()
    assert empty_store.is_current()


def test_the_state_changes_with_every_writing_and_with_nothing_else(
    empty_store: Store, tmp_path: Path
) -> None:
    _fill(empty_store, tmp_path / "claude", "one")
    first = empty_store.state()
    same = empty_store.state()
    _fill(empty_store, tmp_path / "claude", "two")

    assert first == same
    assert empty_store.state() != first


def test_what_is_written_before_an_error_is_not_kept(empty_store: Store, tmp_path: Path) -> None:
    _fill(empty_store, tmp_path / "claude", "one")
    before = {path: state.size for path, state in empty_store.states().items()}
    file = next(iter(empty_store.states().values())).id

    def write() -> None:
        with empty_store.writing() as writer:
            writer.forget(file)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write()

    assert {path: state.size for path, state in empty_store.states().items()} == before
    assert empty_store.search(SearchRequest(asked("orchard"))).total == 3


def test_what_was_written_before_a_step_stays_whatever_comes(
    empty_store: Store, tmp_path: Path
) -> None:
    _fill(empty_store, tmp_path / "claude", "one", "two")
    first, second = (state.id for state in empty_store.states().values())

    def write() -> None:
        with empty_store.writing() as writer:
            writer.forget(first)
            writer.step(1, 2)
            writer.forget(second)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write()

    assert [state.id for state in empty_store.states().values()] == [second]


def test_a_writer_can_follow_one_that_failed(empty_store: Store, tmp_path: Path) -> None:
    _fill(empty_store, tmp_path / "claude", "one")

    with pytest.raises(ZeroDivisionError), empty_store.writing():
        raise ZeroDivisionError
    _fill(empty_store, tmp_path / "claude", "two")

    assert len(empty_store.sessions()) == 2


@pytest.mark.parametrize("order", ["newest", "relevance"])
def test_pages_give_every_hit_once(empty_store: Store, tmp_path: Path, order: str) -> None:
    _fill(empty_store, tmp_path / "claude", *(f"s{number}" for number in range(5)))
    found: list[tuple[int, int]] = []
    after: Position | None = None
    while True:
        request = SearchRequest(asked("orchard"), order, 4, after, len(found))  # type: ignore[arg-type] # one of two
        page = empty_store.search(request)
        found += (row.place for row in page.rows)
        assert page.total == 15
        after = page.next
        if after is None:
            break

    assert len(found) == len({*found}) == 15


def test_a_page_is_not_moved_by_what_is_written_meanwhile(
    empty_store: Store, tmp_path: Path
) -> None:
    _fill(empty_store, tmp_path / "claude", "one", "two")
    query = asked("orchard")
    first = empty_store.search(SearchRequest(query, "newest", 3))
    behind = empty_store.search(SearchRequest(query, "newest", 10, first.next, 3))
    later = session("later", cwd="/home/dev/orchard", start=datetime(2027, 1, 1, tzinfo=UTC))
    later.user("The orchard again").write(tmp_path / "claude")
    refresh_index(empty_store, [tmp_path / "claude"], workers=1)

    again = empty_store.search(SearchRequest(query, "newest", 10, first.next, 3))

    assert [row.place for row in again.rows] == [row.place for row in behind.rows]


def test_only_files_below_the_roots_are_searched(empty_store: Store, tmp_path: Path) -> None:
    _fill(empty_store, tmp_path / "claude", "one")
    path = empty_store.search(SearchRequest(asked("orchard"))).rows[0].path
    inside = path[: path.index("/projects/")] + "/projects/"

    def count(root: str) -> int:
        return empty_store.search(SearchRequest(asked("orchard"), roots=(root,))).total

    assert count(inside) == 3
    assert count(path) == 3
    assert count("/elsewhere/projects/") == 0
    assert count(path + "x") == 0


def test_sums_cannot_tell_what_does_not_begin_with_a_quarter(
    empty_store: Store, tmp_path: Path
) -> None:
    _fill(empty_store, tmp_path / "claude", "one")

    assert empty_store.sum_usage(SumRequest(since="2026-01-12T09:31:00.000Z")) is None
    assert empty_store.sum_usage(SumRequest(since="2026-01-12T09:30:00.000Z")) is not None


def test_questions_in_sql_only_read(empty_store: Store, tmp_path: Path) -> None:
    _fill(empty_store, tmp_path / "claude", "one")
    with empty_store.sql("select count(*) as records from record") as answer:
        assert answer.columns == ("records",)
        before = list(answer.rows)

    for question in ("delete from record", "drop table record", "select 1; drop table record"):
        with pytest.raises(Misuse), empty_store.sql(question) as answer:
            list(answer.rows)

    with empty_store.sql("select count(*) from record") as answer:
        assert list(answer.rows) == before
    assert {"file", "record", "session", "usage"} <= {
        one.table for one in empty_store.list_tables()
    }
