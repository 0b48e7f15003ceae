"""Steps: the path to a tip is its step and those before it, and every group is on one."""

from pathlib import Path

import pytest

from bough.files.byte_source import DiskSource
from bough.ingest.read_records import read_records
from bough.model.outline.branch_steps import find_branch_steps
from bough.model.outline.group_membership import assign_branches
from bough.model.outline.step_lists import FIRST, OFF, ONE_STEP, BranchSteps
from bough.model.session import Session
from bough.sample import session
from tests.unit.model.opened import opened


def built(*branches: tuple[str, str]) -> Session:
    """A session whose branches go from one named message to the next."""
    builder = session("one").user("hi").assistant("Hello", name="start")
    for at, name in branches:
        builder.at(at).user(f"To {name}").assistant(f"At {name}", name=name)
    return opened(builder)


def offsets_of(told: Session, groups: list[int]) -> set[int]:
    tree = told.message_tree
    own = (tree.groups[group] for group in groups if group < len(tree.groups))
    return {tree.tree.nodes[node].offset for one in own for node in (*one.nodes, *one.notes)}


def chain_of(steps: BranchSteps, end: int) -> set[int]:
    found = set()
    while end >= 0 and steps.parents[end] != OFF:
        found.add(end)
        end = steps.parents[end]
    return found


def check(told: Session) -> None:
    steps, ends = find_branch_steps(told)
    every = offsets_of(told, list(range(len(told.message_tree.groups))))
    owners = assign_branches(told).owners
    for number, conversation in enumerate(told.conversations):
        on_it = chain_of(steps, ends[number])
        shown = {offset for offset in every if steps.step_at(offset) in on_it}
        assert shown == offsets_of(told, conversation.groups)
    for group, owner in owners.items():
        for offset in offsets_of(told, [group]):
            assert steps.owners[steps.step_at(offset)] == owner


def test_a_session_that_never_parts_is_one_step() -> None:
    assert find_branch_steps(built()) == (ONE_STEP, [0])


def test_what_two_branches_share_is_a_step_before_both() -> None:
    told = built(("start", "left"), ("start", "right"))

    steps, ends = find_branch_steps(told)

    shared = steps.step_at(0)
    assert steps.parents[shared] == FIRST
    assert {steps.parents[end] for end in ends} == {shared}
    check(told)


@pytest.mark.parametrize(
    "branches",
    [
        [("start", "a"), ("a", "b"), ("a", "c"), ("start", "d"), ("d", "e"), ("d", "f")],
        [("start", "a"), ("a", "b"), ("start", "c"), ("b", "d"), ("b", "e"), ("c", "f")],
    ],
)
def test_paths_are_those_of_the_conversations(branches: list[tuple[str, str]]) -> None:
    check(built(*branches))


def test_many_branches_take_two_steps_each() -> None:
    names = [f"n{number}" for number in range(300)]
    comb = [
        pair
        for at, name in zip(["start", *names], names, strict=False)
        for pair in ((at, name), (at, f"{name} too"))
    ]
    told = built(*comb)

    steps, ends = find_branch_steps(told)

    assert len(ends) == 301
    assert len(steps.parents) <= 2 * len(ends) + 1


def test_paths_of_real_sessions_are_those_of_their_conversations(shared: Path) -> None:
    several = 0
    for path in sorted((shared / "corpus").rglob("*.jsonl")):
        told = Session(path.stem, *read_records(DiskSource(str(path))), sidechain=False)
        if len(told.conversations) > 1 and not path.name.startswith("agent-"):
            check(told)
            several += 1

    assert several
