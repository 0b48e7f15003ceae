"""Words on all branches of a session: places as far as they are told, the rest counted."""

from pathlib import Path

import pytest

from bough.library import ConversationView
from bough.sample import session
from bough.web.open_sessions.appended_view import AppendedView
from bough.web.open_sessions.open_session import ConversationRef, OpenSession
from bough.web.routes import conversation as routes
from bough.web.wire.pieces import FindHit


def find_everywhere(path: Path, words: str) -> tuple[list[FindHit], int]:
    room = OpenSession("here", str(path))
    content = room.view(ConversationRef()).content
    hits = [FindHit(m.number, m.key, [], m.uuid, None, m.count) for m in content.find(words)]
    return hits, routes._find_on_others(room, content, words, hits)


@pytest.fixture
def comb(tmp_path: Path) -> Path:
    """Write a line of prompts, each with an answer beside it; the word is in three of those."""
    builder = session("comb")
    for number in range(6):
        words = f"tooth {number} {'plum' if number % 2 else 'pear'}"
        builder.user(f"back {number}", name=f"back {number}").assistant(words)
        builder.at(f"back {number}")
    return builder.user("plum").write(tmp_path)


def test_places_on_other_branches_name_their_tip(comb: Path) -> None:
    hits, beyond = find_everywhere(comb, "PLUM")

    assert [hit.tip is None for hit in hits] == [True, False, False, False]
    assert beyond == 0


def test_a_branch_without_the_words_is_not_told(
    comb: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str | None] = []
    build_once = OpenSession.build_once

    def build_and_note(
        opened: OpenSession, which: ConversationRef
    ) -> ConversationView | AppendedView:
        told.append(which.tip)
        return build_once(opened, which)

    monkeypatch.setattr(OpenSession, "build_once", build_and_note)

    hits, _ = find_everywhere(comb, "plum")

    assert told == [hit.tip for hit in hits[1:]]


def test_beyond_what_is_told_places_are_counted(
    comb: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "_MOST_MESSAGES", 0)

    hits, beyond = find_everywhere(comb, "plum")

    assert [hit.tip for hit in hits] == [None]
    assert beyond == 3
