"""What the index keeps of usage: the lines, and the sums that reports are made from."""

from pathlib import Path

import pytest

from bough.model.usage.across_files import FileUsage, count_once
from bough.query.index.handle import open_index
from bough.sample import SampleSession, session
from bough.store.sqlite.store import SqliteStore
from bough.store.usage_protocol import SumRequest
from tests.conftest import Home

pytestmark = pytest.mark.writes_home


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "index.sqlite"


def story(seed: str = "one") -> SampleSession:
    told = session(seed, cwd="/home/dev/orchard").user("hi").thinking("Hm").assistant("Hello")
    return told.agent("Explore", "Find callers", answer="Four")


def refresh(home: Path, index: Path) -> None:
    with open_index([home], index):
        pass


def books(index: Path, *, reading: bool = False) -> list[FileUsage]:
    store = SqliteStore(index, reading=reading)
    try:
        return sorted(store.usages(), key=lambda builder: builder.path)
    finally:
        store.close()


def sums(index: Path) -> dict[int, list[tuple[object, ...]]]:
    """Give the sums of each file, without the numbers they go by inside."""
    store = SqliteStore(index, reading=True)
    try:
        rows = store.connection.execute("select * from usage_sum order by id").fetchall()
        return {file: [row[2:] for row in rows if row[1] == file] for _, file, *_ in rows}
    finally:
        store.close()


def numbers(index: Path) -> dict[int, set[int]]:
    """Give the numbers that the sums of each file go by inside."""
    store = SqliteStore(index, reading=True)
    try:
        rows = store.connection.execute("select id, file_id from usage_sum").fetchall()
        return {file: {row[0] for row in rows if row[1] == file} for _, file in rows}
    finally:
        store.close()


def calls_counted(index: Path) -> int:
    return sum(int(str(row[5])) for rows in sums(index).values() for row in rows)


def test_each_file_is_a_book_that_says_whose_it_is(home: Home, index: Path) -> None:
    told = story()
    told.write(home.path)
    refresh(home.path, index)

    own, agent = books(index)

    assert (own.session, own.agent, own.project) == (told.session_id, None, "-home-dev-orchard")
    assert (own.project_name, own.title) == ("orchard", "hi")
    assert (agent.session, agent.agent_type) == (told.session_id, "Explore")
    assert agent.agent is not None
    assert len(own.lines) < sum(b'"usage"' in line for line in told.lines())


def test_a_second_question_gives_the_same_answer(home: Home, index: Path) -> None:
    story().write(home.path)
    refresh(home.path, index)

    first, kept = books(index), sums(index)

    assert books(index) == first
    assert sums(index) == kept


def test_only_files_that_changed_are_counted_anew(home: Home, index: Path) -> None:
    told, other = story(), story("two")
    told.write(home.path)
    other.write(home.path)
    refresh(home.path, index)
    before, kept = books(index), numbers(index)

    told.user("more").assistant("Yes").write(home.path)
    refresh(home.path, index)
    after = books(index)

    changed = {
        b.session
        for a, b in zip(before, after, strict=True)
        if kept.get(b.number) != numbers(index).get(b.number) or a.lines != b.lines
    }
    assert changed == {told.session_id}
    assert len(count_once(after)) == len(count_once(before)) + 1 == calls_counted(index)


def test_a_file_that_was_written_anew_is_counted_anew(home: Home, index: Path) -> None:
    told = story()
    path = told.write(home.path)
    refresh(home.path, index)
    books(index)

    path.write_bytes(path.read_bytes().replace(b'"output_tokens":', b'"output_tokens":9'))
    refresh(home.path, index)
    fresh = index.with_name("fresh.sqlite")
    refresh(home.path, fresh)

    assert [builder.lines for builder in books(index)] == [
        builder.lines for builder in books(fresh)
    ]


def test_who_may_not_write_gets_the_same_answer(home: Home, index: Path) -> None:
    story().write(home.path)
    refresh(home.path, index)

    alone = books(index, reading=True)

    assert alone == books(index)
    assert alone == books(index, reading=True)


def test_while_another_writes_the_answer_comes_at_once(home: Home, index: Path) -> None:
    story().write(home.path)
    refresh(home.path, index)
    writer = SqliteStore(index)

    with writer.writing():
        during = books(index)
    writer.close()

    assert during == books(index)


def test_a_full_disk_changes_no_answer(home: Home, index: Path) -> None:
    story().write(home.path)
    refresh(home.path, index)
    store = SqliteStore(index)
    pages = store.connection.execute("pragma page_count").fetchone()[0]
    store.connection.execute(f"pragma max_page_count = {pages}")

    full = sorted(store.usages(), key=lambda builder: builder.path)
    store.close()

    assert full == books(index)


def test_a_deleted_file_keeps_its_lines_and_a_forgotten_one_leaves_none(
    home: Home, index: Path
) -> None:
    told = story()
    path = told.write(home.path)
    refresh(home.path, index)
    before = books(index)

    path.rename(path.with_name(f"{session('renamed').session_id}.jsonl"))
    refresh(home.path, index)
    renamed = books(index)
    for left in home.path.rglob("*.jsonl"):
        left.unlink()
    refresh(home.path, index)
    deleted = books(index)

    assert [builder.deleted for builder in renamed] == [False, False]
    assert [builder.deleted for builder in deleted] == [True, True]
    assert sorted(map(len, (b.lines for b in deleted))) == sorted(
        map(len, (b.lines for b in before))
    )
    assert set(sums(index)) == {builder.number for builder in deleted}
    assert calls_counted(index) == len(count_once(deleted))


def test_a_call_that_several_files_report_is_added_up_in_one_of_them(
    home: Home, index: Path
) -> None:
    told = session("one").user("hi").thinking("Hm").assistant("Hello")
    told.write(home.path)
    refresh(home.path, index)
    alone = sums(index)

    told.fork(seed="a fork").user("on").assistant("Yes").write(home.path)
    refresh(home.path, index)

    assert calls_counted(index) == len(count_once(books(index))) == 2
    assert len(alone) == 1
    assert len(sums(index)) == 2


def test_what_a_file_no_longer_reports_counts_where_else_it_stands(home: Home, index: Path) -> None:
    told = session("one").user("hi").assistant("Hello")
    path = told.write(home.path)
    fork = told.fork(seed="a fork")
    fork.user("on").assistant("Yes").write(home.path)
    refresh(home.path, index)

    path.write_bytes(session("other").user("new").bytes())
    refresh(home.path, index)

    own = next(one.number for one in books(index) if one.session == fork.session_id)
    assert calls_counted(index) == 2
    assert set(sums(index)) == {own}


def test_a_call_counts_in_a_file_that_is_there_before_a_deleted_one(
    home: Home, index: Path
) -> None:
    told = session("one").user("hi").assistant("Hello")
    path = told.write(home.path)
    fork = told.fork(seed="a fork")
    fork.user("on").assistant("Yes").write(home.path)
    refresh(home.path, index)

    path.unlink()
    refresh(home.path, index)

    own = next(one.number for one in books(index) if one.session == fork.session_id)
    assert set(sums(index)) == {own}


def test_sums_that_a_killed_writer_left_unmade_are_made_by_the_next(
    home: Home, index: Path
) -> None:
    story().write(home.path)
    refresh(home.path, index)
    wanted = sums(index)
    store = SqliteStore(index)
    store.connection.execute("delete from usage_sum")
    store.connection.execute("update file set summed = 0")
    assert store.sum_usage(SumRequest()) is None
    assert not store.is_complete()
    store.close()

    refresh(home.path, index)

    assert sums(index) == wanted


def test_every_line_of_a_call_is_found_in_all_files(home: Home, index: Path) -> None:
    told = session("one").user("hi").thinking("Hm").assistant("Hello")
    told.write(home.path)
    told.fork(seed="a fork").user("on").assistant("Yes").write(home.path)
    refresh(home.path, index)
    store = SqliteStore(index)
    origin = next(builder for builder in store.usages() if builder.session == told.session_id)

    lines = store.lines_of_calls([origin.number])
    store.close()

    assert len(lines) == 4
    assert len({file for file, _ in lines}) == 2
