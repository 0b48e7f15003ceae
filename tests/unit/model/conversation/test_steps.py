"""Runs: which calls make one block of steps, and which of its rows are shown."""

from hypothesis import given
from hypothesis import strategies as st

from bough.model.conversation.content import TextBlock
from bough.model.conversation.steps import (
    ROWS_IN_APP,
    ROWS_ON_PAGE,
    SingleBlock,
    Step,
    StepRun,
    choose_visible_rows,
    fit_name_column,
    is_long_run,
    split_into_parts,
    sum_up_run,
)
from bough.model.interpret.message_kinds import BlockType
from bough.model.tools.call_row import ToolView
from bough.model.tools.calls import ToolBlock
from bough.model.tools.outcomes import CallOutcome, CallState

CALL = ToolBlock(id="t", name="Bash")
AGENT = ToolBlock(id="a", name="Task")
TEXT = TextBlock(BlockType.TEXT, "words")
NOTE = TextBlock(BlockType.NOTE, "a note")
HOOK = TextBlock(BlockType.HOOK, "lint: success")
BLOCKS = st.lists(st.sampled_from([CALL, AGENT, TEXT, NOTE, HOOK]), max_size=20)


def view(
    state: CallState = CallState.OK,
    name: str = "Bash",
    added: int | None = None,
    removed: int | None = None,
) -> ToolView:
    return ToolView(name, "x", CallOutcome(state, added=added, removed=removed), seconds=1.5)


def test_calls_in_a_row_are_one_run() -> None:
    first, second, third = split_into_parts([CALL, CALL, TEXT, CALL])

    assert isinstance(first, StepRun)
    assert [step.number for step in first.steps] == [0, 1]
    assert second == SingleBlock(2, TEXT)
    assert third == StepRun((Step(3, CALL),))


def test_hooks_and_notes_belong_to_the_step_before_them() -> None:
    (run,) = split_into_parts([CALL, HOOK, NOTE, CALL, HOOK])

    assert isinstance(run, StepRun)
    assert [step.notes for step in run.steps] == [((1, HOOK), (2, NOTE)), ((4, HOOK),)]


def test_a_note_before_any_step_stands_alone() -> None:
    assert split_into_parts([NOTE, CALL]) == [SingleBlock(0, NOTE), StepRun((Step(1, CALL),))]


def test_an_agent_is_no_step() -> None:
    assert split_into_parts([CALL, AGENT]) == [StepRun((Step(0, CALL),)), SingleBlock(1, AGENT)]


@given(BLOCKS)
def test_every_block_is_in_one_part_and_in_order(blocks: list[ToolBlock | TextBlock]) -> None:
    numbers: list[int] = []
    for part in split_into_parts(blocks):
        if isinstance(part, SingleBlock):
            numbers.append(part.number)
        else:
            for step in part.steps:
                numbers += [step.number, *(number for number, _ in step.notes)]

    assert numbers == list(range(len(blocks)))


def test_a_short_run_shows_all_its_rows() -> None:
    assert choose_visible_rows([view()] * 6) == [True] * 6


def test_each_face_says_how_many_rows_it_shows() -> None:
    views = [view()] * ROWS_IN_APP

    assert all(choose_visible_rows(views, ROWS_IN_APP))
    assert not all(choose_visible_rows(views, ROWS_ON_PAGE))
    assert not is_long_run(ROWS_IN_APP, ROWS_IN_APP)
    assert is_long_run(ROWS_IN_APP + 1, ROWS_IN_APP)


def test_the_column_of_names_is_as_wide_as_they_are_between_two_bounds() -> None:
    assert fit_name_column([4, 7]) == 7
    assert fit_name_column([2]) == fit_name_column([]) == 4
    assert fit_name_column([2], least=0) == 2
    assert fit_name_column([40, 3]) == 12


def test_a_long_run_shows_its_ends_and_what_failed() -> None:
    views = [view() for _ in range(10)]
    views[5] = view(CallState.BLOCKED)

    shown = [number for number, is_shown in enumerate(choose_visible_rows(views)) if is_shown]

    assert shown == [0, 1, 5, 8, 9]


def test_a_row_alone_between_two_that_are_shown_is_shown_too() -> None:
    views = [view() for _ in range(9)]
    views[3] = view(CallState.FAILED)

    assert choose_visible_rows(views)[2]


def test_a_run_is_summed_up() -> None:
    edit = view(name="Edit", added=5, removed=2)

    facts = sum_up_run([edit, edit, view(CallState.FAILED)])

    assert (facts.steps, facts.files, facts.added, facts.removed) == (3, 1, 10, 4)
    assert (facts.failed, facts.seconds) == (1, 4.5)
