"""A session that is read on as its file grows."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.errors import Unreadable
from bough.query.sessions.incremental import GrowingSession
from bough.query.sessions.load_session import read_session
from bough.sample import session

STORY = (
    session("growing")
    .user("first")
    .assistant("one")
    .tool("Bash", {"command": "ls"}, "a\nb")
    .user("second")
    .malformed_line()
    .assistant("two")
    .bytes()
)


def told(growing: GrowingSession) -> list[tuple[str, str]]:
    return [(message.kind, message.text) for message in growing.session.conversation().messages]


def old(path: Path) -> None:
    """Let a file be so old that nobody writes it any more."""
    os.utime(path, (1_700_000_000, 1_700_000_000))


@given(st.lists(st.integers(0, len(STORY)), max_size=6))
def test_reading_by_appends_equals_reading_at_once(
    tmp_path_factory: pytest.TempPathFactory, cuts: list[int]
) -> None:
    path = tmp_path_factory.mktemp("grown") / "s.jsonl"
    path.write_bytes(b"")
    growing = GrowingSession(path)

    for cut in (*sorted(cuts), len(STORY)):
        path.write_bytes(STORY[:cut])
        growing.refresh()

    whole = read_session(path)
    assert [r.raw for r in growing.session.records] == [r.raw for r in whole.records]
    assert [b.offset for b in growing.session.bad_lines] == [b.offset for b in whole.bad_lines]
    assert [r.number for r in growing.session.records] == [r.number for r in whole.records]


def test_nothing_new_is_no_new_generation(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(STORY)
    growing = GrowingSession(path)
    growing.refresh()
    revision = growing.revision

    assert growing.refresh() is False
    assert growing.revision == revision


def test_a_slice_knows_where_the_session_was_started(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(STORY + session("growing").user("third", cwd="/tmp/elsewhere").bytes())
    growing = GrowingSession(path)
    growing.refresh()

    end = growing.slice_session(len(STORY))

    assert [record.cwd for record in end.records] == ["/tmp/elsewhere"]
    assert end.cwd == growing.session.cwd != "/tmp/elsewhere"


def test_what_was_read_is_not_read_again(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(STORY)
    growing = GrowingSession(path)
    before = list(growing.session.records)

    with path.open("ab") as file:
        file.write(session("growing more").user("third").bytes())
    growing.refresh()

    assert all(a is b for a, b in zip(before, growing.session.records, strict=False))
    assert len(growing.session.records) > len(before)


def test_a_rewritten_file_is_read_from_its_start(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(STORY)
    growing = GrowingSession(path)
    growing.refresh()

    path.write_bytes(session("another").user("other words").bytes())
    growing.refresh()

    assert told(growing) == [("prompt", "other words")]
    assert growing.over == 1


def test_a_file_cut_short_is_read_from_its_start(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(STORY)
    growing = GrowingSession(path)
    growing.refresh()

    path.write_bytes(STORY[: STORY.index(b"\n") + 1])
    growing.refresh()

    assert told(growing) == [("prompt", "first")]


def test_a_line_that_is_being_written_waits(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(STORY[:-30])
    growing = GrowingSession(path)

    torn = [bad for bad in growing.session.bad_lines if bad.torn]

    assert torn == []


def test_a_torn_line_that_nobody_writes_any_more_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(STORY[:-30])
    old(path)

    torn = [bad for bad in GrowingSession(path).session.bad_lines if bad.torn]

    assert len(torn) == 1


def test_a_torn_line_is_shown_once_whether_it_waits_for_its_end_or_has_it(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(STORY[:-1])
    growing = GrowingSession(path)
    growing.refresh()
    before = [record.raw for record in growing.session.records]

    path.write_bytes(STORY)
    growing.refresh()

    after = [record.raw for record in growing.session.records]
    assert [*before[:-1], before[-1] + b"\n"] == after


def test_a_session_larger_than_one_read_is_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bough.query.sessions.incremental._AT_ONCE", 100)
    path = tmp_path / "s.jsonl"
    path.write_bytes(STORY)

    growing = GrowingSession(path)

    assert [r.raw for r in growing.session.records] == [r.raw for r in read_session(path).records]


def test_a_file_that_is_gone_says_so(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(STORY)
    growing = GrowingSession(path)
    growing.refresh()
    path.unlink()

    with pytest.raises(Unreadable, match="no such file"):
        growing.refresh()


@pytest.mark.writes_home
def test_an_agent_that_goes_on_is_a_new_generation(tmp_path: Path) -> None:
    path = session("boss").user("go").agent("Explore", "look").write(tmp_path)
    growing = GrowingSession(path)
    growing.refresh()
    generation = growing.generation
    (agent,) = path.with_suffix("").rglob("agent-*.jsonl")

    with agent.open("ab") as file:
        file.write(b"{}\n")

    assert growing.refresh() is True
    assert growing.generation == generation + 1
