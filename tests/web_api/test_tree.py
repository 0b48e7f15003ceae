"""The tree and the comparison over HTTP are those of the command line."""

from typing import Any

import msgspec

from tests.cli.screens import run_now
from tests.web.serving import Served
from tests.web_api.asking import ask

STORY = "/api/sessions/3f9c"


def cli(served: Served, *words: str) -> str:
    places = ["--claude-dir", str(served.claude), "--index", str(served.folder / "index.sqlite")]
    done = run_now(*words, *places)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_rows_come_in_the_order_of_the_tree_of_the_command_line(served: Served) -> None:
    drawn = cli(served, "tree", "3f9c")

    rows = served.get(f"{STORY}/tree")["page"]["rows"]

    places = [drawn.index(row["text"]) for row in rows if row["kind"] == "turn"]
    assert places == sorted(places)
    assert len(places) == 13
    assert sum(row["tip"] for row in rows) == 1
    # The last turn has no end: it goes on as long as the session may be working.
    states = {one["id"]: one["state"] for one in served.get("/api/live")["sessions"]}
    story = next((state for one, state in states.items() if one.startswith("3f9c")), "")
    ends = "working" if story in ("working", "waiting") else "unfinished"
    assert [row["note"] for row in rows if row["note"]] == ["rewound", "interrupted", ends]


def test_rows_are_given_a_stretch_at_a_time(served: Served) -> None:
    whole = served.get(f"{STORY}/tree?zoom=messages")

    part = served.get(f"{STORY}/tree/rows?zoom=messages&from=10&count=5")

    assert [row["number"] for row in part["rows"]] == [10, 11, 12, 13, 14]
    assert len(whole["kinds"]) == len(whole["depths"]) == whole["count"] > 100
    assert part["revision"] == whole["revision"]
    beyond = served.get(f"{STORY}/tree/rows?from=99999")
    assert beyond["rows"] == []


def test_it_begins_at_the_turn_of_a_message(served: Served) -> None:
    rows = served.get(f"{STORY}/tree?zoom=messages")["page"]["rows"]
    message = next(row for row in rows if row["kind"] == "message")

    found = served.get(f"{STORY}/tree?at={message['uuid']}")

    chosen = next(row for row in found["page"]["rows"] if row["number"] == found["start"])
    assert chosen["kind"] == "turn"


def test_the_lineage_has_what_was_forked_from_a_session(served: Served) -> None:
    found = served.get(f"{STORY}/lineage")
    from_the_fork = served.get("/api/sessions/7c2e/lineage")
    assert not found["forks_only"]

    assert [(row["how"], row["here"]) for row in found["rows"]] == [("", True), ("fork", False)]
    assert [row["id"] for row in from_the_fork["rows"]] == [row["id"] for row in found["rows"]]
    assert found["rows"][1]["shared"] > 0


def test_a_comparison_has_the_numbers_of_bough_diff(served: Served) -> None:
    for words in (["b41f", "66d8"], ["b41f", "active"], ["active", "active", "--other", "7c2e"]):
        told: Any = msgspec.json.decode(cli(served, "diff", "3f9c", *words, "--json"))
        other = f"&other={words[3]}" if len(words) > 2 else ""

        seen = served.get(f"{STORY}/compare?a={words[0]}&b={words[1]}{other}")

        assert seen["shared"] == told["shared"]
        assert seen["parting"]["text"] == told["parting"]["text"]
        for side in ("a", "b"):
            for name in ("tip", "active", "turns", "calls", "cost_usd", "duration_seconds"):
                assert seen[side][name] == told[side][name]
            assert seen[side]["output_tokens"] == told[side]["tokens"]["output_tokens"]
            assert seen[side]["files"] == len(told[side]["files"])
        files = served.get(f"{STORY}/compare/files?a={words[0]}&b={words[1]}{other}")["files"]
        assert len(files) == sum(len(told[name]) for name in ("only_a", "only_b", "both"))


def test_a_message_that_is_not_there_is_named(served: Served) -> None:
    for path in ("/compare?a=ffffffff", "/reading?at=ffffffff"):
        status, answer = ask(served, f"GET {STORY}{path} HTTP/1.1")

        assert status == 404
        assert b"ffffffff" in answer
