"""The OpenAPI document says what the server does."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from bough.web.openapi import EVENTS, make_openapi
from bough.web.routes.route_table import ROUTES, Route


@pytest.fixture(scope="module")
def written() -> Any:
    return msgspec.json.decode(msgspec.json.encode(make_openapi()))


def refs(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "$ref":
                yield inner
            yield from refs(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from refs(inner)


def test_every_reference_leads_somewhere(written: Any) -> None:
    names = {ref.removeprefix("#/components/schemas/") for ref in refs(written)}

    assert names <= set(written["components"]["schemas"])
    assert len(names) > 10


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.path)
def test_every_route_is_described(written: Any, route: Route) -> None:
    found = written["paths"][route.path][route.method.lower()]

    assert found["summary"]
    assert {"200", "400", "403", "404"} <= set(found["responses"])
    named = {one["name"] for one in found["parameters"] if one["in"] == "query"}
    fields = msgspec.structs.fields(route.params)
    if route.has_body:
        schema = found["requestBody"]["content"]["application/json"]["schema"]
        assert schema["$ref"].endswith(f"/{route.params.__name__}")
        assert named == set()
        return
    assert named == {field.encode_name for field in fields}
    assert all(not field.required for field in fields)


def test_operations_have_names_of_their_own(written: Any) -> None:
    names = [op["operationId"] for path in written["paths"].values() for op in path.values()]

    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z_]+", name) for name in names)


def test_every_event_has_a_schema(written: Any) -> None:
    schemas = written["components"]["schemas"]

    assert {kind.__name__ for kind in EVENTS.values()} <= set(schemas)


def test_only_the_routes_that_write_take_a_token(written: Any) -> None:
    secured = [
        path
        for path, ways in written["paths"].items()
        for operation in ways.values()
        if "security" in operation
    ]

    assert secured == [
        "/api/ready",
        "/api/annotations",
        "/api/settings",
        "/api/travel/preview",
        "/api/travel/apply",
        "/api/health",
        "/api/archive/work",
        "/api/archive/forget",
    ]
