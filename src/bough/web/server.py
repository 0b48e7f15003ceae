"""The server: a socket, the app on it, and an end that does not wait.

Ctrl-C ends it at once, also while pages listen: they are sent away first.
"""

import asyncio
import errno
import signal
import socket
import sys
import threading
from collections.abc import Callable
from typing import Any, Final

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from bough.backports import override
from bough.errors import BoughError, Misuse
from bough.memory import collect_rarely
from bough.web.access import AccessPolicy, make_access_policy
from bough.web.app import make_app
from bough.web.state import AppState
from bough.web.team.team_access import TeamAccess
from bough.web.team.team_app import make_team_app

USUAL_PORT: Final = 8420
_TRIED: Final = 50
_NEW_OBJECTS: Final = 60_000
_LAST: Final = 1
_SWITCH_INTERVAL: Final = 0.001
HEADER_SECONDS: Final = 10.0
"""So long a request may take to say what it wants."""
MOST_CONNECTIONS: Final = 256
"""So many connections from other machines are served at once."""
_TOO_SLOW: Final = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class PortTaken(BoughError):
    """Say that somebody else listens on the port that was asked for."""

    def __init__(self, port: int) -> None:
        super().__init__(
            f"Port {port} is in use, perhaps by another bough. Name another with --port, or leave "
            "it out."
        )


class _TimedProtocol(H11Protocol):
    """uvicorn's protocol, with a limit for how long a request may take to say what it wants."""

    _header_timer: asyncio.TimerHandle | None = None
    _has_asked = False

    @override
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Wait for the first request."""
        super().connection_made(transport)
        self._limit_headers()

    @override
    def data_received(self, data: bytes) -> None:
        """Take in more of a request; once its headers are there, it has all the time."""
        self._has_asked = True
        super().data_received(data)
        # There is no cycle before the first request.
        if getattr(self.cycle, "response_complete", True):
            self._limit_headers()
        else:
            self._cancel_limit()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection."""
        self._cancel_limit()
        super().connection_lost(exc)

    def _limit_headers(self) -> None:
        if self._header_timer is None:
            self._header_timer = self.loop.call_later(HEADER_SECONDS, self._end_slow_request)

    def _cancel_limit(self) -> None:
        if self._header_timer is not None:
            self._header_timer.cancel()
            self._header_timer = None

    def _end_slow_request(self) -> None:
        if not self.transport.is_closing():
            if self._has_asked:  # browsers open connections ahead, and wait for no answer there
                self.transport.write(_TOO_SLOW)
            self.transport.close()


class Server(uvicorn.Server):
    """uvicorn's server, which lets go of who listens before it waits for them.

    A Ctrl-C is taken only when it can be: while the event loop is made it would leave half of one,
    and Python would complain of that.
    """

    def __init__(self, config: uvicorn.Config, state: AppState | None = None) -> None:
        super().__init__(config)
        self._app_state = state
        self._was_interrupted = False
        self._handler_before: Any = None

    @override
    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until somebody ends it."""
        if threading.current_thread() is threading.main_thread():
            self._handler_before = signal.signal(signal.SIGINT, self._note_interrupt)
        try:
            super().run(sockets)
        finally:
            self._take_interrupts()

    @override
    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve from now on, unless somebody has ended it already."""
        self._take_interrupts()
        if self._was_interrupted:
            raise KeyboardInterrupt
        await super().serve(sockets)

    @override
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Send everybody away, then stop."""
        if self._app_state is not None:
            self._app_state.close()
        await super().shutdown(sockets)

    def _note_interrupt(self, *_: object) -> None:
        self._was_interrupted = True

    def _take_interrupts(self) -> None:
        if self._handler_before is not None:
            signal.signal(signal.SIGINT, self._handler_before)
            self._handler_before = None


def open_socket(host: str, port: int | None) -> socket.socket:
    """Take a port: the one that is asked for, else the usual one or the next that is free."""
    for number in [port] if port is not None else [*range(USUAL_PORT, USUAL_PORT + _TRIED), 0]:
        try:
            return _bind_socket(host, number)
        except OSError as error:
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise Misuse(f"Cannot listen on {host}: {error.strerror or error}.") from error
            if port is not None:
                if error.errno == errno.EACCES:
                    raise BoughError(f"Port {port} may not be used by this user.") from error
                raise PortTaken(port) from error
    raise BoughError("No port is free.")


def serve(
    state: AppState,
    sock: socket.socket,
    gate: AccessPolicy,
    begun: Callable[[], None] | None = None,
) -> None:
    """Serve until somebody ends it."""
    collect_rarely(_NEW_OBJECTS, stays=True)
    # Who opens a large session computes for long; short questions get their turn sooner.
    sys.setswitchinterval(_SWITCH_INTERVAL)
    most = MOST_CONNECTIONS if gate.everything else None
    config = make_server_config(make_app(state, gate), most_connections=most)
    if begun is not None:
        begun()
    Server(config, state).run(sockets=[sock])


def serve_team(
    gate: TeamAccess, sock: socket.socket, certificate: tuple[str, str] | None = None
) -> None:
    """Serve a team until somebody ends it; with a certificate and its key, encrypted."""
    collect_rarely(_NEW_OBJECTS, stays=True)
    sys.setswitchinterval(_SWITCH_INTERVAL)
    config = make_server_config(make_team_app(gate), most_connections=MOST_CONNECTIONS)
    if certificate is not None:
        config.ssl_certfile, config.ssl_keyfile = certificate
    Server(config).run(sockets=[sock])


def make_server_config(app: ASGIApp, *, most_connections: int | None) -> uvicorn.Config:
    """Say how anything of ours is served: quietly, and to nobody who never ends a request."""
    return uvicorn.Config(
        app,
        http=_TimedProtocol,
        limit_concurrency=most_connections,
        ws="none",
        loop="asyncio",
        lifespan="on",
        log_level="error",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_LAST,
        timeout_keep_alive=75,
    )


def address_of(sock: socket.socket, host: str, gate: AccessPolicy) -> str:
    """Write the address that a person opens."""
    port = sock.getsockname()[1]
    name = f"[{host}]" if ":" in host else host
    if host in ("0.0.0.0", "::"):  # noqa: S104 - a name for what was bound, not a choice
        name = socket.gethostname()
    rest = f"?token={gate.token}" if gate.everything else ""
    return f"http://{name}:{port}/{rest}"


def access_policy_of(sock: socket.socket, host: str, token: str | None = None) -> AccessPolicy:
    """Make the gate for what listens on a socket."""
    return make_access_policy(host, sock.getsockname()[1], token)


def _bind_socket(host: str, port: int) -> socket.socket:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (socket.gaierror, UnicodeError) as error:
        raise Misuse(f"No machine is called {host}. Try 127.0.0.1.") from error
    family, kind, protocol, _, place = found[0]
    sock = socket.socket(family, kind, protocol)
    try:
        # Windows would let two servers share a port; elsewhere it lets one start again at once.
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(place)
        sock.listen(128)
    except BaseException:
        sock.close()
        raise
    return sock
