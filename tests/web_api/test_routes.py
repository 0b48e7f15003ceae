"""What the routes answer is what the library and the command line say."""

import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest

from tests.cli.screens import run_now
from tests.web.serving import Served
from tests.web_api.asking import ask

STORY = "/api/sessions/3f9c"


@pytest.fixture(scope="module")
def everything(served: Served) -> list[Any]:
    rows: list[Any] = served.get("/api/sessions?limit=500")["rows"]
    return rows


def cli(served: Served, *words: str) -> Any:
    index = served.folder / "index.sqlite"
    places = ("--claude-dir", str(served.claude), "--index", str(index))
    done = run_now(*words, "--json", *places)
    assert done.returncode == 0, done.stderr
    return msgspec.json.decode(done.stdout)


def test_sessions_are_those_of_the_command_line(served: Served, everything: list[Any]) -> None:
    listed = cli(served, "sessions")

    assert [row["id"] for row in everything] == [row["id"] for row in listed]
    assert [row["title"] for row in everything] == [row["title"] for row in listed]
    for name in ("turns", "messages", "cost_usd", "unpriced_models"):
        assert [row[name] for row in everything] == [row[name] for row in listed]


def test_projects_are_those_of_the_command_line(served: Served) -> None:
    listed = cli(served, "projects")

    found = served.get("/api/projects")["projects"]

    assert [p["name"] for p in found] == [p["name"] for p in listed]
    assert [p["sessions"] for p in found] == [p["sessions"] for p in listed]


def test_counts_are_the_same_on_every_route(served: Served, everything: list[Any]) -> None:
    about, projects = served.get("/api/about"), served.get("/api/projects")

    assert about["sessions"] == projects["sessions"] == len(everything)
    assert about["projects"] == len(projects["projects"])
    assert sum(p["sessions"] for p in projects["projects"]) == len(everything)


def test_pages_of_sessions_together_are_all_of_them(served: Served, everything: list[Any]) -> None:
    found: list[str] = []
    cursor = ""
    while True:
        page = served.get(f"/api/sessions?limit=7&cursor={cursor}")
        found += [row["id"] for row in page["rows"]]
        assert page["total"] == len(everything)
        if page["next"] is None:
            break
        cursor = page["next"]

    assert found == [row["id"] for row in everything]


@pytest.mark.parametrize(
    ("query", "holds"),
    [
        ("project=-home-dev-code-orchard-shop", lambda r: r["project_name"] == "orchard-shop"),
        ("filter=RESUME-import", lambda r: r["project_name"] == "resume-import"),
        ("kind=plan", lambda r: r["kind"] == "plan" and r["plan"]["role"] == "plan"),
        ("state=finished,failed", lambda r: r["state"] in ("finished", "failed")),
        ("since=2d", lambda r: r["ended_at"] > "2020"),
        ("until=yesterday", lambda r: r["started_at"] < r["ended_at"]),
        ("model=OPUS", lambda r: r["model"] is not None),
        ("branch=feat/*", lambda r: r["git_branch"].startswith("feat/")),
    ],
)
def test_filters_narrow(served: Served, everything: list[Any], query: str, holds: Any) -> None:
    rows = served.get(f"/api/sessions?limit=500&{query}")["rows"]

    assert 0 < len(rows) < len(everything)
    assert all(holds(row) for row in rows)


@pytest.mark.parametrize(
    ("sort", "key", "backwards"),
    [
        ("newest", "ended_at", True),
        ("oldest", "ended_at", False),
        ("turns", "turns", True),
        ("cost", "cost_usd", True),
    ],
)
def test_sorts_sort(served: Served, sort: str, key: str, *, backwards: bool) -> None:
    rows = served.get(f"/api/sessions?limit=500&sort={sort}")["rows"]

    values = [row[key] for row in rows if row[key] is not None]
    assert values == sorted(values, reverse=backwards)


def test_plans_lead_to_what_was_built_and_back(everything: list[Any]) -> None:
    by_id = {row["id"]: row for row in everything}
    plans = [row for row in everything if row["plan"] and row["plan"]["role"] == "plan"]

    assert plans
    for plan in plans:
        for other in plan["plan"]["others"]:
            back = by_id[other["id"]]["plan"]
            assert back["role"] == "implementation"
            assert plan["id"] in [one["id"] for one in back["others"]]


def test_the_turn_that_showed_a_plan_links_to_what_was_built(
    served: Served, everything: list[Any]
) -> None:
    plan = next(row for row in everything if row["kind"] == "plan")
    (built,) = plan["plan"]["others"]

    pieces = served.get(f"/api/sessions/{plan['id']}/pieces?from=0&count=50")["pieces"]
    linked = [one["html"] for one in pieces if f'href="/s/{built["id"]}"' in one["html"]]

    assert len(linked) == 1
    assert "Carried out in" in linked[0]


def test_a_conversation_is_told_whole_piece_by_piece(served: Served) -> None:
    told = served.get(f"{STORY}/conversation")
    count = told["count"]

    pieces = [
        piece
        for start in range(0, count, 5)
        for piece in served.get(f"{STORY}/pieces?from={start}&count=5")["pieces"]
    ]

    assert [piece["key"] for piece in pieces] == told["keys"]
    assert len(told["kinds"]) == len(told["lines"]) == len(told["marks"]) == count
    assert told["start"] == count - 1
    assert told["partial"] is False
    page = told["page"]["pieces"]
    assert [piece["html"] for piece in page] == [
        piece["html"] for piece in pieces[told["page"]["from"] :][: len(page)]
    ]


def test_a_message_is_where_reading_starts(served: Served) -> None:
    told = served.get(f"{STORY}/conversation")
    first = served.get(f"{STORY}/pieces?from=2&count=1")["pieces"][0]

    at = served.get(f"{STORY}/conversation?at={first['uuid']}")

    assert at["start"] == 2
    assert at["keys"] == told["keys"]


def test_a_message_of_another_branch_opens_that_branch(served: Served) -> None:
    branches = served.get(STORY)["branches"]
    left = next(branch for branch in branches if not branch["active"])

    told = served.get(f"{STORY}/conversation?at={left['tip']}")

    assert told["active"] is False
    assert told["tip"] == left["tip"]
    assert told["banner"].startswith("You are reading a branch left at ")


def test_a_conversation_can_be_read_up_to_a_point_and_no_further(served: Served) -> None:
    whole = served.get(f"{STORY}/conversation")
    point = whole["page"]["pieces"][2]["uuid"]

    told = served.get(f"{STORY}/conversation?until={point}&at={point}")
    pieces = served.get(f"{STORY}/pieces?until={point}&from=0&count=40")["pieces"]
    changes = served.get(f"{STORY}/changes?until={point}&since={told['revision']}")

    assert "side-branch" not in {piece["kind"] for piece in pieces}
    shown = [piece["uuid"] for piece in pieces if piece["uuid"]]
    assert told["tip"] == point
    assert shown[-1] == point
    assert shown == [piece["uuid"] for piece in whole["page"]["pieces"][: len(shown)]]
    assert told["banner"].startswith("You are reading the conversation up to a point.")
    assert changes["keys"] == []


def test_a_message_behind_the_point_is_said_to_be_so(served: Served) -> None:
    whole = served.get(f"{STORY}/conversation")
    point, later = (whole["page"]["pieces"][number]["uuid"] for number in (2, -2))

    told = served.get(f"{STORY}/conversation?until={point}&at={later}")

    assert told["note"] == f"The message {later} is not before this point. You are at its end."


def test_folds_are_filled_by_their_keys(served: Served) -> None:
    told = served.get(f"{STORY}/conversation")
    html = "".join(piece["html"] for piece in told["page"]["pieces"])
    keys = [part.split('"')[0] for part in html.split('data-body="')[1:]]

    assert keys
    for key in keys[:20]:
        assert served.get(f"{STORY}/body?key={quote(key)}")["html"]


def test_words_are_found_where_they_stand(served: Served) -> None:
    found = served.get(f"{STORY}/find?q=checkpoint")
    told = served.get(f"{STORY}/conversation")

    assert found["total"] == sum(hit["count"] for hit in found["hits"])
    assert all(0 <= hit["number"] < told["count"] for hit in found["hits"])
    everywhere = served.get(f"{STORY}/find?q=checkpoint&scope=all")
    assert everywhere["total"] > found["total"]
    assert any(hit["tip"] for hit in everywhere["hits"])


def test_raw_records_are_those_of_the_file(served: Served) -> None:
    told = served.get(f"{STORY}/conversation")
    uuid = told["page"]["pieces"][0]["uuid"]
    file = Path(served.get(STORY)["path"]).read_bytes()

    (record, *_) = served.get(f"{STORY}/raw?uuid={uuid}")["records"]

    line = file[record["offset"] :].partition(b"\n")[0]
    assert record["json"].encode() == line
    assert file[: record["offset"]].count(b"\n") == record["line"] - 1


def test_facts_are_consistent(served: Served, everything: list[Any]) -> None:
    facts = served.get(STORY)

    assert facts["row"] in everything
    assert sum(branch["active"] for branch in facts["branches"]) == 1
    assert len(facts["branches"]) == facts["row"]["branches"]
    assert facts["cost_all"]["cost_usd"] >= facts["cost_path"]["cost_usd"] > 0
    assert facts["resume"] == facts["row"]["resume"]
    assert facts["resume"].startswith(f"cd '{facts['cwd']}' && ")
    assert facts["resume"].endswith(f"claude --resume {facts['row']['id']}")
    assert facts["resume_note"].startswith(f"The folder {facts['cwd']} is gone")
    assert len(facts["agents"]) == 2
    assert all(agent["state"] == "finished" for agent in facts["agents"])
    assert {file["path"] for file in facts["files"]}
    assert 0 < facts["context"]["tokens"] < facts["context"]["window"]
    assert "Active tip" in facts["tip_rule"]


def test_an_agent_is_read_as_a_page(served: Served) -> None:
    agent = served.get(STORY)["agents"][0]

    told = served.get(f"{STORY}/conversation?agent={agent['id']}")

    assert told["agent"] == agent["id"]
    assert told["count"] > 0
    assert told["banner"] is None


def test_every_session_can_be_read(served: Served, everything: list[Any]) -> None:
    for row in everything:
        if row["state"] == "deleted":
            continue
        told = served.get(f"/api/sessions/{row['id']}/conversation")
        facts = served.get(f"/api/sessions/{row['id']}")
        assert told["title"] == row["title"] == facts["row"]["title"]
        assert told["count"] == len(told["keys"]) > 0
        assert len(set(told["keys"])) == told["count"]


def test_search_is_that_of_the_command_line(served: Served) -> None:
    listed = cli(served, "search", "checkpoint", "--limit", "50")

    found = served.get("/api/search?q=checkpoint&limit=50")

    assert found["total"] == listed["total"]
    assert [hit["uuid"] for hit in found["hits"]] == [hit["uuid"] for hit in listed["hits"]]


@pytest.mark.parametrize("query", ["checkpoint", "the", "tool:Bash"])
def test_a_facet_counts_what_is_found_when_it_is_chosen(served: Served, query: str) -> None:
    facets = served.get(f"/api/search?q={quote(query)}&limit=1")["facets"]

    assert facets["whole"]
    assert facets["project"]
    assert facets["kind"]
    for name in ("project", "kind"):
        for value in [one for one in facets[name] if one["value"] != "note"]:
            narrowed = quote(f'{query} {name}:"{value["value"]}"')
            assert served.get(f"/api/search?q={narrowed}")["total"] == value["count"], value
    active = {value["value"]: value["count"] for value in facets["branch"]}["active"]
    assert served.get(f"/api/search?q={quote(f'{query} branch:active')}")["total"] == active


def test_hits_lead_to_their_message(served: Served) -> None:
    hits = served.get("/api/search?q=checkpoint&limit=30")["hits"]

    for hit in hits:
        where = f"&agent={hit['agent']}" if hit["agent"] else ""
        told = served.get(f"/api/sessions/{hit['session']}/conversation?at={hit['uuid']}{where}")
        assert told["keys"][told["start"]]
        for start, end in hit["marks"]:
            assert hit["snippet"][start:end].lower().startswith("checkpoint")


def test_a_wrong_query_names_its_place(served: Served) -> None:
    status, data = ask(served, "GET /api/search?q=good+tool: HTTP/1.1")

    error = msgspec.json.decode(data.partition(b"\r\n\r\n")[2])["error"]
    assert status == 400
    assert error["code"] == "bad_query"
    assert error["at"] is not None


def test_no_hit_offers_a_better_query(served: Served) -> None:
    found = served.get("/api/search?q=chekpoint")

    assert found["total"] == 0
    assert found["suggestion"]["query"] == "checkpoint"
    assert served.get("/api/search?q=checkpoint")["total"] == found["suggestion"]["total"]


def test_documents_are_downloads(served: Served) -> None:
    for form, kind in (
        ("md", "text/markdown"),
        ("html", "text/html"),
        ("json", "application/json"),
    ):
        status, data = ask(served, f"GET {STORY}/export?to={form} HTTP/1.1")
        head, _, body = data.partition(b"\r\n\r\n")

        assert status == 200
        assert f"content-type: {kind}".encode() in head.lower()
        assert b"content-disposition: attachment" in head.lower()
        preview = served.get(f"{STORY}/export/preview?to={form}")
        assert preview["bytes"] == len(body)


def test_a_document_has_as_many_turns_as_the_page(served: Served, everything: list[Any]) -> None:
    for row in everything:
        preview = served.get(f"/api/sessions/{row['id']}/export/preview?to=md")

        assert preview["included"]["turns"] == row["turns"], row["title"]


def test_pictures_are_what_they_are(served: Served, everything: list[Any]) -> None:
    seen = 0
    for row in everything:
        told = served.get(f"/api/sessions/{row['id']}/conversation")
        html = "".join(piece["html"] for piece in told["page"]["pieces"])
        for part in html.split('<img src="')[1:]:
            address = part.split('"')[0].replace("&amp;", "&")
            status, data = ask(served, f"GET {address} HTTP/1.1")
            assert status == 200
            assert b"content-type: image/" in data.lower()
            seen += 1

    assert seen > 0


def test_an_answer_that_is_known_is_not_sent_again(served: Served) -> None:
    _, data = ask(served, f"GET {STORY}/conversation HTTP/1.1")
    tag = next(line for line in data.split(b"\r\n") if line.lower().startswith(b"etag:"))

    status, again = ask(
        served,
        f"GET {STORY}/conversation HTTP/1.1",
        f"If-None-Match: {tag.partition(b': ')[2].decode()}",
    )

    assert status == 304
    assert again.partition(b"\r\n\r\n")[2] == b""


def test_an_id_that_names_no_session_or_several_comes_with_what_it_may_mean(
    served: Served, everything: list[Any]
) -> None:
    titles = {row["id"]: row["title"] for row in everything}
    story = next(one for one in titles if one.startswith("3f9c"))
    command = [sys.executable, "-m", "bough", "show", "3f9c21d1", "--claude-dir"]
    said = subprocess.run([*command, str(served.claude)], capture_output=True, check=False).stderr

    unknown, several = (
        msgspec.json.decode(
            ask(served, f"GET /api/sessions/{wanted} HTTP/1.0")[1].partition(b"\r\n\r\n")[2]
        )["error"]
        for wanted in ("3f9c21d1", "3")
    )

    assert unknown["code"] == "session_not_found"
    assert unknown["near"] == [{"id": story[:8], "title": titles[story]}]
    assert unknown["message"] in said.decode()
    assert several["code"] == "ambiguous_session"
    near = {one["id"]: one["title"] for one in several["near"]}
    assert near == {one: title for one, title in titles.items() if one.startswith("3")}
