"""`bough doctor`: what is wrong with a session; and how sessions are found by any command."""

from pathlib import Path

import msgspec
import pytest

from bough.sample import session
from tests.cli.screens import objects, one, piped
from tests.conftest import Home


def test_a_healthy_session_is_called_so(demo: Path) -> None:
    done = piped("doctor", "7c2e", claude=demo)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "Nothing is wrong. Nothing was changed."


def test_findings_are_a_line_each_problems_last(home: Home) -> None:
    with home.writing():
        session().user("a").assistant("b").malformed_line().unknown("pulse").write(home)

    lines = piped("doctor", "latest").stdout.splitlines()

    assert lines[:3] == [
        "✗ 4 lines, 3 records, 1 unreadable",
        "✓ A resume would see the whole conversation.",
        "! A kind this bough does not know: pulse 1 (client 2.1.250). Kept as it is.",
    ]
    assert lines[3].startswith("✗ Line 3 cannot be read (offset ")
    assert lines[4:] == [
        "  Nothing to do: clients skip it, and the other 3 are shown.",
        "1 problem, 1 note. Nothing was changed.",
    ]


def test_json_has_the_fields_of_the_contract(demo: Path) -> None:
    report = msgspec.json.decode(piped("doctor", "e398", "--json", claude=demo).stdout)

    findings = report["findings"]
    assert list(report) == ["session", "reachability", "findings"]
    assert isinstance(findings, list)
    fields = ["kind", "severity", "where", "message", "action"]
    assert [list(finding) for finding in findings] == [fields] * len(findings)
    assert {finding["severity"] for finding in findings} == {"problem", "note"}


def test_a_problem_ends_with_one_and_a_note_does_not(home: Home) -> None:
    with home.writing():
        broken = session("broken").user("a").assistant("b").malformed_line().write(home)
        odd = session("odd").user("a").assistant("b").unknown("pulse").write(home)

    assert piped("doctor", str(broken)).returncode == 1
    assert piped("doctor", str(broken), "--json").returncode == 1
    assert piped("doctor", str(odd)).returncode == 0


def test_what_it_suggests_can_be_run_as_it_stands(demo: Path) -> None:
    words = piped("doctor", "e398", claude=demo).stdout.split()
    place = words.index("repair")

    suggested = words[place - 1 : place + 3]
    assert suggested == ["bough", "repair", "e398d2e3", "--dry-run"]
    assert piped(*suggested[1:], claude=demo).returncode == 0


def test_a_session_goes_by_id_path_and_latest(demo: Path) -> None:
    (path,) = demo.glob("projects/*/3f9c*.jsonl")

    by_id = one("doctor", "3F9C", claude=demo)
    by_path = one("doctor", str(path))
    latest = one("doctor", "latest", claude=demo)

    assert by_id == by_path
    assert latest["session"] == objects("sessions", claude=demo)[0]["id"]


@pytest.mark.parametrize("command", ["doctor", "show", "tree"])
def test_a_beginning_of_several_ids_is_misuse(demo: Path, command: str) -> None:
    done = piped(command, "d", claude=demo)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        '"d" fits 3 sessions: d382b1c0, d481d8ae, d8b8c79f. Give more characters.\n'
    )


@pytest.mark.parametrize("command", ["doctor", "show", "tree"])
def test_an_id_that_is_not_there_is_answered_with_the_nearest(demo: Path, command: str) -> None:
    done = piped(command, "3f9d", claude=demo)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "No session begins with 3f9d. Nearest: 3f9c21d0 Make the CSV import resumable.\n"
    )


@pytest.mark.parametrize("command", ["doctor", "show", "tree", "conversations"])
def test_paths_that_are_no_sessions_are_said(tmp_path: Path, command: str) -> None:
    folder = tmp_path / "x.jsonl"
    folder.mkdir()
    link = tmp_path / "broken.jsonl"
    link.symlink_to(tmp_path / "gone")

    for path, reason in ((folder, "it is a folder"), (link, "no such file")):
        done = piped(command, str(path))

        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.endswith(f"{path.name}: {reason}.\n")
        assert done.stderr.count("\n") == 1
