from pathlib import Path

import pytest

from bough.errors import TipNotFound
from bough.model.usage.costs import NO_COST, Cost
from bough.query.sessions.load_session import read_session
from bough.records.types import Assistant
from bough.sample import SampleSession, session
from bough.timetravel.compare.compare_branches import compare_branches
from bough.timetravel.plans.content_digest import parse_session


def two_ways() -> SampleSession:
    edit = {"file_path": "/w/both.py", "old_string": "a", "new_string": "b\nc"}
    builder = (
        session(model="claude-opus-4-6").user("start", name="start").assistant("ok", name="ok")
    )
    builder.user("way a", name="a").tool("Edit", edit, "done")
    builder.tool("Write", {"file_path": "/w/only_a.py", "content": "x\ny\n"}, "done")
    builder.assistant("a done", name="tip a")
    builder.at("ok").user("way b", name="b").tool("Edit", edit, "no", is_error=True)
    return (
        builder.assistant("b done", name="tip b")
        .user("more", name="more")
        .assistant("end", name="end")
    )


def test_two_branches_part_where_they_have_their_last_turn_in_common() -> None:
    builder = two_ways()

    found = compare_branches(
        parse_session(builder.bytes(), "s"), builder.uuid("tip a"), builder.uuid("end")
    )

    assert found.shared == 1
    assert found.parting is not None
    assert (found.parting.uuid, found.parting.text) == (builder.uuid("ok"), "start")


def test_each_side_tells_its_own_turns() -> None:
    builder = two_ways()

    found = compare_branches(
        parse_session(builder.bytes(), "s"), builder.uuid("tip a"), builder.uuid("end")
    )

    assert [(t.prompt, t.answer, t.steps, t.failed) for t in found.a.turns] == [
        ("way a", "a done", 2, 0)
    ]
    assert [(t.prompt, t.answer, t.steps, t.failed) for t in found.b.turns] == [
        ("way b", "b done", 1, 1),
        ("more", "end", 0, 0),
    ]
    assert (found.a.active, found.b.active) == (False, True)


def test_a_call_that_starts_an_agent_is_no_step() -> None:
    builder = session().user("start").assistant("ok", name="ok").user("way a")
    builder.tool("Bash", {"command": "ls"}, "x").agent("Explore", "Look", answer="Seen.")
    builder.assistant("a done", name="a").at("ok").user("way b").assistant("b done", name="b")
    read = parse_session(builder.bytes(), "s")

    (turn,) = compare_branches(read, builder.uuid("a"), builder.uuid("b")).a.turns

    assert turn.steps == 1


def test_files_are_compared_by_side() -> None:
    builder = two_ways()

    found = compare_branches(
        parse_session(builder.bytes(), "s"), builder.uuid("tip a"), builder.uuid("end")
    )

    assert (found.only_a, found.only_b, found.both) == (("/w/only_a.py",), (), ("/w/both.py",))
    edited, written = found.a.files
    assert (edited.path, edited.writes, edited.added, edited.removed) == ("/w/both.py", 1, 2, 1)
    assert (written.path, written.added, written.removed) == ("/w/only_a.py", 2, 0)


def test_what_both_share_is_paid_by_neither() -> None:
    builder = two_ways()
    read = parse_session(builder.bytes(), "s")

    found = compare_branches(read, builder.uuid("tip a"), builder.uuid("end"))

    assert found.a.usage.calls == 3
    assert found.a.cost.picodollars > 0
    assert found.a.cost.is_complete
    shared = compare_branches(read, builder.uuid("ok"), builder.uuid("end"))
    assert (shared.a.usage.calls, shared.a.cost, shared.a.turns) == (0, NO_COST, ())


def test_a_model_without_a_price_is_named() -> None:
    builder = session(model="lab-9").user("x").assistant("y", name="tip")

    found = compare_branches(
        parse_session(builder.bytes(), "s"), builder.uuid("tip"), builder.uuid("tip")
    )

    assert found.shared == 1
    builder.user("z").assistant("w", name="end")
    found = compare_branches(
        parse_session(builder.bytes(), "s"), builder.uuid("tip"), builder.uuid("end")
    )
    assert found.b.cost == Cost(0, frozenset({"lab-9"}))


def test_a_tip_that_is_not_there_is_not_found() -> None:
    with pytest.raises(TipNotFound):
        compare_branches(parse_session(two_ways().bytes(), "s"), "ffffffff", "eeeeeeee")


def test_what_agents_cost_is_paid_by_the_side_that_sent_them_out(tmp_path: Path) -> None:
    builder = session(model="claude-opus-4-6").user("start").assistant("ok", name="ok")
    builder.user("way a").assistant("a done", name="tip a")
    builder.at("ok").user("way b").agent("Explore", "look around", answer="found")
    builder.assistant("b done", name="tip b")
    read = read_session(builder.write(tmp_path))
    agent = next(iter(read.agents))
    own = sum(isinstance(record, Assistant) for record in agent.records)

    found = compare_branches(read, builder.uuid("tip a"), builder.uuid("tip b"))

    assert own > 0
    assert found.a.usage.calls == 1
    assert found.b.usage.calls == 2 + own


def test_the_summary_of_a_compaction_is_no_answer() -> None:
    builder = session().user("start").assistant("ok", name="ok")
    builder.user("way a").assistant("a done", name="tip a")
    builder.at("ok").user("way b").assistant("said before").compact().assistant("", name="after")
    builder.user("go on").assistant("b done", name="tip b")

    found = compare_branches(
        parse_session(builder.bytes(), "s"), builder.uuid("tip a"), builder.uuid("tip b")
    )

    assert [turn.answer for turn in found.b.turns] == ["said before", "b done"]


def test_a_command_is_named_as_it_was_typed() -> None:
    builder = session().user("start").assistant("ok", name="ok")
    builder.user("way a").assistant("a done", name="tip a")
    builder.at("ok").skill("review", "src/import", "Look at it.").assistant("b done", name="tip b")

    found = compare_branches(
        parse_session(builder.bytes(), "s"), builder.uuid("tip a"), builder.uuid("tip b")
    )

    assert [turn.prompt for turn in found.b.turns] == ["/review src/import"]


def test_turns_of_a_side_are_those_that_every_list_counts() -> None:
    builder = session().user("start").assistant("ok", name="ok")
    builder.user("way a").tool("Bash", {}, "x").queued("hurry").assistant("a", name="tip a")
    builder.at("ok").user("way b").queued("wait", shown="nowhere").assistant("b", name="tip b")
    read = parse_session(builder.bytes(), "s")

    found = compare_branches(read, builder.uuid("tip a"), builder.uuid("tip b"))

    assert [turn.prompt for turn in found.a.turns] == ["way a", "hurry"]
    assert [turn.prompt for turn in found.b.turns] == ["way b", "wait"]
    assert [turn.answer for turn in found.a.turns] == ["", "a"]
    counted = [read.conversation(side.tip).turn_count for side in (found.a, found.b)]
    assert counted == [found.shared + len(side.turns) for side in (found.a, found.b)]
