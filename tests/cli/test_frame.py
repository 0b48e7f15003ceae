"""The command as people run it: a process with stdin, stdout, stderr and an exit code."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

MADE_UP = """
import sys
from bough.cli.main import build_group, run
from tests.unit.cli.made_up import TABLE
sys.exit(run(sys.argv[1:], build_group(TABLE)))
"""
BOUGH = (sys.executable, "-m", "bough")
TESTS_OWN = (sys.executable, "-c", MADE_UP)
POSIX = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX system")


def ran(
    command: tuple[str, ...], *words: str, environ: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*command, *words],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=60,
        cwd=Path(__file__).parents[2],
        env={**os.environ, **(environ or {})},
    )


def test_help_goes_to_stdout_and_ends_well() -> None:
    done = ran(BOUGH, "--help")

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Usage: bough")


def test_without_a_command_a_pipe_gets_the_help() -> None:
    assert ran(BOUGH).stdout == ran(BOUGH, "--help").stdout


def test_the_version_is_one_line() -> None:
    done = ran(BOUGH, "--version")

    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"bough \d+\.\d+\.\d+\n", done.stdout)


@pytest.mark.parametrize("words", [("--bogus",), ("nothing",), ("--color", "blue")])
def test_misuse_goes_to_stderr_and_ends_with_two(words: tuple[str, ...]) -> None:
    done = ran(BOUGH, *words)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("how", "code"), [("missing", 1), ("ambiguous", 2), ("index", 3), ("interrupt", 130)]
)
def test_a_failure_ends_with_its_code(how: str, code: int) -> None:
    done = ran(TESTS_OWN, "fail", how)

    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.count("\n") == 1


@POSIX
def test_a_reader_that_stops_early_is_no_failure() -> None:
    writer = subprocess.Popen(
        [*TESTS_OWN, "count"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    assert writer.stdout
    assert writer.stderr

    first = writer.stdout.readline()
    writer.stdout.close()
    said = writer.stderr.read()
    writer.stderr.close()

    assert (first, said, writer.wait(60)) == (b"0\n", b"", 0)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_said_once() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*BOUGH, "--help"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )

    assert done.returncode == 1
    assert done.stderr == "The output could not be written: no space left on device.\n"


@POSIX
def test_an_interrupt_ends_with_130() -> None:
    waiting = subprocess.Popen(
        [*TESTS_OWN, "wait"], stderr=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]
    )
    assert waiting.stderr
    pid = int(waiting.stderr.readline().split()[1])

    os.kill(pid, signal.SIGINT)
    said = waiting.stderr.read()
    waiting.stderr.close()

    assert (said, waiting.wait(60)) == ("Interrupted.\n", 130)


@pytest.mark.parametrize("name", ["LC_ALL", "PYTHONIOENCODING"])
def test_a_locale_without_utf_8_stops_nothing(name: str) -> None:
    value = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}[name]

    done = ran(TESTS_OWN, "paint", environ={name: value})

    assert done.returncode == 0
    assert done.stdout.splitlines()[0] == "PLAIN NonexNone False"
