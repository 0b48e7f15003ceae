"""Stars and notes over HTTP: written only by the page, seen by every face."""

import json
from typing import Any

import pytest

from tests.cli.screens import run_now
from tests.web.serving import Served
from tests.web_api.asking import ask, listening

PATH = "/api/annotations"
POST = f"POST {PATH} HTTP/1.1"


def cli(server: Served, *words: str) -> Any:
    """Run a command that keeps its things where the server does."""
    where = ("--claude-dir", str(server.claude))
    done = run_now(*words, "--json", *where, environ=server._own_places())
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def first(server: Served, **query: object) -> Any:
    words = "&".join(f"{name}={value}" for name, value in query.items())
    return server.get(f"/api/sessions?limit=1&{words}")["rows"][0]


def test_a_star_and_a_note_stand_in_rows_and_in_the_command_line(living: Served) -> None:
    row = first(living)
    assert (row["starred"], row["note"]) == (False, "")

    living.post(PATH, {"kind": "session", "id": row["id"], "starred": True})
    answer = living.post(PATH, {"kind": "session", "id": row["id"], "note": " ask Ana "})

    assert (answer["starred"], answer["note"]) == (True, "ask Ana")
    assert first(living, starred="true")["note"] == "ask Ana"
    assert living.get(f"/api/sessions/{row['id']}")["row"]["starred"] is True
    (listed,) = cli(living, "sessions", "--starred")
    assert (listed["id"], listed["note"]) == (row["id"], "ask Ana")


def test_what_the_command_line_stars_is_starred_on_the_page(living: Served) -> None:
    row = first(living)
    cli(living, "notes", "star", row["id"])

    assert first(living, starred="true")["id"] == row["id"]


def test_pages_hear_what_another_process_stars_notes_and_hides(living: Served) -> None:
    row = first(living)
    uuid = living.get(f"/api/sessions/{row['id']}/conversation")["keys"][0]
    with listening(living) as events:
        cli(living, "notes", "star", row["id"])
        _, star = events.next("annotation")
        cli(living, "notes", "set", row["id"], "ask Ana", "--message", uuid)
        _, note = events.next("annotation")
        cli(living, "notes", "unstar", row["id"])
        _, unstarred = events.next("annotation")
        cli(living, "notes", "hide", row["project"])
        _, hidden = events.next("annotation")

    assert (star["kind"], star["id"], star["starred"]) == ("session", row["id"], True)
    assert (note["kind"], note["id"], note["note"]) == ("message", uuid, "ask Ana")
    assert (unstarred["id"], unstarred["starred"]) == (row["id"], False)
    assert (hidden["kind"], hidden["id"], hidden["hidden"]) == ("project", row["project"], True)


def test_a_message_has_its_own(living: Served) -> None:
    row = first(living)
    uuid = living.get(f"/api/sessions/{row['id']}/conversation")["keys"][0]
    living.post(PATH, {"kind": "message", "id": uuid, "session": row["id"], "note": "begins here"})

    (message,) = living.get(PATH)["annotations"]

    assert (message["id"], message["note"]) == (uuid, "begins here")
    (listed,) = cli(living, "notes")
    assert listed["session"] == row["id"]


def test_a_hidden_project_stays_in_lists_and_says_so(living: Served) -> None:
    project = first(living)["project"]
    living.post(PATH, {"kind": "project", "id": project, "hidden": True})

    (hidden,) = [one for one in living.get("/api/projects")["projects"] if one["hidden"]]
    visible = living.get("/api/sessions?limit=500&visible=true")["rows"]

    assert hidden["id"] == project
    assert visible
    assert all(row["project"] != project for row in visible)
    assert any(row["project"] == project for row in living.get("/api/sessions?limit=500")["rows"])


def test_every_page_hears_of_a_change(living: Served) -> None:
    row = first(living)
    with listening(living) as events:
        living.post(PATH, {"kind": "session", "id": row["id"], "starred": True})
        _, heard = events.next("annotation")

    assert (heard["id"], heard["starred"]) == (row["id"], True)


def test_what_goes_on_stands_before_the_rest(served: Served) -> None:
    rows = served.get("/api/sessions?limit=500&sort=state")["rows"]
    going_on = ("waiting", "working", "background", "compacting")
    places = [going_on.index(r["state"]) if r["state"] in going_on else 4 for r in rows]

    assert places == sorted(places)
    assert len(set(places)) > 1
    for place in set(places):
        times = [r["ended_at"] for r, own in zip(rows, places, strict=True) if own == place]
        assert times == sorted(times, reverse=True)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"kind": "session", "id": "no-such-session", "starred": True}, 404),
        ({"kind": "project", "id": "no-such-project", "hidden": True}, 404),
        ({"kind": "nonsense", "id": "x"}, 400),
        ({"kind": "session", "id": "3f9c", "colour": "red"}, 400),
        ({"kind": "session", "id": "3f9c", "note": "x" * 2_001}, 400),
    ],
)
def test_what_makes_no_sense_is_refused(served: Served, body: object, status: int) -> None:
    data = json.dumps(body).encode()
    head = (f"X-Bough-Token: {served.token}", f"Content-Length: {len(data)}")

    assert ask(served, POST, *head, body=data)[0] == status


def test_nobody_else_may_write(served: Served) -> None:
    data = b'{"kind":"session","id":"3f9c","starred":true}'
    length, token = f"Content-Length: {len(data)}", f"X-Bough-Token: {served.token}"

    assert ask(served, POST, length, body=data)[0] == 403
    assert ask(served, POST, length, "X-Bough-Token: wrong", body=data)[0] == 403
    assert ask(served, POST, length, token, "Origin: http://evil.example", body=data)[0] == 403
    assert ask(served, POST, length, token, "Sec-Fetch-Site: cross-site", body=data)[0] == 403
    assert served.get("/api/sessions?starred=true")["rows"] == []


def test_a_body_without_a_length_is_cut_off(served: Served) -> None:
    part = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    head = (f"X-Bough-Token: {served.token}", "Transfer-Encoding: chunked")

    assert ask(served, POST, *head, body=part * 2 + b"0\r\n\r\n")[0] == 413
