"""`bough search` as people run it."""

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from bough.sample import SampleSession, session
from bough.store.sqlite.store import SqliteStore
from tests.cli.screens import run_now
from tests.cli.test_frame import BOUGH
from tests.conftest import Home


@pytest.fixture
def builder(home: Home) -> SampleSession:
    made = session("story", cwd="/home/dev/orchard-shop").title("The cursor")
    made.user("Where is the cursor kept?", name="prompt").assistant("In memory.", name="answer")
    made.tool("Bash", {"command": "ls"}, "cursor.py", name="ls").assistant("Done.", name="end")
    made.user("Use a checkpoint for the cursor", name="left").assistant("I do.")
    made.at("end").user("Use a job table instead", name="now").assistant("Better.")
    with home.writing() as folder:
        made.write(folder)
    return made


def test_hits_are_grouped_and_counted(builder: SampleSession) -> None:
    done = run_now("search", "cursor")

    lines = done.stdout.splitlines()
    assert done.returncode == 0
    assert lines[0].split() == [builder.session_id[:8], "The", "cursor", "orchard-shop"]
    assert any(line.endswith("  left-behind branch") for line in lines)
    assert {line.split("  ")[3].strip() for line in lines[1:]} == {"You", "Bash"}
    assert done.stderr.startswith("3 hits in 1 session, ")


def test_json_is_one_document_with_the_promised_fields(builder: SampleSession) -> None:
    done = run_now("search", "cursor", "kind:prompt", "--json", "--newest", "--limit", "1")

    found = msgspec.json.decode(done.stdout)
    (hit,) = found["hits"]
    assert (found["query"], found["total"], found["partial"]) == ("cursor kind:prompt", 2, False)
    assert hit == {
        "session": builder.session_id,
        "project": builder.project,
        "uuid": builder.uuid("left"),
        "timestamp": builder.record_of("left")["timestamp"],
        "kind": "prompt",
        "snippet": "Use a checkpoint for the cursor",
        "active": False,
        "title": "The cursor",
        "path": hit["path"],
        "line": 7,
    }
    assert Path(hit["path"]).name == f"{builder.session_id}.jsonl"
    assert isinstance(found["next"], str)


def test_a_cursor_leads_through_all_pages(builder: SampleSession) -> None:
    uuids: list[str] = []
    more: list[str] = []
    while len(uuids) < 9:
        done = run_now("search", "cursor", "--json", "--limit", "1", *more)
        found = msgspec.json.decode(done.stdout)
        uuids += [hit["uuid"] for hit in found["hits"]]
        if found["next"] is None:
            break
        more = ["--after-cursor", found["next"]]

    assert sorted(uuids) == sorted(map(builder.uuid, ("prompt", "left", "ls.result")))


def test_only_new_bytes_are_needed_to_find_what_is_new(home: Home, builder: SampleSession) -> None:
    before = run_now("search", "zebra")
    builder.user("And a zebra")
    with home.writing() as folder:
        builder.write(folder)
    after = run_now("search", "zebra")

    assert (before.returncode, after.returncode) == (1, 0)
    assert "And a zebra" in after.stdout


@pytest.mark.parametrize(
    ("query", "said"),
    [
        (["chekpoint"], 'No hit for "chekpoint". "checkpoint" has 1.'),
        (
            ["checkpoint", "tool:Edit"],
            'No hit for "checkpoint tool:Edit". Without tool:Edit it has 1.',
        ),
        (["zzyzx"], 'No hit for "zzyzx".'),
    ],
)
def test_no_hit_is_said_with_what_would_have_some(
    builder: SampleSession, query: list[str], said: str
) -> None:
    done = run_now("search", *query)

    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"{said}\n")


def test_no_hit_is_still_a_document(builder: SampleSession) -> None:
    done = run_now("search", "--json", "zzyzx")

    assert done.returncode == 1
    assert msgspec.json.decode(done.stdout) == {
        "query": "zzyzx",
        "total": 0,
        "partial": False,
        "hits": [],
        "next": None,
        "skipped": [],
    }


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["checkpoint tool:"], "tool: wants a tool's name, as in tool:Bash. The query stops"),
        ([" "], "Nothing to search for."),
        (["a", "--limit", "0"], "--limit takes a number from 1 to 1000, not 0."),
        (["a", "--after-cursor", "x"], "x is not a cursor."),
        (["a", "--newest", "--best"], "--newest and --best exclude each other."),
        ([], "QUERY... is missing."),
        (["--resume"], "No option is called --resume."),
    ],
)
def test_misuse_is_said_in_one_line(builder: SampleSession, words: list[str], said: str) -> None:
    done = run_now("search", *words)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(said)
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [["-cursor", "kind:prompt"], ["--", "--resume", "OR", "cursor"], ["cursor -checkpoint"]],
)
def test_words_with_dashes_are_words(builder: SampleSession, words: list[str]) -> None:
    assert run_now("search", *words).returncode == 0


def test_other_claude_folders_in_the_index_are_left_out(
    builder: SampleSession, tmp_path: Path
) -> None:
    session("other").user("cursor").write(tmp_path / "other")

    both = run_now("search", "cursor", "--json", "--claude-dir", str(tmp_path / "other"))
    ours = run_now("search", "cursor", "--json")

    assert (msgspec.json.decode(both.stdout)["total"], both.returncode) == (1, 0)
    assert msgspec.json.decode(ours.stdout)["total"] == 3


def test_hits_are_partial_while_another_bough_builds_the_index(
    home: Home, builder: SampleSession, tmp_path: Path
) -> None:
    index = tmp_path / "index.sqlite"
    run_now("search", "cursor", "--index", str(index))
    with home.writing() as folder:
        session("other").user("cursor").write(folder)
    store = SqliteStore(index)
    with store.writing():
        done = run_now("search", "cursor", "--json", "--index", str(index))
    store.close()

    found = msgspec.json.decode(done.stdout)
    assert (found["total"], found["partial"], done.returncode) == (3, True, 0)
    assert "The index is being built by another bough" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_person_is_shown_where_a_query_goes_wrong(builder: SampleSession) -> None:
    import pty  # noqa: PLC0415 - not on Windows

    ours, theirs = pty.openpty()
    done = subprocess.run(
        [*BOUGH, "search", "日本 tool:"],
        stdout=subprocess.PIPE,
        stderr=theirs,
        check=False,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    )
    os.close(theirs)
    shown = os.read(ours, 4096).decode().replace("\r\n", "\n").split("\n")
    os.close(ours)

    assert done.returncode == 2
    assert shown[:2] == ["日本 tool:", "          ^"]
