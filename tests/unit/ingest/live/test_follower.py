"""Every transcript, followed at once: nothing twice and nothing lost, whatever happens."""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bough.ingest.live.changes import (
    Change,
    RecordsAppended,
    SidecarChanged,
    StateChanged,
    TranscriptRenamed,
    TranscriptReplaced,
    TranscriptStarted,
    TranscriptVanished,
    WatchProblem,
)
from bough.ingest.live.follower import LiveFollower
from bough.ingest.transcript_paths import TranscriptPath
from bough.model.live.status import SessionState
from bough.sample import SampleSession, session
from bough.sample.builder.agents import AgentSteps
from tests.conftest import Home
from tests.sampled import scale_examples

pytestmark = pytest.mark.writes_home

PATIENCE = 8.0
CWD = "/home/dev/orchard"
OpenLive = Callable[..., LiveFollower]
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
SPENT = {"input_tokens": 10, "output_tokens": 1_000_000}
OLD = session("old", start=LONG_AGO).user("Old").bytes()


@pytest.fixture
def open_live(home: Home) -> Iterator[OpenLive]:
    opened: list[LiveFollower] = []

    def opening(**options: object) -> LiveFollower:
        opened.append(LiveFollower([home.path], **options))  # type: ignore[arg-type]
        return opened[-1]

    yield opening
    for one in opened:
        one.close()


def folder(home: Home) -> Path:
    return home.projects / "-home-dev-orchard"


def write(home: Home, name: str, data: bytes) -> Path:
    path = folder(home) / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def story(seed: str = "one") -> SampleSession:
    return session(seed, cwd=CWD).user("Make it resumable").thinking("How?").assistant("So.")


def collect(live: LiveFollower, enough: Callable[[list[Change]], bool]) -> list[Change]:
    """Follow until enough happened."""
    found: list[Change] = []
    end = time.monotonic() + PATIENCE
    while not enough(found) and time.monotonic() < end:
        found += live.step(0.2)
    return found


def settle(live: LiveFollower, quiet_for: float = 0.1) -> list[Change]:
    """Follow until nothing happens any more."""
    found: list[Change] = []
    quiet = 0
    while quiet < 4:
        changes = [c for c in live.step(quiet_for) if not isinstance(c, StateChanged)]
        quiet = 0 if changes else quiet + 1
        found += changes
    return found


def raws(changes: list[Change]) -> bytes:
    return b"".join(i.raw for c in changes if isinstance(c, RecordsAppended) for i in c.items)


def kinds(changes: list[Change]) -> list[type[Change]]:
    return [type(change) for change in changes if not isinstance(change, StateChanged)]


def has(data: bytes) -> Callable[[list[Change]], bool]:
    return lambda changes: raws(changes) == data


def says(words: bytes) -> Callable[[list[Change]], bool]:
    return lambda changes: words in raws(changes)


def test_the_past_is_given_first_and_then_what_comes(home: Home, open_live: OpenLive) -> None:
    path = write(home, "one", story().bytes())
    live = open_live()

    past = live.start()
    more = session("more").user("Next").bytes()
    append(path, more)
    after = collect(live, has(more))

    assert raws(past) == story().bytes()
    assert all(change.past for change in past if isinstance(change, RecordsAppended))
    assert raws(after) == more
    assert kinds(after) == [RecordsAppended]


def test_only_the_recent_past_is_given(home: Home, open_live: OpenLive) -> None:
    old = session("old", start=datetime(2020, 1, 1, tzinfo=UTC)).user("Old").bytes()
    write(home, "one", old + story().bytes())
    cold = write(home, "cold", old)
    os.utime(cold, (1_000_000, 1_000_000))

    past = open_live(since=datetime(2025, 1, 1, tzinfo=UTC)).start()

    assert raws(past) == story().bytes()


def test_a_cold_file_that_wakes_up_gives_only_what_is_new(home: Home, open_live: OpenLive) -> None:
    cold = write(home, "cold", story().bytes())
    os.utime(cold, (1_000_000, 1_000_000))
    live = open_live(since=datetime(2025, 1, 1, tzinfo=UTC))
    live.start()

    more = session("more", cwd=CWD).user("Again").bytes()
    append(cold, more)

    assert raws(collect(live, has(more))) == more
    (watched,) = live.sessions
    assert watched.activity.titles.title is not None
    assert watched.activity.titles.title.text == "Make it resumable"


def test_a_line_that_was_torn_when_the_watch_began_is_given_when_it_ends(
    home: Home, open_live: OpenLive
) -> None:
    data = story().bytes()
    path = write(home, "one", data[:-40])
    live = open_live()
    past = raws(live.start())

    append(path, data[-40:])

    assert raws(collect(live, has(data[len(past) :]))) == data[len(past) :]


def test_a_new_session_is_announced(home: Home, open_live: OpenLive) -> None:
    live = open_live()
    live.start()

    write(home, "one", story().bytes())

    assert kinds(collect(live, has(story().bytes()))) == [TranscriptStarted, RecordsAppended]


@pytest.mark.slow
def test_a_projects_folder_that_comes_later_is_followed(home: Home, open_live: OpenLive) -> None:
    home.projects.rmdir()
    live = open_live()
    live.start()

    write(home, "one", story().bytes())

    assert raws(collect(live, has(story().bytes()))) == story().bytes()


def test_a_burst_is_one_batch(home: Home, open_live: OpenLive) -> None:
    path = write(home, "one", b"")
    live = open_live()
    live.start()
    builder = session("burst")
    for number in range(200):
        builder.user(str(number))

    append(path, builder.bytes())
    batches = [c for c in collect(live, has(builder.bytes())) if isinstance(c, RecordsAppended)]

    assert [len(batch.items) for batch in batches] == [200]


def test_an_agents_file_belongs_to_its_session_and_says_what_it_is_for(
    home: Home, open_live: OpenLive
) -> None:
    builder = session("one", cwd=CWD).user("x").agent("Explore", "Find every caller").assistant("y")
    live = open_live()
    live.start()

    builder.write(home.path)
    changes = settle(live)

    agents = [c.place for c in changes if isinstance(c, RecordsAppended) and c.place.agent]
    assert {place.session for place in agents} == {builder.session_id}
    metas = [
        change.meta for change in changes if isinstance(change, SidecarChanged) and change.meta
    ]
    assert [(meta.agent_type, meta.description) for meta in metas] == [
        ("Explore", "Find every caller")
    ]


def test_an_agents_file_beside_the_sessions_is_known_by_its_records(
    home: Home, open_live: OpenLive
) -> None:
    builder = session("one", cwd=CWD, version="2.0.76").user("x").agent("Explore", "Look around")
    builder.write(home.path)

    past = open_live().start()

    places = {c.place for c in past if isinstance(c, RecordsAppended) and c.place.agent}
    assert {place.session for place in places} == {builder.session_id}


def test_an_agent_that_wakes_up_first_brings_its_session_along(
    home: Home, open_live: OpenLive
) -> None:
    builder = (
        session("one", cwd=CWD).user("Long ago").agent("Explore", "Look around").assistant("y")
    )
    main = builder.write(home.path)
    os.utime(main, (1_000_000, 1_000_000))
    live = open_live(since=datetime(2025, 6, 1, tzinfo=UTC))

    live.start()

    (watched,) = live.sessions
    assert watched.activity.titles.title is not None
    assert watched.activity.titles.title.text == "Long ago"
    assert watched.status is not None
    assert watched.status.state is SessionState.FINISHED


def costly(version: str) -> SampleSession:
    """A session of long ago; its agent cost more than it did itself."""
    builder = session("one", cwd=CWD, start=LONG_AGO, version=version).user("Long ago")
    builder.agent("Explore", "Look", work=lambda agent: agent.assistant("There.", usage=SPENT))
    return builder.assistant("It is there.", usage={"input_tokens": 10, "output_tokens": 10})


def continued(builder: SampleSession) -> bytes:
    """What is said in a session now."""
    before = len(builder.bytes())
    return builder.set_clock(datetime.now(UTC)).user("Go on").bytes()[before:]


def cost_of(live: LiveFollower, name: str | None = None) -> float:
    (watched,) = (one for one in live.sessions if name in (None, one.place.session))
    return watched.activity.running_cost.total.usd or 0.0


@pytest.mark.parametrize("version", ["2.0.76", "2.1.325"])
def test_what_an_agent_spent_long_ago_is_part_of_what_its_session_costs(
    home: Home, open_live: OpenLive, version: str
) -> None:
    builder = costly(version)
    main = builder.write(home.path)
    whole = open_live()
    whole.start()
    append(main, continued(builder))
    live = open_live(since=datetime.now(UTC) - timedelta(hours=1))

    told = live.start()

    assert cost_of(live) == cost_of(whole) > 1
    assert b"There." not in raws(told)


@pytest.mark.parametrize("version", ["2.0.76", "2.1.325"])
def test_a_session_that_goes_on_after_long_costs_what_its_agents_spent_too(
    home: Home, open_live: OpenLive, version: str
) -> None:
    builder = costly(version)
    main = builder.write(home.path)
    whole = open_live()
    whole.start()
    live = open_live(since=datetime.now(UTC) - timedelta(hours=1))
    assert live.start() == []

    append(main, continued(builder))
    told = collect(live, says(b"Go on"))

    assert cost_of(live) == cost_of(whole) > 1
    assert b"There." not in raws(told)


def test_a_new_agent_of_a_quiet_session_brings_along_what_older_ones_spent(
    home: Home, open_live: OpenLive
) -> None:
    builder = costly("2.1.325")
    main = builder.write(home.path)
    whole = open_live()
    whole.start()
    live = open_live(since=datetime.now(UTC) - timedelta(hours=1))
    assert live.start() == []

    builder.set_clock(datetime.now(UTC)).agent("Explore", "Look again")
    for name, data in builder.files().items():
        path = home.projects / builder.project / name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    collect(live, lambda changes: TranscriptStarted in kinds(changes))

    assert main.stat().st_size < len(builder.bytes())
    assert cost_of(live) >= cost_of(whole) > 1


def test_a_session_that_was_copied_here_and_goes_on_costs_what_its_agents_spent(
    home: Home, open_live: OpenLive
) -> None:
    known = session("known", cwd=CWD, start=LONG_AGO).user("Long ago").assistant("y")
    live = open_live(since=datetime.now(UTC) - timedelta(hours=1))
    live.start()
    main = known.write(home.path)
    append(main, continued(known))
    collect(live, says(b"Go on"))
    copied = costly("2.1.325")
    main = copied.write(home.path)
    collect(live, lambda changes: kinds(changes).count(TranscriptStarted) > 1)

    append(main, continued(copied))
    told = collect(live, says(b"Go on"))

    assert cost_of(live, copied.session_id) > 1
    assert b"There." not in raws(told)


def test_a_session_that_was_let_go_and_goes_on_costs_what_it_did(
    home: Home, open_live: OpenLive, monkeypatch: pytest.MonkeyPatch
) -> None:
    builder = costly("2.1.325")
    main = builder.write(home.path)
    live = open_live()
    live.start()
    cost = cost_of(live)
    days_later = datetime.now(UTC) + timedelta(days=3)
    with monkeypatch.context() as clock:
        clock.setattr("bough.ingest.live.follower.current_time", lambda: days_later)
        live.step(0.0)
        assert list(live.sessions) == []

    append(main, continued(builder))
    told = collect(live, says(b"Go on"))

    assert cost_of(live) == cost > 1
    assert b"There." not in raws(told)


def test_what_each_agent_of_a_quiet_session_said_lately_is_told_once(
    home: Home, open_live: OpenLive
) -> None:
    now = datetime.now(UTC)
    builder = session("one", cwd=CWD, start=LONG_AGO, version="2.0.76").user("Long ago")

    def say(words: str) -> Callable[[AgentSteps], object]:
        return lambda agent: agent.set_clock(now).assistant(words)

    for words in ("First.", "Second.", "Third."):
        builder.agent("Explore", "Look", work=say(words))
    main = builder.write(home.path)
    main.write_bytes(main.read_bytes().partition(b"\n")[0] + b"\n")
    live = open_live(since=now - timedelta(hours=1))

    told = raws(live.start())

    assert [told.count(words) for words in (b"First.", b"Second.", b"Third.")] == [1, 1, 1]
    (watched,) = live.sessions
    files = main.parent.rglob("*.jsonl")
    assert watched.activity.records == sum(file.read_bytes().count(b"\n") for file in files)


def test_a_meta_file_that_comes_after_its_agent_is_told(home: Home, open_live: OpenLive) -> None:
    builder = session("one", cwd=CWD).user("x").agent("Explore", "Find every caller")
    files = builder.files()
    meta = next(name for name in files if name.endswith(".meta.json"))
    for name, data in files.items():
        if name != meta:
            path = home.projects / builder.project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    live = open_live()
    live.start()

    (home.projects / builder.project / meta).write_bytes(files[meta])
    changes = collect(live, lambda found: any(isinstance(c, SidecarChanged) for c in found))

    assert [c.meta.description for c in changes if isinstance(c, SidecarChanged) and c.meta] == [
        "Find every caller"
    ]


def test_a_title_beside_the_file_is_told(home: Home, open_live: OpenLive) -> None:
    write(home, "one", story().bytes())
    live = open_live()
    live.start()

    title = folder(home) / "one" / "custom-title.json"
    title.parent.mkdir()
    title.write_bytes(msgspec.json.encode({"customTitle": "Mine"}))
    changes = collect(live, lambda found: any(isinstance(c, SidecarChanged) for c in found))

    assert [change.title for change in changes if isinstance(change, SidecarChanged)] == ["Mine"]


@pytest.mark.slow
def test_a_file_that_is_cut_and_written_again_repeats_nothing(
    home: Home, open_live: OpenLive
) -> None:
    data = story().bytes()
    path = write(home, "one", data)
    live = open_live()
    live.start()

    os.truncate(path, 0)
    cut = settle(live)
    append(path, data)
    again = settle(live)
    append(path, session("more").user("New").bytes())

    assert TranscriptReplaced in kinds(cut)
    assert raws(again) == b""
    assert raws(settle(live)) == session("more").user("New").bytes()


def test_a_replaced_file_gives_only_what_is_new(home: Home, open_live: OpenLive) -> None:
    path = write(home, "one", story().bytes())
    live = open_live()
    live.start()
    other = path.with_suffix(".new")
    new = session("two", cwd=CWD).user("Another").bytes()
    other.write_bytes(new + story().bytes())

    other.replace(path)
    changes = settle(live)

    assert TranscriptReplaced in kinds(changes)
    assert raws(changes) == new


def test_a_renamed_file_goes_on_under_its_new_name(home: Home, open_live: OpenLive) -> None:
    path = write(home, "one", story().bytes())
    live = open_live()
    live.start()

    path.rename(path.with_name("two.jsonl"))
    moved = settle(live)
    append(path.with_name("two.jsonl"), session("more").user("New").bytes())
    after = settle(live)

    assert kinds(moved) == [TranscriptRenamed]
    assert raws(after) == session("more").user("New").bytes()
    assert [watched.place.session for watched in live.sessions] == ["two"]


@pytest.mark.slow
def test_a_deleted_file_that_comes_back_repeats_nothing(home: Home, open_live: OpenLive) -> None:
    data = story().bytes()
    path = write(home, "one", data)
    live = open_live()
    live.start()

    path.unlink()
    gone = settle(live)
    new = session("more", cwd=CWD).user("New").bytes()
    path.write_bytes(data + new)
    back = settle(live)

    assert kinds(gone) == [TranscriptVanished]
    assert list(live.sessions)
    assert raws(back) == new


def test_a_project_folder_that_is_removed_and_made_again(home: Home, open_live: OpenLive) -> None:
    write(home, "one", story().bytes())
    live = open_live()
    live.start()

    shutil.rmtree(folder(home))
    gone = settle(live)
    new = session("two", cwd=CWD).user("New").bytes()
    write(home, "two", new)

    assert TranscriptVanished in kinds(gone)
    assert raws(collect(live, has(new))) == new


def test_a_fork_does_not_repeat_what_was_seen(home: Home, open_live: OpenLive) -> None:
    data = story().bytes()
    write(home, "one", data)
    live = open_live()
    live.start()

    new = session("more", cwd=CWD).user("On the fork").bytes()
    write(home, "fork", data + new)

    assert raws(collect(live, has(new))) == new


def test_a_fork_of_an_old_conversation_begins_with_its_past(
    home: Home, open_live: OpenLive
) -> None:
    live = open_live(since=datetime(2025, 6, 1, tzinfo=UTC))
    live.start()
    old = session("old", cwd=CWD, start=datetime(2025, 1, 1, tzinfo=UTC)).user("Old").bytes()
    new = session("new", cwd=CWD).user("New").bytes()

    write(home, "fork", old + new)

    assert raws(collect(live, has(new))) == new


def test_a_file_that_cannot_be_read_is_told_once_and_the_rest_goes_on(
    home: Home, open_live: OpenLive, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = write(home, "bad", story("bad").bytes())
    good = write(home, "good", b"")
    live = open_live()
    live.start()
    opened = os.open

    def refuse(path: object, *rest: object, **named: object) -> object:
        if str(path) == str(bad):
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, *rest, **named)  # type: ignore[arg-type]

    monkeypatch.setattr("os.open", refuse)
    for seed in ("a", "b"):
        append(bad, session(seed).user(seed).bytes())
        append(good, session(seed).user(seed).bytes())
        time.sleep(0.05)
    changes = settle(live)

    assert len([change for change in changes if isinstance(change, WatchProblem)]) == 1
    assert raws(changes) == b"".join(session(s).user(s).bytes() for s in ("a", "b"))


def test_only_what_is_wanted_is_followed(home: Home, open_live: OpenLive) -> None:
    one = write(home, "one", story("one").bytes())
    two = write(home, "two", story("two").bytes())

    def wanted(place: TranscriptPath) -> bool:
        return place.session == "one"

    live = open_live(wanted=wanted)

    assert raws(live.start()) == story("one").bytes()
    append(two, session("x").user("x").bytes())
    append(one, session("y").user("y").bytes())
    assert raws(settle(live)) == session("y").user("y").bytes()


def test_a_large_append_comes_in_bounded_batches(
    home: Home, open_live: OpenLive, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(home, "one", b"")
    live = open_live()
    live.start()
    builder = session("large")
    for number in range(300):
        builder.user(f"{number} " + "x" * 60_000)

    append(path, builder.bytes())
    batches = [c for c in collect(live, has(builder.bytes())) if isinstance(c, RecordsAppended)]

    assert len(batches) > 1
    assert raws([*batches]) == builder.bytes()


def test_of_a_very_long_file_only_the_end_is_read(
    home: Home, open_live: OpenLive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bough.ingest.live.follower.LONGEST_PAST", 3_000)
    builder = session("long", cwd=CWD)
    for number in range(20):
        builder.user(str(number))
    path = write(home, "one", builder.bytes())
    live = open_live()

    past = live.start()
    append(path, session("more").user("New").bytes())

    (watched,) = live.sessions
    assert watched.partial
    assert 0 < len(raws(past)) < 4_000
    assert raws(settle(live)) == session("more").user("New").bytes()


def test_a_state_is_told_when_it_has_held_for_a_moment(home: Home, open_live: OpenLive) -> None:
    path = write(home, "one", b"")
    live = open_live()
    live.start()

    append(path, session("s", cwd=CWD).user("Go").assistant("Done.").bytes())
    changes = collect(live, lambda found: any(isinstance(c, StateChanged) for c in found))

    states = [change.status.state for change in changes if isinstance(change, StateChanged)]
    assert states == [SessionState.FINISHED]
    assert isinstance(changes[-1], StateChanged)


@pytest.mark.slow
def test_a_client_that_registers_is_seen_to_wait(home: Home, open_live: OpenLive) -> None:
    builder = (
        session("s", cwd=CWD, version="2.1.325").user("Go").tool("Bash", {"command": "x"}, None)
    )
    write(home, "s1", builder.bytes())
    live = open_live()
    live.start()
    note = {"pid": os.getpid(), "sessionId": "s1", "status": "waiting"}

    (home.path / "sessions").mkdir()
    (home.path / "sessions" / f"{os.getpid()}.json").write_bytes(msgspec.json.encode(note))
    changes = collect(live, lambda found: any(isinstance(c, StateChanged) for c in found))

    (change,) = [change for change in changes if isinstance(change, StateChanged)]
    assert (change.status.state, change.status.sure) == (SessionState.WAITING, True)
    assert change.status.asks == "run x?"


def test_nothing_is_written_to_the_files(home: Home, open_live: OpenLive) -> None:
    path = write(home, "one", story().bytes())
    before = path.stat()
    live = open_live()

    live.start()
    live.step(0.05)

    assert path.read_bytes() == story().bytes()
    assert path.stat().st_mtime_ns == before.st_mtime_ns


class Fate:
    """A file to which things happen; `written` holds every line that was whole at some time."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.path = write(home, "start", b"")
        self.written: set[bytes] = set()
        self._torn = b""
        self._count = 0

    def happen(self, action: str) -> None:
        """Do something to the file."""
        self._count += 1
        getattr(self, f"_{action}")(session(str(self._count)).user(f"Prompt {self._count}").bytes())
        if self.path.exists():
            lines = self.path.read_bytes().splitlines(keepends=True)
            self.written |= {line for line in lines if line.endswith(b"\n")}

    def _whole(self) -> bytes:
        """Give the lines that are whole; what is torn is given up."""
        self._torn = b""
        data = self.path.read_bytes() if self.path.exists() else b""
        return data[: data.rfind(b"\n") + 1]

    def _append(self, line: bytes) -> None:
        torn, self._torn = self._torn, b""
        append(self.path, torn + line)

    def _tear(self, line: bytes) -> None:
        if not self._torn:
            append(self.path, line[:77])
            self._torn = line[77:]

    def _cut(self, _: bytes) -> None:
        lines = self._whole().splitlines(keepends=True)
        self.path.write_bytes(b"".join(lines[: len(lines) // 2]))

    def _rewrite(self, line: bytes) -> None:
        other = self.path.with_suffix(".tmp")
        other.write_bytes(line + self._whole())
        other.replace(self.path)

    def _rename(self, _: bytes) -> None:
        if self.path.exists():
            self.path = self.path.rename(self.path.with_name(f"r{self._count}.jsonl"))

    def _delete(self, _: bytes) -> None:
        self._torn = b""
        self.path.unlink(missing_ok=True)

    def _new(self, line: bytes) -> None:
        self._torn = b""
        self.path = write(self.home, f"n{self._count}", line)


_ACTIONS = ("append", "tear", "cut", "rewrite", "rename", "delete", "new")


@pytest.mark.slow
@settings(
    max_examples=scale_examples(30), suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(actions=st.lists(st.sampled_from(_ACTIONS), min_size=1, max_size=10))
def test_after_any_sequence_of_changes_every_record_was_told_once(
    home: Home, actions: list[str]
) -> None:
    shutil.rmtree(home.projects)
    fate = Fate(home)
    live = LiveFollower([home.path])
    told = live.start()

    for action in actions:
        fate.happen(action)
        told += settle(live, 0.05)

    live.close()
    lines = [
        item.raw for change in told if isinstance(change, RecordsAppended) for item in change.items
    ]
    assert len(lines) == len(set(lines))
    assert set(lines) == fate.written


def test_what_is_recent_the_records_say_and_not_the_time_of_the_file(
    home: Home, open_live: OpenLive
) -> None:
    write(home, "restored", OLD)
    live = open_live(since=datetime(2025, 1, 1, tzinfo=UTC))

    assert live.start() == []
    assert list(live.sessions) == []


def test_a_file_that_is_copied_here_while_watching_is_not_alive(
    home: Home, open_live: OpenLive
) -> None:
    live = open_live(since=datetime(2025, 1, 1, tzinfo=UTC))
    live.start()
    path = write(home, "restored", OLD)
    told = collect(live, lambda changes: TranscriptStarted in kinds(changes))
    append(path, session("more", start=LONG_AGO).user("An old word").bytes())
    told += settle(live)

    assert raws(told) == b""
    assert list(live.sessions) == []


def test_a_copied_file_wakes_up_with_the_first_new_record(home: Home, open_live: OpenLive) -> None:
    live = open_live(since=datetime(2025, 1, 1, tzinfo=UTC))
    live.start()
    path = write(home, "restored", OLD)
    collect(live, lambda changes: TranscriptStarted in kinds(changes))
    new = session("new", start=datetime.now(UTC)).user("Go on").bytes()
    append(path, new)

    told = collect(live, says(b"Go on"))

    assert raws(told) == new
    assert [one.place.path for one in live.sessions] == [str(path)]


def test_a_file_whose_time_alone_changes_is_not_alive(home: Home, open_live: OpenLive) -> None:
    path = write(home, "old", OLD)
    os.utime(path, (1_700_000_000, 1_700_000_000))
    live = open_live(since=datetime(2025, 1, 1, tzinfo=UTC))
    live.start()
    path.touch()
    told = settle(live)

    assert raws(told) == b""
    assert list(live.sessions) == []


def test_the_past_of_a_session_is_told_although_its_agents_were_quiet_before(
    home: Home, open_live: OpenLive
) -> None:
    told = session("agents", cwd=CWD, start=datetime.now(UTC)).user("Look around")
    told.agent("Explore", "look around", answer="Nothing.").assistant("Done.")
    path = told.write(home.path)
    for file in path.parent.rglob("agent-*.jsonl"):
        os.utime(file, (path.stat().st_mtime - 1, path.stat().st_mtime - 1))

    past = open_live(since=datetime.now(UTC) - timedelta(hours=1)).start()

    assert told.bytes() in raws(past)
