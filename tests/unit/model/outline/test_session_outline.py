"""A session at a glance: turns, branches, agents, compactions, and what they cost."""

import msgspec
import pytest

from bough.model.outline.branch_path import name_leave_reason, path_to_tip
from bough.model.outline.session_outline import (
    Branch,
    BranchOff,
    Compaction,
    SessionOutline,
    list_turns,
    outline_of,
)
from bough.model.outline.turns import Turn
from bough.model.usage.cost_allocator import CallTotal, CostAllocator, price_call
from bough.model.usage.costs import UsageTotal
from bough.model.usage.tokens import Tokens, UsageSnapshot, read_snapshots
from bough.sample import SampleSession, session
from bough.sample.data.tool_results import SampleCall
from tests.unit.model.opened import opened


def glance(builder: SampleSession) -> SessionOutline:
    return outline_of(opened(builder))


def texts(branch: Branch) -> list[object]:
    """Tell a branch by its words: nested lists are branches that leave, None is a compaction."""
    found: list[object] = []
    for item in branch.items:
        match item:
            case Turn():
                found.append(item.text)
            case Compaction():
                found.append(None)
            case BranchOff():
                found += [texts(way) for way in item.branches]
    return found


def asked(builder: SampleSession) -> list[Turn]:
    return [e for branch in glance(builder).branches for e in list_turns(branch.items)]


def test_each_prompt_is_one_turn_with_its_steps() -> None:
    builder = session().user("one").tool("Bash", {}, "x").tool("Read", {}, "y").assistant("done")
    builder.user("two").assistant("yes")

    first, second = asked(builder)

    assert (first.text, first.steps, first.kind) == ("one", 2, "prompt")
    assert (second.text, second.steps) == ("two", 0)


def test_only_the_first_line_of_a_prompt_names_it() -> None:
    (found,) = asked(session().user("\n  First line\nsecond").assistant("a"))

    assert found.text == "First line"


def test_commands_shells_and_queued_prompts_are_turns() -> None:
    builder = session().user("go").tool("Bash", {}, "x").queued_command("and that").assistant("a")
    builder.skill("/review", "src", "Read it.").assistant("b").shell("git status", "clean")

    assert [(e.kind, e.text) for e in asked(builder)] == [
        ("prompt", "go"),
        ("queued", "and that"),
        ("command", "/review src"),
        ("shell", "! git status"),
    ]


def test_a_rewind_leaves_the_branch_where_it_left() -> None:
    builder = session().user("start").assistant("a", name="A").user("old").assistant("b")
    builder.at("A").user("new").assistant("c")

    (root,) = glance(builder).branches

    assert texts(root) == ["start", ["old"], "new"]
    assert root.active
    parting = next(item for item in root.items if isinstance(item, BranchOff))
    assert (parting.branches[0].cause, name_leave_reason(parting.branches[0])) == (
        "edit",
        "rewound",
    )


def test_branches_leave_branches() -> None:
    builder = session().user("start").assistant("a", name="A").user("b1").assistant("x", name="X")
    builder.user("b1a").assistant("y").at("X").user("b1b").assistant("z")
    builder.at("A").user("main").assistant("end")

    (root,) = glance(builder).branches

    assert texts(root) == ["start", ["b1", ["b1a"], "b1b"], "main"]


def test_the_turn_of_the_active_tip_is_marked() -> None:
    builder = session().user("one").assistant("a").user("two").assistant("b")

    assert [e.active for e in asked(builder)] == [False, True]


def test_a_prompt_that_was_edited_at_once_says_so() -> None:
    builder = session().user("start").assistant("a", name="A").user("typo")
    builder.at("A").user("better").assistant("b")

    (root,) = glance(builder).branches
    parting = next(item for item in root.items if isinstance(item, BranchOff))

    assert name_leave_reason(parting.branches[0]) == "edited"


def test_what_was_interrupted_ends_so() -> None:
    builder = session().user("one").assistant("a", name="A").user("two").tool("Bash", {}, "x")
    builder.interrupt().at("A").user("three").assistant("b")

    ends = {e.text: e.end for e in asked(builder)}

    assert ends == {"one": "", "two": "interrupted", "three": ""}


def test_a_call_without_a_result_leaves_the_turn_open() -> None:
    builder = session().user("one")
    builder.ask(SampleCall(tool="Bash", given={}))

    assert [e.end for e in asked(builder)] == ["open"]


def test_a_prompt_without_an_answer_is_open() -> None:
    assert [e.end for e in asked(session().user("one"))] == ["open"]


def test_an_api_error_at_the_end_is_a_failure() -> None:
    assert [e.end for e in asked(session().user("one").api_error())] == ["failed"]


def test_a_seam_says_what_it_kept_and_dropped() -> None:
    builder = session().user("one").assistant("a").user("two").assistant("b", name="B")
    builder.compact("So far.", keep=[builder.uuid("B")], preTokens=168_000, postTokens=22_000)
    builder.user("three").assistant("c")

    (root,) = glance(builder).branches
    (compaction,) = [item for item in root.items if isinstance(item, Compaction)]

    assert (compaction.before, compaction.after, compaction.kept, compaction.dropped) == (
        168_000,
        22_000,
        1,
        3,
    )
    assert texts(root) == ["one", "two", None, "three"]


def test_an_agent_is_no_step_and_its_cost_is_in_the_turn() -> None:
    builder = session().user("go").agent("Explore", "look around").assistant("done")

    (found,) = asked(builder)

    (agent,) = found.agents
    assert (found.steps, agent.text, agent.ok) == (0, "Explore: look around", True)
    assert 0 < agent.cost.cost.picodollars < found.cost.cost.picodollars
    assert found.cost.cost == glance(builder).cost.cost


def test_an_agent_in_the_background_has_no_end_until_it_is_noticed() -> None:
    builder = session().user("go").agent("Explore", "look", background=True).assistant("meanwhile")

    (found,) = asked(builder)

    assert [agent.ok for agent in found.agents] == [None]


def test_costs_of_all_turns_come_to_that_of_the_session() -> None:
    builder = session().user("one").assistant("a", name="A").user("two").agent("Explore", "look")
    builder.assistant("b").at("A").user("three").tool("Bash", {}, "x").assistant("c")
    read = opened(builder)

    seen = outline_of(read)

    parts = sum((e.cost.cost.picodollars for b in seen.branches for e in list_turns(b.items)), 0)
    assert (
        parts
        == seen.cost.cost.picodollars
        == CostAllocator(read.usage_lines()).allocate_remainder().total.cost.picodollars
    )


def test_a_model_without_a_price_makes_the_bill_incomplete() -> None:
    builder = session(model="claude-lab-9").user("one").assistant("a")

    bill = glance(builder).cost

    assert (bill.cost.unpriced_models, bill.usd) == (["claude-lab-9"], None)
    assert bill.tokens > 0


def test_each_call_is_charged_once() -> None:
    read = opened(session().user("one").thinking("hm").assistant("a"))
    till = CostAllocator(read.usage_lines())

    first, again = till.allocate(read.records), till.allocate(read.records)

    assert (first.total.calls, len(first.calls)) == (1, 1)
    assert again == till.allocate_remainder() == CallTotal()


def test_a_call_is_priced_by_its_model_and_kinds_of_tokens() -> None:
    tokens = Tokens(1_000_000, 1_000_000, 2_000_000, 1_000_000, 1_000_000)
    call = UsageSnapshot("m", "r", "claude-opus-4-6", None, tokens, None, 2, "u", 0)

    # 5 for input, 25 for output, 6.25 and 10 for the two kinds of writes, 0.5 for reads.
    assert price_call(call).usd == 46.75


def test_a_second_answer_to_one_prompt_is_a_retry() -> None:
    builder = session().user("ask", name="P").assistant("first").at("P").assistant("second")

    (root,) = glance(builder).branches
    (parting,) = [item for item in root.items if isinstance(item, BranchOff)]
    (way,) = parting.branches

    assert (way.cause, name_leave_reason(way)) == ("retry", "retried")
    assert [e.kind for e in list_turns(way.items)] == ["retry"]


# -- the route of one conversation ---------------------------------------------------------------


def parted() -> SampleSession:
    builder = session().user("start").assistant("a", name="A").user("old").assistant("b", name="B")
    return builder.at("A").user("new").assistant("c", name="C")


@pytest.mark.parametrize(
    ("tip", "stops"), [("C", ["start", ["old"], "new"]), ("B", ["start", ["new"], "old"])]
)
def test_a_route_names_the_ways_that_leave_it(tip: str, stops: list[object]) -> None:
    builder = parted()

    items = path_to_tip(glance(builder), builder.uuid(tip))

    assert texts(Branch(tuple(items))) == stops


def test_read_from_a_branch_that_was_left_the_other_is_the_active_one() -> None:
    builder = parted()

    items = path_to_tip(glance(builder), builder.uuid("B"))

    (parting,) = [item for item in items if isinstance(item, BranchOff)]
    assert [branch.active for branch in parting.branches] == [True]


def test_what_follows_the_tip_leaves_the_route() -> None:
    builder = session().user("one").assistant("a", name="A").user("two").assistant("b")

    items = path_to_tip(glance(builder), builder.uuid("A"))

    assert texts(Branch(tuple(items))) == ["one", ["two"]]


def test_a_session_without_talk_has_nothing_to_see() -> None:
    seen = glance(session().mode())

    assert (seen.turns, seen.cost, path_to_tip(seen, None)) == (0, UsageTotal(), [])


def test_a_thousand_branches_inside_one_another_are_no_trouble() -> None:
    builder = session().user("0").assistant("a", name="A0")
    for number in range(1, 400):
        builder.user(f"left {number}").assistant("x")
        builder.at(f"A{number - 1}").user(f"{number}").assistant("y", name=f"A{number}")

    seen = glance(builder)

    assert seen.turns == 799
    assert len(list(read_snapshots(opened(builder).records))) == 799


def hooked_session() -> SampleSession:
    """Tell a session with hooks in which each resume writes a pair, and one went back."""
    builder = session(version="2.1.150").user("f1").assistant("a", name="f1")
    for words, parent in (("f2", "f1"), ("g1", "f1")):
        builder.at(parent).informational("moved").wait(hours=1)
        builder.meta("Continue from where you left off.").synthetic_answer()
        builder.user(words).assistant("a", name=words)
    return builder


def test_what_a_client_writes_on_a_resume_begins_no_turn() -> None:
    seen = glance(hooked_session())

    assert [texts(branch) for branch in seen.branches] == [["f1", ["f2"], "g1"]]
    assert seen.turns == 3


def test_a_turn_ends_with_its_answer_and_not_with_the_next_resume() -> None:
    builder = hooked_session()

    first = asked(builder)[0]

    assert first.ended_at == builder.record_of("f1")["timestamp"]


def test_an_interrupted_turn_stays_interrupted_whatever_a_resume_writes() -> None:
    builder = session().user("one").assistant("half").interrupt().synthetic_answer().user("two")

    assert [turn.end for turn in asked(builder)] == ["interrupted", "open"]


def test_an_answer_that_a_person_went_back_from_goes_on_with_its_turn() -> None:
    builder = session().user("one").assistant("a", name="a").queued("more").assistant("b")
    builder.at("a").informational("moved").user("two").assistant("c")

    (branch,) = glance(builder).branches

    turns = list(list_turns(branch.items))
    assert [(turn.kind, turn.text) for turn in turns] == [
        ("prompt", "one"),
        ("queued", "more"),
        ("prompt", "two"),
    ]


def workflow(*, tied: bool) -> SampleSession:
    """Tell a turn whose call starts a workflow of two agents; `tied` ones name that call."""
    builder = session(version="2.1.250").user("fold all pages")
    call = SampleCall(tool="Workflow", given={"name": "fold"}, result="wf_1 launched")
    tool_id = builder.ask(call)
    for number in (1, 2):
        builder.agent("folder", f"fold page {number}", layout="workflow", agent_id=f"a{number}")
    del builder.entries[-4:]
    builder.at(2)
    for place, data in builder.companions.items():
        if place.endswith(".meta.json"):
            meta = msgspec.json.decode(data) | {"toolUseId": tool_id if tied else None}
            builder.companions[place] = msgspec.json.encode(meta)
    return builder.reply(tool_id, call).assistant("Both fold.")


@pytest.mark.parametrize("tied", [True, False])
def test_agents_of_a_workflow_stand_in_the_turn_whose_call_they_follow(tied: bool) -> None:
    read = opened(workflow(tied=tied))

    (turn,) = [e for branch in outline_of(read).branches for e in list_turns(branch.items)]

    assert sorted(agent.text for agent in turn.agents) == [
        "folder: fold page 1",
        "folder: fold page 2",
    ]
    assert turn.cost == outline_of(read).cost == read.cost(agents=True)
    assert read.conversation().cost(agents=True) == read.cost(agents=True)
