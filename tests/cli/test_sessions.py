"""`bough sessions`: sessions, newest first; and what is said of files that cannot be read."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from bough.cli.main import run
from bough.sample import session
from tests.cli.screens import PROGRAM, ROOT, objects, on_screen, piped
from tests.conftest import Home

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX system")
FIELDS = [
    *("id", "project", "path", "title", "title_source", "started_at", "ended_at", "records"),
    *("bad_lines", "unknown_records", "turns", "branch_points", "tips", "agents", "models"),
    *("git_branch", "version", "kind", "run", "bytes"),
]


@POSIX
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (160, 50)])
@pytest.mark.parametrize("words", [("sessions",), ("sessions", "orchard-shop")])
def test_the_table_on_a_terminal(
    demo: Path, words: tuple[str, ...], columns: int, rows: int, snapshot: SnapshotAssertion
) -> None:
    code, shown = on_screen(*words, claude=demo, columns=columns, rows=rows)

    assert code == 0
    assert shown == snapshot


@POSIX
def test_a_long_table_says_of_which_sessions_it_knows_the_state(home: Home) -> None:
    with home.writing():
        for number in range(61):
            session(f"{number:08}").user(f"Prompt {number}").assistant("Yes").write(home)

    _, long = on_screen("sessions", rows=90)
    _, short = on_screen("sessions", "--limit", "60", rows=90)

    told = "STATE is that of the newest 60. --state finished lists all of one.\n"
    assert told in long
    assert told not in short
    assert told not in piped("sessions").stderr


def test_a_pipe_gets_every_word_and_no_colour(demo: Path) -> None:
    done = piped("sessions", claude=demo)

    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout
    assert "…" not in done.stdout
    assert "Ticket 318: orders without a customer" in done.stdout


def test_json_has_the_fields_of_the_contract(demo: Path) -> None:
    rows = objects("sessions", claude=demo)

    assert [name for name in rows[0] if name in FIELDS] == FIELDS
    assert {str(row["kind"]) for row in rows} == {"main", "sdk", "plan", "implementation"}
    ended = [str(row["ended_at"]) for row in rows]
    assert ended == sorted(ended, reverse=True)


def test_sessions_without_a_conversation_are_listed_only_when_asked(home: Home) -> None:
    with home.writing():
        session("talk").user("hi").assistant("yes").write(home)
        session("quiet").mode().write(home)

    assert len(objects("sessions")) == 1
    assert len(objects("sessions", "--all")) == 2


@pytest.mark.parametrize(
    "name",
    [
        "paper-lantern",
        "-home-dev-code-paper-lantern",
        "/home/dev/code/paper-lantern",
        "Paper-Lantern",
    ],
)
def test_a_project_goes_by_name_folder_and_path(demo: Path, name: str) -> None:
    rows = objects("sessions", name, claude=demo)

    assert {str(row["project"]) for row in rows} == {"-home-dev-code-paper-lantern"}


def test_a_project_of_no_name_is_answered_with_the_nearest(demo: Path) -> None:
    done = piped("sessions", "paper-lntern", claude=demo)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "No project is called paper-lntern. Nearest: paper-lantern.\n"


def test_a_name_of_two_projects_is_misuse(demo: Path) -> None:
    done = piped("sessions", "tide-table", claude=demo)

    assert (done.returncode, done.stdout) == (2, "")
    assert "fits 2 projects" in done.stderr


def test_no_claude_folder_is_said_once(tmp_path: Path) -> None:
    done = piped("sessions", claude=tmp_path / "nowhere")

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("No Claude folder at ")
    assert done.stderr.count("\n") == 1


def test_an_empty_claude_folder_is_no_failure(home: Home) -> None:
    done = piped("sessions")

    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith("No session with a conversation here.")
    assert piped("sessions", "--json").stdout == "[]\n"


@POSIX
def test_what_is_no_session_is_said_and_the_rest_is_shown(home: Home) -> None:
    with home.writing():
        path = session("good").user("hello").assistant("yes").write(home)
        (path.parent / "folder.jsonl").mkdir()
        (path.parent / "broken.jsonl").symlink_to(path.parent / "gone.jsonl")

    done = piped("sessions")

    assert done.returncode == 0
    assert "hello" in done.stdout
    assert sorted(done.stderr.splitlines()) == [
        "broken.jsonl is a link to something that is not there. The rest is shown.",
        "folder.jsonl is a folder, so it holds no lines. The rest is shown.",
    ]


def test_a_file_that_may_not_be_read_is_said_and_the_rest_is_shown(
    home: Home, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with home.writing():
        session("good").user("hello").assistant("yes").write(home)
        secret = session("secret").user("secret").assistant("no").write(home)
    _refuse(monkeypatch, secret, PermissionError(13, "Permission denied"))

    code = run(["sessions"])

    said = capsys.readouterr()
    assert code == 0
    assert "hello" in said.out
    assert said.err.count("\n") == 1
    assert f"{secret.name}: permission denied. The rest is shown." in said.err


def test_a_file_that_vanishes_is_said_and_the_rest_is_shown(
    home: Home, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with home.writing():
        session("good").user("hello").assistant("yes").write(home)
        gone = session("gone").user("gone").assistant("no").write(home)
    _refuse(monkeypatch, gone, FileNotFoundError(2, "No such file or directory"))

    code = run(["sessions", "--json"])

    said = capsys.readouterr()
    assert code == 0
    assert "hello" in said.out
    assert f"{gone.name}: no such file." in said.err


def _refuse(monkeypatch: pytest.MonkeyPatch, path: Path, error: OSError) -> None:
    """Make the system refuse one file; as root, chmod would refuse nothing."""
    real = os.open

    def refusing(file: str | Path, flags: int, *arguments: int) -> int:
        if os.fspath(file) == str(path):
            raise error
        return real(file, flags, *arguments)

    monkeypatch.setattr(os, "open", refusing)


@pytest.mark.parametrize(
    "words",
    [
        ["sessions", "a\0b"],
        ["show", "a\0b"],
        ["show", "x\0.jsonl"],
        ["tree", "3\0"],
        ["doctor", "\0"],
        ["conversations", "\0"],
        ["sessions", ""],
        ["show", ""],
        ["--claude-dir", "a\0b", "projects"],
        ["--index", "a\0b", "sessions"],
    ],
)
@pytest.mark.usefixtures("home")
def test_a_name_that_can_be_none_is_misuse(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(words)

    said = capsys.readouterr()
    assert (code, said.out) == (2, "")
    assert said.err.count("\n") == 1


@POSIX
def test_a_reader_that_stops_early_is_no_failure(demo: Path) -> None:
    writer = subprocess.Popen(
        [*PROGRAM, "--claude-dir", str(demo), "show", "3f9c", "--full"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )
    assert writer.stdout
    assert writer.stderr

    writer.stdout.readline()
    writer.stdout.close()
    said = writer.stderr.read()
    writer.stderr.close()

    assert (said, writer.wait(60)) == (b"", 0)


def test_a_list_imports_no_other_face(demo: Path) -> None:
    program = (
        "import sys\nfrom bough.cli.main import run\nrun(sys.argv[1:])\n"
        "faces = {name for name in sys.modules if name.startswith('bough.')}\n"
        "print([n for n in faces if n.split('.')[1] in ('tui', 'web', 'mcp')], file=sys.stderr)\n"
        "print('textual' in sys.modules, 'bough.sample' in sys.modules, file=sys.stderr)"
    )

    done = subprocess.run(
        [sys.executable, "-c", program, "--claude-dir", str(demo), "sessions", "--json"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )

    assert done.stderr == "[]\nFalse False\n"


def test_the_index_gives_the_same_list(demo: Path) -> None:
    before = objects("sessions", claude=demo)
    assert piped("index", claude=demo).returncode == 0

    after = objects("sessions", claude=demo)

    assert [{name: row[name] for name in FIELDS} for row in after] == [
        {name: row[name] for name in FIELDS} for row in before
    ]
