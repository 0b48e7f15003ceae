"""The preview beside a list: a session or a project at a glance, in pieces."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from bough.library import LiveSession, Project, SessionRow
from bough.model.interpret.kept_places import KeptPlace
from bough.model.interpret.pull_requests import describe_pull_requests
from bough.model.text.formats import (
    format_cost,
    format_cost_and_copies,
    format_count,
    format_percent,
    format_plural,
    format_size,
)
from bough.terminal import clock
from bough.terminal.canvas import Canvas
from bough.terminal.charts import draw_gauge
from bough.terminal.conversation.markdown import render_markdown
from bough.terminal.list_cells import format_cost_cell, format_kept_sign, shorten_model
from bough.terminal.reports.live_status import describe_ask, format_time_in_state
from bough.terminal.state_cells import render_short_state
from bough.terminal.style import Glyphs, Role, Span, StyledLine
from bough.terminal.text import lines_of, one_line
from bough.tui.widgets.cells import align_cells
from bough.tui.widgets.list_items import ListItem, draw_text, make_blank_item, make_line_item

if TYPE_CHECKING:
    from bough.model.usage.costs import UsageTotal
    from bough.tui.content.last_messages import PreviewMessage, SessionPreview

_SPEAKERS: Final = {
    "prompt": (Role.PROMPT, "You"),
    "queued": (Role.PROMPT, "You, queued"),
    "command": (Role.PROMPT, "Command"),
    "shell": (Role.PROMPT, "You ran"),
    "assistant": (Role.CLAUDE, "Claude"),
    "text": (Role.CLAUDE, "Claude"),
    "thinking": (Role.THINKING, "Claude thought"),
    "tool_input": (Role.TOOL, "Call"),
    "tool_result": (Role.TOOL, "Result"),
    "compaction": (Role.COMPACTION, "Compacted"),
    "summary": (Role.COMPACTION, "Summary"),
    "error": (Role.ERROR, "Error"),
}
_LINES: Final = 8
_LINES_HERE: Final = 24
_MARGIN: Final = 2
_CONTEXT: Final = 16


def build_message_items(
    preview: "SessionPreview", canvas: Canvas, glyphs: Glyphs
) -> Iterator[ListItem]:
    """Show what was said: who, when, and the first lines of it."""
    if preview.trouble:
        yield make_line_item("trouble", one_line(preview.trouble), Role.ERROR)
    for number, said in enumerate(preview.messages):
        yield ListItem(
            f"said/{number}", _MessageRenderer(said, canvas, glyphs), said.kind, said, picked=False
        )
        yield make_blank_item(f"said/{number}.")


class _MessageRenderer:
    """Draws something that was said, in as many columns as there are."""

    def __init__(self, said: "PreviewMessage", canvas: Canvas, glyphs: Glyphs) -> None:
        self._said = said
        self._canvas = canvas
        self._glyphs = glyphs

    def __call__(self, columns: int) -> Sequence[StyledLine]:
        said, glyphs = self._said, self._glyphs
        role, who = _SPEAKERS.get(said.kind, (Role.META, said.kind))
        sign = glyphs.tip if role is Role.PROMPT else glyphs.node
        time = self._canvas.time(said.timestamp)
        head: StyledLine = ((role, f"{sign} {who}  "), (Role.META, time))
        most = _LINES_HERE if said.is_match else _LINES
        beginning = "\n".join(lines_of(said.text.strip())[: most * 2])
        lines = (
            render_markdown(beginning, glyphs, max(8, columns - _MARGIN))
            if who == "Claude"
            else draw_text(beginning, Role.CLAUDE, max(8, columns - _MARGIN))
        )
        more: list[StyledLine] = (
            [((Role.META, f"  {glyphs.ellipsis}"),)] if len(lines) > most else []
        )
        return [head, *(((Role.CLAUDE, "  "), *line) for line in lines[:most]), *more]


def build_session_items(
    row: SessionRow,
    live: LiveSession | None,
    amount: "UsageTotal | None",
    canvas: Canvas,
    glyphs: Glyphs,
) -> Iterator[ListItem]:
    """Say what is known of a session from lists alone: it is there at once."""
    yield make_line_item("title", one_line(row.title), Role.PROMPT)
    if live is not None:
        yield from build_live_items(live, glyphs)
    elif row.kept_in is not KeptPlace.FILE:
        words = row.kept_in.words
        missed = f", missed {canvas.when(row.deleted_at)}" if row.deleted_at is not None else ""
        yield make_line_item("gone", f"{words[:1].upper()}{words[1:]}{missed}.")
    parts = [
        format_plural(row.turns, "turn"),
        f"{row.tips:,} branches" if row.tips > 1 else "",
        format_plural(row.agents, "agent") if row.agents else "",
        format_cost_and_copies(format_cost_cell(amount), amount.copied.usd if amount else 0),
        canvas.when(row.ended_at),
    ]
    yield make_line_item("facts", "  ".join(part for part in parts if part))
    about = [*(shorten_model(model) for model in row.models[:2]), row.git_branch or ""]
    about += [format_size(row.bytes), row.id[:8]]
    yield make_line_item("about", "  ".join(one_line(word) for word in about if word))
    if row.pull_requests:
        words = describe_pull_requests(row.pull_requests)
        yield make_line_item("pulls", one_line(words[:1].upper() + words[1:]))
    if row.bad_lines or row.unknown_records:
        wrong = format_plural(row.bad_lines, "line") + " cannot be read" if row.bad_lines else ""
        odd = format_plural(row.unknown_records, "record") + " of unknown kinds"
        words = ", ".join(part for part in (wrong, odd if row.unknown_records else "") if part)
        role = Role.ERROR if row.bad_lines else Role.META
        yield make_line_item("wrong", f"{glyphs.failed} {words}. D shows more.", role)
    yield make_blank_item("facts.")


def build_live_items(live: LiveSession, glyphs: Glyphs) -> Iterator[ListItem]:
    """Say how a session stands now."""
    lasted = format_time_in_state(live, clock.now())
    spans: list[Span] = [
        render_short_state(live.state, glyphs, sure=live.sure),
        (Role.META, f"  {lasted}"),
    ]
    if live.asks:
        spans.append((Role.CLAUDE, f"  {describe_ask(live)}"))
    line: StyledLine = tuple(spans)
    yield ListItem("state", lambda _: [line], "state", picked=False)
    if live.mode_words:
        yield make_line_item("mode", one_line(live.mode_words[:1].upper() + live.mode_words[1:]))
    if live.todos is not None:
        yield make_line_item("todos", one_line(live.todos.words))
    if live.context is not None:
        drawn = draw_gauge(live.context, _CONTEXT, unicode=glyphs.node != "*")
        words: StyledLine = (
            (Role.META, "Context  "),
            (Role.ACTIVE, drawn),
            (Role.META, f"  {format_percent(live.context)}"),
        )
        yield ListItem("context", lambda _: [words], "context", picked=False)


def build_unlisted_items(live: LiveSession, glyphs: Glyphs) -> Iterator[ListItem]:
    """Say what is known of a session that no list has yet."""
    yield make_line_item("title", one_line(live.title), Role.PROMPT)
    yield from build_live_items(live, glyphs)
    own = format_cost(live.cost_usd, partly_unknown=not live.is_cost_complete)
    spent = format_cost_and_copies(own, live.copied_cost_usd)
    facts = [one_line(live.name), spent, shorten_model(live.model or "")]
    yield make_line_item("facts", "  ".join(part for part in facts if part))
    yield make_blank_item("facts.")


def build_project_items(
    project: Project,
    rows: Sequence[SessionRow],
    costs: "Mapping[str, UsageTotal]",
    amount: "UsageTotal | None",
    canvas: Canvas,
) -> Iterator[ListItem]:
    """Show a project: where it lies, what it cost, its newest sessions."""
    yield make_line_item("title", one_line(project.name), Role.PROMPT)
    yield make_line_item("path", one_line(project.path or project.folder))
    if project.worktree_of:
        yield make_line_item("worktree", f"Worktree of {one_line(project.worktree_of)}")
    words = [
        format_plural(project.sessions, "session"),
        format_cost_cell(amount),
        canvas.when(project.last_active),
    ]
    yield make_line_item("facts", "  ".join(words))
    yield make_blank_item("facts.")
    if rows:
        yield make_line_item("newest", "Newest sessions", Role.HEADER)
    for row in rows:
        yield ListItem(
            f"row/{row.id}",
            _SessionRowRenderer(row, costs.get(row.id), canvas),
            "row",
            row,
            picked=False,
        )


class _SessionRowRenderer:
    """Draws a session in one line."""

    def __init__(self, row: SessionRow, amount: "UsageTotal | None", canvas: Canvas) -> None:
        self._row = row
        self._amount = amount
        self._canvas = canvas

    def __call__(self, columns: int) -> Sequence[StyledLine]:
        row = self._row
        numbers = f"{format_count(row.turns):>5}  {format_cost_cell(self._amount):>8}"
        right: list[Span] = [(Role.META, f"{numbers}  {self._canvas.when(row.ended_at):>10}")]
        kept = format_kept_sign(row.kept_in, self._canvas.glyphs)
        left = [(Role.CLAUDE, one_line(row.title)), (Role.META, f"  {kept}" if kept else "")]
        return [align_cells(left, right, columns)]
