"""The stream: what is watched, the recent past, then everything as it happens."""

import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bough.errors import (
    AmbiguousSession,
    Misuse,
    NotFound,
    ProjectNotFound,
    TipNotFound,
    Unreadable,
)
from bough.ingest.transcript_paths import TranscriptPath
from bough.query.live.events import StreamEvent
from bough.query.live.stream import Stream, WatchScope, find_watch_scope, open_stream
from bough.sample import SampleSession, session
from tests.conftest import Home

pytestmark = pytest.mark.writes_home

AGES_AGO = datetime(2000, 1, 1, tzinfo=UTC)


def put(home: Home, seed: str, cwd: str = "/home/dev/shop") -> SampleSession:
    builder = session(seed, cwd=cwd, session_id=f"{seed}-0000").user(f"Prompt of {seed}")
    builder.assistant("Answer.").write(home.path)
    return builder


def append(home: Home, builder: SampleSession, more: SampleSession) -> None:
    with (home.projects / builder.project / f"{builder.session_id}.jsonl").open("ab") as file:
        file.write(more.bytes())


def said(events: list[StreamEvent]) -> list[str]:
    return [event.text for event in events if event.uuid]


def follow(stream: Stream, count: int) -> list[StreamEvent]:
    found: list[StreamEvent] = []
    end = time.monotonic() + 8
    while len(said(found)) < count and time.monotonic() < end:
        found += stream.next(0.2)
    return found


def test_the_past_of_all_files_is_sorted_by_time(home: Home) -> None:
    put(home, "early")
    session("late", cwd="/home/dev/x").user("Later").write(home.path)

    with open_stream([home.path], since=AGES_AGO) as stream:
        times = [event.time or "" for event in stream.past() if event.uuid]

    assert len(times) == 3
    assert times == sorted(times)


def test_a_named_session_is_followed_alone(home: Home) -> None:
    one, two = put(home, "aaaa"), put(home, "bbbb")

    with open_stream([home.path], ["aaaa"], since=AGES_AGO) as stream:
        past = said(stream.past())
        append(home, two, session("x").user("Not this"))
        append(home, one, session("y").user("But this"))
        after = said(follow(stream, 1))

    assert past == ["Prompt of aaaa", "Answer."]
    assert after == ["But this"]
    assert stream.is_single


def test_a_named_session_that_was_quiet_shows_its_last_words(home: Home) -> None:
    put(home, "aaaa")
    put(home, "bbbb")

    with open_stream([home.path], ["aaaa"], since=datetime(2030, 1, 1, tzinfo=UTC)) as stream:
        past = said(stream.past())

    assert past == ["Prompt of aaaa", "Answer."]
    assert [row.id for row in stream.sessions()] == ["aaaa-0000"]


def test_all_that_is_quiet_shows_nothing(home: Home) -> None:
    put(home, "aaaa")

    with open_stream([home.path], since=datetime(2030, 1, 1, tzinfo=UTC)) as stream:
        assert said(stream.past()) == []


def test_a_project_is_found_by_name_folder_and_path(home: Home) -> None:
    builder = put(home, "aaaa")
    folder = str(home.projects / builder.project)

    for word in ("shop", builder.project, "/home/dev/shop"):
        assert find_watch_scope([home.path], [word]) == WatchScope(frozenset({folder}))


def test_a_project_nobody_worked_in_yet_may_be_named_by_its_path(
    home: Home, tmp_path: Path
) -> None:
    scope = find_watch_scope([home.path], [str(tmp_path)])

    (folder,) = scope.folders
    assert Path(folder).parent == home.projects


def test_what_nobody_knows_is_an_error(home: Home) -> None:
    put(home, "aaaa")

    with pytest.raises(NotFound, match="No project and no session is called nope"):
        find_watch_scope([home.path], ["nope"])
    with pytest.raises(ProjectNotFound):
        find_watch_scope([home.path], ["-nope"])
    with pytest.raises(Unreadable):
        find_watch_scope([home.path], ["/nowhere/x.jsonl"])


def test_what_several_sessions_are_called_is_an_error(home: Home) -> None:
    put(home, "aaaa1")
    put(home, "aaaa2")

    with pytest.raises(AmbiguousSession):
        find_watch_scope([home.path], ["aaaa"])


def test_a_scope_waits_for_the_owner_of_an_agent() -> None:
    scope = WatchScope(sessions=frozenset({("/p", "s")}))

    assert scope.contains(TranscriptPath("/p", "", "/p/agent-1.jsonl", "1"))
    assert scope.contains(TranscriptPath("/p", "s", "/p/agent-1.jsonl", "1"))
    assert not scope.contains(TranscriptPath("/p", "t", "/p/agent-1.jsonl", "1"))
    assert not scope.contains(TranscriptPath("/q", "", "/q/agent-1.jsonl", "1"))


def test_an_agent_beside_the_sessions_that_belongs_to_another_is_not_shown(home: Home) -> None:
    put(home, "aaaa")

    with open_stream([home.path], ["aaaa"], since=AGES_AGO) as stream:
        stream.past()
        other = session("o", cwd="/home/dev/shop", version="2.0.76").user("x").agent("Plan", "it")
        other.write(home.path)
        seen = [event for _ in range(8) for event in stream.next(0.1) if event.uuid]

    assert seen == []


def test_one_branch_of_a_session_is_followed_alone(home: Home) -> None:
    builder = session("bbbb", cwd="/home/dev/shop", session_id="bbbb-0000").user("Begin")
    builder.assistant("Common", name="A").user("To the left", name="L").assistant("Left", name="E")
    builder.at("A").user("To the right").assistant("Right", name="R")
    path = builder.write(home.path)
    written = len(builder.bytes())
    builder.at("R").user("On the right").at("A").user("Another way").at("E").user("On the left")

    left = builder.uuid("L")
    with open_stream([home.path], ["bbbb"], since=AGES_AGO, tip=left) as stream:
        past = said(stream.past())
        with path.open("ab") as file:
            file.write(builder.bytes()[written:])
        now = said(follow(stream, 1))

    assert past == ["Begin", "Common", "To the left", "Left"]
    assert now == ["On the left"]


def test_a_branch_wants_one_session_and_a_message_of_it(home: Home) -> None:
    put(home, "aaaa")

    with pytest.raises(Misuse, match="--tip is a message of one session"):
        open_stream([home.path], tip="b41f")
    with pytest.raises(TipNotFound):
        open_stream([home.path], ["aaaa"], tip="ffff")
