"""The active tip: what the client itself would resume.

Three rules, measured on 26 clients (docs/format.md, resume): the newest timestamp up to
2.1.100, the last line up to 2.1.119, from 2.1.120 the last line unless the last
`last-prompt` behind the last compaction names a message that is not above it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from bough.model.interpret.user_records import UserRecordKind, classify_user_record, is_caveat
from bough.model.tree.message_tree import NONE, GroupKind, MessageTree
from bough.model.tree.nodes import Tree
from bough.records.decode import message_of
from bough.records.record import Record
from bough.records.types import Assistant, Attachment, LastPrompt, Progress, System, User

Version = tuple[int, int, int]

NEWEST_TIMESTAMP = "newest-timestamp"
LAST_LINE = "last-line"
LAST_PROMPT = "last-prompt"

_SIDECHAINS_COUNT_UP_TO: Version = (2, 0, 14)
_PROGRESS_COUNTS_FROM: Version = (2, 1, 0)
_NEWEST_UP_TO: Version = (2, 1, 100)
_LAST_LINE_UP_TO: Version = (2, 1, 119)
_LITERAL_UP_TO: Version = (2, 1, 250)
_PASSES_CALLS_BY_UP_TO: Version = (2, 1, 280)
_SKIPS_BEFORE_BOUNDARY_ABOVE = 5 * 1024 * 1024
_TALK: tuple[type[Record], ...] = (User, Assistant)
_NODES: tuple[type[Record], ...] = (User, Assistant, System, Attachment)
_OF_COMMANDS = (UserRecordKind.COMMAND, UserRecordKind.COMMAND_OUTPUT)
_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")


class ResumeChoice(Struct, frozen=True):
    """The node a client would continue from; NONE where it would find no conversation.

    `is_named` says that a `last-prompt` of the file names this node, or one above it;
    `is_live` that a client has the session open and stands there.
    """

    node: int
    rule: str
    is_named: bool = False
    is_live: bool = False


def parse_version(text: str | None) -> Version | None:
    """Read a client's version, None where it is none."""
    match = _VERSION.match(text or "")
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


def find_newest_version(records: Iterable[Record]) -> str | None:
    """Find the newest client that wrote into a file."""
    seen = {record.version for record in records if record.version}
    known = [text for text in seen if parse_version(text)]
    return max(known, key=lambda text: parse_version(text) or (0, 0, 0), default=None)


def rule_of(client: Version | None) -> str:
    """Name the rule a client follows; the newest for a client we cannot tell."""
    if client is None or client > _LAST_LINE_UP_TO:
        return LAST_PROMPT
    return NEWEST_TIMESTAMP if client <= _NEWEST_UP_TO else LAST_LINE


def choose_resume_node(
    records: Sequence[Record], tree: Tree, client: Version | None, size: int | None = None
) -> ResumeChoice:
    """Choose the node that a client of this version would continue from.

    Args:
        records: All records of the file, in its order.
        tree: Their tree.
        client: The version; the newest rule where it is None.
        size: The file's size in bytes; by default it ends where the last record does.
    """
    rule = rule_of(client)
    if rule == NEWEST_TIMESTAMP:
        return ResumeChoice(_find_newest(tree, client or (0, 0, 0)), rule)
    if rule == LAST_LINE:
        return ResumeChoice(_find_last_line(records, tree), rule)
    if size is None and records:
        size = records[-1].offset + len(records[-1].raw)
    seen = _skip_before_boundary(records, size or 0)
    named = _find_named_node(records, tree)
    node = _follow_last_prompt(records, seen, tree, client, named)
    is_named = NONE not in (node, named) and named in tree.walk_up(node)
    return ResumeChoice(node, rule, is_named)


def choose_live_node(records: Sequence[Record], tree: Tree) -> ResumeChoice:
    """Choose what was written last: where a client that has the session open stands."""
    return ResumeChoice(_find_last_line(records, tree), LAST_LINE, is_live=True)


def find_active_group(tree: MessageTree, choice: ResumeChoice) -> int:
    """Find the prompt or answer at or above a client's choice; NONE where there is none."""
    if choice.node == NONE:
        return NONE
    group = tree.above[choice.node]
    if group == NONE:
        before = [k for k in tree.group_of[: choice.node + 1] if k != NONE]
        group = before[-1] if before else NONE
    while group != NONE and tree.groups[group].kind is GroupKind.COMPACTION:
        group = tree.groups[group].parent
    return group


def find_shown_group(tree: MessageTree, choice: ResumeChoice) -> int:
    """Find the end of the line that a client's choice lies on; NONE where there is none.

    Of several lines with the newest time old clients take the first: the caveat before /exit,
    which clients of 1.0 even stamp some milliseconds later than what follows it, or the
    beginning of a file whose lines were all stamped alike. Of several calls of one
    message they take the one that a pointer names, though Claude went on below another. Nobody
    left what follows there, so the line is shown to the last of it. Elsewhere it is the
    client's own place.
    """
    group = find_active_group(tree, choice)
    if group == NONE:
        return group
    last = NONE
    if choice.rule == NEWEST_TIMESTAMP:
        last = _find_last_of_equals(tree.tree, choice.node)
        if last == NONE:
            last = _find_end_of_command(tree.tree, choice.node)
    elif choice.rule == LAST_PROMPT and not choice.is_live:
        last = _find_end_beside(tree.tree, choice.node)
    end = tree.above[last] if last != NONE else NONE
    on_it = end != NONE and tree.groups[end].kind is not GroupKind.COMPACTION
    return end if on_it and group in tree.path(end) else group


def _find_last_of_equals(tree: Tree, node: int) -> int:
    """Find the last line behind a node that bears its time; NONE where there is none."""
    stamp = tree.nodes[node].timestamp
    behind = range(len(tree.nodes) - 1, node, -1)
    return next((n for n in behind if tree.nodes[n].timestamp == stamp and _counts(tree, n)), NONE)


def _find_end_of_command(tree: Tree, caveat: int) -> int:
    """Find the last line of the command that a caveat was written for; NONE where there is none."""
    record = tree.nodes[caveat]
    if not isinstance(record, User) or not is_caveat(record):
        return NONE
    last = caveat
    for number in range(caveat + 1, len(tree.nodes)):
        line = tree.nodes[number]
        if tree.parent[number] != last or not isinstance(line, User):
            break
        if classify_user_record(line) not in _OF_COMMANDS:
            break
        last = number
    return last if last != caveat else NONE


def _find_end_beside(tree: Tree, node: int) -> int:
    """Find the last line, where it goes on below another call of the message a node is of."""
    last = next((n for n in range(len(tree.nodes) - 1, node, -1) if _counts(tree, n)), NONE)
    if last == NONE or node in tree.walk_up(last):
        return NONE
    return last if _is_above(tree, node, last, None) else NONE


def _counts(tree: Tree, number: int) -> bool:
    """Tell whether a client may continue from a node."""
    record = tree.nodes[number]
    return isinstance(record, _NODES) and not record.is_sidechain


def _find_newest(tree: Tree, client: Version) -> int:
    """Find the newest node; the earlier line wins a tie."""
    kinds = _NODES + ((Progress,) if client >= _PROGRESS_COUNTS_FROM else ())
    best, newest = NONE, ""
    for number, record in enumerate(tree.nodes):
        if not isinstance(record, kinds):
            continue
        if record.is_sidechain and client > _SIDECHAINS_COUNT_UP_TO:
            continue
        time = record.timestamp or ""
        if best == NONE or time > newest:
            best, newest = number, time
    return best


def _find_last_line(records: Sequence[Record], tree: Tree) -> int:
    return next(_walk_backwards(records, tree, _NODES), NONE)


def _walk_backwards(
    records: Sequence[Record], tree: Tree, kinds: tuple[type[Record], ...]
) -> Iterator[int]:
    """Give the nodes of the lines that count, the last line first."""
    for record in reversed(records):
        if record.uuid is not None and isinstance(record, kinds) and not record.is_sidechain:
            yield tree.number[record.uuid]


def _follow_last_prompt(
    records: Sequence[Record],
    seen: Sequence[Record],
    tree: Tree,
    client: Version | None,
    named: int,
) -> int:
    """Follow the rule of the clients from 2.1.120 on, who load what is `seen`.

    `named` is the node that the last pointer names.
    """
    has_kept = any(_has_preserved_messages(record) for record in records)
    kinds = _TALK if has_kept else _NODES
    # What a compaction kept lies above all that follows; of what it did not keep nothing is known.
    seen_from = _list_from_boundary(records) if has_kept else seen
    since = seen_from[0].offset if len(seen_from) < len(records) else 0
    latest = _walk_backwards(seen, tree, kinds)
    tip = next((node for node in latest if _is_loaded(tree, node, since)), NONE)
    if tip == NONE or not any(record.timestamp for record in tree.nodes):
        return NONE
    if named == NONE or not _is_loaded(tree, named, since):
        return _descend_to_newest(tree, tip, kinds, client)
    if named == tip:
        return tip
    if tree.nodes[named].is_sidechain:
        return NONE
    if isinstance(tree.nodes[named], kinds) and not _is_above(tree, named, tip, client):
        return named
    return _descend_to_newest(tree, tip, kinds, client)


def _is_above(tree: Tree, named: int, tip: int, client: Version | None) -> bool:
    """Tell whether a client meets a node on its way up from the last line.

    Of several calls the last line descends from one; newer clients meet the others there too,
    with their results.
    """
    line = set(tree.walk_up(tip))
    if named in line or (client is not None and client <= _PASSES_CALLS_BY_UP_TO):
        return named in line
    beside: list[Record] = []
    for number in tree.walk_up(named):
        if number in line:
            return _are_of_one_message([*beside, tree.nodes[number]])
        beside.append(tree.nodes[number])
    return False


def _are_of_one_message(records: Sequence[Record]) -> bool:
    """Tell whether records are calls of one message, their results, and notes on them."""
    said = {message_of(record).id for record in records if isinstance(record, Assistant)}
    typed = (record for record in records if isinstance(record, User))
    return (
        len(said) == 1
        and None not in said
        and isinstance(records[-1], Assistant)
        and all(classify_user_record(record) is UserRecordKind.RESULT for record in typed)
    )


def _find_named_node(records: Sequence[Record], tree: Tree) -> int:
    """Find the node that the last pointer names; a compaction ends what those before it say."""
    for record in reversed(records):
        if isinstance(record, LastPrompt) and record.leaf_uuid:
            return tree.number.get(record.leaf_uuid, NONE)
        if isinstance(record, System) and _is_boundary(record):
            return NONE
    return NONE


def _is_loaded(tree: Tree, node: int, since: int) -> bool:
    """Tell whether the client has read a node, with talk that it belongs to.

    A note that was put below a line the client skipped leads it nowhere.
    """
    for above in tree.walk_up(node) if since else ():
        record = tree.nodes[above]
        if record.offset < since:
            return False
        if isinstance(record, _TALK):
            return True
    return True


def _has_preserved_messages(record: Record) -> bool:
    """Tell whether a compaction kept messages; then only talk counts as a tip."""
    if not isinstance(record, System) or record.compact_metadata is None:
        return False
    metadata = record.compact_metadata
    return metadata.preserved_segment is not None or metadata.preserved_messages is not None


def _skip_before_boundary(records: Sequence[Record], size: int) -> Sequence[Record]:
    """Leave out what the client skips in a large file: all before the last compaction."""
    return _list_from_boundary(records) if size > _SKIPS_BEFORE_BOUNDARY_ABOVE else records


def _list_from_boundary(records: Sequence[Record]) -> Sequence[Record]:
    """List the records from the last compaction on; all where there is none."""
    for at in range(len(records) - 1, -1, -1):
        if _is_boundary(records[at]):
            return records[at:]
    return records


def _is_boundary(record: Record) -> bool:
    return isinstance(record, System) and record.subtype == "compact_boundary"


def _descend_to_newest(
    tree: Tree, tip: int, kinds: tuple[type[Record], ...], client: Version | None
) -> int:
    """Move down from the last line to the newest node below it, as 2.1.325 does."""
    if (client is not None and client <= _LITERAL_UP_TO) or tip not in tree.parent:
        return tip
    below = tree.children()
    best, newest = tip, tree.nodes[tip].timestamp or ""
    waiting = list(below[tip])
    while waiting:
        number = waiting.pop()
        record = tree.nodes[number]
        waiting.extend(below[number])
        if not isinstance(record, kinds) or record.is_sidechain:
            continue
        if (record.timestamp or "") > newest:
            best, newest = number, record.timestamp or ""
    return best
