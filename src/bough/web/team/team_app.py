"""The app of a team: the routes that read, behind the guard that asks who one is."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request

from bough import library
from bough.errors import Misuse
from bough.library import AnnotationChange
from bough.web.app import AppParts, build_app
from bough.web.responses import ApiError
from bough.web.routes.route_table import ROUTES, Route
from bough.web.runtime.annotation_updates import make_annotation_item
from bough.web.runtime.broadcaster import ServerEvent
from bough.web.team.member_states import MemberState
from bough.web.team.team_access import (
    MEMBER_STATE,
    PAGE_TOKEN,
    TeamAccess,
    TeamAccessMiddleware,
)
from bough.web.wire.annotation_items import AnnotationBody, AnnotationItem, AnnotationsAnswer

_NOT_OFFERED: Final = frozenset(
    {
        "/api/ready",
        "/api/settings",
        "/api/health",
        "/api/sessions/{session}/health",
        "/api/sessions/{session}/compare/files",
        "/api/travel/preview",
        "/api/travel/apply",
        "/api/travel/history",
        "/api/archive",
        "/api/archive/forecast",
        "/api/archive/work",
        "/api/archive/forget",
    }
)
"""What is about files, settings and the archive of one machine."""
OFFERED: Final = frozenset(route.path for route in ROUTES) - _NOT_OFFERED


def make_team_app(gate: TeamAccess) -> Starlette:
    """Make the app that serves a team."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        gate.states.serve_in(asyncio.get_running_loop())
        yield
        gate.states.serve_in(None)

    parts = AppParts(
        [_offer(route) for route in ROUTES],
        gate.workers,
        lambda request: request.scope[MEMBER_STATE],
        _find_page_token,
    )
    return build_app(parts, Middleware(TeamAccessMiddleware, gate=gate), lifespan)


def _find_page_token(request: Request) -> str:
    return str(request.scope.get(PAGE_TOKEN, ""))


def _offer(route: Route) -> Route:
    """Keep a route that reads; one that needs files of one's own says so."""
    if route.path == "/api/annotations":
        is_read = route.method == "GET"
        return replace(route, handle=_list_notes if is_read else _change_note)
    if route.path in OFFERED and route.method == "GET":
        return route
    return replace(route, handle=_refuse)


def _list_notes(state: MemberState, _: Struct) -> AnnotationsAnswer:
    """List what is said of messages, by oneself and by others."""
    found = state.annotations().list_all()
    messages = [make_annotation_item(one, one.id) for one in found if one.kind == "message"]
    return AnnotationsAnswer(messages, None)


def _change_note(state: MemberState, body: AnnotationBody) -> AnnotationItem:
    """Change what one says of a session or a message, and tell one's pages."""
    if body.kind == "project" or body.hidden is not None:
        raise Misuse("Projects are starred and hidden on one's own machine.")
    is_message = body.kind == "message"
    entry = state.session_ids.find(body.session if is_message else body.id)
    change = AnnotationChange(starred=body.starred, note=body.note)
    uuid = body.id if is_message else ""
    found = library.change_team_note(state.store_url, entry.path, uuid, change)
    item = make_annotation_item(found, body.id)
    state.publish([ServerEvent("annotation", item)])
    return item


def _refuse(*_: object, **__: object) -> object:
    raise ApiError(
        403,
        "not_offered",
        "This is about the files of one machine, and a team's store has none of them.",
        "Run bough web on the machine itself.",
    )
