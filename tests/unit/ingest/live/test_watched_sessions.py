"""The sessions that are being watched, and when it is told that one stands otherwise."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from bough.files.lines import split_lines
from bough.ingest.live.watched_sessions import (
    SETTLE_TIME,
    WatchedSessions,
)
from bough.ingest.transcript_paths import TranscriptPath
from bough.model.live.status import SessionState
from bough.records.decode import decode_lines
from bough.sample import SampleSession, session

PLACE = TranscriptPath("/c/projects/-p", "s", "/c/projects/-p/s.jsonl")
NOW = datetime(2026, 1, 5, 9, 0, 10, tzinfo=UTC)
LATER = NOW + SETTLE_TIME


def add(board: WatchedSessions, builder: SampleSession, place: TranscriptPath = PLACE) -> None:
    board.add(place, decode_lines(split_lines([builder.bytes()])))


def states(board: WatchedSessions, now: datetime) -> list[SessionState]:
    return [change.status.state for change in board.update_status(now)]


def test_a_state_is_told_once_it_has_held(tmp_path: Path) -> None:
    board = WatchedSessions([tmp_path])
    add(board, session("s").user("x").assistant("y"))

    assert states(board, NOW) == []
    assert board.is_unsettled
    assert states(board, LATER) == [SessionState.FINISHED]
    assert states(board, LATER + SETTLE_TIME) == []
    assert not board.is_unsettled


def test_a_state_that_passes_at_once_is_not_told(tmp_path: Path) -> None:
    board = WatchedSessions([tmp_path])
    add(board, session("s").user("x").assistant("y"))
    board.settle(NOW)

    add(board, session("t").user("again"))
    first = states(board, NOW)
    add(board, session("u").assistant("done"))

    assert (first, states(board, LATER)) == ([], [])
    assert not board.is_unsettled


def test_what_is_settled_is_not_told_again(tmp_path: Path) -> None:
    board = WatchedSessions([tmp_path])
    add(board, session("s").user("x").assistant("y"))

    board.settle(NOW)

    assert states(board, NOW) == states(board, LATER) == []


def test_agents_belong_to_their_session(tmp_path: Path) -> None:
    board = WatchedSessions([tmp_path])
    add(board, session("s").user("x"))
    add(
        board,
        session("a").user("brief"),
        TranscriptPath(PLACE.folder, "s", "/x/agent-1.jsonl", "1"),
    )

    (watched,) = board

    assert watched.activity.running_agents == ["1"]
    assert watched.place == PLACE


def test_two_projects_may_hold_the_same_session(tmp_path: Path) -> None:
    board = WatchedSessions([tmp_path])
    add(board, session("s").user("x"))
    add(
        board,
        session("s").user("x"),
        TranscriptPath("/c/projects/-q", "s", "/c/projects/-q/s.jsonl"),
    )

    assert len(list(board)) == 2


def test_a_session_at_rest_leaves_after_days_and_an_open_one_stays(tmp_path: Path) -> None:
    board = WatchedSessions([tmp_path])
    add(board, session("s").user("x").assistant("y"))
    board.settle(NOW)
    long_after = datetime.now(UTC) + timedelta(days=3)
    assert board.let_old_go(long_after) == [PLACE]
    assert list(board) == []

    note = {"pid": os.getpid(), "sessionId": "s", "status": "idle"}
    (tmp_path / "sessions").mkdir()
    (tmp_path / "sessions" / f"{os.getpid()}.json").write_bytes(msgspec.json.encode(note))
    board.ask_clients()
    add(board, session("s").user("x").assistant("y"))
    board.settle(NOW)
    assert board.let_old_go(long_after) == []
    assert board.has_client("s")
    assert len(list(board)) == 1
