"""A thread that follows the live sessions for a face."""

import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from queue import SimpleQueue

import pytest
from msgspec.structs import replace

from bough.model.live.record_events import RecordEventKind
from bough.query.index.handle import open_index
from bough.query.live.events import StreamEvent
from bough.query.live.running_sessions import LiveSession
from bough.query.live.thread import LiveListener, LiveThread, main_path_of
from bough.sample import session
from bough.store.protocol import Store

Update = tuple[Sequence[LiveSession] | None, Sequence[StreamEvent]]
LONG = 20.0


class Face:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.updates: SimpleQueue[Update] = SimpleQueue()
        self.problems: SimpleQueue[str] = SimpleQueue()
        self.opened = threading.Event()
        self.listener = LiveListener(
            lambda rows, events: self.updates.put((rows, events)),
            self.problems.put,
            self.opened.set,
        )

    def wait_for(self, fits: Callable[[Update], bool]) -> Update:
        while not fits(update := self.updates.get(timeout=LONG)):
            pass
        return update


@pytest.fixture
def face() -> Face:
    return Face()


@pytest.fixture
def follow(tmp_path: Path, face: Face) -> Iterator[Callable[..., LiveThread]]:
    started: list[LiveThread] = []

    def begin(folder: Path, *, retry_after: float | None = None) -> LiveThread:
        done = threading.Event()
        done.set()

        def open_store() -> Store:
            return open_index([folder], tmp_path / "index.db", fresh=False).store

        thread = LiveThread(
            [folder],
            face.listener,
            open_store=open_store,
            index_done=done,
            retry_after=retry_after,
        )
        thread.start()
        started.append(thread)
        return thread

    yield begin
    for one in started:
        one.stop(wait=LONG)


def recent() -> datetime:
    return datetime.now(UTC) - timedelta(minutes=5)


def test_first_comes_the_past_then_what_happens(
    tmp_path: Path, face: Face, follow: Callable[..., LiveThread]
) -> None:
    builder = session("one", start=recent()).user("before")
    path = builder.write(tmp_path / "claude")
    thread = follow(tmp_path / "claude")

    rows, events = face.updates.get(timeout=LONG)
    thread.caught_up.wait(LONG)
    with path.open("ab") as file:
        file.write(builder.assistant("after").lines()[-1])
    _, later = face.wait_for(lambda update: any(e.text == "after" for e in update[1]))

    assert [row.id for row in rows or ()] == [path.stem]
    assert any(event.text == "before" and event.past for event in events)
    assert not any(event.past for event in later)


def test_a_session_that_begins_is_handed_over_with_its_first_event(
    tmp_path: Path, face: Face, follow: Callable[..., LiveThread]
) -> None:
    session("one", start=recent()).user("x").write(tmp_path / "claude")
    follow(tmp_path / "claude").caught_up.wait(LONG)

    path = session("two", start=recent()).user("hello").write(tmp_path / "claude")
    rows, _ = face.wait_for(lambda update: any(e.kind == "started" for e in update[1]))

    assert rows is not None
    assert path.stem in {row.id for row in rows}


def test_without_a_folder_it_is_a_problem_and_the_end(
    tmp_path: Path, face: Face, follow: Callable[..., LiveThread]
) -> None:
    thread = follow(tmp_path / "nowhere")

    assert thread.caught_up.wait(LONG)
    assert face.problems.get(timeout=LONG).startswith("Live sessions cannot be followed: No Claude")
    assert not face.opened.is_set()


def test_who_tries_again_finds_a_folder_that_is_made_later(
    tmp_path: Path, face: Face, follow: Callable[..., LiveThread]
) -> None:
    thread = follow(tmp_path / "claude", retry_after=0.05)
    assert thread.caught_up.wait(LONG)

    session("one", start=recent()).user("x").write(tmp_path / "claude")

    assert face.opened.wait(LONG)
    assert face.problems.empty()


def test_what_an_agent_did_belongs_to_its_sessions_file() -> None:
    path = "/c/projects/-p/s/subagents/agent-1.jsonl"
    own = StreamEvent(
        kind=RecordEventKind.TEXT,
        project="-p",
        session="s",
        uuid=None,
        time=None,
        text="x",
        path="/c/projects/-p/s.jsonl",
    )
    agent = replace(own, path=path, agent="1")

    assert main_path_of(own) == "/c/projects/-p/s.jsonl"
    assert main_path_of(agent) == "/c/projects/-p/s.jsonl"


def test_a_task_of_cowork_that_comes_later_is_followed_and_goes_into_the_index(
    tmp_path: Path, face: Face, follow: Callable[..., LiveThread]
) -> None:
    app = tmp_path / "Claude"
    tasks = app / "local-agent-mode-sessions" / "account" / "organisation"
    session("first", start=recent()).user("Plant").write(tasks / "local_1" / ".claude")
    follow(app)
    face.wait_for(lambda update: bool(update[0]))

    later = session("later", start=recent()).user("Water the cowork task")
    path = str(later.write(tasks / "local_2" / ".claude"))
    face.wait_for(lambda update: path in {row.path for row in update[0] or ()})

    with open_index([app], tmp_path / "index.db", fresh=False) as handle:
        for _ in range(200):
            if path in handle.store.states():
                break
            face.updates.get(timeout=LONG)
        assert path in handle.store.states()
