"""Branches of a session have names, and no two of them the same."""

import pytest

from bough.model.outline.branch_names import name_branches
from bough.model.outline.branch_path import name_branch
from bough.model.outline.session_outline import Branch, BranchOff, outline_of
from bough.model.session import Session
from bough.sample import SampleSession, session
from tests.unit.model.opened import opened


def start(seed: str = "names") -> SampleSession:
    return session(seed).user("Add the importer").assistant("Done", name="A")


def side_branches(seen: Session) -> list[Branch]:
    found: list[Branch] = []
    waiting = list(outline_of(seen).branches)
    while waiting:
        for item in waiting.pop().items:
            if isinstance(item, BranchOff):
                found += item.branches
                waiting += item.branches
    return found


def test_a_session_that_never_parts_lends_its_branch_its_title() -> None:
    seen = opened(start())

    assert name_branches(seen) == [seen.title]


def test_a_branch_goes_by_its_first_words_after_it_left() -> None:
    builder = start().user("Use flags").assistant("Yes").at("A").user("Use a file").assistant("So")

    assert name_branches(opened(builder)) == ["Use flags", "Use a file"]


def test_branches_that_begin_alike_are_told_apart_by_their_last_words() -> None:
    builder = start().user("Commit it").assistant("Yes").user("Push it").assistant("Pushed")
    builder.at("A").user("Commit it").assistant("Yes")

    assert name_branches(opened(builder)) == ["Commit it, then Push it", "Commit it"]


def test_branches_of_the_very_same_words_are_numbered() -> None:
    builder = start().user("Commit it").assistant("Yes")
    for _ in range(2):
        builder.at("A").user("Commit it").assistant("Yes")

    assert name_branches(opened(builder)) == ["Commit it", "Commit it (2)", "Commit it (3)"]


def test_a_command_names_no_branch_by_itself() -> None:
    builder = start().user("Use flags").assistant("Yes").at("A").command("exit")

    names = name_branches(opened(builder))

    assert "/exit" not in names
    assert "Add the importer, then /exit" in names


@pytest.mark.parametrize("times", [1, 3])
def test_a_side_branch_has_the_name_of_its_conversation(times: int) -> None:
    builder = start().user("Commit it").assistant("Yes")
    for _ in range(times):
        builder.at("A").user("Commit it").assistant("Yes")
    seen = opened(builder)

    shown = [name_branch(branch) for branch in side_branches(seen)]

    assert len(set(shown)) == times
    assert set(shown) < set(name_branches(seen))
