"""Steps, agents, seams and twigs in lines: one line each, its outcome before its detail."""

from collections.abc import Sequence
from typing import Final

import msgspec

from bough.model.exchanges import Exchange
from bough.model.overview import Branch, Seam
from bough.model.tools import ToolBlock
from bough.model.toolview import State, ToolView, view_of
from bough.model.turns import Turn, Words
from bough.tui.looks import (
    Glyphs,
    Line,
    Role,
    Setting,
    Sheet,
    Span,
    agent_rows,
    changes,
    duration,
    fit,
    mark,
    one_line,
    pad,
    plural,
    seam_text,
    spans_of,
    width,
)
from bough.tui.toolviews import detail

_NARROWEST, _WIDEST = 4, 12
_BAD: Final = (State.FAILED, State.BLOCKED, State.REFUSED)
_FILE_TOOLS: Final = frozenset({"Edit", "MultiEdit", "Write", "NotebookEdit"})
_ROWS_IN: Final = 4


class Steps:
    """Calls that follow one another: a line for all of them, and one for each."""

    def __init__(self, blocks: Sequence[ToolBlock], setting: Setting) -> None:
        self._blocks = blocks
        self._setting = setting
        self._seen: list[ToolView] | None = None

    @property
    def _views(self) -> list[ToolView]:
        if self._seen is None:
            times, cwd = self._setting.times, self._setting.cwd
            self._seen = [view_of(block, times.get(block.id), cwd) for block in self._blocks]
        return self._seen

    def summary(self, opened: bool, sheet: Sheet) -> list[Line]:
        """Say how many steps there are, what they changed, whether any failed."""
        views = self._views
        files = {v.summary for v in views if v.name in _FILE_TOOLS}
        added = sum(v.outcome.added or 0 for v in views)
        removed = sum(v.outcome.removed or 0 for v in views)
        failed = sum(v.outcome.state in _BAD for v in views)
        facts: list[Span] = [(Role.TOOL, f"  {_sign(sheet, opened)} {plural(len(views), 'step')}")]
        if files:
            facts.append((Role.META, f"  {plural(len(files), 'file')}"))
        if added or removed:
            facts.append((Role.META, f"  {changes(added, removed)}"))
        if failed:
            facts.append((Role.ERROR, f"  {sheet.styles.glyphs.failed} {failed:,} failed"))
        took = sum(v.seconds or 0 for v in views)
        return [_ended(facts, [(Role.META, duration(took) if took else "")], sheet)]

    def row(self, at: int, opened: bool, sheet: Sheet) -> list[Line]:
        """Set one call, and below it what it did where it is open."""
        view, block = self._views[at], self._blocks[at]
        names = [width(one_line(_name(v))) for v in self._views]
        column = min(max(*names, _NARROWEST), _WIDEST) if names else _NARROWEST
        clock = max(width(_took(v)) for v in self._views)
        name = pad(one_line(_name(view)), column)
        left: list[Span] = [
            (Role.TOOL, f"{' ' * _ROWS_IN}{_sign(sheet, opened)} {name}  "),
            (Role.CLAUDE, one_line(view.summary)),
        ]
        right = _right(view, pad(_took(view), clock, right=True), sheet.styles.glyphs)
        lines = [_ended(left, right, sheet)]
        inner = _ROWS_IN + 2
        if opened:
            return [*lines, *detail(block, sheet, inner)]
        if view.outcome.reason:
            reason = fit(one_line(view.outcome.reason), sheet.measure - inner - column - 2)
            lines.append(((Role.ERROR, f"{' ' * (inner + column + 2)}{reason}"),))
        return lines


def agent_lines(block: ToolBlock, setting: Setting, opened: bool, sheet: Sheet) -> list[Line]:
    """Set an agent: what for, how it ended, and the beginning of its answer."""
    lines = [spans_of(line) for line in agent_rows(block, setting.agents.get(block.id), sheet)]
    return lines[:1] if opened else lines


def seam_lines(seam: Seam, turns: Sequence[Turn], sheet: Sheet) -> list[Line]:
    """Set a compaction: dashes with what it did; open, what Claude still knew after it."""
    glyphs = sheet.styles.glyphs
    who = {"auto": "Compacted automatically", "manual": "Compacted by you"}
    head = f"{glyphs.seam}{glyphs.gap} {sheet.time(seam.timestamp)}  "
    room = sheet.measure - width(head)
    text = seam_text(seam, glyphs.arrow, who.get(seam.trigger or "", "Compacted"))
    if width(text) > room:
        text = seam_text(seam, glyphs.arrow)
    text = fit(text, room, glyphs.ellipsis)
    lines: list[Line] = [
        ((Role.COMPACTION, f"{head}{text} {glyphs.gap * max(0, room - width(text) - 1)}"),)
    ]
    if not sheet.full:
        return lines
    summaries = [b.text for t in turns for b in t.blocks if isinstance(b, Words) and b.text]
    for summary in summaries:
        lines += [spans_of(line) for line in sheet.prose(summary, 2, Role.COMPACTION)]
    return [*lines, ((Role.META, "  Enter lists what was dropped."),)]


def twig_lines(branch: Branch, why: str, left_at: str | None, sheet: Sheet) -> list[Line]:
    """Set where another branch leaves: its first words, how long it is, why it was left."""
    glyphs = sheet.styles.glyphs
    asked = [item for item in branch.items if isinstance(item, Exchange)]
    role = Role.ACTIVE if branch.active else Role.LEFT
    sign = glyphs.knot if branch.active else glyphs.other
    words = "active" if branch.active else f"{why} {sheet.time(left_at)}" if left_at else why
    facts = ", ".join(fact for fact in (plural(len(asked), "turn"), words) if fact)
    first = one_line(next((one.text for one in asked), ""))
    left: list[Span] = [(role, f"{glyphs.tee}{glyphs.dash}{sign} "), (role, first)]
    return [_ended(left, [(Role.META, f"{facts}   c compare")], sheet)]


def block_text(block: ToolBlock | Words) -> str:
    """Give all words of a block, for finding some of them."""
    if isinstance(block, Words):
        return block.text
    given = block.input
    text = given if isinstance(given, str) else "\n".join(_leaves(given))
    result = block.result.text if block.result is not None else ""
    return f"{block.name} {text}\n{result}"


def _leaves(value: object) -> list[str]:
    """List the words in a JSON value, however deep."""
    found: list[str] = []
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting += reversed(list(one.values()))
        elif isinstance(one, list):
            waiting += reversed(one)
        elif isinstance(one, str):
            found.append(one)
        elif one is not None:
            found.append(msgspec.json.encode(one).decode())
    return found


def _sign(sheet: Sheet, opened: bool) -> str:
    if sheet.styles.glyphs.knot == "*":
        return "v" if opened else ">"
    return "▾" if opened else "▸"


def _name(view: ToolView) -> str:
    return f"{view.server}: {view.name}" if view.server else view.name


def _took(view: ToolView) -> str:
    return duration(view.seconds) if view.seconds is not None else ""


def _right(view: ToolView, took: str, glyphs: Glyphs) -> list[Span]:
    state = view.outcome.state
    words = view.outcome.text or ("no result" if state is State.OPEN else "")
    role = Role.ERROR if state in _BAD else Role.META
    spans: list[Span] = [(role, f"{one_line(words)}  ")] if words else []
    if took:
        spans.append((Role.META, f"{took}  "))
    return [*spans, mark(state, glyphs)]


def _ended(left: Sequence[Span], right: Sequence[Span], sheet: Sheet) -> Line:
    """Set words at the left and others at the right end; the last at the left is cut."""
    tail = sum(width(text) for _, text in right)
    *head, (role, text) = left
    fixed = sum(width(one) for _, one in head)
    room = max(8, sheet.measure - fixed - (tail + 2 if tail else 0))
    text = fit(text, room, sheet.styles.glyphs.ellipsis)
    gap = " " * max(2, sheet.measure - fixed - width(text) - tail) if tail else ""
    return (*head, (role, text), (Role.META, gap), *right)
