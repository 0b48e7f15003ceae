"""A dry run and the run never differ: what one refuses the other refuses, in the same words."""

import os
import subprocess
from collections.abc import Callable

import pytest

from tests.cli.travelled import BUSHY, PLAIN, Place

# A message in the middle of a turn of PLAIN.
INSIDE = "inside"


def nothing(place: Place) -> None:
    """Leave everything as it is."""


def opened(place: Place) -> None:
    place.open_in_a_client(PLAIN)


def fresh(place: Place) -> None:
    os.utime(place.file(PLAIN))


def unended(place: Place) -> None:
    file = place.file(PLAIN)
    file.write_bytes(file.read_bytes().rstrip(b"\n"))
    os.utime(file, (1_700_000_000, 1_700_000_000))


def data_in_claude_folder(place: Place) -> None:
    place.environ |= {name: str(place.claude / "x") for name in ("XDG_DATA_HOME", "LOCALAPPDATA")}


Prepare = Callable[[Place], None]
CASES: dict[str, tuple[Prepare, tuple[str, ...], str]] = {
    "fork: inside a turn": (nothing, ("fork", PLAIN, "--at", INSIDE), "ends no turn"),
    "goto: inside a turn": (nothing, ("goto", PLAIN, "--at", INSIDE), "ends no turn"),
    "branch: inside a turn": (nothing, ("branch", PLAIN, INSIDE), "ends no turn"),
    "fork: words of several turns": (nothing, ("fork", PLAIN, "--at", "the"), "fits"),
    "goto: words of several turns": (nothing, ("goto", PLAIN, "--at", "the"), "fits"),
    "branch: words of several turns": (nothing, ("branch", PLAIN, "the"), "fits"),
    "fork: unknown words": (nothing, ("fork", PLAIN, "--at", "xyzzy"), "has the id or the words"),
    "goto: unknown words": (nothing, ("goto", PLAIN, "--at", "xyzzy"), "has the id or the words"),
    "branch: unknown words": (nothing, ("branch", PLAIN, "xyzzy"), "has the id or the words"),
    "fork: too far back": (nothing, ("fork", PLAIN, "--at", "-99"), "has only"),
    "goto: too far back": (nothing, ("goto", PLAIN, "--at", "-99"), "has only"),
    "branch: too far back": (nothing, ("branch", PLAIN, "-99"), "has only"),
    "goto: compacted": (nothing, ("goto", BUSHY, "--at", "Add the migration"), "was compacted"),
    "goto: open": (opened, ("goto", PLAIN, "--at", "-2"), "has this session open"),
    "goto: open, forced": (opened, ("goto", PLAIN, "--at", "-2", "--force"), "has this session"),
    "goto: fresh": (fresh, ("goto", PLAIN, "--at", "-2"), "may have it open"),
    "goto: no newline": (unended, ("goto", PLAIN, "--at", "-2"), "does not end with a newline"),
    "goto: already there": (nothing, ("goto", PLAIN, "--at", "-0"), "continues there already"),
    "fork: no folder": (nothing, ("fork", PLAIN, "--at", "-2", "--cwd", "/no/such"), "no folder"),
    "fork: data inside": (data_in_claude_folder, ("fork", PLAIN, "--at", "-2"), "would lie inside"),
    "goto: data inside": (data_in_claude_folder, ("goto", PLAIN, "--at", "-2"), "would lie inside"),
}


def middle_of_a_turn(place: Place) -> str:
    """Find the id of a message after which Claude goes on."""
    found = place.jsons("find", "Bash", PLAIN)
    return str(next(one["uuid"] for one in found if one["kind"] == "call"))


@pytest.mark.parametrize("case", CASES)
def test_a_dry_run_and_the_run_refuse_in_the_same_words(place: Place, case: str) -> None:
    prepare, words, reason = CASES[case]
    if INSIDE in words:
        middle = middle_of_a_turn(place)
        words = tuple(middle if word == INSIDE else word for word in words)
    prepare(place)
    before = place.bytes()
    yes = () if words[0] == "fork" else ("--yes",)

    dry = place.bough(*words, "--dry-run")
    run = place.bough(*words, *yes)

    assert reason in run.stderr
    assert said(dry) == said(run)
    assert place.bytes() == before


def said(done: subprocess.CompletedProcess[str]) -> tuple[int, str, str]:
    # The age of a fresh file is told in seconds.
    words = "".join(letter for letter in done.stderr if not letter.isdigit())
    return done.returncode, done.stdout, words
