"""Real files, told: nothing that was said or returned is missing, and nothing stands twice."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from bough.model.conversation.conversation import Conversation
from bough.model.conversation.messages import MessageSources, count_messages_and_turns
from bough.model.interpret.notes import extract_queued_text
from bough.model.interpret.user_records import extract_typed_text
from bough.model.session import Session
from bough.model.tools.calls import ToolBlock
from bough.query.sessions.load_session import read_session
from bough.records.blocks import ToolResult, ToolUse
from bough.records.decode import message_of
from bough.records.types import Assistant, Attachment, Progress, QueueOperation, System, User

pytestmark = pytest.mark.slow


def files(shared: Path) -> Iterator[Path]:
    for folder in ("corpus", "client-files"):
        for path in sorted((shared / folder).rglob("*.jsonl")):
            if "projects" in path.parts:
                yield path


@pytest.fixture(scope="module")
def read(shared: Path) -> list[Session]:
    return [read_session(path) for path in files(shared)]


def ways(session: Session) -> list[Conversation]:
    """List the conversations of a session, and of the agents inside its file."""
    inline = [way for agent in session.agents if agent.layout == "inline" for way in ways(agent)]
    return [*(session.conversations or [session.conversation()]), *inline]


def calls(way: Conversation) -> list[ToolBlock]:
    return [
        block
        for message in way.messages
        for block in message.blocks
        if isinstance(block, ToolBlock)
    ]


def test_there_are_files_to_read(read: list[Session]) -> None:
    assert len(read) > 300


def test_every_record_with_content_is_in_a_message(read: list[Session]) -> None:
    missing = []
    for session in read:
        shown = {
            uuid for way in ways(session) for message in way.messages for uuid in message.uuids
        }
        for record in session.records:
            carries = isinstance(record, User | Assistant | Attachment) or (
                isinstance(record, System) and bool(record.content_json)
            )
            if carries and record.uuid is not None and record.uuid not in shown:
                missing.append((session.path, record.number))

    assert missing == []


def test_no_record_is_in_two_messages_of_one_conversation(read: list[Session]) -> None:
    twice = [
        (session.path, uuid)
        for session in read
        for way in ways(session)
        for uuid, times in Counter(u for message in way.messages for u in message.uuids).items()
        if times > 1
    ]

    assert twice == []


def test_every_call_is_shown_once_and_every_result_with_its_call(read: list[Session]) -> None:
    for session in read:
        made, answered = set(), Counter[str]()
        for node in session.tree.nodes:
            if isinstance(node, User | Assistant):
                blocks = message_of(node).blocks
                made |= {block.id for block in blocks if isinstance(block, ToolUse)}
                answered.update(b.tool_use_id for b in blocks if isinstance(b, ToolResult))
        shown: dict[str, ToolBlock] = {}
        for way in ways(session):
            found = calls(way)
            assert len(found) == len({block.id for block in found}), session.path
            shown |= {block.id: block for block in found}
        assert made <= set(shown), session.path
        assert all(shown[call].result is not None for call in answered), session.path
        assert all(shown[call].name for call in made), session.path


def test_text_that_was_only_ever_queued_is_shown(read: list[Session]) -> None:
    for session in read:
        said = {extract_typed_text(r).strip() for r in session.records if isinstance(r, User)}
        shown = "\n".join(message.text for way in ways(session) for message in way.messages)
        for record in session.records:
            if isinstance(record, QueueOperation) and record.operation == "enqueue":
                text = extract_queued_text(record).strip()
                assert text in said or text in shown, (session.path, record.number)


def test_copies_of_agents_lines_are_in_no_message(read: list[Session]) -> None:
    for session in read:
        progress = {record.uuid for record in session.records if isinstance(record, Progress)}
        shown = {
            uuid for way in ways(session) for message in way.messages for uuid in message.uuids
        }
        assert progress & shown == set(), session.path


def test_counting_messages_agrees_with_telling_them(read: list[Session]) -> None:
    for session in read:
        for way in session.conversations:
            begun = [t for t in way.messages if t.kind in ("prompt", "command", "shell", "queued")]
            counted = count_messages_and_turns(way.items, MessageSources(session.tree))
            assert counted == (len(way.messages), len(begun)), session.path


def test_large_outputs_are_found_where_they_lie(read: list[Session]) -> None:
    found = {
        Path(block.result.persisted).name
        for session in read
        for way in ways(session)
        for block in calls(way)
        if block.result is not None and block.result.persisted is not None
    }

    assert len(found) >= 6
