"""Taking a port, and the address that is printed."""

import errno
import socket

import pytest

from bough.errors import BoughError, Misuse
from bough.web import server
from bough.web.server import PortTaken, access_policy_of, address_of, open_socket


def test_a_port_that_is_asked_for_is_taken_or_refused() -> None:
    with open_socket("127.0.0.1", 0) as first:
        port = first.getsockname()[1]

        with pytest.raises(PortTaken, match=f"Port {port} is in use"):
            open_socket("127.0.0.1", port)


def test_the_next_port_is_taken_where_the_usual_one_is_in_use(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with open_socket("127.0.0.1", 0) as first:
        taken = first.getsockname()[1]
        monkeypatch.setattr(server, "USUAL_PORT", taken)

        with open_socket("127.0.0.1", None) as second:
            assert second.getsockname()[1] != taken


def test_no_port_at_all_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> socket.socket:
        raise OSError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(server, "_bind_socket", refuse)

    with pytest.raises(BoughError):
        open_socket("127.0.0.1", None)
    with pytest.raises(BoughError, match="may not be used"):
        open_socket("127.0.0.1", 80)


def test_a_host_of_another_machine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> socket.socket:
        raise OSError(errno.EADDRNOTAVAIL, "Cannot assign requested address")

    monkeypatch.setattr(server, "_bind_socket", refuse)

    with pytest.raises(Misuse, match="Cannot listen on elsewhere"):
        open_socket("elsewhere", None)


def test_the_address_has_the_token_only_where_others_can_reach_it() -> None:
    with open_socket("127.0.0.1", 0) as sock:
        port = sock.getsockname()[1]

        here = address_of(sock, "127.0.0.1", access_policy_of(sock, "127.0.0.1", "secret"))
        there = address_of(sock, "0.0.0.0", access_policy_of(sock, "0.0.0.0", "secret"))
        six = address_of(sock, "::1", access_policy_of(sock, "::1", "secret"))

    assert here == f"http://127.0.0.1:{port}/"
    assert there == f"http://{socket.gethostname()}:{port}/?token=secret"
    assert six == f"http://[::1]:{port}/"
