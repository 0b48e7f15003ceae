"""A conversation as pieces: prompts, words, thoughts, steps, agents, side branches and compactions.

The lines of each piece are those of `bough show`; here they are hung on the stem, folded and
opened one by one. A piece is laid out when it is seen, so telling twenty thousand of them
takes no longer than listing them.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from itertools import groupby

from msgspec import Struct

from bough.model.conversation.messages import Message, TextBlock
from bough.model.conversation.steps import ROWS_IN_APP, is_long_run
from bough.model.interpret.message_kinds import PERSON_KINDS
from bough.model.outline.branch_path import (
    OutlineItem,
    find_conversation_through,
    format_branch_length,
    name_leave_reason,
    path_to_tip,
)
from bough.model.outline.session_outline import (
    Branch,
    BranchOff,
    Compaction,
    SessionOutline,
    outline_of,
)
from bough.model.outline.turns import Turn
from bough.model.session import Session
from bough.model.text.times import parse_moment
from bough.model.tools.call_row import is_agent
from bough.model.tools.calls import ToolBlock
from bough.terminal import clock
from bough.terminal.canvas import Canvas
from bough.terminal.clock import read_time_words
from bough.terminal.conversation.message_context import (
    build_message_context,
    group_messages_by_item,
)
from bough.terminal.style import Glyphs, Role
from bough.tui.conversation.folds import Folds
from bough.tui.conversation.message_items import (
    Rail,
    RailRenderer,
    render_prompt,
    render_whole_message,
    truncate_block,
)
from bough.tui.conversation.tool_items import StepLines, render_agent_answer, render_agent_lines
from bough.tui.widgets.list_items import ListItem, make_blank_item


class ItemSource(Struct, frozen=True):
    """What a piece of a conversation stands for."""

    message: Message | None = None
    block: ToolBlock | TextBlock | None = None
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
        """Tell the conversation that goes through `tip`, or `up_to` it and no further."""
        self.session = session
        self.scope = scope
        self.depth = depth
        self.conversation = (
            session.conversation(tip) if up_to else find_conversation_through(session, tip)
        )
        self.outline: SessionOutline = outline_of(session)
        self.items = path_to_tip(self.outline, self.conversation.tip)
        if up_to:  # other ways are no part of it
            self.items = [item for item in self.items if not isinstance(item, BranchOff)]
        self.messages = group_messages_by_item([self.conversation], self.items)
        ended = parse_moment(session.ended_at)
        # Seen from the session's end, so that its last day has hours.
        canvas = Canvas(ended or clock.now(), glyphs, 80, read_time_words())
        self.setting = build_message_context(session, self.outline, canvas, [self.conversation])
        self.glyphs = glyphs
        role = Role.ACTIVE if self.conversation.active or depth else Role.LEFT
        self._renderer = RailRenderer(self.setting, Rail(glyphs, role, depth))
        self._agents: dict[str, tuple[str, ConversationContent | None]] = {}
        """Agents by their calls, each with the key of the message that started it."""
        self._cached_items: dict[int, list[ListItem]] = {}

    # -- pieces -------------------------------------------------------------------------------

    def pieces(self, folds: Folds) -> list[ListItem]:
        """List the pieces, the newest last."""
        if not self.items:
            return [
                p
                for message in self.conversation.messages
                for p in self._build_message(message, folds)
            ]
        found: list[ListItem] = []
        for number, item in enumerate(self.items):
            made = self._cached_items.get(number)
            if made is None:
                made = self._cached_items[number] = list(self._build_item(item, folds))
            found += made
        return found

    def invalidate_items(self, key: str | None = None) -> None:
        """Make the pieces of a message again, or all of them; agents opened in place too."""
        inside = [
            (at, inner)
            for at, inner in list(self._agents.values())  # a thread that finds may add one
            if inner is not None and (key is None or key.startswith(inner.scope))
        ]
        for _, inner in inside:
            inner.invalidate_items(key)
        own = (key or "").removeprefix(self.scope).partition(":")[0].partition("/")[0]
        messages = [at for at, _ in inside] if inside and key else [f"{self.scope}{own}"]
        numbers = [self._item_numbers.get(message) for message in messages]
        if key is None or None in numbers:
            self._cached_items.clear()
        for number in numbers:
            self._cached_items.pop(number or 0, None)

    @cached_property
    def _item_numbers(self) -> dict[str, int]:
        """Find the place of a message among the items."""
        return {
            self.key_of(message): number
            for number, item in enumerate(self.items)
            if isinstance(item, Turn)
            for message in self.messages.get(item.key, ())
        }

    def _build_item(self, item: OutlineItem, folds: Folds) -> Iterator[ListItem]:
        match item:
            case Turn():
                own = self.messages.get(item.key, ())
                for message in own:
                    yield from self._build_message(message, folds)
                yield self._build_summary(item, own)
            case Compaction():
                yield from self._build_compaction(item, folds)
            case BranchOff():
                for number, branch in enumerate(item.branches):
                    yield self._build_side_branch(branch, number)

    def _build_message(self, message: Message, folds: Folds) -> Iterator[ListItem]:
        key = self.key_of(message)
        about = ItemSource(message=message, session=self.session)
        if message.kind == "assistant":
            yield from self._build_answer(message, key, folds)
        elif message.kind in PERSON_KINDS:
            draw = partial(self._renderer.message, render_prompt, message, folds.is_open(key))
            yield ListItem(key, draw, "prompt", about)
        elif message.kind != "compaction":
            draw = partial(
                self._renderer.message, render_whole_message, message, folds.is_open(key)
            )
            yield ListItem(key, draw, message.kind, about)

    def _build_answer(self, message: Message, key: str, folds: Folds) -> Iterator[ListItem]:
        head = replace_blocks(message, [])
        yield ListItem(
            f"{key}:",
            partial(self._renderer.message, render_whole_message, head, False),
            "claude",
            ItemSource(message=message, session=self.session),
            picked=False,
        )
        thoughts = iter(self.setting.thoughts.get(message.uuid or "", ()))
        numbered = list(enumerate(message.blocks))
        for what, run in groupby(numbered, key=lambda pair: _group_key_of(pair[1])):
            if what == "step":
                yield from self._build_steps(message, key, list(run), folds)
                continue
            for number, block in run:
                own = f"{key}:{number}"
                about = ItemSource(message, block, session=self.session)
                if isinstance(block, ToolBlock):
                    yield from self._build_agent(message, block, own, folds)
                elif block.type in ("thinking", "redacted_thinking"):
                    seconds = next(thoughts, None)
                    if folds.thinking or own in folds.opened_for_match:
                        one = replace_blocks(message, [block])
                        draw = partial(self._renderer.thought, one, seconds, folds.is_open(own))
                        yield ListItem(own, draw, "thought", about)
                else:
                    one = replace_blocks(message, [truncate_block(block, whole=folds.is_open(own))])
                    draw = partial(self._renderer.block, one, folds.is_open(own))
                    yield ListItem(own, draw, "text" if block.type == "text" else "note", about)

    def _build_steps(
        self,
        message: Message,
        key: str,
        run: Sequence[tuple[int, ToolBlock | TextBlock]],
        folds: Folds,
    ) -> Iterator[ListItem]:
        numbers = [number for number, block in run if isinstance(block, ToolBlock)]
        blocks = [block for _, block in run if isinstance(block, ToolBlock)]
        steps = StepLines(blocks, self.setting)
        several = len(blocks) > 1
        group = f"{key}:{numbers[0]}+"
        shown = folds.is_open(group, habit=not is_long_run(len(blocks), ROWS_IN_APP)) or not several
        if several:
            draw = partial(self._renderer.rows, partial(steps.summary, shown))
            about = ItemSource(message, None, session=self.session)
            yield ListItem(group, draw, "steps", about)
        if not shown:
            return
        for at, (number, block) in enumerate(zip(numbers, blocks, strict=True)):
            own = f"{key}:{number}"
            draw = partial(self._renderer.rows, partial(steps.row, at, folds.is_open(own)))
            yield ListItem(own, draw, "tool", ItemSource(message, block, session=self.session))

    def _build_agent(
        self, message: Message, block: ToolBlock, key: str, folds: Folds
    ) -> Iterator[ListItem]:
        opened = folds.is_open_by_hand(key)
        inner = self.find_agent_content(block) if opened else None
        row = partial(render_agent_lines, block, self.setting, inner is not None)
        if opened and inner is None:  # its file is gone: the call has what it answered
            row = partial(render_agent_answer, block, self.setting)
        draw = partial(self._renderer.rows, row)
        yield ListItem(key, draw, "agent", ItemSource(message, block, session=self.session))
        if inner is not None:
            yield from inner.pieces(folds)

    def _build_summary(self, item: Turn, messages: Sequence[Message]) -> ListItem:
        draw = partial(self._renderer.summary, item, messages)
        return ListItem(f"{self.scope}{item.key}/foot", draw, "foot", picked=False)

    def _build_compaction(self, compaction: Compaction, folds: Folds) -> Iterator[ListItem]:
        key = f"{self.scope}{compaction.uuid}/compaction"
        messages = self.messages.get(compaction.key, ())
        draw = partial(self._renderer.compaction, compaction, messages, folds.is_open(key))
        first = messages[0] if messages else None
        yield ListItem(
            key, draw, "compaction", ItemSource(first, item=compaction, session=self.session)
        )
        yield make_blank_item(f"{key}.")

    def _build_side_branch(self, branch: Branch, number: int) -> ListItem:
        asked = [one for one in branch.items if isinstance(one, Turn)]
        key = f"{self.scope}{asked[0].key if asked else number}/side-branch"
        draw = partial(self._renderer.side_branch, branch)
        return ListItem(key, draw, "side-branch", ItemSource(item=branch, session=self.session))

    # -- finding ------------------------------------------------------------------------------

    def key_of(self, message: Message) -> str:
        """Name a message: by its uuid, a bad line by its place."""
        return f"{self.scope}{message.key}"

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

    def find_message(self, uuid: str) -> Message | None:
        """Find the message that a record is part of."""
        return next((t for t in self.conversation.messages if uuid in t.uuids), None)


def replace_blocks(message: Message, blocks: Sequence[ToolBlock | TextBlock]) -> Message:
    """Give a message with other blocks."""
    return Message(
        message.kind, message.uuid, message.offset, message.timestamp, message.model, [], [*blocks]
    )


def describe_branch(branch: Branch) -> str:
    """Say how long a branch is, and why it was left."""
    why = "active" if branch.active else name_leave_reason(branch)
    return ", ".join(word for word in (format_branch_length(branch), why) if word)


def _group_key_of(block: ToolBlock | TextBlock) -> str:
    return "step" if isinstance(block, ToolBlock) and not is_agent(block) else "said"
