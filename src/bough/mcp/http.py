"""The server over streamable HTTP, behind the guard of the web app.

The guard is the web app's: a name that is ours, no page of another site, and here the token for
everything, because every request reads transcripts. It comes in the header `X-Bough-Token`.
"""

import socket
from typing import Final

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from msgspec.structs import replace
from starlette.middleware import Middleware

from bough.backports import override
from bough.errors import Misuse
from bough.mcp.answers import Answerer
from bough.mcp.protocol_server import ProtocolServer
from bough.web.access import HEADER, AccessMiddleware, AccessPolicy
from bough.web.server import access_policy_of, make_server_config, open_socket

PATH: Final = "/mcp"
_MOST_CONNECTIONS: Final = 64


def parse_address(text: str) -> tuple[str, int]:
    """Read an address such as 127.0.0.1:8421 or [::1]:8421; 0 lets the system choose."""
    host, colon, port = text.rpartition(":")
    if not colon or not host or not port.isascii() or not port.isdigit() or int(port) > 65_535:
        raise Misuse(f"--http takes an address such as 127.0.0.1:8421, not {text}.")
    return host.removeprefix("[").removesuffix("]"), int(port)


def open_guarded_socket(address: str, token: str | None) -> tuple[socket.socket, AccessPolicy]:
    """Take a port, and make the gate in front of it: nobody asks anything without the token."""
    host, port = parse_address(address)
    sock = open_socket(host, port)
    return sock, replace(access_policy_of(sock, host, token or None), everything=True)


def describe_address(sock: socket.socket, gate: AccessPolicy) -> str:
    """Say where the server listens, and what a client has to send."""
    host, port = sock.getsockname()[:2]
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}{PATH} with the header {HEADER.title()}: {gate.token}"


def serve_http(answerer: Answerer, sock: socket.socket, gate: AccessPolicy) -> None:
    """Serve until somebody ends it."""
    protocol = ProtocolServer(answerer)
    app = protocol.server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        # The guard in front checks names and origins, for all addresses alike.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    app.user_middleware.insert(0, Middleware(AccessMiddleware, gate=gate))
    config = make_server_config(app, most_connections=_MOST_CONNECTIONS)
    _GuardedServer(config, protocol).run(sockets=[sock])


class _GuardedServer(uvicorn.Server):
    """uvicorn's server, which lets go of the index at its end."""

    def __init__(self, config: uvicorn.Config, protocol: ProtocolServer) -> None:
        super().__init__(config)
        self._protocol = protocol

    @override
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop, and let go of the index."""
        await super().shutdown(sockets)
        await self._protocol.close()
