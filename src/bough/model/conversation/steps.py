"""Blocks of steps: what stands in one, what it says of itself, and which of its rows it shows.

Work is one block, however often Claude thought or said a short line in between: a thought is a
row of it, and so is prose of one line between two calls. Only longer prose ends a block, or an
agent, which is no step and stands alone. A hook belongs to the row before it, and a note between
two calls does not tear them apart. A thought whose words the client did not keep has no row: the
end of its turn counts it.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from math import inf
from operator import itemgetter
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from bough.model.conversation.content import ContentBlock, TextBlock
from bough.model.interpret.message_kinds import THOUGHT_TYPES, BlockType
from bough.model.text.formats import format_plural
from bough.model.text.times import parse_moment
from bough.model.tools.call_row import CallState, ToolView, is_agent
from bough.model.tools.calls import ToolBlock

FAILED_STATES: Final = frozenset({CallState.FAILED, CallState.BLOCKED, CallState.REFUSED})
"""Outcomes that count as failed."""

_FILE_TOOLS: Final = frozenset({"Edit", "MultiEdit", "Write", "NotebookEdit"})
MOST_ROWS: Final = 6
"""A block with more rows shows its ends and what failed."""
_ENDS: Final = 2
_NARROWEST_NAME, _WIDEST_NAME = 4, 12
_QUIET: Final = frozenset({"hook", "note"})
_TALK_TYPES: Final = frozenset({"text", "image", "document", "error"})
_ONE_LINE: Final = 100
"""Prose of more characters is more than a line."""


class Step(Struct, frozen=True, gc=False):
    """A call, its place among the blocks of its message, and the hooks and notes that follow it."""

    number: int
    block: ToolBlock
    notes: tuple[tuple[int, TextBlock], ...] = ()


class WordRow(Struct, frozen=True, gc=False):
    """A thought or a line of prose between steps, with its place and what follows, as of a step."""

    number: int
    block: TextBlock
    notes: tuple[tuple[int, TextBlock], ...] = ()

    @property
    def is_thought(self) -> bool:
        """Tell whether it was thought, and not said."""
        return self.block.type in THOUGHT_TYPES


RunRow = Step | WordRow


class StepRun(Struct, frozen=True, gc=False):
    """A block of steps: calls, and what was thought and said between them, in rows."""

    rows: tuple[RunRow, ...]

    @property
    def steps(self) -> list[Step]:
        """List the calls."""
        return [row for row in self.rows if isinstance(row, Step)]


class RowGroup(Struct, frozen=True, gc=False):
    """Rows of a block that follow one another, all of them shown or all of them folded away."""

    rows: tuple[RunRow, ...]
    is_hidden: bool


class SingleBlock(Struct, frozen=True, gc=False):
    """A block that stands for itself: words, a thought, an agent, a note outside any run."""

    number: int
    block: ContentBlock


AnswerPart = StepRun | SingleBlock


class StepRunFacts(Struct, frozen=True):
    """What a run did as a whole."""

    steps: int
    files: int
    added: int
    removed: int
    failed: int
    seconds: float


def is_step(block: ContentBlock) -> bool:
    """Tell whether a block is a call that makes a row; agents and words do not."""
    return isinstance(block, ToolBlock) and not is_agent(block)


def is_wordless_thought(block: ContentBlock) -> bool:
    """Tell whether a block is a thought of which no words were kept."""
    return isinstance(block, TextBlock) and (
        block.type is BlockType.REDACTED_THINKING
        or (block.type is BlockType.THINKING and not block.text.strip())
    )


def split_into_parts(blocks: Iterable[ContentBlock]) -> list[AnswerPart]:
    """Cut the blocks of an answer into blocks of steps and what stands for itself."""
    parts = _PartList()
    for number, block in enumerate(blocks):
        parts.add(number, block)
    parts.close()
    return parts.found


class _PartList:
    """The parts of an answer while its blocks are gone through, in order."""

    def __init__(self) -> None:
        self.found: list[AnswerPart] = []
        self._rows: list[RunRow] = []
        self._notes: list[tuple[int, TextBlock]] = []

    def add(self, number: int, block: ContentBlock) -> None:
        """Put a block where it belongs."""
        match block:
            case ToolBlock() if not is_agent(block):
                self._add_row(Step(number, block))
            case TextBlock() if is_wordless_thought(block):
                pass
            case TextBlock(type=BlockType.THINKING):
                self._add_row(WordRow(number, block))
            case TextBlock(type=kind) if kind in _QUIET and self._has_steps():
                self._notes.append((number, block))
            case TextBlock() if self._has_steps() and _is_one_line(block):
                self._add_row(WordRow(number, block))
            case _:
                self.close()
                self.found.append(SingleBlock(number, block))

    def close(self) -> None:
        """End the block of steps; what was said after its last call is an answer, and no row."""
        self._settle_notes()
        said = self._find_closing_words()
        if any(isinstance(row, Step) for row in self._rows[:said]):
            self.found.append(StepRun(tuple(self._rows[:said])))
        else:
            said = 0
        for row in self._rows[said:]:
            self.found.append(SingleBlock(row.number, row.block))
            self.found += [SingleBlock(number, note) for number, note in row.notes]
        self._rows.clear()

    def _add_row(self, row: RunRow) -> None:
        self._settle_notes()
        self._rows.append(row)

    def _settle_notes(self) -> None:
        if self._notes:
            self._rows[-1] = replace(self._rows[-1], notes=tuple(self._notes))
            self._notes.clear()

    def _has_steps(self) -> bool:
        # Only thoughts can stand before the first step.
        return any(isinstance(row, Step) for row in self._rows)

    def _find_closing_words(self) -> int:
        """Find where prose begins after the last call; the end where there is none."""
        found = len(self._rows)
        for at in range(len(self._rows) - 1, -1, -1):
            row = self._rows[at]
            if isinstance(row, Step):
                break
            if not row.is_thought:
                found = at
        return found


def _is_one_line(block: TextBlock) -> bool:
    text = block.text.strip()
    return block.type is BlockType.TEXT and len(text) <= _ONE_LINE and "\n" not in text


def is_talk(part: AnswerPart) -> bool:
    """Tell whether a part of an answer was said to the reader: no step, thought, agent or note."""
    return isinstance(part, SingleBlock) and part.block.type in _TALK_TYPES


def sum_up_run(views: Sequence[ToolView]) -> StepRunFacts:
    """Sum up a run."""
    return StepRunFacts(
        steps=len(views),
        files=len({view.summary for view in views if view.name in _FILE_TOOLS}),
        added=sum(view.outcome.added or 0 for view in views),
        removed=sum(view.outcome.removed or 0 for view in views),
        failed=sum(view.outcome.state in FAILED_STATES for view in views),
        seconds=_measure_run(views),
    )


def _measure_run(views: Sequence[ToolView]) -> float:
    """Measure how long calls ran; those that ran at the same time are not added up."""
    timed: list[tuple[float, float]] = []
    untimed = 0.0
    for view in views:
        started = parse_moment(view.started_at)
        if started is None or view.seconds is None:
            untimed += view.seconds or 0
        else:
            timed.append((started.timestamp(), view.seconds))
    total, until = 0.0, -inf
    for start, seconds in sorted(timed):
        total += max(0.0, start + seconds - max(start, until))
        until = max(until, start + seconds)
    return total + untimed


def fit_name_column(widths: Iterable[int], least: int = _NARROWEST_NAME) -> int:
    """Fit the column in which the names of a run's tools stand; longer names push the rest."""
    return min(max([*widths, least]), _WIDEST_NAME)


def choose_visible_rows(views: Sequence[ToolView | None]) -> list[bool]:
    """Tell which rows of a block are shown: of a long one its ends and what failed.

    A row of words has no view, and cannot fail.
    """
    last = len(views) - _ENDS
    if len(views) <= MOST_ROWS:
        return [True] * len(views)
    shown = [
        at < _ENDS or at >= last or (view is not None and view.outcome.state in FAILED_STATES)
        for at, view in enumerate(views)
    ]
    # A fold that hides one row takes as much room as the row.
    for at in range(1, len(shown) - 1):
        if not shown[at] and shown[at - 1] and shown[at + 1]:
            shown[at] = True
    return shown


def group_rows(run: StepRun, views: Mapping[int, ToolView]) -> list[RowGroup]:
    """Group the rows of a block into those that are shown and those that are folded away.

    `views` are those of its calls, by their places among the blocks of the message.
    """
    shown = choose_visible_rows([views.get(row.number) for row in run.rows])
    pairs = groupby(zip(run.rows, shown, strict=True), key=itemgetter(1))
    return [RowGroup(tuple(row for row, _ in group), not is_shown) for is_shown, group in pairs]


def describe_hidden_rows(rows: Sequence[RunRow]) -> str:
    """Say what some rows are that are not shown: 12 more steps, 3 thoughts, 1 line."""
    steps = sum(isinstance(row, Step) for row in rows)
    thoughts = sum(isinstance(row, WordRow) and row.is_thought for row in rows)
    kinds = {"step": steps, "thought": thoughts, "line": len(rows) - steps - thoughts}
    counts = [(number, kind) for kind, number in kinds.items() if number]
    return ", ".join(
        format_plural(number, kind if at else f"more {kind}")
        for at, (number, kind) in enumerate(counts)
    )
