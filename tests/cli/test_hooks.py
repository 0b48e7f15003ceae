"""`bough hooks`: set beside others, taken out to the byte, and never too new for a client."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bough.library import StreamEvent, watch
from bough.sample import session
from bough.timetravel.settings_file import read_settings_text
from tests.cli.travelled import Place
from tests.conftest import Home

OTHERS = """{
  // never without asking
  "permissions": {"deny": ["Bash"]},
  "hooks": {
    "Stop": [
      {"matcher": "", "hooks": [{"type": "command", "command": "say done"}]} // loud
    ],
    "PreToolUse": []
  }
}
"""
OLD = {
    *("Notification", "UserPromptSubmit", "Stop", "SubagentStop", "PreCompact"),
    *("SessionStart", "SessionEnd"),
}


@pytest.fixture
def settings(place: Place) -> Path:
    """Name settings with hooks of somebody else; nobody has used a client here."""
    for path in place.claude.glob("projects/*"):
        for file in path.rglob("*.jsonl"):
            os.utime(file, (1_500_000_000, 1_500_000_000))
    place.environ["PATH"] = os.defpath
    path = place.claude / "settings.json"
    path.write_text(OTHERS)
    return path


def use_client(place: Place, *versions: str) -> None:
    """Let clients of these versions have written just now."""
    folder = place.claude / "projects" / "-somewhere"
    folder.mkdir(exist_ok=True)
    for version in versions:
        line = {"type": "user", "version": version, "toolUseResult": {"version": "0.0.1"}}
        (folder / f"{version}.jsonl").write_text(json.dumps(line, separators=(",", ":")) + "\n")


def own_events(path: Path) -> set[str]:
    hooks = read_settings_text(path.read_text(), str(path)).get("hooks", {})
    assert isinstance(hooks, dict)
    return {event for event, groups in hooks.items() if "bough-hook" in json.dumps(groups)}


@pytest.mark.parametrize(
    ("versions", "newer"),
    [
        ((), set()),
        (("1.0.128", "2.1.325"), set()),
        (("2.0.60",), set()),
        (("2.0.76", "2.1.325"), {"PermissionRequest"}),
        (("2.1.75",), {"PermissionRequest"}),
        (("2.1.110", "2.1.325"), {"PermissionRequest", "StopFailure"}),
    ],
)
def test_only_what_every_client_takes_is_set(
    place: Place, settings: Path, versions: tuple[str, ...], newer: set[str]
) -> None:
    use_client(place, *versions)
    done = place.bough("hooks", "install", "--yes")

    assert done.returncode == 0, done.stderr
    assert own_events(settings) == OLD | newer


def test_a_client_that_went_on_in_between_counts(place: Place, settings: Path) -> None:
    use_client(place, "2.1.325")
    file = place.claude / "projects" / "-somewhere" / "2.1.325.jsonl"
    line, words = file.read_bytes(), b"x" * 100_000
    older = line.replace(b"2.1.325", b"2.0.60")
    file.write_bytes(line + words + b"\n" + older + words + b"\n" + line)
    done = place.bough("hooks", "install", "--yes")

    assert done.returncode == 0, done.stderr
    assert own_events(settings) == OLD


def test_a_client_nobody_tried_gets_no_hooks(place: Place, settings: Path) -> None:
    use_client(place, "1.0.40", "2.1.325")
    done = place.bough("hooks", "install", "--yes")

    assert done.returncode == 2
    assert "Client 1.0.40" in done.stderr
    assert settings.read_text() == OTHERS


def test_an_older_client_that_appears_later_is_warned_of(place: Place, settings: Path) -> None:
    use_client(place, "2.1.325")
    assert place.bough("hooks", "install", "--yes").returncode == 0
    use_client(place, "2.1.50")
    warned = place.bough("hooks", "status")
    assert place.bough("hooks", "install", "--yes").returncode == 0

    assert "Client 2.1.50 does not know StopFailure" in warned.stderr
    assert own_events(settings) == OLD | {"PermissionRequest"}
    assert place.bough("hooks").stderr == ""


def test_doctor_names_the_client_that_throws_its_settings_away(
    place: Place, settings: Path
) -> None:
    use_client(place, "2.1.325")
    assert place.bough("hooks", "install", "--yes").returncode == 0
    fine = place.bough("doctor")
    use_client(place, "2.1.50")
    wrong, beside = place.bough("doctor"), place.bough("doctor", "51d0")
    found = json.loads(place.bough("doctor", "--json").stdout)
    assert place.bough("hooks", "install", "--yes").returncode == 0

    assert (fine.returncode, fine.stdout) == (0, "Nothing is wrong with the client's settings.\n")
    assert wrong.returncode == 1
    assert "Client 2.1.50 does not know StopFailure" in wrong.stdout
    assert "Set the hooks anew: bough hooks install." in wrong.stdout
    assert (beside.returncode, beside.stderr.strip()) == (0, wrong.stdout.strip())
    assert found["files"] == [str(settings)]
    assert found["versions"] == ["2.1.50", "2.1.325"]
    assert place.bough("doctor").returncode == 0


def test_hooks_of_others_are_warned_of_too(place: Place, settings: Path) -> None:
    settings.write_text('{"hooks": {"PreToolUse": [], "TeammateIdle": [], "SubagentStart": []}}')
    use_client(place, "2.0.76", "2.1.325")
    warned = place.bough("doctor").stdout.splitlines()

    assert len(warned) == 1
    assert warned[0].startswith("Client 2.0.76 does not know TeammateIdle, and throws")
    assert "take it out by hand, or update that client" in warned[0]
    assert "TeammateIdle" in place.bough("hooks").stderr


def test_the_change_is_shown_line_by_line_with_the_versions(place: Place, settings: Path) -> None:
    use_client(place, "2.1.132")
    shown = place.bough("hooks", "install", "--dry-run").stdout

    assert "Clients seen in the last 90 days and on the PATH: 2.1.132." in shown
    assert "add two records at each resume" in shown
    assert shown.count("Adds  ") >= len(OLD)
    assert settings.read_text() == OTHERS


def test_uninstall_gives_the_bytes_back(place: Place, settings: Path) -> None:
    assert place.bough("hooks", "install", "--yes").returncode == 0
    added = read_settings_text(settings.read_text(), "x")
    assert place.bough("hooks", "uninstall", "--yes").returncode == 0

    assert added["permissions"] == {"deny": ["Bash"]}
    assert settings.read_text() == OTHERS
    assert place.bough("hooks", "uninstall", "--yes").returncode == 2


def test_uninstall_removes_its_own_entries_where_something_else_changed(
    place: Place, settings: Path
) -> None:
    assert place.bough("hooks", "install", "--yes").returncode == 0
    text = settings.read_text()
    settings.write_text(text.replace("never", "not").replace("say done", "say ready"))
    assert place.bough("hooks", "uninstall", "--yes").returncode == 0

    assert settings.read_text() == OTHERS.replace("never", "not").replace("say done", "say ready")


ALIKE = (
    "/home/dev/bough-hooks/run.sh",
    "/opt/bin/bough-hook Stop && say done",
    "echo bough-hook Stop",
    "bough-hook-of-mine Stop",
)


def test_hooks_of_others_that_look_alike_stay(place: Place, settings: Path) -> None:
    hooks = [{"type": "command", "command": command} for command in ALIKE]
    text = json.dumps({"hooks": {"Stop": [{"matcher": "", "hooks": hooks}]}})
    settings.write_text(text)
    without = place.bough("hooks", "uninstall", "--yes")
    assert place.bough("hooks", "install", "--yes").returncode == 0
    installed = settings.read_text()
    settings.write_text(installed.replace("{", '{"model": "x", ', 1))  # changed since
    assert place.bough("hooks", "uninstall", "--yes").returncode == 0
    left = json.loads(settings.read_text())

    assert without.returncode == 2
    assert all(json.dumps(command) in installed for command in ALIKE)
    assert left == {"model": "x", "hooks": {"Stop": [{"matcher": "", "hooks": hooks}]}}


def test_without_settings_a_file_is_made_and_goes_again(place: Place, settings: Path) -> None:
    settings.unlink()
    assert place.bough("hooks", "install", "--yes").returncode == 0
    assert own_events(settings) == OLD
    assert place.bough("hooks", "uninstall", "--yes").returncode == 0

    assert not settings.exists()


@pytest.mark.parametrize("hooks", ["[]", '"x"', '{"Stop": {}}', '{"Stop": [7]}'])
def test_hooks_that_are_none_are_left_alone(place: Place, settings: Path, hooks: str) -> None:
    settings.write_text(f'{{"hooks": {hooks}}}')
    done = place.bough("hooks", "install", "--yes")

    assert done.returncode == 2
    assert settings.read_text() == f'{{"hooks": {hooks}}}'


@pytest.mark.skipif(os.name != "posix", reason="needs sh")
def test_what_is_written_runs_and_ends_quietly_where_the_program_is_gone(
    place: Place, settings: Path
) -> None:
    assert place.bough("hooks", "install", "--yes").returncode == 0
    hooks = read_settings_text(settings.read_text(), "x")["hooks"]
    assert isinstance(hooks, dict)
    command = hooks["SessionEnd"][0]["hooks"][0]["command"]
    env = {**os.environ, **place.environ}
    given = b'{"session_id": "one"}'
    runs = [
        subprocess.run(["sh", "-c", words], env=env, input=given, capture_output=True, check=False)
        for words in (command, command.replace("/bough-hook", "/bough-hook-gone"))
    ]

    assert [(one.returncode, one.stdout, one.stderr) for one in runs] == [(0, b"", b"")] * 2
    assert len(list((place.data / "bough" / "hook-events").iterdir())) == 1


def test_a_request_is_told_within_a_moment(home: Home) -> None:
    builder = session("s", cwd="/home/dev/shop", version="2.0.76").user("Ship it")
    builder = builder.tool("Bash", {"command": "make ship"}, None)
    with home.writing():
        path = builder.write(home.path)
    request = {"session_id": path.stem, "tool_name": "Bash", "tool_input": {"command": "make ship"}}
    hook = [sys.executable, "-c", "from bough.hook_program import main; main()"]
    with watch(since="2000-01-01", claude_dir=home.path, no_index=True) as stream:
        stream.past()
        stream.next(0.1)
        subprocess.run([*hook, "PermissionRequest"], input=json.dumps(request).encode(), check=True)
        begun = time.monotonic()
        told: list[StreamEvent] = []
        while not told and time.monotonic() - begun < 20:
            told = [one for one in stream.next(1.0) if one.kind == "state"]
        took = time.monotonic() - begun
        rows = stream.sessions()

    assert [(one.state, one.sure, one.text) for one in told] == [
        ("waiting", True, "waits for you: run make ship?")
    ]
    assert [row.asks for row in rows] == ["run make ship?"]
    # 10 ms on an idle machine; 300 ms are promised, and this one may be busy.
    assert took < 3
