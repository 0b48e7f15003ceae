"""`bough find`: words with what stands around them, on which branch, active or not."""

import os
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from bough.cli.main import run
from bough.sample import session
from tests.cli.screens import objects, on_screen, piped

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")


def test_a_match_stands_between_what_came_before_and_after(demo: Path) -> None:
    done = piped("find", "use a JOB table", "3f9c", claude=demo)

    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].split("  ")[0] == "Make the CSV import resumable"
    assert lines[2] == "│  0e77  13:31  You     Write the plan first, no code yet"
    assert lines[5] == "○  c2a9  13:40  You     Use a job table instead  left behind, tip f92c"
    assert lines[6] == "╰  f9f3  13:41  Claude  Write"


def test_the_active_branch_is_named(demo: Path) -> None:
    done = piped("find", "Keep a checkpoint file", "3f9c", claude=demo)

    (match,) = [line for line in done.stdout.splitlines() if line.startswith("●")]
    assert match.endswith("Keep a checkpoint file next to the CSV  active, and 1 more")


@POSIX
@pytest.mark.parametrize("columns", [80, 120])
def test_matches_on_a_terminal(demo: Path, columns: int, snapshot: SnapshotAssertion) -> None:
    code, shown = on_screen("find", "job table", "3f9c", claude=demo, columns=columns)

    assert code == 0
    assert shown == snapshot


def test_json_tells_where_each_match_is(demo: Path) -> None:
    found = objects("find", "job table", "3f9c", claude=demo)

    assert [list(match) for match in found] == [
        [
            *("session", "uuid", "kind", "text", "marks", "timestamp", "turn", "end", "active"),
            *("tips", "above", "below"),
        ]
    ] * len(found)
    assert [(match["kind"], match["active"]) for match in found] == [
        ("prompt", False),
        ("answer", False),
        ("summary", True),
    ]
    assert found[0]["marks"] == [[6, 15]]


def test_without_a_session_all_are_looked_into(demo: Path) -> None:
    everywhere = objects("find", "checkpoint", claude=demo)
    here = objects("find", "checkpoint", "3f9c", claude=demo)

    sessions = {match["session"] for match in everywhere}
    assert len(sessions) > 1
    assert [m for m in everywhere if m["session"] == here[0]["session"]] == here


@pytest.mark.parametrize("text", ["naïve", 'say "no"', "a\\b"])
def test_what_json_escapes_is_found_too(tmp_path: Path, text: str) -> None:
    session().user(f"Well, {text} it is").assistant("ok").write(tmp_path)

    (match,) = objects("find", text, claude=tmp_path)

    assert match["text"] == f"Well, {text} it is"


@pytest.mark.parametrize("where", [(), ("3f9c",)])
def test_nothing_found_is_said(demo: Path, where: tuple[str, ...]) -> None:
    done = piped("find", "no such words", *where, claude=demo)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Nothing in ")
    assert done.stderr.endswith('has "no such words".\n')


def test_no_words_are_misuse(demo: Path) -> None:
    assert piped("find", " ", claude=demo).returncode == 2


def test_matches_beyond_those_shown_at_once_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    builder = session("plums")
    for number in range(5):
        builder.user(f"plum {number}")
    path = builder.write(tmp_path)
    monkeypatch.setattr("bough.cli.commands.find._MOST_MATCHES", 2)

    run(["find", "plum", str(path)])
    few = capsys.readouterr()
    run(["find", "plum", str(path), "--limit", "5"])
    paged = capsys.readouterr()

    assert "2 matches are shown, 3 more are not. --limit 2 gives them page by page." in few.err
    assert few.out.count("●") == 2
    assert paged.err == ""
