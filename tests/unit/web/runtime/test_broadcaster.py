"""The hub: numbered events, resumed without gaps or doubles."""

import asyncio
import re
from collections.abc import AsyncIterator

import pytest

from bough.web.runtime import broadcaster as module
from bough.web.runtime.broadcaster import EventBroadcaster, ServerEvent

ID = re.compile(rb"^id: (\S+)$", re.MULTILINE)


def told(number: int) -> ServerEvent:
    return ServerEvent("said", {"n": number})


def numbers(data: bytes) -> list[int]:
    return [int(n) for n in re.findall(rb'"n":(\d+)', data)]


async def heard(stream: AsyncIterator[bytes], times: int) -> bytes:
    return b"".join([await anext(stream) for _ in range(times)])


def test_events_come_in_order_with_ids() -> None:
    async def run() -> bytes:
        hub = EventBroadcaster()
        stream = hub.listen(None)
        await anext(stream)
        hub.publish([told(1), told(2)])
        hub.publish([told(3)])
        return await heard(stream, 1)

    data = asyncio.run(run())

    assert numbers(data) == [1, 2, 3]
    assert len(set(ID.findall(data))) == 3
    assert data.startswith(b"id: ")
    assert data.endswith(b"\n\n")
    assert b"\nevent: said\n" in data


def test_a_broken_connection_goes_on_where_it_was() -> None:
    async def run() -> bytes:
        hub = EventBroadcaster()
        first = hub.listen(None)
        await anext(first)
        hub.publish([told(1)])
        last = ID.findall(await anext(first))[-1].decode()
        await first.aclose()  # type: ignore[attr-defined]
        hub.publish([told(2), told(3)])
        return await anext(hub.listen(last))

    data = asyncio.run(run())

    assert numbers(data) == [2, 3]
    assert b"event: reset" not in data


@pytest.mark.parametrize(
    "last", ["00000000-1", "nonsense", "-", "x-y", "1" * 5000, "\u0661", "-\u0662"]
)
def test_an_id_of_another_start_asks_for_everything_again(last: str) -> None:
    async def run() -> bytes:
        hub = EventBroadcaster()
        hub.publish([told(1)])
        return await anext(hub.listen(last))

    assert b"event: reset" in asyncio.run(run())


def test_who_was_away_too_long_asks_for_everything_again() -> None:
    async def run() -> tuple[bytes, bytes]:
        hub = EventBroadcaster(kept=3)
        start = hub.last_id
        hub.publish([told(1)])
        near = hub.last_id
        hub.publish([told(n) for n in range(2, 5)])
        return await anext(hub.listen(start)), await anext(hub.listen(near))

    far, near = asyncio.run(run())

    assert b"event: reset" in far
    assert numbers(near) == [2, 3, 4]


def test_an_id_that_is_yet_to_come_asks_for_everything_again() -> None:
    async def run() -> bytes:
        hub = EventBroadcaster()
        return await anext(hub.listen(hub.last_id.replace("-0", "-99")))

    assert b"event: reset" in asyncio.run(run())


def test_who_is_slow_is_told_so_and_goes_on() -> None:
    async def run() -> tuple[bytes, bytes]:
        hub = EventBroadcaster(waiting=5)
        stream = hub.listen(None)
        await anext(stream)
        for number in range(20):
            hub.publish([told(number)])
        first = await anext(stream)
        hub.publish([told(99)])
        return first, await anext(stream)

    first, then = asyncio.run(run())

    assert b"event: reset" in first
    assert numbers(first) == []
    assert numbers(then) == [99]


def test_a_quiet_connection_is_kept_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HEARTBEAT", 0.01)

    async def run() -> bytes:
        stream = EventBroadcaster().listen(None)
        await anext(stream)
        return await anext(stream)

    assert asyncio.run(run()) == b": still here\n\n"


def test_closing_sends_everybody_away() -> None:
    async def run() -> tuple[list[bytes], int]:
        hub = EventBroadcaster()
        stream = hub.listen(None)
        await anext(stream)
        hub.close()
        return [data async for data in stream], len(hub._listeners)

    assert asyncio.run(run()) == ([], 0)


def test_what_is_told_cannot_break_out_of_its_event() -> None:
    async def run() -> bytes:
        hub = EventBroadcaster()
        stream = hub.listen(None)
        await anext(stream)
        hub.publish([ServerEvent("said", {"words": "a\n\nevent: reset\ndata: {}\r\r"})])
        return await anext(stream)

    data = asyncio.run(run())

    assert data.count(b"\n\n") == 1
    assert b"\nevent: reset" not in data
    assert b"\r" not in data
