"""The web app of a team: who comes in, what each is shown, and what nobody is."""

import http.client
import json
import re
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any
from urllib.parse import quote, urlencode

import pytest
import uvicorn

from bough.errors import Misuse
from bough.store.postgres.server_connection import ServerConnection
from bough.store.postgres.team_members import revoke_member, share_project, unshare_project
from bough.web.routes.route_table import ROUTES
from bough.web.server import make_server_config, open_socket
from bough.web.team import logins, member_states
from bough.web.team.login_page import clean_target
from bough.web.team.logins import Failures, make_proxy_trust
from bough.web.team.open_gate import open_gate
from bough.web.team.team_access import TeamAccess
from bough.web.team.team_app import OFFERED, make_team_app
from tests.team_people import WEB, People, Sent, team_of
from tests.team_server import TeamServer


class Answer:
    """What came back."""

    def __init__(self, raw: http.client.HTTPResponse) -> None:
        self.status = raw.status
        self.headers = raw.headers
        self.body = raw.read()
        self.json: Any = None
        if self.headers.get_content_type() == "application/json":
            self.json = json.loads(self.body)


class Visitor:
    """A browser, as far as it matters here."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.cookie = ""

    def ask(
        self, path: str, method: str = "GET", body: str = "", headers: Mapping[str, str] = {}
    ) -> Answer:
        """Send a request, with the cookie."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        own = {"Cookie": self.cookie} if self.cookie else {}
        with closing(connection):
            connection.request(method, path, body or None, {**own, **headers})
            answer = Answer(connection.getresponse())
        if "set-cookie" in answer.headers:
            self.cookie = answer.headers["set-cookie"].partition(";")[0]
        return answer

    def log_in(self, token: str, following: str = "/") -> Answer:
        """Send the form."""
        form = urlencode({"token": token, "next": following})
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.ask("/login", "POST", form, kind)


class ServedTeam:
    """A team whose web app runs."""

    def __init__(self, people: People, sent: list[Sent], gate: TeamAccess, port: int) -> None:
        self.people = people
        self.sent = {one.owner: one for one in sent}
        self.gate = gate
        self.port = port

    def visit(self, name: str | None = None) -> Visitor:
        """Come in as somebody, or stay outside."""
        visitor = Visitor(self.port)
        if name is not None:
            assert visitor.log_in(self.people.tokens[name]).status == 303
        return visitor


@pytest.fixture(scope="module")
def team(
    team_server: TeamServer, tmp_path_factory: pytest.TempPathFactory, nobodys_home: object
) -> Iterator[ServedTeam]:
    """Serve a team of two who share nothing, and an auditor."""
    with team_of(team_server) as people, pytest.MonkeyPatch.context() as patch:
        patch.setattr(member_states, "ACCESS_HOLDS", 0.0)
        patch.setattr(logins, "_TOKEN_HOLDS", 0.0)
        for name in ("ann", "ben", "gone"):
            people.add(name)
        people.add("watcher", "auditor")
        place = tmp_path_factory.mktemp("people")
        sent = []
        for name in ("ann", "ben"):
            (place / name / "projects").mkdir(parents=True)
            sent += people.send(name, place / name, [f"{name}s-orchard"])
        gate, _ = open_gate(people.url_of(WEB), "127.0.0.1")
        sock = open_socket("127.0.0.1", 0)
        server = uvicorn.Server(make_server_config(make_team_app(gate), most_connections=None))
        thread = threading.Thread(target=lambda: server.run(sockets=[sock]), daemon=True)
        thread.start()
        port = sock.getsockname()[1]
        _wait_for(port)
        yield ServedTeam(people, sent, gate, port)
        server.should_exit = True
        thread.join(20)


def _wait_for(port: int) -> None:
    for _ in range(100):
        with closing(socket.socket()) as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)


def test_nobody_is_told_anything_before_they_come_in(team: ServedTeam) -> None:
    visitor = team.visit()
    first = visitor.ask("/")
    page = visitor.ask("/login")
    answers = {
        visitor.ask(path).body
        for path in (
            "/api/about",
            "/api/sessions",
            f"/api/sessions/{team.sent['ann'].session}",
            "/api/sessions/nowhere",
            "/api/events",
            "/api/openapi.json",
        )
    }

    assert (first.status, first.headers["location"]) == (303, "/login")
    assert page.status == 200
    assert b'type="password"' in page.body
    assert "script-src" not in page.headers["content-security-policy"]
    assert visitor.ask("/login.css").status == 200
    assert len(answers) == 1
    assert visitor.ask("/api/about").status == 401
    assert visitor.ask("/api/settings", "POST", "{}").status == 401


def test_a_token_lets_its_member_in_with_a_cookie_that_other_sites_cannot_send(
    team: ServedTeam,
) -> None:
    visitor = team.visit()
    answer = visitor.log_in(team.people.tokens["ann"], "/sessions")

    assert (answer.status, answer.headers["location"]) == (303, "/sessions")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert team.people.tokens["ann"].lower() not in cookie
    listed = visitor.ask("/api/sessions").json
    assert [row["id"] for row in listed["rows"]] == [team.sent["ann"].session]
    out = visitor.ask("/logout", "POST")
    assert out.status == 403  # without the page's token
    page = visitor.ask("/").body.decode()
    token = page.partition('name="bough-token" content="')[2].partition('"')[0]
    assert visitor.ask("/logout", "POST", headers={"X-Bough-Token": token}).status == 303
    assert visitor.ask("/api/sessions").status == 401


def test_other_sites_can_neither_read_nor_write(team: ServedTeam) -> None:
    visitor = team.visit("ann")
    for headers in ({"Origin": "https://elsewhere.example"}, {"Sec-Fetch-Site": "cross-site"}):
        assert visitor.ask("/api/sessions", headers=headers).status == 403
        assert visitor.ask("/login", "POST", "token=x", headers).status == 403


def test_what_is_there_for_others_is_answered_as_what_is_nowhere(team: ServedTeam) -> None:
    ben, foreign = team.visit("ben"), team.sent["ann"]
    nowhere = "00000000-1111-2222-3333-444444444444"
    params = {
        "/api/search": f"?q={foreign.word}",
        "/api/complete": f"?q={quote('project:anns')}&at=12",
        "/api/usage": f"?session={foreign.session}",
        "/api/usage/explanation": f"?session={foreign.session}",
        "/api/stats/sessions": "?of=tool&name=Bash",
    }
    asked = 0
    for route in ROUTES:
        if route.method != "GET":
            continue
        query = params.get(route.path, "")
        path = route.path.replace("{session}", foreign.session) + query
        answer = ben.ask(path)
        told = _without_times(answer)
        other = ben.ask(
            path.replace(foreign.session, nowhere).replace(foreign.word, "x" * len(foreign.word))
        )
        assert answer.status == other.status, path
        if route.has_session or query:
            assert len(told.replace(foreign.session, nowhere)) == len(_without_times(other)), path
        told = told.replace(foreign.session, "").replace(foreign.word, "") if query else told
        assert foreign.word not in told, path
        assert "anns-" not in told.replace("project:anns", ""), path
        asked += 1
    assert asked > 25


def _without_times(answer: Answer) -> str:
    """Give an answer without how long it took."""
    return re.sub(r'"took_ms":[0-9.]+', "", answer.body.decode("utf-8", "replace"))


def test_a_member_reads_what_is_theirs_and_what_is_shared_until_it_is_not(
    team: ServedTeam,
) -> None:
    ben, mine, anns = team.visit("ben"), team.sent["ben"], team.sent["ann"]

    def reads(sent: Sent) -> bool:
        answer = ben.ask(f"/api/sessions/{sent.session}/conversation")
        return answer.status == 200 and sent.word in answer.body.decode()

    def finds(sent: Sent) -> bool:
        return bool(ben.ask(f"/api/search?q={sent.word}").json["total"])

    assert reads(mine)
    assert finds(mine)
    assert not reads(anns)
    with closing(ServerConnection(team.people.url_of("ann"))) as connection:
        share_project(connection, anns.project, "ben", "read")
        assert reads(anns)
        assert finds(anns)
        assert len(ben.ask("/api/sessions").json["rows"]) == 2
        unshare_project(connection, anns.project, "ben")
    assert not reads(anns)
    assert not finds(anns)
    assert len(ben.ask("/api/sessions").json["rows"]) == 1


def test_what_an_auditor_opens_is_kept_and_a_list_opens_nothing(team: ServedTeam) -> None:
    watcher, sent = team.visit("watcher"), team.sent["ann"]
    count = "select count(*) from bough.audit where what = 'opened'"

    assert len(watcher.ask("/api/sessions").json["rows"]) == 2
    with team.people.sql() as chief:
        assert chief.execute(count).fetchone() == (0,)
    assert watcher.ask(f"/api/sessions/{sent.session}/conversation").status == 200
    with team.people.sql("ann") as ann:
        told = ann.execute("select who, on_what from bough.audit where what = 'opened'").fetchall()
    assert told == [("watcher", sent.session)]


def test_a_session_that_an_auditor_opens_again_later_is_kept_again(
    team: ServedTeam, monkeypatch: pytest.MonkeyPatch
) -> None:
    watcher, sent = team.visit("watcher"), team.sent["ben"]
    count = "select count(*) from bough.audit where what = 'opened' and on_what = %s"
    found = []
    for seconds in (60.0, 60.0, 0.0):
        monkeypatch.setattr(member_states, "_NOTED_ONCE_IN", seconds)
        assert watcher.ask(f"/api/sessions/{sent.session}/conversation").status == 200
        with team.people.sql() as chief:
            found.append(chief.execute(count, [sent.session]).fetchone())
            chief.execute("update bough.audit set at = at - interval '2 minutes'")
    assert found == [(1,), (1,), (2,)]


def test_what_needs_files_of_a_machine_is_not_offered_and_says_why(team: ServedTeam) -> None:
    ben = team.visit("ben")
    page = ben.ask("/").body.decode()
    token = page.partition('name="bough-token" content="')[2].partition('"')[0]
    for path, method in (
        ("/api/archive", "GET"),
        ("/api/health", "GET"),
        ("/api/settings", "GET"),
        ("/api/travel/history", "GET"),
    ):
        answer = ben.ask(path, method, headers={"X-Bough-Token": token})
        assert answer.status in (400, 403), path
        if answer.status == 403:
            assert answer.json["error"]["code"] == "not_offered"
            assert "one machine" in answer.json["error"]["message"]
    assert "/api/sessions" in OFFERED
    assert ben.ask("/api/annotations").json["annotations"] == []


def test_rows_say_whose_they_are_and_how_they_are_fetched(team: ServedTeam) -> None:
    ann = team.visit("ann")
    about = ann.ask("/api/about").json
    rows = ann.ask("/api/sessions").json["rows"]
    projects = ann.ask("/api/projects").json["projects"]

    assert (about["member"], about["can_log_out"]) == ("ann", True)
    assert {(row["owner"], row["machine"]) for row in rows} == {("ann", "anns-laptop")}
    assert {(one["owner"], one["machine"]) for one in projects} == {("ann", "anns-laptop")}
    assert {row["resume_kind"] for row in rows} == {"pull"}
    assert rows[0]["resume"] == f"bough pull {rows[0]['id']} --cwd ."
    assert ann.ask("/api/sessions?machine=anns-laptop&member=ann").json["total"] == len(rows)
    assert ann.ask("/api/sessions?member=ben").json["total"] == 0


def test_notes_are_ones_own_and_seen_by_who_sees_the_session(team: ServedTeam) -> None:
    session = team.sent["ben"].session
    writers = {name: team.visit(name) for name in ("ann", "ben")}

    def note(name: str, **change: object) -> Answer:
        page = writers[name].ask("/").body.decode()
        token = re.search(r'name="bough-token" content="([^"]+)"', page)
        assert token is not None
        headers = {"X-Bough-Token": token[1], "Content-Type": "application/json"}
        body = json.dumps({"kind": "session", "id": session, **change})
        return writers[name].ask("/api/annotations", "POST", body, headers)

    def others(name: str) -> list[object]:
        rows = writers[name].ask("/api/sessions").json["rows"]
        return [one for row in rows if row["id"] == session for one in row["other_notes"]]

    refused = note("ann", note="I cannot know of this")
    written = note("ben", note="Look here", starred=True)
    unseen = others("ann")
    with closing(ServerConnection(team.people.url_of("ben"))) as connection:
        share_project(connection, "bens-orchard", "ann", "read")
    seen = others("ann")
    answered = note("ann", note="I did")
    told = others("ben")
    for name in writers:
        note(name, note="", starred=False)
    with closing(ServerConnection(team.people.url_of("ben"))) as connection:
        unshare_project(connection, "bens-orchard", "ann")

    assert refused.status == 404
    assert (written.json["starred"], written.json["note"]) == (True, "Look here")
    assert unseen == []
    assert seen == [{"author": "ben", "starred": True, "note": "Look here"}]
    assert (answered.json["starred"], answered.json["note"]) == (False, "I did")
    assert answered.json["others"] == seen
    assert told == [{"author": "ann", "starred": False, "note": "I did"}]
    with team.people.sql() as database:
        assert database.execute("select count(*) from note").fetchone() == (0,)


def test_a_path_in_a_transcript_is_never_read_from_the_servers_own_disk(
    team: ServedTeam, tmp_path_factory: pytest.TempPathFactory
) -> None:
    ben = team.visit("ben")
    for name in ("/etc/passwd", "passwd", "../../../../etc/passwd"):
        answer = ben.ask(
            f"/api/sessions/{team.sent['ben'].session}/output?name={quote(name, safe='')}"
        )
        assert answer.status == 404


def test_who_is_no_member_any_more_is_outside_at_once(team: ServedTeam) -> None:
    gone = team.visit("gone")
    assert gone.ask("/api/about").status == 200
    with closing(ServerConnection(team.people.url)) as connection:
        revoke_member(connection, "gone")
    assert gone.ask("/api/about").status == 401
    assert gone.log_in(team.people.tokens["gone"]).status == 403


def test_after_five_wrong_tokens_in_a_minute_an_address_has_to_wait(team: ServedTeam) -> None:
    visitor = team.visit()
    found = [visitor.log_in("x" * 43).status for _ in range(6)]
    right = visitor.log_in(team.people.tokens["ann"])

    # Somebody before may have been wrong, too.
    assert found[-1] == 429
    assert set(found) <= {403, 429}
    assert right.status == 429
    assert int(right.headers["retry-after"]) > 0


def test_wrong_tokens_that_come_at_once_are_counted_too(team: ServedTeam) -> None:
    with ThreadPoolExecutor(12) as threads:
        found = list(threads.map(lambda _: team.visit().log_in("y" * 43).status, range(12)))
    assert found.count(403) <= 5
    assert set(found) <= {403, 429}


def test_failures_are_forgotten_after_a_minute() -> None:
    moment = [100.0]
    failures = Failures(lambda: moment[0])
    for _ in range(5):
        assert failures.seconds_left("10.0.0.1") == 0
        failures.add("10.0.0.1")
    assert failures.seconds_left("10.0.0.1") == 60
    assert failures.seconds_left("10.0.0.2") == 0
    moment[0] += 61
    assert failures.seconds_left("10.0.0.1") == 0


def test_other_machines_reach_it_encrypted_or_through_a_proxy_alone(team: ServedTeam) -> None:
    url = team.people.url_of(WEB)
    with pytest.raises(Misuse, match="unencrypted"):
        open_gate(url, "0.0.0.0")
    with pytest.raises(Misuse, match="--trusted-proxy"):
        make_proxy_trust((), "X-Forwarded-User")
    with pytest.raises(Misuse, match="bough_web"):
        open_gate(team.people.url_of("ann"), "127.0.0.1")
    assert open_gate(url, "0.0.0.0", has_certificate=True)[0].is_secure
    gate, _ = open_gate(url, "0.0.0.0", ("10.0.0.0/8",), "X-Forwarded-User")
    assert gate.is_secure
    assert gate.proxy_only
    assert gate.trust.covers("10.1.2.3")
    assert not gate.trust.covers("127.0.0.1")
    assert not gate.trust.covers("elsewhere")


@pytest.mark.parametrize(
    ("target", "kept"),
    [
        ("/sessions?x=1", "/sessions?x=1"),
        ("//elsewhere.example", "/"),
        ("/\\elsewhere.example", "/"),
        ("https://elsewhere.example", "/"),
        ("/api/about", "/"),
        ("/login", "/"),
        ("/a\r\nSet-Cookie: x", "/"),
    ],
)
def test_coming_in_leads_to_an_address_of_our_own(target: str, kept: str) -> None:
    assert clean_target(target) == kept
