"""What a compaction dropped: what was said and done before it, and is no longer in the context."""

from collections.abc import Iterable

from msgspec import Struct

from bough.model.conversation.conversation import Conversation
from bough.model.conversation.messages import Message
from bough.model.interpret.message_kinds import MessageKind
from bough.model.tools.calls import ToolBlock
from bough.model.tools.outcomes import exit_code_of


class DroppedCommand(Struct, frozen=True):
    """A command that ran before the compaction, and how it ended; None where that is unknown."""

    uuid: str | None
    command: str
    exit_code: int | None
    failed: bool


class DroppedPrompt(Struct, frozen=True):
    """Something a person asked for before the compaction."""

    uuid: str | None
    timestamp: str | None
    text: str


class DroppedPart(Struct, frozen=True):
    """What one compaction took out of the context; `number` counts them from 1."""

    number: int
    count: int
    uuid: str | None
    timestamp: str | None
    prompts: tuple[DroppedPrompt, ...]
    commands: tuple[DroppedCommand, ...]
    files: tuple[str, ...]


def find_dropped(conversation: Conversation, number: int | None = None) -> DroppedPart | None:
    """Find what a compaction dropped, the last one by default; None where there is none."""
    messages = conversation.messages
    places = [at for at, one in enumerate(messages) if one.kind is MessageKind.COMPACTION]
    wanted = len(places) if number is None else number
    if not 1 <= wanted <= len(places):
        return None
    end = places[wanted - 1]
    begin = places[wanted - 2] + 1 if wanted > 1 else 0
    part = messages[begin:end]
    return DroppedPart(
        number=wanted,
        count=len(places),
        uuid=messages[end].uuid,
        timestamp=messages[end].timestamp,
        prompts=tuple(
            DroppedPrompt(one.uuid, one.timestamp, one.text)
            for one in part
            if one.kind in (MessageKind.PROMPT, MessageKind.QUEUED) and one.text.strip()
        ),
        commands=tuple(_list_commands(part)),
        files=tuple(dict.fromkeys(_list_files(part))),
    )


def list_dropped_files(conversation: Conversation, compaction: str | None) -> tuple[str, ...]:
    """List the files that were written to before a compaction, which its uuid names."""
    return map_dropped_files(conversation).get(compaction, ())


def map_dropped_files(conversation: Conversation) -> dict[str | None, tuple[str, ...]]:
    """List the files that were written to before each compaction, by the compaction's uuid."""
    found: dict[str | None, tuple[str, ...]] = {}
    part: list[Message] = []
    for message in conversation.messages:
        if message.kind is MessageKind.COMPACTION:
            found.setdefault(message.uuid, tuple(dict.fromkeys(_list_files(part))))
            part = []
        else:
            part.append(message)
    return found


def _list_blocks(messages: Iterable[Message]) -> Iterable[tuple[Message, ToolBlock]]:
    return ((one, block) for one in messages for block in one.blocks if type(block) is ToolBlock)


def _list_commands(messages: Iterable[Message]) -> Iterable[DroppedCommand]:
    for message, block in _list_blocks(messages):
        given = block.input.get("command") if isinstance(block.input, dict) else None
        if block.name == "Bash" and isinstance(given, str):
            failed = block.result is not None and block.result.is_error
            yield DroppedCommand(message.uuid, given, exit_code_of(block), failed)


def _list_files(messages: Iterable[Message]) -> Iterable[str]:
    for _, block in _list_blocks(messages):
        if block.name in ("Edit", "MultiEdit", "Write", "NotebookEdit") and isinstance(
            block.input, dict
        ):
            path = block.input.get("file_path") or block.input.get("notebook_path")
            if isinstance(path, str):
                yield path
