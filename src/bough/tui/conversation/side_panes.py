"""The panes beside a conversation: its prompts at the left, facts about it at the right."""

from collections.abc import Iterator

from bough.model.conversation.context_window import estimate_context_shares
from bough.model.conversation.todo_lists import count_todos
from bough.model.interpret.kept_places import KeptPlace
from bough.model.outline.branch_path import count_turns, name_branch
from bough.model.outline.day_lines import format_by_day
from bough.model.outline.session_outline import BranchOff, Compaction
from bough.model.outline.turns import CONTINUED, Turn
from bough.model.text.formats import (
    format_changes,
    format_percent,
    format_plural,
    format_tokens,
    shorten_apart,
)
from bough.model.tools.call_row import view_of
from bough.model.tools.calls import ToolBlock
from bough.model.usage.costs import NO_USAGE
from bough.terminal.charts import draw_gauge
from bough.terminal.conversation.todo_lists import mark_todo
from bough.terminal.header import format_usage_cost
from bough.terminal.style import Glyphs, Role, Span, StyledLine
from bough.terminal.text import fit, fit_path, one_line, pad, width, wrap
from bough.tui.conversation.view import ConversationContent, describe_branch
from bough.tui.widgets.list_items import ListItem, draw_fixed, make_blank_item, make_line_item

_ROOM = 30
_MOST = 40
_PARTS = 4
"""So many parts of the context are told, the largest."""


def build_place_items(place: KeptPlace, glyphs: Glyphs) -> list[ListItem]:
    """Say what became of the file, where the client has deleted it."""
    if place is KeptPlace.FILE:
        return []
    text = f"{glyphs.archived if place is KeptPlace.ARCHIVE else glyphs.lost} {place.words}."
    lines: list[StyledLine] = [((Role.META, line),) for line in wrap(text, _ROOM)]
    return [
        ListItem("kept", draw_fixed(lines), "kept", picked=False),
        make_blank_item("kept."),
    ]


def build_outline_items(content: ConversationContent) -> list[ListItem]:
    """List the prompts, the compactions and where other branches leave."""
    count = count_turns(content.items)
    pieces = [make_line_item("prompts", f"Prompts {count:,}", Role.HEADER)]
    turns = [item for item in content.items if isinstance(item, Turn)]
    canvas = content.context.canvas
    written = format_by_day((turn.timestamp for turn in turns), canvas.now, None, canvas.words)
    times = dict(zip((turn.key for turn in turns), written, strict=True))
    for number, item in enumerate(content.items):
        match item:
            case Turn():
                own = content.glyphs.bar if item.kind == CONTINUED else content.glyphs.node
                sign = content.glyphs.tip if item.active else own
                words = Role.META if item.is_continuation else Role.PROMPT
                spans: list[StyledLine] = [
                    ((Role.ACTIVE, f"{sign} "), (words, one_line(item.label)))
                ]
                if item.agents or item.failed or ":" not in times[item.key]:
                    spans.append(_describe_turn(item, times[item.key], content.glyphs))
                about = f"{content.scope}{item.key}"
                goes_to = f"{about}:" if item.is_continuation else about
                pieces.append(ListItem(f"o/{about}", draw_fixed(spans), "prompt", goes_to))
            case Compaction():
                about = f"{content.scope}{item.uuid}/compaction"
                line: StyledLine = ((Role.COMPACTION, f"{content.glyphs.compaction} Compacted"),)
                pieces.append(ListItem(f"o/{about}", draw_fixed([line]), "compaction", about))
            case BranchOff():
                for at, branch in enumerate(item.branches):
                    sign = f"{content.glyphs.end}{content.glyphs.other} "
                    row: StyledLine = ((Role.LEFT, f"{sign}{one_line(name_branch(branch))}"),)
                    pieces.append(
                        ListItem(f"o/{number}/{at}", draw_fixed([row]), "side-branch", branch)
                    )
    return pieces


def _describe_turn(turn: Turn, time: str, glyphs: Glyphs) -> StyledLine:
    """Say when it was, how many agents it started and how much of it failed."""
    agents = f"  {glyphs.agent}{len(turn.agents)}" if turn.agents else ""
    about: StyledLine = ((Role.META, f"  {time}{agents}"),)
    failed = (Role.ERROR, f"  {glyphs.failed}{turn.failed:,}")
    return (*about, failed) if turn.failed else about


def build_fact_items(content: ConversationContent) -> list[ListItem]:
    """List branches, cost, context, agents and files."""
    return [
        piece
        for part in (
            _build_branch_items,
            _build_pull_request_items,
            _build_todo_items,
            _build_plan_items,
            _build_cost_items,
            _build_agent_items,
            _build_file_items,
        )
        for piece in part(content)
    ]


def _build_branch_items(content: ConversationContent) -> Iterator[ListItem]:
    session = content.session
    yield make_line_item("branches", f"Branches {len(session.tips):,}", Role.HEADER)
    active = content.conversation.active
    own = count_turns(content.items)
    sign = content.glyphs.node if active else content.glyphs.other
    role = Role.ACTIVE if active else Role.LEFT
    yield make_line_item("b/own", f"{sign} this one, {format_plural(own, 'turn')}", role)
    for number, item in enumerate(content.items):
        if not isinstance(item, BranchOff):
            continue
        for at, branch in enumerate(item.branches):
            first = one_line(name_branch(branch))
            look = Role.ACTIVE if branch.active else Role.LEFT
            words = f"{content.glyphs.other} {fit(first, _ROOM - 2, content.glyphs.ellipsis)}"
            line: list[StyledLine] = [
                ((look, words),),
                ((Role.META, f"  {describe_branch(branch)}"),),
            ]
            yield ListItem(f"b/{number}/{at}", draw_fixed(line), "side-branch", branch)
    yield make_blank_item("b.")


def _build_pull_request_items(content: ConversationContent) -> Iterator[ListItem]:
    found = content.session.pull_requests
    if not found:
        return
    yield make_line_item("pulls", f"Pull requests {len(found):,}", Role.HEADER)
    for one in found[:_MOST]:
        words = fit(one_line(one.label), _ROOM, content.glyphs.ellipsis)
        yield make_line_item(f"p/{one.label}", words)
    yield make_blank_item("p.")


def _build_todo_items(content: ConversationContent) -> Iterator[ListItem]:
    lists = content.session.todo_lists
    counted = count_todos(lists)
    if not lists:
        return
    words = f"Todos {counted.done} of {counted.total}" if counted is not None else "Todos"
    yield make_line_item("todos", words, Role.HEADER)
    for number, one in enumerate(lists):
        if one.agent is not None:
            yield make_line_item(f"t/{number}", f"{content.glyphs.agent} {one.agent}", Role.AGENT)
        for at, item in enumerate(one.items[:_MOST]):
            role, text = mark_todo(item, content.glyphs)
            shown = fit(one_line(text), _ROOM, content.glyphs.ellipsis)
            yield make_line_item(f"t/{number}/{at}", shown, role)
    yield make_blank_item("t.")


def _build_plan_items(content: ConversationContent) -> Iterator[ListItem]:
    marks = [mark for found in content.facts.plan_marks.values() for mark in found]
    files = [plan for plan in content.session.plan_files if plan not in marks]
    if not marks and not files:
        return
    yield make_line_item("plans", "Plan", Role.HEADER)
    for number, mark in enumerate([*files, *marks]):
        words = f"{content.glyphs.arrow} {one_line(mark.words)}"
        line: StyledLine = ((Role.LINK, fit(words, _ROOM, content.glyphs.ellipsis)),)
        yield ListItem(f"l/{number}", draw_fixed([line]), "plan", mark)
    yield make_blank_item("l.")


def _build_cost_items(content: ConversationContent) -> Iterator[ListItem]:
    asked = [item for item in content.items if isinstance(item, Turn)]
    here = sum((one.cost for one in asked), NO_USAGE)
    yield make_line_item("cost", "Cost", Role.HEADER)
    yield make_line_item(
        "c/here",
        f"{format_usage_cost(here) or '-'} here, "
        f"{format_usage_cost(content.outline.cost) or '-'} in all",
    )
    yield make_blank_item("c.")
    answers = (m for m in reversed(content.conversation.messages) if m.kind == "assistant")
    last = next((found for m in answers if (found := content.facts.context(m))), None)
    if last is not None:
        unicode = content.glyphs.node != "*"
        yield make_line_item("context", f"Context {format_percent(last.share)}", Role.HEADER)
        drawn = draw_gauge(last.share, _ROOM - 4, unicode=unicode)
        yield make_line_item("x/bar", drawn, Role.ACTIVE)
        yield make_line_item(
            "x/of", f"{format_tokens(last.tokens)} of {format_tokens(last.window)}"
        )
        parts = sorted(
            estimate_context_shares(content.conversation.messages, last.tokens),
            key=lambda p: -p.tokens,
        )
        for part in parts[:_PARTS]:
            number = format_tokens(part.tokens)
            yield make_line_item(
                f"x/{part.name}", f"{pad(part.name, _ROOM - 4 - width(number))}{number}"
            )
        yield make_blank_item("x.")


def _build_agent_items(content: ConversationContent) -> Iterator[ListItem]:
    found = [agent for i in content.items if isinstance(i, Turn) for agent in i.agents]
    if not found:
        return
    total = sum((agent.cost for agent in found), NO_USAGE)
    yield make_line_item(
        "agents", f"Agents {len(found):,}  {format_usage_cost(total)}", Role.HEADER
    )
    for agent in found[:_MOST]:
        text = fit(one_line(agent.text), _ROOM - 2, content.glyphs.ellipsis)
        words = f"{content.glyphs.agent} {text}"
        yield make_line_item(f"a/{agent.call or agent.id}", words, Role.AGENT)
    yield make_blank_item("a.")


def _build_file_items(content: ConversationContent) -> Iterator[ListItem]:
    touched: dict[str, tuple[int, int]] = {}
    for message in content.conversation.messages:
        for block in message.blocks:
            if isinstance(block, ToolBlock) and block.name in ("Edit", "MultiEdit", "Write"):
                view = view_of(block, cwd=content.facts.cwd)
                added, removed = touched.get(view.summary, (0, 0))
                more, less = view.outcome.added or 0, view.outcome.removed or 0
                touched[view.summary] = (added + more, removed + less)
    if not touched:
        return
    yield make_line_item("files", f"Files {len(touched):,}", Role.HEADER)
    names = shorten_apart([one_line(path) for path in touched])
    for number, (name, counts) in enumerate(
        list(zip(names, touched.values(), strict=True))[:_MOST]
    ):
        changes = f"  {format_changes(*counts)}"
        spans: list[Span] = [
            (Role.CLAUDE, fit_path(name, _ROOM - width(changes), content.glyphs.ellipsis)),
            (Role.META, changes),
        ]
        yield ListItem(f"f/{number}", draw_fixed([tuple(spans)]), "file", picked=False)
