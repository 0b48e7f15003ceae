"""Requests at a fixed rate over kept connections, timed from when they were due.

A generator that waits for an answer before it sends the next request hides exactly the
delays one looks for; ours keeps its timetable, and a late start counts as a late answer.
"""

import asyncio
import time
from collections.abc import Callable

from msgspec import Struct

_CONNECTIONS = 24
_LIMIT = 64 * 1024 * 1024


class Answer(Struct, frozen=True):
    """What came of one request."""

    kind: str
    path: str
    status: int
    seconds: float
    size: int


class Load:
    """Asks one server, at a rate, for a time."""

    def __init__(self, port: int, rate: float, seconds: float) -> None:
        self._port = port
        self._rate = rate
        self._seconds = seconds
        self.answers: list[Answer] = []

    async def run(self, choose: Callable[[], tuple[str, str]]) -> None:
        """Send requests on their timetable until the time is over."""
        idle: asyncio.LifoQueue[_Connection] = asyncio.LifoQueue()
        for _ in range(_CONNECTIONS):
            idle.put_nowait(_Connection(self._port))
        start = time.perf_counter() + 0.1
        async with asyncio.TaskGroup() as group:
            for number in range(int(self._rate * self._seconds)):
                due = start + number / self._rate
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
                kind, path = choose()
                group.create_task(self._ask(idle, kind, path, due))
        while not idle.empty():
            await idle.get_nowait().close()

    async def _ask(
        self, idle: "asyncio.LifoQueue[_Connection]", kind: str, path: str, due: float
    ) -> None:
        connection = await idle.get()
        try:
            status, size = await connection.get(path)
        except (OSError, asyncio.IncompleteReadError, ValueError):
            await connection.close()
            status, size = 0, 0
        idle.put_nowait(connection)
        self.answers.append(Answer(kind, path, status, time.perf_counter() - due, size))


class _Connection:
    """One kept connection."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def get(self, path: str) -> tuple[int, int]:
        """Ask once; give the status and the size of the answer."""
        if self._writer is None or self._reader is None or self._reader.at_eof():
            await self.close()
            self._reader, self._writer = await asyncio.open_connection(
                "127.0.0.1", self._port, limit=_LIMIT
            )
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n\r\n"
        self._writer.write(request.encode())
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        status = int(head.split(" ", 2)[1])
        fields = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
        if "content-length" in fields:
            body = await self._reader.readexactly(int(fields["content-length"]))
            return status, len(body)
        return status, await self._chunks(self._reader)

    async def close(self) -> None:
        """Hang up."""
        if self._writer is not None:
            self._writer.close()
        self._writer = self._reader = None

    @staticmethod
    async def _chunks(reader: asyncio.StreamReader) -> int:
        size = 0
        while length := int(await reader.readline(), 16):
            size += len(await reader.readexactly(length))
            await reader.readline()
        await reader.readline()
        return size
