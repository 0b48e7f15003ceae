"""What Claude will see after a resume: counts for a preview, and the words of each turn."""

from collections.abc import Iterable, Iterator

from bough.model.conversation.message_rules import label_turn_opener, list_turn_openers
from bough.model.interpret.preserved_messages import list_preserved_uuids
from bough.model.session import Session
from bough.model.text.formats import to_one_line
from bough.model.tree.message_tree import GroupKind, MessageTree
from bough.model.usage.tokens import tokens_of
from bough.records.blocks import Image, ToolResult, ToolUse
from bough.records.decode import decode_plain, message_of
from bough.records.record import BadLine, Record
from bough.records.types import Assistant, System, User
from bough.timetravel.plan import ResumeView
from bough.timetravel.plans.copied_records import CopiedPath

_WRITES = {"Edit": "file_path", "MultiEdit": "file_path", "Write": "file_path"} | {
    "NotebookEdit": "notebook_path"
}


def build_resume_view(session: Session, path: CopiedPath, planned: Session) -> ResumeView:
    """Tell what is on a way, and how much of it Claude sees word for word.

    Args:
        session: The session as it is.
        path: The records that are resumed.
        planned: The session as it will be; its turns are counted as everything counts them.
    """
    tree = session.message_tree
    compactions = [
        at
        for at, group in enumerate(path.groups)
        if tree.groups[group].kind is GroupKind.COMPACTION
    ]
    since = compactions[-1] if compactions else 0
    seen = _list_messages(tree, path.groups[since:], path)
    kept = _count_preserved(tree, path.groups[since]) if compactions else 0
    earlier, turns = _split_turns(planned)
    later = [r for r in session.tree.nodes[path.line_nodes[-1] + 1 :] if not r.is_sidechain]
    return ResumeView(
        turns=len(turns),
        summarized=len(earlier),
        compactions=len(compactions),
        preserved=kept,
        tokens=_count_context_tokens(seen),
        agents=_count_agents(session, seen),
        images=sum(isinstance(block, Image) for r in seen for block in message_of(r).blocks),
        prompts=tuple(to_one_line(label_turn_opener(opener)) for opener in turns),
        later_files=list_written_files(later),
    )


def list_written_files(records: Iterable[Record]) -> tuple[str, ...]:
    """List the files that calls among some records wrote to, each once."""
    return tuple(dict.fromkeys(path for _, path in list_write_calls(records)))


def list_write_calls(records: Iterable[Record]) -> Iterator[tuple[ToolUse, str]]:
    """List the calls that write to files, with the file each writes to."""
    for record in records:
        if not isinstance(record, Assistant):
            continue
        for block in message_of(record).blocks:
            if isinstance(block, ToolUse) and block.name in _WRITES:
                given = decode_plain(block.input)
                path = given.get(_WRITES[block.name]) if isinstance(given, dict) else None
                if isinstance(path, str):
                    yield block, path


def _list_messages(
    tree: MessageTree, groups: tuple[int, ...], path: CopiedPath
) -> list[User | Assistant]:
    inside = set(groups)
    nodes = (link.node for link in path.links if link.in_line)
    records = [tree.tree.nodes[n] for n in nodes if tree.group_of[n] in inside]
    return [record for record in records if isinstance(record, User | Assistant)]


def _count_preserved(tree: MessageTree, compaction: int) -> int:
    boundaries = (tree.tree.nodes[n] for n in tree.groups[compaction].nodes)
    return max(
        (len(list_preserved_uuids(b)) for b in boundaries if isinstance(b, System)), default=0
    )


def _count_context_tokens(seen: list[User | Assistant]) -> int | None:
    """Give the size of the context when the last answer had been given."""
    for record in reversed(seen):
        if isinstance(record, Assistant) and (usage := message_of(record).usage) is not None:
            total = tokens_of(usage).total
            if total:
                return total
    return None


def _count_agents(session: Session, seen: list[User | Assistant]) -> int:
    results = (b for r in seen for b in message_of(r).blocks if isinstance(b, ToolResult))
    return len({block.tool_use_id for block in results} & session.agent_evidence.starters.keys())


def _split_turns(planned: Session) -> tuple[list[Record], list[Record]]:
    """List what begins each turn of a conversation: before its last compaction, and after."""
    items = planned.conversation().items
    since = max((at + 1 for at, item in enumerate(items) if _is_compaction(item)), default=0)
    return list_turn_openers(items[:since]), list_turn_openers(items[since:])


def _is_compaction(item: Record | BadLine) -> bool:
    if isinstance(item, System):
        return item.subtype == "compact_boundary"
    return isinstance(item, User) and bool(item.is_compact_summary)
