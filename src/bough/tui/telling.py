"""A conversation as pieces: prompts, words, thoughts, steps, agents, twigs and seams.

The lines of each piece are those of `bough show`; here they are hung on the stem, folded and
opened one by one. A piece is laid out when it is seen, so telling twenty thousand of them
takes no longer than listing them.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from bough.model.conversation import Conversation
from bough.model.elapsed import moment_of
from bough.model.exchanges import Exchange
from bough.model.overview import Branch, Overview, Parting, Seam, overview
from bough.model.route import Item, left_at, left_because, route
from bough.model.session import Session
from bough.model.tools import ToolBlock
from bough.model.toolview import is_agent
from bough.model.turns import Turn, Words
from bough.tui.folds import Folds
from bough.tui.looks import (
    Glyphs,
    Line,
    Role,
    Sheet,
    foot,
    now,
    plural,
    setting_for,
    spans_of,
    spans_styles,
    time_words,
    turns_by_item,
)
from bough.tui.pieces import Piece, blank
from bough.tui.stem import Stem
from bough.tui.toolpieces import Steps, agent_lines, block_text, seam_lines, twig_lines
from bough.tui.turnpieces import long_words, spoken_lines, thought_lines, whole_lines

_OPEN_STEPS = 12
"""Runs of so many steps are open until somebody folds them."""


class Spot(Struct, frozen=True):
    """Where some words stand: the piece, and what has to be open for it to be there."""

    key: str
    opens: tuple[str, ...] = ()


class About(Struct, frozen=True):
    """What a piece of a conversation stands for."""

    turn: Turn | None = None
    block: ToolBlock | Words | None = None
    item: Item | Branch | None = None
    session: Session | None = None


class Telling:
    """One conversation of a session, ready to be shown."""

    def __init__(
        self,
        session: Session,
        tip: str | None = None,
        *,
        glyphs: Glyphs,
        scope: str = "",
        depth: int = 0,
    ) -> None:
        self.session = session
        self.scope = scope
        self.depth = depth
        self.conversation = chosen(session, tip)
        self.seen: Overview = overview(session)
        self.items = route(self.seen, self.conversation.tip)
        self.turns = turns_by_item([self.conversation], self.items)
        ended = moment_of(session.ended_at)
        # Seen from the session's end, so that its last day has hours.
        sheet = Sheet(ended or now(), spans_styles(glyphs), 80, time_words())
        self.setting = setting_for(session, self.seen, sheet, [self.conversation])
        self.glyphs = glyphs
        role = Role.ACTIVE if self.conversation.active or depth else Role.LEFT
        self.stem = Stem(glyphs, role, depth)
        self._agents: dict[str, Telling | None] = {}
        self._made: dict[int, list[Piece]] = {}

    # -- pieces -------------------------------------------------------------------------------

    def pieces(self, folds: Folds) -> list[Piece]:
        """List the pieces, the newest last."""
        if not self.items:
            return [p for turn in self.conversation.turns for p in self._turn(turn, folds)]
        found: list[Piece] = []
        for number, item in enumerate(self.items):
            if number not in self._made:
                self._made[number] = list(self._item(item, folds))
            found += self._made[number]
        return found

    def renew(self, key: str | None = None) -> None:
        """Make the pieces of a turn again, or all of them."""
        turn = (key or "").partition(":")[0].partition("/")[0]
        number = self._item_of.get(turn)
        if number is None:
            self._made.clear()
        else:
            self._made.pop(number, None)

    @cached_property
    def _item_of(self) -> dict[str, int]:
        """Find the place of a turn among the items."""
        return {
            self.key_of(turn): number
            for number, item in enumerate(self.items)
            if isinstance(item, Exchange)
            for turn in self.turns.get(item.uuid or "", ())
        }

    def _item(self, item: Item, folds: Folds) -> Iterator[Piece]:
        match item:
            case Exchange():
                own = self.turns.get(item.uuid or "", ())
                for turn in own:
                    yield from self._turn(turn, folds)
                yield self._foot(item, own)
            case Seam():
                yield from self._seam(item, folds)
            case Parting():
                for number, branch in enumerate(item.branches):
                    yield self._twig(branch, number)

    def _turn(self, turn: Turn, folds: Folds) -> Iterator[Piece]:
        key = self.key_of(turn)
        about = About(turn=turn, session=self.session)
        if turn.kind == "assistant":
            yield from self._answer(turn, key, folds)
        elif turn.kind in ("prompt", "queued", "command", "shell"):
            draw = partial(self._drawn, spoken_lines, turn, folds.is_open(key))
            yield Piece(key, draw, "prompt", about)
        elif turn.kind != "compaction":
            draw = partial(self._drawn, whole_lines, turn, folds.is_open(key))
            yield Piece(key, draw, turn.kind, about)

    def _answer(self, turn: Turn, key: str, folds: Folds) -> Iterator[Piece]:
        head = replace_blocks(turn, [])
        yield Piece(
            f"{key}:",
            partial(self._drawn, whole_lines, head, False),
            "claude",
            About(turn=turn, session=self.session),
            picked=False,
        )
        thoughts = iter(self.setting.thoughts.get(turn.uuid or "", ()))
        numbered = list(enumerate(turn.blocks))
        for what, run in groupby(numbered, key=lambda pair: _manner(pair[1])):
            if what == "step":
                yield from self._steps(turn, key, list(run), folds)
                continue
            for number, block in run:
                own = f"{key}:{number}"
                about = About(turn, block, session=self.session)
                if isinstance(block, ToolBlock):
                    yield from self._agent(turn, block, own, folds)
                elif block.type in ("thinking", "redacted_thinking"):
                    seconds = next(thoughts, None)
                    if folds.thinking:
                        one = replace_blocks(turn, [block])
                        draw = partial(self._thought, one, seconds, folds.is_open(own))
                        yield Piece(own, draw, "thought", about)
                else:
                    one = replace_blocks(turn, [long_words(block, whole=folds.is_open(own))])
                    draw = partial(self._tail, one, folds.is_open(own))
                    yield Piece(own, draw, "text" if block.type == "text" else "note", about)

    def _steps(
        self, turn: Turn, key: str, run: Sequence[tuple[int, ToolBlock | Words]], folds: Folds
    ) -> Iterator[Piece]:
        numbers = [number for number, block in run if isinstance(block, ToolBlock)]
        blocks = [block for _, block in run if isinstance(block, ToolBlock)]
        steps = Steps(blocks, self.setting)
        several = len(blocks) > 1
        group = f"{key}:{numbers[0]}+"
        shown = folds.is_open(group, habit=len(blocks) <= _OPEN_STEPS) or not several
        if several:
            draw = partial(self._plain, steps.summary, shown)
            about = About(turn, None, session=self.session)
            yield Piece(group, draw, "steps", about)
        if not shown:
            return
        for at, (number, block) in enumerate(zip(numbers, blocks, strict=True)):
            own = f"{key}:{number}"
            draw = partial(self._plain, steps.row, at, folds.is_open(own))
            yield Piece(own, draw, "tool", About(turn, block, session=self.session))

    def _agent(self, turn: Turn, block: ToolBlock, key: str, folds: Folds) -> Iterator[Piece]:
        opened = (folds.is_open(key) and not folds.everything) or key in folds.opened
        draw = partial(self._plain, agent_lines, block, self.setting, opened)
        yield Piece(key, draw, "agent", About(turn, block, session=self.session))
        inner = self.agent_telling(block) if opened else None
        if inner is not None:
            yield from inner.pieces(folds)

    def _foot(self, item: Exchange, turns: Sequence[Turn]) -> Piece:
        draw = partial(self._foot_lines, item, turns)
        return Piece(f"{self.scope}{item.uuid}/foot", draw, "foot", picked=False)

    def _seam(self, seam: Seam, folds: Folds) -> Iterator[Piece]:
        key = f"{self.scope}{seam.uuid}/seam"
        turns = self.turns.get(seam.uuid or "", ())
        draw = partial(self._seam_lines, seam, turns, folds.is_open(key))
        first = turns[0] if turns else None
        yield Piece(key, draw, "seam", About(first, item=seam, session=self.session))
        yield blank(f"{key}.")

    def _twig(self, branch: Branch, number: int) -> Piece:
        asked = [one for one in branch.items if isinstance(one, Exchange)]
        key = f"{self.scope}{asked[0].uuid if asked else number}/twig"
        draw = partial(self._twig_lines, branch)
        return Piece(key, draw, "twig", About(item=branch, session=self.session))

    # -- lines --------------------------------------------------------------------------------

    def _sheet(self, columns: int, *, full: bool = False) -> Sheet:
        return replace(self.setting.sheet, columns=columns - self.stem.indent, full=full)

    def _drawn(self, write: object, turn: Turn, full: bool, columns: int) -> list[Line]:
        setting = replace(self.setting, sheet=self._sheet(columns, full=full))
        lines = write(turn, setting) if callable(write) else []
        return self.stem.hung([spans_of(line) for line in lines])

    def _tail(self, turn: Turn, full: bool, columns: int) -> list[Line]:
        """Draw one block of an answer, without the line that says whose it is."""
        return self._drawn(lambda t, s: whole_lines(t, s)[1:], turn, full, columns)

    def _thought(self, turn: Turn, seconds: float | None, full: bool, columns: int) -> list[Line]:
        write = partial(thought_lines, seconds=seconds)
        return self._drawn(write, turn, full, columns)

    def _plain(self, write: object, *given: object) -> list[Line]:
        *rest, columns = given
        if not isinstance(columns, int) or not callable(write):
            return []
        return self.stem.hung(write(*rest, self._sheet(columns)))

    def _foot_lines(self, item: Exchange, turns: Sequence[Turn], columns: int) -> list[Line]:
        setting = replace(self.setting, sheet=self._sheet(columns))
        lines = [spans_of(line) for line in foot(item, turns, setting)]
        return [*self.stem.hung(lines), *self.stem.hung([()])]

    def _seam_lines(
        self, seam: Seam, turns: Sequence[Turn], full: bool, columns: int
    ) -> list[Line]:
        return self.stem.bare(seam_lines(seam, turns, self._sheet(columns, full=full)))

    def _twig_lines(self, branch: Branch, columns: int) -> list[Line]:
        why = left_because(branch)
        at = left_at(branch) if why == "rewound" else None
        return self.stem.bare(twig_lines(branch, why, at, self._sheet(columns)))

    # -- finding ------------------------------------------------------------------------------

    def key_of(self, turn: Turn) -> str:
        """Name a turn: by its uuid, a bad line by its place."""
        return f"{self.scope}{turn.uuid or f'@{turn.offset}'}"

    def agent_telling(self, block: ToolBlock) -> "Telling | None":
        """Give the conversation of the agent that a call started; None where it is gone."""
        if block.id not in self._agents:
            agent = self.session.agent(block.id)
            self._agents[block.id] = (
                None
                if agent is None
                else Telling(
                    agent,
                    glyphs=self.glyphs,
                    scope=f"{self.scope}{agent.id}/",
                    depth=self.depth + 1,
                )
            )
        return self._agents[block.id]

    def holding(self, uuid: str) -> Turn | None:
        """Find the turn that a record is part of."""
        return next((t for t in self.conversation.turns if uuid in t.uuids), None)

    def spots(self, needle: str, within: Turn | None = None) -> list[Spot]:
        """Find all places where some words stand, in the order they are read."""
        wanted = needle.casefold()
        turns = [within] if within is not None else self.conversation.turns
        return [spot for turn in turns for spot in self._spots(turn, wanted)] if wanted else []

    def _spots(self, turn: Turn, wanted: str) -> Iterator[Spot]:
        key = self.key_of(turn)
        if turn.kind != "assistant":
            if any(wanted in block_text(block).casefold() for block in turn.blocks):
                own = f"{key}/seam" if turn.kind == "compaction" else key
                yield Spot(own, (own,))
            return
        run = ""
        for number, block in enumerate(turn.blocks):
            step = isinstance(block, ToolBlock) and not is_agent(block)
            run = (run or f"{key}:{number}+") if step else ""
            if wanted in block_text(block).casefold():
                own = f"{key}:{number}"
                yield Spot(own, (own, run) if run else (own,))


def replace_blocks(turn: Turn, blocks: Sequence[ToolBlock | Words]) -> Turn:
    """Give a turn with other blocks."""
    return Turn(turn.kind, turn.uuid, turn.offset, turn.timestamp, turn.model, [], [*blocks])


def left_words(branch: Branch) -> str:
    """Say how long a branch is, and why it was left."""
    asked = [item for item in branch.items if isinstance(item, Exchange)]
    why = "active" if branch.active else left_because(branch)
    return ", ".join(word for word in (plural(len(asked), "turn"), why) if word)


def _manner(block: ToolBlock | Words) -> str:
    return "step" if isinstance(block, ToolBlock) and not is_agent(block) else "said"


def chosen(session: Session, uuid: str | None) -> Conversation:
    """Choose the conversation to a tip, or the one that goes on through a message."""
    if uuid is None:
        return session.conversation()
    through = [c for c in session.conversations if c.tip == uuid]
    if not through:
        through = [c for c in session.conversations if any(n.uuid == uuid for n in c.nodes)]
    active = [c for c in through if c.active]
    return (active or through[-1:] or [session.conversation(uuid)])[0]
