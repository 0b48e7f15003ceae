"""Nothing that was said or returned is missing, and nothing stands twice."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from bough.model.conversation.conversation import Conversation
from bough.model.conversation.messages import Message
from bough.model.interpret.user_records import UserRecordKind, classify_user_record
from bough.model.session import Session
from bough.model.tools.calls import ToolBlock
from bough.model.tree.branches import find_tips
from bough.records.blocks import Text, Thinking, ToolResult, ToolUse
from bough.records.decode import message_of
from bough.records.record import Record
from bough.records.types import Assistant, Attachment, System, User

Files = Mapping[Path, Session]


def every_conversation(session: Session) -> Iterator[Conversation]:
    """Give the conversations of a file, and of the agents inside it."""
    yield from session.conversations or [session.conversation()]
    for agent in session.agents:
        if agent.layout == "inline":
            yield from agent.conversations


def results(record: Record) -> list[ToolResult]:
    if not isinstance(record, User):
        return []
    return [block for block in message_of(record).blocks if isinstance(block, ToolResult)]


def calls(session: Session) -> set[str]:
    return {
        block.id
        for record in session.records
        if isinstance(record, Assistant)
        for block in message_of(record).blocks
        if isinstance(block, ToolUse)
    }


def tool_blocks(messages: list[Message]) -> list[ToolBlock]:
    return [
        block for message in messages for block in message.blocks if isinstance(block, ToolBlock)
    ]


def test_every_result_is_shown_with_its_call(all_files: Files) -> None:
    for path, session in all_files.items():
        called = calls(session)
        shown = {
            block.id: block
            for conversation in every_conversation(session)
            for block in tool_blocks(conversation.messages)
        }
        for record in session.records:
            for result in results(record):
                block = shown.get(result.tool_use_id)
                assert block is not None, (path, record.number)
                assert block.result is not None, (path, record.number)
                assert bool(block.name) == (result.tool_use_id in called), (path, record.number)


def test_no_prompt_answer_or_result_is_missing(all_files: Files) -> None:
    for path, session in all_files.items():
        shown = {
            uuid
            for conversation in every_conversation(session)
            for message in conversation.messages
            for uuid in message.uuids
        }
        for record in session.records:
            if isinstance(record, User | Assistant):
                assert record.uuid in shown, (path, record.number)


def test_no_note_with_words_is_missing(all_files: Files) -> None:
    for path, session in all_files.items():
        shown = {
            uuid
            for conversation in every_conversation(session)
            for message in conversation.messages
            for uuid in message.uuids
        }
        for record in session.records:
            spoken = isinstance(record, System) and record.content_json
            if spoken or isinstance(record, Attachment):
                assert record.uuid in shown, (path, record.number)


def test_no_record_stands_twice_in_one_conversation(all_files: Files) -> None:
    for path, session in all_files.items():
        for conversation in every_conversation(session):
            seen = Counter(uuid for message in conversation.messages for uuid in message.uuids)
            assert [uuid for uuid, count in seen.items() if count > 1] == [], path


def test_no_call_stands_twice_in_one_conversation(all_files: Files) -> None:
    for path, session in all_files.items():
        for conversation in every_conversation(session):
            seen = Counter(block.id for block in tool_blocks(conversation.messages))
            assert [call for call, count in seen.items() if count > 1] == [], path


def test_the_words_of_prompts_and_answers_stand_in_their_message(all_files: Files) -> None:
    for path, session in all_files.items():
        words: dict[str, str] = {}
        for conversation in every_conversation(session):
            for message in conversation.messages:
                text = "\0".join(block.text for block in message.blocks if hasattr(block, "text"))
                words |= dict.fromkeys(message.uuids, text)
        for record in session.records:
            for text in spoken_words(record):
                assert text in words[record.uuid or ""], (path, record.number)


def spoken_words(record: Record) -> list[str]:
    """List the texts of a record that are shown as they were said."""
    match record:
        case Assistant():
            blocks = message_of(record).blocks
            thoughts = [block.thinking for block in blocks if isinstance(block, Thinking)]
            return [*thoughts, *(b.text for b in blocks if isinstance(b, Text) and b.text.strip())]
        case User() if classify_user_record(record) is UserRecordKind.PROMPT:
            blocks = message_of(record).blocks
            return [b.text for b in blocks if isinstance(b, Text) and "<ide_" not in b.text]
        case _:
            return []


def test_everything_in_the_story_is_on_the_way_to_some_tip(all_files: Files) -> None:
    for path, session in all_files.items():
        if session.conversations:
            shown = {group for c in session.conversations for group in c.groups}
            assert shown >= set(range(len(session.message_tree.groups))), path


def test_a_real_client_would_resume_where_its_session_ended(client_files: Files) -> None:
    went_on = set()
    for path, session in client_files.items():
        active = [tip for tip in session.tips if tip.active]
        assert len(active) == bool(session.tips), path
        went_on |= {
            path.name[:8] for tip in active if tip.group not in find_tips(session.message_tree)
        }

    assert went_on == set()


def test_every_session_of_the_corpus_with_talk_has_one_active_tip(corpus: Files) -> None:
    for path, session in corpus.items():
        assert sum(tip.active for tip in session.tips) == bool(session.tips), path
