"""A room: a conversation that grows, and what pages know of it."""

from pathlib import Path

import pytest

from bough.errors import NotFound
from bough.sample import session
from bough.web.open_sessions.open_session import ConversationRef, OpenSession, first_difference


@pytest.fixture(autouse=True)
def never_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no busy machine make a small session look large."""
    monkeypatch.setattr("bough.web.open_sessions.open_session._SLOW", 60.0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    draft = session("room").user("one").assistant("two").user("three").assistant("four")
    return draft.write(tmp_path)


def add(path: Path, seed: str = "room") -> None:
    """Let the session go on by one prompt and an answer."""
    draft = session(seed).user("one").assistant("two").user("three").assistant("four")
    before = len(draft.bytes())
    draft.user("five").assistant("six")
    with path.open("ab") as file:
        file.write(draft.bytes()[before:])


@pytest.mark.parametrize(
    ("one", "other", "first"),
    [([], [], 0), ([1, 2], [1, 2], 2), ([1, 2], [1, 3], 1), ([1], [1, 2], 1), ([1, 2], [1], 1)],
)
def test_lists_are_compared_from_their_start(one: list[int], other: list[int], first: int) -> None:
    assert first_difference(one, other) == first


def test_what_is_new_is_told_from_the_first_piece_that_changed(path: Path) -> None:
    room = OpenSession("id", str(path))
    view = room.view(ConversationRef())
    before = view.revision
    keys = [piece.key for piece in view.content.pieces]

    add(path)
    view = room.view(ConversationRef())

    found = view.since(before)
    assert found is not None
    first, same = found
    assert 0 < first <= len(keys)
    assert not same
    assert [piece.key for piece in view.content.pieces][:first] == keys[:first]
    assert len(view.content.pieces) == len(keys) + 2


def test_nothing_new_is_told_as_nothing(path: Path) -> None:
    room = OpenSession("id", str(path))
    view = room.view(ConversationRef())

    assert room.view(ConversationRef()).since(view.revision) == (len(view.content.pieces), True)


def test_a_revision_nobody_knows_has_to_be_read_again(path: Path) -> None:
    view = OpenSession("id", str(path)).view(ConversationRef())

    assert view.since("1-2-3") is None
    assert view.since("") is None


def test_several_steps_are_told_from_the_earliest(path: Path, tmp_path: Path) -> None:
    room = OpenSession("id", str(path))
    first = room.view(ConversationRef()).revision
    data = path.read_bytes()
    for text in (b'{"type":"unknown-1"}\n', b'{"type":"unknown-2"}\n'):
        data += text
        path.write_bytes(data)
        room.view(ConversationRef())
    add(path)
    view = room.view(ConversationRef())

    found = view.since(first)

    assert found is not None
    assert found[0] <= 4


def test_a_large_session_is_shown_before_it_is_open(tmp_path: Path) -> None:
    draft = session("big")
    for number in range(1_000):
        draft.user(f"question {number} " + "words " * 150).assistant(f"answer {number}")
    path = draft.write(tmp_path)
    room = OpenSession("id", str(path))

    part = room.open_partial(None)

    assert not room.is_small
    opened_before = room.is_open
    assert "answer 999" in part.content.html(len(part.content.pieces) - 1)
    assert room.find_partial(part.revision) is part
    assert room.find_partial("part-none") is None
    whole = room.view(ConversationRef()).content
    assert (opened_before, room.is_open) == (False, True)
    assert {p.key for p in part.content.pieces[1:]} <= {p.key for p in whole.pieces}


def test_an_agent_that_is_not_there_is_not_found(path: Path) -> None:
    with pytest.raises(NotFound):
        OpenSession("id", str(path)).session_or_agent("../../x")


def test_an_agents_own_conversation_is_a_view(tmp_path: Path) -> None:
    path = session("boss").user("go").agent("Explore", "look").assistant("ok").write(tmp_path)
    room = OpenSession("id", str(path))
    (agent,) = room.session.agents

    view = room.view(ConversationRef(agent=agent.id))

    assert view.content.session.sidechain
    assert len(view.content.pieces) > 0


def test_who_knows_a_slow_conversation_gets_what_there_is(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bough.web.open_sessions.open_session._SLOW", 0.0)
    monkeypatch.setattr("bough.web.open_sessions.open_session._REST", 10_000_000)
    room = OpenSession("id", str(path))
    first = room.view(ConversationRef()).revision
    add(path)
    second = room.view(ConversationRef()).revision
    path.write_bytes(path.read_bytes() + b'{"type":"unknown"}\n')

    third = room.view(ConversationRef())

    assert first != second
    assert third.revision == second
    assert room.is_late
    assert room.retry_delay() > 1


def test_who_does_not_know_it_waits_for_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bough.web.open_sessions.open_session._SLOW", 0.0)
    monkeypatch.setattr("bough.web.open_sessions.open_session._REST", 10_000_000)
    room = OpenSession("id", str(path))
    room.view(ConversationRef())
    add(path)
    current = room.view(ConversationRef()).content.conversation.tip

    other = room.view(ConversationRef(tip=current))

    assert other.content.conversation.tip == current
