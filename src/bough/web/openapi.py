"""The OpenAPI document, written from the table of routes and the structs."""

from collections.abc import Iterator
from typing import Final

import msgspec

from bough import __version__
from bough.web.routes.route_table import ROUTES, Route
from bough.web.wire.about import ErrorAnswer
from bough.web.wire.annotation_items import AnnotationItem
from bough.web.wire.live_events import (
    ChangeEvent,
    GoneEvent,
    IndexEvent,
    LiveEvent,
    LiveMessage,
    ResetEvent,
)

Json = dict[str, object]

_REF: Final = "#/components/schemas/{name}"
_FAULTS: Final = {
    "400": "The question cannot be answered as it is.",
    "403": "The asker may not ask this.",
    "404": "What was asked for is not there.",
    "409": "What the asker knows is too old, or too early.",
    "500": "A file cannot be read, or bough failed.",
    "503": "The index cannot be used.",
}
EVENTS: Final = {
    "live": LiveEvent,
    "gone": GoneEvent,
    "change": ChangeEvent,
    "said": LiveMessage,
    "index": IndexEvent,
    "annotation": AnnotationItem,
    "reset": ResetEvent,
}


def make_openapi() -> Json:
    """Write the document."""
    answers = [route.answer for route in ROUTES if route.answer is not None]
    bodies = [route.params for route in ROUTES if route.has_body]
    conflicts = [route.conflict for route in ROUTES if route.conflict is not None]
    types = [*answers, *bodies, *conflicts, ErrorAnswer, *EVENTS.values()]
    _, components = msgspec.json.schema_components(types, ref_template=_REF)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "bough",
            "version": __version__,
            "description": "The history of a person's work with Claude Code, on this machine.",
        },
        "paths": _gather_paths(),
        "components": {
            "schemas": components,
            "securitySchemes": {
                "token": {"type": "apiKey", "in": "header", "name": "X-Bough-Token"},
            },
        },
    }


def _gather_paths() -> Json:
    found: dict[str, Json] = {}
    for path, operations in _list_paths():
        found.setdefault(path, {}).update(operations)
    return {**found}


def _list_paths() -> Iterator[tuple[str, Json]]:
    for route in ROUTES:
        yield route.path, {route.method.lower(): _describe_operation(route)}
    yield "/api/events", {"get": _describe_events()}


def _describe_operation(route: Route) -> Json:
    found: Json = {
        "operationId": _operation_id(route),
        "summary": route.about,
        "parameters": list(_describe_parameters(route)),
        "responses": {
            "200": _describe_answer(route),
            "304": {"description": "As before."},
            **_describe_faults(),
            **_describe_conflict(route),
        },
    }
    if route.has_body:
        content = _json_content(route.params.__name__)
        found["requestBody"] = {"required": True, "content": content}
    if route.method != "GET":
        found["security"] = [{"token": []}]
    return found


def _operation_id(route: Route) -> str:
    words = route.path.removeprefix("/api/").replace("{session}", "one").split("/")
    return "_".join([route.method.lower(), *words])


def _describe_parameters(route: Route) -> Iterator[Json]:
    if route.has_session:
        yield {
            "name": "session",
            "in": "path",
            "required": True,
            "description": "A session's id, or the beginning of one.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 200},
        }
    if route.has_body:
        return
    schema = msgspec.json.schema_components([route.params], ref_template=_REF)[1]
    own = schema[route.params.__name__]
    for name, one in own.get("properties", {}).items():
        yield {"name": name, "in": "query", "required": False, "schema": one}


def _describe_answer(route: Route) -> Json:
    if route.answer is None:
        return {"description": route.about, "content": {kind: {} for kind in route.media}}
    return {"description": route.about, "content": _json_content(route.answer.__name__)}


def _describe_faults() -> Json:
    return {
        status: {"description": words, "content": _json_content("ErrorAnswer")}
        for status, words in _FAULTS.items()
    }


def _describe_conflict(route: Route) -> Json:
    """Describe an answer with status 409 that may say more than other errors."""
    if route.conflict is None:
        return {}
    names = (ErrorAnswer.__name__, route.conflict.__name__)
    schema = {"anyOf": [{"$ref": _REF.format(name=name)} for name in names]}
    content = {"application/json": {"schema": schema}}
    return {"409": {"description": _FAULTS["409"], "content": content}}


def _json_content(name: str) -> Json:
    return {"application/json": {"schema": {"$ref": _REF.format(name=name)}}}


def _describe_events() -> Json:
    names = ", ".join(f"{name} ({kind.__name__})" for name, kind in EVENTS.items())
    return {
        "operationId": "get_events",
        "summary": "What happens, as it happens",
        "description": f"Server-sent events with ids; Last-Event-ID resumes. Events: {names}.",
        "parameters": [
            {"name": "Last-Event-ID", "in": "header", "schema": {"type": "string"}},
        ],
        "responses": {
            "200": {"description": "Events.", "content": {"text/event-stream": {}}},
            **_describe_faults(),
        },
    }
