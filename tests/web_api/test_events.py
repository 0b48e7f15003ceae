"""The stream of events of a real server, while sessions go on."""

import threading
import time
from datetime import UTC, datetime
from pathlib import Path

from bough.sample import SampleSession, session
from tests.web.serving import Served
from tests.web_api.asking import listening

START = datetime.now(UTC)
"""What is going on has records of today."""


def draft(seed: str) -> SampleSession:
    """Begin a session that goes on now."""
    told = session(seed, cwd="/home/dev/live", start=START)
    return told.user("begin").assistant("begun")


def begin(server: Served, seed: str = "going on") -> Path:
    return draft(seed).write(server.claude)


def say(path: Path, number: int, seed: str = "going on") -> None:
    """Let a session say something."""
    told = draft(seed)
    for one in range(number):
        told.assistant(f"more {one}")
    before = len(told.bytes())
    told.assistant(f"more {number}")
    with path.open("ab") as file:
        file.write(told.bytes()[before:])


def test_what_is_written_is_told_and_can_be_read(living: Served) -> None:
    with listening(living) as events:
        path = begin(living)
        _, change = events.next("change")
        told = living.get(f"/api/sessions/{path.stem}/conversation")
        say(path, 0)
        events.next("change")

        changes = living.get(f"/api/sessions/{path.stem}/changes?since={told['revision']}")

    assert change["session"] == path.stem
    assert changes["from"] <= told["count"]
    assert "more 0" in "".join(piece["html"] for piece in changes["pieces"])
    assert changes["count"] == changes["from"] + len(changes["keys"])


def test_a_row_of_the_cockpit_comes_with_it(living: Served) -> None:
    with listening(living) as events:
        path = begin(living)

        _, told = events.next("live")

    assert told["session"]["id"] == path.stem
    assert {"waits", "working"} <= told.keys()


def test_a_broken_connection_misses_nothing_and_hears_nothing_twice(living: Served) -> None:
    path = begin(living)
    with listening(living) as events:
        say(path, 0)
        heard = [events.next("said")[1]["words"]]
        while heard[-1] != "more 0":
            heard.append(events.next("said")[1]["words"])
        last = events.last_id
    for number in (1, 2, 3):
        say(path, number)
    time.sleep(1)

    with listening(living, last) as events:
        again = [events.next("said")[1]["words"] for _ in range(3)]

    assert again == ["more 1", "more 2", "more 3"]


def test_an_id_of_another_start_is_answered_with_a_reset(served: Served) -> None:
    with listening(served, "deadbeef-7") as events:
        name, value = events.next()

    assert name == "reset"
    assert value["reason"]


def test_a_session_that_is_deleted_is_told_as_gone(living: Served) -> None:
    path = begin(living)
    with listening(living) as events:
        say(path, 0)
        events.next("change")
        path.unlink()

        _, gone = events.next("gone")

    assert gone["session"] == path.stem
    assert gone["deleted"] is True


def test_many_pages_hear_the_same(living: Served) -> None:
    path = begin(living)
    heard: list[str] = []

    def listen(ready: threading.Event) -> None:
        with listening(living) as events:
            ready.set()
            heard.append(events.next("change")[1]["session"])

    threads = []
    for _ in range(8):
        ready = threading.Event()
        thread = threading.Thread(target=listen, args=(ready,))
        thread.start()
        assert ready.wait(10)
        threads.append(thread)
    say(path, 0)
    for thread in threads:
        thread.join(10)

    assert heard == [path.stem] * 8


def test_lists_learn_of_a_new_session(living: Served) -> None:
    before = living.get("/api/sessions")["total"]
    path = begin(living)

    living.until(lambda: living.get("/api/sessions")["total"] == before + 1)

    row = living.get(f"/api/sessions?filter={path.stem}")["rows"][0]
    assert row["id"] == path.stem
    assert row["state"] in ("working", "finished")
