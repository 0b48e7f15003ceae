"""`bough statusline` as a client runs it: one line, exit 0, whatever happens."""

import contextlib
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest

from bough.status_line.number_cache import find_cache_path
from tests.cli.screens import ROOT
from tests.cli.travelled import Place

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX system")
LINE = [sys.executable, "-m", "bough", "statusline"]


def document(place: Place, **more: object) -> bytes:
    path = str(next(place.claude.glob("projects/*/*.jsonl")))
    known = {
        "session_id": "none-of-them",
        "transcript_path": path,
        "workspace": {"project_dir": "/home/dev/orchard-shop", "current_dir": "/home/dev"},
        "model": {"id": "claude-opus-5-5", "display_name": "Opus 5.5"},
        "cost": {"total_cost_usd": 6.19},
        "context_window": {"used_percentage": 44},
    }
    return msgspec.json.encode({**known, **more})


def run(
    place: Place,
    *words: str,
    given: bytes | None = None,
    environ: Mapping[str, str] | None = None,
    stdin: int = subprocess.PIPE,
) -> str:
    """Run the line; it must be one and the program must end well."""
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT / "src"), "NO_COLOR": "1"}
    env |= place.environ if environ is None else environ
    process = subprocess.Popen(
        [*LINE, *words], env=env, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    out, complaint = process.communicate(given, timeout=60)
    assert (process.returncode, complaint) == (0, b"")
    shown = out.decode()
    assert shown.endswith("\n")
    assert shown.count("\n") == 1
    return shown.rstrip("\n")


def cache_of(place: Place, monkeypatch: pytest.MonkeyPatch, suffix: str = ".json") -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(place.data))
    return Path(find_cache_path(str(place.claude), suffix) or "")


def refresh(place: Place) -> None:
    done = place.bough("statusline", "refresh", "--for", str(place.claude))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_line_says_what_the_client_and_the_cache_say(place: Place) -> None:
    refresh(place)

    assert run(place, given=document(place)) == (
        "orchard-shop · opus-5-5 · 44% ctx · $6.19 (day $0.00)"
    )


def test_the_day_costs_what_usage_says(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    path = next(place.claude.glob("projects/*/51d0*.jsonl"))
    today = time.strftime("%Y-%m-%dT", time.gmtime())
    data = path.read_bytes()
    (stamp,) = {line[:11] for line in data.split(b'"timestamp":"')[1:2]}
    path.write_bytes(data.replace(stamp, today.encode()))
    words = [sys.executable, "-m", "bough", "usage", "--since", "today", "--no-index", "--json"]
    env = {**os.environ, **place.environ}
    done = subprocess.run(words, env=env, capture_output=True, check=True)
    expected = msgspec.json.decode(done.stdout)["totals"]

    for indexed in (False, True):
        if indexed:
            assert place.bough("index").returncode == 0
        refresh(place)
        kept = msgspec.json.decode(cache_of(place, monkeypatch).read_bytes())
        assert kept["day"] == pytest.approx(expected["cost_usd"])
        assert kept["day"] > 0


@pytest.mark.parametrize(
    "given", [b"", b"garbage\xff\x00", b"[" * 10_000_000, b'{"a": "' + b"x" * 10_000_000 + b'"}']
)
def test_whatever_comes_in_one_line_goes_out(place: Place, given: bytes) -> None:
    refresh(place)

    assert run(place, given=given) == "day $0.00"


def test_without_stdin_there_is_a_line(place: Place) -> None:
    refresh(place)

    assert run(place, stdin=subprocess.DEVNULL) == "day $0.00"


@POSIX
def test_a_stdin_that_is_closed_or_never_ends_does_not_matter(place: Place) -> None:
    refresh(place)
    env = {**os.environ, **place.environ, "NO_COLOR": "1"}
    closed = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *LINE], env=env, capture_output=True, check=True
    )
    reading, writing = os.pipe()
    try:
        endless = run(place, stdin=reading)
    finally:
        os.close(reading)
        os.close(writing)

    assert closed.stdout == b"day $0.00\n"
    assert endless == "day $0.00"


@POSIX
def test_without_a_home_and_without_a_place_to_write_there_is_a_line(place: Place) -> None:
    nowhere = {"HOME": "/nowhere", "XDG_DATA_HOME": "/dev/null/data"}

    assert run(place, given=document(place), environ=nowhere).startswith("orchard-shop")
    assert run(place, given=document(place), environ={}).startswith("orchard-shop")


def test_what_a_transcript_is_called_can_hurt_nobody(place: Place) -> None:
    refresh(place)
    hostile = document(
        place, workspace={"project_dir": "/x/\x1b]0;t\x07\u202eevil\n\x1b[2J"}, model={"id": 7}
    )

    assert run(place, given=hostile).startswith("evil · 44% ctx")


def test_a_reader_that_is_gone_is_no_failure(place: Place) -> None:
    refresh(place)
    process = subprocess.Popen(
        LINE,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **place.environ},
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stdin is not None
    process.stdin.close()

    assert process.wait(60) == 0


def test_options_of_the_line(place: Place) -> None:
    refresh(place)
    given = document(place)

    assert run(place, "--format", "{project} {context} {cost}", given=given) == (
        "orchard-shop 44% ctx $6.19"
    )
    assert run(place, "--width=12", given=given) == "orchard-shop"
    assert run(place, "--bogus", given=given) == "bough statusline knows no --bogus"
    assert run(place, "--color=always", given=given).startswith("\x1b[1morchard-shop")
    assert run(place, "--color=always", given=given, environ=place.environ).startswith("\x1b[1m")


def test_odd_terminals_get_a_line(place: Place) -> None:
    refresh(place)
    given = document(place)
    whole = run(place, given=given)
    unknown = {**place.environ, "COLUMNS": "0"}
    dumb = {**place.environ, "TERM": "dumb", "NO_COLOR": ""}

    assert "orchard-shop" in whole
    assert run(place, given=given, environ=unknown) == whole
    assert run(place, "--width=0", given=given) == whole
    assert run(place, given=given, environ=dumb) == whole


@POSIX
def test_another_status_line_is_shown_above(place: Place) -> None:
    refresh(place)
    env = {**os.environ, **place.environ, "NO_COLOR": "1"}
    words = [*LINE, "--format", "{cost}", "--chain"]
    given = document(place)
    found = [
        subprocess.run([*words, command], env=env, input=given, capture_output=True, check=True)
        for command in ("wc -c | tr -d ' '", "exit 3", "/no/such/program")
    ]

    assert [one.stdout.decode() for one in found] == [
        f"{len(given)}\n$6.19\n",
        "$6.19\n",
        "$6.19\n",
    ]


@POSIX
def test_the_script_for_a_shell_says_the_same_in_ascii(place: Place) -> None:
    refresh(place)
    script = place.bough("statusline", "--print-sh").stdout
    hostile = document(place, workspace={"project_dir": "/x/\x1b[31m$(id)`id`"})
    found = [
        subprocess.run(["sh", "-c", script], input=given, capture_output=True, check=True)
        for given in (document(place), hostile, b"", b"\xff{")
    ]

    assert [one.stderr for one in found] == [b""] * 4
    assert [one.stdout.decode() for one in found] == [
        "orchard-shop - Opus 5.5 - 44% ctx - $6.19 - day $0.00\n",
        "u001b[31m$(id)`id` - Opus 5.5 - 44% ctx - $6.19 - day $0.00\n".replace("u001b", "\\u001b"),
        "day $0.00\n",
        "day $0.00\n",
    ]


@POSIX
def test_twenty_sessions_start_one_refresh(
    place: Place, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Count who was started by a program that stands in for the interpreter they would start."""
    cache = cache_of(place, monkeypatch)
    env = {**os.environ, **place.environ}
    started, stand_in = tmp_path / "started", tmp_path / "python"
    stand_in.write_text(f'#!/bin/sh\necho "$*" >> {started}\nexec {sys.executable} "$@"\n')
    stand_in.chmod(0o700)
    code = (
        f"import sys; sys.executable = {str(stand_in)!r}; sys.argv = ['bough', 'statusline']; "
        "from bough.fast import main; main()"
    )
    line = [sys.executable, "-c", code]
    sessions = [
        subprocess.Popen(line, env=env, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        for _ in range(20)
    ]
    for one in sessions:
        assert one.stdin is not None
        one.stdin.write(document(place))
        one.stdin.close()
    assert [one.wait(120) for one in sessions] == [0] * 20
    _wait_for(cache)
    first = cache.stat()
    run(place, given=document(place))

    assert [one.split()[3:5] for one in started.read_text().splitlines()] == [
        ["statusline", "refresh"]
    ]
    # Whole, by one process: nothing is left beside it, and nobody counts again within a minute.
    assert [one.name for one in cache.parent.iterdir()] == [cache.name]
    assert (cache.stat().st_ino, cache.stat().st_mtime_ns) == (first.st_ino, first.st_mtime_ns)


def _wait_for(path: Path) -> None:
    deadline = time.monotonic() + 60
    while not path.exists() or path.with_suffix(".lock").exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@POSIX
@pytest.mark.alone
def test_a_line_takes_no_longer_than_three_starts_of_the_interpreter(place: Place) -> None:
    refresh(place)
    env = {**os.environ, **place.environ}
    program = Path(sys.executable).with_name("bough-statusline")

    def measure(*words: str) -> float:
        """Give the median of the CPU seconds that calls take: wall time hangs on who else runs."""
        found = []
        for _ in range(20):
            process = subprocess.Popen(
                words, env=env, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
            )
            assert process.stdin is not None
            with contextlib.suppress(BrokenPipeError):
                process.stdin.write(document(place))
                process.stdin.close()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            assert process.returncode == 0
            found.append(usage.ru_utime + usage.ru_stime)
        return statistics.median(found)

    assert measure(str(program)) <= 3 * measure(sys.executable, "-c", "pass")
