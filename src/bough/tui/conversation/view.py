"""A conversation as pieces: prompts, words, thoughts, steps, agents, twigs and seams.

The lines of each piece are those of `bough show`; here they are hung on the stem, folded and
opened one by one. A piece is laid out when it is seen, so telling twenty thousand of them
takes no longer than listing them.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from itertools import groupby

from msgspec import Struct

from bough.model.conversation.branch_path import Item, conversation_through, left_because, route
from bough.model.conversation.exchanges import Exchange
from bough.model.conversation.outline import Branch, Overview, Parting, Seam, overview
from bough.model.conversation.turns import Turn, Words
from bough.model.session import Session
from bough.model.text.times import moment_of
from bough.model.tools.call_row import is_agent
from bough.model.tools.calls import ToolBlock
from bough.tui.conversation.folds import Folds
from bough.tui.conversation.tool_items import Steps, agent_answer, agent_lines
from bough.tui.conversation.turn_items import Hanging, Stem, long_words, spoken_lines, whole_lines
from bough.tui.style.style import (
    Glyphs,
    Role,
    Sheet,
    now,
    plural,
    setting_for,
    spans_styles,
    time_words,
    turns_by_item,
)
from bough.tui.widgets.list_items import Piece, blank

_OPEN_STEPS = 12
"""Runs of so many steps are open until somebody folds them."""


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
        up_to: bool = False,
    ) -> None:
        """Tell the conversation that goes through `tip`, or `up_to` it and no further."""
        self.session = session
        self.scope = scope
        self.depth = depth
        self.conversation = (
            session.conversation(tip) if up_to else conversation_through(session, tip)
        )
        self.seen: Overview = overview(session)
        self.items = route(self.seen, self.conversation.tip)
        if up_to:  # other ways are no part of it
            self.items = [item for item in self.items if not isinstance(item, Parting)]
        self.turns = turns_by_item([self.conversation], self.items)
        ended = moment_of(session.ended_at)
        # Seen from the session's end, so that its last day has hours.
        sheet = Sheet(ended or now(), spans_styles(glyphs), 80, time_words())
        self.setting = setting_for(session, self.seen, sheet, [self.conversation])
        self.glyphs = glyphs
        role = Role.ACTIVE if self.conversation.active or depth else Role.LEFT
        self._hang = Hanging(self.setting, Stem(glyphs, role, depth))
        self._agents: dict[str, tuple[str, Telling | None]] = {}
        """Agents by their calls, each with the key of the turn that started it."""
        self._made: dict[int, list[Piece]] = {}

    # -- pieces -------------------------------------------------------------------------------

    def pieces(self, folds: Folds) -> list[Piece]:
        """List the pieces, the newest last."""
        if not self.items:
            return [p for turn in self.conversation.turns for p in self._turn(turn, folds)]
        found: list[Piece] = []
        for number, item in enumerate(self.items):
            made = self._made.get(number)
            if made is None:
                made = self._made[number] = list(self._item(item, folds))
            found += made
        return found

    def renew(self, key: str | None = None) -> None:
        """Make the pieces of a turn again, or all of them; agents opened in place too."""
        inside = [
            (at, inner)
            for at, inner in list(self._agents.values())  # a thread that finds may add one
            if inner is not None and (key is None or key.startswith(inner.scope))
        ]
        for _, inner in inside:
            inner.renew(key)
        own = (key or "").removeprefix(self.scope).partition(":")[0].partition("/")[0]
        turns = [at for at, _ in inside] if inside and key else [f"{self.scope}{own}"]
        numbers = [self._item_of.get(turn) for turn in turns]
        if key is None or None in numbers:
            self._made.clear()
        for number in numbers:
            self._made.pop(number or 0, None)

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
            draw = partial(self._hang.turn, spoken_lines, turn, folds.is_open(key))
            yield Piece(key, draw, "prompt", about)
        elif turn.kind != "compaction":
            draw = partial(self._hang.turn, whole_lines, turn, folds.is_open(key))
            yield Piece(key, draw, turn.kind, about)

    def _answer(self, turn: Turn, key: str, folds: Folds) -> Iterator[Piece]:
        head = replace_blocks(turn, [])
        yield Piece(
            f"{key}:",
            partial(self._hang.turn, whole_lines, head, False),
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
                    if folds.thinking or own in folds.looked:
                        one = replace_blocks(turn, [block])
                        draw = partial(self._hang.thought, one, seconds, folds.is_open(own))
                        yield Piece(own, draw, "thought", about)
                else:
                    one = replace_blocks(turn, [long_words(block, whole=folds.is_open(own))])
                    draw = partial(self._hang.block, one, folds.is_open(own))
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
            draw = partial(self._hang.rows, partial(steps.summary, shown))
            about = About(turn, None, session=self.session)
            yield Piece(group, draw, "steps", about)
        if not shown:
            return
        for at, (number, block) in enumerate(zip(numbers, blocks, strict=True)):
            own = f"{key}:{number}"
            draw = partial(self._hang.rows, partial(steps.row, at, folds.is_open(own)))
            yield Piece(own, draw, "tool", About(turn, block, session=self.session))

    def _agent(self, turn: Turn, block: ToolBlock, key: str, folds: Folds) -> Iterator[Piece]:
        opened = folds.is_open_by_hand(key)
        inner = self.agent_telling(block) if opened else None
        row = partial(agent_lines, block, self.setting, inner is not None)
        if opened and inner is None:  # its file is gone: the call has what it answered
            row = partial(agent_answer, block, self.setting)
        draw = partial(self._hang.rows, row)
        yield Piece(key, draw, "agent", About(turn, block, session=self.session))
        if inner is not None:
            yield from inner.pieces(folds)

    def _foot(self, item: Exchange, turns: Sequence[Turn]) -> Piece:
        draw = partial(self._hang.foot, item, turns)
        return Piece(f"{self.scope}{item.uuid}/foot", draw, "foot", picked=False)

    def _seam(self, seam: Seam, folds: Folds) -> Iterator[Piece]:
        key = f"{self.scope}{seam.uuid}/seam"
        turns = self.turns.get(seam.uuid or "", ())
        draw = partial(self._hang.seam, seam, turns, folds.is_open(key))
        first = turns[0] if turns else None
        yield Piece(key, draw, "seam", About(first, item=seam, session=self.session))
        yield blank(f"{key}.")

    def _twig(self, branch: Branch, number: int) -> Piece:
        asked = [one for one in branch.items if isinstance(one, Exchange)]
        key = f"{self.scope}{asked[0].uuid if asked else number}/twig"
        draw = partial(self._hang.twig, branch)
        return Piece(key, draw, "twig", About(item=branch, session=self.session))

    # -- finding ------------------------------------------------------------------------------

    def key_of(self, turn: Turn) -> str:
        """Name a turn: by its uuid, a bad line by its place."""
        return f"{self.scope}{turn.uuid or f'@{turn.offset}'}"

    def agent_telling(self, block: ToolBlock) -> "Telling | None":
        """Give the conversation of the agent that a call started; None where it is gone."""
        if block.id not in self._agents:
            agent = self.session.agent(block.id)
            inner = None
            if agent is not None:
                scope = f"{self.scope}{agent.id}/"
                inner = Telling(agent, glyphs=self.glyphs, scope=scope, depth=self.depth + 1)
            self._agents[block.id] = (self._turn_of_call.get(block.id, ""), inner)
        return self._agents[block.id][1]

    @cached_property
    def _turn_of_call(self) -> dict[str, str]:
        return {
            block.id: self.key_of(turn)
            for turn in self.conversation.turns
            for block in turn.blocks
            if isinstance(block, ToolBlock)
        }

    def holding(self, uuid: str) -> Turn | None:
        """Find the turn that a record is part of."""
        return next((t for t in self.conversation.turns if uuid in t.uuids), None)


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
