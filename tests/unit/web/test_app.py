"""The app as a whole, called without a server: one form of error, and the guard in front."""

import asyncio
from typing import Any

import msgspec
import pytest
from starlette.applications import Starlette

from bough.sample import session
from bough.web.access import COOKIE, make_access_policy
from bough.web.app import make_app
from bough.web.routes.route_table import ROUTES, Route
from bough.web.state import AppState
from bough.web.wire.about import ErrorAnswer
from tests.conftest import Home

PORT = 8420
TOKEN = "the-token"
OWN = ("host", f"127.0.0.1:{PORT}")


class Answer(msgspec.Struct):
    status: int
    headers: dict[str, str]
    body: bytes


def ask(
    app: Starlette, path: str, *headers: tuple[str, str], method: str = "GET", query: str = ""
) -> Answer:
    """Send one request to the app itself."""
    found: dict[str, Any] = {"body": b""}
    named = headers if any(name == "host" for name, _ in headers) else (OWN, *headers)
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in named],
        "server": ("127.0.0.1", PORT),
        "client": ("127.0.0.1", 1),
    }

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            found.update(message)
        else:
            found["body"] += message.get("body", b"")

    asyncio.run(app(scope, receive, send))
    told = {name.decode(): value.decode() for name, value in found["headers"]}
    return Answer(found["status"], told, found["body"])


@pytest.fixture
def state(home: Home) -> AppState:
    with home.writing():
        session("app", session_id="aaaa-bbbb").user("hi").assistant("ho").write(home.path)
    return AppState([str(home.path)])


@pytest.fixture
def app(state: AppState) -> Starlette:
    return make_app(state, make_access_policy("127.0.0.1", PORT, TOKEN))


def fault(answer: Answer) -> str:
    assert answer.headers["content-type"] == "application/json"
    return msgspec.json.decode(answer.body, type=ErrorAnswer, strict=True).error.code


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.path)
def test_every_route_refuses_a_param_it_does_not_know(app: Starlette, route: Route) -> None:
    path = route.path.replace("{session}", "aaaa")
    token = ("x-bough-token", TOKEN)

    answer = ask(app, path, token, method=route.method, query="no_such_param=1")

    assert (answer.status, fault(answer)) == (400, "bad_params")


@pytest.mark.parametrize("route", [one for one in ROUTES if one.has_session], ids=lambda r: r.path)
def test_every_route_about_a_session_says_that_there_is_none(
    app: Starlette, state: AppState, route: Route
) -> None:
    state.ready = True

    answer = ask(app, route.path.replace("{session}", "zzzz"))

    assert (answer.status, fault(answer)) == (404, "session_not_found")


@pytest.mark.parametrize("route", [one for one in ROUTES if one.has_session], ids=lambda r: r.path)
def test_no_route_reads_before_a_person_agreed(app: Starlette, route: Route) -> None:
    answer = ask(app, route.path.replace("{session}", "aaaa"))

    assert (answer.status, fault(answer)) == (409, "not_ready")


def test_an_address_that_is_none_and_a_method_that_is_none(app: Starlette) -> None:
    token = ("x-bough-token", TOKEN)

    assert fault(ask(app, "/api/nothing")) == "not_found"
    assert fault(ask(app, "/api/about", token, method="DELETE")) == "no_such_method"
    assert ask(app, "/api/about", token, method="DELETE").status == 405


def test_what_fails_is_told_in_the_same_form_without_details(
    app: Starlette,
    state: AppState,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail() -> object:
        raise RuntimeError("a detail")

    monkeypatch.setattr(state, "lists", fail)

    answer = ask(app, "/api/projects")

    assert (answer.status, fault(answer)) == (500, "failed")
    assert b"a detail" not in answer.body
    assert "a detail" in caplog.text
    assert "content-security-policy" in answer.headers


def test_refusals_have_the_form_and_the_headers_too(app: Starlette) -> None:
    answer = ask(app, "/api/about", ("host", "evil.example"))

    assert (answer.status, fault(answer)) == (403, "bad_host")
    assert answer.headers["cache-control"] == "no-store"
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_elsewhere_the_address_opens_the_door_and_the_cookie_keeps_it_open(state: AppState) -> None:
    app = make_app(state, make_access_policy("0.0.0.0", PORT, TOKEN))
    host = ("host", f"10.1.2.3:{PORT}")

    closed = ask(app, "/api/about", host)
    page = ask(app, "/", host)
    opened = ask(app, "/", host, query=f"token={TOKEN}")
    cookie = ("cookie", opened.headers["set-cookie"].partition(";")[0])
    inside = ask(app, "/api/about", host, cookie)
    writing = ask(app, "/api/ready", host, cookie, method="POST")

    assert (closed.status, fault(closed)) == (403, "no_token")
    assert page.status == 403
    assert TOKEN.encode() not in page.body
    assert (opened.status, opened.headers["location"]) == (303, "/")
    assert cookie[1] == f"{COOKIE}={TOKEN}"
    assert inside.status == 200
    assert writing.status == 403
