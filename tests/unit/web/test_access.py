"""The guard: who is let in."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.web.access import (
    COOKIE,
    CSP,
    AccessMiddleware,
    AccessPolicy,
    is_loopback,
    make_access_policy,
)

PORT = 8420
TOKEN = "a-token-of-this-start"
HOST = f"127.0.0.1:{PORT}"


def refused(
    gate: AccessPolicy,
    *headers: tuple[str, str],
    method: str = "GET",
    path: str = "/api/about",
    host: str | None = HOST,
    query: str = "",
) -> int | None:
    """Give the status a request is refused with; None where it is let in."""
    named = [("host", host)] if host is not None else []
    scope: dict[str, Any] = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": query.encode(),
        "headers": [(k.encode(), v.encode("latin-1")) for k, v in (*named, *headers)],
    }
    answer = AccessMiddleware(_nobody, gate).refusal(scope)
    return None if answer is None else answer.status_code


async def _nobody(*_: object) -> None:
    raise AssertionError


@pytest.fixture
def here() -> AccessPolicy:
    return make_access_policy("127.0.0.1", PORT, TOKEN)


@pytest.fixture
def anywhere() -> AccessPolicy:
    return make_access_policy("0.0.0.0", PORT, TOKEN)


@pytest.mark.parametrize("host", [HOST, f"localhost:{PORT}", f"[::1]:{PORT}", f"LOCALHOST:{PORT}"])
def test_our_own_names_are_known(here: AccessPolicy, host: str) -> None:
    assert refused(here, host=host) is None


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        f"evil.example:{PORT}",
        "127.0.0.1",
        "127.0.0.1:80",
        f"127.0.0.1.evil.example:{PORT}",
        f"localhost.evil.example:{PORT}",
        f"127.0.0.1:{PORT}@evil.example",
        f"192.168.1.5:{PORT}",
        "",
        " ",
        "[::1]",
    ],
)
def test_other_names_are_refused(here: AccessPolicy, host: str) -> None:
    assert refused(here, host=host, path="/") == 403


@given(st.text(alphabet=st.characters(max_codepoint=255), max_size=40))
def test_no_name_but_ours_is_known(host: str) -> None:
    gate = make_access_policy("127.0.0.1", PORT, TOKEN)

    assert gate.is_own_host(host) == (host.lower() in gate.hosts)


def test_a_request_without_a_name_or_with_two_is_refused(here: AccessPolicy) -> None:
    assert refused(here, host=None) == 403
    assert refused(here, ("host", HOST)) == 403


@pytest.mark.parametrize(
    "headers",
    [
        [("origin", "http://evil.example")],
        [("origin", "null")],
        [("origin", f"https://{HOST}")],
        [("origin", "http://127.0.0.1:9999")],
        [("sec-fetch-site", "cross-site")],
        [("sec-fetch-site", "same-site")],
        [("origin", f"http://{HOST}"), ("sec-fetch-site", "cross-site")],
    ],
)
@pytest.mark.parametrize("path", ["/api/about", "/api/events"])
def test_pages_of_others_may_not_ask(
    here: AccessPolicy, headers: list[tuple[str, str]], path: str
) -> None:
    assert refused(here, *headers, path=path) == 403


def test_a_link_from_elsewhere_may_open_the_page(here: AccessPolicy) -> None:
    assert refused(here, ("sec-fetch-site", "cross-site"), path="/s/3f9c") is None


def test_our_own_page_may_ask(here: AccessPolicy) -> None:
    own = [("origin", f"http://{HOST}"), ("sec-fetch-site", "same-origin")]

    assert refused(here, *own) is None


@pytest.mark.parametrize("token", [None, "", "wrong", TOKEN[:-1], TOKEN + "x", "\xe9"])
def test_writing_takes_the_token(here: AccessPolicy, token: str | None) -> None:
    given = [("x-bough-token", token)] if token is not None else []

    assert refused(here, *given, method="POST", path="/api/ready") == 403


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
def test_every_way_of_writing_takes_it(here: AccessPolicy, method: str) -> None:
    assert refused(here, method=method) == 403
    assert refused(here, ("x-bough-token", TOKEN), method=method) is None


def test_a_cookie_is_not_enough_to_write(here: AccessPolicy) -> None:
    assert refused(here, ("cookie", f"{COOKIE}={TOKEN}"), method="POST") == 403


@pytest.mark.parametrize("length", ["65537", "99999999999999999999", "-1", "x"])
def test_a_large_body_is_not_read(here: AccessPolicy, length: str) -> None:
    assert refused(here, ("content-length", length), method="POST") == 413


def test_reading_here_takes_no_token(here: AccessPolicy) -> None:
    assert not here.everything
    assert refused(here) is None


@pytest.mark.parametrize("path", ["/", "/api/about", "/api/events", "/assets/app.js"])
def test_elsewhere_everything_takes_the_token(anywhere: AccessPolicy, path: str) -> None:
    host = f"192.168.1.5:{PORT}"

    assert anywhere.everything
    assert refused(anywhere, path=path, host=host) == 403
    assert refused(anywhere, ("cookie", f"{COOKIE}=x"), path=path, host=host) == 403
    assert refused(anywhere, ("cookie", f"{COOKIE}={TOKEN}"), path=path, host=host) is None


def test_elsewhere_a_name_that_points_here_is_still_refused(anywhere: AccessPolicy) -> None:
    assert refused(anywhere, ("x-bough-token", TOKEN), host=f"evil.example:{PORT}") == 403


def test_the_printed_address_is_changed_for_a_cookie(anywhere: AccessPolicy) -> None:
    scope: dict[str, Any] = {
        "type": "http",
        "method": "GET",
        "path": "//evil.example/s/3f9c",
        "query_string": f"tip=x&token={TOKEN}".encode(),
        "headers": [(b"host", f"192.168.1.5:{PORT}".encode())],
    }

    answer = AccessMiddleware(_nobody, anywhere).refusal(scope)

    assert answer is not None
    assert answer.status_code == 303
    assert answer.headers["location"] == "/evil.example/s/3f9c?tip=x"
    cookie = answer.headers["set-cookie"]
    assert f"{COOKIE}={TOKEN}" in cookie
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie


def test_a_wrong_token_in_the_address_is_refused(anywhere: AccessPolicy) -> None:
    assert refused(anywhere, query="token=wrong", host=f"10.0.0.1:{PORT}") == 403


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.1.5", False),
        ("example", False),
    ],
)
def test_only_loopback_is_this_machine_alone(host: str, own: bool) -> None:
    assert is_loopback(host) is own


def test_every_start_has_another_token() -> None:
    tokens = {make_access_policy("127.0.0.1", PORT).token for _ in range(5)}

    assert len(tokens) == 5
    assert all(len(token) >= 32 for token in tokens)


def test_nothing_from_elsewhere_may_run_in_the_page() -> None:
    assert "default-src 'none'" in CSP
    assert "script-src 'self';" in CSP
    assert "unsafe" not in CSP
    assert "http:" not in CSP
    assert "*" not in CSP
