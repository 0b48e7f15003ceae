"""Who may ask: checked before anything else, for every request.

bough listens on this machine, where every page of every site can send requests. So the
name it was asked by must be ours (a site that points its own name here is refused), pages of
others may neither read nor write, writing takes a token that only our page has, and the
answers say that nothing from elsewhere may run in them. Where it listens for other machines
the token is needed for everything.
"""

import ipaddress
import secrets
import socket
from typing import Final
from urllib.parse import parse_qsl, urlencode

from msgspec import Struct
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bough.web.responses import error_response
from bough.web.wire.about import Fault

CSP: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
SECURITY_HEADERS: Final = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
COOKIE: Final = "bough_token"
HEADER: Final = "x-bough-token"
_LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
_READS: Final = ("GET", "HEAD")
LARGEST_BODY: Final = 64 * 1024
_API: Final = "/api/"


class AccessPolicy(Struct, frozen=True):
    """What a guard lets in: names of this server, and the token of this start."""

    hosts: frozenset[str]
    token: str
    port: int
    everything: bool = False
    """Whether the token is needed for reading too."""

    def is_own_host(self, host: str) -> bool:
        """Tell whether a server by this name is us; other machines may use any address."""
        if host.lower() in self.hosts:
            return True
        return self.everything and _is_address(host, self.port)


def make_access_policy(host: str, port: int, token: str | None = None) -> AccessPolicy:
    """Make the gate of a server that listens on a host and a port."""
    names = [*_LOOPBACK, f"[{host}]" if ":" in host else host.lower()]
    everything = not is_loopback(host)
    if everything:
        own = socket.gethostname().lower()
        names += [own, f"{own}.local"]
    hosts = {f"{name}:{port}" for name in names} | (set(names) if port == 80 else set())
    return AccessPolicy(frozenset(hosts), token or secrets.token_urlsafe(32), port, everything)


def is_loopback(host: str) -> bool:
    """Tell whether only this machine can reach a host."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class AccessMiddleware:
    """Stands before the app."""

    def __init__(self, app: ASGIApp, gate: AccessPolicy) -> None:
        self._app = app
        self._policy = gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer it here."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path: str = scope["path"]

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
                if path.startswith(_API):
                    headers["Cache-Control"] = "no-store"
            await send(message)

        refusal = self.refusal(scope)
        if refusal is None:
            await self._app(scope, receive, guarded)
        else:
            await refusal(scope, receive, guarded)

    def refusal(self, scope: Scope) -> Response | None:
        """Give the answer to a request that may not come in; None where it may."""
        headers = Headers(scope=scope)
        method: str = scope["method"]
        is_api = scope["path"].startswith(_API)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._policy.is_own_host(hosts[0]):
            return forbid("bad_host", "This server does not go by that name.")
        if (is_api or method not in _READS) and not is_same_origin(headers, f"http://{hosts[0]}"):
            return forbid("other_origin", "Only bough's own page may ask this.")
        if not headers.get("content-length", "0").isdigit() or (
            int(headers.get("content-length", "0")) > LARGEST_BODY
        ):
            fault = Fault("too_large", "Nothing here takes that much.")
            return error_response(413, fault)
        if self._policy.everything and not self._has_token(headers):
            return self._accept_invitation(scope) or forbid("no_token", _INVITATION)
        if method not in _READS and not self._is_token(headers.get(HEADER)):
            return forbid("no_token", "This needs the token that bough gave its page.")
        return None

    def _has_token(self, headers: Headers) -> bool:
        cookie = cookie_parser(headers.get("cookie", "")).get(COOKIE)
        return self._is_token(headers.get(HEADER)) or self._is_token(cookie)

    def _is_token(self, given: str | None) -> bool:
        return is_same_token(given, self._policy.token)

    def _accept_invitation(self, scope: Scope) -> Response | None:
        """Take the token out of the printed address, and keep it in a cookie."""
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if scope["method"] != "GET" or not self._is_token(dict(query).get("token")):
            return None
        rest = urlencode([pair for pair in query if pair[0] != "token"])
        path = "/" + str(scope["path"]).lstrip("/\\")
        answer = RedirectResponse(f"{path}?{rest}" if rest else path, 303)
        answer.set_cookie(COOKIE, self._policy.token, httponly=True, samesite="strict")
        return answer


_INVITATION: Final = (
    "This bough can be reached from other machines, so it asks for its token. "
    "Open the address that it printed when it started."
)


def forbid(code: str, message: str) -> Response:
    """Answer that this may not be asked."""
    return error_response(403, Fault(code, message))


def is_same_token(given: str | None, token: str) -> bool:
    """Compare what was given with a token, in a time that tells nothing of it."""
    return given is not None and secrets.compare_digest(
        given.encode("utf-8", "replace"), token.encode()
    )


def is_same_origin(headers: Headers, *own: str) -> bool:
    """Tell whether a browser sends this for a page of our own, or no browser sends it at all."""
    allowed = {origin.lower() for origin in own}
    if any(origin.lower() not in allowed for origin in headers.getlist("origin")):
        return False
    return all(site in ("same-origin", "none") for site in headers.getlist("sec-fetch-site"))


def _is_address(host: str, port: int) -> bool:
    """Tell whether a host is a plain address: no other site can point its name at that."""
    name, colon, number = host.rpartition(":")
    if not colon or number != str(port):
        return False
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True
