"""What holds for every conversation: nothing is lost, nothing is changed, all can be undone."""

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from bough.query.sessions.load_session import read_session
from bough.records.types import Assistant, User
from bough.sample import SampleSession
from bough.timetravel import operations as travel
from bough.timetravel.environment import TravelEnvironment
from bough.timetravel.errors import AlreadyThere, GotoUnsafe, NoFinishedTurn
from bough.timetravel.plan import Plan, Replace
from bough.timetravel.plans.content_digest import digest_conversation
from tests.sampled import scale_examples
from tests.unit.timetravel.making import Shelf, desk_in
from tests.unit.timetravel.stories import conversations

pytestmark = pytest.mark.slow

some = settings(max_examples=scale_examples(40), suppress_health_check=[HealthCheck.too_slow])


@contextlib.contextmanager
def on_a_shelf(builder: SampleSession) -> Iterator[tuple[Shelf, Path, TravelEnvironment]]:
    with tempfile.TemporaryDirectory() as folder:
        shelf = Shelf(Path(folder, ".claude"))
        yield shelf, shelf.put(builder), desk_in(Path(folder, "data"))


def talk(file: Path) -> list[bytes]:
    """Give what was said in the active conversation, to the byte."""
    nodes = read_session(file).conversation().nodes
    return [bytes(n.message_json) for n in nodes if isinstance(n, User | Assistant)]


def some_point(file: Path, pick: int) -> str:
    points = travel.list_points(read_session(file))
    return points[pick % len(points)].uuid


@some
@given(conversations(), st.integers(0, 99))
def test_a_fork_says_what_the_original_says_up_to_the_point(
    builder: SampleSession, pick: int
) -> None:
    with on_a_shelf(builder) as (_, file, environment):
        at = some_point(file, pick)

        plan = travel.fork(file, at, environment=environment)
        travel.apply(plan, environment)

        original = read_session(file)
        fork = read_session(plan.path or "").conversation()
        said = digest_conversation(original.conversation(at).nodes)
        copied = set(digest_conversation(fork.nodes))
        assert copied <= set(said) | set(digest_conversation(original.tree.nodes))
        talked = [n.uuid for n in original.conversation(at).nodes if isinstance(n, Assistant)]
        assert [n.uuid for n in fork.nodes if isinstance(n, Assistant)] == talked


@some
@given(conversations(), st.integers(0, 99), st.integers(0, 99))
def test_a_fork_of_a_fork_says_what_a_fork_says(
    builder: SampleSession, late: int, early: int
) -> None:
    with on_a_shelf(builder) as (_, file, environment):
        first = travel.fork(file, some_point(file, late), environment=environment)
        travel.apply(first, environment)
        at = some_point(Path(first.path or ""), early)

        direct = travel.fork(file, at, environment=environment)
        second = travel.fork(first.path or "", at, environment=environment)
        travel.apply(direct, environment)
        travel.apply(second, environment)

        assert talk(Path(second.path or "")) == talk(Path(direct.path or ""))


@some
@given(conversations(), st.integers(0, 99))
def test_no_plan_changes_a_byte_that_is_there(builder: SampleSession, pick: int) -> None:
    with on_a_shelf(builder) as (_, file, environment):
        before = file.read_bytes()
        at = some_point(file, pick)
        for plan in wishes(file, at, environment):
            travel.apply(plan, environment)

            assert file.read_bytes().startswith(before)
            assert not any(isinstance(step, Replace) for step in plan.steps)


@some
@given(conversations(), st.integers(0, 99), st.randoms(use_true_random=False))
def test_whatever_was_done_can_be_undone_in_any_order(
    builder: SampleSession, pick: int, random: Random
) -> None:
    with on_a_shelf(builder) as (shelf, file, environment):
        before = shelf.look()
        numbers = []
        for _ in range(2):
            plans = wishes(file, some_point(file, pick), environment)
            numbers += [travel.apply(plan, environment).number for plan in plans]
        random.shuffle(numbers)

        for number in numbers:
            travel.apply(travel.undo(number, environment=environment), environment)

        sizes = {path: facts[:3] for path, facts in shelf.look().items()}
        assert sizes == {path: facts[:3] for path, facts in before.items()}
        assert file.read_bytes() == builder.bytes()


@some
@given(conversations(), st.integers(0, 99))
def test_goto_makes_the_point_active_for_every_client(builder: SampleSession, pick: int) -> None:
    with on_a_shelf(builder) as (_, file, environment):
        at = some_point(file, pick)
        plan = None
        with contextlib.suppress(GotoUnsafe, AlreadyThere):
            plan = travel.goto(file, at, environment=environment)
        assume(plan is not None)
        assert plan is not None

        travel.apply(plan, environment)

        wanted = read_session(file).message_tree.above[read_session(file).tree.number[at]]
        for client in ("1.0.128", "2.0.76", "2.1.119", "2.1.150", "2.1.325"):
            session = read_session(file, client=client)
            tip = next(tip for tip in session.tips if tip.active)
            assert tip.group == wanted


@some
@given(conversations(), st.integers(0, 5), st.integers(0, 60))
def test_a_repaired_copy_of_a_torn_file_can_be_read(
    builder: SampleSession, drop: int, cut: int
) -> None:
    lines = builder.lines()
    torn = b"".join(lines[: len(lines) - drop])[: -cut or None]
    with on_a_shelf(builder) as (shelf, _, environment):
        file = shelf.put_bytes(torn, "torn")

        with contextlib.suppress(AlreadyThere, NoFinishedTurn):
            plan = travel.repair(file, environment=environment)
            travel.apply(plan, environment)

            copy = read_session(plan.path or "")
            assert [f for f in copy.health.findings if f.severity == "problem"] == []
        assert file.read_bytes() == torn


def wishes(file: Path, at: str, environment: TravelEnvironment) -> Iterator[Plan]:
    """Plan all that can be done to a session at a point, each when its turn has come."""
    yield travel.fork(file, at, environment=environment)
    with contextlib.suppress(GotoUnsafe, AlreadyThere):
        yield travel.goto(file, at, environment=environment)
    yield travel.rename(file, "New", environment=environment)
