"""The preview beside a list: a session or a project at a glance, in pieces."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from bough.library import Project, SessionRow
from bough.query.live.running_sessions import LiveSession, lasted
from bough.tui.style.style import (
    Glyphs,
    Line,
    Role,
    Sheet,
    Span,
    bar,
    cost,
    count,
    elapsed,
    lines_of,
    now,
    one_line,
    pad,
    plural,
    share,
    short_model,
    size,
    wrap,
)
from bough.tui.widgets.cells import cells, cost_words, state_span
from bough.tui.widgets.list_items import Piece, blank, say

if TYPE_CHECKING:
    from bough.model.usage.amounts import Amount
    from bough.tui.content.last_messages import Glimpse, Said

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


def said_pieces(glimpse: "Glimpse", sheet: Sheet, glyphs: Glyphs) -> Iterator[Piece]:
    """Show what was said: who, when, and the first lines of it."""
    if glimpse.trouble:
        yield say("trouble", one_line(glimpse.trouble), Role.ERROR)
    for number, said in enumerate(glimpse.said):
        yield Piece(f"said/{number}", _Words(said, sheet, glyphs), said.kind, said, picked=False)
        yield blank(f"said/{number}.")


class _Words:
    """Draws something that was said, in as many columns as there are."""

    def __init__(self, said: "Said", sheet: Sheet, glyphs: Glyphs) -> None:
        self._said = said
        self._sheet = sheet
        self._glyphs = glyphs

    def __call__(self, columns: int) -> Sequence[Line]:
        said, glyphs = self._said, self._glyphs
        role, who = _SPEAKERS.get(said.kind, (Role.META, said.kind))
        sign = glyphs.tip if role is Role.PROMPT else glyphs.knot
        time = self._sheet.time(said.timestamp)
        head: Line = ((role, f"{sign} {who}  "), (Role.META, time))
        most = _LINES_HERE if said.here else _LINES
        lines = [
            part
            for line in lines_of(said.text.strip())[: most * 2]
            for part in wrap(line, max(8, columns - _MARGIN))
        ]
        more: list[Line] = [((Role.META, f"  {glyphs.ellipsis}"),)] if len(lines) > most else []
        return [head, *(((Role.CLAUDE, f"  {line}"),) for line in lines[:most]), *more]


def session_pieces(
    row: SessionRow, live: LiveSession | None, amount: "Amount | None", sheet: Sheet, glyphs: Glyphs
) -> Iterator[Piece]:
    """Say what is known of a session from lists alone: it is there at once."""
    yield say("title", one_line(row.title), Role.PROMPT)
    if live is not None:
        yield from live_pieces(live, glyphs)
    elif row.deleted_at is not None:
        yield say("gone", f"Deleted by the client {sheet.when(row.deleted_at)}.")
    parts = [
        plural(row.turns, "turn"),
        f"{row.tips:,} ways" if row.tips > 1 else "",
        plural(row.agents, "agent") if row.agents else "",
        cost_words(amount),
        sheet.when(row.ended_at),
    ]
    yield say("facts", "  ".join(part for part in parts if part))
    about = [*(short_model(model) for model in row.models[:2]), row.git_branch or ""]
    about += [size(row.bytes), row.id[:8]]
    yield say("about", "  ".join(one_line(word) for word in about if word))
    if row.bad_lines or row.unknown_records:
        wrong = plural(row.bad_lines, "line") + " cannot be read" if row.bad_lines else ""
        odd = plural(row.unknown_records, "record") + " of unknown kinds"
        words = ", ".join(part for part in (wrong, odd if row.unknown_records else "") if part)
        role = Role.ERROR if row.bad_lines else Role.META
        yield say("wrong", f"{glyphs.failed} {words}. D tells more.", role)
    yield blank("facts.")


def live_pieces(live: LiveSession, glyphs: Glyphs) -> Iterator[Piece]:
    """Say how a session stands now."""
    seconds = lasted(live, now()) or 0.0
    spans: list[Span] = [state_span(live, glyphs), (Role.META, f"  {elapsed(seconds)}")]
    if live.asks:
        spans.append((Role.CLAUDE, f"  asks: {one_line(live.asks)}"))
    line: Line = tuple(spans)
    yield Piece("state", lambda _: [line], "state", picked=False)
    if live.context is not None:
        drawn = bar(live.context, 1.0, _CONTEXT, unicode=glyphs.knot != "*")
        words: Line = (
            (Role.META, "Context  "),
            (Role.ACTIVE, pad(drawn, _CONTEXT)),
            (Role.META, f"  {share(live.context)}"),
        )
        yield Piece("context", lambda _: [words], "context", picked=False)


def live_only_pieces(live: LiveSession, glyphs: Glyphs) -> Iterator[Piece]:
    """Say what is known of a session that no list has yet."""
    yield say("title", one_line(live.title), Role.PROMPT)
    yield from live_pieces(live, glyphs)
    spent = cost(live.cost_usd, partly_unknown=not live.cost_complete)
    facts = [one_line(live.name), spent, short_model(live.model or "")]
    yield say("facts", "  ".join(part for part in facts if part))
    yield blank("facts.")


def project_pieces(
    project: Project,
    rows: Sequence[SessionRow],
    costs: "Mapping[str, Amount]",
    amount: "Amount | None",
    sheet: Sheet,
) -> Iterator[Piece]:
    """Show a project: where it lies, what it cost, its newest sessions."""
    yield say("title", one_line(project.name), Role.PROMPT)
    yield say("path", one_line(project.path or project.folder))
    if project.worktree_of:
        yield say("worktree", f"Worktree of {one_line(project.worktree_of)}")
    words = [
        plural(project.sessions, "session"),
        cost_words(amount),
        sheet.when(project.last_active),
    ]
    yield say("facts", "  ".join(words))
    yield blank("facts.")
    if rows:
        yield say("newest", "Newest sessions", Role.HEADER)
    for row in rows:
        yield Piece(f"row/{row.id}", _Row(row, costs.get(row.id), sheet), "row", row, picked=False)


class _Row:
    """Draws a session in one line."""

    def __init__(self, row: SessionRow, amount: "Amount | None", sheet: Sheet) -> None:
        self._row = row
        self._amount = amount
        self._sheet = sheet

    def __call__(self, columns: int) -> Sequence[Line]:
        row = self._row
        numbers = f"{count(row.turns):>5}  {cost_words(self._amount):>8}"
        right: list[Span] = [(Role.META, f"{numbers}  {self._sheet.when(row.ended_at):>10}")]
        return [cells([(Role.CLAUDE, one_line(row.title))], right, columns)]
