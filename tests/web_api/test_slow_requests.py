"""Requests that never say what they want, and more connections than a server takes."""

import socket
import time
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bough.sample.demo import write_demo
from bough.web.server import HEADER_SECONDS, MOST_CONNECTIONS
from tests.web.serving import Served
from tests.web_api.asking import ask, listening


def connect(server: Served) -> socket.socket:
    sock = socket.create_connection(("127.0.0.1", server.port), 30.0)
    sock.settimeout(HEADER_SECONDS + 30)
    return sock


def read_all(sock: socket.socket) -> bytes:
    data = b""
    while more := sock.recv(65_536):
        data += more
    return data


def is_open(sock: socket.socket) -> bool:
    sock.setblocking(False)
    try:
        return bool(sock.recv(65_536))
    except BlockingIOError:
        return True


def test_a_request_that_never_ends_its_headers_is_ended(living: Served) -> None:
    whole = f"GET /api/about HTTP/1.1\r\nHost: 127.0.0.1:{living.port}\r\n".encode()
    with ExitStack() as stack, listening(living) as events:
        silent, half, second = (stack.enter_context(connect(living)) for _ in range(3))
        half.sendall(whole + b"X-Slow: ")
        second.sendall(whole + b"\r\n")
        assert b" 200 " in second.recv(65_536)
        second.sendall(whole)
        for _ in range(int(HEADER_SECONDS) - 2):
            time.sleep(1)
            half.sendall(b"a")

        assert b" 408 " in read_all(half)
        assert b" 408 " in read_all(second)
        assert read_all(silent) == b""
        assert is_open(events._sock), "whoever listens was sent away"


@pytest.mark.parametrize(("host", "status"), [("0.0.0.0", 503), ("127.0.0.1", 200)])
def test_only_a_server_for_other_machines_limits_its_connections(
    tmp_path: Path, nobodys_home: Path, host: str, status: int
) -> None:
    claude = write_demo(tmp_path, datetime.now(UTC))
    with (
        Served(claude, tmp_path, words=("--host", host), ready=False) as server,
        ExitStack() as stack,
    ):
        for _ in range(MOST_CONNECTIONS + 1):
            stack.enter_context(connect(server))

        found, _ = ask(server, "GET /api/about HTTP/1.1")

    assert found == status
