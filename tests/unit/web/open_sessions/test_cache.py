"""How many open sessions are kept, and that the others are let go."""

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from bough import memory
from bough.memory import collect_rarely
from bough.model.session import Session
from bough.sample import session
from bough.web.open_sessions.cache import OpenSessionCache
from bough.web.open_sessions.open_session import ConversationRef, OpenSession
from bough.web.runtime.session_ids import SessionEntry
from bough.web.runtime.thread_pool import WorkerThreads

BETWEEN_LOOKS = 32_000_000 // 300_000 + 1


@pytest.fixture
def _as_a_server() -> Iterator[None]:
    thresholds = gc.get_threshold()
    gc.collect()
    collect_rarely(60_000, stays=True)
    yield
    memory._opened.count = None
    gc.set_threshold(*thresholds)


def make_entry(path: Path) -> SessionEntry:
    folder, size = path.parent, path.stat().st_size
    return SessionEntry(path.stem, path.stem, folder.name, str(folder.parent), str(path), size)


def write_sessions(folder: Path, number: int, text: str = "It is in memory.") -> list[SessionEntry]:
    found = []
    for one in range(number):
        told = session(f"room-{one}").user("Where is the cursor?").assistant(text)
        path = told.write(folder)
        found.append(make_entry(path))
    return found


def read_in(room: OpenSession) -> None:
    view = room.view(ConversationRef())
    for number in range(len(view.content.pieces)):
        view.html(number)


def count_sessions() -> int:
    return sum(type(one) is Session for one in gc.get_objects())


@pytest.mark.slow
@pytest.mark.usefixtures("_as_a_server")
@pytest.mark.parametrize("number", [150, pytest.param(500, marks=pytest.mark.whole)])
def test_sessions_opened_three_times_leave_no_more_than_opened_once(
    tmp_path: Path, number: int
) -> None:
    entries = write_sessions(tmp_path, number)
    cache = OpenSessionCache(WorkerThreads(1, "test"), most=1_000 * number)
    before, held = count_sessions(), []
    for _ in range(3):
        for entry in entries:
            read_in(cache.get_session(entry))
        held.append(count_sessions() - before)

    kept = len(cache._sessions)
    assert kept < number / 5
    assert max(held) <= kept + BETWEEN_LOOKS, held


def test_sessions_are_kept_up_to_so_much_memory_and_the_last_whatever_it_takes(
    tmp_path: Path,
) -> None:
    entries = write_sessions(tmp_path, 6, "word " * 20_000)
    cache = OpenSessionCache(WorkerThreads(1, "test"), most=1_500_000)
    for entry in entries:
        read_in(cache.get_session(entry))
        cache.get_session(entry)  # what it takes is known once it was read

        assert sum(one.memory for one in cache._sessions.values()) <= 1_500_000

    assert 1 < len(cache._sessions) < 6
    small = OpenSessionCache(WorkerThreads(1, "test"), most=1)
    for entry in entries:
        read_in(small.get_session(entry))

    assert list(small._sessions) == [entries[-1].path]


def test_memory_counts_what_was_read_told_and_rendered(tmp_path: Path) -> None:
    (entry,) = write_sessions(tmp_path, 1, "word " * 2_000)
    room = OpenSession(entry.id, entry.path)

    assert room.memory == 0
    read = room.session
    assert read.records
    only_read = room.memory
    view = room.view(ConversationRef())
    told = room.memory
    view.html(0)

    assert only_read >= room.size
    assert told > only_read
    assert room.memory > told
