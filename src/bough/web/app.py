"""The app: the table of routes behind the guard."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Final

import msgspec
from msgspec import Struct
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route as StarletteRoute

from bough.errors import BoughError
from bough.web import openapi
from bough.web.access import LARGEST_BODY, AccessMiddleware, AccessPolicy
from bough.web.responses import ApiError, error_response, fault_of, respond
from bough.web.routes.route_table import ROUTES, Route
from bough.web.routes.search import PATTERN_HEADER, may_have_pattern
from bough.web.runtime.thread_pool import WorkerThreads
from bough.web.state import AppState
from bough.web.static import PageFiles
from bough.web.wire.about import Fault

Endpoint = Callable[[Request], Awaitable[Response]]

_log: Final = logging.getLogger(__name__)
_STREAM: Final = {"X-Accel-Buffering": "no", "Cache-Control": "no-store"}


def make_app(state: AppState, gate: AccessPolicy) -> Starlette:
    """Make the app that serves a house."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        state.open()
        yield
        state.close()

    parts = AppParts(ROUTES, state.workers, lambda _: state, lambda _: gate.token)
    return build_app(parts, Middleware(AccessMiddleware, gate=gate), lifespan)


class AppParts(Struct, frozen=True):
    """What can be asked, and of whose state: that of the one who reads here, or of a member."""

    routes: Sequence[Route]
    workers: WorkerThreads
    find_state: Callable[[Request], AppState]
    find_token: Callable[[Request], str]


def build_app(
    parts: AppParts,
    guard: Middleware,
    lifespan: Callable[[Starlette], AbstractAsyncContextManager[None]],
) -> Starlette:
    """Put routes, the page and the guard together."""
    static = PageFiles()

    async def page(request: Request) -> Response:
        path, token = request.url.path, parts.find_token(request)
        return await parts.workers.run_and_wait(lambda: static.answer(path, token))

    async def events(request: Request) -> Response:
        last = request.headers.get("last-event-id")
        stream = parts.find_state(request).broadcaster.listen(last)
        return StreamingResponse(stream, media_type="text/event-stream", headers=_STREAM)

    described = openapi.make_openapi()

    async def describe(request: Request) -> Response:
        headers = request.headers
        return await parts.workers.run_and_wait(lambda: respond(described, headers))

    return Starlette(
        routes=[
            *(
                StarletteRoute(
                    one.path, _make_endpoint(parts.find_state, one), methods=[one.method]
                )
                for one in parts.routes
            ),
            StarletteRoute("/api/events", events),
            StarletteRoute("/api/openapi.json", describe),
            StarletteRoute("/{path:path}", page),
        ],
        middleware=[guard],
        exception_handlers={HTTPException: _answer_http_error, Exception: _answer_failure},
        lifespan=lifespan,
    )


def _make_endpoint(find_state: Callable[[Request], AppState], route: Route) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        state = find_state(request)
        given = request.query_params.multi_items()
        headers = request.headers
        session = request.path_params.get("session")
        body = await _read_body(request) if route.has_body else b""

        def answer() -> Response:
            try:
                state.choose_sources()
                params = (
                    read_body(body, route.params)
                    if route.has_body
                    else read_params(given, route.params)
                )
                found = (
                    route.handle(state, session, params)
                    if route.has_session
                    else route.handle(state, params, is_typed=PATTERN_HEADER in headers)
                    if route.searches
                    else route.handle(state, params)
                )
                return respond(found, headers)
            except BoughError as error:
                document = error.document if isinstance(error, ApiError) else None
                return error_response(*fault_of(error), headers, document)
            except Exception as error:  # noqa: BLE001 - the top of a face
                _log.exception("%s %s", route.method, route.path)
                return error_response(*fault_of(error))

        return await _choose_workers(state, route, request).run_and_wait(answer)

    return endpoint


def _choose_workers(state: AppState, route: Route, request: Request) -> WorkerThreads:
    """Choose who answers: whoever waits for a pattern keeps nobody else from being answered."""
    if not route.searches:
        return state.workers
    if may_have_pattern(request.query_params.get("q", "")):
        return state.pattern_workers
    return state.search_workers


def read_params(given: list[tuple[str, str]], kind: type[msgspec.Struct]) -> msgspec.Struct:
    """Read the params of a request; each once, none that is not known."""
    values = dict(given)
    if len(values) < len(given):
        raise ApiError(400, "bad_params", "A param is given twice.")
    try:
        return msgspec.convert(values, kind, strict=False)
    except (msgspec.ValidationError, ValueError, OverflowError) as error:
        words = str(error).replace("Object contains unknown field", "There is no param called")
        raise ApiError(400, "bad_params", f"{words}.") from None


def read_body(body: bytes | None, kind: type[msgspec.Struct]) -> msgspec.Struct:
    """Read the params of a request from its body; None is one that was too large."""
    if body is None:
        raise ApiError(413, "too_large", "Nothing here takes that much.")
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        words = str(error).replace("Object contains unknown field", "There is no param called")
        raise ApiError(400, "bad_params", f"{words}.") from None


async def _read_body(request: Request) -> bytes | None:
    """Take what was sent; None where that is more than anything here takes."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LARGEST_BODY:
            return None
    return body


async def _answer_http_error(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    words = {404: "There is nothing at this address.", 405: "This cannot be done here."}
    code = {404: "not_found", 405: "no_such_method"}.get(status, "failed")
    headers = error.headers if isinstance(error, HTTPException) else None
    answer = error_response(status, Fault(code, words.get(status, "That did not work.")))
    answer.headers.update(headers or {})
    return answer


async def _answer_failure(_: Request, error: Exception) -> Response:
    return error_response(*fault_of(error))
