"""The guard of a real server, attacked with raw bytes."""

import pytest

from tests.web.serving import Served
from tests.web_api.asking import ask

GET = "GET /api/about HTTP/1.1"
POST = "POST /api/ready HTTP/1.1"


def test_it_answers_to_its_own_names(served: Served) -> None:
    for name in ("127.0.0.1", "localhost"):
        assert ask(served, GET, host=f"{name}:{served.port}")[0] == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", "", "a b"])
def test_it_answers_to_no_other(served: Served, host: str) -> None:
    for path in ("/", "/api/about", "/api/events", "/assets/x.js"):
        status, data = ask(served, f"GET {path} HTTP/1.1", host=host.format(port=served.port))
        assert status in (400, 403)
        assert b"bough-token" not in data


def test_a_request_with_two_names_or_none_is_refused(served: Served) -> None:
    own = f"Host: 127.0.0.1:{served.port}"

    assert ask(served, GET, own, "Host: evil.example")[0] in (400, 403)
    assert ask(served, "GET /api/about HTTP/1.0", "host: ")[0] in (400, 403)


def test_a_whole_address_in_the_request_does_not_change_the_name(served: Served) -> None:
    line = "GET http://evil.example/api/about HTTP/1.1"

    assert ask(served, line, host="evil.example")[0] in (400, 403)


@pytest.mark.parametrize("path", ["/api/about", "/api/events", "/api/sessions"])
def test_pages_of_others_read_nothing(served: Served, path: str) -> None:
    line = f"GET {path} HTTP/1.1"

    assert ask(served, line, "Origin: http://evil.example")[0] == 403
    assert ask(served, line, "Origin: null")[0] == 403
    assert ask(served, line, "Sec-Fetch-Site: cross-site")[0] == 403


def test_no_answer_may_be_read_by_others(served: Served) -> None:
    for path in ("/", "/api/about", "/api/nothing", "/assets/none.js"):
        _, data = ask(served, f"GET {path} HTTP/1.1")
        head = data.partition(b"\r\n\r\n")[0].lower()
        assert b"access-control-allow" not in head
        assert b"content-security-policy: default-src 'none'" in head
        assert b"x-content-type-options: nosniff" in head
        assert b"cross-origin-resource-policy: same-origin" in head
        assert b"cross-origin-opener-policy: same-origin" in head
        assert b"referrer-policy: no-referrer" in head
        assert b"\r\nserver:" not in head


def test_what_is_asked_is_stored_nowhere(served: Served) -> None:
    _, data = ask(served, GET)

    assert b"\r\ncache-control: no-store" in data.lower()


def test_writing_takes_the_token(served: Served) -> None:
    length = "Content-Length: 0"

    assert ask(served, POST, length)[0] == 403
    assert ask(served, POST, length, "X-Bough-Token: wrong")[0] == 403
    assert ask(served, POST, length, f"X-Bough-Token: {served.token}")[0] == 200


def test_writing_from_another_origin_fails_even_with_the_token(served: Served) -> None:
    token = f"X-Bough-Token: {served.token}"

    assert ask(served, POST, token, "Content-Length: 0", "Origin: http://evil.example")[0] == 403


def test_asking_for_leave_to_write_is_not_answered(served: Served) -> None:
    status, data = ask(
        served,
        "OPTIONS /api/ready HTTP/1.1",
        "Origin: http://evil.example",
        "Access-Control-Request-Method: POST",
    )

    assert status == 403
    assert b"access-control-allow" not in data.lower()


def test_a_large_body_is_not_taken(served: Served) -> None:
    token = f"X-Bough-Token: {served.token}"

    assert ask(served, POST, token, "Content-Length: 999999999")[0] == 413


@pytest.mark.parametrize(
    "name",
    [
        "..",
        "%2e%2e",
        "..%2f..%2f..%2fetc%2fpasswd",
        "%2fetc%2fpasswd",
        "%00",
        "a%00b",
        "%ff%fe",
        "%5c%5cserver%5cshare",
        "~root",
        "latest",
        "*",
        "<script>",
        "a" * 5_000,
    ],
)
def test_no_name_of_a_session_leads_to_a_file(served: Served, name: str) -> None:
    for rest in ("", "/conversation", "/raw", "/export"):
        status, data = ask(served, f"GET /api/sessions/{name}{rest} HTTP/1.1")
        assert status in (400, 403, 404)
        assert b"root:" not in data


@pytest.mark.parametrize(
    "name",
    ["../../../../etc/passwd", "/etc/passwd", "..%2f..%2fx", "%00", "x.txt", "custom-title.json"],
)
def test_no_name_of_an_output_leads_to_a_file(served: Served, name: str) -> None:
    status, data = ask(served, f"GET /api/sessions/3f9c/output?name={name} HTTP/1.1")

    assert status == 404
    assert b"root:" not in data


@pytest.mark.parametrize(
    "path", ["/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/assets/..%2f..%2fapp.py"]
)
def test_no_address_of_the_page_leads_out_of_it(served: Served, path: str) -> None:
    _, data = ask(served, f"GET {path} HTTP/1.1")

    assert b"root:" not in data
    assert b"make_app" not in data


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "HEAD"])
def test_other_methods_are_no_errors_of_ours(served: Served, method: str) -> None:
    token = f"X-Bough-Token: {served.token}"

    status, _ = ask(served, f"{method} /api/about HTTP/1.1", token)

    assert status in (200, 405)


def test_nonsense_is_no_error_of_ours(served: Served) -> None:
    assert ask(served, "GET /api/about?%%%&&==&a=%zz HTTP/1.1")[0] == 400
    assert ask(served, "BREW / HTTP/1.1")[0] == 403
    assert ask(served, "x")[0] == 400
