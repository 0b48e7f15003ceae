"""The pieces of a conversation as items of a list, each folded and opened by itself.

The lines of each item are those of `bough show`, put on the rail. An item is laid out when it
is seen, so twenty thousand of them take no longer than listing them.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property, partial
from typing import Final

from msgspec import Struct

from bough.library import outline
from bough.model.conversation.content import TextBlock
from bough.model.conversation.messages import ContentBlock, Message
from bough.model.conversation.plan_files import PlanFile, PlanLink
from bough.model.conversation.steps import (
    AnswerPart,
    RunRow,
    Step,
    StepRun,
    group_rows,
    is_talk,
    split_into_parts,
)
from bough.model.interpret.message_kinds import PERSON_KINDS, THOUGHT_TYPES
from bough.model.outline.branch_path import (
    OutlineItem,
    find_conversation_through,
    format_branch_length,
    name_leave_reason,
    path_to_tip,
)
from bough.model.outline.day_lines import find_day_starts, list_piece_times
from bough.model.outline.message_facts import MessageFacts, group_messages_by_item
from bough.model.outline.pieces import Piece, PieceKind, list_pieces
from bough.model.outline.session_outline import (
    Branch,
    BranchOff,
    Compaction,
    SessionOutline,
)
from bough.model.outline.turns import Turn
from bough.model.session import Session
from bough.model.tools.calls import ToolBlock
from bough.terminal import clock
from bough.terminal.canvas import Canvas
from bough.terminal.clock import read_time_words
from bough.terminal.conversation.messages import (
    build_message_context,
    render_answer_head,
    render_message,
)
from bough.terminal.conversation.tools import INDENT
from bough.terminal.style import Glyphs, Role
from bough.tui.conversation.folds import Folds
from bough.tui.conversation.message_items import Rail, RailRenderer, render_prompt, truncate_block
from bough.tui.conversation.tool_items import (
    ROWS_IN,
    StepLines,
    render_agent_answer,
    render_agent_lines,
    render_hidden_rows,
)
from bough.tui.widgets.list_items import Draw, ListItem, make_blank_item

_FOLDS: Final = ("", "*")
"""A block may be a fold, and the first of the rows that its block of steps does not show."""


class ItemSource(Struct, frozen=True):
    """What a piece of a conversation stands for."""

    message: Message | None = None
    block: ContentBlock | None = None
    item: OutlineItem | Branch | None = None
    session: Session | None = None


class ConversationContent:
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
        """Show the conversation that goes through `tip`, or `up_to` it and no further."""
        self.session = session
        self.scope = scope
        self.depth = depth
        self.conversation = (
            session.conversation(tip) if up_to else find_conversation_through(session, tip)
        )
        self.outline: SessionOutline = outline(session)
        self.items = path_to_tip(self.outline, self.conversation.tip)
        if up_to:  # other branches are no part of it
            self.items = [item for item in self.items if not isinstance(item, BranchOff)]
        by_item = group_messages_by_item([self.conversation], self.items)
        self._pieces = list_pieces(self.items, by_item, self.conversation.messages)
        self.facts = MessageFacts(session, self.outline, [self.conversation])
        canvas = Canvas(clock.now(), glyphs, 80, read_time_words(), markdown=True)
        self.context = build_message_context(self.facts, canvas)
        self.glyphs = glyphs
        role = Role.ACTIVE if self.conversation.active or depth else Role.LEFT
        self._renderer = RailRenderer(self.context, Rail(glyphs, role, depth))
        self._agents: dict[str, tuple[str, ConversationContent | None]] = {}
        """Agents by their calls, each with the key of the message that started it."""
        self._cached_items: dict[int, list[ListItem]] = {}
        today = canvas.today if not depth else None
        self._days = find_day_starts(list_piece_times(self._pieces), today, canvas.words.zone)

    # -- pieces -------------------------------------------------------------------------------

    def pieces(self, folds: Folds) -> list[ListItem]:
        """List the items of all pieces, the newest last."""
        found: list[ListItem] = []
        for number, piece in enumerate(self._pieces):
            made = self._cached_items.get(number)
            if made is None:
                made = self._cached_items[number] = list(self._build_piece(piece, folds))
            if number in self._days:
                draw = partial(self._renderer.day, self._days[number])
                found.append(ListItem(f"{self.scope}{piece.key}/day", draw, "day", picked=False))
            found += made
        return found

    def mark_plans(self, marks: Mapping[str, Sequence[PlanLink | PlanFile]]) -> None:
        """Set what leads from a turn to a plan, or to what was built from it."""
        if marks != self.facts.plan_marks:
            self.facts.plan_marks = marks
            self.invalidate_items()

    def set_live(self, now: datetime | None) -> None:
        """Say that Claude works on it at a moment, or no longer; the last message shows it."""
        if now == self.facts.live_at:
            return
        self.facts.live_at = now
        if self.conversation.messages:
            self.invalidate_items(self.key_of(self.conversation.messages[-1]))

    def invalidate_items(self, key: str | None = None) -> None:
        """Make the items of a message again, or all of them; agents opened in place too."""
        inside = [
            (at, inner)
            for at, inner in list(self._agents.values())  # a thread that finds may add one
            if inner is not None and (key is None or key.startswith(inner.scope))
        ]
        for _, inner in inside:
            inner.invalidate_items(key)
        own = (key or "").removeprefix(self.scope).partition(":")[0].partition("/")[0]
        messages = [at for at, _ in inside] if inside and key else [f"{self.scope}{own}"]
        numbers = [self._numbers_by_message.get(message) for message in messages]
        if key is None or None in numbers:
            self._cached_items.clear()
        for number in numbers:
            self._cached_items.pop(number or 0, None)

    @cached_property
    def _numbers_by_message(self) -> dict[str, int]:
        """Give the number of the piece of each message, by its key."""
        return {
            self.key_of(piece.message): number
            for number, piece in enumerate(self._pieces)
            if piece.message is not None
        }

    def _build_piece(self, piece: Piece, folds: Folds) -> Iterator[ListItem]:
        key = f"{self.scope}{piece.key}"
        match piece.item:
            case Turn() as turn:
                for number, mark in enumerate(self.facts.plan_marks.get(turn.key, ())):
                    link: Draw = partial(self._renderer.plan_mark, mark)
                    yield ListItem(f"{key}/plan/{number}", link, "plan", mark)
                draw: Draw = partial(self._renderer.summary, turn, piece.messages)
                yield ListItem(key, draw, "turn-end", picked=False)
            case Compaction() as compaction:
                yield from self._build_compaction(compaction, piece.messages, key, folds)
            case Branch() as branch:
                draw = partial(self._renderer.side_branch, branch)
                about = ItemSource(item=branch, session=self.session)
                yield ListItem(key, draw, "side-branch", about)
            case None:
                # A compaction is one item, whatever else came with it.
                if piece.message is not None and not isinstance(piece.within, Compaction):
                    yield from self._build_message(piece.message, piece.kind, key, folds)

    def _build_message(
        self, message: Message, kind: PieceKind, key: str, folds: Folds
    ) -> Iterator[ListItem]:
        if kind is PieceKind.ANSWER:
            yield from self._build_answer(message, key, folds)
        elif kind is PieceKind.NOTE and folds.talk and key not in folds.opened_for_match:
            return
        elif kind is not PieceKind.COMPACTION:
            is_prompt = kind in PERSON_KINDS
            write = render_prompt if is_prompt else render_message
            draw = partial(self._renderer.message, write, message, folds.is_open(key))
            about = ItemSource(message=message, session=self.session)
            yield ListItem(key, draw, "prompt" if is_prompt else message.kind, about)

    def _build_answer(self, message: Message, key: str, folds: Folds) -> Iterator[ListItem]:
        yield ListItem(
            f"{key}:",
            partial(self._renderer.message, render_answer_head, message, False),
            "claude",
            ItemSource(message=message, session=self.session),
            picked=False,
        )
        thoughts = self.facts.thought_durations(message)
        for part in split_into_parts(message.blocks):
            if folds.talk and not is_talk(part) and not _is_found(part, key, folds):
                continue
            if isinstance(part, StepRun):
                yield from self._build_steps(message, key, part, folds)
                continue
            own, block = f"{key}:{part.number}", part.block
            if isinstance(block, ToolBlock):
                yield from self._build_agent(message, block, own, folds)
                continue
            yield from self._build_words(message, block, own, thoughts.get(part.number), folds)

    def _build_words(
        self,
        message: Message,
        block: TextBlock,
        key: str,
        seconds: float | None,
        folds: Folds,
        indent: int = INDENT,
    ) -> Iterator[ListItem]:
        """Make the item of a text, a note or a thought; none of a thought that is hidden."""
        is_thought = block.type in THOUGHT_TYPES
        if is_thought and not (folds.thinking or key in folds.opened_for_match):
            return
        is_open = folds.is_open(key)
        shown = block if is_thought else truncate_block(block, whole=is_open)
        draw = partial(self._renderer.block, shown, seconds, is_open, indent)
        name = "thought" if is_thought else "text" if block.type == "text" else "note"
        yield ListItem(key, draw, name, ItemSource(message, block, session=self.session))

    def _build_steps(
        self, message: Message, key: str, run: StepRun, folds: Folds
    ) -> Iterator[ListItem]:
        """Make the items of a block: its line, and of a long one its ends and what failed."""
        lines = StepLines(run.steps, self.facts)
        group = name_run_fold(key, run)
        shown = folds.is_open(group, habit=True) or len(lines.views) == 1
        if len(lines.views) > 1:
            draw = partial(self._renderer.rows, partial(lines.summary, shown))
            about = ItemSource(message, None, session=self.session)
            yield ListItem(group, draw, "steps", about)
        if not shown:
            return
        for part in group_rows(run, lines.views):
            own = name_hidden_fold(key, part.rows)
            if part.is_hidden:
                draw = partial(
                    self._renderer.rows, partial(render_hidden_rows, part.rows, folds.is_open(own))
                )
                about = ItemSource(message, None, session=self.session)
                yield ListItem(own, draw, "steps", about)
            if not part.is_hidden or folds.is_open(own):
                yield from self._build_rows(message, key, part.rows, lines, folds)

    def _build_rows(
        self,
        message: Message,
        key: str,
        rows: Sequence[RunRow],
        lines: StepLines,
        folds: Folds,
    ) -> Iterator[ListItem]:
        thoughts = self.facts.thought_durations(message)
        for row in rows:
            own = f"{key}:{row.number}"
            if isinstance(row, Step):
                draw = partial(self._renderer.rows, partial(lines.row, row, folds.is_open(own)))
                about = ItemSource(message, row.block, session=self.session)
                yield ListItem(own, draw, "tool", about)
            else:
                seconds = thoughts.get(row.number)
                indent = ROWS_IN if row.is_thought else ROWS_IN + INDENT
                yield from self._build_words(message, row.block, own, seconds, folds, indent)
            for number, note in row.notes:
                yield from self._build_words(
                    message, note, f"{key}:{number}", None, folds, ROWS_IN + INDENT
                )

    def _build_agent(
        self, message: Message, block: ToolBlock, key: str, folds: Folds
    ) -> Iterator[ListItem]:
        opened = folds.is_open_by_hand(key)
        inner = self.find_agent_content(block) if opened else None
        row = partial(render_agent_lines, block, self.facts, inner is not None)
        if opened and inner is None:  # its file is gone: the call has what it answered
            row = partial(render_agent_answer, block, self.facts)
        draw = partial(self._renderer.rows, row)
        yield ListItem(key, draw, "agent", ItemSource(message, block, session=self.session))
        if inner is not None:
            yield from inner.pieces(folds)

    def _build_compaction(
        self, compaction: Compaction, messages: Sequence[Message], key: str, folds: Folds
    ) -> Iterator[ListItem]:
        draw = partial(self._renderer.compaction, compaction, messages, folds.is_open(key))
        first = messages[0] if messages else None
        about = ItemSource(first, item=compaction, session=self.session)
        yield ListItem(key, draw, "compaction", about)
        yield make_blank_item(f"{key}.")

    def build_annotation(self, item: ListItem, message: Message, words: str) -> ListItem:
        """Make the item of what a person said of a message, below one of its items."""
        about = ItemSource(message, session=self.session)
        draw = partial(self._renderer.annotation, words)
        return ListItem(f"{item.key}^", draw, "annotation", about, picked=False)

    # -- finding ------------------------------------------------------------------------------

    def key_of(self, message: Message) -> str:
        """Name a message: by its uuid, a bad line by its place."""
        return f"{self.scope}{message.key}"

    def item_key_of(self, message: Message) -> str:
        """Name the item that shows a message: a compaction is a line of its own."""
        key = self.key_of(message)
        return f"{key}/compaction" if message.kind == "compaction" else key

    def find_agent_content(self, block: ToolBlock) -> "ConversationContent | None":
        """Give the conversation of the agent that a call started; None where it is gone."""
        if block.id not in self._agents:
            agent = self.session.agent(block.id)
            inner = None
            if agent is not None:
                scope = f"{self.scope}{agent.id}/"
                inner = ConversationContent(
                    agent, glyphs=self.glyphs, scope=scope, depth=self.depth + 1
                )
            self._agents[block.id] = (self._message_keys_by_call.get(block.id, ""), inner)
        return self._agents[block.id][1]

    @cached_property
    def _message_keys_by_call(self) -> dict[str, str]:
        return {
            block.id: self.key_of(message)
            for message in self.conversation.messages
            for block in message.blocks
            if isinstance(block, ToolBlock)
        }

    def list_turn_folds(self, key: str) -> list[str]:
        """List the folds of the turn that an item stands in, in an agent that of the agent."""
        for _, inner in self._agents.values():
            if inner is not None and key.startswith(inner.scope):
                return inner.list_turn_folds(key)
        own = key.removeprefix(self.scope).partition(":")[0]
        number = self._numbers_by_message.get(f"{self.scope}{own}")
        if number is None:
            return []
        turn = self._pieces[number].within
        messages = [
            piece.message
            for at, piece in enumerate(self._pieces)
            if piece.message is not None and (at == number or (turn and piece.within is turn))
        ]
        return [
            f"{self.key_of(message)}{place}"
            for message in messages
            for place in ("", *(f":{n}{end}" for n in range(len(message.blocks)) for end in _FOLDS))
        ]

    def find_message(self, uuid: str) -> Message | None:
        """Find the message that a record is part of."""
        return next((t for t in self.conversation.messages if uuid in t.uuids), None)


def _is_found(part: AnswerPart, key: str, folds: Folds) -> bool:
    """Tell whether a part has to be there for the sake of words that were found in it."""
    own = name_run_fold(key, part) if isinstance(part, StepRun) else f"{key}:{part.number}"
    return own in folds.opened_for_match


def name_run_fold(key: str, run: StepRun) -> str:
    """Name the fold of a whole block of steps."""
    return f"{key}:{run.rows[0].number}+"


def is_run_fold(key: str) -> bool:
    """Tell whether a fold is that of a whole block of steps, which is open by habit."""
    return key.endswith("+")


def name_hidden_fold(key: str, rows: Sequence[RunRow]) -> str:
    """Name the fold of the rows that a long block does not show."""
    return f"{key}:{rows[0].number}*"


def describe_branch(branch: Branch) -> str:
    """Say how long a branch is, and why it was left."""
    why = "active" if branch.active else name_leave_reason(branch)
    return ", ".join(word for word in (format_branch_length(branch), why) if word)
