"""What is going on: sessions with a client or recent activity, and where each stands."""

import os
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from bough.errors import ClaudeFolderNotFound
from bough.model.live.status import SessionState
from bough.model.text.times import parse_moment
from bough.model.usage.cost_allocator import price_call
from bough.model.usage.costs import NO_USAGE
from bough.model.usage.tokens import count_calls_once
from bough.query.live.running_sessions import (
    describe_work,
    list_live_sessions,
    seconds_in_state,
)
from bough.query.sessions.load_session import read_session
from bough.sample import SampleCall, SampleSession, session
from tests.conftest import Home

LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
NOW = datetime(2026, 1, 5, 9, 0, 30, tzinfo=UTC)


def put(home: Home, *books: SampleSession) -> None:
    with home.writing():
        for builder in books:
            builder.write(home.path)


def book(seed: str, version: str = "2.1.50") -> SampleSession:
    return session(seed, cwd=f"/home/dev/{seed}", version=version).user(f"Prompt of {seed}")


def register(home: Home, builder: SampleSession, **fields: object) -> None:
    note = {"pid": os.getpid(), "sessionId": builder.session_id, **fields}
    with home.writing():
        (home.path / "sessions").mkdir(exist_ok=True)
        (home.path / "sessions" / f"{os.getpid()}.json").write_bytes(msgspec.json.encode(note))


def test_the_most_urgent_comes_first(home: Home) -> None:
    put(
        home,
        book("done", "2.1.250").assistant("Done."),
        book("asks").tool("AskUserQuestion", {"questions": [{"question": "Which?"}]}, None),
        book("works").thinking("Hm"),
        book("failed").api_error("API Error: 529"),
    )

    rows = list_live_sessions([home.path], since=LONG_AGO, now=NOW)

    assert [(row.name, row.state) for row in rows] == [
        ("asks", SessionState.WAITING),
        ("failed", SessionState.FAILED),
        ("works", SessionState.WORKING),
        ("done", SessionState.FINISHED),
    ]


def test_a_session_at_work_says_at_what_since_when_and_what_it_showed_last(home: Home) -> None:
    at_work = book("works")
    call = at_work.ask(SampleCall(tool="Bash", given={"command": "pytest -q"}, result=None))
    at_work.bash_progress(call, "collected 12", "12 passed")
    put(home, at_work, book("thinks").thinking("Hm"), book("done", "2.1.250").assistant("Done."))

    rows = {row.name: row for row in list_live_sessions([home.path], since=LONG_AGO, now=NOW)}

    shown = rows["works"]
    assert (shown.doing, shown.output) == (
        "Claude is probably working: Bash pytest -q",
        "12 passed",
    )
    begun = parse_moment(shown.doing_since)
    assert begun is not None
    later = begun + timedelta(seconds=74)
    assert describe_work(shown, later) == "Claude is probably working: Bash pytest -q, 1:14"
    thinks = rows["thinks"]
    assert (thinks.doing, thinks.doing_since) == ("Claude is probably working", thinks.since)
    assert (rows["done"].doing, describe_work(rows["done"], NOW)) == (None, "")


RESTORED = datetime(2026, 1, 5, 8, tzinfo=UTC)
"""An hour before the records of `book` say they were written."""


def test_new_files_with_old_records_are_nothing_recent(home: Home) -> None:
    put(home, book("one").assistant("Done."), book("two").agent("Explore", "Look", answer="Four"))
    written = RESTORED + timedelta(days=1)

    assert list_live_sessions([home.path], since=written, now=written) == []
    assert list_live_sessions([home.path], since=written, now=written, quick=True) == []
    assert len(list_live_sessions([home.path], since=RESTORED, now=written)) == 2


def test_an_agent_that_works_makes_its_session_recent(home: Home) -> None:
    builder = book("one").agent("Explore", "Find callers", answer="Four")
    put(home, builder)
    (agent,) = home.path.rglob("agent-*.jsonl")
    later = RESTORED + timedelta(days=1)
    with home.writing():
        agent.write_bytes(agent.read_bytes().replace(b"2026-01-05T", b"2026-01-06T"))

    rows = list_live_sessions([home.path], since=later, now=later)

    assert [row.id for row in rows] == [builder.session_id]


def test_a_file_that_ends_without_a_time_may_be_recent(home: Home) -> None:
    builder = book("one").assistant("Done.")
    put(home, builder)
    (path,) = home.path.rglob("*.jsonl")
    with home.writing():
        path.write_bytes(path.read_bytes() + b'{"type":"ai-title","aiTitle":"' + b"x" * 70_000)
    later = RESTORED + timedelta(days=1)

    assert len(list_live_sessions([home.path], since=later, now=later)) == 1


def test_a_row_says_what_a_person_wants_to_know(home: Home) -> None:
    counts = {"input_tokens": 10, "cache_read_input_tokens": 19_990, "output_tokens": 50}
    builder = session("s", cwd="/home/dev/shop", model="claude-opus-4-5").user("Ship it")
    builder.thinking("Is it green?").assistant("Yes.", usage=counts).ai_title("Shipping")
    put(home, builder)

    (row,) = list_live_sessions([home.path], since=LONG_AGO, now=NOW)

    assert (row.id, row.name, row.title) == (builder.session_id, "shop", "Shipping")
    assert (row.context_tokens, row.context_window, row.context) == (20_000, 200_000, 0.1)
    assert row.cost_usd is not None
    assert row.cost_usd > 0
    assert (row.is_cost_complete, row.thought, row.pid) == (True, "Is it green?", None)


@pytest.mark.parametrize(
    ("version", "words"),
    [("2.1.20", "mode plan, thinking on"), ("2.0.60", "thinking off"), ("2.1.200", "mode plan")],
)
def test_a_row_says_the_mode_and_whether_thinking_is_on(
    home: Home, version: str, words: str
) -> None:
    put(home, session("s", version=version, permission_mode="plan").user("Ship it"))

    (row,) = list_live_sessions([home.path], since=LONG_AGO, now=NOW)

    assert row.mode_words == words


def test_agents_add_to_the_cost_and_not_to_the_context(home: Home) -> None:
    alone = book("alone").assistant("y")
    helped = book("helped").agent("Explore", "Look around").assistant("y")
    put(home, alone, helped)

    rows = {row.name: row for row in list_live_sessions([home.path], since=LONG_AGO, now=NOW)}

    assert (rows["helped"].cost_usd or 0) > (rows["alone"].cost_usd or 0)


@pytest.mark.parametrize("version", ["1.0.128", "2.0.76", "2.1.250"])
def test_the_cost_is_that_of_the_session_at_rest(home: Home, version: str) -> None:
    builder = book("helped", version).agent("Explore", "Look around").assistant("y")
    put(home, builder)
    path = next(home.projects.glob(f"*/{builder.session_id}.jsonl"))

    (row,) = list_live_sessions([home.path], since=LONG_AGO, now=NOW)

    calls = count_calls_once(read_session(path).usage_lines())
    assert row.cost_usd == sum((price_call(call) for call in calls), NO_USAGE).usd


def test_what_is_not_recent_is_left_out_unless_a_client_has_it_open(home: Home) -> None:
    open_one, closed = book("open").assistant("y"), book("closed").assistant("y")
    put(home, open_one, closed)
    with home.writing():
        for path in home.projects.glob("*/*.jsonl"):
            os.utime(path, (1_000_000, 1_000_000))
    register(home, open_one, status="idle")

    rows = list_live_sessions([home.path], since=datetime(2025, 1, 1, tzinfo=UTC), now=NOW)

    assert [(row.name, row.pid) for row in rows] == [("open", os.getpid())]


def test_a_session_in_which_nothing_was_said_is_left_out(home: Home) -> None:
    put(home, session("quiet").mode().snapshot())

    assert list_live_sessions([home.path], since=LONG_AGO, now=NOW) == []


def test_a_quick_look_tells_the_same_state_from_the_end_of_the_file(home: Home) -> None:
    builder = book("long")
    for number in range(400):
        builder.user("x" * 1_000 + str(number)).assistant("y" * 1_000)
    builder.tool("AskUserQuestion", {"questions": [{"question": "Which?"}]}, None)
    put(home, builder)

    (whole,) = list_live_sessions([home.path], since=LONG_AGO, now=NOW)
    (quick,) = list_live_sessions([home.path], since=LONG_AGO, now=NOW, quick=True)

    assert (quick.state, quick.asks) == (whole.state, whole.asks)
    assert (whole.partial, whole.is_cost_complete) == (False, True)
    assert (quick.partial, quick.is_cost_complete) == (True, False)


def test_a_state_lasts_since_its_last_record(home: Home) -> None:
    put(home, book("works").thinking("Hm"))
    (row,) = list_live_sessions([home.path], since=LONG_AGO, now=NOW)
    since = datetime.fromisoformat(row.since or "")

    assert seconds_in_state(row, since + timedelta(seconds=14)) == 14


def test_without_a_claude_folder_there_is_nothing_to_ask(home: Home) -> None:
    with pytest.raises(ClaudeFolderNotFound):
        list_live_sessions([home.path / "nowhere"])
