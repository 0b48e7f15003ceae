"""Who may ask the web app of a team: checked before anything else, for every request.

Nothing but the page to come in at, and what it is drawn with, is given to who has not come in. The
answer to everybody else is the same, whatever they ask for.
"""

from typing import Final
from urllib.parse import parse_qsl, quote

from msgspec import Struct
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request, cookie_parser
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bough import library
from bough.errors import BoughError
from bough.web.access import (
    HEADER,
    LARGEST_BODY,
    SECURITY_HEADERS,
    forbid,
    is_same_origin,
    is_same_token,
)
from bough.web.responses import error_response, fault_of
from bough.web.runtime.thread_pool import WorkerThreads
from bough.web.team.login_page import clean_target, load_style, render_login
from bough.web.team.logins import COOKIE, STAYS, Failures, Login, Logins, ProxyTrust
from bough.web.team.member_states import MemberState, MemberStates
from bough.web.wire.about import Fault

_API: Final = "/api/"
_READS: Final = ("GET", "HEAD")
_STYLE: Final = "/login.css"
_ICON: Final = "/icon.svg"
_LOGIN: Final = "/login"
_LOGOUT: Final = "/logout"
MEMBER_STATE: Final = "bough.state"
PAGE_TOKEN: Final = "bough.page_token"  # noqa: S105 - a name in a scope


class TeamAccess(Struct, frozen=True):
    """How people come in: from where, and whether what is sent to them is encrypted."""

    logins: Logins
    failures: Failures
    states: MemberStates
    workers: WorkerThreads
    trust: ProxyTrust = ProxyTrust()
    is_secure: bool = False
    """Whether browsers may send the cookie over encrypted connections alone."""
    proxy_only: bool = False
    """Whether requests come through the proxy alone: what others send is not encrypted."""


class TeamAccessMiddleware:
    """Stands before the app of a team."""

    def __init__(self, app: ASGIApp, gate: TeamAccess) -> None:
        self._app = app
        self._gate = gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer it here."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith(_API):
                    headers["Cache-Control"] = "no-store"
                if self._gate.is_secure:
                    headers.setdefault("Strict-Transport-Security", "max-age=31536000")
            await send(message)

        answer = await self._answer(scope, receive)
        if answer is None:
            await self._app(scope, receive, guarded)
        else:
            await answer(scope, receive, guarded)

    async def _answer(self, scope: Scope, receive: Receive) -> Response | None:
        """Give the answer to a request that does not reach the app; None where it does."""
        headers, path = Headers(scope=scope), str(scope["path"])
        is_write = scope["method"] not in _READS
        peer = scope["client"][0] if scope.get("client") else ""
        refusal = self._refuse(headers, path, peer, is_write=is_write)
        if refusal is not None:
            return refusal
        if path == _STYLE:
            return Response(load_style(), media_type="text/css")
        if path == _LOGIN:
            return await self._log_in(Request(scope, receive), self._address(headers, peer))
        return None if path == _ICON else await self._find_out(scope, headers, peer)

    def _refuse(self, headers: Headers, path: str, peer: str, *, is_write: bool) -> Response | None:
        """Refuse what nobody may ask, whoever they are."""
        if self._gate.proxy_only and not self._gate.trust.covers(peer):
            return forbid("no_proxy", "This bough is reached through its proxy alone.")
        host = headers.get("host", "")
        if (is_write or path.startswith(_API)) and not is_same_origin(
            headers, f"http://{host}", f"https://{host}"
        ):
            return forbid("other_origin", "Only bough's own page may ask this.")
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > LARGEST_BODY:
            return error_response(413, Fault("too_large", "Nothing here takes that much."))
        return None

    async def _find_out(self, scope: Scope, headers: Headers, peer: str) -> Response | None:
        """Find out who asks, and let the app know."""
        is_write = scope["method"] not in _READS
        try:
            stay = await self._find_stay(headers, peer)
            state = None if stay is None else await self._find_state(stay.member)
        except BoughError as error:
            return error_response(*fault_of(error))
        if stay is None or state is None:
            return _ask_to_log_in(scope, str(scope["path"]), is_write=is_write)
        if is_write and not is_same_token(headers.get(HEADER), stay.page_token):
            return forbid("no_token", "This needs the token that bough gave its page.")
        if scope["path"] == _LOGOUT and is_write:
            self._gate.logins.leave(_read_cookie(headers))
            answer = RedirectResponse(_LOGIN, 303)
            answer.delete_cookie(COOKIE)
            return answer
        scope[MEMBER_STATE], scope[PAGE_TOKEN] = state, stay.page_token
        return None

    async def _find_state(self, member: str) -> MemberState | None:
        return await self._gate.workers.run_and_wait(lambda: self._gate.states.find(member))

    async def _find_stay(self, headers: Headers, peer: str) -> Login | None:
        trust = self._gate.trust
        if trust.header is not None and trust.covers(peer):
            named = headers.getlist(trust.header)
            # Two headers are one of the proxy's and one of somebody else's.
            return self._gate.logins.vouch(named[0]) if len(named) == 1 and named[0] else None
        name = _read_cookie(headers)
        if name is None:
            return None
        return await self._gate.workers.run_and_wait(lambda: self._gate.logins.find(name))

    async def _log_in(self, request: Request, address: str) -> Response:
        if request.method in _READS:
            return render_login(request.query_params.get("next", "/"))
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > LARGEST_BODY:
                return error_response(413, Fault("too_large", "Nothing here takes that much."))
        form = dict(parse_qsl(body.decode("utf-8", "replace")))
        following = clean_target(form.get("next", "/"))
        wait = self._gate.failures.seconds_left(address)
        if wait:
            words = f"Too many tokens that nobody has. Try again in {wait} seconds."
            return render_login(following, words, 429, wait)
        # Counted before it is known to be one: else many at once would all be let try.
        self._gate.failures.add(address)
        hashed = library.hash_token(form.get("token", "").strip())
        try:
            name = await self._gate.workers.run_and_wait(lambda: self._gate.logins.enter(hashed))
        except BoughError:
            self._gate.failures.take_back(address)
            return render_login(following, "The database cannot be reached just now.", 503)
        if name is None:
            return render_login(following, "Nobody has that token.", 403)
        self._gate.failures.take_back(address)
        answer = RedirectResponse(following, 303)
        answer.set_cookie(
            COOKIE,
            name,
            max_age=int(STAYS),
            httponly=True,
            samesite="strict",
            secure=self._gate.is_secure,
        )
        return answer

    def _address(self, headers: Headers, peer: str) -> str:
        """Say from where somebody comes: behind a proxy, from where it says."""
        if self._gate.trust.covers(peer):
            said = headers.get("x-forwarded-for", "").rpartition(",")[2].strip()
            return said or peer
        return peer


def _ask_to_log_in(scope: Scope, path: str, *, is_write: bool) -> Response:
    if is_write or path.startswith(_API):
        return error_response(401, Fault("not_logged_in", "Come in first: /login."))
    query = scope["query_string"].decode("latin-1")
    target = clean_target(f"{path}?{query}" if query else path)
    rest = "" if target == "/" else f"?next={quote(target, safe='')}"
    return RedirectResponse(f"{_LOGIN}{rest}", 303)


def _read_cookie(headers: Headers) -> str | None:
    return cookie_parser(headers.get("cookie", "")).get(COOKIE)
