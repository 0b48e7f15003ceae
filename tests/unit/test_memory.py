"""When the garbage collector may work."""

import gc
import threading
from collections.abc import Iterator

import pytest

from bough import memory
from bough.memory import (
    collect_now,
    collect_rarely,
    count_opened,
    count_renewed,
    exempt_existing_objects,
    exempt_opened,
    pause_collector,
)


class Circle:
    """Holds on to itself."""

    def __init__(self, alive: list[int]) -> None:
        self.itself = self
        self.alive = alive
        alive.append(1)

    def __del__(self) -> None:
        self.alive.clear()


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)
    memory._opened.count = None
    memory._opened.is_deferred = False
    gc.unfreeze()
    gc.enable()


def test_nothing_is_collected_meanwhile_and_again_afterwards() -> None:
    with pause_collector():
        assert not gc.isenabled()

    assert gc.isenabled()


def test_a_pause_ends_also_where_something_goes_wrong() -> None:
    with pytest.raises(ValueError, match="wrong"), pause_collector():
        raise ValueError("wrong")

    assert gc.isenabled()


def test_a_pause_within_a_pause_ends_nothing() -> None:
    with pause_collector():
        with pause_collector():
            pass

        assert not gc.isenabled()


def test_a_command_looks_rarely_and_what_stays_looks_again_more_rarely() -> None:
    collect_rarely()
    command = gc.get_threshold()
    collect_rarely(10_000, stays=True)
    stays = gc.get_threshold()

    assert command == (50_000, 20, 20)
    assert stays == (10_000, 50, 100)


def test_what_is_exempt_is_not_looked_through_and_what_is_new_is() -> None:
    exempt_existing_objects()
    assert gc.get_freeze_count() > 0
    alive: list[int] = []
    Circle(alive)

    collect_now()

    assert alive == []


def test_what_stays_looks_through_everything_once_enough_was_opened() -> None:
    collect_rarely(10**6, stays=True)
    alive: list[int] = []
    Circle(alive)

    count_opened(31_000_000)
    assert alive

    count_opened(1_000_000)
    assert not alive


def test_many_small_sessions_count_as_well() -> None:
    collect_rarely(10**6, stays=True)
    alive: list[int] = []
    Circle(alive)

    for _ in range(107):
        count_opened(10)

    assert not alive


def test_what_grows_lets_only_young_objects_be_looked_through() -> None:
    collect_rarely(10**6, stays=True)
    old: list[int] = []
    held = Circle(old)
    collect_now()
    del held
    young: list[int] = []
    Circle(young)

    count_renewed(31_000_000)
    assert young

    count_renewed(1_000_000)
    assert not young
    assert old
    collect_now()


def make_old_circle() -> list[int]:
    """Make a circle that nobody holds, and that was looked at while somebody did."""
    alive: list[int] = []
    held = Circle(alive)
    collect_now()
    del held
    return alive


def test_a_session_that_only_grows_ends_in_a_look_through_everything_too() -> None:
    collect_rarely(10**6, stays=True)
    old = make_old_circle()

    for _ in range(9):
        count_renewed(32_000_000)

    assert not old


def test_while_sessions_grow_the_look_through_everything_waits_until_none_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    collect_rarely(10**6, stays=True)
    collected = threading.Event()
    monkeypatch.setattr(memory, "_QUIET_SECONDS", 0.05)
    monkeypatch.setattr(memory, "return_free_memory", collected.set)
    old = make_old_circle()

    for _ in range(4):
        count_renewed(32_000_000)
    assert old

    assert collected.wait(30)
    assert not old


def test_what_was_opened_is_not_looked_through_while_it_grows() -> None:
    collect_rarely(10**6, stays=True)
    opened: list[int] = []
    held = Circle(opened)
    exempt_opened()
    del held

    count_renewed(31_000_000)
    count_renewed(1_000_000)
    assert opened

    count_opened(40_000_000)
    assert not opened


def test_what_grew_before_something_was_opened_counts_as_opened() -> None:
    collect_rarely(10**6, stays=True)
    replaced: list[int] = []
    Circle(replaced)

    count_renewed(31_000_000)
    exempt_opened()
    assert replaced

    count_opened(25_000_000)
    assert not replaced


def test_a_command_looks_through_nothing_for_what_it_opened() -> None:
    collect_rarely(10**6)
    alive: list[int] = []
    Circle(alive)

    count_opened(10**9)

    assert alive
    collect_now()
