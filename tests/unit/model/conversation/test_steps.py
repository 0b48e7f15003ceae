"""Runs: which calls make one block of steps, and which of its rows are shown."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from bough.model.conversation.content import TextBlock
from bough.model.conversation.steps import (
    MOST_ROWS,
    SingleBlock,
    Step,
    StepRun,
    WordRow,
    choose_visible_rows,
    describe_hidden_rows,
    fit_name_column,
    group_rows,
    is_wordless_thought,
    split_into_parts,
    sum_up_run,
)
from bough.model.interpret.message_kinds import BlockType
from bough.model.tools.call_row import ToolView
from bough.model.tools.calls import ToolBlock
from bough.model.tools.outcomes import CallOutcome, CallState

CALL = ToolBlock(id="t", name="Bash")
AGENT = ToolBlock(id="a", name="Task")
TEXT = TextBlock(BlockType.TEXT, "words of\n\ntwo paragraphs")
LINE = TextBlock(BlockType.TEXT, "Now the tests.")
THOUGHT = TextBlock(BlockType.THINKING, "The checkpoint has to be\n\nwritten first.")
KEPT_BACK = TextBlock(BlockType.THINKING, " ")
WITHHELD = TextBlock(BlockType.REDACTED_THINKING, "")
NOTE = TextBlock(BlockType.NOTE, "a note")
HOOK = TextBlock(BlockType.HOOK, "lint: success")
BLOCKS = st.lists(
    st.sampled_from([CALL, AGENT, TEXT, LINE, THOUGHT, KEPT_BACK, WITHHELD, NOTE, HOOK]),
    max_size=20,
)


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


def test_a_thought_between_calls_is_a_row_of_their_block() -> None:
    assert split_into_parts([THOUGHT, CALL, THOUGHT, CALL, THOUGHT, TEXT]) == [
        StepRun(
            (
                WordRow(0, THOUGHT),
                Step(1, CALL),
                WordRow(2, THOUGHT),
                Step(3, CALL),
                WordRow(4, THOUGHT),
            )
        ),
        SingleBlock(5, TEXT),
    ]


def test_a_thought_with_no_call_beside_it_stands_alone() -> None:
    assert split_into_parts([THOUGHT, TEXT]) == [SingleBlock(0, THOUGHT), SingleBlock(1, TEXT)]


def test_one_line_of_prose_between_calls_is_a_row_and_more_ends_the_block() -> None:
    (run,) = split_into_parts([CALL, LINE, NOTE, CALL])
    long = TextBlock(BlockType.TEXT, "x" * 101)

    assert run == StepRun((Step(0, CALL), WordRow(1, LINE, ((2, NOTE),)), Step(3, CALL)))
    assert len(split_into_parts([CALL, TEXT, CALL])) == 3
    assert len(split_into_parts([CALL, long, CALL])) == 3


def test_what_is_said_before_the_first_and_after_the_last_call_is_no_row() -> None:
    assert split_into_parts([LINE, CALL, THOUGHT, LINE, NOTE]) == [
        SingleBlock(0, LINE),
        StepRun((Step(1, CALL), WordRow(2, THOUGHT))),
        SingleBlock(3, LINE),
        SingleBlock(4, NOTE),
    ]


def test_a_thought_without_words_has_no_row_and_ends_no_block() -> None:
    assert split_into_parts([KEPT_BACK, CALL, WITHHELD, CALL, KEPT_BACK]) == [
        StepRun((Step(1, CALL), Step(3, CALL)))
    ]


@given(BLOCKS)
def test_every_block_with_words_is_in_one_part_and_in_order(
    blocks: list[ToolBlock | TextBlock],
) -> None:
    numbers: list[int] = []
    for part in split_into_parts(blocks):
        if isinstance(part, SingleBlock):
            numbers.append(part.number)
        else:
            for row in part.rows:
                numbers += [row.number, *(number for number, _ in row.notes)]

    assert numbers == [n for n, block in enumerate(blocks) if not is_wordless_thought(block)]


@given(BLOCKS)
def test_blocks_of_steps_have_calls_and_never_follow_one_another(
    blocks: list[ToolBlock | TextBlock],
) -> None:
    parts = split_into_parts(blocks)
    runs = [isinstance(part, StepRun) for part in parts]

    assert all(part.steps for part in parts if isinstance(part, StepRun))
    assert not any(first and second for first, second in pairwise(runs))


def test_a_short_run_shows_all_its_rows() -> None:
    assert choose_visible_rows([view()] * 6) == [True] * 6


def test_rows_are_grouped_into_those_shown_and_those_folded_away() -> None:
    (run,) = split_into_parts([CALL, CALL, THOUGHT, CALL, LINE, CALL, THOUGHT, CALL, CALL])
    assert isinstance(run, StepRun)

    groups = group_rows(run, {step.number: view() for step in run.steps})

    assert [(len(group.rows), group.is_hidden) for group in groups] == [
        (2, False),
        (5, True),
        (2, False),
    ]
    assert describe_hidden_rows(groups[1].rows) == "2 more steps, 2 thoughts, 1 line"
    assert describe_hidden_rows(run.rows[2:3]) == "1 more thought"


def test_a_block_of_the_most_rows_is_shown_whole() -> None:
    assert all(choose_visible_rows([None] * MOST_ROWS))
    assert not all(choose_visible_rows([None] * (MOST_ROWS + 1)))


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


def test_calls_that_ran_at_the_same_time_are_not_added_up() -> None:
    def ran(at: str | None, seconds: float | None) -> ToolView:
        return ToolView("Bash", "x", CallOutcome(CallState.OK), seconds=seconds, started_at=at)

    at_once = [ran(f"2026-11-15T15:10:0{start}.000Z", 10.0) for start in (0, 1, 2)]
    later = ran("2026-11-15T15:20:00.000Z", 3.0)
    inside = ran("2026-11-15T15:10:03.000Z", 1.0)

    assert sum_up_run(at_once).seconds == 12.0
    assert sum_up_run([later, *at_once, inside]).seconds == 15.0
    assert (
        sum_up_run([*at_once, ran(None, 2.0), ran("2026-11-15T15:30:00.000Z", None)]).seconds
        == 14.0
    )
