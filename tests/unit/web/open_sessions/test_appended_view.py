"""A large conversation whose end alone is told anew is the same as one told whole."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bough.export.html.conversation_view import ConversationView
from bough.query.sessions.load_session import read_session
from bough.sample import session
from bough.sample.builder.session import SampleSession
from bough.web.open_sessions.appended_view import AppendedView
from bough.web.open_sessions.open_session import ConversationRef, LiveView, OpenSession
from tests.sampled import scale_examples

Step = Callable[[SampleSession], object]

STEPS: dict[str, Step] = {
    "prompt": lambda s: s.user("And then? checkpoint"),
    "answer": lambda s: s.assistant("Then *this* happens, checkpoint."),
    "thought": lambda s: s.thinking("hm"),
    "tool": lambda s: s.user("Run it").tool("Bash", {"command": "ls"}, "a\nb\nc"),
    "failed": lambda s: s.user("Fail").tool("Bash", {"command": "no"}, "no", is_error=True),
    "interrupt": lambda s: s.interrupt(),
    "damage": lambda s: s.malformed_line(),
    "compact": lambda s: s.compact(),
    "rewind": lambda s: s.at("back").user("Another way").assistant("Other words"),
    "early": lambda s: s.at("start").user("From the start"),
}
PLAIN = ("prompt", "answer", "thought", "tool", "failed", "damage")


@pytest.fixture(autouse=True)
def everything_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bough.web.open_sessions.open_session._LARGE", 0)
    monkeypatch.setattr("bough.web.open_sessions.open_session._SLOW", 60.0)


def story() -> SampleSession:
    draft = session("joined").user("Start").assistant("Begun", name="start")
    for number in range(4):
        draft.user(f"Question {number}").assistant(f"Answer {number}")
    draft.tool("Read", {"file_path": "/x"}, "1\tx").assistant("Read", name="back")
    return draft.user("Last").assistant("Last answer")


def equal(view: LiveView, whole: ConversationView) -> None:
    told = view.content
    assert [piece.key for piece in told.pieces] == [piece.key for piece in whole.pieces]
    numbers = range(len(whole.pieces))
    assert [told.html(n) for n in numbers] == [whole.html(n) for n in numbers]
    assert told.outline() == whole.outline()
    assert told.find("checkpoint") == whole.find("checkpoint")
    assert told.conversation.tip == whole.conversation.tip
    for piece in whole.pieces:
        if piece.uuid:
            assert told.find_piece(piece.uuid) == whole.find_piece(piece.uuid)


def grow(path: Path, steps: list[str]) -> list[LiveView]:
    """Let a session grow step by step; give what a room shows after each."""
    draft = story()
    path.write_bytes(draft.bytes())
    room = OpenSession("id", str(path))
    views = [room.view(ConversationRef())]
    for step in steps:
        STEPS[step](draft)
        path.write_bytes(draft.bytes())
        views.append(room.view(ConversationRef()))
        equal(
            views[-1],
            ConversationView(
                read_session(path),
                picture_url=lambda *_: None,
                now=lambda: datetime.now(UTC),
                session_url=lambda one: f"/s/{one}",
            ),
        )
    return views


@pytest.mark.slow
@settings(max_examples=scale_examples(40))
@given(steps=st.lists(st.sampled_from(sorted(STEPS)), max_size=6))
def test_whatever_comes_it_is_the_same_as_told_whole(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str]
) -> None:
    grow(tmp_path_factory.mktemp("joined") / "s.jsonl", steps)


@pytest.mark.parametrize("step", PLAIN)
def test_what_just_goes_on_is_told_from_its_end(tmp_path: Path, step: str) -> None:
    (_, view) = grow(tmp_path / "s.jsonl", [step])

    assert isinstance(view.content, AppendedView)


@pytest.mark.parametrize("step", ["compact", "rewind", "early"])
def test_what_does_more_is_told_whole(tmp_path: Path, step: str) -> None:
    (_, view) = grow(tmp_path / "s.jsonl", [step])

    assert isinstance(view.content, ConversationView)


def test_changes_are_known_across_both(tmp_path: Path) -> None:
    views = grow(tmp_path / "s.jsonl", ["answer", "prompt", "rewind", "answer"])

    for before in views:
        found = views[-1].since(before.revision)
        assert found is not None
        first, _ = found
        old = [piece.key for piece in before.content.pieces[:first]]
        assert old == [piece.key for piece in views[-1].content.pieces[:first]]


def test_facts_are_asked_of_the_whole(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    draft = story()
    path.write_bytes(draft.bytes())
    room = OpenSession("id", str(path))
    room.view(ConversationRef())
    path.write_bytes(draft.user("More").bytes())
    room.view(ConversationRef())

    whole = room.full_view(ConversationRef())

    assert isinstance(whole, ConversationView)
    assert whole.messages[-1].text == "More"


def test_a_rewritten_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(story().bytes())
    room = OpenSession("id", str(path))
    before = room.view(ConversationRef()).revision

    path.write_bytes(session("other").user("Other").assistant("Words").bytes())
    view = room.view(ConversationRef())

    assert view.since(before) is None
    assert len(view.content.pieces) == 2
