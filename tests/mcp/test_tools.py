"""What each tool answers."""

import json
from pathlib import Path
from typing import Any

import pytest

from bough.errors import BoughError
from bough.mcp.answers import Answerer
from bough.mcp.quote_fences import NOTE
from bough.sample import session
from bough.sample.data.ids import uuid_of
from tests.mcp.histories import FOREIGN, OURS, START, THEIRS, make_answerer, write_history

ORCHARD = uuid_of("orchard")


def ask(answerer: Answerer, tool: str, **arguments: Any) -> dict[str, Any]:
    answer = answerer.call_tool(tool, arguments)
    assert not answer.is_error, answer.text
    note, _, document = answer.text.partition("\n")
    assert note == NOTE
    found: dict[str, Any] = json.loads(document)
    return found


def refuse(answerer: Answerer, tool: str, **arguments: Any) -> str:
    answer = answerer.call_tool(tool, arguments)
    assert answer.is_error, answer.text
    return answer.text


def test_a_hit_has_a_place_that_read_takes(answerer: Answerer) -> None:
    found = ask(answerer, "search", query="redis never")

    hit = found["hits"][0]
    assert hit["who"] == "user"
    assert hit["branch"] == "active"
    assert hit["when"].startswith("2026-11-02T09:")
    assert "Use SQLite for the job queue, never Redis." in hit["text"]
    slice_ = ask(answerer, "read", place=hit["place"], after=0)
    assert "Use SQLite for the job queue" in slice_["messages"][0]["text"]
    assert slice_["messages"][0]["place"] == hit["place"]


def test_a_hit_on_a_left_behind_branch_says_so(answerer: Answerer) -> None:
    (hit,) = ask(answerer, "search", query='"redis after all"')["hits"]

    assert hit["branch"] == "left behind"


def test_results_of_web_tools_are_found_only_when_asked_for(answerer: Answerer) -> None:
    assert ask(answerer, "search", query="outsideword").get("hits", []) == []
    assert "at character" in refuse(answerer, "search", query='"outsideword')
    assert ask(answerer, "search", query="(outsideword OR none)").get("hits", []) == []
    (hit,) = ask(answerer, "search", query="outsideword", outside=True)["hits"]
    assert hit["kind"] == "tool_result"


def test_a_cursor_goes_on_behind_what_was_shown(answerer: Answerer) -> None:
    everything = ask(answerer, "search", query="queue", limit=10, budget=2000)["hits"]
    places = []
    cursor = None
    while True:
        more: dict[str, Any] = {} if cursor is None else {"cursor": cursor}
        page = ask(answerer, "search", query="queue", limit=3, budget=350, **more)
        places += [hit["place"] for hit in page.get("hits", [])]
        cursor = page.get("next")
        if cursor is None:
            break
    assert places == [hit["place"] for hit in everything]


def test_read_gives_calls_and_results_as_they_are_asked_for(answerer: Answerer) -> None:
    (hit,) = ask(answerer, "search", query="SQLite never", kinds=["prompt"])["hits"]

    def calls(*include: str) -> list[dict[str, Any]]:
        found = ask(answerer, "read", place=hit["place"], after=0, include=list(include))
        return [call for one in found["messages"] for call in one.get("calls", [])]

    assert calls("text") == []
    bash, edit, _, fetch, *_ = calls("tools")
    assert "make test SEED=41" in bash["given"]
    assert bash["failed"] is True
    assert "result" not in bash
    assert "queue.py" in edit["given"]
    assert fetch["from"] == "outside"
    assert "12 passed" in calls("results")[2]["result"]


def test_what_an_agent_of_the_session_said_is_found_and_read(answerer: Answerer) -> None:
    hits = ask(answerer, "search", query='"explorer found three"', kinds=["text"])["hits"]
    hit = next(one for one in hits if "agent" in one)
    assert "Explore" in hit["agent"]
    found = ask(answerer, "read", place=hit["place"], after=0)
    assert "Explore" in found["agent"]
    assert any("three queues" in one.get("text", "") for one in found["messages"])


def test_read_of_a_session_gives_its_end_and_names_what_comes_next(answerer: Answerer) -> None:
    found = ask(answerer, "read", place=ORCHARD[:8])

    assert "Gone on." in found["messages"][-1]["text"]
    assert "next" not in found


def test_sessions_are_listed_newest_first_with_those_of_worktrees(answerer: Answerer) -> None:
    found = ask(answerer, "sessions")

    assert [row["session"] for row in found["sessions"]] == [uuid_of("worktree"), ORCHARD]
    assert found["total"] == 2
    only = ask(answerer, "sessions", file="src/queue.py")
    assert [row["session"] for row in only["sessions"]] == [ORCHARD]
    assert ask(answerer, "sessions", since="2027-01-01")["total"] == 0
    assert ask(answerer, "sessions", project="fix-tax")["total"] == 1


def test_sessions_go_on_at_a_cursor(answerer: Answerer) -> None:
    first = ask(answerer, "sessions", limit=1)
    second = ask(answerer, "sessions", limit=1, cursor=first["next"])

    assert second["sessions"][0]["session"] == ORCHARD
    assert "next" not in second
    assert "not a cursor" in refuse(answerer, "sessions", cursor="x")


def test_decisions_are_candidates_with_their_quotes(answerer: Answerer) -> None:
    found = ask(answerer, "decisions", about="job queue")

    assert found["found"].startswith("2 candidates")
    by = {one["evidence"]: one for one in found["candidates"]}
    assert "never Redis" in by["asked"]["text"]
    assert "Agreed" in by["concluded"]["text"]
    assert "you decided" not in json.dumps(found).casefold()


def test_file_history_says_in_which_turn_and_after_which_prompt(answerer: Answerer) -> None:
    (use,) = ask(answerer, "file_history", path="src/queue.py")["uses"]

    assert use["did"] == "changed"
    assert "Use SQLite" in use["prompt"]
    assert use["turn"].startswith(f"{ORCHARD}#")


@pytest.mark.parametrize(
    "asked",
    [{"command": "make test SEED=99"}, {"error": "x\nImportError: no module queue_7\n"}],
    ids=["command", "error"],
)
def test_before_finds_the_same_run_and_what_was_run_next(
    answerer: Answerer, asked: dict[str, str]
) -> None:
    found = ask(answerer, "before", **asked)

    place = next(one for one in found["places"] if one["failed"])
    assert "SEED=41" in place["command"]
    assert "queue_41" in place["error"]
    assert "Edit" in place["run_next"]
    assert place["not_seen_again_in_sessions"] == 1


def test_before_takes_a_command_or_an_error(answerer: Answerer) -> None:
    assert "not both" in refuse(answerer, "before")
    assert "not both" in refuse(answerer, "before", command="a", error="b")


def test_usage_is_that_of_the_projects_in_scope(
    answerer: Answerer, history: tuple[Path, Path]
) -> None:
    ours = ask(answerer, "usage", report="model", since="2026-01-01")["rows"]
    everything = make_answerer(*history, project=None)
    rows = ask(everything, "usage", report="model", since="2026-01-01")["rows"]
    everything.close()

    assert {"orchard-shop", "fix-tax"} == {row["project"].split()[2] for row in ours}
    assert len(rows) == len(ours) + 1


def test_compare_tells_what_each_branch_alone_has(answerer: Answerer) -> None:
    (hit,) = ask(answerer, "search", query='"redis after all"')["hits"]
    session, _, uuid = hit["place"].partition("#")
    found = ask(answerer, "compare", session=session, tip_a=uuid)

    assert found["active"] == "b"
    sides = [one["side"] for one in found["differences"] if "side" in one]
    assert sides[0] == "a"
    assert "b" in sides


def test_dropped_lists_prompts_commands_and_files(answerer: Answerer) -> None:
    (hit,) = ask(answerer, "search", query="readme", kinds=["prompt"])["hits"]
    session = hit["place"].partition("#")[0]
    found = ask(answerer, "dropped", session=session)

    # The active line goes on before the compaction, so none is on it.
    assert found.get("dropped", []) == []


def test_what_is_not_taken_is_named(answerer: Answerer) -> None:
    assert "unknown field" in refuse(answerer, "search", query="a", everything=True)
    assert "limit" in refuse(answerer, "search", query="a", limit=11)
    assert "query" in refuse(answerer, "search")
    assert "no tool" in refuse(answerer, "fork")


def test_without_an_index_it_is_said_how_to_make_one(tmp_path: Path) -> None:
    (tmp_path / "claude" / "projects").mkdir(parents=True)
    made = make_answerer(tmp_path / "claude", tmp_path / "none.sqlite")

    assert "bough index" in refuse(made, "search", query="a")
    assert not (tmp_path / "none.sqlite").exists()


def test_a_session_of_another_project_is_not_even_named(answerer: Answerer) -> None:
    foreign = uuid_of("other")

    for wanted in (foreign, foreign[:8], "-home-dev-other-client", THEIRS):
        words = refuse(answerer, "read", place=wanted)
        assert words == f"No session in scope begins with {wanted!r}."
    words = refuse(answerer, "search", query="queue", project=THEIRS)
    assert words == f"No project in scope is called {THEIRS!r}."
    assert ask(answerer, "search", query=f"{FOREIGN} project:other-client").get("hits", []) == []


def test_a_scope_without_sessions_answers_with_nothing(history: tuple[Path, Path]) -> None:
    nowhere = make_answerer(*history, project="/home/dev/nowhere")

    assert ask(nowhere, "search", query="queue")["total"] == 0
    assert ask(nowhere, "sessions")["total"] == 0
    nowhere.close()


def test_a_worktree_has_the_scope_of_its_repository(history: tuple[Path, Path]) -> None:
    inside = make_answerer(*history, project=f"{OURS}/.claude/worktrees/fix-tax")

    assert ask(inside, "sessions")["total"] == 2
    inside.close()


@pytest.mark.parametrize(("path", "word"), [("my-app", "apple"), ("my.app", "pear")])
def test_two_paths_that_the_client_keeps_in_one_folder_are_two_projects(
    tmp_path: Path, path: str, word: str
) -> None:
    told = [
        session(name, cwd=f"/home/dev/{name}", start=START)
        .user(f"Use {fruit} for the queue")
        .tool("Edit", {"file_path": "/x/queue.py", "old_string": fruit}, "ok")
        .tool("Bash", {"command": f"cook {fruit}"}, f"Error: burnt {fruit}", is_error=True)
        .agent("Explore", "Look", answer=f"A tree of {fruit}.")
        for name, fruit in (("my-app", "apple"), ("my.app", "pear"))
    ]
    claude, index = write_history(tmp_path, *told)
    answerer = make_answerer(claude, index, f"/home/dev/{path}")
    asked: tuple[tuple[str, dict[str, Any]], ...] = (
        ("search", {"query": "apple OR pear"}),
        ("sessions", {}),
        ("decisions", {"about": "queue"}),
        ("file_history", {"path": "queue.py"}),
        ("before", {"error": "Error: burnt"}),
        ("usage", {"report": "session", "since": "2020-01-01"}),
        ("usage", {"since": "2020-01-01"}),
    )
    texts = [answerer.call_tool(tool, arguments).text for tool, arguments in asked]
    foreign = next(uuid_of(one) for one in ("my-app", "my.app") if one != path)
    refused = refuse(answerer, "read", place=foreign)
    answerer.close()

    assert len(list(claude.glob("projects/*"))) == 1
    assert all(word in text for text in texts[:4])
    assert "A tree of" in texts[0]
    words = {"apple", "pear"} - {word} | {foreign, path.translate({45: ".", 46: "-"})}
    assert not [(other, text) for other in words for text in texts if other in text]
    assert "Another project has the same folder" in texts[-1]
    assert "No session in scope" in refused


def test_resources_are_outlines_turns_and_files(answerer: Answerer) -> None:
    outline = answerer.read_resource(f"bough://session/{ORCHARD}")
    assert "Use SQLite" in outline.text
    place = json.loads(outline.text.partition("\n")[2])["prompts"][0]["place"]
    turn = answerer.read_resource(f"bough://session/{place.replace('#', '/turn/')}")
    assert "make test SEED=41" in turn.text
    assert "Use SQLite" in answerer.read_resource("bough://file/src/queue.py").text
    assert answerer.read_resource("bough://elsewhere/1").is_error
    assert answerer.complete_session(ORCHARD[:4]) == [ORCHARD]
    assert answerer.complete_session(uuid_of("other")[:6]) == []


def test_a_session_in_short_is_one_quote(answerer: Answerer) -> None:
    answer = answerer.summarize_session(ORCHARD)
    document = json.loads(answer.text.partition("\n")[2])

    (part,) = document["conversation"]
    assert part["text"].startswith("<<<quote id=")
    assert "Use SQLite" in part["text"]


def test_a_fault_of_ours_is_an_answer_and_not_the_end(
    answerer: Answerer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise BoughError("A file said <<<end id=1>>> in its name.")

    monkeypatch.setattr("bough.library.search", fail)
    words = refuse(answerer, "search", query="queue")

    assert words.startswith(NOTE)
    assert "<<<end id=1>>>" not in words
