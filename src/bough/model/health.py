"""Health: what is damaged, unknown, or out of a resume's reach.

Findings are values with a place and a sentence. Nothing here judges how a person works;
what every healthy file has (parallel calls, compactions, several roots) is no finding.
"""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from bough.model.active import Choice
from bough.model.conversation import Conversation
from bough.model.story import NONE, Story
from bough.records.record import BadLine, Record
from bough.records.types import Assistant, System, Unknown, User


class Finding(Struct, frozen=True):
    """One thing found: what, how bad (problem or note), where, and what can be done."""

    kind: str
    severity: str
    where: str
    message: str
    action: str


class Health(Struct, frozen=True):
    """The findings, and the share of the conversation that a resume would see."""

    reachability: float
    findings: list[Finding]


_REPAIR = "bough repair writes a repaired copy."
_NOTHING = "Nothing to do."


def examine(
    records: Sequence[Record],
    bad_lines: Sequence[BadLine],
    story: Story,
    choice: Choice,
    conversation: Conversation,
) -> Health:
    """Look at one session."""
    seen = _resumed(story, choice)
    talk = [r for r in conversation.nodes if isinstance(r, User | Assistant)]
    numbers = [story.tree.number[r.uuid] for r in talk if r.uuid]
    share = sum(number in seen for number in numbers) / len(numbers) if numbers else 1.0
    findings = [
        *_lines(bad_lines),
        *_ending(records, bad_lines),
        *_links(story, conversation),
        *_unknown(records),
        *_tip(choice, talk),
    ]
    return Health(round(share, 4), findings)


def _resumed(story: Story, choice: Choice) -> set[int]:
    """List the nodes a client loads: up from its choice, to the last compaction."""
    tree = story.tree
    seen: set[int] = set()
    for number in tree.up(choice.node) if choice.node != NONE else ():
        seen.add(number)
        knot = story.knot_of[number]
        if knot != NONE:
            # Clients from 2.1.100 gather a message's other lines and their results.
            seen.update(story.knots[knot].nodes)
        record = tree.nodes[number]
        if isinstance(record, System) and record.subtype == "compact_boundary":
            seen |= _preserved(story, record)
            break
    return seen


def _preserved(story: Story, boundary: System) -> set[int]:
    metadata = boundary.compact_metadata
    kept = metadata.preserved_messages if metadata is not None else None
    if kept is None:
        return set()
    numbers = (story.tree.number.get(uuid) for uuid in (*kept.uuids, *kept.all_uuids))
    return {number for number in numbers if number is not None}


def _lines(bad_lines: Sequence[BadLine]) -> list[Finding]:
    found = []
    for line in bad_lines:
        if line.blank:
            continue
        kind = "torn-line" if line.torn else "bad-line"
        where = f"line {line.number}, offset {line.offset}"
        message = f"Line {line.number} cannot be read: {line.reason}."
        found.append(Finding(kind, "problem", where, message, _REPAIR))
    return found


def _ending(records: Sequence[Record], bad_lines: Sequence[BadLine]) -> list[Finding]:
    ends = [*records[-1:], *bad_lines[-1:]]
    last = max(ends, key=lambda line: line.offset, default=None)
    if last is None or last.raw.endswith(b"\n") or isinstance(last, BadLine):
        return []
    message = (
        "The last line has no newline at its end. Clients up to 2.1.250 would glue the next "
        "record to it."
    )
    return [Finding("no-final-newline", "problem", f"line {last.number}", message, _REPAIR)]


def _links(story: Story, conversation: Conversation) -> list[Finding]:
    tree = story.tree
    found = []
    on_way = {id(record) for record in conversation.nodes}
    for number in tree.orphans:
        record = tree.nodes[number]
        if record.is_sidechain or _expected_root(record):
            continue
        lost = _talk_before(tree.nodes, number) if id(record) in on_way else 0
        message = f"Line {record.number}: its parent {_short(record.parent_uuid)} is nowhere."
        if lost:
            message += f" {lost} messages before it are not resumed."
        severity = "problem" if lost else "note"
        action = _REPAIR if lost else _NOTHING
        found.append(Finding("dangling-parent", severity, f"line {record.number}", message, action))
    if tree.cycles:
        message = f"{tree.cycles} circles of parents. Clients up to 2.0.76 hang on them."
        found.append(Finding("cycle", "problem", "tree", message, _REPAIR))
    if tree.duplicates:
        message = f"{tree.duplicates} lines repeat a uuid; the last of each counts."
        found.append(Finding("duplicate-uuid", "note", "tree", message, _NOTHING))
    if tree.copies:
        message = f"{tree.copies} lines are replays of earlier ones; they are shown once."
        found.append(Finding("replayed-copies", "note", "tree", message, _NOTHING))
    return found


def _expected_root(record: Record) -> bool:
    """Tell whether a missing parent means nothing: hooks and progress start anywhere."""
    return not isinstance(record, User | Assistant)


def _talk_before(nodes: Sequence[Record], number: int) -> int:
    return sum(
        isinstance(record, User | Assistant) and not record.is_sidechain
        for record in nodes[:number]
    )


def _unknown(records: Sequence[Record]) -> list[Finding]:
    kinds: Counter[str] = Counter()
    versions: dict[str, str] = {}
    version = "unknown"
    for record in records:
        version = record.version or version
        if isinstance(record, Unknown):
            name = record.type or "(none)"
            kinds[name] += 1
            versions.setdefault(name, version)
    return [
        Finding(
            "unknown-kind",
            "note",
            f"client {versions[name]}",
            f"{count} records of a kind this bough does not know: {name} "
            f"(client {versions[name]}). Kept as they are.",
            _NOTHING,
        )
        for name, count in kinds.most_common()
    ]


def _tip(choice: Choice, talk: Sequence[Record]) -> list[Finding]:
    if choice.node != NONE or not talk:
        return []
    message = "The client would find no conversation here to resume."
    return [Finding("not-resumable", "problem", "tip", message, "Fork it: bough fork.")]


def _short(uuid: str | None) -> str:
    return (uuid or "")[:8]
