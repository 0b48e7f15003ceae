"""Changes for several listeners: bounded, and nobody waits for anybody."""

import threading
import time
from pathlib import Path

import pytest

from bough.ingest.feed import Feed, Subscription
from bough.ingest.live.changes import Appended, Change, FellBehind, Started
from bough.ingest.live.follower import Live
from bough.ingest.transcript_paths import Place
from bough.records.record import BadLine
from bough.sample import session
from tests.conftest import Home

PLACE = Place("/p", "s", "/p/s.jsonl")


def batch(count: int, size: int = 1) -> Appended:
    return Appended(PLACE, tuple(BadLine(n, n, b"x" * size, "") for n in range(count)))


def test_what_was_put_is_taken_in_order() -> None:
    one = Subscription()

    one.put([Started(PLACE), batch(2)])
    one.put([batch(3)])

    assert one.take(0) == [Started(PLACE), batch(2), batch(3)]
    assert one.take(0) == []


def test_a_listener_that_does_not_keep_up_is_told() -> None:
    one = Subscription(most_records=5)

    one.put([batch(2), batch(2), batch(4)])

    assert one.take(0) == [FellBehind(2), batch(4)]
    one.put([batch(1)])
    assert one.take(0) == [batch(1)]


def test_bytes_are_bounded_too() -> None:
    one = Subscription(most_bytes=1_000)

    one.put([batch(1, 900), batch(1, 900)])

    assert one.take(0) == [FellBehind(1), batch(1, 900)]


def test_a_batch_larger_than_the_bound_still_comes_through() -> None:
    one = Subscription(most_records=5)

    one.put([batch(50)])

    assert one.take(0) == [batch(50)]


def test_taking_waits_for_news() -> None:
    one = Subscription()
    threading.Timer(0.05, one.put, [[Started(PLACE)]]).start()

    assert one.take(5) == [Started(PLACE)]


def test_closing_wakes_who_waits() -> None:
    one = Subscription()
    threading.Timer(0.05, one.close).start()
    started = time.monotonic()

    assert one.take(5) == []
    assert time.monotonic() - started < 4
    assert one.closed


@pytest.mark.writes_home
def test_every_listener_gets_everything(home: Home) -> None:
    feed = Feed(lambda stop: Live([home.path], stop=stop))
    path = home.projects / "-p" / "s.jsonl"
    path.parent.mkdir()
    story = session("s").user("Hello").bytes()

    with feed:
        listeners = [feed.subscribe(), feed.subscribe()]
        path.write_bytes(story)
        heard = [_until(one, story) for one in listeners]

    assert heard == [story, story]
    assert all(one.closed for one in listeners)


@pytest.mark.writes_home
def test_who_left_hears_nothing_and_a_closed_feed_leaves_no_thread(home: Home) -> None:
    before = threading.active_count()
    feed = Feed(lambda stop: Live([home.path], stop=stop))
    feed.open()
    gone = feed.subscribe()
    feed.unsubscribe(gone)
    (home.projects / "-p").mkdir()
    (home.projects / "-p" / "s.jsonl").write_bytes(session("s").user("Hello").bytes())
    stays = feed.subscribe()
    stays.take(2)

    feed.close()

    assert gone.take(0) == []
    assert threading.active_count() == before


@pytest.mark.writes_home
def test_listening_ends_with_the_feed(home: Home, tmp_path: Path) -> None:
    feed = Feed(lambda stop: Live([home.path], stop=stop))
    feed.open()
    threading.Timer(0.1, feed.close).start()

    batches: list[list[Change]] = list(feed.listen(0.05))

    assert all(batch == [] for batch in batches)


def _until(one: Subscription, wanted: bytes) -> bytes:
    found = b""
    end = time.monotonic() + 8
    while found != wanted and time.monotonic() < end:
        for change in one.take(0.5):
            if isinstance(change, Appended):
                found += b"".join(item.raw for item in change.items)
    return found
