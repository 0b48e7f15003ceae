"""`bough watch`: what happens in sessions, as it happens."""

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from itertools import count
from pathlib import Path

import pytest

from bough.sample import SampleSession, session
from bough.store.sqlite.store import SqliteStore
from tests.cli.screens import ROOT, piped
from tests.cli.watching import PROGRAM, Watching
from tests.conftest import Home

pytestmark = [
    pytest.mark.writes_home,
    pytest.mark.skipif(os.name != "posix", reason="needs signals"),
]
ALL = ("--since", "2000-01-01")


def put(home: Home, seed: str = "aaaa", cwd: str = "/home/dev/shop") -> SampleSession:
    builder = session(seed, cwd=cwd, session_id=f"{seed}-0000").user(f"Prompt of {seed}")
    builder.write(home.path)
    return builder


def append(home: Home, builder: SampleSession, more: SampleSession) -> None:
    with (home.projects / builder.project / f"{builder.session_id}.jsonl").open("ab") as file:
        file.write(more.bytes())


def test_the_past_then_what_comes_then_a_clean_end(home: Home) -> None:
    builder = put(home)

    with Watching(*ALL, claude=home.path) as watching:
        watching.until_says("Prompt of aaaa")
        append(home, builder, session("x").thinking("Is it green?").assistant("It **is**."))
        watching.until_says("It **is**.")
        code = watching.end()

    assert code == 130
    assert watching.err == b""
    bodies = [line[9:].split("  ")[-1].strip() for line in watching.lines[1:]]
    assert bodies[:3] == ["◉ Prompt of aaaa", "~ Is it green?", "It **is**."]


def test_json_is_one_event_per_line(home: Home) -> None:
    builder = put(home)

    with Watching("--json", *ALL, claude=home.path) as watching:
        watching.until_says("Prompt of aaaa")
        append(home, builder, session("x", cwd="/home/dev/shop").assistant("Done.", name="A"))
        watching.until_says('"state":"finished"')
        watching.end()

    past, now = watching.events[1], watching.events[2]
    assert (past["kind"], past["past"], past["text"]) == ("prompt", True, "Prompt of aaaa")
    assert (now["kind"], now["session"], now["text"]) == ("text", "aaaa-0000", "Done.")
    assert now["uuid"] == session("x").assistant("Done.", name="A").uuid("A")
    assert (now["project"], now["name"]) == (builder.project, "shop")
    assert "past" not in now


def test_only_what_was_asked_for(home: Home) -> None:
    builder = put(home)
    book_of = session("x").thinking("Thought").assistant("Words").tool("Bash", {"command": "ls"})

    with Watching("--only", "thinking", "--json", "--since", "now", claude=home.path) as watching:
        _until_it_listens(home, builder, watching)
        append(home, builder, book_of.thinking("Last thought"))
        watching.until_says("Last thought")
        watching.end()

    told = [e["text"] for e in watching.events if e["kind"] != "title"]
    assert [text for text in told if text != "Knock"] == ["Thought", "Last thought"]


def _until_it_listens(home: Home, builder: SampleSession, watching: Watching) -> None:
    """Knock until it is heard: nothing of the past is told that would show it."""
    numbers = count()

    def is_heard() -> bool:
        append(home, builder, session(f"knock-{next(numbers)}").thinking("Knock"))
        time.sleep(0.2)
        return b"Knock" in watching.out

    watching.until(is_heard)


def test_a_project_or_a_session_is_followed_alone(home: Home) -> None:
    one, two = put(home, "aaaa"), put(home, "bbbb", "/home/dev/other")

    with Watching("shop", "--json", *ALL, claude=home.path) as watching:
        watching.until_says("Prompt of aaaa")
        append(home, two, session("x").user("Not this"))
        append(home, one, session("y").user("But this"))
        watching.until_says("But this")
        watching.end()

    assert {event["session"] for event in watching.events} == {"aaaa-0000"}


def test_a_projects_folder_that_is_not_there_yet(home: Home) -> None:
    shutil.rmtree(home.projects)

    with Watching("--json", *ALL, claude=home.path) as watching:
        time.sleep(0.5)
        put(home)
        watching.until_says("Prompt of aaaa")
        code = watching.end()

    assert code == 130


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_terminal_that_closes_ends_it_cleanly(home: Home, number: int) -> None:
    put(home)

    with Watching(*ALL, claude=home.path) as watching:
        watching.until_says("Prompt")
        code = watching.end(number)

    assert (code, watching.err) == (130, b"")


def test_a_reader_that_stops_reading_ends_it_even_when_nothing_happens(home: Home) -> None:
    put(home)
    watching = subprocess.Popen(
        [sys.executable, "-m", "bough", "--claude-dir", str(home.path), "watch", *ALL],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )
    assert watching.stdout is not None
    assert watching.stderr is not None

    watching.stdout.readline()
    watching.stdout.close()

    assert watching.wait(20) == 0
    assert watching.stderr.read() == b""
    watching.stderr.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_disk_that_is_full_is_told_and_ends_it(home: Home) -> None:
    put(home)
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "bough", "--claude-dir", str(home.path), "watch", *ALL],
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=20,
            check=False,
            cwd=ROOT,
        )

    assert done.returncode == 1
    assert done.stderr.decode().startswith("The output could not be written")
    assert done.stderr.count(b"\n") == 1


def test_a_command_runs_when_claude_has_finished(home: Home, tmp_path: Path) -> None:
    builder = put(home)
    out = tmp_path / "out"

    with Watching(
        "--exec", f'echo "$BOUGH_EVENT $BOUGH_PROJECT" > {out}', *ALL, claude=home.path
    ) as watching:
        watching.until_says("Prompt")
        append(home, builder, session("x", cwd="/home/dev/shop").assistant("Done."))
        watching.until(lambda: out.exists() and out.read_text() != "")
        watching.end()

    assert out.read_text() == "finished shop\n"


def test_the_index_is_kept_current(home: Home, no_index: Path) -> None:
    builder = put(home)
    path = home.projects / builder.project / f"{builder.session_id}.jsonl"
    assert piped("index", claude=home.path).returncode == 0

    with Watching("--json", *ALL, claude=home.path) as watching:
        watching.until_says("Prompt of aaaa")
        append(home, builder, session("x", cwd="/home/dev/shop").user("A rare word: quincunx"))
        watching.until_says("quincunx")
        watching.until(lambda: _indexed_size(no_index, path) == path.stat().st_size)
        watching.end()


def _indexed_size(index: Path, path: Path) -> int:
    """Ask the index itself; commands would bring it up to date first."""
    store = SqliteStore(index, reading=True)
    try:
        return store.states()[str(path)].size
    finally:
        store.close()


def test_a_watch_makes_no_index(home: Home, no_index: Path) -> None:
    put(home)

    with Watching(*ALL, claude=home.path) as watching:
        watching.until_says("Prompt")
        watching.end()

    assert not no_index.exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--all", "shop"), "Give --all or names, not both"),
        (("--on", "finished"), "--on says when"),
        (("--only", "nonsense"), "--only takes no nonsense"),
        (("--on", "nonsense", "--bell"), "--on takes no nonsense"),
        (("--since", "nonsense"), "--since takes a time"),
        (("--tip", "b41f"), "--tip is a message of one session"),
    ],
)
def test_misuse_is_told(home: Home, words: tuple[str, ...], said: str) -> None:
    done = piped("watch", *words, claude=home.path)

    assert done.returncode == 2
    assert said in done.stderr


def test_what_nobody_knows_is_told(home: Home) -> None:
    put(home)

    done = piped("watch", "nope", claude=home.path)

    assert done.returncode == 1
    assert "No project and no session is called nope" in done.stderr


def test_lines_are_cut_to_a_terminal_that_is_resized(home: Home) -> None:
    import fcntl  # noqa: PLC0415 - not on Windows
    import pty  # noqa: PLC0415
    import struct  # noqa: PLC0415
    import termios  # noqa: PLC0415

    def resize(columns: int) -> None:
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

    def read_until(word: bytes) -> bytes:
        shown = b""
        while word not in shown:
            shown += os.read(ours, 65_536)
        return shown

    builder = put(home)
    ours, theirs = pty.openpty()
    resize(120)
    environ = {
        name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")
    }
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "--claude-dir", str(home.path), "watch", *ALL],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        cwd=ROOT,
        env={**environ, "TERM": "xterm", "PYTHONUTF8": "1", "LC_CTYPE": "C.UTF-8"},
    )
    read_until(b"Prompt of aaaa")
    words = "word " * 60
    append(home, builder, session("x").thinking(f"{words} wide"))
    wide = read_until(b"wide").decode().splitlines()
    resize(60)
    append(home, builder, session("y").thinking(f"{words} narrow"))
    narrow = read_until(b"narrow").decode().splitlines()
    process.send_signal(signal.SIGINT)
    rest = read_until(b"\n")
    code = process.wait(20)
    os.close(ours)
    os.close(theirs)

    assert 100 < max(map(_width, wide)) <= 120
    assert max(map(_width, narrow[1:])) <= 60
    assert (code, b"\x1b[0m" in rest) == (130, True)


def _width(line: str) -> int:
    return len(re.sub(r"\x1b\[[\d;]*m", "", line).rstrip("\r\n"))


@pytest.mark.slow
@pytest.mark.parametrize("poll", ["", "1"])
def test_twenty_sessions_written_at_once_in_every_way(
    home: Home, tmp_path: Path, poll: str
) -> None:
    """Bursts, torn writes, single bytes, lines of 2 MB: each record once, in file order."""
    from benchmarks.watched import Seen, compare  # noqa: PLC0415

    notes = tmp_path / "notes"
    with Watching("--json", "--since", "1h", claude=home.path, environ={"BOUGH_POLL": poll}) as one:
        time.sleep(1)
        subprocess.run(
            [
                *(sys.executable, ROOT / "benchmarks" / "livewriter.py", home.path, notes),
                *("--seconds", "5", "--rate", "300", "--seed", str(random.randrange(10**6))),
            ],
            check=True,
        )
        written = len(notes.read_text().splitlines())
        one.until(lambda: one.out.count(b'"uuid":"') >= written)
        time.sleep(0.3)
        one.end()

    seen = [Seen(str(e["uuid"]), 0) for e in one.events if e.get("uuid")]
    outcome = compare(notes, seen)
    assert (outcome.lost, outcome.twice, outcome.disordered) == (0, 0, 0)
    assert written > 1_000
