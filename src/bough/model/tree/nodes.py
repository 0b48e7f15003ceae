"""The tree: the nodes of one file and who follows whom.

A node is a record with a uuid. A uuid that comes again is the same node, its last line
counts (as the client reads it). A record with another uuid but the same kind, time and
content is a replayed copy: the same node too, unless it hangs below the other. All links
are numbers into lists, and nothing recurses: files with 100,000 nodes in one chain exist.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Raw, Struct

from bough.records.blocks import AnyBlock, Image, Text, Thinking, ToolResult, ToolUse
from bough.records.decode import message_of
from bough.records.record import Record
from bough.records.types import Assistant, Attachment, System, User

ROOT = -1
_MOST_PIECES = 100
"""In how many records a client may have written one prompt."""


class Tree(Struct):
    """Nodes in file order; a node's number is its place in `nodes`.

    `number` finds a node by any uuid it was written under. `parent` holds numbers, ROOT
    where there is none. `lines` holds every record of a node, duplicates and copies too.
    """

    nodes: list[Record]
    lines: list[list[Record]]
    number: dict[str, int]
    parent: list[int]
    orphans: list[int]
    duplicates: int = 0
    copies: int = 0
    cycles: int = 0

    @property
    def roots(self) -> list[int]:
        """List the nodes that follow none."""
        return [number for number, parent in enumerate(self.parent) if parent == ROOT]

    def uuid(self, number: int) -> str:
        """Give the uuid of a node."""
        return self.nodes[number].uuid or ""

    def walk_up(self, number: int) -> Iterable[int]:
        """Walk from a node to its root, the node itself first."""
        while number != ROOT:
            yield number
            number = self.parent[number]

    def children(self) -> list[list[int]]:
        """List each node's children, in file order."""
        below: list[list[int]] = [[] for _ in self.nodes]
        for number, parent in enumerate(self.parent):
            if parent != ROOT:
                below[parent].append(number)
        return below


def build_tree(records: Iterable[Record]) -> Tree:
    """Build the tree of the records that have a uuid."""
    nodes: list[Record] = []
    lines: list[list[Record]] = []
    numbers: dict[str, int] = {}
    duplicates = 0
    for record in records:
        uuid = record.uuid
        if uuid is None:
            continue
        known = numbers.setdefault(uuid, len(nodes))
        if known == len(nodes):
            nodes.append(record)
            lines.append([record])
        else:
            duplicates += 1
            nodes[known] = record
            lines[known].append(record)
    tree = _merge_copies(nodes, lines, numbers)
    tree.duplicates = duplicates
    _link_parents(tree)
    return tree


def _merge_copies(nodes: list[Record], lines: list[list[Record]], numbers: dict[str, int]) -> Tree:
    """Fold replayed copies into the node they repeat."""
    same = _find_copies(nodes, numbers)
    if not same:
        return Tree(nodes, lines, numbers, [], [])
    kept = [number for number in range(len(nodes)) if number not in same]
    place = {number: at for at, number in enumerate(kept)}
    for copy in sorted(same):
        place[copy] = place[same[copy]]
        lines[same[copy]].extend(lines[copy])
    return Tree(
        [nodes[number] for number in kept],
        [lines[number] for number in kept],
        {uuid: place[number] for uuid, number in numbers.items()},
        [],
        [],
        copies=len(same),
    )


def _find_copies(nodes: Sequence[Record], numbers: dict[str, int]) -> dict[int, int]:
    """Find the nodes that repeat an earlier one: {copy: original}.

    Replays may split a prompt of several blocks into one record each, so blocks are
    compared, not records. A copy has its original's time, so nearly all need no look. What
    hangs below its like is no copy: it was said twice on one line.
    """
    owners: dict[tuple[object, ...], int] = {}
    alike: dict[int, int] = {}
    times = Counter([record.timestamp for record in nodes])
    for number, record in enumerate(nodes):
        if record.timestamp is None or times[record.timestamp] == 1:
            continue
        found = [owners.setdefault(key, number) for key in _content_keys_of(record)]
        if found and number not in found:
            alike[number] = max(found)
    restamped = _find_restamped_copies(nodes, numbers)
    if not alike:
        return restamped
    spans = _find_spans([numbers.get(record.parent_uuid or "", ROOT) for record in nodes])
    alike = {n: original for n, original in alike.items() if not _is_below(spans, n, original)}
    copies: dict[int, bool] = {}
    for number in alike:
        _decide_copy(nodes, numbers, number, alike, copies)
    return restamped | {number: original for number, original in alike.items() if copies[number]}


def _find_restamped_copies(nodes: Sequence[Record], numbers: dict[str, int]) -> dict[int, int]:
    """Find exchanges that a client wrote once more with new times: {copy: original}.

    Clients of 1.0 do so when they resume behind a prompt with a picture. The answer has the id
    that the API gave it, says the same, and stands below a prompt of the same blocks, which may
    now be a record each; both hang on the same node.
    """
    copies: dict[int, int] = {}
    first: dict[str, int] = {}
    for number, record in enumerate(nodes):
        if type(record) is not Assistant:
            continue
        parent = numbers.get(record.parent_uuid or "", ROOT)
        if parent == ROOT or not isinstance(nodes[parent], User):
            continue
        message_id = message_of(record).id
        if message_id is None:
            continue
        original = first.setdefault(message_id, number)
        if original == number or _blocks_of(nodes[original]) != _blocks_of(record):
            continue
        prompt, top = _list_prompt_above(nodes, numbers, number)
        repeated, other = _list_prompt_above(nodes, numbers, original)
        said = [block for one in repeated for block in _blocks_of(nodes[one])]
        if (
            prompt[-1:] != repeated[-1:]
            and copies.get(top, top) == copies.get(other, other)
            and said == [block for one in prompt for block in _blocks_of(nodes[one])]
        ):
            copies |= dict.fromkeys(prompt, repeated[0]) | {number: original}
    return copies


def _list_prompt_above(
    nodes: Sequence[Record], numbers: dict[str, int], number: int
) -> tuple[list[int], int]:
    """List the user records above a node, the topmost first, and what they hang on."""
    found: list[int] = []
    above = numbers.get(nodes[number].parent_uuid or "", ROOT)
    while above != ROOT and isinstance(nodes[above], User) and len(found) < _MOST_PIECES:
        found.append(above)
        above = numbers.get(nodes[above].parent_uuid or "", ROOT)
    return found[::-1], above


def _blocks_of(record: Record) -> list[tuple[object, ...]]:
    if isinstance(record, User | Assistant):
        return [_block_key_of(block) for block in message_of(record).blocks]
    return []


def _find_spans(parents: Sequence[int]) -> list[tuple[int, int]]:
    """Number the nodes from the roots down: each node's number, and the last one below it.

    What goes in circles hangs below no root and has an empty span.
    """
    below: list[list[int]] = [[] for _ in parents]
    waiting: list[int] = []
    for number, parent in enumerate(parents):
        (waiting if parent == ROOT else below[parent]).append(number)
    spans = [(-1, -2)] * len(parents)
    count = 0
    while waiting:
        number = waiting.pop()
        if number < 0:
            spans[~number] = (spans[~number][0], count - 1)
            continue
        spans[number] = (count, count)
        count += 1
        waiting.append(~number)
        waiting += below[number]
    return spans


def _is_below(spans: Sequence[tuple[int, int]], number: int, above: int) -> bool:
    first, last = spans[above]
    return first < spans[number][0] <= last


def _decide_copy(
    nodes: Sequence[Record],
    numbers: dict[str, int],
    number: int,
    alike: dict[int, int],
    copies: dict[int, bool],
) -> None:
    """Decide whether what is alike is a copy; its parents come first.

    Old clients stamp all lines of a fork alike (1.0.51, `--fork-session` of 2.0.14). There
    the time tells nothing: a text said twice is no copy. Such a line hangs on one of the
    same time that is new, a replayed one on another time, on a replayed one or on nothing.
    """
    waiting = []
    while number in alike and number not in copies:
        copies[number] = True
        parent = numbers.get(nodes[number].parent_uuid or "", ROOT)
        waiting.append((number, parent))
        number = parent
    for number, parent in reversed(waiting):
        record = nodes[number]
        named = isinstance(record, Assistant) and message_of(record).id is not None
        if not named and parent != ROOT and not copies.get(parent, False):
            copies[number] = nodes[parent].timestamp != record.timestamp


def _content_keys_of(record: Record) -> list[tuple[object, ...]]:
    """Name what a record says, so that a replay of it gets the same names."""
    time = record.timestamp
    start: tuple[object, ...]
    match record:
        case Assistant():
            message = message_of(record)
            start = ("a", record.is_sidechain, message.id, time)
            return [(start, _block_key_of(block)) for block in message.blocks]
        case User():
            start = ("u", record.is_sidechain, record.is_meta, time)
            return [(start, _block_key_of(block)) for block in message_of(record).blocks]
        case System() if record.content_json:
            return [("s", record.subtype, time, _hash_json(record.content_json))]
        case Attachment():
            return [("t", time, _hash_json(record.attachment_json))]
        case _:
            return []


def _block_key_of(block: AnyBlock) -> tuple[object, ...]:
    match block:
        case Text():
            return ("text", block.text)
        case ToolUse():
            return ("use", block.id)
        case ToolResult():
            return ("result", block.tool_use_id, _hash_json(block.content))
        case Thinking():
            return ("thinking", block.thinking, block.signature)
        case Image() if block.source is not None:
            return ("image", block.source.data or block.source.url)
        case _:
            return ("other", repr(block))


def _hash_json(raw: Raw) -> int:
    """Stand for JSON of any size; keys outlive the loop, so they hold no copies of it."""
    return hash(bytes(raw))


def _link_parents(tree: Tree) -> None:
    """Fill in the parents; cut what would go in circles."""
    numbers = tree.number
    for number, record in enumerate(tree.nodes):
        wanted = record.parent_uuid
        parent = numbers.get(wanted, ROOT) if wanted else ROOT
        if wanted and parent == ROOT:
            tree.orphans.append(number)
        if parent == number:
            # A copy whose parent is another copy of itself is no circle of the file's.
            tree.cycles += wanted == record.uuid
            parent = ROOT
        tree.parent.append(parent)
    _cut_cycles(tree)


def _age_key(record: Record) -> tuple[bool, str, str]:
    """Order nodes by time, talk first: attachments are stamped before the prompt they follow."""
    talk = isinstance(record, (User, Assistant))
    return not talk, record.timestamp or "", record.uuid or ""


def _cut_cycles(tree: Tree) -> None:
    """Cut each circle above its oldest message, whatever the order of the lines."""
    fresh, passing, done = 0, 1, 2
    state = [fresh] * len(tree.nodes)
    for start in range(len(tree.nodes)):
        walked = []
        number = start
        while number != ROOT and state[number] == fresh:
            state[number] = passing
            walked.append(number)
            number = tree.parent[number]
        if number != ROOT and state[number] == passing:
            circle = walked[walked.index(number) :]
            tree.parent[min(circle, key=lambda n: _age_key(tree.nodes[n]))] = ROOT
            tree.cycles += 1
        for passed in walked:
            state[passed] = done
