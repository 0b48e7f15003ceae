"""Every session of the demo, told: sound fragments in which nothing that was said is missing."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bough.export.html.conversation_view import ConversationView
from bough.model.conversation.content import TextBlock
from bough.model.session import Session
from bough.model.tools.calls import ToolBlock
from bough.query.sessions.load_session import read_session
from bough.sample.demo import write_demo
from tests.unit.export.fragments import Reader

NOW = datetime(2026, 11, 15, 15, 11, tzinfo=UTC)
WORD = re.compile(r"[^\W\d_]{3,}")
TAG = re.compile(r"<[^>]{0,80}>")


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> list[Session]:
    folder = write_demo(tmp_path_factory.mktemp("demo"), NOW)
    return [read_session(file) for file in sorted(Path(folder).glob("projects/*/*.jsonl"))]


def _texts(told: ConversationView) -> Iterator[str]:
    for message in told.messages:
        for block in message.blocks:
            match block:
                case TextBlock():
                    yield block.text
                case ToolBlock():
                    yield block.result.text if block.result is not None else ""
                    yield from _leaves(block.input)


def _leaves(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner)


def test_every_fragment_is_sound_folded_and_whole(sessions: list[Session]) -> None:
    complaints = {}
    for session in sessions:
        told = ConversationView(session)
        for number in range(len(told.pieces)):
            for fragment in (told.html(number), told.whole(number)):
                found = Reader(fragment).complaints
                if found:
                    complaints[session.id, number] = found

    assert complaints == {}


@pytest.mark.slow
def test_every_word_of_every_message_is_in_the_whole(sessions: list[Session]) -> None:
    missing = set()
    for session in sessions:
        for tip in [c.tip for c in session.conversations] or [None]:
            told = ConversationView(session, tip)
            whole = "".join(told.whole(number) for number in range(len(told.pieces)))
            reader = Reader(whole)
            # Neighbours on a page may be words of their own, or parts of one word.
            parted = " ".join([*reader.words, *reader.aside])
            shown = {*WORD.findall(parted), *WORD.findall(reader.text)}
            said = {word for text in _texts(told) for word in WORD.findall(TAG.sub(" ", text))}
            missing |= {(session.id[:8], word) for word in said - shown}

    assert missing == set()


def test_every_fold_that_is_left_out_can_be_asked_for(sessions: list[Session]) -> None:
    asked = 0
    for session in sessions:
        told = ConversationView(session)
        waiting = [told.html(number) for number in range(len(told.pieces))]
        while waiting:
            for _, given in Reader(waiting.pop()).tags:
                if key := given.get("data-body"):
                    body = told.body(key)
                    assert body
                    assert Reader(body).complaints == []
                    waiting.append(body)
                    asked += 1

    assert asked > 300


def test_every_record_on_the_way_has_its_piece(sessions: list[Session]) -> None:
    for session in sessions:
        told = ConversationView(session)

        lost = [u for message in told.messages for u in message.uuids if told.find_piece(u) is None]

        assert lost == []


def test_keys_are_unique_and_the_outline_leads_to_pieces(sessions: list[Session]) -> None:
    for session in sessions:
        told = ConversationView(session)
        keys = [piece.key for piece in told.pieces]

        assert len(keys) == len(set(keys))
        for row in told.outline():
            piece = told.pieces[row.number]
            assert (piece.uuid == row.uuid) or row.kind == "continued"
