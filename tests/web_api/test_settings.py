"""Settings over HTTP: listed, changed with the token, refused where config.toml sets them."""

from typing import Any
from urllib.error import HTTPError

import msgspec
import pytest

from tests.web.serving import Served
from tests.web_api.asking import ask


@pytest.fixture(autouse=True)
def no_choices_left(served: Served) -> Any:
    yield
    served.choices.unlink(missing_ok=True)
    served.config.unlink(missing_ok=True)


def one(answer: Any, name: str) -> Any:
    return next(row for row in answer["settings"] if row["name"] == name)


def refused(server: Served, name: str, value: object) -> tuple[int, str]:
    with pytest.raises(HTTPError) as caught:
        server.post("/api/settings", {"name": name, "value": value})
    return caught.value.code, msgspec.json.decode(caught.value.read())["error"]["message"]


def test_a_change_holds_at_once_and_is_taken_back(served: Served) -> None:
    changed = served.post("/api/settings", {"name": "clock", "value": "12h"})

    assert (one(changed, "clock")["text"], one(changed, "clock")["source"]) == ("12h", "apps")
    assert served.get("/api/about")["settings"]["clock"] == "12h"
    changed = served.post("/api/settings", {"name": "clock", "value": None})
    assert one(changed, "clock")["source"] == "default"


def test_what_is_on_or_off_is_sent_as_true_or_false(served: Served) -> None:
    assert one(served.get("/api/settings"), "archive")["text"] is None

    changed = served.post("/api/settings", {"name": "archive", "value": False})

    assert (one(changed, "archive")["text"], one(changed, "archive")["number"]) == ("false", None)
    assert refused(served, "archive", "true")[0] == 400


def test_times_of_a_conversation_that_is_open_follow_the_setting(served: Served) -> None:
    session = served.get("/api/sessions")["rows"][0]["id"]
    path = f"/api/sessions/{session}/conversation"
    before = msgspec.json.encode(served.get(path)).decode()
    assert " PM</time>" not in before
    assert " AM</time>" not in before

    served.post("/api/settings", {"name": "clock", "value": "12h"})

    after = msgspec.json.encode(served.get(path)).decode()
    assert " PM</time>" in after or " AM</time>" in after


def test_what_config_toml_sets_is_shown_as_set_there_and_stays(served: Served) -> None:
    served.config.parent.mkdir(parents=True, exist_ok=True)
    served.config.write_text('density = "compact"\ncolour = "red"\n')

    answer = served.get("/api/settings")

    assert one(answer, "density")["source"] == "config"
    assert "config.toml, which wins" in one(answer, "density")["fixed"]
    assert served.get("/api/about")["settings"]["fixed"] == ["density"]
    assert "No setting is called colour" in answer["warnings"][0]
    status, message = refused(served, "density", "comfortable")
    assert (status, "Change it there" in message) == (400, True)


def test_prices_are_changed_model_by_model(served: Served) -> None:
    served.post(
        "/api/settings", {"name": "prices", "value": {"claude-lab-9": {"input": 4, "output": 20}}}
    )
    answer = served.post(
        "/api/settings", {"name": "prices", "value": {"claude-lab-8": {"input": 1, "output": 2}}}
    )
    assert [row["model"] for row in one(answer, "prices")["prices"]] == [
        "claude-lab-9",
        "claude-lab-8",
    ]

    answer = served.post("/api/settings", {"name": "prices", "value": {"claude-lab-9": None}})
    assert [row["model"] for row in one(answer, "prices")["prices"]] == ["claude-lab-8"]


@pytest.mark.parametrize(
    ("name", "value"),
    [("zone", "Mars/Olympus"), ("nonsense", 1), ("theme", ["dark"]), ("text_size", 99)],
)
def test_a_value_without_sense_is_refused_with_a_sentence(
    served: Served, name: str, value: object
) -> None:
    status, message = refused(served, name, value)

    assert status == 400
    assert message.endswith(".")
    assert not served.choices.exists()


def test_writing_takes_the_token_and_our_own_page(served: Served) -> None:
    line = "POST /api/settings HTTP/1.1"
    body = b'{"name": "theme", "value": "dark"}'
    length, token = f"Content-Length: {len(body)}", f"X-Bough-Token: {served.token}"

    assert ask(served, line, length, body=body)[0] == 403
    assert ask(served, line, length, token, "Origin: http://evil.example", body=body)[0] == 403
    assert not served.choices.exists()
    assert ask(served, line, length, token, body=body)[0] == 200


def test_a_body_that_is_no_json_or_too_large_is_refused(served: Served) -> None:
    line, token = "POST /api/settings HTTP/1.1", f"X-Bough-Token: {served.token}"

    assert ask(served, line, token, "Content-Length: 3", body=b"{,}")[0] == 400
    chunk = b"10001\r\n" + b" " * 0x10001 + b"\r\n0\r\n\r\n"
    assert ask(served, line, token, "Transfer-Encoding: chunked", body=chunk)[0] == 413
