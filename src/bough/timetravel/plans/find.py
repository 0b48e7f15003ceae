"""Finding words in a session, with what stands around them and on which branch.

Every match says what it is part of, what came before and after it, which tips it leads to
and whether the active conversation has it: enough to choose a point without opening the
session.
"""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from bough.errors import Unreadable
from bough.files.byte_source import require_source
from bough.memory import pause_collector
from bough.model.conversation.message_rules import label_turn_opener, turn_rule_for
from bough.model.conversation.messages import key_of
from bough.model.interpret.user_records import (
    UserRecordKind,
    classify_user_record,
    extract_typed_text,
    label_prompt,
)
from bough.model.session import Session
from bough.model.text.formats import to_one_line
from bough.model.text.snippets import Snippet, cut_snippet
from bough.model.tools.calls import text_of_block
from bough.model.tree.message_tree import NONE, GroupKind, MessageTree
from bough.query.byte_sources import USUAL_SOURCES
from bough.query.sessions.load_session import project_folder_of, read_session_in
from bough.records.blocks import Text, Thinking, ToolResult, ToolUse
from bough.records.decode import blocks_of, decode_plain, message_of
from bough.records.record import Record
from bough.records.types import Assistant, QueueOperation, User
from bough.timetravel.plans.turn_ends import (
    collect_active_groups,
    describe_point,
    find_anchor,
    find_turn_end,
    is_unanswered,
)

if TYPE_CHECKING:
    from bough.query.sessions.project_folder import ProjectFolder

_DEFAULT_REACH = 3
MOST_TIPS = 100
# What no JSON writer escapes, so that a file's bytes tell whether it is worth reading.
_UNESCAPED = re.compile(r"[A-Za-z0-9 _.,:;()=+-]+")


class RecordText(Struct, frozen=True):
    """A text that can be found: the record it stands in, the group it belongs to, its kind."""

    record: Record
    group: int
    kind: str
    text: str

    @property
    def key(self) -> str:
        """Name the record: by its uuid, a line without one by its place."""
        return key_of(self.record.uuid, self.record.offset)


class Neighbour(Struct, frozen=True, gc=False):
    """A prompt, an answer or a compaction near a point."""

    uuid: str
    kind: str
    text: str
    timestamp: str | None


class TextMatch(Struct, frozen=True, kw_only=True):
    """Words found in one record.

    `uuid` names the record; a prompt that was only ever queued goes by its place, `@1234`.
    `turn` is the prompt whose turn it is in, `end` the point where that turn ends (None
    where it never did), `tips` the ends of the conversations that have it, 100 at most.
    """

    uuid: str
    kind: str
    snippet: Snippet
    timestamp: str | None
    turn: str | None
    end: str | None
    active: bool
    tips: tuple[str, ...]
    above: tuple[Neighbour, ...]
    below: tuple[Neighbour, ...]


class SessionMatches(Struct, frozen=True):
    """Words found in one session; `left_out` counts matches beyond those that were wanted."""

    session: Session
    matches: list[TextMatch]
    left_out: int = 0


_DescribeGroup = Callable[[int], Neighbour]


class Neighbourhood(Struct, frozen=True):
    """The graph near a point: what leads to it, the point itself, what follows."""

    above: tuple[Neighbour, ...]
    here: Neighbour
    below: tuple[Neighbour, ...]


@pause_collector()
def find_text(session: Session, text: str, most: int | None = None) -> SessionMatches:
    """Find words in what was said, thought, called and answered; any case, file order.

    What is beyond the `most` that are wanted is only counted.
    """
    pattern = re.compile(re.escape(text), re.IGNORECASE)
    places = [one for one in list_searchable_texts(session) if pattern.search(one.text)]
    wanted = places[:most]
    if not wanted:
        return SessionMatches(session, [], len(places))
    tips = _list_tips_below(session, {one.group for one in wanted})
    active = collect_active_groups(session)
    # Matches lie near each other, and what is around one is around the next.
    describe = cache(partial(_describe_neighbour, session.message_tree))
    matches = [
        _build_match(session, found, cut_snippet(found.text, [pattern]), tips, active, describe)
        for found in wanted
    ]
    return SessionMatches(session, matches, len(places) - len(matches))


def find_in_sessions(
    text: str, paths: Iterable[Path], complain: Callable[[str], None], most: int | None = None
) -> Iterator[SessionMatches]:
    """Find words in many sessions, one after the other.

    Args:
        text: The words.
        paths: The sessions' files.
        complain: Is told why a file could not be read.
        most: How many matches are wanted; the rest is only counted.
    """
    # Titles may stand in any file of a folder: thousands of sessions share what is read of it.
    folders: dict[Path, ProjectFolder] = {}
    for path in paths:
        try:
            if not _can_contain(path, text):
                continue
            folder = project_folder_of(path)
            session = read_session_in(folders.setdefault(folder.path, folder), path)
        except Unreadable as error:
            complain(error.message)
            continue
        found = find_text(session, text, most)
        if found.matches or found.left_out:
            yield found
        if most is not None:
            most -= len(found.matches)


def _can_contain(path: Path, text: str) -> bool:
    """Tell from the bytes alone whether a file can have some words."""
    if not _UNESCAPED.fullmatch(text):
        return True
    try:
        source = require_source(USUAL_SOURCES, path)
        data = source.at(0, source.state().size)
    except Unreadable:
        return True  # reading it says why
    return re.search(re.escape(text.encode()), data, re.IGNORECASE) is not None


def find_neighbourhood(session: Session, uuid: str, reach: int = _DEFAULT_REACH) -> Neighbourhood:
    """Show the graph near a point, `reach` steps up and one down."""
    tree = session.message_tree
    group = max(tree.above[session.tree.number[uuid]], 0)
    describe = partial(_describe_neighbour, tree)
    return Neighbourhood(
        _list_ancestors(tree, group, reach, describe),
        describe(group),
        _list_children(tree, group, describe),
    )


def list_searchable_texts(session: Session) -> Iterable[RecordText]:
    """List everything of the main conversation that can be found, in file order."""
    queued = list(_list_only_queued(session))
    if not queued:
        return _list_node_texts(session)
    return sorted([*_list_node_texts(session), *queued], key=lambda one: one.record.offset)


def _list_node_texts(session: Session) -> Iterator[RecordText]:
    above = session.message_tree.above
    for number, record in enumerate(session.tree.nodes):
        if not record.is_sidechain and above[number] != NONE:
            for kind, words in _list_texts(record):
                yield RecordText(record, above[number], kind, words)


def _list_only_queued(session: Session) -> Iterator[RecordText]:
    """List the prompts that stand nowhere but in the queue."""
    for group, lines in session.unlinked_lines.by_group.items():
        for record in lines if group != NONE else ():
            if isinstance(record, QueueOperation):
                for kind, words in _list_texts(record):
                    yield RecordText(record, group, kind, words)


def _list_texts(record: Record) -> Iterable[tuple[str, str]]:
    if isinstance(record, User):
        return _list_user_texts(record)
    if isinstance(record, Assistant):
        return _list_answer_texts(record)
    rule = turn_rule_for(record)
    return [(str(rule.kind), label_turn_opener(record))] if rule is not None else []


def _list_user_texts(record: User) -> Iterator[tuple[str, str]]:
    meaning = classify_user_record(record)
    for block in message_of(record).blocks:
        if isinstance(block, ToolResult):
            yield "result", "\n".join(text_of_block(part) for part in blocks_of(block.content))
    if meaning is not UserRecordKind.RESULT:
        yield str(meaning), extract_typed_text(record)


def _list_answer_texts(record: Assistant) -> Iterator[tuple[str, str]]:
    for block in message_of(record).blocks:
        match block:
            case Text():
                yield "answer", block.text
            case Thinking():
                yield "thinking", block.thinking
            case ToolUse():
                yield "call", f"{block.name} {_join_strings(decode_plain(block.input))}"
            case _:
                pass


def _join_strings(value: object) -> str:
    """Join the texts inside a call's input."""
    match value:
        case str():
            return value
        case dict():
            return "\n".join(_join_strings(item) for item in value.values())
        case list():
            return "\n".join(_join_strings(item) for item in value)
        case _:
            return ""


def _build_match(
    session: Session,
    found: RecordText,
    words: Snippet,
    tips: Mapping[int, tuple[str, ...]],
    active: set[int],
    describe: _DescribeGroup,
) -> TextMatch:
    tree, group, record = session.message_tree, found.group, found.record
    anchor = NONE if is_unanswered(session, record) else find_anchor(session, record)
    end = find_turn_end(session, anchor, active) if anchor != NONE else NONE
    return TextMatch(
        uuid=found.key,
        kind=found.kind,
        snippet=words,
        timestamp=record.timestamp,
        turn=describe_point(session, group).prompt,
        end=describe_point(session, end).uuid if end != NONE else None,
        active=group in active,
        tips=tips[group],
        above=_list_ancestors(tree, group, _DEFAULT_REACH, describe),
        below=_list_children(tree, group, describe),
    )


def _list_tips_below(session: Session, wanted: Container[int]) -> dict[int, tuple[str, ...]]:
    """List for each wanted group the tips it leads to, no more of them than anybody reads.

    A group takes over what its children lead to, and of that the first only: a comb of branches
    takes no time squared.
    """
    groups, tips = session.message_tree.groups, session.tips
    order = [number for number, group in enumerate(groups) if group.parent == NONE]
    for group in order:  # which grows meanwhile: each group comes before those below it
        order += groups[group].children
    below = {tip.group: [number] for number, tip in enumerate(tips)}
    found: dict[int, tuple[str, ...]] = {}
    for group in reversed(order):
        numbers = below.pop(group, [])
        for child in groups[group].children:
            numbers += below.pop(child)
        numbers.sort()
        below[group] = numbers[:MOST_TIPS]
        if group in wanted:
            found[group] = tuple(tips[number].uuid for number in below[group])
    return found


def _list_ancestors(
    tree: MessageTree, group: int, reach: int, describe: _DescribeGroup
) -> tuple[Neighbour, ...]:
    found: list[Neighbour] = []
    above = tree.groups[group].parent
    while above != NONE and len(found) < reach:
        found.append(describe(above))
        above = tree.groups[above].parent
    return tuple(reversed(found))


def _list_children(
    tree: MessageTree, group: int, describe: _DescribeGroup
) -> tuple[Neighbour, ...]:
    return tuple(map(describe, tree.groups[group].children))


def _describe_neighbour(tree: MessageTree, group: int) -> Neighbour:
    own = tree.groups[group]
    first = tree.tree.nodes[own.first]
    uuid = tree.tree.uuid(own.first if own.kind is GroupKind.PROMPT else tree.last_line(group))
    return Neighbour(uuid, own.kind.name.lower(), _find_first_words(tree, group), first.timestamp)


def _find_first_words(tree: MessageTree, group: int) -> str:
    """Give the first words of a group."""
    for number in tree.groups[group].nodes:
        record = tree.tree.nodes[number]
        if isinstance(record, User) and classify_user_record(record) is not UserRecordKind.RESULT:
            return to_one_line(label_prompt(record))
        if isinstance(record, Assistant):
            words = [b.text for b in message_of(record).blocks if isinstance(b, Text)]
            calls = [b.name for b in message_of(record).blocks if isinstance(b, ToolUse)]
            if text := " ".join([*words, *calls]).strip():
                return to_one_line(text)
    return ""
