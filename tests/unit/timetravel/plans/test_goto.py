import msgspec
import pytest

from bough.query.sessions.load_session import read_session
from bough.sample import SampleSession, session
from bough.timetravel import operations as travel
from bough.timetravel.environment import TravelEnvironment
from bough.timetravel.errors import AlreadyThere, GotoUnsafe
from bough.timetravel.plan import Append
from tests.unit.timetravel.making import Shelf, long_talk, parallel


def test_two_lines_are_added_and_nothing_else_changes(
    shelf: Shelf, desk: TravelEnvironment
) -> None:
    book = long_talk(session())
    file = shelf.put(book)
    before = file.read_bytes()

    plan = travel.goto(file, "two", desk=desk)
    travel.apply(plan, desk)

    [step] = plan.steps
    assert isinstance(step, Append)
    assert file.read_bytes() == before + step.data
    note, pointer = (msgspec.json.decode(line) for line in step.data.splitlines())
    assert note == {
        "parentUuid": book.uuid("second"),
        "isSidechain": False,
        "userType": "external",
        "cwd": "/home/dev/code/orchard-shop",
        "sessionId": book.session_id,
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
        "sessionId": book.session_id,
    }


@pytest.mark.parametrize("client", ["1.0.51", "2.0.76", "2.1.100", "2.1.119", "2.1.150", "2.1.325"])
def test_every_client_goes_on_there(shelf: Shelf, desk: TravelEnvironment, client: str) -> None:
    book = long_talk(session()).last_prompt("four", "fourth")
    file = shelf.put(book)

    travel.apply(travel.goto(file, "two", desk=desk), desk)

    assert read_session(file, client=client).active_tip == book.uuid("second")


def test_going_on_and_back_again_is_possible(shelf: Shelf, desk: TravelEnvironment) -> None:
    book = long_talk(session())
    file = shelf.put(book)
    travel.apply(travel.goto(file, "one", desk=desk), desk)

    travel.apply(travel.goto(file, "four", desk=desk), desk)

    assert read_session(file).active_tip == book.uuid("fourth")


def test_the_note_is_newer_than_a_clock_that_runs_ahead(
    shelf: Shelf, desk: TravelEnvironment
) -> None:
    book = session().user("one").assistant("first").user("two")
    book.assistant("second", timestamp="2031-01-01T00:00:00.000Z")

    plan = travel.goto(shelf.put(book), "one", desk=desk)

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
PARALLEL = (
    session("p", version="2.1.50").user("one").tools(*parallel("a", "b")).assistant("first")
).user("two").assistant("x")  # fmt: skip
ASTRAY = session("r").user("zero").assistant("x").at_missing().user("one").assistant("first")


@pytest.mark.parametrize(
    ("book", "danger", "words"),
    [
        (COMPACTED, "compaction", "was compacted"),
        (OLD_COMPACTED, "compaction", "was compacted"),
        (UNENDED, "no-final-newline", "does not end with a newline"),
        (CIRCLE, "cycle", "circle"),
        (PARALLEL, "unreachable", "would not see 1 message before"),
        (ASTRAY, "unreachable", "would not see 2 messages"),
    ],
    ids=["compaction", "old compaction", "no newline", "circle", "parallel calls", "lost parent"],
)
def test_it_is_refused_where_it_would_not_work(
    shelf: Shelf, desk: TravelEnvironment, book: SampleSession, danger: str, words: str
) -> None:
    file = shelf.put(book)

    with pytest.raises(GotoUnsafe, match=words) as refusal:
        travel.goto(file, "first", desk=desk)

    assert refusal.value.danger == danger
    assert "Fork instead" in refusal.value.message
    assert file.read_bytes() == book.bytes()


def test_branch_forks_where_goto_is_refused(shelf: Shelf, desk: TravelEnvironment) -> None:
    plan = travel.branch(shelf.put(COMPACTED), "first", desk=desk)

    assert plan.operation == "fork"


def test_branch_goes_in_place_where_that_works(shelf: Shelf, desk: TravelEnvironment) -> None:
    plan = travel.branch(shelf.put(long_talk(session())), "two", desk=desk)

    assert plan.operation == "goto"


def test_where_the_session_is_already_nothing_is_done(
    shelf: Shelf, desk: TravelEnvironment
) -> None:
    with pytest.raises(AlreadyThere, match="Nothing to do"):
        travel.goto(shelf.put(long_talk(session())), "four", desk=desk)
