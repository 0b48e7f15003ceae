"""Runs of tool calls: what a block of steps says of itself, and which of its rows it shows.

Calls that follow one another are one block of steps. A hook belongs to the step that ran it,
and a note between two steps does not tear them apart. An agent is no step: it stands alone.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from bough.model.conversation.content import ContentBlock, TextBlock
from bough.model.tools.call_row import CallState, ToolView, is_agent
from bough.model.tools.calls import ToolBlock

FAILED_STATES: Final = frozenset({CallState.FAILED, CallState.BLOCKED, CallState.REFUSED})
"""Outcomes that count as failed."""

_FILE_TOOLS: Final = frozenset({"Edit", "MultiEdit", "Write", "NotebookEdit"})
ROWS_ON_PAGE: Final = 6
"""So many rows of a run a page shows before it folds the middle."""
ROWS_IN_APP: Final = 12
"""Runs of so many rows are open in the terminal app; a longer one is folded whole."""
_ENDS: Final = 2
_NARROWEST_NAME, _WIDEST_NAME = 4, 12
_QUIET: Final = frozenset({"hook", "note"})


class Step(Struct, frozen=True, gc=False):
    """A call, its place among the blocks of its message, and the hooks and notes that follow it."""

    number: int
    block: ToolBlock
    notes: tuple[tuple[int, TextBlock], ...] = ()


class StepRun(Struct, frozen=True, gc=False):
    """Steps that follow one another."""

    steps: tuple[Step, ...]


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


def split_into_parts(
    blocks: Iterable[ContentBlock], *, notes_inside: bool = True
) -> list[AnswerPart]:
    """Cut the blocks of an answer into runs of steps and what stands for itself.

    A terminal writes every note where it stands: without `notes_inside` a note ends a run.
    """
    found: list[AnswerPart] = []
    steps: list[Step] = []
    beside: list[tuple[int, TextBlock]] = []

    def settle() -> None:
        if beside:
            steps[-1] = Step(steps[-1].number, steps[-1].block, tuple(beside))
            beside.clear()

    def close() -> None:
        settle()
        if steps:
            found.append(StepRun(tuple(steps)))
            steps.clear()

    for number, block in enumerate(blocks):
        if isinstance(block, ToolBlock) and not is_agent(block):
            settle()
            steps.append(Step(number, block))
        elif notes_inside and steps and isinstance(block, TextBlock) and block.type in _QUIET:
            beside.append((number, block))
        else:
            close()
            found.append(SingleBlock(number, block))
    close()
    return found


def sum_up_run(views: Sequence[ToolView]) -> StepRunFacts:
    """Sum up a run."""
    return StepRunFacts(
        steps=len(views),
        files=len({view.summary for view in views if view.name in _FILE_TOOLS}),
        added=sum(view.outcome.added or 0 for view in views),
        removed=sum(view.outcome.removed or 0 for view in views),
        failed=sum(view.outcome.state in FAILED_STATES for view in views),
        seconds=sum(view.seconds or 0 for view in views),
    )


def fit_name_column(widths: Iterable[int], least: int = _NARROWEST_NAME) -> int:
    """Fit the column in which the names of a run's tools stand; longer names push the rest."""
    return min(max([*widths, least]), _WIDEST_NAME)


def is_long_run(rows: int, most: int) -> bool:
    """Tell whether a run has more rows than a face shows at once."""
    return rows > most


def choose_visible_rows(views: Sequence[ToolView], most: int = ROWS_ON_PAGE) -> list[bool]:
    """Tell which rows of a run are shown: of a long one its ends and what failed."""
    last = len(views) - _ENDS
    if not is_long_run(len(views), most):
        return [True] * len(views)
    shown = [
        at < _ENDS or at >= last or view.outcome.state in FAILED_STATES
        for at, view in enumerate(views)
    ]
    # A fold that hides one row takes as much room as the row.
    for at in range(1, len(shown) - 1):
        if not shown[at] and shown[at - 1] and shown[at + 1]:
            shown[at] = True
    return shown
