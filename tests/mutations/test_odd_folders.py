"""What is no file of a session: pipes, devices, links in a circle, and far too many of anything.

Every command that lists ends, and says what it could not read.
"""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from bough.cli.main import run
from bough.sample import session
from tests.cli.screens import PROGRAM, piped

LISTS = (
    ("index",),
    ("sessions",),
    ("conversations",),
    ("projects",),
    ("status", "--since", "900d"),
    ("usage", "session"),
    ("usage", "daily", "--no-index"),
    ("stats",),
    ("search", "hello"),
    ("find", "hello"),
)
TAKES_LONG = pytest.mark.skipif(
    "BOUGH_MUTATIONS" not in os.environ, reason="takes minutes: make test-mutations runs it"
)
MOST_SECONDS = 60
"""Of the processor: far more than so many branches or files take, far less than their square."""
MOST_ANSWER_SECONDS = 10
"""The same of what answers at once: everything but the index, which writes a row a record."""
POSIX = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")


@pytest.fixture
def claude(tmp_path: Path) -> Path:
    """Give a history with one session that has an agent and a title of its own."""
    folder = tmp_path / ".claude"
    session("whole", project="-w").user("hello").agent(
        "Explore", "look around", answer="seen"
    ).title("Good day", sidecar=True).write(folder)
    return folder


def run_lists(claude: Path, tmp_path: Path) -> dict[str, str]:
    """Run every command that lists, first without an index; give what each complained of."""
    said = {}
    for words in (LISTS[1], *LISTS):
        done = piped("--index", str(tmp_path / "index.sqlite"), *words, claude=claude)
        assert done.returncode == 0, (words, done.stderr)
        assert "error of its own" not in done.stderr, done.stderr
        assert done.stdout or words == ("index",), words
        said[" ".join(words)] = done.stderr
    return said


def run_session(path: Path, *codes: int) -> list[str]:
    """Run the commands that read one session."""
    found = []
    for command in ("show", "tree", "doctor"):
        done = piped(command, str(path))
        assert done.returncode in (codes or (0,)), (command, done.stderr)
        assert "error of its own" not in done.stderr, done.stderr
        found.append(done.stderr)
    return found


def run_patiently(claude: Path, tmp_path: Path, words: tuple[str, ...]) -> tuple[int, str, float]:
    """Run a command for as long as it takes; give code, complaints and seconds of processor."""
    before = os.times()
    done = subprocess.run(
        [*PROGRAM, "--claude-dir", str(claude), "--index", str(tmp_path / "i.sqlite"), *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=500,
    )
    after = os.times()
    return done.returncode, done.stderr, after.children_user - before.children_user


def put_pipe(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def find_agent_meta(claude: Path) -> Path:
    return next(claude.rglob("agent-*.meta.json"))


def find_title(claude: Path) -> Path:
    return next(claude.rglob("custom-title.json"))


def find_agent(claude: Path) -> Path:
    return next(claude.rglob("agent-*.jsonl"))


def name_client_note(claude: Path) -> Path:
    (claude / "sessions").mkdir()
    return claude / "sessions" / f"{os.getpid()}.json"


@POSIX
@pytest.mark.slow
@pytest.mark.parametrize("find_place", [find_agent_meta, find_title, find_agent, name_client_note])
def test_a_pipe_beside_a_session_stops_nobody(
    claude: Path, tmp_path: Path, find_place: Callable[[Path], Path]
) -> None:
    put_pipe(find_place(claude))
    [path] = (claude / "projects" / "-w").glob("*.jsonl")

    run_lists(claude, tmp_path)

    assert run_session(path, 0, 1)


@POSIX
@pytest.mark.slow
def test_a_pipe_in_place_of_a_session_is_named(claude: Path, tmp_path: Path) -> None:
    pipe = claude / "projects" / "-w" / "pipe.jsonl"
    put_pipe(pipe)

    said = run_lists(claude, tmp_path)

    assert "pipe.jsonl" in said["index"]
    assert all("not a regular file" in line for line in run_session(pipe, 1))


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs /dev/zero")
def test_a_link_to_a_device_is_named(claude: Path, tmp_path: Path) -> None:
    link = claude / "projects" / "-w" / "zero.jsonl"
    link.symlink_to("/dev/zero")

    said = run_lists(claude, tmp_path)

    assert "zero.jsonl" in said["index"]
    assert all("not a regular file" in line for line in run_session(link, 1))


@POSIX
@pytest.mark.slow
def test_links_in_a_circle_end(claude: Path, tmp_path: Path) -> None:
    folder = claude / "projects" / "-w"
    (folder / "self.jsonl").symlink_to(folder / "self.jsonl")
    (folder / "subagents").symlink_to(folder)
    (claude / "projects" / "-around").symlink_to(claude / "projects")
    (claude / "projects" / "-lost").symlink_to(claude / "nowhere")
    own = next(folder.glob("*-*.jsonl")).with_suffix("")
    (own / "subagents" / "again").symlink_to(own)

    said = run_lists(claude, tmp_path)

    assert "self.jsonl" in said["index"]


@TAKES_LONG
def test_five_thousand_tiny_files_are_listed(claude: Path, tmp_path: Path) -> None:
    folder = claude / "projects" / "-tiny"
    folder.mkdir()
    record = '{"type":"user","uuid":"u%d","message":{"role":"user","content":"hello %d"}}\n'
    for number in range(5_000):
        (folder / f"{number:08x}-0000-4000-8000-000000000000.jsonl").write_text(
            record % (number, number)
        )

    for words in (("sessions",), *LISTS):
        code, said, seconds = run_patiently(claude, tmp_path, words)
        assert code in (0, 1), (words, said)
        assert "error of its own" not in said, (words, said)
        assert seconds < MOST_SECONDS, words
    rows = piped("--index", str(tmp_path / "i.sqlite"), "sessions", "--json", claude=claude)
    assert len(json.loads(rows.stdout)) >= 5_000


def write_comb(claude: Path, teeth: int) -> Path:
    """Write a line of prompts, each with an answer beside it: as many branches as answers."""
    folder = claude / "projects" / "-comb"
    folder.mkdir(parents=True)
    path = folder / "c0000000-0000-4000-8000-000000000000.jsonl"
    head = f'"sessionId":"{path.stem}","timestamp":"2026-06-01T12:00:00.000Z"'
    said = '"content":[{"type":"text","text":"hello"}]'
    used = '"model":"claude-sonnet-4-5","usage":{"input_tokens":5,"output_tokens":7}'
    with path.open("w") as out:
        for number in range(teeth):
            back = f'"back {number - 1}"' if number else "null"
            out.write(
                f'{{"type":"user","uuid":"back {number}","parentUuid":{back},{head},'
                f'"message":{{"role":"user",{said}}}}}\n'
                f'{{"type":"assistant","uuid":"tooth {number}","parentUuid":"back {number}",{head},'
                f'"message":{{"role":"assistant","id":"m{number}",{used},{said}}}}}\n'
            )
    return path


def list_comb_commands(path: Path, out: Path) -> list[tuple[str, ...]]:
    """List the commands that a comb is put through; each first one is without an index."""
    session = str(path)
    written = ("--force", "-o", str(out))
    return [
        ("sessions",),
        ("show", session),
        ("show", session, "--json"),
        ("tree", session),
        ("tree", session, "--json"),
        ("doctor", session),
        ("find", "hello", session),
        ("export", session, *written),
        ("export", session, "--to", "html", *written),
        ("export", session, "--to", "json", "--all-branches", *written),
        *LISTS,
        ("usage", "branch"),
        ("conversations", "--limit", "100"),
    ]


def test_a_comb_of_branches_is_gone_through_by_every_command(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    claude = tmp_path / ".claude"
    path = write_comb(claude, 300)
    given = ["--claude-dir", str(claude), "--index", str(tmp_path / "i.sqlite")]

    for words in list_comb_commands(path, tmp_path / "out"):
        assert run([*given, *words]) == 0, (words, capfd.readouterr().err)
        said = capfd.readouterr()
        assert "error of its own" not in said.err, (words, said.err)


@TAKES_LONG
def test_a_comb_of_a_hundred_thousand_branches_is_read(tmp_path: Path) -> None:
    claude = tmp_path / ".claude"
    path = write_comb(claude, 100_000)

    for words in list_comb_commands(path, tmp_path / "out"):
        code, said, seconds = run_patiently(claude, tmp_path, words)
        assert (code, "error of its own" in said) == (0, False), (words, said)
        assert seconds < (MOST_SECONDS if words == ("index",) else MOST_ANSWER_SECONDS), words


@TAKES_LONG
@pytest.mark.parametrize("to", ["md", "html"])
def test_all_of_eight_thousand_branches_are_written(tmp_path: Path, to: str) -> None:
    claude, out = tmp_path / ".claude", tmp_path / "out"
    path = write_comb(claude, 8_000)
    words = ("export", str(path), "--to", to, "--all-branches", "-o", str(out))

    code, said, seconds = run_patiently(claude, tmp_path, words)

    assert (code, "error of its own" in said) == (0, False), said
    assert seconds < MOST_SECONDS
    assert out.read_text(encoding="utf-8").count("Branch left behind") == 7_999
