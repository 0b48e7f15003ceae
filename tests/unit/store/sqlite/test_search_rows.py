"""What the SQLite store finds: words, filters, orders, pages."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bough.ingest.index.refresh import refresh_index
from bough.sample import SampleCall, SampleSession, session
from bough.sample.data.blocks import image, text
from bough.store.search_protocol import (
    KINDS,
    DatedPosition,
    Order,
    Place,
    RankedPosition,
    SearchRequest,
)
from bough.store.sqlite import search as searching
from bough.store.sqlite.indexed_files import _join_ranges
from bough.store.sqlite.match_sql import _has_words
from bough.store.sqlite.store import SqliteStore
from tests.searched import asked, found, indexed, names


def story() -> SampleSession:
    """Make a session with one step of every kind, a rewind and an agent."""
    builder = session("story", cwd="/home/dev/orchard-shop", model="claude-opus-4-6")
    builder.user("Where is the cursor kept?", name="prompt")
    builder.thinking("The cursor may be in the checkpoint.", name="thought")
    builder.assistant("The cursor is in memory only.", name="answer")
    builder.tool("Read", {"file_path": "/src/cursor.py"}, "class Holder: pass", name="read")
    builder.tool("Bash", {"command": "pytest"}, "1 failed: cursor", name="bash", is_error=True)
    builder.assistant("It fails.", name="fails")
    builder.user([text("The cursor, as a picture"), image()], name="picture")
    builder.assistant("A fine cursor.", name="seen")
    builder.at("fails").user("Another way for the cursor", name="rewound")
    builder.agent("Explore", "find it", answer="The cursor is found.")
    return builder.assistant("Done with the cursor.", name="end")


@pytest.fixture
def builder() -> SampleSession:
    return story()


@pytest.fixture
def store(tmp_path: Path, builder: SampleSession) -> Iterator[SqliteStore]:
    with indexed(tmp_path, builder) as opened:
        yield opened


# -- words ---------------------------------------------------------------------------------------


def test_a_word_is_found_in_every_kind_of_text(store: SqliteStore, builder: SampleSession) -> None:
    hits = names(store, "cursor", builder)

    expected = {"prompt", "thought", "answer", "read", "bash.result", "picture", "seen", "rewound"}
    assert expected | {"end"} <= set(hits)


def test_all_words_must_be_there(store: SqliteStore, builder: SampleSession) -> None:
    assert names(store, "cursor memory", builder) == ["answer"]
    assert names(store, "cursor -the -agent", builder) == ["seen", "bash.result", "read"]
    assert names(store, '"fine cursor" OR checkpoint', builder) == ["seen", "thought"]


def test_a_row_says_where_the_record_is(
    store: SqliteStore, builder: SampleSession, tmp_path: Path
) -> None:
    (row,) = found(store, "memory").rows

    line = Path(row.path).read_bytes()[row.offset : row.offset + row.length]
    assert builder.uuid("answer").encode() in line
    assert (row.record, row.role, row.session) == ("assistant", "session", builder.session_id)
    assert (row.project, row.project_name) == (builder.project, "orchard-shop")
    assert row.title == "Where is the cursor kept?"


def test_words_of_a_record_that_is_no_more_find_nothing(tmp_path: Path) -> None:
    builder = session().user("kept").assistant("forgotten")
    with indexed(tmp_path, builder) as store:
        path = Path(found(store, "kept").rows[0].path)
        path.write_bytes(path.read_bytes().replace(b"forgotten", b"rewritten"))
        refresh_index(store, [tmp_path])

        assert found(store, "forgotten").total == 0
        assert found(store, "rewritten").total == 1


def test_an_answer_ranks_above_a_long_output(tmp_path: Path) -> None:
    builder = session().user("look").tool("Bash", {"command": "x"}, "cursor " + "other " * 200)
    builder.assistant("The cursor.", name="answer")
    with indexed(tmp_path, builder) as store:
        best, *_ = names(store, "cursor", builder, order="relevance")

    assert best == "answer"


def test_hits_are_counted_by_project_kind_and_branch(store: SqliteStore) -> None:
    spread = store.count_facets(SearchRequest(asked("cursor")))

    assert spread is not None
    assert spread.projects == {"orchard-shop": found(store, "cursor").total}
    assert spread.kinds.keys() == {*KINDS}
    for kind in {*KINDS} - {"note"}:
        number = spread.kinds[kind]
        assert number == found(store, f"cursor kind:{kind}").total
    assert spread.active == found(store, "cursor branch:active").total
    assert spread.left > 0


def test_what_has_no_words_is_counted_by_its_kinds(store: SqliteStore) -> None:
    spread = store.count_facets(SearchRequest(asked("tool:Bash")))

    assert spread is not None
    assert spread.kinds["tool_input"] == found(store, "tool:Bash kind:tool_input").total > 0
    assert spread.kinds["tool_result"] == found(store, "tool:Bash kind:tool_result").total > 0
    assert spread.kinds["prompt"] == 0


def test_too_many_hits_are_not_counted_one_by_one(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "RANKED", 1)

    assert store.count_facets(SearchRequest(asked("cursor"))) is None
    assert store.count_facets(SearchRequest(asked("cursor tool:Bash"))) is not None


def test_a_file_that_is_read_anew_is_walked_through_under_its_new_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "RANKED", 0)
    builder = session().user("kept").assistant("word first")
    with indexed(tmp_path, builder) as store:
        assert len(found(store, "word", "newest").rows) == 1
        path = Path(found(store, "kept", "newest").rows[0].path)
        path.write_bytes(path.read_bytes().replace(b"first", b"other"))
        with indexed(tmp_path):
            pass

        assert len(found(store, "other", "newest").rows) == 1
        assert len(found(store, "word", "newest").rows) == 1


# -- filters -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("cursor kind:prompt", ["rewound", "picture", "prompt"]),
        ("cursor kind:thinking", ["thought"]),
        ("cursor kind:tool_input", ["read"]),
        ("cursor kind:tool_result", ["bash.result"]),
        ("kind:thinking", ["thought"]),
        ("kind:thinking kind:tool_result tool:Bash", ["bash.result"]),
        ("-the kind:text", ["seen", "fails"]),
        ("cursor tool:Bash", ["bash.result"]),
        ("tool:bash", ["bash.result", "bash"]),
        ("tool:ba*", ["bash.result", "bash"]),
        ("tool:Read", ["read.result", "read"]),
        ("cursor role:assistant -kind:thinking -tool:Read", ["end", "seen", "answer"]),
        ("file:cursor.py", ["read.result", "read"]),
        ("file:CURSOR kind:tool_input", ["read"]),
        ("file:other.py", []),
        ("is:error", ["bash.result"]),
        ("has:image", ["picture"]),
        ("picture -has:image", []),
        ("cursor branch:active kind:prompt", ["rewound", "prompt"]),
        ("cursor -branch:active kind:prompt", ["picture"]),
        ("model:opus cursor kind:text -fine -memory -done", []),
        ("model:haiku", []),
        ("memory project:orchard", ["answer"]),
        ("memory project:/home/dev", ["answer"]),
        ("memory -project:orchard", []),
        ("memory project:lantern", []),
        ("memory project:lantern project:orchard", ["answer"]),
        ("kind:text -kind:text", []),
        ("memory before:2026-01-05", []),
        ("memory after:2026-01-05 before:2026-01-06", ["answer"]),
    ],
)
def test_a_filter_keeps_what_it_says(
    store: SqliteStore, builder: SampleSession, query: str, expected: list[str]
) -> None:
    assert [name for name in names(store, query, builder) if "-" not in name] == expected


def test_sessions_are_named_by_the_beginning_of_their_id(tmp_path: Path) -> None:
    one, other = session("one").user("cursor"), session("other").user("cursor")
    with indexed(tmp_path, one, other) as store:
        rows = found(store, f"cursor session:{one.session_id[:6]}").rows
        others = found(store, f"cursor -session:{one.session_id[:6]}").rows

    assert [row.session for row in rows] == [one.session_id]
    assert [row.session for row in others] == [other.session_id]


def test_a_line_with_several_calls_is_found_by_each_of_their_tools(tmp_path: Path) -> None:
    builder = session().user("go").assistant("first")
    read, edit = (
        SampleCall(tool="Read", given={"a": "b"}, result="c"),
        SampleCall(tool="Edit", given={"d": "e"}, result="f"),
    )
    builder.tools(read, edit)
    calls = [r for r in builder.records() if r["type"] == "assistant"][-2:]
    results = [r for r in builder.records() if r["type"] == "user"][-2:]
    for first, second in (calls, results):
        body, more = first["message"], second["message"]
        assert isinstance(body, dict)
        assert isinstance(more, dict)
        body["content"] = [*body["content"], *more["content"]]
        builder.entries = [entry for entry in builder.entries if entry.body is not second]
    with indexed(tmp_path, builder) as store:
        assert found(store, "tool:Read").total == found(store, "tool:Edit").total == 2


def test_what_an_agent_said_belongs_to_its_session(
    store: SqliteStore, builder: SampleSession
) -> None:
    (row,) = found(store, "cursor found kind:text").rows

    assert (row.role, row.session) == ("agent", builder.session_id)
    assert row.agent in builder.agent_files or row.agent
    assert row.agent_type == "Explore"


def test_only_files_below_the_roots_count(tmp_path: Path) -> None:
    with (
        indexed(tmp_path / "a", session("a").user("cursor"), index=tmp_path / "i.sqlite"),
        indexed(tmp_path / "b", session("b").user("cursor"), index=tmp_path / "i.sqlite") as store,
    ):
        everywhere = found(store, "cursor")
        there = found(store, "cursor", roots=(f"{tmp_path / 'b'}/",))

    assert (everywhere.total, there.total) == (2, 1)
    assert Path(there.rows[0].path).is_relative_to(tmp_path / "b")


# -- orders, totals and pages --------------------------------------------------------------------


def many(
    sessions: int, prompts: int, apart: timedelta = timedelta(minutes=1)
) -> list[SampleSession]:
    """Make sessions that began one after the other and went on at the same time."""
    start = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
    books = []
    for number in range(sessions):
        begins = start + number * apart
        builder = session(f"s{number}", start=begins, tick=timedelta(minutes=3))
        for turn in range(prompts):
            builder.user(f"word {'word ' * (turn % 5)} {turn}").assistant(f"answer {turn}")
        books.append(builder)
    return books


def walk(store: SqliteStore, query: str, order: Order, limit: int) -> list[list[Place]]:
    pages: list[list[Place]] = []
    after: RankedPosition | DatedPosition | None = None
    while True:
        page = found(store, query, order, limit=limit, after=after)
        pages.append([row.place for row in page.rows])
        if page.next is None:
            return pages
        assert page.next != after
        after = page.next


@pytest.mark.parametrize("order", ["relevance", "newest"])
@pytest.mark.parametrize("query", ["word", "word -3", "wor*", "kind:prompt", "-answer"])
@pytest.mark.parametrize("bounds", [(3_000, 100_000, 50_000), (10, 100_000, 0), (10, 8, 0)])
def test_pages_hold_everything_once_and_in_order(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    order: Order,
    query: str,
    bounds: tuple[int, int, int],
) -> None:
    ranked, looked_at, counted = bounds
    with indexed(tmp_path, *many(6, 8)) as store:
        whole = found(store, query, order, limit=1_000)
        monkeypatch.setattr(searching, "RANKED", ranked)
        monkeypatch.setattr(searching, "LOOKED_AT", looked_at)
        monkeypatch.setattr(searching, "COUNTED", counted)
        monkeypatch.setattr(searching, "_FIRST_STRETCH", 10)
        pages = walk(store, query, order, 7)

    shown = [number for page in pages for number in page]
    assert len(shown) == len(set(shown))
    if order == "newest" or ranked > len(whole.rows):
        assert shown == [row.place for row in whole.rows]
    else:
        assert len(shown) in (ranked, len(whole.rows))


def test_a_position_names_a_place_in_a_file_and_no_number_of_the_store(tmp_path: Path) -> None:
    with indexed(tmp_path, *many(2, 4)) as store:
        page = found(store, "word", "newest", limit=3)
        last = page.rows[-1]

        assert page.next == DatedPosition(last.timestamp or "", (last.file, last.offset))
        assert store.connection.execute(
            "select path from file where id = ?", (last.file,)
        ).fetchone() == (last.path,)


def test_a_mark_that_somebody_made_up_is_no_trouble(tmp_path: Path) -> None:
    with indexed(tmp_path, *many(2, 4)) as store:
        for mark in (b"", b"\xff" * 40):
            page = found(store, "word", "relevance", limit=3, after=RankedPosition(mark, 0))
            assert len(page.rows) in (0, 3)


def test_the_newest_come_first_also_when_sessions_overlap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "RANKED", 5)
    monkeypatch.setattr(searching, "_FIRST_STRETCH", 10)
    with indexed(tmp_path, *many(6, 8)) as store:
        times = [row.timestamp or "" for row in found(store, "word", "newest", limit=20).rows]

    assert times == sorted(times, reverse=True)
    assert times[0] == "2026-01-05T09:47:00.000Z"


def test_a_total_that_is_exact_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "RANKED", 10)
    with indexed(tmp_path, *many(6, 8)) as store:
        few, common = found(store, '"answer 3"'), found(store, "word")
        filtered = found(store, "word kind:prompt role:user")

    assert (few.total, few.sessions, few.exact, few.ranked) == (6, 6, True, None)
    assert (common.total, common.exact, common.ranked) == (48, True, 10)
    assert (filtered.total, filtered.exact, filtered.ranked) == (10, False, 10)


def test_a_total_counts_no_record_that_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "RANKED", 10)
    with indexed(tmp_path, *many(6, 8)) as store:
        gone = Path(found(store, "word").rows[0].path)
        gone.unlink()
        refresh_index(store, [tmp_path])
        common = found(store, "word")

    assert common.total <= 40
    assert not common.exact


def test_a_walk_says_how_far_it_got(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "COUNTED", 0)
    monkeypatch.setattr(searching, "_FIRST_STRETCH", 10)
    with indexed(tmp_path, *many(6, 8, timedelta(days=1))) as store:
        some = found(store, "kind:prompt", limit=3)
        monkeypatch.setattr(searching, "LOOKED_AT", 20)
        page = found(store, "has:image")

    assert (page.total, page.exact, page.rows) == (0, False, [])
    assert page.looked_at
    assert page.next
    assert (len(some.rows), some.exact, some.looked_at) == (3, False, None)


def test_what_is_written_meanwhile_moves_no_page(tmp_path: Path) -> None:
    books = many(3, 6)
    with indexed(tmp_path, *books) as store:
        for order in ("relevance", "newest"):
            first = found(store, "word", order, limit=5)
            before = found(store, "word", order, limit=5, after=first.next)
            late = session(f"late {order}", start=datetime(2026, 2, 1, tzinfo=UTC))
            late.user("word").write(tmp_path)
            refresh_index(store, [tmp_path])
            after = found(store, "word", order, limit=5, after=first.next)

            assert [row.place for row in after.rows] == [row.place for row in before.rows]


# -- the vocabulary ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "nearest"),
    [
        ("cursr", "cursor"),
        ("Cürsor", None),
        ("chekpoint", "checkpoint"),
        ("zzzz", None),
        ("->", None),
    ],
)
def test_the_nearest_word_is_one_of_the_index(
    store: SqliteStore, word: str, nearest: str | None
) -> None:
    assert store.nearest_word(word) == nearest


def test_an_index_opened_for_reading_gives_no_spelling(store: SqliteStore) -> None:
    reading = SqliteStore(store.path, reading=True)

    assert reading.nearest_word("cursr") is None
    assert found(reading, "cursor").total == found(store, "cursor").total
    reading.close()


# -- small parts ---------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 1 << 40), max_size=8), st.integers(0, 255))
def test_sizes_of_columns_are_read_as_fts5_writes_them(sizes: list[int], wanted: int) -> None:
    expected = any(size and wanted >> column & 1 for column, size in enumerate(sizes))

    assert _has_words(b"".join(map(varint, sizes)), wanted) == expected


def varint(number: int) -> bytes:
    groups = [number & 0x7F]
    while number := number >> 7:
        groups.append(number & 0x7F | 0x80)
    return bytes(reversed(groups))


@settings(max_examples=50)
@given(st.sets(st.integers(0, 60)))
def test_ranges_hold_just_the_numbers_given(numbers: set[int]) -> None:
    made = _join_ranges((number, number) for number in numbers)

    assert [n for low, high in made for n in range(low, high + 1)] == sorted(numbers)
    assert all(high + 1 < low for (_, high), (low, _) in pairwise(made))
