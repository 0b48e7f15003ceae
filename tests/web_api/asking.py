"""Requests byte by byte, and streams of events, as no well-behaved client sends or reads them."""

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from tests.web.serving import PATIENCE, Served


def ask(
    server: Served, *lines: str, host: str | None = None, body: bytes = b""
) -> tuple[int, bytes]:
    """Send a request as it is written; give the status and everything that came back."""
    first, *rest = lines
    own = f"127.0.0.1:{server.port}" if host is None else host
    named = [] if any(line.lower().startswith("host:") for line in rest) else [f"Host: {own}"]
    head = "\r\n".join([first, *named, "Connection: close", *rest]) + "\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as sock:
        sock.settimeout(PATIENCE)
        sock.sendall(head.encode("latin-1") + body)
        data = b""
        while more := sock.recv(65_536):
            data += more
    return int(data.split(b" ", 2)[1]) if data else 0, data


class Events:
    """A connection to the stream of events."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._data = b""
        self.last_id = ""

    def next(self, *kinds: str) -> tuple[str, Any]:
        """Wait for the next event of these kinds."""
        end = time.monotonic() + PATIENCE
        while True:
            name, value = self._one(end)
            if not kinds or name in kinds:
                return name, value

    def _one(self, end: float) -> tuple[str, Any]:
        while True:
            while b"\n\n" not in self._data:
                # Heartbeats come for ever.
                assert time.monotonic() < end, "nothing of the kind was told"
                more = self._sock.recv(65_536)
                if not more:
                    raise EOFError
                self._data += more
            block, _, self._data = self._data.partition(b"\n\n")
            fields = dict(line.split(b": ", 1) for line in block.splitlines() if b": " in line[1:])
            if b"event" in fields:
                self.last_id = fields[b"id"].decode()
                return fields[b"event"].decode(), msgspec.json.decode(fields[b"data"])


@contextmanager
def listening(server: Served, last: str | None = None) -> Iterator[Events]:
    """Listen to what happens, from an event on."""
    resumed = f"Last-Event-ID: {last}\r\n" if last is not None else ""
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as sock:
        sock.settimeout(PATIENCE)
        sock.sendall(
            f"GET /api/events HTTP/1.0\r\nHost: 127.0.0.1:{server.port}\r\n{resumed}\r\n".encode()
        )
        head = b""
        while b"\r\n\r\n" not in head:
            head += sock.recv(4_096)
        assert b" 200 " in head.split(b"\r\n")[0]
        assert b"text/event-stream" in head
        _heard(server)
        events = Events(sock)
        events._data = head.partition(b"\r\n\r\n")[2]
        yield events


def _heard(server: Served) -> None:
    """Wait until the server knows the past; what is written before is of it, and not told."""
    end = time.monotonic() + PATIENCE
    while not server.get("/api/live")["sessions"]:
        assert time.monotonic() < end, "the server does not listen"
        time.sleep(0.05)
