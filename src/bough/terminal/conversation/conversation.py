"""A conversation on a sheet: its head, then everything on the way to its tip.

A conversation as a person reads it, from its start to its tip.

The stem runs through everything: what leaves it, an agent or another branch, is said where
it leaves. Branches that are not read are one line each; with all of them unfolded they
stand at their place, behind a bar.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from bough.model.conversation.conversation import Conversation
from bough.model.conversation.messages import Message
from bough.model.outline.branch_path import (
    OutlineItem,
    branch_ended_at,
    count_turns,
    describe_compaction,
    describe_trigger,
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
from bough.model.text.formats import format_duration, format_plural
from bough.model.text.times import parse_moment, seconds_between
from bough.model.usage.costs import NO_USAGE, UsageTotal
from bough.terminal.canvas import MEASURE, Canvas
from bough.terminal.conversation.message_context import (
    build_message_context,
    group_messages_by_item,
    render_summary_line,
)
from bough.terminal.conversation.messages import MessageContext, render_message, render_note
from bough.terminal.header import format_usage_cost, render_session_line
from bough.terminal.style import Role, Span, StyledLine, line_of
from bough.terminal.text import fit, width

_DEEPEST: Final = 8
_COMPACTION_DASHES: Final = 2

Messages = Mapping[str, Sequence[Message]]
"""The messages of each turn and compaction, by its key."""


class RenderedConversation(Struct, frozen=True):
    """The lines of a conversation, and for each turn the line (from 1) it begins at."""

    lines: list[StyledLine]
    places: dict[str, int]


class _PendingItem(Struct, frozen=True):
    """Something still to be written, behind so many bars."""

    item: OutlineItem | Branch
    depth: int = 0


def render_conversation(
    items: Sequence[OutlineItem],
    messages: Messages,
    setting: MessageContext,
    *,
    unfold: bool = False,
) -> RenderedConversation:
    """Write the items of a route, those of other branches too where they are unfolded."""
    lines: list[StyledLine] = []
    places: dict[str, int] = {}
    waiting = [_PendingItem(item) for item in reversed(items)]
    while waiting:
        job = waiting.pop()
        if isinstance(job.item, Turn):
            places[job.item.key] = len(lines) + 1
        bar = f"{setting.canvas.glyphs.bar} " * min(job.depth, _DEEPEST)
        written = _render_item(job.item, messages, _narrow_context(setting, width(bar)))
        lines += [_put_behind_bar(bar, line) for line in written] if bar else written
        waiting += reversed(_list_children(job, unfold=unfold))
    return RenderedConversation(lines, places)


def _put_behind_bar(bar: str, line: StyledLine) -> StyledLine:
    """Set a line of another branch behind its bars."""
    lead: Span = (Role.LEFT, bar.rstrip(" "))
    return (lead, (Role.CLAUDE, " "), *line) if line else (lead,)


def _narrow_context(setting: MessageContext, by: int) -> MessageContext:
    """Leave room for the bars at the left."""
    columns = setting.canvas.columns
    if not by or columns is None:
        return setting
    return replace(setting, canvas=replace(setting.canvas, columns=min(columns, MEASURE) - by))


def _list_children(job: _PendingItem, *, unfold: bool) -> list[_PendingItem]:
    """List what a job leads to: the branches of a parting, and what is on them."""
    if isinstance(job.item, BranchOff):
        return [_PendingItem(branch, job.depth) for branch in job.item.branches]
    if isinstance(job.item, Branch) and unfold:
        return [_PendingItem(item, job.depth + 1) for item in job.item.items]
    return []


def _render_item(
    item: OutlineItem | Branch, messages: Messages, setting: MessageContext
) -> list[StyledLine]:
    match item:
        case Turn():
            own = messages.get(item.key, ())
            lines = [line for message in own for line in render_message(message, setting)]
            return [*lines, *render_summary_line(item, own, setting), ()]
        case Compaction():
            return [*_render_compaction(item, messages.get(item.key, ()), setting.canvas), ()]
        case Branch():
            return [_render_side_branch(item, setting), ()]
        case BranchOff():
            return []


def _render_compaction(
    compaction: Compaction, messages: Sequence[Message], canvas: Canvas
) -> list[StyledLine]:
    """Write a compaction as a line of dashes with what it did, and its summary below."""
    glyphs = canvas.glyphs
    dashes = glyphs.gap * _COMPACTION_DASHES
    head = f"{glyphs.compaction}{dashes} {canvas.time(compaction.timestamp)}  "
    room = canvas.measure - width(head)
    text = describe_compaction(compaction, glyphs.arrow, describe_trigger(compaction))
    if width(text) > room:
        text = describe_compaction(compaction, glyphs.arrow)
    if canvas.columns is not None:
        text = fit(text, room, glyphs.ellipsis)
    dashes = glyphs.gap * (room - width(text) - 1)
    line = line_of(f"{head}{text} {dashes}".rstrip(" "), Role.COMPACTION)
    summaries = [b for message in messages for b in message.blocks if b.type == "summary"]
    return [line, *(row for block in summaries for row in render_note(block, canvas))]


def _render_side_branch(branch: Branch, setting: MessageContext) -> StyledLine:
    """Write where another branch leaves: its first words, how long it is, why it was left."""
    canvas = setting.canvas
    glyphs = canvas.glyphs
    asked = [item for item in branch.items if isinstance(item, Turn)]
    sign = glyphs.node if branch.active else glyphs.other
    role = Role.ACTIVE if branch.active else Role.LEFT
    why = "active" if branch.active else name_leave_reason(branch)
    if why == "rewound":
        why = f"{why} {canvas.time(branch_ended_at(branch))}"
    facts = [format_branch_length(branch), why]
    last = next((one.uuid for one in reversed(asked) if one.uuid), None)
    if last is not None:
        facts.append(f"--tip {last[: setting.short]}")
    words = next((one.label for one in asked), "")
    left = [(role, f"{glyphs.tee}{glyphs.dash}{sign} "), (role, words)]
    return canvas.compose_line(left, [(Role.META, ", ".join(fact for fact in facts if fact))])


class PagedLines(Struct, frozen=True):
    """The lines, and the one (from 1) that a pager opens at."""

    lines: list[StyledLine]
    start: int | None

    def choose_start(self, height: int | None) -> int | None:
        """Choose the line at the top of a screen: no emptiness below the end."""
        if self.start is None or height is None:
            return self.start
        return min(self.start, max(1, len(self.lines) - height + 2))


def page_conversation(
    session: Session,
    conversations: list[Conversation],
    canvas: Canvas,
    through: str | None,
    *,
    everything: bool,
) -> PagedLines:
    """Write the conversation that was asked for; with everything, the others at their places."""
    main = next((c for c in conversations if c.active), conversations[-1])
    seen = outline_of(session)
    items = path_to_tip(seen, main.tip)
    aside = _set_now_to_end(canvas, session)
    read: set[int] = set()
    main.cut_shared(read)
    ordered = [main, *(c.cut_shared(read) for c in conversations if c is not main)]
    setting = build_message_context(session, seen, aside, ordered)
    if not items:
        lines = [line for message in main.messages for line in render_message(message, setting)]
        return PagedLines([*_render_head(session, main, seen, items, canvas), *lines], None)
    reading = render_conversation(
        items, group_messages_by_item(ordered, items), setting, unfold=everything
    )
    head = _render_head(session, main, seen, items, canvas)
    target = _find_target(items, through)
    start = reading.places.get(target or "")
    return PagedLines([*head, *reading.lines[:-1]], start + len(head) if start else None)


def _set_now_to_end(canvas: Canvas, session: Session) -> Canvas:
    """Tell times as seen from the session's end, so that its last day has hours."""
    ended = parse_moment(session.ended_at)
    return canvas if ended is None else replace(canvas, now=ended)


def _find_target(items: list[OutlineItem], through: str | None) -> str | None:
    """Find the turn a reader wants to see first: the one named, else the last."""
    asked = [item for item in items if isinstance(item, Turn)]
    if through is not None:
        asked = [turn for turn in asked if through in turn.uuids] or asked
    return asked[-1].key if asked else None


def _render_head(
    session: Session,
    conversation: Conversation,
    seen: SessionOutline,
    items: list[OutlineItem],
    canvas: Canvas,
) -> list[StyledLine]:
    words = _describe_branch(session, conversation, seen, items, canvas)
    return [
        render_session_line(session, canvas, canvas.measure),
        *canvas.compose_prose(words, 0, Role.META),
        (),
    ]


def _describe_branch(
    session: Session,
    conversation: Conversation,
    seen: SessionOutline,
    items: list[OutlineItem],
    canvas: Canvas,
) -> str:
    """Say which branch this is, how long, what it cost, and when it was."""
    asked = [item for item in items if isinstance(item, Turn)]
    bill = sum((turn.cost for turn in asked), NO_USAGE)
    branches = len(session.tips)
    which = "Active branch" if conversation.active else "Branch left behind"
    facts = [f"{which} of {branches}"] if branches > 1 else []
    facts += [format_plural(count_turns(items), "turn"), _format_costs(bill, seen.cost)]
    seconds = seconds_between(conversation.started_at, conversation.ended_at)
    facts += [format_duration(seconds) if seconds else "", _format_day(conversation, canvas)]
    return ", ".join(fact for fact in facts if fact)


def _format_costs(here: UsageTotal, all_of_it: UsageTotal) -> str:
    if here.cost.picodollars == all_of_it.cost.picodollars or not format_usage_cost(here):
        return format_usage_cost(all_of_it)
    return f"{format_usage_cost(here)} here, {format_usage_cost(all_of_it)} in all"


def _format_day(conversation: Conversation, canvas: Canvas) -> str:
    """Name the day where it is not today."""
    ended = parse_moment(conversation.ended_at)
    if ended is None or ended.astimezone().date() == canvas.now.astimezone().date():
        return ""
    return f"ended {canvas.time(conversation.ended_at)}"
