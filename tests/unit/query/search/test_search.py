"""Hits as a person gets them: kinds, excerpts, pages, and what is said when some are missing."""

import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bough.errors import Misuse
from bough.query.search import verify as checking
from bough.query.search.search import (
    Hit,
    SearchPage,
    count_session_hits,
    describe_session_hits,
    search,
    search_document,
)
from bough.query.search.suggestions import suggest_query
from bough.sample import SampleSession, session
from bough.sample.data.blocks import image
from bough.store.query_language import Query, QuerySyntaxError
from bough.store.search_protocol import Order
from bough.store.sqlite import search as searching
from bough.store.sqlite.store import SqliteStore
from tests.sampled import scale_examples
from tests.searched import asked, indexed


def story() -> SampleSession:
    builder = session("story", cwd="/home/dev/orchard-shop").title("The cursor")
    builder.user("Where is the cursor kept?", name="prompt")
    builder.thinking("Perhaps a checkpoint.", name="thought")
    builder.assistant("It is kept in memory -> lost on exit.", name="answer")
    builder.tool("Bash", {"command": "ls\tsrc"}, "cursor.py\njob.py\nv12", name="ls")
    builder.agent("Explore", "look", answer="The cursor is in job.py, 日本語も.")
    return builder.assistant("So it goes.", name="end")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with indexed(tmp_path, story()) as opened:
        yield opened


def page_of(
    store: SqliteStore, text: str, order: Order = "relevance", **more: object
) -> SearchPage:
    return search(store, asked(text), order=order, **more)  # type: ignore[arg-type]


def only(store: SqliteStore, text: str) -> Hit:
    (hit,) = page_of(store, text).hits
    return hit


def marked(hit: Hit) -> list[str]:
    return [(hit.snippet or "")[start:end] for start, end in hit.marks]


# -- one hit -------------------------------------------------------------------------------------


def test_a_hit_says_all_there_is_to_know(store: SqliteStore) -> None:
    builder = story()

    hit = only(store, "memory")

    assert (hit.session, hit.project, hit.title) == (
        builder.session_id,
        builder.project,
        "The cursor",
    )
    assert (hit.uuid, hit.timestamp) == (
        builder.uuid("answer"),
        builder.record_of("answer")["timestamp"],
    )
    assert (hit.kind, hit.role, hit.tool, hit.active) == ("text", "assistant", None, True)
    assert (hit.snippet, marked(hit)) == ("It is kept in memory -> lost on exit.", ["memory"])
    assert (hit.project_name, hit.agent, hit.branch) == ("orchard-shop", None, 0)


@pytest.mark.parametrize(
    ("query", "kind", "snippet"),
    [
        ("where", "prompt", "Where is the cursor kept?"),
        ("checkpoint", "thinking", "Perhaps a checkpoint."),
        ("ls", "tool_input", "ls src"),
        ("v12", "tool_result", "cursor.py job.py v12"),
        ("本語 -kind:tool_result", "text", "The cursor is in job.py, 日本語も."),
    ],
)
def test_a_hit_has_the_kind_of_its_words(
    store: SqliteStore, query: str, kind: str, snippet: str
) -> None:
    hit = only(store, f"{query} -look")

    assert (hit.kind, hit.snippet) == (kind, snippet)


def test_results_know_their_tool(store: SqliteStore) -> None:
    assert [hit.tool for hit in page_of(store, "tool:Bash").hits] == ["Bash", "Bash"]


def test_what_an_agent_said_names_the_agent(store: SqliteStore) -> None:
    hit = only(store, "本語 kind:text")

    assert (hit.session, hit.agent_type) == (story().session_id, "Explore")
    assert hit.agent


def test_a_record_with_several_kinds_shows_the_one_that_was_asked_for(tmp_path: Path) -> None:
    builder = session().user("go").assistant("cursor here", name="both")
    body = builder.record_of("both")["message"]
    assert isinstance(body, dict)
    body["content"] = [{"type": "thinking", "thinking": "cursor there"}, *body["content"]]
    with indexed(tmp_path, builder) as store:
        kinds = {only(store, f"cursor {more}").kind for more in ("", "here", "kind:text")}
        thought = only(store, "cursor there")

    assert kinds == {"text"}
    assert (thought.kind, thought.snippet) == ("thinking", "cursor there")


def test_a_session_is_called_as_in_lists(tmp_path: Path) -> None:
    named = session("named").user("the cursor").assistant("so", name="end")
    later = session("later").summary("A better name", leaf=named.uuid("end")).user("on")
    with indexed(tmp_path, named, later) as store:
        hit = only(store, "cursor")
        unnamed = page_of(store, "on").hits[0]

    assert (hit.title, unnamed.title) == ("A better name", "on")


def test_a_picture_without_words_is_a_hit_of_filters(tmp_path: Path) -> None:
    with indexed(tmp_path, session().user([image()])) as store:
        hit = only(store, "has:image")

    assert (hit.kind, hit.snippet, hit.marks) == ("prompt", "", ())


@pytest.mark.parametrize("how", ["gone", "changed", "shorter"])
def test_a_file_that_changed_meanwhile_gives_hits_without_words(tmp_path: Path, how: str) -> None:
    builder = session().user("the cursor").assistant("nothing")
    path = builder.write(tmp_path)
    with indexed(tmp_path) as store:
        data = path.read_bytes()
        if how == "gone":
            path.unlink()
        else:
            changed = data.replace(b'"uuid":"', b'"uuid":"x') if how == "changed" else data[:50]
            path.write_bytes(changed)
        hit = only(store, "cursor")

    assert (hit.snippet, hit.marks, hit.kind) == (None, (), "prompt")
    assert hit.uuid == builder.uuid(1)


def test_base64_is_not_shown_nor_found(tmp_path: Path) -> None:
    blob = "iVBORw0KGgoAAAANSUhEUgAAAAUA/cursor/" * 20
    with indexed(tmp_path, session().user(f"before {blob} after cursor")) as store:
        hit = only(store, "cursor")

    assert hit.snippet == "before after cursor"


# -- what the index cannot know ------------------------------------------------------------------


def test_a_regex_is_checked_in_the_text(store: SqliteStore) -> None:
    hit = only(store, r"/v\d+$/")

    assert (hit.kind, marked(hit)) == ("tool_result", ["v12"])
    assert page_of(store, r"cursor /v\d+/ tool:Bash").total == 1
    assert page_of(store, r"/V\d+/").total == 0


def test_marks_are_looked_for_as_they_are(store: SqliteStore) -> None:
    assert marked(only(store, "->")) == ["->"]
    assert page_of(store, '"-> lost"').total == 1


def test_each_word_may_stand_in_any_text_of_a_record(tmp_path: Path) -> None:
    builder = session().user("go").assistant("one", name="both")
    body = builder.record_of("both")["message"]
    assert isinstance(body, dict)
    body["content"] = [{"type": "thinking", "thinking": "two"}, *body["content"]]
    with indexed(tmp_path, builder) as store:
        totals = [page_of(store, q).total for q in ("one two", "/one/ /two/", "/one/ -/two/")]

    assert totals == [1, 1, 0]


@pytest.mark.parametrize("order", ["relevance", "newest"])
@pytest.mark.parametrize("query", [r"/\d[05]/", r"word /\d[05]/", r"-/\d[05]/ kind:prompt"])
@pytest.mark.parametrize("most", [8_000, 7])
def test_checked_pages_hold_everything_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, order: Order, query: str, most: int
) -> None:
    monkeypatch.setattr(checking, "CHECKED", most)
    monkeypatch.setattr(checking, "_BATCH", 5)
    builder = session(tick=timedelta(minutes=1))
    for number in range(10, 50):
        builder.user(f"word {number}").assistant("so")
    with indexed(tmp_path, builder) as store:
        pages = [page_of(store, query, order, limit=3)]
        while pages[-1].next:
            pages.append(page_of(store, query, order, limit=3, cursor=pages[-1].next))

    shown = [hit.snippet for page in pages for hit in page.hits]
    wanted = [f"word {n}" for n in range(10, 50) if (n % 5 == 0) != query.startswith("-")]
    assert sorted(map(str, shown)) == wanted
    assert pages[-1].total == len(wanted)
    assert bool(pages[0].partial) == (most < 10)
    assert (most < 10) or {page.total for page in pages} == {len(wanted)}


# -- pages ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["relevance", "newest"])
@pytest.mark.parametrize("query", ["word", r"word /\d[05]/"])
def test_a_page_cut_short_goes_on_as_a_shorter_one(
    tmp_path: Path, order: Order, query: str
) -> None:
    builder = session(tick=timedelta(minutes=1))
    for number in range(10, 50):
        builder.user(f"word {number}").assistant("so")
    with indexed(tmp_path, builder) as store:
        first = page_of(store, query, order, limit=2)
        page = page_of(store, query, order, limit=5, cursor=first.next)
        for count in range(1, 6):
            short = page_of(store, query, order, limit=count, cursor=first.next)
            assert page.cursor_behind(count) == short.next
            rest = page_of(store, query, order, limit=3, cursor=page.cursor_behind(count))
            assert rest.hits[: 5 - count] == page.hits[count:][:3]


def test_a_page_says_what_it_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "RANKED", 5)
    monkeypatch.setattr(searching, "COUNTED", 0)
    monkeypatch.setattr(searching, "_FIRST_STRETCH", 4)
    books = [
        session(f"s{n}", start=datetime(2026, 1, n, tzinfo=UTC)).user("word").assistant("word")
        for n in range(1, 9)
    ]
    with indexed(tmp_path, *books) as store:
        ranked, timed = page_of(store, "word", limit=3), page_of(store, "word", "newest", limit=3)
        counted = page_of(store, "role:user", limit=3)
        monkeypatch.setattr(searching, "LOOKED_AT", 4)
        stopped = page_of(store, "has:image")

    assert "Ranked are the 5 matches" in ranked.partial[0]
    assert (ranked.total, timed.total, timed.partial) == (16, 16, ())
    assert counted.partial == ("Counted only as far as was looked at.",)
    assert "the rest comes with the next page" in stopped.partial[0]


def test_without_words_the_newest_come_first(store: SqliteStore) -> None:
    page = page_of(store, "role:assistant")

    assert page.order == "newest"
    assert [hit.timestamp for hit in page.hits] == sorted(
        (hit.timestamp for hit in page.hits), key=str, reverse=True
    )


@pytest.mark.parametrize(
    "cursor", ["", "nonsense", "k5Ohcs0F0BQUzYiv", "日本", "\udc80", "A" * 999]
)
def test_a_cursor_of_another_search_is_refused(store: SqliteStore, cursor: str) -> None:
    if not cursor:
        cursor = page_of(store, "cursor", limit=1).next or ""
    with pytest.raises(Misuse, match="cursor"):
        page_of(store, "kept", cursor=cursor)


def test_a_cursor_goes_on_with_dates_that_move(store: SqliteStore) -> None:
    first = page_of(store, "cursor after:3w", limit=1)
    later = msgspec.structs.replace(
        asked("cursor after:3w"), after=datetime(2026, 1, 2, tzinfo=UTC)
    )

    second = search(store, later, limit=1, cursor=first.next)

    assert second.hits
    assert second.hits != first.hits


def test_a_page_has_one_hit_at_least(store: SqliteStore) -> None:
    with pytest.raises(Misuse, match="one hit at least"):
        page_of(store, "cursor", limit=0)


def test_a_query_takes_only_so_many_filters(store: SqliteStore) -> None:
    assert page_of(store, " ".join(f"-tool:x{n}" for n in range(100))).total

    with pytest.raises(Misuse, match="100 filters at most, not 101"):
        page_of(store, " ".join(f"tool:x{n}" for n in range(101)))


def test_the_answer_has_the_fields_that_are_promised(store: SqliteStore) -> None:
    made = msgspec.to_builtins(search_document("memory", page_of(store, "memory")))

    assert list(made) == ["query", "total", "partial", "hits", "next", "skipped"]
    assert list(made["hits"][0]) == [
        "session",
        "project",
        "uuid",
        "timestamp",
        "kind",
        "snippet",
        "active",
        "title",
        "path",
        "line",
    ]
    assert (made["query"], made["total"], made["partial"], made["next"]) == (
        "memory",
        1,
        False,
        None,
    )
    assert search_document("memory", page_of(store, "memory"), "The index is being built.").partial


# -- what to try instead -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "what", "instead", "total"),
    [
        ("chekpoint", "chekpoint", "checkpoint", 1),
        ("perhaps chekpoint", "chekpoint", "checkpoint", 1),
        ("cursor tool:Edit", "tool:Edit", None, 4),
        ("checkpoint -kind:thinking role:assistant", "-kind:thinking", None, 1),
        ("cursor before:2025", "before:", None, 4),
        ("cursor after:2027", "after:", None, 4),
    ],
)
def test_a_query_without_hits_gets_one_that_has(
    store: SqliteStore, query: str, what: str, instead: str | None, total: int
) -> None:
    found = suggest_query(store, asked(query))

    assert found is not None
    assert (found.what, found.instead, found.total) == (what, instead, total)


@pytest.mark.parametrize(
    "query", ["zzyzx", "zzyzx tool:Bash", "/zzyzx/", "-> checkpoint", "-zzyzx -it"]
)
def test_where_nothing_is_near_nothing_is_suggested(store: SqliteStore, query: str) -> None:
    assert suggest_query(store, asked(query)) is None


# -- anything a person may type ------------------------------------------------------------------

MARKS = "\"()*:-/\\^$.+?[]{}|\0\n\t'%_ ORANDNOT"
PIECES = [
    "tool:",
    "kind:text",
    "file:%",
    "OR",
    "NOT",
    "after:1d",
    '"',
    "(",
    ")",
    "*",
    "/a/",
    "日本",
    "\udc80",
]


@pytest.fixture(scope="module")
def shared_store() -> Iterator[SqliteStore]:
    with tempfile.TemporaryDirectory() as folder, indexed(Path(folder), story()) as opened:
        yield opened


def read(text: str) -> tuple[Query, int]:
    """Read a query as far as it makes sense."""
    try:
        return asked(text), len(text)
    except QuerySyntaxError as error:
        return Query(), error.position


@settings(max_examples=scale_examples(300))
@given(
    st.one_of(
        st.text(max_size=40),
        st.text(alphabet=MARKS, max_size=30),
        st.lists(st.sampled_from([*PIECES, "cursor", "-cursor"]), max_size=8).map(" ".join),
    )
)
@example('" OR words MATCH "')
@example("{text} : cursor")
@example("cursor NEAR(kept)")
@example("project:'; drop table record; --")
@example("file:\\ session:% tool:_")
@example(" ".join(["cursor"] * 400))
@example(" OR ".join(f'"a{n} b*"' for n in range(400)))
@example("-" + "(" * 8 + "cursor" + ")" * 8)
@example("c* " * 40)
def test_any_text_is_answered_or_refused_with_a_place(shared_store: SqliteStore, text: str) -> None:
    query, place = read(text)

    assert 0 <= place <= len(text)
    for order in ("relevance", "newest"):
        page = search(shared_store, query, order=order, limit=3)
        assert page.total >= len(page.hits)
    suggest_query(shared_store, query)


# -- patterns that never end ---------------------------------------------------------------------


def lined(text: str = "-" * 60) -> SampleSession:
    builder = session("lined", cwd="/home/dev/orchard-shop")
    builder.user("-:::q is here", name="first").assistant(text, name="line")
    return builder.user("--:::q as well", name="last").assistant("Nothing.", name="end")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "SECONDS", 0.4)


def test_a_record_on_which_a_pattern_never_ends_is_skipped_and_named(
    tmp_path: Path, impatient: None
) -> None:
    builder = lined()
    query = "/(-|-)*:::q/"
    with indexed(tmp_path, builder) as store:
        first = page_of(store, query)
        second = page_of(store, query, cursor=first.next)

    assert [hit.uuid for hit in first.hits] == [builder.uuid("last")]
    assert [one.uuid for one in first.skipped] == [builder.uuid("line")]
    assert (first.exact, first.sessions) == (False, None)
    assert first.partial[0] == (
        f"Line {first.skipped[0].line} of session {builder.session_id[:8]} was not looked at: "
        "the pattern was stopped there, a page takes 2 s at most."
    )
    assert [hit.uuid for hit in second.hits] == [builder.uuid("first")]
    assert (second.skipped, second.next) == ((), None)
    made = msgspec.to_builtins(search_document(query, first))
    assert made["partial"] is True
    assert made["skipped"] == msgspec.to_builtins(first.skipped)


def test_words_beside_a_pattern_keep_it_from_where_it_never_ends(
    tmp_path: Path, impatient: None
) -> None:
    builder = lined()
    with indexed(tmp_path, builder) as store:
        page = page_of(store, "well /(-|-)*:::q/")

    assert [(hit.uuid, marked(hit)) for hit in page.hits] == [
        (builder.uuid("last"), ["--:::q", "well"])
    ]
    assert (page.skipped, page.exact) == ((), True)


def test_what_a_record_says_before_a_pattern_is_asked_is_enough(
    tmp_path: Path, impatient: None
) -> None:
    builder = lined("-" * 60 + " nothing")
    with indexed(tmp_path, builder) as store:
        either = page_of(store, "nothing OR /(-|-)*:::q/", "newest")

    assert {hit.uuid for hit in either.hits} == {
        builder.uuid(name) for name in ("first", "line", "last", "end")
    }
    assert either.skipped == ()


def test_marks_behind_the_first_are_left_out_where_they_take_too_long(tmp_path: Path) -> None:
    builder = lined("-:::q and then " + "-" * 60)
    with indexed(tmp_path, builder) as store:
        (hit,) = page_of(store, "then /(-|-)*:::q/").hits

    assert marked(hit) == ["-:::q", "then"]


def test_a_pattern_that_is_too_long_is_refused(store: SqliteStore) -> None:
    with pytest.raises(QuerySyntaxError, match="1,000 characters at most"):
        page_of(store, f"/{'a' * 1001}/")


def test_a_pull_request_finds_its_session_and_the_agents_of_it(tmp_path: Path) -> None:
    other = session("other").user("Another cursor").pr_link(4120)
    with indexed(tmp_path, story().pr_link(412), other) as opened:
        found = page_of(opened, "cursor pr:412").hits
        left = page_of(opened, "cursor -pr:#412").hits

    assert {hit.session for hit in found} == {story().session_id}
    assert any(hit.agent for hit in found)
    assert {hit.session for hit in left} == {other.session_id}


def test_why_a_message_stopped_is_a_filter_where_it_is_not_the_usual(tmp_path: Path) -> None:
    other = session("other").user("A cursor").assistant("A cursor, cut", stop_reason="max_tokens")
    with indexed(tmp_path, story(), other) as opened:
        found = page_of(opened, "stop:max_tokens").hits
        either = page_of(opened, "cursor stop:max*").hits
        usual = page_of(opened, "cursor stop:end_turn").hits
        rest = page_of(opened, "cursor -stop:max_tokens").hits

    assert [hit.session for hit in found] == [hit.session for hit in either] == [other.session_id]
    assert not usual
    assert other.session_id in {hit.session for hit in rest}
    assert found[0].uuid not in {hit.uuid for hit in rest}


def test_the_hits_of_a_session_are_counted_on_all_pages(store: SqliteStore) -> None:
    whole, part = page_of(store, "cursor"), page_of(store, "cursor", limit=1)
    name = whole.hits[0].session

    assert len(whole.hits) > 1
    for page in (whole, part):
        assert count_session_hits(store, asked("cursor"), page) == {name: len(whole.hits)}
    assert count_session_hits(store, asked("/curs.r/"), page_of(store, "/curs.r/", limit=1)) == {}
    assert describe_session_hits(4, 25) == "4 of 25 hits"
    assert describe_session_hits(1, 1) == describe_session_hits(1, None) == "1 hit"
