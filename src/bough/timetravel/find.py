"""Finding words in a session, with what stands around them and on which branch.

Every match says what it is part of, what came before and after it, which tips it leads to
and whether the active conversation has it: enough to choose a point without opening the
session.
"""

import re
from collections.abc import Iterator

from msgspec import Struct

from bough.model.interpret.user_records import Said, asked_words, said, typed_text
from bough.model.session import Session
from bough.model.text.formats import one_line
from bough.model.text.snippets import Snippet, snippet
from bough.model.tools.calls import text_of_block
from bough.model.tree.message_tree import NONE, Is, Story
from bough.records.blocks import Text, Thinking, ToolResult, ToolUse
from bough.records.decode import blocks_of, message_of, plain
from bough.records.types import Assistant, User
from bough.timetravel.plans.turn_ends import active_path, end_of_turn, point_at

_AROUND = 3


class Neighbour(Struct, frozen=True):
    """A prompt, an answer or a compaction near a point."""

    uuid: str
    kind: str
    text: str
    timestamp: str | None


class Match(Struct, frozen=True, kw_only=True):
    """Words found in one record.

    `turn` is the prompt whose turn it is in, `end` the point where that turn ends (None
    where it never did), `tips` the ends of all conversations that have it.
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


class Around(Struct, frozen=True):
    """The graph near a point: what leads to it, the point itself, what follows."""

    above: tuple[Neighbour, ...]
    here: Neighbour
    below: tuple[Neighbour, ...]


def find(session: Session, text: str) -> list[Match]:
    """Find words in what was said, thought, called and answered; any case, file order."""
    pattern = re.compile(re.escape(text), re.IGNORECASE)
    tips, active = _tips_below(session), active_path(session)
    return [
        _match(session, (number, kind, snippet(words, [pattern])), tips, active)
        for number, kind, words in spoken(session)
        if pattern.search(words)
    ]


def around(session: Session, uuid: str, reach: int = _AROUND) -> Around:
    """Show the graph near a point, `reach` steps up and one down."""
    story = session.story
    knot = max(story.above[session.tree.number[uuid]], 0)
    return Around(_ancestors(story, knot, reach), _neighbour(story, knot), _children(story, knot))


def spoken(session: Session) -> Iterator[tuple[int, str, str]]:
    """List everything of the main conversation that can be found: node, kind, words."""
    for number, record in enumerate(session.tree.nodes):
        if record.is_sidechain or session.story.above[number] == NONE:
            continue
        if isinstance(record, User):
            yield from ((number, kind, words) for kind, words in _of_user(record))
        elif isinstance(record, Assistant):
            yield from ((number, kind, words) for kind, words in _of_answer(record))


def _of_user(record: User) -> Iterator[tuple[str, str]]:
    meaning = said(record)
    for block in message_of(record).blocks:
        if isinstance(block, ToolResult):
            yield "result", "\n".join(text_of_block(part) for part in blocks_of(block.content))
    if meaning is not Said.RESULT:
        yield str(meaning), typed_text(record)


def _of_answer(record: Assistant) -> Iterator[tuple[str, str]]:
    for block in message_of(record).blocks:
        match block:
            case Text():
                yield "answer", block.text
            case Thinking():
                yield "thinking", block.thinking
            case ToolUse():
                yield "call", f"{block.name} {_strings(plain(block.input))}"
            case _:
                pass


def _strings(value: object) -> str:
    """Join the texts inside a call's input."""
    match value:
        case str():
            return value
        case dict():
            return "\n".join(_strings(item) for item in value.values())
        case list():
            return "\n".join(_strings(item) for item in value)
        case _:
            return ""


def _match(
    session: Session, found: tuple[int, str, Snippet], tips: list[list[str]], active: set[int]
) -> Match:
    number, kind, words = found
    story = session.story
    knot = story.above[number]
    end = end_of_turn(session, knot, active)
    record = session.tree.nodes[number]
    return Match(
        uuid=record.uuid or "",
        kind=kind,
        snippet=words,
        timestamp=record.timestamp,
        turn=point_at(session, knot).prompt,
        end=point_at(session, end).uuid if end != NONE else None,
        active=knot in active,
        tips=tuple(tips[knot]),
        above=_ancestors(story, knot, _AROUND),
        below=_children(story, knot),
    )


def _tips_below(session: Session) -> list[list[str]]:
    """List for each knot the tips it leads to."""
    below: list[list[str]] = [[] for _ in session.story.knots]
    for tip in session.tips:
        for knot in session.story.path(tip.knot):
            below[knot].append(tip.uuid)
    return below


def _ancestors(story: Story, knot: int, reach: int) -> tuple[Neighbour, ...]:
    found: list[Neighbour] = []
    above = story.knots[knot].parent
    while above != NONE and len(found) < reach:
        found.append(_neighbour(story, above))
        above = story.knots[above].parent
    return tuple(reversed(found))


def _children(story: Story, knot: int) -> tuple[Neighbour, ...]:
    return tuple(_neighbour(story, child) for child in story.knots[knot].children)


def _neighbour(story: Story, knot: int) -> Neighbour:
    own = story.knots[knot]
    first = story.tree.nodes[own.first]
    uuid = story.tree.uuid(own.first if own.kind is Is.PROMPT else story.last_line(knot))
    return Neighbour(uuid, own.kind.name.lower(), _words(story, knot), first.timestamp)


def _words(story: Story, knot: int) -> str:
    """Give the first words of a knot."""
    for number in story.knots[knot].nodes:
        record = story.tree.nodes[number]
        if isinstance(record, User) and said(record) is not Said.RESULT:
            return one_line(asked_words(record))
        if isinstance(record, Assistant):
            words = [b.text for b in message_of(record).blocks if isinstance(b, Text)]
            calls = [b.name for b in message_of(record).blocks if isinstance(b, ToolUse)]
            if text := " ".join([*words, *calls]).strip():
                return one_line(text)
    return ""
