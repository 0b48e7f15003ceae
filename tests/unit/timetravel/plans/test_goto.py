import msgspec
import pytest

from bough.query.sessions.load_session import read_session
from bough.sample import SampleSession, session
from bough.timetravel import operations as travel
from bough.timetravel.environment import TravelEnvironment
from bough.timetravel.errors import AlreadyThere, GotoUnsafe, NotATurnEnd
from bough.timetravel.plan import Append
from tests.unit.timetravel.making import Shelf, long_talk, parallel


def test_two_lines_are_added_and_nothing_else_changes(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = long_talk(session())
    file = shelf.put(builder)
    before = file.read_bytes()

    plan = travel.goto(file, "two", environment=environment)
    travel.apply(plan, environment)

    [step] = plan.steps
    assert isinstance(step, Append)
    assert file.read_bytes() == before + step.data
    note, pointer = (msgspec.json.decode(line) for line in step.data.splitlines())
    assert note == {
        "parentUuid": builder.uuid("second"),
        "isSidechain": False,
        "userType": "external",
        "cwd": "/home/dev/code/orchard-shop",
        "sessionId": builder.session_id,
        "version": "2.1.250",
        "type": "system",
        "subtype": "informational",
        "content": "bough: continue here",
        "level": "info",
        "isMeta": True,
        "timestamp": "2026-06-01T12:00:00.000Z",
        "uuid": note["uuid"],
    }
    assert pointer == {
        "type": "last-prompt",
        "lastPrompt": "two",
        "leafUuid": note["uuid"],
        "sessionId": builder.session_id,
    }


@pytest.mark.parametrize("client", ["1.0.51", "2.0.76", "2.1.100", "2.1.119", "2.1.150", "2.1.325"])
def test_every_client_goes_on_there(
    shelf: Shelf, environment: TravelEnvironment, client: str
) -> None:
    builder = long_talk(session()).last_prompt("four", "fourth")
    file = shelf.put(builder)

    travel.apply(travel.goto(file, "two", environment=environment), environment)

    assert read_session(file, client=client).active_tip == builder.uuid("second")


def test_going_on_and_back_again_is_possible(shelf: Shelf, environment: TravelEnvironment) -> None:
    builder = long_talk(session())
    file = shelf.put(builder)
    travel.apply(travel.goto(file, "one", environment=environment), environment)

    travel.apply(travel.goto(file, "four", environment=environment), environment)

    assert read_session(file).active_tip == builder.uuid("fourth")


def test_the_note_is_newer_than_a_clock_that_runs_ahead(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = session().user("one").assistant("first").user("two")
    builder.assistant("second", timestamp="2031-01-01T00:00:00.000Z")

    plan = travel.goto(shelf.put(builder), "one", environment=environment)

    [step] = plan.steps
    assert isinstance(step, Append)
    assert b"2031-01-01T00:00:00.001Z" in step.data


COMPACTED = session("c").user("one").assistant("first").compact("SUM").user("two").assistant("x")
OLD_COMPACTED = (
    session("o", version="1.0.80").user("one").assistant("first").compact("SUM").user("two")
).assistant("x")
UNENDED = session("u").user("one").assistant("first").user("two").assistant("x").drop_newline()
CIRCLE = (
    session("k").user("one", name="a").assistant("first", name="b").user("two").assistant("x")
).reparent("a", "b")


def call_in_parallel(version: str) -> SampleSession:
    builder = session("p", version=version).user("one").tools(*parallel("a", "b"))
    return builder.assistant("first").user("two").assistant("x")


PARALLEL = call_in_parallel("2.1.75")
COMMANDED = (
    session("m").user("one").assistant("first").command("/rename", stdout="done", as_system=True)
).user("two").assistant("x")  # fmt: skip
ASTRAY = session("r").user("zero").assistant("x").at_missing().user("one").assistant("first")


@pytest.mark.parametrize(
    ("builder", "danger", "words"),
    [
        (COMPACTED, "compaction", "was compacted"),
        (OLD_COMPACTED, "compaction", "was compacted"),
        (UNENDED, "no-final-newline", "does not end with a newline"),
        (CIRCLE, "cycle", "circle"),
        (PARALLEL, "unreachable", "would not see 1 message before"),
        (ASTRAY, "unreachable", "would not see 2 messages"),
        (COMMANDED, "commands", "would also send the local commands"),
    ],
    ids=[
        "compaction",
        "old compaction",
        "no newline",
        "circle",
        "parallel calls",
        "lost parent",
        "commands",
    ],
)
def test_it_is_refused_where_it_would_not_work(
    shelf: Shelf, environment: TravelEnvironment, builder: SampleSession, danger: str, words: str
) -> None:
    file = shelf.put(builder)

    with pytest.raises(GotoUnsafe, match=words) as refusal:
        travel.goto(file, "first", environment=environment)

    assert refusal.value.danger == danger
    assert "Fork instead" in refusal.value.message
    assert file.read_bytes() == builder.bytes()


def test_commands_that_are_said_to_claude_do_not_hinder(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = session().user("one").assistant("first").command("/model", stdout="done")
    file = shelf.put(builder.user("two").assistant("x"))

    assert travel.goto(file, "first", environment=environment).operation == "goto"


def test_clients_that_gather_parallel_calls_see_them_all(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    file = shelf.put(call_in_parallel("2.1.90"))

    travel.apply(travel.goto(file, "first", environment=environment), environment)

    assert [turn.messages[0].text for turn in read_session(file).conversation().turns] == ["one"]


def test_branch_forks_where_goto_is_refused(shelf: Shelf, environment: TravelEnvironment) -> None:
    plan = travel.branch(shelf.put(COMPACTED), "first", environment=environment)

    assert plan.operation == "fork"


def test_branch_goes_in_place_where_that_works(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    plan = travel.branch(shelf.put(long_talk(session())), "two", environment=environment)

    assert plan.operation == "goto"


def test_where_the_session_is_already_nothing_is_done(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    with pytest.raises(AlreadyThere, match="Nothing to do"):
        travel.goto(shelf.put(long_talk(session())), "four", environment=environment)


def hooked_talk() -> SampleSession:
    """Tell three turns of a client with hooks, which begins every resume with a pair."""
    builder = session(version="2.1.150")
    for number, words in enumerate(("one", "two", "three")):
        if number:
            builder.meta("Continue from where you left off.").synthetic_answer(name=f"no {words}")
        builder.hook("SessionStart", "greet").user(words, name=words)
        builder.assistant(f"answer to {words}", name=f"answer {words}").hook("Stop", "lint")
    return builder


@pytest.mark.parametrize("at", ["one", "answer to one", "-2"])
def test_the_note_hangs_below_the_last_real_answer_and_not_below_a_placeholder(
    shelf: Shelf, environment: TravelEnvironment, at: str
) -> None:
    builder = hooked_talk()

    plan = travel.goto(shelf.put(builder), at, environment=environment)
    travel.apply(plan, environment)

    [step] = plan.steps
    assert isinstance(step, Append)
    note = msgspec.json.decode(step.data.splitlines()[0])
    assert note["parentUuid"] == builder.uuid("answer one")


def test_a_placeholder_is_refused_as_a_point_and_the_real_answer_is_offered(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = hooked_talk()

    with pytest.raises(NotATurnEnd, match="by itself on a resume") as refusal:
        travel.goto(shelf.put(builder), builder.uuid("no two"), environment=environment)

    assert refusal.value.nearest == builder.uuid("answer one")
