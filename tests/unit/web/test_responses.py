"""Answers as bytes."""

import gzip
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.errors import (
    BoughError,
    IndexTrouble,
    Misuse,
    NotFound,
    SessionNotFound,
    Unreadable,
)
from bough.store.query_language import QuerySyntaxError, parse
from bough.web.responses import (
    ApiError,
    BinaryResponse,
    encode_json,
    error_response,
    fault_of,
    respond,
)
from bough.web.state import now
from bough.web.wire.about import ErrorAnswer, Fault

LONG = {"words": "long " * 1_000}


def test_an_answer_has_a_tag_and_is_not_sent_again() -> None:
    first = respond({"a": 1}, {})
    tag = first.headers["etag"]

    again = respond({"a": 1}, {"if-none-match": f'"other", W/{tag}'})
    other = respond({"a": 2}, {"if-none-match": tag})

    assert again.status_code == 304
    assert again.body == b""
    assert again.headers["etag"] == tag
    assert other.status_code == 200


def test_long_answers_are_compressed_where_that_is_understood() -> None:
    packed = respond(LONG, {"accept-encoding": "br, gzip"})
    plain = respond(LONG, {})
    short = respond({"a": 1}, {"accept-encoding": "gzip"})

    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(bytes(packed.body)) == plain.body
    assert packed.headers["etag"] == plain.headers["etag"]
    assert "content-encoding" not in short.headers


def test_halves_of_characters_are_replaced() -> None:
    data = encode_json({"path\udcff": ["a\udcffb"]})

    assert msgspec.json.decode(data) == {"path\ufffd": ["a\ufffdb"]}


@given(st.text())
def test_any_text_can_be_answered_with(text: str) -> None:
    msgspec.json.decode(encode_json([text]))


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (NotFound("x"), 404, "not_found"),
        (SessionNotFound("x"), 404, "session_not_found"),
        (Misuse("x"), 400, "misuse"),
        (Unreadable(Path("x"), "y"), 500, "unreadable"),
        (IndexTrouble("x"), 503, "index_trouble"),
        (BoughError("x"), 500, "bough_error"),
        (ApiError(409, "reload", "x"), 409, "reload"),
        (ValueError("secret detail"), 500, "failed"),
    ],
)
def test_every_error_has_a_status_and_a_code(error: Exception, status: int, code: str) -> None:
    found, fault = fault_of(error)

    assert (found, fault.code) == (status, code)
    assert "secret detail" not in fault.message


def test_a_wrong_query_names_its_place() -> None:
    with pytest.raises(QuerySyntaxError) as caught:
        parse("good tool:", now(), now().tzinfo)  # type: ignore[arg-type]

    status, fault = fault_of(caught.value)

    assert (status, fault.code) == (400, "bad_query")
    assert fault.at is not None


def test_errors_have_one_form() -> None:
    answer = error_response(*fault_of(NotFound("Gone.")))

    found = msgspec.json.decode(answer.body, type=ErrorAnswer)
    assert found.error.message == "Gone."
    assert answer.headers["content-type"] == "application/json"


@pytest.mark.parametrize("name", ['a"b.md', "a\r\nSet-Cookie: x.md", "../../etc/passwd", "日本.md"])
def test_a_name_cannot_break_out_of_its_header(name: str) -> None:
    answer = respond(BinaryResponse(b"x", "text/markdown", name), {})

    written = answer.headers["content-disposition"]
    assert written.startswith("attachment; filename=")
    assert "\r" not in written
    assert "\n" not in written
    assert "/" not in written
    assert written.count('"') == 2


def test_documents_may_run_nothing_even_when_opened() -> None:
    answer = respond(BinaryResponse(b"<script>", "text/html", "x.html"), {})

    assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"


def test_a_page_may_have_what_a_person_caused_as_an_answer() -> None:
    asked = {"x-bough-status": "answer"}
    fault = Fault("bad_query", "That is no query.")

    answer = error_response(400, fault, asked)

    assert (answer.status_code, answer.headers["X-Bough-Status"]) == (200, "400")
    assert error_response(400, fault, {}).status_code == 400
    assert error_response(500, fault, asked).status_code == 500
