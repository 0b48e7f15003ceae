"""The records of a group, with its notes and the lines that stand there outside the tree."""

from bisect import bisect_right
from collections.abc import Sequence

from msgspec import Struct

from bough.model.interpret.notes import extract_attached_prompt, extract_queued_text, extract_text
from bough.model.interpret.user_records import extract_typed_text, parse_slash_command
from bough.model.tree.message_tree import NONE, MessageTree
from bough.records.decode import attachment_of
from bough.records.record import BadLine, Record
from bough.records.types import Attachment, QueueOperation, System, User

TranscriptItem = Record | BadLine


class UnlinkedLines(Struct):
    """Lines outside the tree that a reader wants to see, by the group they follow."""

    by_group: dict[int, list[TranscriptItem]]


def find_unlinked_lines(
    tree: MessageTree, records: Sequence[Record], bad_lines: Sequence[BadLine]
) -> UnlinkedLines:
    """Place the lines outside the tree after the group written last before each."""
    lines: list[TranscriptItem] = [*_find_only_queued(records), *bad_lines]
    by_group: dict[int, list[TranscriptItem]] = {}
    if not lines:
        return UnlinkedLines(by_group)
    starts = [
        (tree.tree.lines[number][0].offset, group)
        for number, group in enumerate(tree.group_of)
        if group != NONE
    ]
    starts.sort()
    offsets = [offset for offset, _ in starts]
    for line in lines:
        at = bisect_right(offsets, line.offset) - 1
        group = (starts[at][1] if at >= 0 else starts[0][1]) if starts else NONE
        by_group.setdefault(group, []).append(line)
    return UnlinkedLines(by_group)


def _find_only_queued(records: Sequence[Record]) -> list[QueueOperation]:
    """List the queued texts that appear nowhere else in the file."""
    queue = [r for r in records if type(r) is QueueOperation and r.operation == "enqueue"]
    if not queue:
        return []
    said_elsewhere = {words for record in records for words in _list_texts(record)}
    found = []
    for record in queue:
        text = extract_queued_text(record).strip()
        if text and text not in said_elsewhere:
            said_elsewhere.add(text)
            found.append(record)
    return found


def _list_texts(record: Record) -> list[str]:
    """List the words of a record by which a queued text may come back; a command as typed."""
    match record:
        case User():
            text = extract_typed_text(record)
        case System(subtype="local_command"):
            text = extract_text(record.content_json)
        case Attachment():
            data = attachment_of(record)
            text = extract_attached_prompt(data) if data.type == "queued_command" else ""
        case _:
            return []
    command = parse_slash_command(text) if text.startswith("<command-") else None
    return [text.strip()] if command is None else [text.strip(), command.text]


def list_group_items(
    message_tree: MessageTree, group: int, extras: UnlinkedLines
) -> list[TranscriptItem]:
    """List the records of a group, its notes and the unlinked lines after it, in file order."""
    own = message_tree.groups[group]
    tree = message_tree.tree
    numbers = sorted([*own.nodes, *own.notes])
    beside = extras.by_group.get(group)
    if beside is None:
        return [tree.nodes[number] for number in numbers]
    found: list[tuple[int, TranscriptItem]] = [
        (tree.lines[n][0].offset, tree.nodes[n]) for n in numbers
    ]
    found += [(line.offset, line) for line in beside]
    found.sort(key=lambda pair: pair[0])
    return [item for _, item in found]
