"""A room: a conversation that grows, and what pages know of it."""

from pathlib import Path

import pytest

from bough.errors import NotFound
from bough.sample import session
from bough.web.open_sessions.open_session import Room, Which, first_difference


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
    room = Room("id", str(path))
    view = room.view(Which())
    before = view.revision
    keys = [piece.key for piece in view.telling.pieces]

    add(path)
    view = room.view(Which())

    found = view.since(before)
    assert found is not None
    first, same = found
    assert 0 < first <= len(keys)
    assert not same
    assert [piece.key for piece in view.telling.pieces][:first] == keys[:first]
    assert len(view.telling.pieces) == len(keys) + 2


def test_nothing_new_is_told_as_nothing(path: Path) -> None:
    room = Room("id", str(path))
    view = room.view(Which())

    assert room.view(Which()).since(view.revision) == (len(view.telling.pieces), True)


def test_a_revision_nobody_knows_has_to_be_read_again(path: Path) -> None:
    view = Room("id", str(path)).view(Which())

    assert view.since("1-2-3") is None
    assert view.since("") is None


def test_several_steps_are_told_from_the_earliest(path: Path, tmp_path: Path) -> None:
    room = Room("id", str(path))
    first = room.view(Which()).revision
    data = path.read_bytes()
    for text in (b'{"type":"unknown-1"}\n', b'{"type":"unknown-2"}\n'):
        data += text
        path.write_bytes(data)
        room.view(Which())
    add(path)
    view = room.view(Which())

    found = view.since(first)

    assert found is not None
    assert found[0] <= 4


def test_a_large_session_is_shown_before_it_is_open(tmp_path: Path) -> None:
    draft = session("big")
    for number in range(1_000):
        draft.user(f"question {number} " + "words " * 150).assistant(f"answer {number}")
    path = draft.write(tmp_path)
    room = Room("id", str(path))

    part = room.part(None)

    assert not room.is_small
    opened_before = room.is_open
    assert "answer 999" in part.telling.html(len(part.telling.pieces) - 1)
    assert room.kept_part(part.revision) is part
    assert room.kept_part("part-none") is None
    whole = room.view(Which()).telling
    assert (opened_before, room.is_open) == (False, True)
    assert {p.key for p in part.telling.pieces[1:]} <= {p.key for p in whole.pieces}


def test_an_agent_that_is_not_there_is_not_found(path: Path) -> None:
    with pytest.raises(NotFound):
        Room("id", str(path)).inner("../../x")


def test_an_agents_own_conversation_is_a_view(tmp_path: Path) -> None:
    path = session("boss").user("go").agent("Explore", "look").assistant("ok").write(tmp_path)
    room = Room("id", str(path))
    (agent,) = room.session.agents

    view = room.view(Which(agent=agent.id))

    assert view.telling.session.sidechain
    assert len(view.telling.pieces) > 0


def test_who_knows_a_slow_conversation_gets_what_there_is(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bough.web.open_sessions.open_session._SLOW", 0.0)
    monkeypatch.setattr("bough.web.open_sessions.open_session._REST", 10_000_000)
    room = Room("id", str(path))
    first = room.view(Which()).revision
    add(path)
    second = room.view(Which()).revision
    path.write_bytes(path.read_bytes() + b'{"type":"unknown"}\n')

    third = room.view(Which())

    assert first != second
    assert third.revision == second
    assert room.late
    assert room.rest() > 1


def test_who_does_not_know_it_waits_for_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bough.web.open_sessions.open_session._SLOW", 0.0)
    monkeypatch.setattr("bough.web.open_sessions.open_session._REST", 10_000_000)
    room = Room("id", str(path))
    room.view(Which())
    add(path)
    current = room.view(Which()).telling.conversation.tip

    other = room.view(Which(tip=current))

    assert other.telling.conversation.tip == current
