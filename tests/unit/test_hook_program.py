"""`bough-hook`: one small file per event; it never blocks, never prints, and always ends well."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bough.hook_program import keep_event, make_note
from tests.file_size import limited_file_size

HOOK = [sys.executable, "-c", "from bough.hook_program import main; main()"]
REQUEST = {
    "session_id": "one",
    "transcript_path": "/x/one.jsonl",
    "cwd": "/secret/place",
    "tool_name": "Bash",
    "tool_input": {"command": "make\n ship", "env": "TOKEN=abc", "timeout": 5},
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "bough" / "hook-events"


def run(given: bytes, event: str = "PermissionRequest") -> None:
    done = subprocess.run([*HOOK, event], input=given, capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_an_event_is_a_file_for_its_owner_alone(folder: Path) -> None:
    run(json.dumps(REQUEST).encode())
    (file,) = folder.iterdir()
    note = json.loads(file.read_text())

    assert file.stat().st_mode & 0o777 == 0o600
    assert {name: note[name] for name in ("event", "session", "tool", "about")} == {
        "event": "PermissionRequest",
        "session": "one",
        "tool": "Bash",
        "about": "make ship",
    }
    assert "TOKEN" not in file.read_text()
    assert "secret" not in file.read_text()


@pytest.mark.parametrize(
    "given", [b"", b"garbage\xff", b"[1]", b"[" * 500_000, b'{"session_id": 7}']
)
def test_what_names_no_session_is_not_kept(folder: Path, given: bytes) -> None:
    run(given)

    assert not folder.exists()


def test_a_document_that_is_too_long_still_names_its_session_and_tool(folder: Path) -> None:
    given = json.dumps({**REQUEST, "tool_input": {"command": "x" * 10_000_000}}).encode()
    run(given)
    (file,) = folder.iterdir()
    note = json.loads(file.read_text())

    assert (note["session"], note["tool"], note["about"]) == ("one", "Bash", "")
    assert file.stat().st_size < 1_000


@pytest.mark.parametrize(
    ("given", "about"),
    [
        ({"command": "x" * 1_000}, "x" * 400),
        ({"file_path": "/a/b.py", "content": "secret"}, "/a/b.py"),
        ({"questions": [{"question": "Which one?"}]}, "Which one?"),
        ({"questions": []}, ""),
        ({"anything": "else"}, ""),
        ([], ""),
    ],
)
def test_one_field_of_what_a_tool_is_given_is_kept(given: object, about: str) -> None:
    data = json.dumps({"session_id": "one", "tool_input": given}).encode()

    assert make_note("PermissionRequest", data, 0)["about"] == about


def test_tasks_that_run_on_are_counted() -> None:
    tasks = [{"status": "running", "command": "x"}, {"status": "done"}, 7]
    data = json.dumps({"session_id": "one", "background_tasks": tasks}).encode()

    assert make_note("Stop", data, 0)["tasks"] == 1


def test_fifty_at_once_are_fifty_files(folder: Path) -> None:
    given = json.dumps(REQUEST).encode()
    hooks = []
    for _ in range(50):
        one = subprocess.Popen([*HOOK, "Stop"], stdin=subprocess.PIPE)
        assert one.stdin is not None
        one.stdin.write(given)
        one.stdin.close()
        hooks.append(one)

    assert [one.wait(120) for one in hooks] == [0] * 50
    assert len(list(folder.glob("*.json"))) == 50
    assert {json.loads(file.read_text())["session"] for file in folder.iterdir()} == {"one"}


def test_where_nothing_can_be_written_nobody_is_troubled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/dev/null/nowhere")

    run(json.dumps(REQUEST).encode())


@pytest.mark.skipif(os.name != "posix", reason="needs limits and pipes of POSIX")
def test_a_full_disk_keeps_nothing_half_written(folder: Path) -> None:
    with limited_file_size(20):
        run(json.dumps(REQUEST).encode())

    assert list(folder.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="pipes cannot be waited for elsewhere")
def test_a_stdin_that_never_ends_holds_nobody_up(folder: Path) -> None:
    hook = subprocess.Popen([*HOOK, "Stop"], stdin=subprocess.PIPE)
    assert hook.stdin is not None
    hook.stdin.write(json.dumps(REQUEST).encode())
    hook.stdin.flush()

    assert hook.wait(30) == 0
    assert len(list(folder.iterdir())) == 1
    hook.stdin.close()


def test_a_long_document_is_read_to_its_end(folder: Path) -> None:
    given = json.dumps({**REQUEST, "tool_input": {"content": "x" * 8_000_000}}).encode()
    hook = subprocess.Popen([*HOOK, "Stop"], stdin=subprocess.PIPE)
    assert hook.stdin is not None
    hook.stdin.write(given)  # a broken pipe is what a client takes for a failure
    hook.stdin.close()

    assert hook.wait(30) == 0
    assert len(list(folder.iterdir())) == 1


def test_old_events_go_when_a_session_starts(folder: Path) -> None:
    week = 7 * 86_400 * 1_000_000_000
    data = json.dumps(REQUEST).encode()
    keep_event("Stop", data, 1_000)
    keep_event("Stop", data, week)
    keep_event("SessionStart", data, week + 2_000)

    assert len(os.listdir(folder)) == 2  # noqa: PTH208
