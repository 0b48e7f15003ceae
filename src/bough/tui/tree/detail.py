"""What is told about a point of the tree: where it stands, how it ended, what can be done.

The turns before and after a point, along the branch that it was chosen on.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from bough.library import Session, read_session
from bough.model.conversation.branch_path import asked_on, conversation_through, why_left
from bough.model.conversation.exchanges import FAILED, INTERRUPTED, OPEN, Exchange
from bough.model.conversation.outline import Branch
from bough.model.tree.message_tree import NONE, Is
from bough.model.usage.costs import NOTHING
from bough.records.blocks import Text
from bough.records.decode import message_of
from bough.records.types import Assistant
from bough.tui.keymap import Keymap, shown
from bough.tui.style.style import Line, Role, money, one_line, plural, wrap
from bough.tui.tree.graph import Graph, Point
from bough.tui.widgets.list_items import Piece, blank, say

_KEYS: Final = {
    "open": "Read this branch",
    "compare": "Compare with the active branch",
    "fork": "Fork a new session",
    "make-active": "Make this the active branch",
    "raw": "Raw records",
}
_ENDS: Final = {OPEN: "unfinished", INTERRUPTED: "interrupted", FAILED: "failed"}
_PROMPT, _ANSWER = 4, 6
_LABEL: Final = 6


def detail_pieces(point: Point, graph: Graph, keymap: Keymap) -> list[Piece]:
    """Tell about a point."""
    one = point.exchange
    pieces = [*_standing(one, graph), _words("prompt", one.text, Role.PROMPT, _PROMPT)]
    facts = (
        graph.sheet.time(one.timestamp),
        plural(one.steps, "step"),
        plural(len(one.agents), "agent") if one.agents else "",
        money(one.bill),
        _ENDS.get(one.end, "finished"),
    )
    pieces += [say("facts", ", ".join(fact for fact in facts if fact)), blank("1")]
    answer = _last_words(one, graph)
    if answer:
        pieces += [_words("answer", answer, Role.CLAUDE, _ANSWER), blank("2")]
    more = graph.sheet.styles.glyphs.ellipsis
    for name, does in _KEYS.items():
        key = keymap.key(name)
        press = shown(key.keys[0]) if key.keys else "-"
        opens = more if name in ("fork", "make-active") else ""
        pieces.append(say(f"k{name}", f"{press:<{_LABEL}} {does}{opens}"))
    return pieces


def _standing(one: Exchange, graph: Graph) -> Iterator[Piece]:
    """Say whether it is active, and of a branch that was left, where and why."""
    glyphs = graph.sheet.styles.glyphs
    branch, parent = graph.branch_of(one)
    if one.active:
        yield say("state", f"{glyphs.tip} Active tip", Role.ACTIVE)
    elif branch is None or branch.active:
        yield say("state", f"{glyphs.knot} On the active branch", Role.ACTIVE)
    else:
        why, at = why_left(branch)
        words = " ".join(filter(None, (why, graph.sheet.time(at) if at else "")))
        yield say("state", f"{glyphs.other} Left behind, {words}", Role.LEFT)
        if parent is not None:
            yield _words("split", f'Split from "{one_line(parent.text)}"', Role.META, 2)
        yield say("branch", _sum(branch))


def _sum(branch: Branch) -> str:
    own = asked_on(branch)
    bill = sum((one.bill for one in own), NOTHING)
    facts = (
        plural(len(own), "turn"),
        plural(sum(one.steps for one in own), "step"),
        money(bill),
    )
    return ", ".join(fact for fact in facts if fact)


def _words(key: str, text: str, role: Role, most: int) -> Piece:
    """Make a piece of a text, of a long one its beginning."""

    def draw(columns: int) -> list[Line]:
        return [((role, line),) for line in wrap(one_line(text), max(10, columns - 1))[:most]]

    return Piece(key, draw, "talk", picked=False)


def _last_words(one: Exchange, graph: Graph) -> str:
    """Give how an exchange ended: the last that Claude said in it."""
    tree = graph.session.tree
    numbers = sorted((tree.number[u] for u in one.uuids if u in tree.number), reverse=True)
    for text in _texts(tree.nodes[number] for number in numbers):
        if text.strip():
            return text
    return ""


def _texts(records: Iterable[object]) -> Iterator[str]:
    for record in records:
        if isinstance(record, Assistant):
            yield from (b.text for b in reversed(message_of(record).blocks) if isinstance(b, Text))


def turn_beside(path: str, branch: str, here: str, by: int) -> str | None:
    """Find the prompt of a turn so many turns away; None where the branch has none there.

    Args:
        path: The session's file.
        branch: A record of the branch.
        here: A record of the turn to go from.
        by: How many turns, back where it is below zero.
    """
    return beside(read_session(path), branch, here, by)


def beside(session: Session, branch: str, here: str, by: int) -> str | None:
    """Find the prompt of a turn in a session that is open."""
    story, number = session.story, session.tree.number
    if branch not in number or here not in number:
        return None
    knots = conversation_through(session, branch).knots
    prompts = [knot for knot in knots if story.knots[knot].kind is Is.PROMPT]
    own = story.above[number[here]]
    if own == NONE or own not in knots:
        return None
    at = knots.index(own)
    passed = sum(knots.index(prompt) <= at for prompt in prompts) - 1
    wanted = passed + by
    if not 0 <= wanted < len(prompts):
        return None
    return session.tree.uuid(story.knots[prompts[wanted]].first)
