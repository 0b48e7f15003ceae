"""The second opinion on a written file: parents walked by code that knows nothing of the plan."""

import ast
import sys
from pathlib import Path

import msgspec
import pytest
from msgspec import structs

from bough.query.sessions.load_session import read_session
from bough.sample import SampleSession, session
from bough.timetravel import operations as travel
from bough.timetravel.environment import TravelEnvironment
from bough.timetravel.errors import NotAsPlanned
from bough.timetravel.execution import verify_chain
from bough.timetravel.execution.verify_chain import find_chain_problem, find_source_problem
from bough.timetravel.plan import Append, Create, Plan
from bough.timetravel.plans.content_digest import parse_session, promise_messages
from tests.unit.model.tree.test_nodes import resumed_with_picture
from tests.unit.timetravel.making import Shelf, long_talk, parallel


def test_it_imports_nothing_of_ours_and_nothing_that_is_installed() -> None:
    tree = ast.parse(Path(verify_chain.__file__).read_text(encoding="utf-8"))
    imported = [
        name
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or "."]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    ]

    assert imported
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names


def promised(builder: SampleSession, *names: str) -> tuple[tuple[str, str], ...]:
    """Promise the messages of some steps."""
    nodes = {record.uuid: record for record in parse_session(builder.bytes(), "s").tree.nodes}
    return promise_messages(nodes[builder.uuid(name)] for name in names)


def three() -> SampleSession:
    builder = session().user("one", name="one").assistant("first", name="first")
    builder.user("two", name="two").assistant("second", name="second")
    return builder.user("three", name="three").assistant("third", name="third")


ALL = ("one", "first", "two", "second", "three", "third")


def test_a_file_that_holds_its_promise_has_no_problem() -> None:
    builder = three()

    assert find_chain_problem(builder.bytes(), promised(builder, *ALL), whole=True) is None


def test_a_message_that_the_walk_passes_by_would_not_be_sent() -> None:
    builder = three().reparent("three", "first")
    missed = builder.uuid("two")[:8]

    found = find_chain_problem(builder.bytes(), promised(builder, *ALL), whole=True)

    assert found == f"{missed} would not be sent (newest-timestamp)"


def test_a_message_that_was_not_promised_is_told() -> None:
    builder = three()
    wanted = promised(builder, "one", "first", "three", "third")

    found = find_chain_problem(builder.bytes(), wanted, whole=True)

    assert found is not None
    assert "would be sent and was not promised" in found


def test_a_message_that_says_something_else_is_told() -> None:
    builder = three()
    wanted = promised(builder, *ALL)
    builder.amend("two", message={"role": "user", "content": "something else"})

    found = find_chain_problem(builder.bytes(), wanted, whole=True)

    assert found == f"{builder.uuid('two')[:8]} says something else (newest-timestamp)"


def test_messages_in_another_order_are_told() -> None:
    builder = three()
    wanted = promised(builder, "one", "first", "three", "third", "two", "second")

    found = find_chain_problem(builder.bytes(), wanted, whole=True)

    assert found == "the messages come in another order (newest-timestamp)"


def test_results_of_parallel_calls_are_gathered_where_that_is_promised() -> None:
    builder = session().user("go", name="go")
    builder.tools(*parallel("a", "b"), order=[1, 0]).assistant("done", name="done")
    wanted = promise_messages(parse_session(builder.bytes(), "s").tree.nodes)

    assert find_chain_problem(builder.bytes(), wanted, whole=False) is None
    assert find_chain_problem(builder.bytes(), wanted, whole=True) is not None


def test_a_pointer_that_leads_elsewhere_is_told_by_its_rule() -> None:
    builder = three().at("first").user("other", name="other").assistant("else", name="else")
    builder.last_prompt("three", leaf="third")
    wanted = promised(builder, "one", "first", "other", "else")

    found = find_chain_problem(builder.bytes(), wanted, whole=True)

    assert found is not None
    assert found.endswith("(last-prompt)")


def test_a_prompt_of_another_branch_is_a_stranger_in_the_original() -> None:
    builder = three().at("first").user("other", name="other").assistant("else", name="else")
    data = builder.bytes()
    right = promised(builder, "one", "first", "other", "else")
    wrong = promised(builder, *ALL, "other", "else")

    assert find_source_problem(data, builder.uuid("else"), right) is None
    found = find_source_problem(data, builder.uuid("else"), wrong)
    assert found is not None
    assert "is on another branch" in found


def test_branches_below_the_pair_of_a_resume_are_told_apart() -> None:
    builder = session(version="2.1.150").user("f1", name="f1").assistant("a1", name="a1")
    builder.user("f2", name="f2").assistant("a2", name="a2").at("a1").informational("moved")
    builder.meta("Continue from where you left off.", name="meta").synthetic_answer(name="none")
    builder.user("g1", name="g1").assistant("b1", name="b1")
    wrong = promised(builder, "f1", "a1", "f2", "a2", "meta", "none", "g1", "b1")

    found = find_source_problem(builder.bytes(), builder.uuid("b1"), wrong)

    assert found == f"{builder.uuid('f2')[:8]} is on another branch"


def test_a_message_that_a_copy_leaves_out_is_told() -> None:
    builder = three()
    wanted = promised(builder, "one", "first", "three", "third")

    found = find_source_problem(builder.bytes(), builder.uuid("third"), wanted)

    assert found is not None
    assert "is left out" in found


@pytest.mark.parametrize("restamped", [False, True])
def test_a_prompt_that_a_resume_wrote_again_in_pieces_is_the_promised_one(
    restamped: bool, shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = resumed_with_picture(restamped=restamped)
    file = shelf.put(builder)

    travel.apply(travel.fork(file, "on", environment=environment), environment)
    travel.apply(travel.goto(file, "on", environment=environment, force=True), environment)

    assert read_session(file).tree.copies == 3


def test_a_prompt_written_again_without_its_picture_is_not_the_promised_one() -> None:
    builder = resumed_with_picture(restamped=True)
    data = builder.bytes()
    names = ("look", "nice", "on")
    wanted = promised(builder, *names)
    lines = data.splitlines(keepends=True)
    picture = next(n for n, line in enumerate(lines) if n > 3 and b'"image"' in line)
    gone = msgspec.json.decode(lines[picture])
    below = misled(data, msgspec.json.decode(lines[picture + 1])["uuid"], gone["parentUuid"])

    found = find_source_problem(below, builder.uuid("on"), wanted)

    assert found is not None


# -- a mistake in a plan is taken back ----------------------------------------------------------


def blind(plan: Plan) -> Plan:
    """Let a plan expect nothing but its chain, as if reading had made the planner's mistake."""
    [expect] = plan.expects
    only = structs.replace(expect, message_digests=None, active=None, sound=False)
    return structs.replace(plan, expects=(only,))


def misled(data: bytes, child: str, parent: str) -> bytes:
    """Hang one record of some lines on another."""
    records = [msgspec.json.decode(line) for line in data.splitlines()]
    for record in records:
        if record.get("uuid") == child:
            record["parentUuid"] = parent
    return b"".join(msgspec.json.encode(record) + b"\n" for record in records)


def test_a_fork_with_a_wrong_parent_is_taken_back(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = long_talk(session())
    plan = blind(travel.fork(shelf.put(builder), "three", environment=environment))
    [step] = plan.steps
    assert isinstance(step, Create)
    before = shelf.look()
    data = misled(step.data, builder.uuid("three"), builder.uuid("first"))
    wrong = structs.replace(plan, steps=(structs.replace(step, data=data),))

    with pytest.raises(NotAsPlanned, match="would not be sent") as failure:
        travel.apply(wrong, environment)

    assert "does not read back as planned" in failure.value.message
    assert shelf.look() == before
    travel.apply(plan, environment)


def test_a_goto_below_another_answer_is_taken_back(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = long_talk(session())
    file = shelf.put(builder)
    plan = blind(travel.goto(file, "two", environment=environment))
    [step] = plan.steps
    assert isinstance(step, Append)
    before = file.read_bytes(), file.stat().st_mtime_ns
    note = msgspec.json.decode(step.data.splitlines()[0])["uuid"]
    data = misled(step.data, note, builder.uuid("third"))

    with pytest.raises(NotAsPlanned, match="was not promised"):
        travel.apply(structs.replace(plan, steps=(structs.replace(step, data=data),)), environment)

    # The file may be another one: what is taken back is written beside and put in its place.
    assert (file.read_bytes(), file.stat().st_mtime_ns) == before


def test_a_fork_of_the_wrong_branch_is_taken_back(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = three().at("first").user("other", name="other").assistant("else", name="else")
    file = shelf.put(builder)
    plan = blind(travel.fork(file, builder.uuid("third"), environment=environment))
    before = shelf.look()
    [expect] = plan.expects
    assert expect.chain is not None
    chain = structs.replace(expect.chain, point=builder.uuid("else"))
    wrong = structs.replace(plan, expects=(structs.replace(expect, chain=chain),))

    with pytest.raises(NotAsPlanned, match="is left out"):
        travel.apply(wrong, environment)

    assert shelf.look() == before


def test_a_repair_is_held_against_its_chain(shelf: Shelf, environment: TravelEnvironment) -> None:
    builder = three().amend("two", parentUuid="nowhere")
    plan = travel.repair(shelf.put(builder), in_place=True, environment=environment)

    travel.apply(plan, environment)

    [expect] = plan.expects
    assert expect.chain is not None
    assert [uuid for uuid, _ in expect.chain.messages] == [builder.uuid(name) for name in ALL]
    assert read_session(plan.path or "").health.reachability == 1
