"""Both stores find the same records: sets, totals, order by time, cursors, facets."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bough.sample import session
from bough.sample.demo import write_demo
from bough.store.postgres.record_search import RANKED
from bough.store.protocol import Store
from bough.store.query_language import Query
from bough.store.search_protocol import (
    DatedPosition,
    HitRow,
    Order,
    Position,
    SearchRequest,
    SearchRows,
)
from tests.queries import QueryMaker
from tests.searched import asked
from tests.team_server import TeamServer
from tests.unit.store.contract.conftest import PREFIX, StorePair

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
FEW = 200
MANY = 2_000
PAGE = 20
PAGES = 3


@pytest.fixture(scope="module")
def demo_pair(
    team_server: TeamServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[StorePair]:
    """Lend both stores with the demo in them."""
    place = tmp_path_factory.mktemp("pair")
    with team_server.database() as url:
        found = StorePair(write_demo(place / "demo", NOW), place / "index.sqlite", url)
        found.refresh()
        yield found
        found.close()


@pytest.fixture(scope="module")
def real_pair(
    team_server: TeamServer, shared: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[StorePair]:
    """Lend both stores with real files in them."""
    place = tmp_path_factory.mktemp("real")
    with team_server.database() as url:
        found = StorePair(shared / "corpus", place / "index.sqlite", url)
        found.refresh()
        yield found
        found.close()


def _pages(store: Store, query: Query, order: Order) -> Iterator[SearchRows]:
    after: Position | None = None
    shown = 0
    for _ in range(PAGES):
        page = store.search(SearchRequest(query, order, PAGE, after, shown))
        yield page
        shown += len(page.rows)
        after = page.next
        if after is None:
            return


def _what_is_known(row: HitRow) -> tuple[object, ...]:
    """Give all that a row says, without numbers that only its store knows."""
    return (
        *(row.path.removeprefix(PREFIX), row.offset, row.length, row.line, row.record, row.uuid),
        *(row.timestamp, row.model, row.tool, row.failed, row.branch, row.active, row.role),
        *(row.session, row.agent, row.agent_type, row.agent_description, row.project),
        *(row.project_name, row.worktree_of, row.title, row.title_source),
        row.session_file is None,
    )


def _assert_same(pair: StorePair, text: str) -> None:
    query = asked(text)
    here = list(_pages(pair.local, query, "newest"))
    there = list(_pages(pair.reader, query, "newest"))

    assert [row.timestamp for page in there for row in page.rows] == [
        row.timestamp for page in here for row in page.rows
    ], text
    if here[-1].next is None:
        assert there[-1].next is None, text
        found, expected = (
            {_what_is_known(row) for page in pages for row in page.rows} for pages in (there, here)
        )
        assert found == expected, text
    for one, other in zip(here, there, strict=True):
        if one.exact and other.exact:
            assert other.total == one.total, text
    if here[0].sessions is not None and there[0].sessions is not None:
        assert there[0].sessions == here[0].sessions, text
    best = [
        {_what_is_known(row) for page in _pages(store, query, "relevance") for row in page.rows}
        for store in (pair.local, pair.reader)
    ]
    if there[0].exact and there[0].total <= PAGE * PAGES:
        assert best[0] == best[1], text
    assert _facets(pair.reader, query) == _facets(pair.local, query), text


def _facets(store: Store, query: Query) -> object:
    """Give how hits are spread; what has none need not be named."""
    found = store.count_facets(SearchRequest(query))
    if found is None:
        return None
    counts = (found.projects, found.kinds, found.sessions)
    some = [{name: number for name, number in one.items() if number} for one in counts]
    return (*some, found.active, found.left)


def test_two_hundred_made_up_queries_find_the_same(demo_pair: StorePair) -> None:
    for text in QueryMaker(demo_pair.local.path, 1).make(FEW):
        _assert_same(demo_pair, text)


def test_a_phrase_is_found_behind_many_records_that_only_have_its_words(
    pair: StorePair,
) -> None:
    told = session("turtles", cwd="/home/dev/orchard")
    for number in range(800):
        told = told.user(f"a green turtle {number}" if number < 30 else f"turtle, green {number}")
    told.write(pair.folder)
    pair.refresh()

    pages = list(_pages(pair.reader, asked('"green turtle"'), "newest"))

    assert [len(page.rows) for page in pages] == [20, 10]
    for text in ('"green turtle"', '"green turtle" -12', '"green turtle" 7', '"reen turtl"'):
        _assert_same(pair, text)


def test_of_a_phrase_with_more_hits_than_are_ranked_both_say_how_many_are(pair: StorePair) -> None:
    told = session("turtles", cwd="/home/dev/orchard")
    for number in range(RANKED + 100):
        told = told.user(f"a green turtle {number}")
    told.write(pair.folder)
    pair.refresh()

    for text in ('"green turtle"', '"green turtle" -7'):
        for store in (pair.local, pair.reader):
            found = store.search(SearchRequest(asked(text), "relevance"))
            assert found.ranked == RANKED
            assert found.total >= RANKED
            assert found.next is not None


def test_of_a_phrase_with_no_more_hits_than_are_ranked_all_are_counted(pair: StorePair) -> None:
    """Though so many records have its words that they are not all looked at for a total."""
    told = session("turtles", cwd="/home/dev/orchard")
    for number in range(2_600):
        told = told.user(f"a green turtle {number}" if number % 2 else f"turtle, green {number}")
    told.write(pair.folder)
    pair.refresh()

    for store in (pair.local, pair.reader):
        found = store.search(SearchRequest(asked('"green turtle"'), "relevance"))
        assert (found.total, found.exact, found.ranked) == (1_300, True, None)


def test_a_page_behind_what_is_no_time_is_found(demo_pair: StorePair) -> None:
    behind = DatedPosition("2025\0", (1, 1))
    for store in (demo_pair.local, demo_pair.reader):
        assert not store.search(SearchRequest(asked("resume"), "newest", after=behind)).rows


def test_pages_by_time_have_each_hit_once_whatever_is_sent_between_them(pair: StorePair) -> None:
    told = session("turtles", cwd="/home/dev/orchard")
    for number in range(50):
        told = told.user(f"turtle {number}")
    told.write(pair.folder)
    pair.refresh()
    query = asked("turtle")
    first = pair.reader.search(SearchRequest(query, "newest", PAGE))
    for number in range(50):
        told = told.user(f"newer turtle {number}")
    told.write(pair.folder)
    older = session("older", cwd="/home/dev/orchard", start=datetime(2025, 12, 1, tzinfo=UTC))
    older.user("an older turtle").write(pair.folder)
    pair.refresh()

    rows = [*first.rows]
    page = first
    while page.next is not None:
        page = pair.reader.search(SearchRequest(query, "newest", PAGE, page.next, len(rows)))
        rows += page.rows

    # A page ended before what was sent later, and goes on behind its end.
    assert len({row.place for row in rows}) == len(rows) == 51
    assert [row.line for row in rows[:50]] == sorted((row.line for row in rows[:50]), reverse=True)


@pytest.mark.slow
@pytest.mark.whole
@pytest.mark.parametrize("seed", range(2, 2 + MANY // FEW))
def test_two_thousand_made_up_queries_find_the_same_in_real_files(
    real_pair: StorePair, seed: int
) -> None:
    for text in QueryMaker(real_pair.local.path, seed).make(FEW):
        _assert_same(real_pair, text)


@pytest.mark.parametrize(
    "text",
    [
        "resume",
        '"disk full"',
        "日本",
        "->",
        "-resume",
        "-resume -import kind:prompt",
        "/res[a-z]+e/",
        "resume /x/",
        "importJob",
        "kind:tool_input job",
        "kind:text -job",
        "a OR b OR (c d) OR (e -f)",
        "(a OR (b c)) -d",
        "' OR 1=1 --",
        "\\ % _ ' : & | ! <->",
        "x" * 3_000,
        "\ud800",
        "no\0thing",
    ],
)
def test_odd_queries_find_the_same(demo_pair: StorePair, text: str) -> None:
    _assert_same(demo_pair, text)


def test_a_common_word_is_found_behind_many_newer_records_that_lack_it(
    pair: StorePair,
) -> None:
    told = session("turtles", cwd="/home/dev/orchard")
    for number in range(6_000):
        told = told.user(f"turtle {number}" if number < 5_200 else f"newer {number}")
    told.write(pair.folder)
    pair.refresh()

    pages = list(_pages(pair.reader, asked("turtle"), "newest"))

    assert [len(page.rows) for page in pages] == [PAGE] * PAGES
    assert pages[0].total == 5_200
    for text in ("turtle", "turtle -newer", "turtle kind:prompt", "newer"):
        _assert_same(pair, text)
