"""A conversation as `bough show` writes it: its head, then its pieces from start to tip.

Branches that are not read are one line each where they leave; with all of them unfolded they
stand at their place, behind a bar.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from bough.model.conversation.conversation import Conversation
from bough.model.conversation.messages import Message
from bough.model.conversation.plan_files import PlanFile, PlanLink
from bough.model.conversation.todo_lists import count_todos
from bough.model.interpret.pull_requests import describe_pull_requests
from bough.model.outline.branch_path import (
    OutlineItem,
    count_turns,
    list_own_turns,
    path_to_tip,
)
from bough.model.outline.day_lines import find_day_starts, list_piece_times
from bough.model.outline.message_facts import MessageFacts, group_messages_by_item
from bough.model.outline.pieces import Piece, keep_talk, list_pieces
from bough.model.outline.session_outline import Branch, Compaction, SessionOutline
from bough.model.outline.turns import Turn
from bough.model.session import Session
from bough.model.text.formats import format_duration, format_plural
from bough.model.text.times import seconds_between
from bough.model.usage.costs import NO_USAGE, UsageTotal
from bough.query.priced_outline import outline_with_prices
from bough.terminal.canvas import MEASURE, Canvas
from bough.terminal.conversation.messages import (
    MessageContext,
    build_message_context,
    compose_compaction_text,
    describe_side_branch,
    render_message,
    render_note,
    render_plan_mark,
    render_summary_line,
)
from bough.terminal.conversation.todo_lists import render_todo_lists
from bough.terminal.conversation.tools import INDENT
from bough.terminal.header import describe_end, format_usage_cost, render_session_line
from bough.terminal.style import Role, Span, StyledLine, line_of
from bough.terminal.text import one_line, width

_DEEPEST: Final = 8
_COMPACTION_DASHES: Final = 2


class RenderedConversation(Struct, frozen=True):
    """The lines of a conversation, and for each turn the line (from 1) it begins at."""

    lines: list[StyledLine]
    places: dict[str, int]


def render_pieces(pieces: Iterable[Piece], context: MessageContext) -> RenderedConversation:
    """Write pieces one below the other, those of unfolded side branches behind their bars."""
    lines: list[StyledLine] = []
    places: dict[str, int] = {}
    listed = list(pieces)
    days = find_day_starts(
        list_piece_times(listed), context.canvas.today, context.canvas.words.zone
    )
    for number, piece in enumerate(listed):
        if number in days and piece.depth == 0:
            lines += [context.canvas.compose_day(days[number]), ()]
        turn = piece.item or piece.within
        if isinstance(turn, Turn):
            places.setdefault(turn.key, len(lines) + 1)
        bar = f"{context.canvas.glyphs.bar} " * min(piece.depth, _DEEPEST)
        written = _render_piece(piece, _narrow_context(context, width(bar)))
        lines += [_put_behind_bar(bar, line) for line in written] if bar else written
    return RenderedConversation(lines, places)


def _put_behind_bar(bar: str, line: StyledLine) -> StyledLine:
    """Set a line of another branch behind its bars."""
    lead: Span = (Role.LEFT, bar.rstrip(" "))
    return (lead, (Role.CLAUDE, " "), *line) if line else (lead,)


def _narrow_context(context: MessageContext, by: int) -> MessageContext:
    """Leave room for the bars at the left."""
    columns = context.canvas.columns
    if not by or columns is None:
        return context
    return replace(context, canvas=replace(context.canvas, columns=min(columns, MEASURE) - by))


def _render_piece(piece: Piece, context: MessageContext) -> list[StyledLine]:
    match piece.item:
        case Turn() as turn:
            marks = context.facts.plan_marks.get(turn.key, ())
            return [
                *(render_plan_mark(mark, context) for mark in marks),
                *render_summary_line(turn, piece.messages, context),
                (),
            ]
        case Compaction() as compaction:
            return [*_render_compaction(compaction, piece.messages, context.canvas), ()]
        case Branch() as branch:
            return [_render_side_branch(branch, context), ()]
        case None:
            # A compaction is one line, whatever else came with it.
            if piece.message is None or isinstance(piece.within, Compaction):
                return []
            return render_message(piece.message, context)


def _render_compaction(
    compaction: Compaction, messages: Sequence[Message], canvas: Canvas
) -> list[StyledLine]:
    """Write a compaction as a line of dashes with what it did, and its summary below."""
    text = compose_compaction_text(compaction, canvas, _COMPACTION_DASHES)
    line = line_of(text.rstrip(" "), Role.COMPACTION)
    summaries = [b for message in messages for b in message.blocks if b.type == "summary"]
    return [line, *(row for block in summaries for row in render_note(block, canvas))]


def _render_side_branch(branch: Branch, context: MessageContext) -> StyledLine:
    """Write where another branch leaves, and how to read it."""
    left, facts = describe_side_branch(branch, context.canvas)
    last = next((turn.uuid for turn in reversed(list_own_turns(branch)) if turn.uuid), None)
    if last is not None:
        facts.append(f"--tip {last[: context.short]}")
    return context.canvas.compose_line(left, [(Role.META, ", ".join(facts))])


class PagedLines(Struct, frozen=True):
    """The lines, and the one (from 1) that a pager opens at."""

    lines: list[StyledLine]
    start: int | None

    def choose_start(self, height: int | None) -> int | None:
        """Choose the line at the top of a screen: no emptiness below the end."""
        if self.start is None or height is None:
            return self.start
        return min(self.start, max(1, len(self.lines) - height + 2))


def page_conversation(  # noqa: PLR0913 - one for each option
    session: Session,
    conversations: list[Conversation],
    canvas: Canvas,
    through: str | None,
    *,
    everything: bool,
    talk: bool = False,
    plan_marks: Mapping[str, Sequence[PlanLink | PlanFile]] | None = None,
) -> PagedLines:
    """Write the conversation that was asked for; with everything, the others at their places.

    Of `talk` only prompts and answers are written. `plan_marks` stand at their turns.
    """
    main = next((c for c in conversations if c.active), conversations[-1])
    seen = outline_with_prices(session)
    items = path_to_tip(seen, main.tip)
    read: set[int] = set()
    main.cut_shared(read)
    ordered = [main, *(c.cut_shared(read) for c in conversations if c is not main)]
    facts = MessageFacts(session, seen, ordered)
    facts.plan_marks = plan_marks or {}
    context = build_message_context(facts, canvas)
    by_item = group_messages_by_item(ordered, items)
    pieces = list_pieces(items, by_item, main.messages, unfold=everything)
    if talk:
        pieces = keep_talk(pieces)
    rendered = render_pieces(pieces, context)
    head = _render_head(session, main, seen, items, canvas)
    start = rendered.places.get(_find_target(items, through) or "")
    lines = rendered.lines
    if pieces and (pieces[-1].item or pieces[-1].within):  # items end with an empty line
        lines = lines[:-1]
    return PagedLines([*head, *lines], start + len(head) if start else None)


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
        *(render_todo_lists(session.todo_lists, canvas, INDENT) if canvas.full else ()),
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
    facts += [
        format_duration(seconds) if seconds else "",
        describe_end(conversation.ended_at, canvas),
    ]
    facts.append(describe_pull_requests(session.pull_requests))
    todos = count_todos(session.todo_lists)
    facts.append(todos.words if todos is not None else "")
    facts += [f"plan {one_line(plan.name)} (--plan)" for plan in session.plan_files]
    return ", ".join(fact for fact in facts if fact)


def _format_costs(here: UsageTotal, all_of_it: UsageTotal) -> str:
    same = (here.cost, here.copied) == (all_of_it.cost, all_of_it.copied)
    if same or not format_usage_cost(here):
        return format_usage_cost(all_of_it)
    return f"{format_usage_cost(here)} here, {format_usage_cost(all_of_it)} in all"
